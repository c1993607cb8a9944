// The vectors of the nodes as FAISS's graph sees them: they stay where RowGraph has them, and are compared with our
// kernel (Debian's libfaiss is built for SSE2).
#pragma once
#include <faiss/Index.h>
#include <faiss/impl/DistanceComputer.h>

#include <stdexcept>

#include "row_graph.h"
#include "scan_kernel.h"

namespace omnirag {

class NodeStorage : public faiss::Index {
 public:
  using Id = decltype(faiss::Index::ntotal);

  explicit NodeStorage(const RowGraph& graph, size_t dimensions)
      : faiss::Index(static_cast<int>(dimensions), faiss::METRIC_INNER_PRODUCT), graph_(graph) {}

  // RowGraph holds the vectors already
  void add(Id count, const float*) override { ntotal += count; }
  void reset() override { ntotal = 0; }
  void search(Id, const float*, Id, float*, Id*, const faiss::SearchParameters*) const override {
    throw std::logic_error("NodeStorage is searched through its graph");
  }

  faiss::DistanceComputer* get_distance_computer() const override { return new Computer(graph_, size_t(d)); }

 private:
  struct Computer : faiss::DistanceComputer {
    const RowGraph& graph;
    const size_t dimensions;
    const ScanRows scan = scan_kernel().rows;
    const float* query = nullptr;

    Computer(const RowGraph& graph, size_t dimensions) : graph(graph), dimensions(dimensions) {}

    void set_query(const float* x) override { query = x; }
    float operator()(Id node) override { return product(query, graph.vector_of(size_t(node))); }
    float symmetric_dis(Id a, Id b) override {
      return product(graph.vector_of(size_t(a)), graph.vector_of(size_t(b)));
    }
    float product(const float* a, const float* b) const {
      float out;
      scan(a, b, dimensions, 1, &out);
      return out;
    }
  };

  const RowGraph& graph_;
};

}  // namespace omnirag

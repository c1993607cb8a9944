// An HNSW graph over the vectors of FlatRows: finds near rows without reading all of them.
//
// A node is a distinct vector, with all rows that hold it: many equal vectors (boilerplate text) would otherwise be
// each other's only neighbours and cut themselves off. A row is in the graph (linked) or pending; pending rows are
// scanned, so a search is right at any moment and linking can be done in slices. A node whose last row went stays as a
// signpost with a copy of its vector (dead) until the graph is built anew.
#pragma once
#include <faiss/IndexHNSW.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "flat_rows.h"

namespace omnirag {

struct GraphOptions {
  size_t m;
  size_t ef_construction;
  size_t ef_search;
  // A graph search is worth scanning so many rows; where there are no more, they are scanned.
  size_t search_cost;
};

class NodeStorage;

class RowGraph {
 public:
  RowGraph(const FlatRows& rows, const GraphOptions& options);
  ~RowGraph();

  size_t linked() const { return node_of_.size() - pending_.size(); }
  size_t nodes() const { return head_.size(); }
  size_t dead() const { return dead_; }

  // Makes room for so many rows; `appended` then cannot fail.
  void reserve(size_t rows);
  // After rows came to the end.
  void appended(size_t count);
  // Before the vector of a row is overwritten.
  void replacing(size_t row);
  // Before FlatRows::remove, which puts the last row in its place.
  void removing(size_t row);

  // Links pending rows for about so long; true while there are more. Starts anew when over a quarter of the nodes are
  // dead. An exception costs the graph, not the rows: all are pending again.
  bool link(double milliseconds);

  // Rows among which the k best are, most likely: false when scanning all is cheaper or the graph found too few.
  bool candidates(const float* query, size_t k, std::vector<uint32_t>& rows);

  // The graph as bytes, in which rows have the numbers they have now.
  std::vector<uint8_t> save() const;
  // Takes a saved graph back; `order` gives the present number of each row by the number it had then. Throws
  // std::invalid_argument when it does not fit or is damaged, and has changed nothing.
  void restore(const uint8_t* bytes, size_t length, const uint32_t* order, size_t ordered);

  const float* vector_of(size_t node) const;

 private:
  static constexpr uint32_t none = UINT32_MAX;

  void reset();
  void make_index();
  void set_pending(uint32_t row);
  void attach(uint32_t row, uint32_t node);
  void detach(uint32_t row);
  void link_batch(size_t count);

  const FlatRows& rows_;
  const GraphOptions options_;
  std::unique_ptr<NodeStorage> storage_;
  std::unique_ptr<faiss::IndexHNSW> index_;

  // by row: its node; its neighbours in the ring of rows of that node, or in `previous_` its place in `pending_`
  std::vector<uint32_t> node_of_, next_, previous_;
  std::vector<uint32_t> pending_;
  // by node: one of its rows, or none and the place of its vector in `ghosts_`
  std::vector<uint32_t> head_, ghost_;
  std::vector<uint64_t> hash_;
  std::unordered_multimap<uint64_t, uint32_t> by_hash_;
  std::vector<float> ghosts_;
  std::vector<uint32_t> free_ghosts_;
  size_t dead_ = 0;
  size_t batch_rows_ = 8;

  std::vector<float> batch_, distances_;
  std::vector<decltype(faiss::Index::ntotal)> labels_;
};

}  // namespace omnirag

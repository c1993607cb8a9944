// The Node-API face of FlatRows and RowGraph. Arguments are checked here once more, so that no call from JavaScript
// can reach memory it must not. Nothing is kept in static variables: the addon can be loaded by several threads of a
// process.
#include <faiss/Index.h>
#include <node_api.h>
#include <omp.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "call.h"
#include "flat_rows.h"
#include "row_graph.h"
#include "scan_kernel.h"

namespace {

using namespace omnirag;

constexpr size_t max_dimensions = 65536;
constexpr size_t max_rows = std::numeric_limits<uint32_t>::max() - 1;
constexpr napi_type_tag index_tag = {0x6f6d6e6972616756, 0x666c6174526f7773};

// Rows and, when asked for, a graph over them.
struct Index {
  FlatRows rows;
  std::unique_ptr<RowGraph> graph;
  std::vector<uint32_t> candidates;

  explicit Index(size_t dimensions) : rows(dimensions) {}
};
using Holder = std::unique_ptr<Index>;

Index& index_of(const Call& call) { return *call.receiver<Holder>(index_tag); }

RowGraph& graph_of(const Call& call) {
  Index& index = index_of(call);
  if (index.graph == nullptr) throw std::invalid_argument("the index has no graph");
  return *index.graph;
}

void finalize(napi_env, void* data, void*) { delete static_cast<Holder*>(data); }

napi_value construct(const Call& call) {
  auto holder = std::make_unique<Holder>(std::make_unique<Index>(call.integer(0, 1, max_dimensions, "dimensions")));
  if (call.has(1)) {
    const GraphOptions options = {
        call.integer(1, 2, 512, "m"),
        call.integer(2, 1, 65536, "efConstruction"),
        call.integer(3, 1, 1 << 20, "efSearch"),
        call.integer(4, 0, max_rows, "searchCost"),
    };
    (*holder)->graph = std::make_unique<RowGraph>((*holder)->rows, options);
  }
  ok(napi_wrap(call.env, call.self, holder.get(), finalize, nullptr, nullptr));
  holder.release();
  ok(napi_type_tag_object(call.env, call.self, &index_tag));
  return nullptr;
}

napi_value rows(const Call& call) { return call.number(static_cast<double>(index_of(call).rows.rows())); }

napi_value linked(const Call& call) { return call.number(static_cast<double>(graph_of(call).linked())); }

napi_value reserve(const Call& call) {
  Index& index = index_of(call);
  const size_t count = call.integer(0, 0, max_rows, "rows");
  if (index.graph != nullptr) index.graph->reserve(count);
  index.rows.reserve(count);
  return nullptr;
}

napi_value append(const Call& call) {
  auto& [rows, graph, _] = index_of(call);
  size_t length = 0;
  const float* vectors = call.floats(0, "vectors", &length);
  if (length % rows.dimensions() != 0) throw std::invalid_argument("vectors must hold whole rows");
  const size_t count = length / rows.dimensions();
  if (count > max_rows - rows.rows()) throw std::invalid_argument("too many rows");
  if (count == 0) return nullptr;
  if (graph != nullptr) graph->reserve(rows.rows() + count);
  rows.append(vectors, count);
  if (graph != nullptr) graph->appended(count);
  return nullptr;
}

size_t row_of(const Call& call, const FlatRows& rows) {
  if (rows.rows() == 0) throw std::invalid_argument("the index is empty");
  return call.integer(0, 0, rows.rows() - 1, "row");
}

napi_value write(const Call& call) {
  auto& [rows, graph, _] = index_of(call);
  const size_t row = row_of(call, rows);
  size_t length = 0;
  const float* vector = call.floats(1, "vector", &length);
  if (length != rows.dimensions()) throw std::invalid_argument("the vector has the wrong length");
  if (std::memcmp(rows.at(row), vector, length * sizeof(float)) == 0) return nullptr;
  if (graph != nullptr) graph->replacing(row);
  rows.write(row, vector);
  return nullptr;
}

napi_value remove(const Call& call) {
  auto& [rows, graph, _] = index_of(call);
  const size_t row = row_of(call, rows);
  if (graph != nullptr) graph->removing(row);
  rows.remove(row);
  return nullptr;
}

napi_value read(const Call& call) {
  const FlatRows& rows = index_of(call).rows;
  const size_t first = call.integer(0, 0, rows.rows(), "first");
  size_t length = 0;
  float* into = call.floats(1, "into", &length);
  if (length % rows.dimensions() != 0) throw std::invalid_argument("into must hold whole rows");
  const size_t count = length / rows.dimensions();
  if (count > rows.rows() - first) throw std::invalid_argument("the rows end before into is full");
  if (count > 0) rows.read(first, count, into);
  return nullptr;
}

napi_value search(const Call& call) {
  auto& [rows, graph, candidates] = index_of(call);
  size_t length = 0, picked_count = 0;
  const float* query = call.floats(0, "query", &length);
  if (length != rows.dimensions()) throw std::invalid_argument("the query has the wrong length");
  const size_t k = call.integer(1, 1, max_rows, "k");
  const uint32_t* picked = nullptr;
  if (call.has(2)) {
    picked = call.array<uint32_t>(2, napi_uint32_array, "picked", &picked_count);
    static const uint32_t none = 0;
    if (picked == nullptr) picked = &none;
    for (size_t i = 0; i < picked_count; i++)
      if (picked[i] >= rows.rows()) throw std::invalid_argument("picked names a row that is not there");
  } else if (graph != nullptr && graph->candidates(query, k, candidates)) {
    picked = candidates.data();
    picked_count = candidates.size();
  }
  const Found found = rows.search(query, k, picked, picked_count);
  napi_value result;
  ok(napi_create_object(call.env, &result));
  ok(napi_set_named_property(call.env, result, "rows", call.copy(napi_uint32_array, found.rows)));
  ok(napi_set_named_property(call.env, result, "scores", call.copy(napi_float32_array, found.scores)));
  return result;
}

napi_value link(const Call& call) {
  napi_value more;
  ok(napi_get_boolean(call.env, graph_of(call).link(static_cast<double>(call.integer(0, 0, 60000, "milliseconds"))),
                      &more));
  return more;
}

napi_value save_graph(const Call& call) { return call.copy(napi_uint8_array, graph_of(call).save()); }

napi_value restore_graph(const Call& call) {
  size_t length = 0;
  const uint8_t* bytes = call.array<uint8_t>(0, napi_uint8_array, "graph", &length);
  size_t ordered = 0;
  const uint32_t* order = call.array<uint32_t>(1, napi_uint32_array, "order", &ordered);
  graph_of(call).restore(bytes, length, order, ordered);
  return nullptr;
}

// Frees the rows now instead of when the garbage collector comes by.
napi_value dispose(const Call& call) {
  Holder& holder = call.receiver<Holder>(index_tag);
  const size_t dimensions = holder->rows.dimensions();
  holder = std::make_unique<Index>(dimensions);
  return nullptr;
}

napi_property_descriptor method(const char* name, napi_callback callback) {
  return {name, nullptr, callback, nullptr, nullptr, nullptr, napi_default_method, nullptr};
}

napi_property_descriptor getter(const char* name, napi_callback callback) {
  return {name, nullptr, nullptr, callback, nullptr, nullptr, napi_enumerable, nullptr};
}

napi_value define(napi_env env, napi_value exports) {
  // one thread: the scan runs in a worker beside the event loop, and OpenMP's pool is slow on contended cores
  omp_set_num_threads(1);
  const napi_property_descriptor members[] = {
      getter("rows", guarded<rows>),
      getter("linked", guarded<linked>),
      method("reserve", guarded<reserve>),
      method("append", guarded<append>),
      method("write", guarded<write>),
      method("remove", guarded<remove>),
      method("read", guarded<read>),
      method("search", guarded<search>),
      method("link", guarded<link>),
      method("saveGraph", guarded<save_graph>),
      method("restoreGraph", guarded<restore_graph>),
      method("dispose", guarded<dispose>),
  };
  napi_value index, kernel, version;
  ok(napi_define_class(env, "FlatIndex", NAPI_AUTO_LENGTH, guarded<construct>, nullptr,
                       sizeof(members) / sizeof(members[0]), members, &index));
  ok(napi_set_named_property(env, exports, "FlatIndex", index));
  ok(napi_create_string_utf8(env, scan_kernel().name, NAPI_AUTO_LENGTH, &kernel));
  ok(napi_set_named_property(env, exports, "kernel", kernel));
  const std::string faiss_version = std::to_string(FAISS_VERSION_MAJOR) + "." + std::to_string(FAISS_VERSION_MINOR) +
                                    "." + std::to_string(FAISS_VERSION_PATCH);
  ok(napi_create_string_utf8(env, faiss_version.c_str(), NAPI_AUTO_LENGTH, &version));
  ok(napi_set_named_property(env, exports, "faissVersion", version));
  return exports;
}

}  // namespace

NAPI_MODULE_INIT() {
  try {
    return define(env, exports);
  } catch (const Pending&) {
  } catch (const std::exception& error) {
    napi_throw_error(env, "ERR_FAISS", error.what());
  }
  return nullptr;
}

// A graph as bytes, in the byte order of the machine. Everything read back is checked: no neighbour may lead FAISS out
// of its arrays, whatever the bytes say.
#include <cstring>
#include <stdexcept>

#include "node_storage.h"
#include "row_graph.h"

namespace omnirag {
namespace {

constexpr uint64_t magic = 0x31687061726777;  // "wgraph1"

struct Head {
  uint64_t magic;
  uint32_t dimensions, m, ef_construction, rows, nodes, dead;
  int32_t entry_point, max_level;
  uint64_t neighbors;
};

struct Writer {
  std::vector<uint8_t> bytes;

  template <class T>
  void put(const T* from, size_t count) {
    const auto* data = reinterpret_cast<const uint8_t*>(from);
    bytes.insert(bytes.end(), data, data + count * sizeof(T));
  }
};

void require(bool holds, const char* fault) {
  if (!holds) throw std::invalid_argument(fault);
}

struct Reader {
  const uint8_t* at;
  size_t left;

  template <class T>
  std::vector<T> take(size_t count) {
    require(count <= left / sizeof(T), "the graph ends too early");
    std::vector<T> taken(count);
    if (count > 0) std::memcpy(taken.data(), at, count * sizeof(T));
    at += count * sizeof(T);
    left -= count * sizeof(T);
    return taken;
  }
};

// where the neighbours of each node begin, from the levels
std::vector<size_t> offsets_of(const std::vector<int>& levels, const std::vector<int>& cumulative) {
  std::vector<size_t> offsets = {0};
  offsets.reserve(levels.size() + 1);
  for (const int level : levels) {
    require(level >= 1 && static_cast<size_t>(level) < cumulative.size(), "the graph holds an impossible level");
    offsets.push_back(offsets.back() + static_cast<size_t>(cumulative[static_cast<size_t>(level)]));
  }
  return offsets;
}

void check_links(const std::vector<int>& levels, const std::vector<size_t>& offsets,
                 const std::vector<int32_t>& neighbors, const std::vector<int>& cumulative) {
  for (size_t node = 0; node < levels.size(); node++)
    for (int level = 0; level < levels[node]; level++)
      for (int i = cumulative[static_cast<size_t>(level)]; i < cumulative[static_cast<size_t>(level) + 1]; i++) {
        const int32_t other = neighbors[offsets[node] + static_cast<size_t>(i)];
        if (other == -1) continue;
        require(other >= 0 && static_cast<size_t>(other) < levels.size() && levels[static_cast<size_t>(other)] > level,
                "the graph holds an impossible link");
      }
}

}  // namespace

std::vector<uint8_t> RowGraph::save() const {
  if (index_ == nullptr) throw std::logic_error("there is no graph");
  const faiss::HNSW& hnsw = index_->hnsw;
  Writer writer;
  const Head head = {magic,
                     static_cast<uint32_t>(rows_.dimensions()),
                     static_cast<uint32_t>(options_.m),
                     static_cast<uint32_t>(options_.ef_construction),
                     static_cast<uint32_t>(node_of_.size()),
                     static_cast<uint32_t>(nodes()),
                     static_cast<uint32_t>(dead_),
                     static_cast<int32_t>(hnsw.entry_point),
                     static_cast<int32_t>(hnsw.max_level),
                     static_cast<uint64_t>(hnsw.neighbors.size())};
  writer.bytes.reserve(sizeof(head) + hnsw.neighbors.size() * 4 + nodes() * 12 + node_of_.size() * 4 +
                       dead_ * rows_.dimensions() * 4);
  writer.put(&head, 1);
  writer.put(hnsw.levels.data(), nodes());
  writer.put(hnsw.neighbors.data(), hnsw.neighbors.size());
  writer.put(hash_.data(), nodes());
  writer.put(node_of_.data(), node_of_.size());
  for (size_t node = 0; node < nodes(); node++)
    if (head_[node] == none) writer.put(vector_of(node), rows_.dimensions());
  return std::move(writer.bytes);
}

void RowGraph::restore(const uint8_t* bytes, size_t length, const uint32_t* order, size_t ordered) {
  Reader reader = {bytes, length};
  const Head head = reader.take<Head>(1)[0];
  require(head.magic == magic, "it is no graph of this version");
  require(head.dimensions == rows_.dimensions() && head.rows == rows_.rows(), "the graph is of other rows");
  require(head.m == options_.m && head.ef_construction == options_.ef_construction,
          "the graph was built with other options");
  require(nodes() == 0, "there is a graph already");
  if (index_ == nullptr) make_index();
  const size_t dimensions = rows_.dimensions();
  auto levels = reader.take<int>(head.nodes);
  const auto neighbors = reader.take<int32_t>(head.neighbors);
  auto hash = reader.take<uint64_t>(head.nodes);
  const auto node_of_saved = reader.take<uint32_t>(head.rows);
  auto ghosts = reader.take<float>(static_cast<size_t>(head.dead) * dimensions);
  require(reader.left == 0, "the graph has bytes after its end");

  const auto& cumulative = index_->hnsw.cum_nneighbor_per_level;
  auto offsets = offsets_of(levels, cumulative);
  require(offsets.back() == neighbors.size(), "the graph holds another number of links");
  check_links(levels, offsets, neighbors, cumulative);
  if (head.nodes == 0)
    require(head.entry_point == -1, "the graph has an impossible entry");
  else
    require(head.entry_point >= 0 && static_cast<uint32_t>(head.entry_point) < head.nodes && head.max_level >= 0 &&
                levels[static_cast<size_t>(head.entry_point)] == head.max_level + 1,
            "the graph has an impossible entry");
  require(ordered == head.rows, "the order is of another number of rows");
  std::vector<uint32_t> node_of(head.rows);
  std::vector<bool> placed(head.rows);
  for (uint32_t row = 0; row < head.rows; row++) {
    require(order[row] < head.rows && !placed[order[row]], "the order names a row twice or one that is not there");
    placed[order[row]] = true;
    node_of[order[row]] = node_of_saved[row];
  }
  std::vector<bool> alive(head.nodes);
  for (const uint32_t node : node_of) {
    require(node == none || node < head.nodes, "the graph names a node that is not there");
    if (node != none) alive[node] = true;
  }
  size_t dead = 0;
  std::vector<uint32_t> ghost(head.nodes, none);
  for (size_t node = 0; node < head.nodes; node++)
    if (!alive[node]) ghost[node] = static_cast<uint32_t>(dead++);
  require(dead == head.dead, "the graph holds another number of dead nodes");
  std::unordered_multimap<uint64_t, uint32_t> by_hash;
  by_hash.reserve(head.nodes);
  for (uint32_t node = 0; node < head.nodes; node++) by_hash.emplace(hash[node], node);

  faiss::HNSW& hnsw = index_->hnsw;
  try {
    head_.reserve(head.nodes);
    hnsw.neighbors.resize(neighbors.size());
  } catch (...) {
    reset();
    throw;
  }
  if (!neighbors.empty()) std::memcpy(hnsw.neighbors.data(), neighbors.data(), neighbors.size() * sizeof(int32_t));
  hnsw.levels = std::move(levels);
  hnsw.offsets = std::move(offsets);
  hnsw.entry_point = head.entry_point;
  hnsw.max_level = head.max_level;
  index_->ntotal = storage_->ntotal = static_cast<NodeStorage::Id>(head.nodes);
  head_.assign(head.nodes, none);
  ghost_ = std::move(ghost);
  hash_ = std::move(hash);
  by_hash_ = std::move(by_hash);
  ghosts_ = std::move(ghosts);
  free_ghosts_.clear();
  dead_ = dead;
  pending_.clear();
  for (uint32_t row = 0; row < node_of.size(); row++) {
    if (node_of[row] == none)
      set_pending(row);
    else
      attach(row, node_of[row]);
  }
}

}  // namespace omnirag

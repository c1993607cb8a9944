#include "row_graph.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "node_storage.h"

namespace omnirag {
namespace {

// fewer dead nodes are never worth a new graph
constexpr size_t few_dead = 64;

// Equal vectors, bit for bit, have equal hashes (murmur's mixing over eight bytes at a time).
uint64_t hash_of(const float* vector, size_t dimensions) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < dimensions; i += 2) {
    uint64_t word = 0;
    std::memcpy(&word, vector + i, std::min<size_t>(2, dimensions - i) * sizeof(float));
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

RowGraph::RowGraph(const FlatRows& rows, const GraphOptions& options) : rows_(rows), options_(options) {
  make_index();
}

RowGraph::~RowGraph() = default;

void RowGraph::make_index() {
  auto storage = std::make_unique<NodeStorage>(*this, rows_.dimensions());
  auto index = std::make_unique<faiss::IndexHNSW>(storage.get(), static_cast<int>(options_.m));
  index->own_fields = false;
  index->hnsw.efConstruction = static_cast<int>(options_.ef_construction);
  index_ = std::move(index);
  storage_ = std::move(storage);
}

void RowGraph::reset() {
  index_.reset();
  head_.clear();
  ghost_.clear();
  hash_.clear();
  by_hash_.clear();
  ghosts_ = {};
  free_ghosts_.clear();
  dead_ = 0;
  pending_.clear();
  for (uint32_t row = 0; row < node_of_.size(); row++) set_pending(row);
}

const float* RowGraph::vector_of(size_t node) const {
  const uint32_t row = head_[node];
  return row == none ? ghosts_.data() + ghost_[node] * rows_.dimensions() : rows_.at(row);
}

void RowGraph::reserve(size_t rows) {
  if (rows <= pending_.capacity()) return;
  const size_t room = std::max(rows, node_of_.size() + node_of_.size() / 2);
  for (auto* each : {&node_of_, &next_, &previous_}) each->reserve(room);
  pending_.reserve(room);
}

void RowGraph::set_pending(uint32_t row) {
  node_of_[row] = none;
  previous_[row] = static_cast<uint32_t>(pending_.size());
  pending_.push_back(row);
}

void RowGraph::appended(size_t count) {
  const size_t first = node_of_.size();
  for (auto* each : {&node_of_, &next_, &previous_}) each->resize(first + count, none);
  for (size_t i = 0; i < count; i++) set_pending(static_cast<uint32_t>(first + i));
}

void RowGraph::replacing(size_t row) {
  detach(static_cast<uint32_t>(row));
  set_pending(static_cast<uint32_t>(row));
}

void RowGraph::removing(size_t removed) {
  const uint32_t row = static_cast<uint32_t>(removed);
  const uint32_t last = static_cast<uint32_t>(node_of_.size() - 1);
  detach(row);
  if (row != last) {
    const uint32_t node = node_of_[last];
    node_of_[row] = node;
    if (node == none) {
      previous_[row] = previous_[last];
      pending_[previous_[row]] = row;
    } else {
      const bool alone = next_[last] == last;
      next_[row] = alone ? row : next_[last];
      previous_[row] = alone ? row : previous_[last];
      next_[previous_[row]] = row;
      previous_[next_[row]] = row;
      if (head_[node] == last) head_[node] = row;
    }
  }
  for (auto* each : {&node_of_, &next_, &previous_}) each->pop_back();
}

void RowGraph::attach(uint32_t row, uint32_t node) {
  const uint32_t head = head_[node];
  if (head == none) {
    next_[row] = previous_[row] = row;
  } else {
    next_[row] = next_[head];
    previous_[row] = head;
    previous_[next_[row]] = row;
    next_[head] = row;
  }
  head_[node] = row;
  node_of_[row] = node;
}

void RowGraph::detach(uint32_t row) {
  const uint32_t node = node_of_[row];
  if (node == none) {
    const uint32_t moved = pending_.back();
    pending_[previous_[row]] = moved;
    previous_[moved] = previous_[row];
    pending_.pop_back();
    return;
  }
  if (next_[row] != row) {
    next_[previous_[row]] = next_[row];
    previous_[next_[row]] = previous_[row];
    if (head_[node] == row) head_[node] = next_[row];
    return;
  }
  if (free_ghosts_.empty()) {
    const size_t dimensions = rows_.dimensions();
    const size_t ghosts = ghosts_.size() / dimensions;
    ghosts_.resize((ghosts + 1) * dimensions);
    free_ghosts_.push_back(static_cast<uint32_t>(ghosts));
  }
  ghost_[node] = free_ghosts_.back();
  free_ghosts_.pop_back();
  std::memcpy(ghosts_.data() + ghost_[node] * rows_.dimensions(), rows_.at(row), rows_.dimensions() * sizeof(float));
  head_[node] = none;
  dead_++;
}

bool RowGraph::link(double milliseconds) {
  using clock = std::chrono::steady_clock;
  const auto since = [](clock::time_point start) {
    return std::chrono::duration<double, std::milli>(clock::now() - start).count();
  };
  const auto start = clock::now();
  try {
    if (dead_ > few_dead && dead_ * 4 > nodes()) reset();
    if (index_ == nullptr) make_index();
    while (!pending_.empty()) {
      const auto begun = clock::now();
      link_batch(std::min(batch_rows_, pending_.size()));
      // each batch has a cost that grows with the graph: as few as keep to the time
      const double took = since(begun);
      if (took > milliseconds) batch_rows_ = std::max<size_t>(8, batch_rows_ / 2);
      if (took < milliseconds / 4) batch_rows_ = std::min<size_t>(64, batch_rows_ * 2);
      if (since(start) >= milliseconds) break;
    }
  } catch (...) {
    reset();
    throw;
  }
  return !pending_.empty();
}

void RowGraph::link_batch(size_t count) {
  const size_t dimensions = rows_.dimensions();
  const size_t first = nodes();
  batch_.clear();
  for (; count > 0; count--) {
    const uint32_t row = pending_.back();
    const float* vector = rows_.at(row);
    const uint64_t hash = hash_of(vector, dimensions);
    uint32_t node = none;
    for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it)
      if (std::memcmp(vector_of(it->second), vector, dimensions * sizeof(float)) == 0) node = it->second;
    if (node == none) {
      node = static_cast<uint32_t>(nodes());
      head_.push_back(none);
      ghost_.push_back(none);
      hash_.push_back(hash);
      by_hash_.emplace(hash, node);
      batch_.insert(batch_.end(), vector, vector + dimensions);
    } else if (head_[node] == none) {
      free_ghosts_.push_back(ghost_[node]);
      dead_--;
    }
    pending_.pop_back();
    attach(row, node);
  }
  if (nodes() > first) index_->add(static_cast<NodeStorage::Id>(nodes() - first), batch_.data());
}

bool RowGraph::candidates(const float* query, size_t k, std::vector<uint32_t>& rows) {
  const size_t ef = std::max(options_.ef_search, k);
  const size_t cost = options_.search_cost * (ef / options_.ef_search);
  if (linked() == 0 || pending_.size() + cost >= node_of_.size()) return false;
  // up to a quarter of what is found is dead
  const size_t wanted = std::min(nodes(), ef + (dead_ > 0 ? ef / 3 + 1 : 0));
  labels_.assign(wanted, -1);
  distances_.resize(wanted);
  index_->hnsw.efSearch = static_cast<int>(wanted);
  index_->search(1, query, static_cast<NodeStorage::Id>(wanted), distances_.data(), labels_.data());
  rows.clear();
  for (const auto label : labels_) {
    const uint32_t head = label < 0 ? none : head_[static_cast<size_t>(label)];
    if (head == none) continue;
    uint32_t row = head;
    do rows.push_back(row);
    while ((row = next_[row]) != head);
  }
  if (rows.size() < std::min(k, linked())) return false;
  rows.insert(rows.end(), pending_.begin(), pending_.end());
  return true;
}

}  // namespace omnirag

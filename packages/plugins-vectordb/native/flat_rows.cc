#include "flat_rows.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "scan_kernel.h"

namespace omnirag {
namespace {

// newer FAISS keeps the codes in a vector that may borrow its memory and has no reserve()
template <class Codes>
auto reserve_codes(Codes& codes, size_t bytes, int) -> decltype(codes.reserve(bytes), void()) {
  codes.reserve(bytes);
}
template <class Codes>
void reserve_codes(Codes&, size_t, long) {}

}  // namespace

void FlatRows::reserve(size_t rows) { reserve_codes(index_.codes, rows * dimensions() * sizeof(float), 0); }

void FlatRows::append(const float* vectors, size_t count) {
  index_.add(static_cast<decltype(index_.ntotal)>(count), vectors);
}

void FlatRows::write(size_t row, const float* vector) {
  std::memcpy(place_of(row), vector, dimensions() * sizeof(float));
}

void FlatRows::read(size_t first, size_t count, float* into) const {
  std::memcpy(into, at(first), count * dimensions() * sizeof(float));
}

void FlatRows::remove(size_t row) {
  const size_t last = rows() - 1;
  if (row != last) std::memcpy(place_of(row), at(last), dimensions() * sizeof(float));
  index_.codes.resize(last * dimensions() * sizeof(float));
  index_.ntotal = static_cast<decltype(index_.ntotal)>(last);
}

Found FlatRows::search(const float* query, size_t k, const uint32_t* picked, size_t picked_count) {
  const size_t count = picked == nullptr ? rows() : picked_count;
  if (scores_.size() < count) scores_.resize(count);
  float* scores = scores_.data();
  const ScanKernel& kernel = scan_kernel();
  if (picked == nullptr)
    kernel.rows(query, index_.get_xb(), dimensions(), count, scores);
  else
    kernel.picked(query, index_.get_xb(), dimensions(), picked, count, scores);
  for (size_t i = 0; i < count; i++) scores[i] = std::min(1.0f, std::max(-1.0f, scores[i]));

  float threshold = -1.0f;
  if (k < count) {
    // a heap of the k best scores, the least of them on top
    best_.assign(scores, scores + k);
    std::make_heap(best_.begin(), best_.end(), std::greater<float>());
    for (size_t i = k; i < count; i++) {
      if (scores[i] <= best_.front()) continue;
      std::pop_heap(best_.begin(), best_.end(), std::greater<float>());
      best_.back() = scores[i];
      std::push_heap(best_.begin(), best_.end(), std::greater<float>());
    }
    threshold = best_.front();
  }
  Found found;
  for (size_t i = 0; i < count; i++) {
    if (scores[i] < threshold) continue;
    found.rows.push_back(picked == nullptr ? static_cast<uint32_t>(i) : picked[i]);
    found.scores.push_back(scores[i]);
  }
  return found;
}

}  // namespace omnirag

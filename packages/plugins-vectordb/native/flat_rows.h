// Rows of unit vectors in a FAISS flat inner-product index, with exact search over all or over picked rows.
#pragma once
#include <faiss/IndexFlat.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace omnirag {

struct Found {
  std::vector<uint32_t> rows;
  std::vector<float> scores;
};

class FlatRows {
 public:
  explicit FlatRows(size_t dimensions) : index_(static_cast<int>(dimensions)) {}

  size_t dimensions() const { return static_cast<size_t>(index_.d); }
  size_t rows() const { return static_cast<size_t>(index_.ntotal); }

  const float* at(size_t row) const { return index_.get_xb() + row * dimensions(); }

  // Makes room, so that appending up to `rows` rows moves nothing.
  void reserve(size_t rows);
  void append(const float* vectors, size_t count);
  void write(size_t row, const float* vector);
  void read(size_t first, size_t count, float* into) const;
  // The last row takes the place of `row`.
  void remove(size_t row);

  // Every row whose score reaches that of the k-th best, in order of rows: more than k when the k-th is tied, so that
  // the caller can settle ties by id. Scores are clamped to -1 ... 1 before they are compared. `picked` limits the
  // search to these rows; null searches all.
  Found search(const float* query, size_t k, const uint32_t* picked, size_t picked_count);

 private:
  float* place_of(size_t row) { return index_.get_xb() + row * dimensions(); }

  faiss::IndexFlatIP index_;
  std::vector<float> scores_;
  std::vector<float> best_;
};

}  // namespace omnirag

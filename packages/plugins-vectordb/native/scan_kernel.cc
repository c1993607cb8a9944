// One object file per instruction set: -DKERNEL=avx2 -DLANES=8 and so on. No standard library header may be included
// here: an inline function compiled for AVX-512 could be picked by the linker for the whole addon.
//
// Debian's libfaiss is built for baseline SSE2 and scans at a third of the memory bandwidth; four independent
// accumulators per row reach the bandwidth with AVX2 and AVX-512. Each row is summed in the same order wherever it
// stands, so equal vectors get equal scores.
#include "scan_kernel.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

namespace omnirag {
namespace {

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
// a load from any float's address
typedef float Unaligned __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

inline Lanes load(const float* at) { return *reinterpret_cast<const Unaligned*>(at); }

inline float dot(const float* a, const float* b, size_t n) {
  Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    s0 += load(a + i) * load(b + i);
    s1 += load(a + i + LANES) * load(b + i + LANES);
    s2 += load(a + i + 2 * LANES) * load(b + i + 2 * LANES);
    s3 += load(a + i + 3 * LANES) * load(b + i + 3 * LANES);
  }
  for (; i + LANES <= n; i += LANES) s0 += load(a + i) * load(b + i);
  s0 = (s0 + s1) + (s2 + s3);
  float sum = 0;
  for (int lane = 0; lane < LANES; lane++) sum += s0[lane];
  for (; i < n; i++) sum += a[i] * b[i];
  return sum;
}

void scan_rows(const float* query, const float* rows, size_t dimensions, size_t count, float* out) {
  for (size_t i = 0; i < count; i++) out[i] = dot(query, rows + i * dimensions, dimensions);
}

void scan_picked(const float* query, const float* rows, size_t dimensions, const uint32_t* picked, size_t count,
                 float* out) {
  const size_t ahead = 4;
  for (size_t i = 0; i < count; i++) {
    if (i + ahead < count) {
      const char* next = reinterpret_cast<const char*>(rows + picked[i + ahead] * dimensions);
      for (size_t line = 0; line < 4; line++) __builtin_prefetch(next + 64 * line);
    }
    out[i] = dot(query, rows + picked[i] * dimensions, dimensions);
  }
}

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

}  // namespace

extern const ScanKernel JOIN(scan_, KERNEL) = {TEXT(KERNEL), scan_rows, scan_picked};

}  // namespace omnirag

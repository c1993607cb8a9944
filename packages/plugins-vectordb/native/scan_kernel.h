// Inner products of one query with many rows, compiled once per instruction set (see scan_kernel.cc).
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace omnirag {

// out[i] = <query, rows + i * dimensions>, i < count
typedef void (*ScanRows)(const float* query, const float* rows, size_t dimensions, size_t count, float* out);
// out[i] = <query, rows + picked[i] * dimensions>, i < count
typedef void (*ScanPicked)(const float* query, const float* rows, size_t dimensions, const uint32_t* picked,
                           size_t count, float* out);

struct ScanKernel {
  const char* name;
  ScanRows rows;
  ScanPicked picked;
};

extern const ScanKernel scan_baseline;
#if defined(__x86_64__)
extern const ScanKernel scan_avx2;
extern const ScanKernel scan_avx512;
#endif

// The widest kernel this processor runs.
const ScanKernel& scan_kernel();

}  // namespace omnirag

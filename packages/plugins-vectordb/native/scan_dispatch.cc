#include "scan_kernel.h"

namespace omnirag {

const ScanKernel& scan_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return scan_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return scan_avx2;
#endif
  return scan_baseline;
}

}  // namespace omnirag

// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/large_pages.h"

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace g80 {

void use_large_pages() {
#if defined(__GLIBC__)
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  constexpr int kRoom = 128 << 20, kOwnMapping = 4 << 20;
  // The heap grows once, by more than a machine needs, and keeps it. What is larger than kOwnMapping lies elsewhere.
  mallopt(M_TOP_PAD, kRoom);
  mallopt(M_TRIM_THRESHOLD, 2 * kRoom);
  mallopt(M_MMAP_THRESHOLD, kOwnMapping);
  void* volatile grows = std::malloc(kOwnMapping / 2);  // volatile, or the compiler leaves both calls out
  std::free(grows);
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) & ~(kLargePage - 1);
  const std::uintptr_t begin = (end - kRoom + kLargePage - 1) & ~(kLargePage - 1);
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The image is a private anonymous mapping: pages exist once they are touched.
#include "tb/golden/memory_image.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace g80::golden {
namespace {
// One page beyond 4 GB so that a wide access at the top cannot leave the mapping.
constexpr std::size_t kMappedBytes = (std::size_t{1} << 32) + 4096;
}  // namespace

MemoryImage::MemoryImage() {
  void* p = mmap(nullptr, kMappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::uint8_t*>(p);
}

MemoryImage::~MemoryImage() { munmap(base_, kMappedBytes); }

void MemoryImage::allow(std::uint32_t address, std::uint64_t bytes) {
  Range added{address, std::min<std::uint64_t>(address + bytes, std::uint64_t{1} << 32)};
  std::vector<Range> merged;
  for (const Range& r : ranges_) {
    if (r.begin == r.end) continue;
    if (r.end < added.begin || r.begin > added.end) {
      merged.push_back(r);
    } else {
      added.begin = std::min(added.begin, r.begin);
      added.end = std::max(added.end, r.end);
    }
  }
  merged.push_back(added);
  std::sort(merged.begin(), merged.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  ranges_ = std::move(merged);
  last_ = 0;
}

void MemoryImage::forbid(std::uint32_t address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  std::vector<Range> left{{0, 0}};
  for (const Range& r : ranges_) {
    if (r.begin < std::min<std::uint64_t>(r.end, address))
      left.push_back({r.begin, std::min<std::uint64_t>(r.end, address)});
    if (std::max(r.begin, end) < r.end) left.push_back({std::max(r.begin, end), r.end});
  }
  ranges_ = std::move(left);
  last_ = 0;
}

bool MemoryImage::find(std::uint32_t address, std::uint32_t bytes) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), std::uint64_t{address},
                                      [](std::uint64_t a, const Range& r) { return a < r.begin; });
  if (after == ranges_.begin()) return false;
  const Range& r = *(after - 1);
  if (address + std::uint64_t{bytes} > r.end) return false;
  last_ = static_cast<std::size_t>(after - 1 - ranges_.begin());
  return true;
}

}  // namespace g80::golden

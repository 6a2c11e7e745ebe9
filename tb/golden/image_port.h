// SPDX-License-Identifier: Apache-2.0
// The memory port of stand-alone runs: every access is performed at once on a memory image.
#pragma once
#include <cstdint>

#include "tb/golden/memory_access.h"
#include "tb/golden/memory_image.h"

namespace g80::golden {

class ImagePort final : public MemoryPort {
 public:
  explicit ImagePort(MemoryImage& image) : MemoryPort(false), image_(image) {}

  PortStatus global(MemoryAccess& access, unsigned& fault_lane) override;
  PortStatus shared(MemoryAccess& access) override;
  bool texture_read(std::uint32_t address, unsigned bytes, void* out) override;

  /// Grows with each store and atomic operation that changes memory.
  std::uint64_t changes() const { return changes_; }

 private:
  void load(MemoryAccess& access);
  template <unsigned kBytes>
  void store(const MemoryAccess& access);
  void atomic(MemoryAccess& access);

  MemoryImage& image_;
  std::uint64_t changes_ = 0;
};

}  // namespace g80::golden

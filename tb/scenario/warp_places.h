// SPDX-License-Identifier: Apache-2.0
// Where the warps of a grid are, as messages about one that does not end tell it: the same on the machine and on the
// reference.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/common/types.h"
#include "toolchain/cubin/module.h"

namespace g80 {

class WarpPlaces {
 public:
  struct Warp {
    std::string block;                // "block (0,0) on gpu.tpc0.sm0"
    unsigned number = 0;              // in the block
    std::uint32_t pc = 0;             // from the kernel's first word
    LaneMask active = 0, parked = 0;  // parked: lanes that wait for the active ones
    std::uint32_t parked_pc = 0;      // where the first of them go on
    bool at_barrier = false;
    std::string locks = {};
  };
  /// Without a kernel there are no instructions and lines.
  WarpPlaces(const Kernel* kernel, isa::Arch arch) : kernel_(kernel), arch_(arch) {}

  void add(Warp warp) { warps_.push_back(std::move(warp)); }
  /// "lanes 00000001, pc 0x48 `bra 0x48` (k.cu:4); lanes fffffffe wait to go on at pc 0x50 (k.cu:5)"
  std::string lanes_text(const Warp& warp) const;
  /// "block (0,0) repeats forever: warp 0 goes round with ..." of a warp that does not wait at a barrier, if there is
  /// one, and rather of one with lanes that wait for the others; `why`; the list.
  std::string endless_text(const std::string& why) const;
  /// A line for each source line at which warps are, the most first, and for each that holds locks; behind line ends.
  std::string list_text() const;

 private:
  static constexpr std::size_t kMostLines = 8;
  std::string remark(std::uint32_t pc) const;

  const Kernel* kernel_;
  isa::Arch arch_;
  std::vector<Warp> warps_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel fit on one SM: counted, a step at each core edge, while the methods behind those that set
// a block's needs arrive. Nothing is divided.
//
// Steps: the needs in warps and rounded up; registers of all warps; then one block is added at each step until the next
// one would exceed a resource.
#pragma once
#include "hw/common/field_list.h"
#include "hw/common/fields.h"
#include "hw/config/config.h"
#include "hw/config/occupancy.h"

namespace g80 {

enum class FitStep : std::uint8_t { kRound, kMultiply, kAdd, kDone };
inline const EnumText& enum_text(FitStep) {
  static const char* const names[] = {"ROUND", "MULTIPLY", "ADD", "DONE"};
  static const EnumText text{"FitStep", names, 4};
  return text;
}

/// Threads, warps, registers and bytes of s[]: of a block, or of all that fit.
struct SmShare {
  std::uint32_t threads = 0, warps = 0, registers = 0, shared_bytes = 0;
  G80_FIELDS((threads, 11), (warps, 7), (registers, 20), (shared_bytes, 17));
};

struct BlockFit {
  FitStep step = FitStep::kRound;
  SmShare block, used;
  std::uint8_t blocks = 0;  // that fit, once done
  G80_FIELDS((step, 2), block, used, (blocks, 4));
  bool done() const { return step == FitStep::kDone; }
};

/// This is where it is decided how many equal blocks share an SM. `needs` may be any words of methods.
void count_blocks(BlockFit& fit, const BlockNeeds& needs, const Config::sm_keys& sm);

}  // namespace g80

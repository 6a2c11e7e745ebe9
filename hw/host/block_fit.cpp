// SPDX-License-Identifier: Apache-2.0
#include "hw/host/block_fit.h"

#include "hw/common/types.h"

namespace g80 {
namespace {

/// Granules are powers of two.
std::uint32_t round_up(std::uint32_t value, std::uint32_t granule) { return (value + granule - 1) & ~(granule - 1); }

}  // namespace

void count_blocks(BlockFit& fit, const BlockNeeds& needs, const Config::sm_keys& sm) {
  switch (fit.step) {
    case FitStep::kRound:
      // A launch with more in these words is refused for that.
      fit.block.threads = needs.threads & 0x7ff;
      fit.block.warps = (fit.block.threads + kWarpSize - 1) / kWarpSize;
      fit.block.shared_bytes = round_up(needs.shared_bytes & 0xffff, sm.shared_granule);
      fit.step = FitStep::kMultiply;
      return;
    case FitStep::kMultiply:
      fit.block.registers =
          round_up(round_up(fit.block.warps, sm.warp_granule) * kWarpSize * (needs.registers_per_thread & 0xff),
                   sm.register_granule);
      fit.step = FitStep::kAdd;
      return;
    case FitStep::kAdd: {
      const SmShare next{fit.used.threads + fit.block.threads, fit.used.warps + fit.block.warps,
                         fit.used.registers + fit.block.registers, fit.used.shared_bytes + fit.block.shared_bytes};
      const bool fits = fit.blocks < sm.max_ctas && next.threads <= sm.max_threads && next.warps <= sm.max_warps &&
                        next.registers <= sm.num_registers && next.shared_bytes <= sm.shared_bytes;
      if (!fits) {
        fit.step = FitStep::kDone;
        return;
      }
      fit.used = next;
      ++fit.blocks;
      return;
    }
    case FitStep::kDone: return;
  }
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The stand-alone grid runner.
#include "tb/golden/grid.h"

#include "tb/golden/repetition.h"
#include "tb/golden/step.h"

namespace g80::golden {
namespace {

class GridRun {
 public:
  GridRun(const Program& program, const Launch& launch, MemoryImage& image, const RunOptions& options)
      : options_(options), launch_(launch), port_(image), executor_(program, launch) {}

  RunResult run() {
    const std::uint32_t blocks = launch_.num_blocks();
    for (std::uint32_t i = 0; i < blocks; ++i) {
      block_.start(launch_, options_.block_order.empty() ? i : options_.block_order[i]);
      if (!run_block()) break;
    }
    return result_;
  }

 private:
  bool run_block() {
    repetition_.begin(result_.warp_instructions, changes());
    while (block_.unfinished != 0) {
      bool progress = false;
      for (WarpState& warp : block_.warps) {
        if (!run_turn(warp, progress)) return false;
      }
      if (!progress) return deadlock();
      if (repetition_.is_seen(block_, result_.warp_instructions, changes())) return stop(RunStatus::kLivelock);
    }
    if (block_.defect != Defect::kNone && result_.defect == Defect::kNone) {
      result_.defect = block_.defect;
      result_.defect_block = block_.index;
      result_.defect_pc = block_.defect_pc;
    }
    return true;
  }

  bool run_turn(WarpState& warp, bool& progress) {
    executor_.special.physid = std::uint32_t{warp.index} << 8;
    for (std::uint32_t i = 0; i < options_.turn; ++i) {
      executor_.special.clock = static_cast<std::uint32_t>(result_.warp_instructions);
      const StepStatus status = executor_.step(block_, warp, port_, &record_);
      if (status == StepStatus::kFault) {
        result_.status = RunStatus::kFault;
        result_.fault = executor_.fault();
        return false;
      }
      if (status != StepStatus::kStepped) return true;
      progress = true;
      clock_reads_ += record_.decoded->insn.op == isa::Op::kMovFromSpecial ? 1 : 0;
      result_.thread_instructions +=
          record_.lanes == kAllLanes ? kWarpSize : static_cast<unsigned>(__builtin_popcount(record_.lanes));
      if (options_.observer) options_.observer->stepped(block_, warp, record_);
      if (++result_.warp_instructions >= options_.max_warp_instructions) return stop(RunStatus::kLimit);
    }
    return true;
  }

  /// Called when every unfinished warp waits at a barrier, so none can open.
  bool deadlock() {
    if (options_.observer) options_.observer->stuck(block_);
    for (const WarpState& warp : block_.warps) {
      if (warp.finished) continue;
      result_.status = RunStatus::kFault;
      result_.fault = Fault{};
      result_.fault.kind = FaultKind::kBarrierDeadlock;
      result_.fault.block = block_.index;
      result_.fault.warp = warp.index;
      result_.fault.pc = warp.pc;
      break;
    }
    return false;
  }

  /// Of what the block's state does not contain.
  std::uint64_t changes() const { return port_.changes() + clock_reads_; }

  static LaneMask parked(const WarpState& warp) { return warp.populated & ~(warp.exited | warp.active); }

  /// Ends the run in the middle of a block.
  bool stop(RunStatus status) {
    const WarpState* found = nullptr;  // one with parked lanes, if there is any
    for (const WarpState& warp : block_.warps) {
      if (warp.finished) continue;
      if (found == nullptr || (parked(*found) == 0 && parked(warp) != 0)) found = &warp;
    }
    result_.status = status;
    if (found != nullptr) result_.stopped = {block_.index, found->index, found->pc, found->active, parked(*found)};
    return false;
  }

  const RunOptions& options_;
  const Launch& launch_;
  ImagePort port_;
  Executor executor_;
  BlockState block_;
  StepRecord record_;
  Repetition repetition_;
  std::uint64_t clock_reads_ = 0;
  RunResult result_;
};

}  // namespace

RunResult run_grid(const Program& program, const Launch& launch, MemoryImage& image, const RunOptions& options) {
  return GridRun(program, launch, image, options).run();
}

}  // namespace g80::golden

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
      : options_(options), launch_(launch), port_(image), executor_(program, launch), repetition_(launch.registers) {}

  RunResult run() {
    start(blocks_.emplace_back());
    while (!blocks_.empty() && run_round()) {
      if (options_.observer != nullptr) options_.observer->round(blocks_);
      if (start_others()) continue;
      if (result_.warp_instructions - last_end_ >= options_.long_instructions && options_.observer && !told_long_) {
        told_long_ = true;
        options_.observer->lasts(blocks_);
      }
      if (repetition_.is_seen(blocks_, result_.warp_instructions, port_.changes())) {
        stop(RunStatus::kLivelock);
        break;
      }
    }
    return result_;
  }

 private:
  /// Instructions that a block may take before others run beside it: it may wait for one of them.
  static constexpr std::uint64_t kAlone = 1'000'000;

  bool has_more() const { return started_ < launch_.num_blocks(); }

  void start(BlockState& block) {
    block.start(launch_, options_.block_order.empty() ? started_ : options_.block_order[started_]);
    ++started_;
    last_start_ = result_.warp_instructions;
    repetition_.begin(result_.warp_instructions, port_.changes());
  }

  bool start_others() {
    if (result_.warp_instructions - last_start_ < kAlone) return false;
    const std::size_t before = blocks_.size();
    while (has_more() && blocks_.size() < options_.resident_blocks) start(blocks_.emplace_back());
    return blocks_.size() != before;
  }

  /// One turn of every warp of the blocks that have begun; the next block takes the place of one that ends.
  bool run_round() {
    for (std::size_t i = 0; i < blocks_.size();) {
      BlockState& block = blocks_[i];
      bool progress = false;
      for (WarpState& warp : block.warps) {
        if (!run_turn(block, warp, progress)) return false;
      }
      if (!progress) return deadlock(block);
      if (block.unfinished == 0) {
        last_end_ = result_.warp_instructions;
        note_defect(block);
        if (!has_more()) {
          blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
          repetition_.begin(result_.warp_instructions, port_.changes());
          continue;
        }
        start(block);
      }
      ++i;
    }
    return true;
  }

  void note_defect(const BlockState& block) {
    if (block.defect == Defect::kNone || result_.defect != Defect::kNone) return;
    result_.defect = block.defect;
    result_.defect_block = block.index;
    result_.defect_pc = block.defect_pc;
  }

  bool run_turn(BlockState& block, WarpState& warp, bool& progress) {
    executor_.special.physid = std::uint32_t{warp.index} << 8;
    const std::uint32_t turn = options_.turn;
    for (std::uint32_t i = 0; i < turn || (i < 2 * turn && !repetition_.is_at_turn(record_)); ++i) {
      executor_.special.clock = static_cast<std::uint32_t>(result_.warp_instructions);
      const StepStatus status = executor_.step(block, warp, port_, &record_);
      if (status == StepStatus::kFault) {
        result_.status = RunStatus::kFault;
        result_.fault = executor_.fault();
        return false;
      }
      if (status != StepStatus::kStepped) return true;
      progress = true;
      repetition_.executed(record_);
      result_.thread_instructions +=
          record_.lanes == kAllLanes ? kWarpSize : static_cast<unsigned>(__builtin_popcount(record_.lanes));
      if (options_.observer) options_.observer->stepped(block, warp, record_);
      if (++result_.warp_instructions >= options_.max_warp_instructions) return stop(RunStatus::kLimit);
    }
    return true;
  }

  /// Called when every unfinished warp waits at a barrier, so none can open.
  bool deadlock(const BlockState& block) {
    if (options_.observer) options_.observer->stuck(block);
    for (const WarpState& warp : block.warps) {
      if (warp.finished) continue;
      result_.status = RunStatus::kFault;
      result_.fault = Fault{};
      result_.fault.kind = FaultKind::kBarrierDeadlock;
      result_.fault.block = block.index;
      result_.fault.warp = warp.index;
      result_.fault.pc = warp.pc;
      break;
    }
    return false;
  }

  /// Ends the run before its blocks have ended.
  bool stop(RunStatus status) {
    result_.status = status;
    result_.running = static_cast<std::uint32_t>(blocks_.size());
    result_.not_begun = launch_.num_blocks() - started_;
    if (options_.observer != nullptr) options_.observer->stopped(blocks_);
    return false;
  }

  const RunOptions& options_;
  const Launch& launch_;
  ImagePort port_;
  Executor executor_;
  std::vector<BlockState> blocks_;  // that run together
  StepRecord record_;
  Repetition repetition_;
  std::uint32_t started_ = 0;     // blocks
  std::uint64_t last_start_ = 0;  // instruction
  std::uint64_t last_end_ = 0;
  bool told_long_ = false;
  RunResult result_;
};

}  // namespace

RunResult run_grid(const Program& program, const Launch& launch, MemoryImage& image, const RunOptions& options) {
  return GridRun(program, launch, image, options).run();
}

}  // namespace g80::golden

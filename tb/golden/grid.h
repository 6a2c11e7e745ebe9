// SPDX-License-Identifier: Apache-2.0
// Runs a whole grid on the reference: block after block, the warps of a block in turn. Behind a block that takes
// long, and so may wait for others, as many run in turn as the chip holds at once.
#pragma once
#include <cstdint>
#include <vector>

#include "tb/golden/executor.h"
#include "tb/golden/image_port.h"

namespace g80::golden {

enum class RunStatus : std::uint8_t { kFinished, kFault, kLimit, kLivelock };

struct RunResult {
  RunStatus status = RunStatus::kFinished;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  // active lanes in which the guard held
  Fault fault;
  Defect defect = Defect::kNone;  // first one of the grid
  std::uint32_t defect_block = 0, defect_pc = 0;
  std::uint32_t running = 0, not_begun = 0;  // blocks, with kLivelock and kLimit
};

/// Observes every instruction of a run, and the blocks that run.
class StepObserver {
 public:
  using Blocks = std::vector<BlockState>;
  virtual ~StepObserver() = default;
  virtual void stepped(const BlockState& block, const WarpState& warp, const StepRecord& record) = 0;
  virtual void stuck(const BlockState&) {}  // every unfinished warp waits at a barrier that cannot open
  virtual void round(const Blocks&) {}      // each warp has had its turn; may throw
  virtual void lasts(const Blocks&) {}      // no block has ended for RunOptions::long_instructions; told once
  virtual void stopped(const Blocks&) {}    // with kLivelock and kLimit
};

struct RunOptions {
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};
  std::uint64_t long_instructions = 1'000'000'000;  // without the end of a block: minutes of simulation
  std::uint32_t turn = 1000;                        // instructions of a warp before the next warp runs
  std::uint32_t resident_blocks = 240;              // of the chip: 8 in each of 30 SMs are the most that one holds
  std::vector<std::uint32_t> block_order;           // empty: ascending
  StepObserver* observer = nullptr;
};

/// Runs `launch` of `program` on `image`. $clock counts the warp instructions of the grid, $physid the warp of the
/// block.
RunResult run_grid(const Program& program, const Launch& launch, MemoryImage& image, const RunOptions& options = {});

}  // namespace g80::golden

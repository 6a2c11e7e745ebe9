// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for one another: those that the chip holds at once run together.
#include <gtest/gtest.h>

#include "tests/golden/words.h"

namespace g80::golden {
namespace {

constexpr std::uint32_t kFlag = 0x1000, kAnswer = 0x1004;

/// Block 0 waits for the flag of block 1, which counts to `steps` first, and stores it as its answer. $r7 counts turns.
Words flag_program(std::uint32_t steps, const Words& in_the_loop = nop()) {
  return join_words({mov_imm(1, kFlag), mov_imm(2, 0), /*10*/ ld_shared(3, 12), set_flags(0, kEqual, 3, 2),
                     /*20*/ bra(0x60, kNotZero), mov_imm(4, 7), /*30*/ mov_imm(5, steps), /*38*/ add_imm(5, 5, ~0u),
                     /*40*/ set_flags(0, kGreater, 5, 2), bra(0x38, kNotZero), /*50*/ st_global(1, 4), nop_exit(),
                     /*60*/ ld_global(6, 1), in_the_loop, /*70*/ set_flags(0, kEqual, 6, 2), bra(0x60, kNotZero),
                     /*80*/ mov_imm(1, kAnswer), st_global(1, 6), /*90*/ nop_exit()});
}

TEST(Blocks, OneThatWaitsForALaterOneEnds) {
  for (const Words& in_the_loop :
       {nop(), add_imm(7, 7, 1), st_global(1, 6, 4)}) {  // turns may count, and store what is there
    Machine m({flag_program(5000, in_the_loop)});
    m.launch.grid_x = 2;
    m.image.allow(kFlag, 8);
    RunOptions options;
    options.max_warp_instructions = 10'000'000;
    EXPECT_EQ(run_grid(m.program, m.launch, m.image, options).status, RunStatus::kFinished);
    EXPECT_EQ(m.image.word(kAnswer), 7u);
  }
}

TEST(Blocks, NoMoreRunTogetherThanTheChipHolds) {
  Machine m({flag_program(5000)});
  m.launch.grid_x = 4;  // blocks 2 and 3 are like block 1
  RunOptions options;
  options.resident_blocks = 1;
  const RunResult result = run_grid(m.program, m.launch, m.image, options);
  EXPECT_EQ(result.status, RunStatus::kLivelock);
  EXPECT_EQ(result.running, 1u);
  EXPECT_EQ(result.not_begun, 3u);
  options.resident_blocks = 2;
  EXPECT_EQ(run_grid(m.program, m.launch, m.image, options).status, RunStatus::kFinished);
}

TEST(Blocks, ThatAllWaitAreALivelockAndNotEarlier) {
  Machine m({flag_program(0)});
  m.image.allow(kFlag, 8);
  m.launch.grid_x = 1, m.launch.grid_y = 1;
  RunResult result = run_grid(m.program, m.launch, m.image);
  EXPECT_EQ(result.status, RunStatus::kLivelock) << "nobody raises the flag";
  EXPECT_EQ(result.running, 1u);
  EXPECT_EQ(result.not_begun, 0u);
}

class Lasting final : public StepObserver {
 public:
  std::vector<std::uint32_t> blocks;
  void stepped(const BlockState&, const WarpState&, const StepRecord&) override {}
  void lasts(const Blocks& at) override { blocks.push_back(at.front().index); }
};

TEST(Blocks, OneThatLastsIsToldOnce) {
  Machine m({flag_program(5000)});
  m.launch.grid_x = 2;
  for (const auto& [instructions, times] : {std::pair{500'000u, 1u}, {2'000'000u, 0u}}) {
    Lasting observer;
    RunOptions options;
    options.long_instructions = instructions, options.observer = &observer;
    m.image.allow(kFlag, 8);
    run_grid(m.program, m.launch, m.image, options);
    EXPECT_EQ(observer.blocks, std::vector<std::uint32_t>(times, 0)) << instructions;
  }
}

}  // namespace
}  // namespace g80::golden

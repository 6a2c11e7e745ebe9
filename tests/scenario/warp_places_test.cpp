// SPDX-License-Identifier: Apache-2.0
// Where warps are, in few lines.
#include "tb/scenario/warp_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

const Kernel& kernel() {
  static const Module module = assemble(
      ".kernel k\nagain:\n  add b32 $r0 $r0 0x1\n  bra again\n  bar inc wait 0x0 0xfff\n  exit nop\n", "k.sasm");
  return module.kernels.front();
}

WarpPlaces::Warp warp(unsigned number, std::uint32_t pc, LaneMask parked = 0, bool at_barrier = false) {
  WarpPlaces::Warp out{"block (0,1)", number, pc, ~parked, parked, parked != 0 ? 0x18 : 4 * number};
  out.at_barrier = at_barrier;
  return out;
}

TEST(WarpPlaces, WarpsAtOneLineAreToldTogetherAndTheMostFirst) {
  WarpPlaces places(&kernel(), isa::Arch::kSm10);
  places.add(warp(0, 16, 0, true));
  places.add(warp(1, 8));
  places.add(warp(2, 8));
  places.add(warp(3, 8, 0xfffffffe));
  EXPECT_EQ(places.list_text(),
            "\n  block (0,1): warp 1 and 1 more: lanes ffffffff, pc 0x8 `bra 0x0` (k.sasm:4)"
            "\n  block (0,1): warp 0, at a barrier: lanes ffffffff, pc 0x10 `bar inc wait 0x0 0xfff` (k.sasm:5)"
            "\n  block (0,1): warp 3: lanes 00000001, pc 0x8 `bra 0x0` (k.sasm:4); lanes fffffffe wait to go on at pc "
            "0x18 (k.sasm:6)");
}

TEST(WarpPlaces, AnEndlessLoopIsThatOfAWarpWithLanesThatWaitAndOfNoneAtABarrier) {
  WarpPlaces places(&kernel(), isa::Arch::kSm10);
  places.add(warp(0, 16, 1, true));
  EXPECT_EQ(places.endless_text("why").substr(0, 46), "block (0,1) repeats forever: warp 0 goes round");
  EXPECT_THAT(places.endless_text("why"), ::testing::EndsWith("\n    why")) << "one warp is not told twice";
  places.add(warp(1, 8));
  EXPECT_THAT(places.endless_text("why"), ::testing::HasSubstr("forever: warp 1 goes round with lanes ffffffff"));
  places.add(warp(2, 0, 0xfffffffe));
  EXPECT_THAT(places.endless_text("why"), ::testing::HasSubstr("forever: warp 2 goes round with lanes 00000001"));
  EXPECT_THAT(places.endless_text("why"), ::testing::HasSubstr("\n    why\n  block"));
}

TEST(WarpPlaces, WithoutLinesAddressesTellThemApartAndAFewAreEnough) {
  WarpPlaces places(nullptr, isa::Arch::kSm10);
  for (unsigned w = 0; w < 12; ++w) places.add(warp(w, 4 * w));
  const std::string text = places.list_text();
  EXPECT_THAT(text, ::testing::HasSubstr("warp 7: lanes ffffffff, pc 0x1c\n"));
  EXPECT_THAT(text, ::testing::EndsWith("\n  and at 4 more places"));
}

TEST(WarpPlaces, WhoHoldsALockIsTold) {
  WarpPlaces places(&kernel(), isa::Arch::kSm10);
  places.add(warp(0, 8));
  places.add(warp(1, 8));
  WarpPlaces::Warp holder = warp(2, 8);
  holder.locks = "; it has s[0x14] locked";
  places.add(holder);
  EXPECT_THAT(places.list_text(), ::testing::HasSubstr("warp 0 and 1 more: lanes"));
  EXPECT_THAT(places.list_text(), ::testing::HasSubstr("warp 2: lanes ffffffff, pc 0x8 `bra 0x0` (k.sasm:4); it has"));
}

}  // namespace
}  // namespace g80

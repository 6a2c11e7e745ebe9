// SPDX-License-Identifier: Apache-2.0
// What a warp sees of its registers: its own rows only, zero beyond them, halves that keep their other half.
#include "hw/sm/register_file.h"

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using RegisterFileTest = testing::SystemCTest;

LaneWords filled(std::uint32_t value) {
  LaneWords words;
  for (std::uint32_t& word : words.lane) word = value++;
  return words;
}

TEST_F(RegisterFileTest, WarpsDoNotSeeEachOther) {
  RegisterFile file("file", load_config("tiny"));
  file.start_warp(0, 0, 4);
  file.start_warp(1, 4, 4);
  for (unsigned w = 0; w < 2; ++w) {
    for (unsigned r = 0; r < 8; ++r) file.write(w, r, ~LaneMask{0}, filled(0x1000 * w + 0x100 * r));
  }
  for (unsigned w = 0; w < 2; ++w) {
    for (unsigned r = 0; r < 8; ++r)
      EXPECT_EQ(file.read(w, r)[7], r < 4 ? 0x1000 * w + 0x100 * r + 7 : 0u) << "warp " << w << " $r" << r;
  }
}

TEST_F(RegisterFileTest, OnlyTheLanesOfAMaskAreWritten) {
  RegisterFile file("file", load_config("tiny"));
  file.start_warp(2, 0, 2);
  file.write(2, 1, 0x0000f0f0, filled(100));
  file.write_half(2, 3, 0x00000ff0, filled(0xabcd0001));
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t low = (0xf0f0u >> l & 1) != 0 ? 100 + l : 0, high = (0xff0u >> l & 1) != 0 ? 1 + l : 0;
    EXPECT_EQ(file.read(2, 1)[l], low | high << 16) << l;
  }
}

TEST_F(RegisterFileTest, AddressRegistersHoldSixteenBitsAndExistFromOneToFour) {
  RegisterFile file("file", load_config("tiny"));
  file.start_warp(0, 0, 1);
  for (unsigned a = 0; a < 8; ++a) file.write_addr(0, a, 0xffff, filled(0x5fff0 + a));
  for (unsigned a = 0; a < 8; ++a) {
    EXPECT_EQ(file.addr(0, a)[3], a >= 1 && a <= 4 ? (0xfff3 + a) & 0xffff : 0u) << a;
    EXPECT_EQ(file.addr(0, a)[20], 0u);
  }
}

TEST_F(RegisterFileTest, NeighbouringRegistersLieInDifferentBanks) {
  const Config config = load_config("tiny");
  RegisterFile file("file", config);
  for (unsigned w = 0; w < 4; ++w) {
    for (unsigned r = 0; r < 64; ++r) {
      EXPECT_LT(file.bank(w, r), config.sm.register_banks);
      EXPECT_NE(file.bank(w, r), file.bank(w, r + 1));
      EXPECT_NE(file.bank(w, r), file.bank(w + 1, r));
    }
  }
}

}  // namespace
}  // namespace g80

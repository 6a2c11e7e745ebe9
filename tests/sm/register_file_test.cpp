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

struct RegisterFileBench {
  RegisterFileBench() : config(load_config("tiny")), domain("shader", 0, 1000, 1, false), file("file", config) {
    file.start_i(begin);
    file.written_banks_i(written);
    file.result_i(result);
    file.write_i(port);
    file.flag_write_i(flag_port);
    file.addr_write_i(addr_port);
    domain.add(file, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS)); }
  void start(unsigned warp, unsigned base_row, unsigned registers) {
    begin.write({true, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(registers),
                 static_cast<std::uint16_t>(base_row), 0x3, filled(7)});
    cycle();
    begin.write(RegisterStart{});
  }
  void write(const RegisterWrite& write) {
    const unsigned bank = file.bank(write.warp, write.reg);
    port[bank].write(write);
    written.write(1u << bank);
    cycle();
    written.write(0);
  }
  Config config;
  Domain domain;
  RegisterFile file;
  Wire<RegisterStart> begin{"begin"};
  Wire<std::uint32_t> written{"written"};
  sc_core::sc_vector<Wire<ExecResult>> result{"result", kExecUnits};
  sc_core::sc_vector<Wire<RegisterWrite>> port{"port", config.sm.register_banks};
  sc_core::sc_vector<Wire<FlagWrite>> flag_port{"flag_port", kFlagWrites};
  sc_core::sc_vector<Wire<AddrWrite>> addr_port{"addr_port", kAddrWrites};
};

TEST_F(RegisterFileTest, ANewWarpFindsItsThreadsNumbersAndNothingElse) {
  RegisterFileBench bench;
  bench.start(1, 4, 4);
  bench.write({1, 2, true, true, ~LaneMask{0}, filled(1), {}});
  EXPECT_EQ(bench.file.read(1, 2)[3], 4u);
  bench.start(1, 4, 4);
  EXPECT_EQ(bench.file.read(1, 0)[1], 8u);
  EXPECT_EQ(bench.file.read(1, 0)[2], 0u) << "no thread in this lane";
  EXPECT_EQ(bench.file.read(1, 2)[3], 0u);
}

TEST_F(RegisterFileTest, WarpsDoNotSeeEachOther) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.start(1, 4, 4);
  for (std::uint8_t w = 0; w < 2; ++w) {
    for (std::uint8_t r = 0; r < 8; ++r)
      bench.write({w, r, true, true, ~LaneMask{0}, filled(0x1000u * w + 0x100u * r), {}});
  }
  for (unsigned w = 0; w < 2; ++w) {
    for (unsigned r = 0; r < 8; ++r)
      EXPECT_EQ(bench.file.read(w, r)[7], r < 4 ? 0x1000 * w + 0x100 * r + 7 : 0u) << "warp " << w << " $r" << r;
  }
}

TEST_F(RegisterFileTest, OnlyTheLanesAndTheHalfOfAWriteChange) {
  RegisterFileBench bench;
  bench.start(2, 0, 2);
  bench.write({2, 1, true, true, 0x0000f0f0, filled(100), {}});
  bench.write({2, 1, false, true, 0x00000ff0, filled(0xabcd0001), {}});
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t low = (0xf0f0u >> l & 1) != 0 ? 100 + l : 0, high = (0xff0u >> l & 1) != 0 ? 1 + l : 0;
    EXPECT_EQ(bench.file.read(2, 1)[l], low | high << 16) << l;
  }
}

TEST_F(RegisterFileTest, ABankThatIsNotBusyIsNotWritten) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.port[bench.file.bank(0, 2)].write({0, 2, true, true, ~LaneMask{0}, filled(1), {}});
  bench.cycle();
  EXPECT_EQ(bench.file.read(0, 2)[3], 0u);
}

TEST_F(RegisterFileTest, LanesThatLeaveTheirUnitInTheSlotComeFromItsResultWire) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  ExecResult part;
  part.valid = part.last = true;
  part.first = 28;
  for (unsigned l = 0; l < 4; ++l) part.low[l] = 500 + l, part.high[l] = 600 + l;
  bench.result[unit_number(ExecUnit::kDp)].write(part);
  bench.write({0, 1, true, true, ~LaneMask{0}, filled(100), {true, ExecUnit::kDp, LateLanes::Word::kHigh}});
  bench.write({0, 2, true, true, 0x7fffffffu, filled(100), {true, ExecUnit::kDp, LateLanes::Word::kLow}});
  EXPECT_EQ(bench.file.read(0, 1)[27], 127u);
  EXPECT_EQ(bench.file.read(0, 1)[28], 600u);
  EXPECT_EQ(bench.file.read(0, 1)[31], 603u);
  EXPECT_EQ(bench.file.read(0, 2)[30], 502u);
  EXPECT_EQ(bench.file.read(0, 2)[31], 0u) << "the lane is not written";
}

TEST_F(RegisterFileTest, AddressRegistersHoldSixteenBitsAndExistFromOneToFour) {
  RegisterFileBench bench;
  bench.start(0, 0, 1);
  for (std::uint8_t a = 0; a < 8; ++a) {
    bench.addr_port[0].write({true, 0, a, 0xffff, filled(0x5fff0u + a), {}});
    bench.cycle();
  }
  for (unsigned a = 0; a < 8; ++a) {
    EXPECT_EQ(bench.file.addr(0, a)[3], a >= 1 && a <= 4 ? (0xfff3 + a) & 0xffff : 0u) << a;
    EXPECT_EQ(bench.file.addr(0, a)[20], 0u);
  }
}

TEST_F(RegisterFileTest, FlagsAreWrittenThroughBothPortsInACycle) {
  RegisterFileBench bench;
  bench.start(0, 0, 1);
  LaneFlags ones{}, twos{};
  for (std::uint8_t& lane : ones.lane) lane = 1;
  for (std::uint8_t& lane : twos.lane) lane = 0x12;
  bench.flag_port[0].write({true, 0, 3, 0x1, ones, {}});
  bench.flag_port[1].write({true, 0, 2, ~LaneMask{0}, twos, {}});
  bench.cycle();
  EXPECT_EQ(bench.file.flags(0, 3)[0], 1u);
  EXPECT_EQ(bench.file.flags(0, 3)[1], 0u);
  EXPECT_EQ(bench.file.flags(0, 2)[31], 2u) << "a flag register has four bits";
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

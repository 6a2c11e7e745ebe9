// SPDX-License-Identifier: Apache-2.0
// What a warp sees of its registers: its own rows only, zero beyond them, halves that keep their other half. Reads: one
// a bank and cycle, the oldest instruction first, each exactly once.
#include "hw/sm/register_file.h"
#include "hw/common/set_bits.h"

#include <functional>
#include <map>
#include <random>

#include "tests/sm/register_file_wires.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/random_seed.h"
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
  explicit RegisterFileBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), domain("shader", 0, 1000, 1, false), file("file", config) {
    wires.bind(file);
    domain.add(file, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS)); }
  void start(unsigned warp, unsigned base_row, unsigned registers) {
    wires.start.write({true, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(registers),
                       static_cast<std::uint16_t>(base_row)});
    wires.numbers.write({true, static_cast<std::uint8_t>(warp), 0x3, filled(7)});
    cycle();
    wires.start.write(RegisterStart{});
    wires.numbers.write(ThreadNumbers{});
    cycle();
    cycle();
  }
  /// The next slot of the bank is given to a write.
  void announce(unsigned bank) {
    wires.busy.write(1u << bank);
    cycle();
    wires.busy.write(0);
  }
  /// `meanwhile` takes the cycle of the write.
  void write(const RegisterWrite& write, const std::function<void()>& meanwhile = nullptr) {
    RegisterWrite to_bank = write;
    to_bank.bank = static_cast<std::uint8_t>(file.bank(write.warp, write.reg));
    wires.write[0].write(to_bank);
    wires.written.write(1);
    meanwhile ? meanwhile() : cycle();
    wires.written.write(0);
  }
  /// The instruction is on the issue wire for a cycle, and what is read in it on the wires when this returns.
  void issue(const std::string& text, unsigned warp, unsigned unit) {
    Issue issued;
    issued.valid = true;
    issued.warp = static_cast<std::uint8_t>(warp);
    issued.fetched = test::fetched(text);
    wires.issue.write(issued);
    wires.unit.write(static_cast<std::uint8_t>(unit));
    cycle();
    wires.issue.write(Issue{});
  }
  Config config;
  Domain domain;
  RegisterFile file;
  test::RegisterFileWires wires{config};
};

TEST_F(RegisterFileTest, ANewWarpFindsItsThreadsNumbersAndNothingElse) {
  RegisterFileBench bench;
  bench.start(1, 4, 4);
  bench.write({0, 1, 2, true, true, ~LaneMask{0}, filled(1), {}});
  EXPECT_EQ(bench.file.read(1, 2)[3], 4u);
  bench.start(1, 4, 4);
  EXPECT_EQ(bench.file.read(1, 0)[1], 8u);
  EXPECT_EQ(bench.file.read(1, 0)[2], 0u) << "no thread in this lane";
  EXPECT_EQ(bench.file.read(1, 2)[3], 0u);
}

TEST_F(RegisterFileTest, TheFirstWriteToARowFillsTheOtherLanes) {
  for (const char* init : {"sm.init=poison", "sm.init=random"}) {
    renew_context();
    RegisterFileBench bench({init});
    const InitialWords initial(bench.config);
    for (unsigned pass = 0; pass < 2; ++pass) {  // a new warp does not see what the old one wrote
      bench.start(1, 4, 4);
      bench.write({0, 1, 2, true, false, 0x0000f0f0, filled(100), {}});
      bench.write({0, 1, 2, false, true, 0x00000ff0, filled(0xabcd0001), {}});
      for (unsigned l = 0; l < kWarpSize; ++l) {
        std::uint32_t expected = initial.of_register(6, l);
        if ((0xf0f0u >> l & 1) != 0) expected = (expected & 0xffff0000u) | (100 + l);
        if ((0xff0u >> l & 1) != 0) expected = (expected & 0xffffu) | (1 + l) << 16;
        EXPECT_EQ(bench.file.read(1, 2)[l], expected) << init << ", lane " << l;
        EXPECT_EQ(bench.file.read(1, 3)[l], initial.of_register(7, l)) << "nobody wrote it";
        EXPECT_EQ(bench.file.read(1, 0)[l], l < 2 ? 7 + l : initial.of_register(4, l)) << "numbers of two threads";
      }
      if (pass != 0) continue;
      bench.write({0, 1, 3, true, true, ~LaneMask{0}, filled(5), {}});
      EXPECT_EQ(bench.file.read(1, 3)[31], 36u);
    }
  }
}

TEST_F(RegisterFileTest, ANewWarpsFlagsAndAddressesAreZeroUntilTheyAreWritten) {
  RegisterFileBench bench({"sm.init=poison"});
  LaneFlags flags;
  for (std::uint8_t& lane : flags.lane) lane = 9;
  for (const LaneMask lanes : {0xffu, 0xff00u}) {
    bench.start(1, 4, 4);
    EXPECT_EQ(bench.file.flags(1, 2), LaneFlags{});
    EXPECT_EQ(bench.file.addr(1, 3), LaneWords{});
    bench.wires.flag_write[0].write({true, 1, 2, lanes, flags, {}});
    bench.wires.addr_write.write({true, 1, 3, lanes, filled(50), {}});
    bench.cycle();
    bench.wires.flag_write[0].write({});
    bench.wires.addr_write.write({});
    bench.cycle();
    for (unsigned l = 0; l < kWarpSize; ++l) {
      const bool written = (lanes >> l & 1) != 0;
      EXPECT_EQ(bench.file.flags(1, 2)[l], written ? 9u : 0u) << l;
      EXPECT_EQ(bench.file.addr(1, 3)[l], written ? 50 + l : 0u) << l;
    }
  }
}

TEST_F(RegisterFileTest, WarpsDoNotSeeEachOther) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.start(1, 4, 4);
  for (std::uint8_t w = 0; w < 2; ++w) {
    for (std::uint8_t r = 0; r < 8; ++r)
      bench.write({0, w, r, true, true, ~LaneMask{0}, filled(0x1000u * w + 0x100u * r), {}});
  }
  for (unsigned w = 0; w < 2; ++w) {
    for (unsigned r = 0; r < 8; ++r)
      EXPECT_EQ(bench.file.read(w, r)[7], r < 4 ? 0x1000 * w + 0x100 * r + 7 : 0u) << "warp " << w << " $r" << r;
  }
}

TEST_F(RegisterFileTest, OnlyTheLanesAndTheHalfOfAWriteChange) {
  RegisterFileBench bench;
  bench.start(2, 0, 2);
  bench.write({0, 2, 1, true, true, 0x0000f0f0, filled(100), {}});
  bench.write({0, 2, 1, false, true, 0x00000ff0, filled(0xabcd0001), {}});
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t low = (0xf0f0u >> l & 1) != 0 ? 100 + l : 0, high = (0xff0u >> l & 1) != 0 ? 1 + l : 0;
    EXPECT_EQ(bench.file.read(2, 1)[l], low | high << 16) << l;
  }
}

TEST_F(RegisterFileTest, ABankThatIsNotBusyIsNotWritten) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.wires.write[0].write(
      {static_cast<std::uint8_t>(bench.file.bank(0, 2)), 0, 2, true, true, ~LaneMask{0}, filled(1), {}});
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
  bench.wires.result[unit_number(ExecUnit::kDp)].write(part);
  bench.write({0, 0, 1, true, true, ~LaneMask{0}, filled(100), {true, ExecUnit::kDp, LateLanes::Word::kHigh}});
  bench.write({0, 0, 2, true, true, 0x7fffffffu, filled(100), {true, ExecUnit::kDp, LateLanes::Word::kLow}});
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
    bench.wires.addr_write.write({true, 0, a, 0xffff, filled(0x5fff0u + a), {}});
    bench.cycle();
  }
  for (unsigned a = 0; a < 8; ++a) {
    EXPECT_EQ(bench.file.addr(0, a)[3], a >= 1 && a <= 4 ? (0xfff3 + a) & 0xffff : 0u) << a;
    EXPECT_EQ(bench.file.addr(0, a)[20], 0u);
  }
}

TEST_F(RegisterFileTest, TheAddressUnitIncrementsHalfAWarpBesideAResult) {
  RegisterFileBench bench;
  bench.start(0, 0, 1);
  bench.wires.addr_write.write({true, 0, 1, ~LaneMask{0}, filled(40), {}});
  for (std::uint8_t index : {2, 5, 0}) {
    AddrIncrement increment{true, 0, index, 1, 0x8001, {}};
    increment.value.fill(0xfff1);
    bench.wires.increment.write(increment);
    bench.cycle();
  }
  for (unsigned l = 0; l < kWarpSize; ++l) {
    EXPECT_EQ(bench.file.addr(0, 1)[l], 40 + l) << "a write";
    EXPECT_EQ(bench.file.addr(0, 2)[l], l == 16 || l == 31 ? 0xfff1u : 0u) << "an increment";
    for (const unsigned none : {0u, 5u}) EXPECT_EQ(bench.file.addr(0, none)[l], 0u);
  }
}

TEST_F(RegisterFileTest, FlagsAreWrittenThroughBothPortsInACycle) {
  RegisterFileBench bench;
  bench.start(0, 0, 1);
  LaneFlags ones{}, twos{};
  for (std::uint8_t& lane : ones.lane) lane = 1;
  for (std::uint8_t& lane : twos.lane) lane = 0x12;
  bench.wires.flag_write[0].write({true, 0, 3, 0x1, ones, {}});
  bench.wires.flag_write[1].write({true, 0, 2, ~LaneMask{0}, twos, {}});
  bench.cycle();
  EXPECT_EQ(bench.file.flags(0, 3)[0], 1u);
  EXPECT_EQ(bench.file.flags(0, 3)[1], 0u);
  EXPECT_EQ(bench.file.flags(0, 2)[31], 2u) << "a flag register has four bits";
}

TEST_F(RegisterFileTest, RegistersOfAnIssuedInstructionAreOnThePortsACycleLater) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.write({0, 0, 1, true, true, ~LaneMask{0}, filled(0x10001), {}});
  bench.write({0, 0, 2, true, true, ~LaneMask{0}, filled(500), {}});
  bench.issue("add b16 $r0l $r1h $r2l", 0, 5);
  const unsigned first = bench.file.bank(0, 1), second = bench.file.bank(0, 2);
  EXPECT_EQ(bench.wires.read_banks.read(), 1u << first | 1u << second);
  EXPECT_EQ(bench.wires.reading.read(), 0u);
  const RegisterRead expected_first{5, 0, 1, filled(0x10001)}, expected_second{5, 1, 0, filled(500)};
  EXPECT_EQ(bench.wires.read[first].read(), expected_first);
  EXPECT_EQ(bench.wires.read[second].read(), expected_second);
  bench.cycle();
  EXPECT_EQ(bench.wires.read_banks.read(), 0u);
}

TEST_F(RegisterFileTest, EachWordComesFromTheRegisterThatTheInstructionNames) {
  using Words = std::map<unsigned, std::uint32_t>;  // number of the register, by place
  const std::pair<const char*, Words> cases[] = {
      {"add b32 $r0 $r1 $r2", {{0, 1}, {1, 2}}},
      {"add f32 $r0 (mul $r1 $r2) $r3", {{0, 1}, {1, 2}, {2, 3}}},
      {"add rn f64 $r8d $r2d $r4d", {{0, 2}, {kHighWords, 3}, {1, 4}, {kHighWords + 1, 5}}},
      {"st b64 g14[$r1] $r4d", {{0, 1}, {kDataWords, 4}, {kDataWords + 1, 5}}},
      {"st b128 g14[$r1] $r4q",
       {{0, 1}, {kDataWords, 4}, {kDataWords + 1, 5}, {kDataWords + 2, 6}, {kDataWords + 3, 7}}}};
  RegisterFileBench bench;
  bench.start(0, 0, 8);
  for (std::uint8_t r = 0; r < 8; ++r) bench.write({0, 0, r, true, true, ~LaneMask{0}, filled(100u * r), {}});
  for (const auto& [text, expected] : cases) {
    Words seen;
    bench.issue(text, 0, 1);
    for (int cycle = 0; cycle < 8; ++cycle, bench.cycle()) {
      for (const unsigned bank : set_bits(bench.wires.read_banks.read()))
        seen[bench.wires.read[bank].read().to] = bench.wires.read[bank].read().value[0] / 100;
    }
    EXPECT_EQ(seen, expected) << text;
  }
}

TEST_F(RegisterFileTest, AResetLeavesNoWarpAndNoRead) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  bench.wires.busy.write((1u << bench.config.sm.register_banks) - 1);
  bench.issue("add b32 $r0 $r1 $r2", 0, 1);
  ASSERT_NE(bench.file.read(0, 0)[0], 0u);
  bench.file.hold_reset();
  bench.file.commit();
  bench.wires.busy.write(0);
  bench.cycle();
  EXPECT_EQ(bench.file.read(0, 0)[0], 0u);
  EXPECT_EQ(bench.wires.reading.read() | bench.wires.read_banks.read(), 0u);
  EXPECT_EQ(bench.file.counters().bank_conflicts, 0u);
}

TEST_F(RegisterFileTest, ABankServesTheOldestInstructionFirstAndNoneWhileItIsWritten) {
  RegisterFileBench bench;
  const unsigned banks = bench.config.sm.register_banks;
  bench.start(0, 0, static_cast<unsigned>(banks + 2));
  const unsigned bank = bench.file.bank(0, 1);
  const std::string twice = fmt::format("add b32 $r0 $r1 $r{}", 1 + banks);
  bench.wires.busy.write(1u << bank);
  bench.issue(twice, 0, 3);
  bench.wires.busy.write(0);
  bench.wires.written.write(1);
  bench.wires.write[0].write({static_cast<std::uint8_t>(bank), 0, 1, true, true, ~LaneMask{0}, filled(7), {}});
  EXPECT_EQ(bench.wires.read_banks.read(), 0u);
  EXPECT_EQ(bench.wires.reading.read(), 1u << 3);
  bench.issue("mov b32 $r0 $r1", 0, 0);
  bench.wires.written.write(0);
  EXPECT_EQ(bench.wires.read[bank].read().unit, 3u);
  EXPECT_EQ(bench.wires.read[bank].read().value[0], 7u) << "a read after the write finds what was written";
  EXPECT_EQ(bench.wires.reading.read(), 1u << 3 | 1u << 0);
  bench.cycle();
  EXPECT_EQ(bench.wires.read[bank].read().unit, 3u);
  EXPECT_EQ(bench.wires.read[bank].read().to, 1u);
  EXPECT_EQ(bench.wires.reading.read(), 1u << 0);
  bench.cycle();
  EXPECT_EQ(bench.wires.read[bank].read().unit, 0u);
  EXPECT_EQ(bench.wires.reading.read(), 0u);
  EXPECT_EQ(bench.file.counters().bank_conflicts, 2u + 2 + 1) << "reads that found the bank written or read";
}

TEST_F(RegisterFileTest, ThreeRegistersTakeTheOperandPortsForTwoCycles) {
  RegisterFileBench bench;
  bench.start(0, 0, 8);
  bench.issue("add f32 $r0 (mul $r1 $r2) $r3", 0, 0);
  EXPECT_EQ(__builtin_popcount(bench.wires.read_banks.read()), 3);
  bench.issue("mul rn f32 $r0 $r4 $r5", 0, 1);
  EXPECT_EQ(bench.wires.read_banks.read(), 0u);
  bench.issue("mul rn f32 $r0 $r6 $r7", 0, 2);
  EXPECT_EQ(__builtin_popcount(bench.wires.read_banks.read()), 3);
  EXPECT_EQ(bench.wires.reading.read(), 1u << 2) << "the older instruction goes first";
  bench.cycle();
  EXPECT_EQ(bench.wires.read_banks.read(), 0u);
  bench.cycle();
  EXPECT_EQ(__builtin_popcount(bench.wires.read_banks.read()), 1);
  EXPECT_EQ(bench.wires.reading.read(), 0u);
}

TEST_F(RegisterFileTest, FlagsAndAddressOfAnIssuedInstructionAreThereACycleLater) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  LaneFlags ones{};
  for (std::uint8_t& lane : ones.lane) lane = 1;
  bench.wires.flag_write[0].write({true, 0, 3, ~LaneMask{0}, ones, {}});
  bench.wires.addr_write.write({true, 0, 2, ~LaneMask{0}, filled(40), {}});
  bench.cycle();
  bench.issue("(lg $c3) mov b32 $r1 b32 s[$a2+0x10]", 0, 1);
  EXPECT_EQ(bench.wires.side.read().flags[31], 1u);
  EXPECT_EQ(bench.wires.side.read().addr[2], 42u);
  bench.issue("mov $r1 $a1", 0, 2);
  EXPECT_EQ(bench.wires.side.read().flags[31], 0u);
  EXPECT_EQ(bench.wires.side.read().addr[2], 0u);
}

TEST_F(RegisterFileTest, NumbersOfThreadsWaitUntilTheirBankHasNothingElseToDo) {
  RegisterFileBench bench;
  const unsigned banks = bench.config.sm.register_banks;
  bench.start(0, 0, 4);
  const unsigned bank = bench.file.bank(1, 0);
  bench.wires.start.write({true, 1, static_cast<std::uint8_t>(banks + 1), 4});
  bench.wires.numbers.write({true, 1, 0xf, filled(90)});
  bench.cycle();
  bench.wires.start.write(RegisterStart{});
  bench.wires.numbers.write(ThreadNumbers{});
  bench.announce(bank);
  EXPECT_EQ(bench.file.read(1, 0)[2], 0u) << "the bank's next slot is a write's";
  bench.write({0, 1, static_cast<std::uint8_t>(banks), true, true, ~LaneMask{0}, filled(3), {}},
              [&] { bench.issue(fmt::format("add b32 $r1 $r0 $r{}", banks), 1, 2); });
  EXPECT_EQ(bench.wires.read[bank].read().to, 1u) << "$r0 is not there yet";
  EXPECT_EQ(bench.file.read(1, 0)[2], 0u) << "the bank was read";
  bench.announce(bank);
  EXPECT_EQ(bench.wires.reading.read(), 1u << 2);
  bench.write({0, 1, 0, true, false, 0x1, filled(0x1234), {}});
  bench.cycle();
  EXPECT_EQ(bench.wires.reading.read(), 0u);
  EXPECT_EQ(bench.wires.read[bank].read().to, 0u);
  EXPECT_EQ(bench.wires.read[bank].read().value[0], 0x1234u) << "written after the warp had started";
  EXPECT_EQ(bench.wires.read[bank].read().value[3], 93u);
  EXPECT_EQ(bench.wires.read[bank].read().value[4], 0u) << "no thread in this lane";
}

// The other warps may do so for ever: as long as they wait for what the new block would do.
TEST_F(RegisterFileTest, NumbersOfThreadsGetTheirSlotAlthoughOthersReadTheirBankInEachCycle) {
  RegisterFileBench bench;
  bench.start(0, 0, 4);
  ASSERT_EQ(bench.file.bank(0, 1), bench.file.bank(1, 0));
  bench.wires.start.write({true, 1, 4, 4});
  bench.wires.numbers.write({true, 1, 0xf, filled(90)});
  unsigned waited = 0, reads = 0;
  for (unsigned unit = 0; bench.file.read(1, 0)[2] == 0 && waited < 4 * kNumbersPatience; ++waited) {
    bench.issue("mov b32 $r2 $r1", 0, unit);
    unit = (unit + 1) % kMaxCollectorUnits;
    reads += static_cast<unsigned>(__builtin_popcount(bench.wires.read_banks.read()));
    bench.wires.start.write(RegisterStart{});
    bench.wires.numbers.write(ThreadNumbers{});
  }
  EXPECT_EQ(bench.file.read(1, 0)[2], 92u);
  EXPECT_GE(waited, kNumbersPatience);
  EXPECT_LE(waited, kNumbersPatience + 4);
  EXPECT_GE(reads, waited - 2) << "only the slot of the numbers is lost to the reads";
}

TEST_F(RegisterFileTest, ALauncherThatHeedsTheRoomLosesNoNumbers) {
  RegisterFileBench bench;
  for (unsigned w = 0; w < 8; ++w) bench.start(w, 4 * w, 4);
  const std::uint32_t all = bench.config.sm.register_banks == 32 ? ~0u : (1u << bench.config.sm.register_banks) - 1;
  unsigned sent = 0;
  for (unsigned i = 0; i < 20; ++i) {
    bench.wires.busy.write(i < 10 ? all : 0);
    if (sent < 8 && bench.wires.numbers_room.read()) {
      bench.wires.numbers.write({true, static_cast<std::uint8_t>(sent), ~LaneMask{0}, filled(100 * sent)});
      ++sent;
    } else {
      bench.wires.numbers.write(ThreadNumbers{});
    }
    bench.cycle();
    if (i == 9) {
      EXPECT_LT(sent, 5u) << "there is room for four";
    }
  }
  EXPECT_EQ(sent, 8u);
  for (unsigned w = 0; w < 8; ++w) EXPECT_EQ(bench.file.read(w, 0)[5], 100 * w + 5) << w;
}

// Instructions with up to three sources in random units and warps, and random writes: every source arrives once, with
// the value that its register has.
TEST_F(RegisterFileTest, EveryReadArrivesOnceUnderRandomWrites) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  RegisterFileBench bench;
  const unsigned banks = bench.config.sm.register_banks;
  constexpr unsigned kRegisters = 8;
  std::vector<std::array<LaneWords, kRegisters>> model(4);
  for (unsigned w = 0; w < 4; ++w) {
    bench.start(w, w * kRegisters, kRegisters);
    for (unsigned r = 0; r < kRegisters; ++r) {
      model[w][r] = filled(static_cast<std::uint32_t>(random()));
      bench.write(
          {0, static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(r), true, true, ~LaneMask{0}, model[w][r], {}});
    }
  }
  struct Wanted {
    bool valid = false;
    LaneWords value;
  };
  std::array<std::array<Wanted, 3>, kMaxCollectorUnits> wanted{};
  unsigned arrived = 0, expected = 0;
  int passing = 0;  // read in the cycle before
  for (unsigned i = 0; i < 3000; ++i) {
    std::uint32_t busy =
        0;  // banks that no waiting instruction has a register in may change; others are only kept busy
    for (unsigned b = 0; b < banks; ++b) busy |= random() % 4 == 0 ? 1u << b : 0;
    bench.wires.busy.write(busy);
    const unsigned unit = random() % kMaxCollectorUnits, warp = random() % 4;
    const bool free = std::none_of(wanted[unit].begin(), wanted[unit].end(), [](const Wanted& w) { return w.valid; });
    if (free && random() % 2 != 0) {
      const unsigned a = random() % kRegisters, b = random() % kRegisters, c = random() % kRegisters;
      wanted[unit] = {{{true, model[warp][a]}, {true, model[warp][b]}, {true, model[warp][c]}}};
      expected += 3;
      bench.issue(fmt::format("add f32 $r0 (mul $r{} $r{}) $r{}", a, b, c), warp, unit);
    } else {
      bench.cycle();
    }
    const std::uint32_t served = bench.wires.read_banks.read();
    ASSERT_EQ(served & busy, 0u) << "seed " << seed << ", cycle " << i;
    ASSERT_LE(passing + __builtin_popcount(served), 3) << "seed " << seed << ", cycle " << i;
    passing = __builtin_popcount(served);
    for (const unsigned bank : set_bits(served)) {
      const RegisterRead& port = bench.wires.read[bank].read();
      Wanted& want = wanted.at(port.unit).at(port.to);
      ASSERT_TRUE(want.valid) << "seed " << seed << ", cycle " << i << ": unit " << unsigned{port.unit};
      ASSERT_EQ(port.value, want.value) << "seed " << seed << ", cycle " << i;
      ASSERT_EQ(port.half, -1) << "the whole register";
      want.valid = false;
      ++arrived;
    }
    std::uint32_t reading = 0;
    for (unsigned u = 0; u < kMaxCollectorUnits; ++u) {
      for (const Wanted& w : wanted[u]) reading |= w.valid ? 1u << u : 0;
    }
    ASSERT_EQ(bench.wires.reading.read(), reading) << "seed " << seed << ", cycle " << i;
  }
  EXPECT_GT(expected, 1000u);
  EXPECT_LE(expected - arrived, 3 * kMaxCollectorUnits);
}

// There is one read port of $a.
TEST(RegisterFile, NoInstructionReadsTwoAddressRegisters) {
  const unsigned seed = random_seed();
  std::mt19937 random(seed);
  unsigned decoded = 0, indexed = 0, moved = 0;
  for (unsigned i = 0; i < 500'000; ++i) {
    const auto w0 = static_cast<std::uint32_t>(random()), w1 = static_cast<std::uint32_t>(random());
    isa::Instruction insn;
    if (isa::decode(w0, w1, isa::Arch::kSm13, insn) != isa::DecodeError::kNone) continue;
    ++decoded;
    indexed += insn.addr_reg != 0;
    moved += insn.src[0].kind == isa::OperandKind::kAddr;
    EXPECT_FALSE(insn.addr_reg != 0 && insn.src[0].kind == isa::OperandKind::kAddr) << w0 << " " << w1;
    for (unsigned s = 1; s < 3; ++s) EXPECT_NE(insn.src[s].kind, isa::OperandKind::kAddr) << w0 << " " << w1;
  }
  EXPECT_GT(decoded, 10'000u);
  EXPECT_GT(indexed, 100u);
  EXPECT_GT(moved, 10u);
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

// SPDX-License-Identifier: Apache-2.0
// The chips by themselves: they know the rules, and what is on their pins is all that they know.
#include "hw/dram/dram_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "hw/common/field_values.h"
#include "tests/dram/dram_bench.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

TEST(DramRules, EveryBrokenRuleIsSeen) {
  using Kind = DramCommandKind;
  const Config config = load_config("tiny", {"dram.t_faw=20", "dram.num_banks=8"});
  const auto& d = config.dram;
  struct Case {
    const char* rule;
    std::vector<std::tuple<Cycle, Kind, unsigned>> commands;
  };
  const Cycle t = 100;
  const std::vector<Case> cases = {
      {"tRCD", {{t, Kind::kActivate, 0}, {t + d.t_rcd - 1, Kind::kRead, 0}}},
      {"tRRD", {{t, Kind::kActivate, 0}, {t + d.t_rrd - 1, Kind::kActivate, 1}}},
      {"tFAW",
       {{t, Kind::kActivate, 0},
        {t + 2, Kind::kActivate, 1},
        {t + 4, Kind::kActivate, 2},
        {t + 6, Kind::kActivate, 3},
        {t + d.t_faw - 1, Kind::kActivate, 4}}},
      {"tRAS", {{t, Kind::kActivate, 0}, {t + d.t_ras - 1, Kind::kPrecharge, 0}}},
      {"tRP", {{t, Kind::kActivate, 0}, {t + 20, Kind::kPrecharge, 0}, {t + 20 + d.t_rp - 1, Kind::kActivate, 0}}},
      {"tRC", {{t, Kind::kActivate, 0}, {t + 8, Kind::kPrecharge, 0}, {t + d.t_rc - 1, Kind::kActivate, 0}}},
      {"tCCD", {{t, Kind::kActivate, 0}, {t + 20, Kind::kRead, 0}, {t + 21, Kind::kRead, 0}}},
      {"tRTP", {{t, Kind::kActivate, 0}, {t + 20, Kind::kRead, 0}, {t + 20 + d.t_rtp - 1, Kind::kPrecharge, 0}}},
      {"tWR",
       {{t, Kind::kActivate, 0},
        {t + 20, Kind::kWrite, 0},
        {t + 20 + d.wl + d.burst_cycles + d.t_wr - 1, Kind::kPrecharge, 0}}},
      {"tWTR",
       {{t, Kind::kActivate, 0},
        {t + 20, Kind::kWrite, 0},
        {t + 20 + d.wl + d.burst_cycles + d.t_wtr - 1, Kind::kRead, 0}}},
      {"data bus", {{t, Kind::kActivate, 0}, {t + 20, Kind::kRead, 0}, {t + 20 + d.t_ccd, Kind::kWrite, 0}}},
      {"tRFC", {{t, Kind::kRefresh, 0}, {t + d.t_rfc - 1, Kind::kActivate, 0}}},
      {"tREFI", {{9 * d.t_refi, Kind::kRefresh, 0}, {18 * d.t_refi + 1, Kind::kRefresh, 0}}},
      {"REF with", {{t, Kind::kActivate, 0}, {t + 30, Kind::kRefresh, 0}}},
      {"closed bank", {{t, Kind::kRead, 0}}},
  };
  for (const Case& wrong : cases) {
    DramRules rules(config);
    const char* broken = nullptr;
    for (const auto& [edge, kind, bank] : wrong.commands) {
      ASSERT_EQ(broken, nullptr) << wrong.rule;
      DramCommand command;
      command.kind = kind;
      command.bank = static_cast<std::uint8_t>(bank);
      broken = rules.broken_by(command, edge);
    }
    ASSERT_NE(broken, nullptr) << wrong.rule;
    EXPECT_NE(std::string(broken).find(wrong.rule), std::string::npos) << wrong.rule << " was reported as " << broken;
  }
}

// The chips judge by the history of commands, the controller by timers: a command is legal for both or for neither.
TEST(DramRules, ACommandIsLegalFromTheEdgeOnAtWhichTheControllersTimersAllowIt) {
  using Kind = DramCommandKind;
  std::mt19937 random(random_seed());
  for (unsigned times = 0; times < 40; ++times) {
    Config config = load_config("tiny", {"dram.num_banks=8", "dram.t_refi=1000000"});
    if (times != 0) set_random_times(config, random);
    config.dram.num_banks = 1u << random() % 4;
    config.dram.t_rfc = 1 + random() % 60;
    const DramTiming timing(config);
    DramRules rules(config);
    DramBanks banks{};
    DramRank rank;
    unsigned legal[6] = {}, early[6] = {};
    Cycle edge = 0;
    for (unsigned step = 0; step < 3000; ++step) {
      const bool closes_all = step % 60 > 40;  // before a REF
      DramCommand command;
      command.kind = static_cast<Kind>(closes_all ? random() % 2 == 0 ? 2 : 5 : 1 + random() % 4);
      command.bank = static_cast<std::uint8_t>(random() % config.dram.num_banks);
      command.address = step;
      DramBank& bank = banks[command.bank];
      bool in_state = bank.open == (command.kind != Kind::kActivate);
      Cycle legal_from = earliest(command.kind, bank, rank);
      if (command.kind == Kind::kRefresh) {
        in_state = std::none_of(banks.begin(), banks.end(), [](const DramBank& one) { return one.open; });
        for (const DramBank& one : banks) legal_from = std::max(legal_from, earliest(command.kind, one, rank));
      }
      const Cycle near = std::max<Cycle>(legal_from + random() % 3, 1) - 1;
      edge = std::max(edge + 1, random() % 8 == 0 ? edge + random() % 50 : near);
      const bool expected = in_state && edge >= legal_from;
      const char* const broken = rules.broken_by(command, edge);
      ASSERT_EQ(broken == nullptr, expected)
          << (broken != nullptr ? broken : "no rule") << ", command " << static_cast<unsigned>(command.kind) << " at "
          << edge << ", legal from " << legal_from << ", times " << times;
      if (in_state) ++(expected ? legal : early)[static_cast<unsigned>(command.kind)];
      if (!expected) continue;
      for (unsigned b = 0; b < config.dram.num_banks; ++b) {
        if (command.kind == Kind::kRefresh || b == command.bank)
          apply(timing, command.kind, edge, command.address, banks[b], rank);
      }
      ASSERT_EQ(rules.bank(command.bank).open, bank.open);
      ASSERT_EQ(rules.bank(command.bank).row, bank.row);
    }
    for (unsigned kind = 1; kind < 6; ++kind) {
      EXPECT_GT(legal[kind], 5u) << kind;
      EXPECT_GT(early[kind], 0u) << kind;
    }
  }
}

TEST(DramRules, ACommandThatIsNoneAndABankThatIsNotThereAreRefused) {
  const Config config = load_config("tiny", {"dram.num_banks=4"});
  DramRules rules(config);
  const auto broken = [&](unsigned kind, unsigned bank) {
    DramCommand command;
    command.kind = static_cast<DramCommandKind>(kind);
    command.bank = static_cast<std::uint8_t>(bank);
    return rules.broken_by(command, 100);
  };
  EXPECT_STREQ(broken(6, 0), "no such command");
  EXPECT_STREQ(broken(1, 4), "no such bank");
  EXPECT_EQ(broken(0, 4), nullptr);
  EXPECT_EQ(broken(1, 3), nullptr);
}

TEST(DramRules, NoRuleLastsLongerThanItsCounter) {
  const auto accepts = [](unsigned t_rfc, unsigned cl, unsigned turn, unsigned wl, unsigned t_wr, unsigned t_wtr) {
    Config config = load_config("tiny");
    auto& dram = config.dram;
    dram.t_rfc = t_rfc, dram.cl = cl, dram.bus_turnaround = turn, dram.wl = wl, dram.t_wr = t_wr, dram.t_wtr = t_wtr;
    try {
      return DramRules(config).bank(0).row == 0;
    } catch (const ModelError&) {
      return false;
    }
  };
  const unsigned most = (1u << DramRules::kAgeBits) - 1, half = (most - 2) / 2;
  for (const unsigned more : {0u, 1u}) {
    EXPECT_EQ(accepts(most + more, 1, 1, 1, 1, 1), more == 0);
    EXPECT_EQ(accepts(1, half, most - 2 - half + more, 1, 1, 1), more == 0);
    EXPECT_EQ(accepts(1, 1, 1, half, most - 2 - half + more, 1), more == 0);
    EXPECT_EQ(accepts(1, 1, 1, half, 1, most - 2 - half + more), more == 0);
  }
}

TEST(DramRules, AgesStopBehindTheLongestRule) {
  Config config = load_config("tiny");
  config.dram.t_rfc = 1000;
  DramRules rules(config);
  DramCommand command;
  command.kind = DramCommandKind::kActivate;
  for (const Cycle edge : {Cycle{100}, Cycle{100} + (1u << 23), Cycle{100} + (3u << 23)}) {
    rules.broken_by(command, edge);
    FieldValues fields(true, true);
    fields.fields_of(rules);
    const auto value = [&](const std::string& name) {
      return fields.values[std::find(fields.names.begin(), fields.names.end(), name) - fields.names.begin()];
    };
    EXPECT_EQ(value("unrefreshed"), std::min<Cycle>(edge - 100, (1u << 24) - 1));
    EXPECT_EQ(value("activate[0]"), edge == 100 ? 0u : 1000u);
  }
}

TEST(DramRules, CellsKeepTheirBytesForNineIntervalsFromTheFirstCommandOn) {
  const Config config = load_config("tiny");
  const Cycle most = 9 * config.dram.t_refi;
  DramRules rules(config);
  EXPECT_EQ(rules.refresh_by(), kNever) << "nobody has talked to the chips";
  const auto command = [&](DramCommandKind kind, Cycle edge) {
    DramCommand command;
    command.kind = kind;
    return rules.broken_by(command, edge);
  };
  EXPECT_EQ(command(DramCommandKind::kActivate, 30 * most), nullptr);
  EXPECT_EQ(rules.refresh_by(), 31 * most);
  EXPECT_EQ(command(DramCommandKind::kPrecharge, 30 * most + 100), nullptr);
  EXPECT_EQ(rules.refresh_by(), 31 * most);
  EXPECT_EQ(command(DramCommandKind::kRefresh, 31 * most), nullptr);
  EXPECT_EQ(rules.refresh_by(), 32 * most);
  EXPECT_STREQ(command(DramCommandKind::kActivate, 32 * most + 1), "tREFI");
  rules.clear();
  EXPECT_EQ(rules.refresh_by(), kNever);
  EXPECT_EQ(command(DramCommandKind::kActivate, 40 * most), nullptr);
  EXPECT_EQ(rules.refresh_by(), 41 * most) << "a reset forgets what has passed";
}

/// Two hundred bursts, each of a sector of its own, into cells that are all known. `fault` may change what is on the
/// pins behind each edge. True if all is as it should be in the end; false also if a check has ended the run.
bool runs_right(unsigned seed, const std::function<void(DramControllerBench&)>& fault) {
  Traffic traffic;
  traffic.seed = seed;
  traffic.count = 200;
  traffic.sectors = 4096;
  traffic.distinct = true;
  DramControllerBench bench(load_config("tiny"), traffic, false);
  const AddressMap map(bench.config);
  const unsigned size = bench.config.dram.burst_bytes;
  std::mt19937 random(seed);
  for (std::uint8_t& byte : bench.driver.memory()) byte = static_cast<std::uint8_t>(random());
  const auto cell = [&](unsigned sector) {
    const DramLocation at = locate_local(map, 0, sector * size);
    return DramCell{at.bank, at.row, at.column};
  };
  for (unsigned i = 0; i < traffic.sectors; ++i)
    bench.chips.cells().write(cell(i), &bench.driver.memory()[i * size], size);
  try {
    for (unsigned i = 0; i < 20'000 && !bench.driver.done(); ++i) {
      bench.run(1);
      fault(bench);
    }
  } catch (const std::exception&) {  // a check, through SystemC
    return false;
  }
  if (!bench.driver.done() || bench.driver.wrong != 0) return false;
  for (unsigned i = 0; i < traffic.sectors; ++i) {
    std::vector<std::uint8_t> is(size);
    bench.chips.cells().read(cell(i), is.data(), size);
    if (!std::equal(is.begin(), is.end(), bench.driver.memory().begin() + i * size)) return false;
  }
  return true;
}

struct DramPins : testing::SystemCTest {
  unsigned seed = random_seed() + 1;
  /// A fault that changes the 20th value of a wire that counts, once.
  template <class T>
  auto once(Wire<T> DramControllerBench::*wire, std::function<bool(const T&)> counts, std::function<void(T&)> change) {
    return [=, seen = 0](DramControllerBench& bench) mutable {
      if (!counts((bench.*wire).read()) || ++seen != 20) return;
      T value = (bench.*wire).read();
      change(value);
      (bench.*wire).write(value);
    };
  }
  void expect_noticed(const std::function<void(DramControllerBench&)>& fault, const std::string& what) {
    renew_context();
    EXPECT_FALSE(runs_right(seed, fault)) << what << " was not noticed";
  }
};

/// Chips on pins that a test drives.
struct BareChips {
  const Config config = load_config("tiny");
  Domain domain{"dram", 0, 1000, 2, false};
  DramDevice chips{"chips", config, AddressMap(config).rows()};
  Wire<DramCommand> command{"command"};
  Wire<DramBeat> to{"to"}, from{"from"};

  BareChips() {
    chips.command_i(command);
    chips.dq_i(to);
    chips.dq_o(from);
    domain.add(chips);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  static void run(Cycle edges) { sc_core::sc_start(sc_core::sc_time(static_cast<double>(edges), sc_core::SC_NS)); }
  void give(DramCommandKind kind) {
    DramCommand one;
    one.kind = kind;
    command.write(one);
    run(1);
    command.write({});
  }
};

// A chip knows when each beat of a write must come, and wakes by itself for it.
TEST_F(DramPins, ABeatOfAWriteThatIsMissingIsNoticedAtItsEdge) {
  for (const unsigned missing : {0u, 1u, 2u}) {
    renew_context();
    BareChips bare;
    const Config& config = bare.config;
    bare.give(DramCommandKind::kActivate);
    BareChips::run(config.dram.t_rcd);
    bare.give(DramCommandKind::kWrite);
    BareChips::run(config.dram.wl - 1);
    bool noticed = false;
    for (unsigned beat = 0; beat < config.dram.burst_cycles && !noticed; ++beat) {
      DramBeat dq;
      dq.valid = beat != missing;
      bare.to.write(dq);
      try {
        BareChips::run(1);
      } catch (const std::exception&) {
        noticed = true;
        EXPECT_EQ(beat, missing);
      }
    }
    EXPECT_EQ(noticed, missing < config.dram.burst_cycles);
  }
}

TEST_F(DramPins, TheChipsWakeBehindTheLastEdgeForARefresh) {
  BareChips bare;
  bare.give(DramCommandKind::kActivate);
  const Cycle most = 9 * bare.config.dram.t_refi;
  EXPECT_NO_THROW(BareChips::run(most));
  EXPECT_ANY_THROW(BareChips::run(1));
}

TEST_F(DramPins, TheAgesOfTheChipsMoveUntilTheyStop) {
  BareChips bare;
  bare.give(DramCommandKind::kActivate);
  EXPECT_TRUE(bare.chips.moves_unmarked(0, false));
  BareChips::run(1u << DramRules::kAgeBits);
  EXPECT_FALSE(bare.chips.moves_unmarked(0, false));
  EXPECT_TRUE(bare.chips.moves_unmarked(0, true)) << "the way to the next refresh";
}

TEST_F(DramPins, ACommandThatBreaksARuleIsNamedAlsoOneThatIsNone) {
  for (const auto& [kind, name] : {std::pair{2u, "PRE of bank"}, {6u, "RESERVED6 of bank"}}) {
    renew_context();
    BareChips bare;
    std::string message;
    try {
      bare.give(static_cast<DramCommandKind>(kind));
    } catch (const std::exception& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

// From the last one on no command tells them anything.
TEST_F(DramPins, TheChipsMissARefreshThatNeverComes) {
  Traffic traffic;
  traffic.count = 20;
  DramControllerBench bench(load_config("tiny"), traffic, false);
  const auto swallow_refreshes = [&](Cycle edges) {
    for (Cycle i = 0; i < edges; ++i) {
      bench.run(1);
      if (bench.command.read().kind == DramCommandKind::kRefresh) bench.command.write({});
    }
  };
  const Cycle most = 9 * bench.config.dram.t_refi;
  EXPECT_NO_THROW(swallow_refreshes(most));
  EXPECT_TRUE(bench.driver.done());
  EXPECT_ANY_THROW(swallow_refreshes(200));
}

TEST_F(DramPins, WithoutAFaultAllIsRight) {
  SCOPED_TRACE(seed);
  EXPECT_TRUE(runs_right(seed, [](DramControllerBench&) {}));
}

// The cells are where the command and address pins say, and nothing else tells the chips.
TEST_F(DramPins, AWrongBitOfACommandChangesMemoryOrIsRefused) {
  SCOPED_TRACE(seed);
  for (const DramCommandKind kind : {DramCommandKind::kActivate, DramCommandKind::kRead, DramCommandKind::kWrite}) {
    const auto counts = [=](const DramCommand& command) { return command.kind == kind; };
    const auto try_bit = [&](const char* field, unsigned bit, const std::function<void(DramCommand&)>& change) {
      expect_noticed(once<DramCommand>(&DramControllerBench::command, counts, change),
                     fmt::format("bit {} of {} of command {}", bit, field, static_cast<unsigned>(kind)));
    };
    for (unsigned bit = 0; bit < kDramRowBits; ++bit)
      try_bit("address", bit, [=](DramCommand& command) { command.address ^= 1u << bit; });
    for (unsigned bit = 0; bit < 3; ++bit) {
      try_bit("bank", bit, [=](DramCommand& command) { command.bank ^= static_cast<std::uint8_t>(1u << bit); });
      try_bit("kind", bit, [=](DramCommand& command) {
        command.kind = static_cast<DramCommandKind>(static_cast<unsigned>(command.kind) ^ 1u << bit);
      });
    }
  }
}

TEST_F(DramPins, AWrongBitOfDataIsInTheCellsOrInTheReply) {
  SCOPED_TRACE(seed);
  for (Wire<DramBeat> DramControllerBench::*wire : {&DramControllerBench::dq_out, &DramControllerBench::dq_in}) {
    const bool to_chips = wire == &DramControllerBench::dq_out;
    for (unsigned bit = 0; bit < 8 * kDramBeatBytes; ++bit) {
      const auto counts = [=](const DramBeat& beat) {
        return beat.valid && (!to_chips || (beat.enable >> bit / 8 & 1) != 0);
      };
      expect_noticed(once<DramBeat>(wire, counts, [=](DramBeat& beat) { beat.data[bit / 32] ^= 1u << bit % 32; }),
                     fmt::format("bit {} of data {} the chips", bit, to_chips ? "to" : "from"));
    }
    for (const bool valid : {false, true}) {
      expect_noticed(once<DramBeat>(
                         wire, [=](const DramBeat& beat) { return beat.valid == valid; },
                         [=](DramBeat& beat) { beat.valid = !valid; }),
                     "the strobe");
    }
  }
  for (unsigned bit = 0; bit < kDramBeatBytes; ++bit) {
    expect_noticed(once<DramBeat>(
                       &DramControllerBench::dq_out, [](const DramBeat& beat) { return beat.valid; },
                       [=](DramBeat& beat) { beat.enable ^= static_cast<std::uint16_t>(1u << bit); }),
                   fmt::format("bit {} of the mask", bit));
  }
}

}  // namespace
}  // namespace g80

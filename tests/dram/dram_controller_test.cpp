// SPDX-License-Identifier: Apache-2.0
// Random traffic through one controller and its chips, which judge each command: every byte right, and asleep or not
// the same.
#include "hw/dram/dram_controller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include <fmt/ranges.h>

#include "hw/common/field_values.h"
#include "hw/common/set_bits.h"
#include "hw/config/config_rules.h"
#include "tb/check/sleep_check.h"
#include "tests/dram/dram_bench.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct DramControllerTest : testing::SystemCTest {
  unsigned seed = random_seed() + 1;
};

/// What the controller counted is what went over the command bus, counted once more.
void expect_counted(const DramControllerBench& bench) {
  std::uint64_t of_kind[6] = {}, turnarounds = 0;
  std::optional<DramCommandKind> last;  // column command
  for (const auto& [edge, kind] : bench.checker.commands) {
    ++of_kind[static_cast<unsigned>(kind)];
    if (kind != DramCommandKind::kRead && kind != DramCommandKind::kWrite) continue;
    if (last && *last != kind) ++turnarounds;
    last = kind;
  }
  const auto seen = [&](DramCommandKind kind) { return of_kind[static_cast<unsigned>(kind)]; };
  const DramController::Counters& counters = bench.controller.counters();
  EXPECT_EQ(counters.reads, seen(DramCommandKind::kRead));
  EXPECT_EQ(counters.writes, seen(DramCommandKind::kWrite));
  EXPECT_EQ(counters.activates, seen(DramCommandKind::kActivate));
  EXPECT_EQ(counters.precharges, seen(DramCommandKind::kPrecharge));
  EXPECT_EQ(counters.refreshes, seen(DramCommandKind::kRefresh));
  EXPECT_EQ(counters.turnarounds, turnarounds);
  EXPECT_EQ(counters.row_hits, bench.checker.row_hits);
  EXPECT_EQ(counters.row_misses, bench.checker.row_misses);
  EXPECT_EQ(counters.row_conflicts, bench.checker.row_conflicts);
  EXPECT_EQ(counters.data_bus_cycles, (counters.reads + counters.writes) * bench.config.dram.burst_cycles);
}

void expect_clean(const DramControllerBench& bench) {
  EXPECT_TRUE(bench.driver.done()) << bench.driver.answered << " answered";
  EXPECT_EQ(bench.driver.wrong, 0u);
  EXPECT_FALSE(bench.checker.commands.empty());
  expect_counted(bench);
  std::vector<std::uint32_t> tags = bench.checker.tags;
  std::sort(tags.begin(), tags.end());
  for (std::size_t i = 0; i < tags.size(); ++i) ASSERT_EQ(tags[i], i) << "one command for each request, with its tag";
}

class AnyTraffic : public DramControllerTest,
                   public ::testing::WithParamInterface<std::tuple<std::string, DramPolicy, int>> {};

TEST_P(AnyTraffic, KeepsEveryRuleAndEveryByte) {
  SCOPED_TRACE(seed);
  const auto [preset, policy, shape] = GetParam();
  Config config = load_config(preset);
  config.dram.policy = policy;
  Traffic traffic;
  traffic.seed = seed;
  if (shape == 0) traffic.sectors = 16;                          // many accesses to one sector
  if (shape == 1) traffic.sectors = 1u << 18;                    // nearly all rows differ
  if (shape == 2) traffic.sectors = 1u << 14, traffic.run = 12;  // row runs
  if (shape == 3) traffic.sectors = 2048, traffic.idle_percent = 70, traffic.pause = 900;
  DramControllerBench bench(config, traffic, false);
  bench.run(400'000);
  expect_clean(bench);
  const auto& counters = bench.controller.counters();
  EXPECT_EQ(counters.reads + counters.writes, traffic.count);
  const std::vector<std::uint32_t>& tags = bench.checker.tags;
  if (policy == DramPolicy::kFcfs) {
    EXPECT_TRUE(std::is_sorted(tags.begin(), tags.end())) << "first come, first served";
  }
}
INSTANTIATE_TEST_SUITE_P(Presets, AnyTraffic,
                         ::testing::Combine(::testing::ValuesIn(preset_names()),
                                            ::testing::Values(DramPolicy::kFrFcfs, DramPolicy::kFcfs),
                                            ::testing::Values(0, 1, 2, 3)));

TEST_F(DramControllerTest, OddTimingsKeepEveryRule) {
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Config config = load_config("8600gts");
  set_random_times(config, random);
  config.dram.t_refi = 700;
  Traffic traffic;
  traffic.seed = seed;
  traffic.sectors = 1u << 16;
  traffic.run = 5;
  DramControllerBench bench(config, traffic, false);
  bench.run(600'000);
  expect_clean(bench);
}

// One edge in the request FIFO, four stages (arrive, enter, choose, and ACT on the bus), one edge in the reply FIFO.
// Nothing was on the data bus before: the first burst turns nothing around, neither in the count nor in time.
// Replies that wait for room keep it awake: the queue to the partition does not wake it.
TEST_F(DramControllerTest, NoWakeUpIsLostWhileRepliesWait) {
  Traffic traffic;
  traffic.seed = seed;
  traffic.count = 400;
  traffic.pause = 700;
  traffic.takes_one_in = 40;
  DramControllerBench bench(load_config("8600gts"), traffic, false);
  const SleepCheck check({&bench.domain});
  for (unsigned i = 0; i < 40 && !bench.driver.done(); ++i) bench.run(1000);
  EXPECT_TRUE(bench.driver.done());
  EXPECT_EQ(bench.driver.wrong, 0u);
  EXPECT_GT(check.probes(), 1000u);
}

TEST_F(DramControllerTest, TheFirstBurstTakesTrcdItsLatencyAndItsBurst) {
  for (const bool write : {false, true}) {
    renew_context();
    const Config config = load_config("tiny", {"dram.bus_turnaround=50", "dram.t_wtr=50"});
    Traffic traffic;
    traffic.count = 1;
    traffic.write_percent = write ? 100 : 0;
    DramControllerBench bench(config, traffic, false);
    bench.run(200);
    expect_clean(bench);
    EXPECT_EQ(bench.driver.latency.at(0),
              1 + 3 + config.dram.t_rcd + (write ? config.dram.wl : config.dram.cl) + config.dram.burst_cycles + 1);
    EXPECT_EQ(bench.controller.counters().turnarounds, 0u) << (write ? "a write" : "a read");
  }
}

TEST_F(DramControllerTest, TheWindowHoldsItsBurstsAndTheOpenBanksAreThoseOfTheCommands) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts", {"dram.window=5", "dram.write_high=5", "dram.write_low=2"});
  Traffic traffic;
  traffic.seed = seed;
  traffic.sectors = 1u << 16;
  DramControllerBench bench(config, traffic, false);
  unsigned open = 0, most_reads = 0, most_writes = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    bench.run(1);
    const DramController::Counters& counters = bench.controller.counters();
    const unsigned held =
        bench.driver.sent() - bench.requests.size() - static_cast<unsigned>(counters.reads + counters.writes);
    const DramControllerRegs& is = bench.controller.registers();
    ASSERT_EQ(is.waiting + is.arrived.valid, held) << "edge " << i;
    most_reads = std::max<unsigned>(most_reads, is.waiting - is.writes);
    most_writes = std::max<unsigned>(most_writes, is.writes);
    const DramCommand& command = is.command;
    if (command.kind == DramCommandKind::kActivate) open |= 1u << command.bank;
    if (command.kind == DramCommandKind::kPrecharge) open &= ~(1u << command.bank);
    ASSERT_EQ(is.open_banks, open) << "edge " << i;
  }
  EXPECT_EQ(most_reads, 5u);
  EXPECT_EQ(most_writes, 5u);
}

// Writes whose command has gone keep the row of their data until it has moved: more than the window holds.
TEST_F(DramControllerTest, DataOfMoreWritesThanTheWindowHoldsAreKept) {
  SCOPED_TRACE(seed);
  Traffic traffic;
  traffic.seed = seed;
  traffic.write_percent = 90;
  traffic.run = 8;
  DramControllerBench bench(load_config("8600gts", {"dram.wl=60", "dram.write_high=64", "dram.write_low=1"}), traffic,
                            false);
  unsigned most = 0;
  for (unsigned i = 0; i < 400 && !bench.driver.done(); ++i) {
    bench.run(100);
    FieldValues fields(true);
    bench.controller.trace_fields(fields);
    unsigned taken = 0;
    for (std::size_t k = 0; k < fields.names.size(); ++k) {
      if (fields.names[k].find("write_data.taken") == 0)
        taken += static_cast<unsigned>(__builtin_popcountll(fields.values[k]));
    }
    most = std::max(most, taken);
  }
  expect_clean(bench);
  EXPECT_GT(most, 70u);
}

void run_half_an_edge() { sc_core::sc_start(sc_core::sc_time(0.5, sc_core::SC_NS)); }

// Who looks at any edge, asleep or not, sees counters that count down and stop at zero; commands load them, and only
// such a command comes as finds them at zero.
TEST_F(DramControllerTest, TimersAreCountersAtEachEdge) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.seed = seed;
  traffic.idle_percent = 90;
  traffic.pause = 60;
  traffic.sectors = 1u << 16;
  DramControllerBench bench(config, traffic, false);
  bench.run(10);
  run_half_an_edge();
  FieldValues named(true, true);
  bench.controller.trace_fields(named);
  const auto look = [&](Picoseconds moment = 0) {
    FieldValues fields(false, true);
    fields.show_at(moment);
    bench.controller.trace_fields(fields);
    std::map<std::string, std::uint64_t> counters;
    for (std::size_t i = 0; i < named.names.size(); ++i) {
      if (named.names[i].find("_wait") != std::string::npos) counters[named.names[i]] = fields.values[i];
    }
    return counters;
  };
  std::map<std::string, std::uint64_t> before = look();
  EXPECT_EQ(before.size(), 3 * kMaxDramBanks + 7 + 1u);
  unsigned counted_asleep = 0, refreshed = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    const bool asleep = !bench.controller.awake() && !bench.controller.will_run(bench.domain.last_edge() + 1);
    bench.run(1);
    const DramCommand& command = bench.controller.registers().command;
    std::map<std::string, std::uint64_t> now = look();
    if (command.kind == DramCommandKind::kActivate) {
      ASSERT_EQ(before.at(fmt::format("bank[{}].activate_wait", command.bank)), 0u) << "edge " << i;
      ASSERT_EQ(before.at("rank.activate_wait"), 0u) << "edge " << i;
      ASSERT_EQ(now.at(fmt::format("bank[{}].column_wait", command.bank)), config.dram.t_rcd - 1) << "edge " << i;
    }
    for (const auto& [name, value] : now) {
      const std::uint64_t was = before.at(name);
      if (name == "refresh_wait" && was == 0) {
        ASSERT_EQ(value, config.dram.t_refi - 1);
        ++refreshed;
      } else if (command.kind == DramCommandKind::kNone || value < was) {
        ASSERT_EQ(value, was == 0 ? 0 : was - 1) << name << " at edge " << i;
      }
      counted_asleep += asleep && value < was && name != "refresh_wait";
    }
    const bool counts = std::any_of(now.begin(), now.end(), [](const auto& counter) {
      return counter.second != 0 && counter.first != "refresh_wait";
    });
    ASSERT_EQ(bench.controller.moves_unmarked(0, false), counts) << "edge " << i;
    ASSERT_TRUE(bench.controller.moves_unmarked(0, true)) << "the way to the next refresh";
    if (asleep) {
      ASSERT_EQ(look(sc_core::sc_time_stamp().value() - 1000), before) << "edge " << i << ", shown later";
    }
    before = now;
  }
  EXPECT_GT(counted_asleep, 1000u);
  EXPECT_EQ(refreshed, 5010 / config.dram.t_refi);
}

TEST_F(DramControllerTest, AFaultInACounterMovesTheCommand) {
  const Config config = load_config("8600gts");
  constexpr std::uint64_t kLeft = 500;
  for (const bool faulty : {false, true}) {
    renew_context();
    Traffic traffic;
    traffic.count = 1;
    DramControllerBench bench(config, traffic, false);
    bench.run(4);
    run_half_an_edge();
    FieldValues fields(true, true);
    bench.controller.trace_fields(fields);
    const auto leaf = std::find(fields.names.begin(), fields.names.end(), "rank.activate_wait") - fields.names.begin();
    FieldEditor editor(static_cast<std::uint32_t>(leaf), 1, {false, kLeft});
    if (faulty) bench.controller.edit_fields(editor);
    const Cycle edge = bench.domain.last_edge();
    bench.run(kLeft + 100);
    ASSERT_FALSE(bench.checker.commands.empty());
    const Cycle activated = bench.checker.commands.front().first;  // as the checker sees it, an edge later
    EXPECT_EQ(activated == edge + kLeft + 1 + 1, faulty) << activated;
  }
}

TEST_F(DramControllerTest, RefreshComesOncePerInterval) {
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.count = 10;
  DramControllerBench bench(config, traffic, false);
  bench.run(39'000 + 100);
  expect_clean(bench);
  std::vector<Cycle> refreshes;
  for (const auto& [edge, kind] : bench.checker.commands) {
    if (kind == DramCommandKind::kRefresh) refreshes.push_back(edge);
  }
  ASSERT_EQ(refreshes.size(), 10u);
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_GE(refreshes[i], (i + 1) * config.dram.t_refi);
    EXPECT_LE(refreshes[i], (i + 1) * config.dram.t_refi + config.dram.t_rc + 20);
  }
}

// The shortest interval that the rules of the configuration accept has time for one burst whose row is opened for it,
// however long the other times are. A little more time must not starve bursts either: a row that is opened just before
// a refresh, in vain, would leave the interval after it too short again.
TEST_F(DramControllerTest, TheShortestRefreshIntervalMovesABurst) {
  const std::vector<std::string> machines[] = {
      {"dram.num_banks=1", "dram.policy=fcfs", "dram.t_rcd=254", "dram.t_ras=254", "dram.t_rp=1", "dram.t_rc=255",
       "dram.cl=29", "dram.wl=26", "dram.t_wr=255", "dram.t_wtr=255", "dram.t_rtp=67", "dram.t_rfc=590"},
      {"dram.num_banks=8", "dram.t_rcd=254", "dram.t_ras=254", "dram.t_rp=1", "dram.t_rc=255", "dram.wl=9",
       "dram.t_wtr=1", "dram.bus_turnaround=205", "dram.t_rtp=7", "dram.t_rfc=27"},
      {"dram.num_banks=4", "dram.t_rcd=16", "dram.t_ras=254", "dram.t_rp=1", "dram.t_rc=255", "dram.t_wtr=255",
       "dram.t_rfc=1024"},
      {"dram.num_banks=2", "dram.t_ras=40", "dram.t_rp=21", "dram.t_rc=194", "dram.t_wtr=198"},
  };
  for (std::vector<std::string> sets : machines) {
    sets.push_back("dram.t_refi=100000");
    const Config known = load_config("tiny", sets);
    const unsigned shortest = known.dram.t_rfc + longest_row_use(known) + 1;
    for (const unsigned more : {0u, 1u, 20u, longest_row_use(known) - 2, longest_row_use(known)}) {
      sets.back() = fmt::format("dram.t_refi={}", shortest + more);
      SCOPED_TRACE(fmt::format("{}", fmt::join(sets, " ")));
      const Config config = load_config("tiny", sets);
      for (const unsigned write_percent : {100u, 50u}) {
        renew_context();
        Traffic traffic;
        traffic.seed = seed;
        traffic.count = 100;
        traffic.sectors = 1u << 16;
        traffic.write_percent = write_percent;
        DramControllerBench bench(config, traffic, false);
        bench.run((2 * traffic.count + 4) * config.dram.t_refi);
        expect_clean(bench);
      }
    }
  }
}

// A launch may begin between the PRE and the column command of a burst of an earlier copy. Its counters are differences
// and must keep their laws.
TEST_F(DramControllerTest, CountersKeepTheirLawsOverAnySpan) {
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.seed = seed;
  traffic.count = 500;
  traffic.sectors = 1u << 16;
  DramControllerBench bench(config, traffic, false);
  DramController::Counters before;
  for (Cycle edge = 0; edge < 20'000 && !bench.driver.done(); ++edge) {
    bench.run(1);
    const DramController::Counters& now = bench.controller.counters();
    ASSERT_LE(now.row_conflicts - before.row_conflicts, now.precharges - before.precharges) << "at edge " << edge;
    ASSERT_EQ(now.row_hits + now.row_misses + now.row_conflicts, now.reads + now.writes);
    before = now;
  }
  EXPECT_GT(before.row_conflicts, 50u);
  expect_clean(bench);
}

TEST_F(DramControllerTest, AnIdleControllerSleepsBetweenRefreshes) {
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.count = 1;
  DramControllerBench bench(config, traffic, false);
  bench.run(39'100);
  EXPECT_LT(bench.controller.counters().refreshes, 11u);
  EXPECT_EQ(bench.controller.counters().refreshes, 10u);
  // The driver never sleeps; the rest of the activations are the controller's and the checker's.
  EXPECT_LT(bench.domain.activations(), 39'100u + 200u);
}

TEST_F(DramControllerTest, SleepChangesNothing) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.seed = seed;
  traffic.idle_percent = 60;
  traffic.pause = 700;
  traffic.sectors = 1u << 14;
  for (const unsigned takes_one_in : {1u, 9u}) {  // replies wait for room
    traffic.takes_one_in = takes_one_in;
    std::vector<std::pair<Cycle, DramCommandKind>> commands[2];
    std::vector<Cycle> latency[2];
    for (const bool no_sleep : {false, true}) {
      renew_context();
      DramControllerBench bench(config, traffic, no_sleep);
      bench.run(100'000);
      expect_clean(bench);
      commands[no_sleep] = bench.checker.commands;
      latency[no_sleep] = bench.driver.latency;
    }
    EXPECT_EQ(commands[0], commands[1]);
    EXPECT_EQ(latency[0], latency[1]);
  }
}

TEST_F(DramControllerTest, StreamingReadsFillTheDataBus) {
  const Config config = load_config("8600gts");
  Traffic traffic;
  traffic.count = 4000;
  traffic.sectors = 4000;
  traffic.run = 4000;
  traffic.write_percent = 0;
  DramControllerBench bench(config, traffic, false);
  bench.run(20'000);
  expect_clean(bench);
  const Cycle took = bench.driver.last_answer - bench.driver.first_sent;
  // Two clocks a burst; rows overlap, so only refresh (54 + reopening per 3900) is lost on top.
  EXPECT_LT(took, 4000u * 2 * 105 / 100);
}

/// A controller at 1000 MHz whose requests and replies the test itself pushes and pops.
template <class Controller = DramController>
struct ControllerAlone {
  explicit ControllerAlone(const Config& config)
      : controller("controller", config), chips("chips", config, AddressMap(config).rows()) {
    controller.request_i(requests);
    controller.reply_o(replies);
    controller.command_o(command);
    controller.dq_o(dq_out);
    controller.dq_i(dq_in);
    chips.command_i(command);
    chips.dq_i(dq_out);
    chips.dq_o(dq_in);
    domain.add(controller);
    domain.add(chips);
  }
  Domain domain{"dram", 0, 1000, 2, false};
  CrossingFifo<DramRequest> requests{"requests", nullptr, &domain, 8, 1};
  CrossingFifo<DramReply> replies{"replies", &domain, nullptr, 64, 1};
  Controller controller;
  DramDevice chips;
  Wire<DramCommand> command{"command"};
  Wire<DramBeat> dq_out{"dq_out"}, dq_in{"dq_in"};
};

/// Shows what is between the stages.
struct OpenController final : DramController {
  using DramController::choices_;
  using DramController::DramController;
  using DramController::window_;
};

// The model renews a choice only where something has changed; hardware does at each clock.
TEST_F(DramControllerTest, ChoicesAreThoseOfTheWholeWindowOneClockBefore) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts");
  ControllerAlone<OpenController> alone(config);
  std::mt19937 random(seed);
  unsigned chosen = 0, followed = 0;
  for (int ns = 0; ns < 20'000; ++ns) {
    if (ns % 1000 < 800 && alone.requests.can_push() && random() % 3 != 0) {
      DramRequest request;
      request.write = random() % 2 != 0;
      request.local = random() % 512 * config.dram.burst_bytes + random() % 3 * config.dram.row_bytes * 64;
      alone.requests.push(request);
    }
    BurstWindow window(static_cast<const BurstWindow&>(alone.controller.window_));
    const DramCommand on_bus = alone.controller.registers().command;
    const IssuedColumn issued = alone.controller.registers().issued;
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    while (alone.replies.available()) alone.replies.pop();
    if (issued.valid) window.leave(issued.write, issued.slot, issued.next);
    if (on_bus.kind == DramCommandKind::kActivate) window.row_opened(on_bus.bank, on_bus.address);
    if (on_bus.kind == DramCommandKind::kPrecharge) window.row_closed(on_bus.bank);
    for (const bool write : {false, true}) {
      BankChoices whole;
      for (unsigned bank = 0; bank < config.dram.num_banks; ++bank) {
        choose_of_bank(window.side(write), bank, whole);
        const BankChoice* pairs[][2] = {{&alone.controller.choices_.of(write).first[bank], &whole.first[bank]},
                                        {&alone.controller.choices_.of(write).oldest[bank], &whole.oldest[bank]}};
        for (const auto& [is, wanted] : pairs) {
          ASSERT_EQ(is->valid, wanted->valid) << "at " << ns;
          if (!is->valid) continue;
          ++chosen;
          ASSERT_EQ(is->slot, wanted->slot) << "at " << ns;
          ASSERT_EQ(is->order, wanted->order) << "at " << ns;
          ASSERT_EQ(is->row_hit, wanted->row_hit) << "at " << ns;
        }
      }
    }
    const DramControllerRegs& now = alone.controller.registers();
    if (!now.oldest.valid || now.issued.valid) continue;
    const std::uint32_t order = alone.controller.window_.side(now.oldest.write).order[now.oldest.slot];
    for (const bool write : {false, true}) {
      const WindowSide& side = alone.controller.window_.side(write);
      for (const unsigned slot : set_bits(side.valid)) ASSERT_FALSE(is_older(side.order[slot], order)) << "at " << ns;
    }
    ++followed;
  }
  EXPECT_GT(chosen, 20'000u);
  EXPECT_GT(followed, 5'000u);
}

// The data bus turns to writes when dram.write_high of them wait or no read does, and to reads when dram.write_low
// writes are left. Every burst has a sector of its own, so none waits for another.
TEST_F(DramControllerTest, TheBusTurnsAtTheWatermarks) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts", {"dram.window=16", "dram.write_high=12", "dram.write_low=3"});
  ControllerAlone<> alone(config);
  std::mt19937 random(seed);
  unsigned sent = 0, by_number = 0, by_lack_of_reads = 0, back = 0;
  DramControllerRegs before{}, earlier{};
  bool writing = false;
  for (int ns = 0; ns < 60'000; ++ns) {
    const bool busy = ns % 2000 < 1500;  // now and then the reads run out
    if (busy && alone.requests.can_push()) {
      DramRequest request;
      request.write = random() % 100 < 40;
      request.local = sent++ * config.dram.burst_bytes;
      alone.requests.push(request);
    }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    while (alone.replies.available()) alone.replies.pop();
    const DramControllerRegs& now = alone.controller.registers();
    const bool write = now.command.kind == DramCommandKind::kWrite;
    if (write && !writing && before.draining) {
      ++(earlier.waiting == earlier.writes ? by_lack_of_reads : by_number);
    }
    const bool reads = before.waiting > before.writes, writes = before.writes != 0;
    const bool drains = reads ? writes && before.writes > (before.draining ? 3 : 11) : writes || before.draining;
    ASSERT_EQ(now.draining, drains) << before.waiting << " bursts, " << before.writes << " writes at " << ns;
    back += before.draining && !now.draining ? 1u : 0u;
    if (write || now.command.kind == DramCommandKind::kRead) {
      const bool oldest_only = before.alone;
      ASSERT_TRUE(oldest_only || write == before.draining) << "at " << ns;
      writing = write;
    }
    earlier = before;
    before = now;
  }
  EXPECT_GT(by_number, 20u);
  EXPECT_GT(by_lack_of_reads, 5u);
  EXPECT_GT(back, 20u);
}

// A partition tells the bursts of a transaction apart by their numbers.
TEST_F(DramControllerTest, AReplyNamesSlotAndBurstOfItsRequest) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts");
  ControllerAlone<> alone(config);
  std::mt19937 random(seed);
  std::map<std::pair<unsigned, unsigned>, DramRequest> open;  // by slot and burst
  unsigned answered = 0;
  for (int ns = 0; ns < 20'000; ++ns) {
    DramRequest request;
    request.write = random() % 3 == 0;
    request.slot = static_cast<std::uint8_t>(random() % 64);
    request.burst = static_cast<std::uint8_t>(random() % 4);
    request.tag.bits = static_cast<std::uint32_t>(random());
    request.local = random() % 4096 * config.dram.burst_bytes;
    if (ns < 19'000 && alone.requests.can_push() && open.try_emplace({request.slot, request.burst}, request).second)
      alone.requests.push(request);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (; alone.replies.available(); alone.replies.pop(), ++answered) {
      const DramReply& reply = alone.replies.front();
      const auto found = open.find({reply.slot, reply.burst});
      ASSERT_NE(found, open.end()) << "slot " << unsigned{reply.slot} << ", burst " << unsigned{reply.burst};
      ASSERT_EQ(reply.write, found->second.write);
      ASSERT_EQ(reply.tag.bits, found->second.tag.bits);
      open.erase(found);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_GT(answered, 2000u);
}

// The same bursts after a reset and in a new controller: the same commands and counts. Before the reset, rows were
// opened and the bus was turned.
TEST_F(DramControllerTest, AfterAResetItBehavesAsANewOne) {
  SCOPED_TRACE(seed);
  const Config config = load_config("8600gts", {"dram.t_refi=900000"});
  const auto play = [&](auto& alone, bool writes, unsigned count, std::uint32_t first_sector) {
    std::mt19937 random(seed + first_sector);
    std::vector<std::pair<unsigned, DramCommandKind>> commands;
    unsigned sent = 0, answered = 0;
    for (unsigned ns = 0; ns < 4000; ++ns) {
      const bool alone_first = sent == 1 && ns < 100;  // the first burst moves before another one comes
      if (sent < count && !alone_first && alone.requests.can_push() && random() % 2 == 0) {
        DramRequest request;
        request.write = writes && (sent == 0 || random() % 2 == 0);
        request.slot = static_cast<std::uint8_t>(sent % 200);
        request.local = (first_sector + random() % 3000) * config.dram.burst_bytes;
        alone.requests.push(request);
        ++sent;
      }
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
      const DramCommandKind kind = alone.controller.registers().command.kind;
      if (kind != DramCommandKind::kNone) commands.push_back({ns, kind});
      for (; alone.replies.available(); alone.replies.pop()) ++answered;
    }
    EXPECT_EQ(answered, count);
    return commands;
  };
  std::vector<std::pair<unsigned, DramCommandKind>> commands[2];
  std::vector<std::uint64_t> counted[2];
  for (const bool used : {false, true}) {
    renew_context();
    ControllerAlone<> alone(config);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
    if (used) {
      play(alone, true, 300, 5000);
      play(alone, false, 1, 9000);  // the last burst is read, the next one written: no turn of the bus
      for (ClockedBase* block :
           {static_cast<ClockedBase*>(&alone.controller), static_cast<ClockedBase*>(&alone.chips)}) {
        block->hold_reset();
        block->commit();
        block->wake();
      }
      sc_core::sc_start(sc_core::sc_time(3, sc_core::SC_NS));
    }
    commands[used] = play(alone, true, 300, 0);
    FieldValues counters(false);
    counters.fields_of(alone.controller.counters());
    counted[used] = counters.values;
  }
  EXPECT_EQ(commands[0], commands[1]);
  EXPECT_EQ(counted[0], counted[1]);
}

// Column commands leave every other clock to row commands, also while the bus is never free for long.
TEST_F(DramControllerTest, ARowIsOpenedBetweenTheColumnCommandsOfAnotherBank) {
  const Config config =
      load_config("8600gts", {"gpu.num_partitions=1", "dram.bank_hash=plain", "partition.hash=plain"});
  const auto& dram = config.dram;
  for (unsigned bank = 0; bank < dram.num_banks; ++bank) {
    for (const bool write : {false, true}) {
      renew_context();
      ControllerAlone<> alone(config);
      unsigned sent = 0, columns = 0, columns_before = 0;
      bool opened = false;
      for (int ns = 0; ns < 600; ++ns) {
        while (alone.requests.can_push()) {
          DramRequest request;
          request.write = write;
          request.tag.bits = sent == 60 ? 77 : 0;
          request.local = sent == 60 ? bank * dram.row_bytes
                                     : (bank + 1) % dram.num_banks * dram.row_bytes +
                                           sent % (dram.row_bytes / dram.burst_bytes) * dram.burst_bytes;
          alone.requests.push(request);
          ++sent;
        }
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
        while (alone.replies.available()) alone.replies.pop();
        const DramControllerRegs& now = alone.controller.registers();
        if (now.arrived.valid && now.arrived.tag.bits == 77) columns_before = columns;
        columns += is_column(now.command.kind);
        if (opened || now.command.kind != DramCommandKind::kActivate || now.command.tag.bits != 77) continue;
        opened = true;
        EXPECT_GT(columns_before, 0u);
        EXPECT_LE(columns - columns_before, 2u) << "bank " << bank;
      }
      EXPECT_TRUE(opened) << "bank " << bank;
    }
  }
}

// A window of hits to one row, forever refilled, against a burst that wants another row of the bank. The bursts that
// came before it are served first; then a row's worth of younger ones, row_bytes / burst_bytes, and then it is, for
// nothing else is served.
TEST_F(DramControllerTest, ABurstIsBypassedByARowsWorthOfYoungerOnesAndNoMore) {
  for (const std::vector<std::string>& shape :
       {std::vector<std::string>{},
        {"dram.row_bytes=512"},
        {"dram.row_bytes=1024", "dram.window=5", "dram.write_high=4", "dram.write_low=1"},
        {"dram.row_bytes=4096", "dram.burst_bytes=64", "dram.burst_cycles=4", "dram.t_ccd=4", "dram.t_rtp=2"}}) {
    renew_context();
    std::vector<std::string> settings{"gpu.num_partitions=1", "dram.bank_hash=plain", "partition.hash=plain",
                                      "dram.t_refi=1000000"};
    settings.insert(settings.end(), shape.begin(), shape.end());
    const Config config = load_config("8600gts", settings);
    const unsigned bursts_per_row = config.dram.row_bytes / config.dram.burst_bytes;
    ControllerAlone<> alone(config);
    const unsigned victim = 77;
    constexpr unsigned kBefore = 5;  // bursts that came before it
    unsigned sent = 0, served_before = 0;
    int last_column = 0, closed = 0;
    bool victim_done = false;
    for (int ns = 0; ns < 4000 && !victim_done; ++ns) {
      while (alone.requests.can_push()) {
        DramRequest request;
        request.slot = static_cast<std::uint8_t>(sent == kBefore ? victim : 0);
        request.local = sent == kBefore ? config.dram.row_bytes * config.dram.num_banks
                                        : sent % bursts_per_row * config.dram.burst_bytes;
        alone.requests.push(request);
        ++sent;
      }
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
      while (alone.replies.available()) {
        victim_done |= alone.replies.front().slot == victim;
        if (!victim_done) ++served_before;
        alone.replies.pop();
      }
      const DramCommandKind kind = alone.controller.registers().command.kind;
      if (closed == 0 && is_column(kind)) last_column = ns;
      if (closed == 0 && kind == DramCommandKind::kPrecharge) closed = ns;
    }
    EXPECT_EQ(closed - last_column, static_cast<int>(config.dram.t_rtp)) << "its row is closed at once";
    EXPECT_TRUE(victim_done);
    EXPECT_EQ(served_before, kBefore + bursts_per_row)
        << config.dram.row_bytes << "-byte rows, a window of " << config.dram.window;
  }
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The calendar runs every edge at its time, in order, however the testbench lets the time pass.
#include "hw/common/calendar.h"

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hw/common/alarm.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using CalendarTest = testing::SystemCTest;
using Log = std::vector<std::string>;
__extension__ using Wide = unsigned __int128;

// Notes when it runs. It sleeps now and then, until an edge near or far.
class Clerk final : public Clocked<NoRegs> {
 public:
  Clerk(const sc_core::sc_module_name& name, Log& log, unsigned seed) : Clocked(name), log_(log), random_(seed) {}

 private:
  void next() override {
    log_.push_back(fmt::format("{} {} edge {}", sc_core::sc_time_stamp().value(), name(), edge()));
    if (random_() % 4 != 0) return;
    wake_at(edge() + 1 + random_() % (random_() % 8 == 0 ? 600 : 6));
    sleep();
  }
  void drive() override {}
  Log& log_;
  std::mt19937 random_;
};

constexpr Picoseconds kEnd = 3'000'000;

// Three domains until kEnd, beside a process of SystemC's that has its own times.
Log run(unsigned seed, void (*start)(const sc_core::sc_time&), Picoseconds step) {
  testing::SystemCTest::renew_context();
  Log log;
  Domain shader("shader", 0, 1458, 2, false), core("core", 1, 675, 2, false), dram("dram", 2, 1000, 2, false);
  Clerk a("a", log, seed), b("b", log, seed + 1), c("c", log, seed + 2);
  shader.add(a);
  core.add(b);
  dram.add(c);
  Alarm* bell = nullptr;
  Alarm alarm("alarm", [&] {
    log.push_back(fmt::format("{} alarm", sc_core::sc_time_stamp().value()));
    bell->notify(sc_core::sc_time(7'777, sc_core::SC_PS));
  });
  bell = &alarm;
  alarm.notify(sc_core::sc_time(7'777, sc_core::SC_PS));
  for (Picoseconds time = 0; time < kEnd; time += step) start(sc_core::sc_time::from_value(step));
  EXPECT_EQ(sc_core::sc_time_stamp().value(), kEnd);
  return log;
}

void kernel_start(const sc_core::sc_time& duration) { sc_core::sc_start(duration); }

TEST_F(CalendarTest, EdgesComeAtTheirTimesHoweverTheTimePasses) {
  const unsigned seed = random_seed();
  const Log expected = run(seed, kernel_start, kEnd);
  EXPECT_GT(expected.size(), 500u);
  for (const Picoseconds step : {kEnd, kEnd / 30, kEnd / 5000})
    EXPECT_EQ(run(seed, Calendar::start, step), expected) << "seed " << seed << ", steps of " << step << " ps";
}

TEST_F(CalendarTest, CoincidentEdgesRunInOrderOfTheDomains) {
  Log log;
  Domain late("late", 2, 1000, 0, true), first("first", 0, 1000, 0, true), second("second", 1, 500, 0, true);
  Clerk a("a", log, 1), b("b", log, 1), c("c", log, 1);
  late.add(c);
  first.add(a);
  second.add(b);
  Calendar::start(sc_core::sc_time(4'500, sc_core::SC_PS));
  EXPECT_EQ(log, (Log{"1000 a edge 1", "1000 c edge 1", "2000 a edge 2", "2000 b edge 1", "2000 c edge 2",
                      "3000 a edge 3", "3000 c edge 3", "4000 a edge 4", "4000 b edge 2", "4000 c edge 4"}));
}

TEST_F(CalendarTest, EdgeTimesAreRoundedFromTheExactQuotient) {
  const unsigned seed = random_seed();
  std::mt19937_64 random(seed);
  for (const double mhz : {1458.0, 675.0, 1350.0, 575.0, 602.0, 1107.0, 612.5}) {
    Domain domain(fmt::format("clock_{}", static_cast<int>(mhz)).c_str(), 0, mhz, 0, false);
    for (int i = 0; i < 1000; ++i) {
      const Cycle edge = random() >> (20 + random() % 44);
      const auto tenths = static_cast<unsigned>(10 * mhz);
      const auto exact = static_cast<Picoseconds>((Wide{2} * 10'000'000 * edge + tenths) / (2 * tenths));
      ASSERT_EQ(domain.edge_time(edge), exact) << mhz << " MHz, edge " << edge << ", seed " << seed;
      ASSERT_EQ(domain.first_edge_from(exact), edge) << mhz << " MHz, seed " << seed;
      ASSERT_EQ(domain.first_edge_from(exact + 1), edge + 1) << mhz << " MHz, seed " << seed;
    }
  }
}

// Sleeps over edges, now and then over millions.
class LateRiser final : public Clocked<NoRegs> {
 public:
  LateRiser(const sc_core::sc_module_name& name, unsigned seed) : Clocked(name), random_(seed) {}
  unsigned late = 0, runs = 0;

 private:
  void next() override {
    ++runs;
    late += sc_core::sc_time_stamp().value() != domain()->edge_time(edge());
    wake_at(edge() + 1 + random_() % (random_() % 8 == 0 ? 5'000'000 : 400));
    sleep();
  }
  void drive() override {}
  std::mt19937 random_;
};

TEST_F(CalendarTest, AnEdgeBehindManyThatNobodyRanComesAtItsTime) {
  const unsigned seed = random_seed();
  for (const double mhz : {1458.0, 675.0, 1350.0, 575.0, 602.0, 1107.0, 612.5}) {
    renew_context();
    Domain domain("clock", 0, mhz, 0, false);
    LateRiser sleeper("sleeper", seed);
    domain.add(sleeper);
    Calendar::start(sc_core::sc_time(1, sc_core::SC_SEC));
    EXPECT_GT(sleeper.runs, 500u) << mhz;
    EXPECT_EQ(sleeper.late, 0u) << mhz << " MHz, seed " << seed;
  }
}

}  // namespace
}  // namespace g80

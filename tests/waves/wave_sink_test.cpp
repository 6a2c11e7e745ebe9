// SPDX-License-Identifier: Apache-2.0
// One wave file holds what happened: the right values at the right times, whoever sleeps, in the same bytes every time.
#include "tb/waves/wave_sink.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "hw/common/version.h"
#include "tests/support/systemc_test.h"
#include "tests/support/vcd_reader.h"
#include "tests/waves/wave_machine.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

std::string read_all(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

using testing::Vcd;

class WaveSinkTest : public testing::SystemCTest {
 protected:
  WaveSinkTest() {
    dir_ = fs::temp_directory_path() / ("g80_waves_" + std::to_string(::getpid()));
    fs::create_directories(dir_);
  }
  ~WaveSinkTest() override { fs::remove_all(dir_); }
  std::string file(const std::string& name) const { return (dir_ / name).string(); }
  fs::path dir_;
};

WaveOptions options_for(const std::string& file) {
  WaveOptions options;
  options.file = file;
  options.level = WaveLevel::kLanes;
  return options;
}

void run_ps(Picoseconds time) { sc_core::sc_start(sc_core::sc_time::from_value(time)); }

TEST_F(WaveSinkTest, ShowsEveryRegisterAndWireAtItsEdge) {
  WaveMachine machine(false, 10, 900);
  {
    WaveSink sink(options_for(file("a.vcd")), machine.domains());
    sink.open();
    run_ps(100'000);
    sink.close();
    EXPECT_TRUE(sink.warnings().empty());
    EXPECT_GT(sink.value_changes(), 50u);
  }
  const Vcd vcd(file("a.vcd"));
  EXPECT_TRUE(vcd.times_rise);
  const Picoseconds e10 = machine.shader.edge_time(10), e20 = machine.shader.edge_time(20);
  EXPECT_EQ(vcd.at("gpu.pick.value", e10 - 1), 0u);
  EXPECT_EQ(vcd.at("gpu.pick.value", e10), 10u);
  EXPECT_EQ(vcd.at("gpu.pick.valid", e10), 1u);
  EXPECT_EQ(vcd.at("gpu.busy", e10), 1u);
  EXPECT_EQ(vcd.at("gpu.busy", machine.shader.edge_time(11)), 0u);
  EXPECT_EQ(vcd.at("gpu.pick.lanes[0]", e10), 10u);
  EXPECT_EQ(vcd.at("gpu.pick.lanes[1]", e10), 11u);
  EXPECT_EQ(vcd.at("gpu.beater.mood", e10), 1u);
  EXPECT_EQ(vcd.at("gpu.beater.wide", e20), 2 * ((1ull << 33) + 1));
  EXPECT_EQ(vcd.at("gpu.beater.history[0].value", e20), 10u);
  EXPECT_EQ(vcd.at("gpu.beater.square[1].at[0]", e20), 20u);
  EXPECT_EQ(vcd.at("gpu.receiver.received", 99'999), machine.top->receiver.registers().received);
  EXPECT_GT(machine.top->receiver.registers().received, 3u);
  // The half-rate block saw its first beat at edge 20.
  EXPECT_EQ(vcd.at("gpu.slow.value", e20 - 1), 0u);
  EXPECT_EQ(vcd.at("gpu.slow.value", e20), 20u);
}

// The flop samples at edges at which nobody runs.
TEST_F(WaveSinkTest, ShowsBothPointersOfACrossingAndWhenTheOtherSideSeesThem) {
  WaveMachine machine(false, 10, 900);
  WaveOptions options = options_for(file("a.vcd"));
  options.scopes = {"gpu.crossing"};
  {
    WaveSink sink(options, machine.domains());
    sink.open();
    run_ps(100'000);
  }
  const Vcd vcd(file("a.vcd"));
  const Picoseconds pushed = machine.shader.edge_time(11);
  const Cycle sampled = machine.memory.first_edge_from(pushed + 1);
  const Picoseconds seen = machine.memory.edge_time(sampled), popped = machine.memory.edge_time(sampled + 1);
  const auto rises = [&](const std::string& pointer, Picoseconds at) {
    EXPECT_EQ(vcd.at("gpu.crossing." + pointer, at - 1), 0u) << pointer;
    EXPECT_EQ(vcd.at("gpu.crossing." + pointer, at), 1u) << pointer;
  };
  rises("write_pointer", pushed);
  rises("write_flop[0]", seen);
  rises("read_pointer", popped);
  EXPECT_EQ(vcd.at("gpu.crossing.write_pointer", machine.shader.edge_time(31)), 2u) << "3 in Gray code";
}

TEST_F(WaveSinkTest, TheLevelOfMemoriesHasWhatLiesInThem) {
  for (const WaveLevel level : {WaveLevel::kLanes, WaveLevel::kMemories}) {
    renew_context();
    WaveMachine machine(false, 10, 900);
    WaveOptions options = options_for(file("a.vcd"));
    options.scopes = {"gpu.crossing"};
    options.level = level;
    WaveSink sink(options, machine.domains());
    sink.open();
    run_ps(100'000);
    sink.close();
    const auto is_place = [](const Signal& signal) { return signal.name == "gpu.crossing.place[2].value"; };
    const bool has = std::any_of(sink.signals().begin(), sink.signals().end(), is_place);
    EXPECT_EQ(has, level == WaveLevel::kMemories);
    if (!has) continue;
    EXPECT_EQ(Vcd(file("a.vcd")).at("gpu.crossing.place[2].value", machine.shader.edge_time(35)), 30u);
  }
}

TEST_F(WaveSinkTest, ClocksAreDrawnWhileEverybodySleeps) {
  WaveMachine machine(false, 200, 900);
  {
    WaveSink sink(options_for(file("a.vcd")), machine.domains());
    sink.open();
    run_ps(300'000);
  }
  const Vcd vcd(file("a.vcd"));
  std::uint64_t rises = 0;
  for (const auto& [time, value] : vcd.signals.at("clocks.shader_clk")) {
    if (value == 0) continue;
    ++rises;
    ASSERT_EQ(time, machine.shader.edge_time(rises));
    ASSERT_EQ(vcd.at("clocks.shader_cycle", time), rises);
    // Sampled by the edge itself: the front end runs at even edges.
    ASSERT_EQ(vcd.at("clocks.shader_issue_en", time - 1), rises % 2 == 0 ? 1u : 0u);
    ASSERT_EQ(vcd.at("clocks.shader_rst_n", time - 1), rises > 2 ? 1u : 0u);
  }
  EXPECT_EQ(rises, 405u);
  EXPECT_EQ(vcd.signals.count("clocks.dram_issue_en"), 0u);
  EXPECT_LT(machine.shader.activations(), 40u);
}

// Runs the machine with pokes from outside and returns the file.
std::string run_machine(const std::string& file, bool no_sleep, double memory_mhz, Cycle from, Cycle to) {
  testing::SystemCTest::renew_context();
  WaveMachine machine(no_sleep, 25, memory_mhz);
  WaveOptions options = options_for(file);
  options.from = from;
  options.to = to;
  WaveSink sink(options, machine.domains());
  sink.open();
  for (unsigned i = 0; i < 20; ++i) {
    run_ps(7'777);
    machine.top->poked.write({true, i, {}});  // between the edges, and once more at the same time
    machine.top->poked.write({true, i + 100, {}});
  }
  sink.close();
  return read_all(file);
}

TEST_F(WaveSinkTest, SleepLeavesNoTraceInTheFile) {
  // 675 MHz: every second shader edge coincides with an edge of the memory clock.
  for (const double memory_mhz : {900.0, 675.0}) {
    for (const char* suffix : {".vcd", ".fst"}) {
      SCOPED_TRACE(std::string(suffix) + " " + std::to_string(memory_mhz));
      const std::string sleeping =
          run_machine(file(std::string("s") + suffix), false, memory_mhz, 0, WaveOptions::kToTheEnd);
      const std::string awake =
          run_machine(file(std::string("n") + suffix), true, memory_mhz, 0, WaveOptions::kToTheEnd);
      EXPECT_GT(sleeping.size(), 500u);
      EXPECT_TRUE(sleeping == awake);
    }
  }
}

TEST_F(WaveSinkTest, SameRunSameBytes) {
  for (const char* suffix : {".vcd", ".fst"}) {
    const std::string first = run_machine(file(std::string("a") + suffix), false, 900, 0, WaveOptions::kToTheEnd);
    const std::string second = run_machine(file(std::string("b") + suffix), false, 900, 0, WaveOptions::kToTheEnd);
    EXPECT_TRUE(first == second) << suffix;
    EXPECT_EQ(first.find("2026"), std::string::npos) << "the date of the run is in the file";
    EXPECT_NE(first.find(std::string("g80 ") + kVersion), std::string::npos) << suffix;
  }
}

TEST_F(WaveSinkTest, PokesFromOutsideAreSeenAtTheirTime) {
  run_machine(file("a.vcd"), false, 900, 0, WaveOptions::kToTheEnd);
  const Vcd vcd(file("a.vcd"));
  EXPECT_EQ(vcd.at("gpu.poked.value", 7'776), 0u);
  EXPECT_EQ(vcd.at("gpu.poked.value", 7'777), 100u);
  EXPECT_EQ(vcd.at("gpu.poked.value", 2 * 7'777), 101u);
}

TEST_F(WaveSinkTest, AWindowBeginsWithTheWholeStateAndEndsAtItsLastCycle) {
  run_machine(file("whole.vcd"), false, 900, 0, WaveOptions::kToTheEnd);
  const std::string sleeping = run_machine(file("a.vcd"), false, 900, 60, 120);
  const std::string awake = run_machine(file("b.vcd"), true, 900, 60, 120);
  EXPECT_TRUE(sleeping == awake);
  const Vcd whole(file("whole.vcd")), window(file("a.vcd"));
  testing::SystemCTest::renew_context();
  const Domain shader("shader_clk", 0, 1350, 2, false);
  const Picoseconds from = shader.edge_time(60), to = shader.edge_time(121) - 1;
  EXPECT_LE(window.last_time, to);
  EXPECT_GT(window.last_time, shader.edge_time(120));
  ASSERT_EQ(window.signals.size(), whole.signals.size());
  for (const auto& [name, changes] : whole.signals) {
    ASSERT_EQ(window.signals.at(name).begin()->first, from) << name;
    for (Picoseconds time = from; time <= to; time += 97)
      ASSERT_EQ(window.at(name, time), whole.at(name, time)) << name << " at " << time;
  }
}

TEST_F(WaveSinkTest, AWindowBeyondTheRunIsAWarningAndLeavesNoFile) {
  WaveMachine machine(false, 10, 900);
  WaveOptions options = options_for(file("a.fst"));
  options.from = 1'000'000;
  WaveSink sink(options, machine.domains());
  sink.open();
  run_ps(10'000);
  sink.close();
  ASSERT_EQ(sink.warnings().size(), 1u);
  EXPECT_NE(sink.warnings()[0].find("1000000"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(dir_));
}

TEST_F(WaveSinkTest, ADumpWithoutAChangeIsAWarning) {
  WaveMachine machine(false, 10, 900);
  WaveOptions options = options_for(file("a.vcd"));
  options.scopes = {"gpu.poked"};
  WaveSink sink(options, machine.domains());
  sink.open();
  run_ps(50'000);
  sink.close();
  EXPECT_EQ(sink.value_changes(), 0u);
  ASSERT_EQ(sink.warnings().size(), 1u);
  EXPECT_NE(sink.warnings()[0].find("no traced value changed"), std::string::npos);
}

TEST_F(WaveSinkTest, ScopesChooseWhatIsInTheFile) {
  WaveMachine machine(false, 10, 900);
  WaveOptions options = options_for(file("a.vcd"));
  options.scopes = {"gpu.*beater", "gpu.crossing"};
  WaveSink sink(options, machine.domains());
  sink.open();
  std::set<std::string> scopes;
  for (const Signal& signal : sink.signals()) scopes.insert(signal.name.substr(0, signal.name.find('.', 4)));
  EXPECT_EQ(scopes.count("gpu.beater"), 1u);
  EXPECT_EQ(scopes.count("gpu.slow_beater"), 1u);
  EXPECT_EQ(scopes.count("gpu.crossing"), 1u);
  EXPECT_EQ(scopes.count("gpu.pick"), 0u);
  EXPECT_EQ(scopes.count("gpu.receiver"), 0u);
}

TEST_F(WaveSinkTest, BadRequestsAreOneSentence) {
  WaveMachine machine(false, 10, 900);
  EXPECT_THROW(WaveSink(options_for("a.txt"), machine.domains()), WaveError);
  WaveOptions backwards = options_for(file("a.vcd"));
  backwards.from = 10;
  backwards.to = 9;
  EXPECT_THROW(WaveSink(backwards, machine.domains()), WaveError);
  WaveOptions nothing = options_for(file("a.vcd"));
  nothing.scopes = {"nosuchscope"};
  WaveSink sink(nothing, machine.domains());
  EXPECT_THROW(sink.open(), WaveError);
  for (const char* suffix : {".vcd", ".fst"}) {
    WaveSink lost(options_for(file(std::string("no/such/folder/a") + suffix)), machine.domains());
    EXPECT_THROW(lost.open(), WaveError) << suffix;
  }
}

TEST_F(WaveSinkTest, ARequestFromASignalHandlerCompletesTheFile) {
  WaveMachine machine(false, 10, 900);
  WaveSink sink(options_for(file("a.vcd")), machine.domains());
  sink.open();
  run_ps(20'000);
  EXPECT_FALSE(fs::exists(file("a.vcd")));
  WaveSink::request_close();
  run_ps(20'000);
  EXPECT_TRUE(fs::exists(file("a.vcd")));
  const Vcd vcd(file("a.vcd"));
  EXPECT_GT(vcd.last_time, 19'000u);
  EXPECT_LT(vcd.last_time, 30'000u);
}

TEST_F(WaveSinkTest, AnExceptionLeavesACompleteFile) {
  WaveMachine machine(false, 10, 900);
  const auto run = [&] {
    WaveSink sink(options_for(file("a.fst")), machine.domains());
    sink.open();
    run_ps(20'000);
    throw ModelError("stop here");
  };
  EXPECT_THROW(run(), ModelError);
  EXPECT_GT(fs::file_size(file("a.fst")), 400u);
  EXPECT_FALSE(fs::exists(file("a.fst.part")));
}

// An FST is written in blocks of four million changes. Of several values at one time the last counts.
TEST_F(WaveSinkTest, AnFstOfManyBlocksHoldsEveryChange) {
  if (!testing::has_fst2vcd()) GTEST_SKIP() << "needs fst2vcd";
  constexpr std::uint64_t kSteps = 350'000;
  const auto count_at = [](std::uint64_t step) { return step * step & 0xff'ffff'ffffu; };
  const auto word_at = [](std::uint64_t step) { return step * 0x9e37'79b9'7f4a'7c15u; };
  SignalTable table;
  const std::uint32_t bit = table.add_signal("top", "bit", 1), count = table.add_signal("top", "count", 40),
                      word = table.add_signal("top", "word", 64), idle = table.add_signal("top", "idle", 7);
  constexpr std::uint32_t kBits = 10;
  for (std::uint32_t i = 0; i < kBits; ++i) table.add_signal("top", "bit" + std::to_string(i), 1);
  table.seal();
  table.set(idle, 5);
  const std::unique_ptr<TraceFile> trace = TraceFile::create(file("a.fst"));
  trace->open(file("a.fst"), table);
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    table.set(bit, ~step & 1);
    table.set(bit, step & 1);
    table.set(idle, 4);
    table.set(idle, 5);
    for (std::uint32_t i = 0; i < kBits; ++i) table.set(idle + 1 + i, (step ^ i) & 1);
    table.set(count, count_at(step));
    table.set(word, word_at(step));
    trace->dump(3 * step);
  }
  trace->close();
  ASSERT_EQ(trace->failure(), "");
  ASSERT_EQ(std::system(("fst2vcd -f " + file("a.fst") + " -o " + file("a.vcd")).c_str()), 0);

  std::map<std::string, std::uint64_t> seen;  // by code
  std::map<std::string, std::string> codes;
  std::ifstream vcd(file("a.vcd"));
  std::uint64_t step = 0, steps = 0, idle_values = 0;
  const auto check = [&] {
    ASSERT_EQ(seen[codes["bit"]], step & 1) << step;
    for (std::uint32_t i = 0; i < kBits; ++i) ASSERT_EQ(seen[codes["bit" + std::to_string(i)]], (step ^ i) & 1) << step;
    ASSERT_EQ(seen[codes["count"]], count_at(step)) << step;
    ASSERT_EQ(seen[codes["word"]], word_at(step)) << step;
    ASSERT_EQ(seen[codes["idle"]], 5u) << step;
    ++steps;
  };
  for (std::string line; std::getline(vcd, line);) {
    if (line.find("$var") != std::string::npos) {
      std::istringstream words(line);
      std::string var, kind, width, code, name;
      words >> var >> kind >> width >> code >> name;
      codes[name] = code;
    } else if (line[0] == 'b') {
      const std::size_t space = line.find(' ');
      seen[line.substr(space + 1)] = std::stoull(line.substr(1, space - 1), nullptr, 2);
      if (line.substr(space + 1) == codes["idle"]) ++idle_values;
    } else if (line[0] == '0' || line[0] == '1') {
      seen[line.substr(1)] = line[0] == '1';
    } else if (line[0] == '#') {
      const std::uint64_t time = std::stoull(line.substr(1));
      if (time != 0) {
        ASSERT_NO_FATAL_FAILURE(check());
      }
      step = time / 3;
    }
  }
  ASSERT_NO_FATAL_FAILURE(check());
  EXPECT_EQ(steps, kSteps);
  EXPECT_EQ(idle_values, 1u);
}

TEST(Scopes, AScopeBringsEverythingBelowIt) {
  EXPECT_TRUE(scope_matches("gpu.tpc0", "gpu.tpc0.sm1.pick"));
  EXPECT_TRUE(scope_matches("gpu.tpc?.sm1", "gpu.tpc0.sm1"));
  EXPECT_TRUE(scope_matches("*.pick", "gpu.tpc0.sm1.pick"));
  EXPECT_FALSE(scope_matches("gpu.tpc1", "gpu.tpc10.sm1"));
  EXPECT_FALSE(scope_matches("pick", "gpu.tpc0.sm1.pick"));
}

}  // namespace
}  // namespace g80

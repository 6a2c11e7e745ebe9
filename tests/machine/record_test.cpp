// SPDX-License-Identifier: Apache-2.0
// The flight recorder and the timelines of kernels on the machine.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "hw/isa/disassembler.h"
#include "tb/record/flight_recorder.h"
#include "tb/record/timeline.h"
#include "tests/machine/machine_run.h"

namespace g80 {
namespace {

using nlohmann::json;
using testing::execute;
using testing::MachineRun;

/// The kernel's run with a timeline, and the file.
struct Recorded {
  RunResult result;
  std::string file;
};
Recorded record(const std::string& kernel, const std::string& suffix, TimelineOptions options = {}) {
  options.file = fmt::format("{}g80_{}_timeline{}", ::testing::TempDir(), getpid(), suffix);
  MachineRun run{kernel};
  run.machine.timeline = options;
  Recorded recorded{execute(run).result, {}};
  recorded.file = testing::contents_of(options.file);
  std::filesystem::remove(options.file);
  return recorded;
}

struct Slice {
  std::uint64_t from, to;
  std::string category, name;
};
using Tracks = std::map<std::pair<unsigned, unsigned>, std::vector<Slice>>;  // by process and thread

Tracks slices_of(const json& events) {
  Tracks tracks;
  for (const json& event : events) {
    if (event["ph"] != "X") continue;
    const auto from = event["ts"].get<std::uint64_t>();
    tracks[{event["pid"], event["tid"]}].push_back(
        {from, from + event["dur"].get<std::uint64_t>(), event["cat"], event["name"]});
  }
  return tracks;
}

TEST(Timeline, HasASliceForEveryIssueAndFillsEachWarpsLife) {
  for (const char* kernel : {"vec_add", "reduction_interleaved", "divergence_in_warp"}) {
    SCOPED_TRACE(kernel);
    const Recorded recorded = record(kernel, ".json");
    const Tracks tracks = slices_of(json::parse(recorded.file)["traceEvents"]);
    std::uint64_t issues = 0, warps = 0, bursts = 0;
    for (auto [track, slices] : tracks) {
      // Inner slices of a warp follow each other without a gap from its beginning to its end.
      std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
        return std::make_tuple(a.from, ~a.to, a.category != "warp") <
               std::make_tuple(b.from, ~b.to, b.category != "warp");
      });
      std::uint64_t drawn = 0, end = 0;
      for (const Slice& slice : slices) {
        ASSERT_LE(slice.from, slice.to);
        if (slice.category == "warp") {
          EXPECT_EQ(drawn, end) << "the warp before it is drawn to its end";
          drawn = slice.from;
          end = slice.to;
          ++warps;
        } else if (slice.category == "dram") {
          EXPECT_GE(slice.from, drawn) << "bursts of one track do not overlap";
          drawn = slice.to;
          end = drawn;
          ++bursts;
        } else {
          EXPECT_EQ(slice.from, drawn) << slice.name << " of warp slot " << track.second;
          drawn = slice.to;
          issues += slice.category == "issue";
        }
      }
      EXPECT_EQ(drawn, end);
    }
    std::uint64_t issued = 0, threads = 0;
    for (const LaunchResult& launch : recorded.result.launches) {
      for (const SmCounters& sm : launch.sms) issued += sm.issued;
      threads += std::uint64_t{launch.grid[0]} * launch.grid[1] *
                 ((launch.block[0] * launch.block[1] * launch.block[2] + 31) / 32);
    }
    EXPECT_EQ(issues, issued);
    EXPECT_EQ(warps, threads);
    EXPECT_GT(bursts, 0u);
  }
}

TEST(Timeline, LeadsEachArrowFromAnIssueThroughADramToItsEnd) {
  const Recorded recorded = record("vec_add", ".json");
  std::map<std::uint64_t, std::string> phases;  // by uid
  std::map<std::uint64_t, std::uint64_t> last;
  const json timeline = json::parse(recorded.file);
  for (const json& event : timeline["traceEvents"]) {
    const std::string phase = event["ph"];
    if (phase != "s" && phase != "t" && phase != "f") continue;
    const std::uint64_t uid = event["id"], at = event["ts"];
    EXPECT_GE(at, last[uid]);
    last[uid] = at;
    if (phases[uid].empty() || phases[uid].back() != phase[0]) phases[uid] += phase;
  }
  // 1000 elements of two vectors read and one written, in 32 warps.
  EXPECT_GE(phases.size(), 64u);
  for (const auto& [uid, order] : phases) EXPECT_EQ(order, "stf") << "uid " << uid;
}

TEST(Timeline, KeepsToItsWindow) {
  std::uint64_t first = ~std::uint64_t{0};  // shader cycle at which anything is drawn
  for (const auto& [track, slices] : slices_of(json::parse(record("vec_add", ".json").file)["traceEvents"])) {
    for (const Slice& slice : slices) first = std::min<std::uint64_t>(first, slice.from);
  }
  TimelineOptions options;
  options.from = first + 100;
  options.to = first + 200;
  const Recorded recorded = record("vec_add", ".json", options);
  const Tracks tracks = slices_of(json::parse(recorded.file)["traceEvents"]);
  ASSERT_FALSE(tracks.empty());
  for (const auto& [track, slices] : tracks) {
    for (const Slice& slice : slices) {
      EXPECT_GE(slice.from, options.from);
      EXPECT_LE(slice.to, options.to + 4);  // an issue at the last cycle is drawn in full
    }
  }
}

TEST(Timeline, AsKanataHasARowForEveryInstructionOfTheSm) {
  TimelineOptions options;
  options.sm = 1;
  const Recorded recorded = record("reduction_interleaved", ".kanata", options);
  std::istringstream lines(recorded.file);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "Kanata\t0004");
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line.substr(0, 3), "C=\t");
  std::set<std::uint64_t> rows, open;
  std::map<std::pair<std::uint64_t, std::string>, std::string> stage;  // by row and lane: the one that is drawn
  std::uint64_t retired = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string command;
    std::uint64_t first = 0;
    fields >> command >> first;
    if (command == "C") {
      EXPECT_GT(first, 0u);
    } else if (command == "I") {
      EXPECT_TRUE(rows.insert(first).second) << "a number is given once";
      open.insert(first);
    } else if (command == "R") {
      std::uint64_t order = 0;
      fields >> order;
      EXPECT_EQ(order, retired++);
      EXPECT_EQ(open.erase(first), 1u);
    } else {
      ASSERT_TRUE(command == "L" || command == "S" || command == "E") << line;
      EXPECT_EQ(open.count(first), 1u) << line;
      std::string lane, name;
      fields >> lane >> name;
      std::string& drawn = stage[{first, lane}];
      if (command == "S") {
        EXPECT_EQ(std::exchange(drawn, name), "") << line << ": Konata ends the stage that began last";
      } else if (command == "E") {
        EXPECT_EQ(std::exchange(drawn, ""), name) << line;
      }
    }
  }
  EXPECT_TRUE(open.empty()) << "every instruction that issued has finished";
  std::uint64_t issued = 0;
  for (const LaunchResult& launch : recorded.result.launches) issued += launch.sms[1].issued;
  EXPECT_EQ(rows.size(), issued);
}

/// First issue and last release of a launch, as its events tell.
struct Ends : EventSink {
  Cycle issue = 0, release = 0;
  void event(const MachineEvent& event) override {
    if (event.kind == EventKind::kIssue && issue == 0) issue = event.cycle;
    if (event.kind == EventKind::kRelease) release = std::max(release, event.cycle);
  }
};

TEST(ExecutingCycles, RunFromTheFirstIssueToTheLastRetirement) {
  for (const char* kernel : {"vec_add", "divergence_in_warp", "constant_read"}) {
    Ends ends;
    MachineRun run{kernel, "8600gts"};
    run.machine.events = &ends;
    const RunResult result = execute(run).result;
    ASSERT_EQ(result.launches.size(), 1u) << kernel;
    EXPECT_EQ(result.launches[0].executing_cycles, ends.release - ends.issue + 2)
        << kernel << ": the event of an issue comes a scheduler cycle after the pick";
  }
}

TEST(ExecutingCycles, DoNotContainTheLaunch) {
  const auto run = [](const char* cycles) {
    const RunResult result =
        execute({"vec_add", "tiny", {{"block", "64"}}, {std::string("host.launch_cycles=") + cycles}}).result;
    return std::make_pair(result.launches[0].shader_cycles, result.launches[0].executing_cycles);
  };
  const auto [quick, quick_executing] = run("0");
  const auto [slow, slow_executing] = run("20000");
  EXPECT_GE(slow, quick + 19'000);
  EXPECT_NEAR(static_cast<double>(slow_executing), static_cast<double>(quick_executing), 300) << "a refresh apart";
}

TEST(Timeline, ChangesNothing) {
  MachineRun run{"divergence_in_warp"};
  const RunResult plain = execute(run).result;
  EXPECT_EQ(statistics_json({plain}), statistics_json({record("divergence_in_warp", ".json").result}));
}

TEST(Watchers, ShareTheMachine) {
  const auto wave = [](bool others) {
    const std::string file = fmt::format("{}g80_{}_shared.vcd", ::testing::TempDir(), getpid());
    MachineRun run{"vec_add", "tiny", {{"n", "64"}, {"block", "64"}}};
    run.machine.wave.emplace();
    run.machine.wave->file = file;
    std::uint64_t lines = 0;
    if (others) {
      run.machine.timeline.emplace();
      run.machine.timeline->file = file + ".json";
      run.machine.trace = TraceOptions{parse_trace_conditions("warp=0"), [&lines](const TraceLine&) { ++lines; }};
    }
    execute(run);
    EXPECT_EQ(lines != 0, others);
    const std::string contents = testing::contents_of(file);
    std::filesystem::remove(file);
    std::filesystem::remove(file + ".json");
    return contents;
  };
  const std::string alone = wave(false);
  EXPECT_GT(alone.size(), 10000u);
  EXPECT_TRUE(alone == wave(true)) << "a wave is the same, whoever else watches";
}

TEST(FlightRecorder, KeepsTheLastEventsInTheirOrder) {
  FlightRecorder recorder;
  EXPECT_TRUE(recorder.kept().empty());
  MachineEvent event;
  for (std::size_t i = 0; i < FlightRecorder::kEvents + 5; ++i) {
    event.cycle = i;
    recorder.event(event);
  }
  const std::vector<MachineEvent> kept = recorder.kept();
  ASSERT_EQ(kept.size(), FlightRecorder::kEvents);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i].cycle, i + 5);
}

TEST(FlightRecorder, TellsTheStoryOfAKernel) {
  const MachineRun run{"reduction_sequential"};
  const Scenario scenario = testing::scenario_of(run.kernel);
  const Module module = load_module(scenario);
  const Config config = scenario_config(scenario, "tiny", {});
  GpuBackend gpu(config, {});
  EXPECT_TRUE(gpu.flight_log().text.empty());
  RunOptions options;
  options.args = {{"block", "128"}};
  const RunResult result = run_scenario(scenario, module, config, options, gpu);
  const FlightLog log = gpu.flight_log();
  EXPECT_GT(log.cycle, 0u);
  const auto count = [&](const std::string& what) {
    std::uint64_t n = 0;
    for (std::size_t at = log.text.find(what); at != std::string::npos; at = log.text.find(what, at + 1)) ++n;
    return n;
  };
  std::uint64_t issued = 0, blocks = 0;
  for (const LaunchResult& launch : result.launches) {
    for (const SmCounters& sm : launch.sms) issued += sm.issued, blocks += sm.blocks;
  }
  ASSERT_LT(3 * issued, FlightRecorder::kEvents);
  EXPECT_EQ(count(" issues uid "), issued);
  EXPECT_EQ(count(" finishes uid "), issued);
  EXPECT_EQ(count(" starts as warp "), 4 * blocks);
  EXPECT_EQ(count(" has ended"), 4 * blocks);
  EXPECT_GT(count("a barrier releases warps"), 0u);
  EXPECT_GT(count("`bar"), 0u);
}

}  // namespace
}  // namespace g80

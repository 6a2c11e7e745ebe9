// SPDX-License-Identifier: Apache-2.0
// The flight recorder and the timelines of kernels on the machine.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "tb/record/flight_recorder.h"
#include "tb/record/timeline.h"
#include "tests/machine/machine_run.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

using nlohmann::json;
using testing::execute;
using testing::MachineRun;
using testing::Vcd;

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

// One space of numbers: what the host copies, what an SM issues, and what nobody numbers are told apart by the uid
// alone.
TEST(Timeline, ABurstBelongsToOneInstructionToACopyOrToNone) {
  const json timeline = json::parse(record("vec_add", ".json").file);
  std::set<std::string> issued;
  std::map<std::string, unsigned> bursts;
  for (const json& event : timeline["traceEvents"]) {
    if (event.value("cat", "") != "issue") continue;
    const std::string uid = event["args"]["uid"];
    EXPECT_TRUE(issued.insert(uid).second) << uid << " was issued twice";
  }
  EXPECT_EQ(issued.count("0x0"), 0u);
  EXPECT_EQ(issued.count("0x1"), 1u);
  EXPECT_EQ(issued.count("0x1000001"), 1u) << "the first instruction of SM 1";
  for (const json& event : timeline["traceEvents"]) {
    if (event.value("cat", "") != "dram") continue;
    const std::string uid = event["args"]["uid"];
    const bool copy = uid.rfind("0xff", 0) == 0 && uid.size() == 10;
    EXPECT_TRUE(copy || uid == "0x0" || issued.count(uid) == 1) << uid;
    ++bursts[copy ? "of copies" : uid == "0x0" ? "of nobody" : "of instructions"];
  }
  // Three buffers of 1000 words, the copied ones in both directions, in bursts of 32 bytes.
  EXPECT_GE(bursts["of copies"], 3 * 125u);
  EXPECT_GE(bursts["of instructions"], 3 * 125u);
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
  FlightRecorder recorder(1);
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

/// A stage of an instruction in a log for Konata, and the instruction.
struct KanataStage {
  std::string name;
  std::uint64_t from, to;
};
struct KanataRow {
  std::uint64_t uid = 0, begin = 0, end = 0;
  std::string label, detail;
  bool ended = false, flushed = false;
  std::map<std::string, std::vector<KanataStage>> lanes;
  std::map<std::string, std::string> open;  // stages that have begun, by lane
};

/// The rows of a log by number. A line that breaks a rule of the format (docs/kanata-log-format.md of Konata) fails.
std::vector<KanataRow> rows_of(const std::string& log) {
  std::vector<KanataRow> rows;
  std::istringstream lines(log);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "Kanata\t0004");
  std::getline(lines, line);
  EXPECT_EQ(line.substr(0, 3), "C=\t");
  std::uint64_t now = std::stoull(line.substr(3)), retired = 0;
  while (std::getline(lines, line)) {
    SCOPED_TRACE(line);
    std::vector<std::string> field;
    std::istringstream fields(line);
    for (std::string one; std::getline(fields, one, '\t');) field.push_back(one);
    const std::uint64_t number = std::stoull(field.at(1));
    if (field[0] == "C") {
      EXPECT_GT(number, 0u);
      now += number;
      continue;
    }
    if (field[0] == "I") {
      EXPECT_EQ(number, rows.size()) << "numbers are given in the order of the file";
      rows.emplace_back();
      rows.back().uid = std::stoull(field.at(2));
      rows.back().begin = now;
      continue;
    }
    if (number >= rows.size() || rows[number].ended) {
      ADD_FAILURE() << "no such instruction now";
      continue;
    }
    KanataRow& row = rows[number];
    if (field[0] == "L") {
      (field.at(2) == "0" ? row.label : row.detail) += field.at(3);
    } else if (field[0] == "S") {
      std::string& open = row.open[field.at(2)];
      EXPECT_EQ(open, "") << "one stage of a lane at a time";
      open = field.at(3);
      row.lanes[field[2]].push_back({open, now, 0});
    } else if (field[0] == "E") {
      EXPECT_EQ(row.open[field.at(2)], field.at(3));
      row.open[field[2]].clear();
      if (row.lanes[field[2]].empty()) continue;
      row.lanes[field[2]].back().to = now;
      EXPECT_GT(now, row.lanes[field[2]].back().from);
    } else if (field[0] == "R") {
      row.ended = true;
      row.end = now;
      row.flushed = field.at(3) == "1";
      EXPECT_EQ(std::stoull(field.at(2)), retired);
      if (!row.flushed) ++retired;
      for (const auto& [lane, open] : row.open) EXPECT_EQ(open, "") << "every stage has ended, in lane " << lane;
    } else {
      ADD_FAILURE() << "no command of the format";
    }
  }
  return rows;
}

struct KanataRun {
  RunResult result;
  std::vector<KanataRow> rows;
};
KanataRun log_of(MachineRun run, unsigned sm) {
  TimelineOptions options;
  options.file = fmt::format("{}g80_{}.kanata", ::testing::TempDir(), getpid());
  options.sm = sm;
  run.machine.timeline = options;
  KanataRun logged{execute(run).result, {}};
  logged.rows = rows_of(testing::contents_of(options.file));
  std::filesystem::remove(options.file);
  return logged;
}

std::string path_of(const KanataRow& row) {
  std::string path;
  for (const KanataStage& stage : row.lanes.at("0")) path += (path.empty() ? "" : " ") + stage.name;
  return path;
}

const MachineRun kKernels[] = {{"reduction_interleaved"}, {"divergence_in_warp"}, {"constant_read"}, {"sfu_functions"}};

TEST(Kanata, HasARowForEveryInstructionOfTheSm) {
  for (const MachineRun& run : kKernels) {
    SCOPED_TRACE(run.kernel);
    const KanataRun logged = log_of(run, 0);
    std::uint64_t issued = 0, flushed = 0, issued_rows = 0;
    for (const LaunchResult& launch : logged.result.launches) issued += launch.sms[0].issued;
    std::set<std::uint64_t> uids;
    for (const KanataRow& row : logged.rows) {
      EXPECT_TRUE(row.ended) << row.label << ": every instruction finishes or is dropped";
      flushed += row.flushed;
      if (row.flushed) {
        EXPECT_EQ(row.detail, "not issued");
        continue;
      }
      ++issued_rows;
      EXPECT_TRUE(uids.insert(row.uid).second);
    }
    EXPECT_EQ(issued_rows, issued);
    EXPECT_GT(flushed, 0u) << "the fetches behind the last instruction of a warp";
  }
}

// From its fetch to its end an instruction is in one stage after the other, without a gap, on one of the SM's ways.
TEST(Kanata, LeadsEachInstructionThroughTheStagesOfTheMachine) {
  const std::map<std::string, std::set<std::string>> next = {
      {"F", {"De"}},
      {"De", {"Bu"}},
      {"Bu", {"Is"}},
      {"Is", {"Op"}},
      {"Op", {"Xsp", "Xsfu", "Xmul", "Xdp", "Ct", "Ad"}},
      {"Ad", {"Sh", "Co", "Me", "Wb"}},
      {"Sh", {"Op", "Wb"}},
      {"Co", {"Op"}},
      {"Me", {"Wb"}},
      {"Ct", {"Xsp"}},  // a join that executes something too
      {"Xsp", {"Wb"}},  // if its register bank is busy
      {"Xsfu", {"Wb"}},
      {"Xmul", {"Wb"}},
  };
  const std::set<std::string> ends = {"Xsp", "Xsfu", "Xmul", "Xdp", "Ct", "Wb"};
  std::set<std::string> seen;
  for (const MachineRun& run : kKernels) {
    SCOPED_TRACE(run.kernel);
    for (const KanataRow& row : log_of(run, 0).rows) {
      const std::string path = path_of(row);
      SCOPED_TRACE(row.label + ": " + path);
      const std::vector<KanataStage>& stages = row.lanes.at("0");
      EXPECT_EQ(stages.front().name, "F");
      EXPECT_EQ(stages.front().from, row.begin);
      EXPECT_EQ(stages.back().to, row.end);
      for (std::size_t i = 1; i < stages.size(); ++i) {
        EXPECT_EQ(stages[i].from, stages[i - 1].to);
        EXPECT_EQ(next.at(stages[i - 1].name).count(stages[i].name), 1u) << stages[i].name;
      }
      const std::string& last = stages.back().name;
      if (row.flushed) {
        EXPECT_TRUE(last == "De" || last == "Bu");
      } else {
        EXPECT_EQ(ends.count(last), 1u);
      }
      seen.insert(path);
    }
  }
  for (const char* path :
       {"F De", "F De Bu", "F De Bu Is Op Xsp", "F De Bu Is Op Xsfu", "F De Bu Is Op Ct", "F De Bu Is Op Ad Me Wb",
        "F De Bu Is Op Ad Wb", "F De Bu Is Op Ad Sh Wb", "F De Bu Is Op Ad Sh Op Xsp", "F De Bu Is Op Ad Co Op Xsp"}) {
    EXPECT_EQ(seen.count(path), 1u) << path << ", of " << ::testing::PrintToString(seen);
  }
}

// Each stage begins in the shader cycle in which the wave shows the wire that carries the instruction into it.
TEST(Kanata, AgreesWithTheWave) {
  MachineRun run{"reduction_interleaved", "tiny", {{"block", "64"}, {"blocks", "1"}}};
  const std::string file = fmt::format("{}g80_{}_kanata.vcd", ::testing::TempDir(), getpid());
  run.machine.wave.emplace();
  run.machine.wave->file = file;
  run.machine.wave->scopes = {"gpu.tpc0.sm0"};
  const KanataRun logged = log_of(run, 0);
  const Vcd vcd(file);
  std::filesystem::remove(file);
  const std::string sm = "gpu.tpc0.sm0.";

  // Of each wire: when it showed an instruction for the first time, by uid.
  const auto first_shown = [&](const std::string& wire, const std::string& uid, const std::string& condition,
                               const std::string& unless = "") {
    std::map<std::uint64_t, std::uint64_t> cycles;
    std::set<std::uint64_t> times;
    for (const std::string& signal : {uid, condition}) {
      for (const std::uint64_t time : vcd.change_times(sm + wire + "." + signal)) times.insert(time);
    }
    for (const std::uint64_t time : times) {
      if (!unless.empty() && vcd.at(sm + wire + "." + unless, time) == 1) continue;
      if (vcd.at(sm + wire + "." + condition, time) == 1)
        cycles.emplace(vcd.at(sm + wire + "." + uid, time), vcd.at("clocks.shader_cycle", time));
    }
    EXPECT_FALSE(cycles.empty()) << wire;
    return cycles;
  };
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> wave;
  wave["Is"] = first_shown("issue", "uid", "valid");
  for (auto& [uid, cycle] : wave["Is"]) cycle -= 2;  // the pick comes a scheduler cycle before
  wave["Op"] = first_shown("issue", "uid", "valid");
  wave["Xsp"] = first_shown("to_sp", "uid", "valid");
  wave["Ct"] = first_shown("control", "uid", "valid");
  wave["Ad"] = first_shown("to_address", "uid", "valid");
  wave["Sh"] = first_shown("smem_request", "origin.uid", "valid", "header");
  wave["Me"] = first_shown("load_open", "uid", "valid");
  wave["Wb"] = first_shown("load_result", "uid", "valid");
  wave["Wb"].merge(first_shown("store_done", "uid", "valid"));
  const std::map<std::uint64_t, std::uint64_t> result = first_shown("sp_result", "uid", "last");
  std::map<std::uint64_t, std::uint64_t> released;
  for (unsigned i = 0; i < 2; ++i) {
    const std::string entry = fmt::format("release.entry[{}]", i);
    released.merge(first_shown(entry, "uid", "valid"));
  }

  std::map<std::string, std::uint64_t> compared;
  for (const KanataRow& row : logged.rows) {
    if (row.flushed) continue;
    SCOPED_TRACE(row.label + ": " + path_of(row));
    std::set<std::string> known;
    for (const KanataStage& stage : row.lanes.at("0")) {
      if (!known.insert(stage.name).second || wave.count(stage.name) == 0) continue;
      const auto shown = wave[stage.name].find(row.uid);
      ASSERT_NE(shown, wave[stage.name].end()) << stage.name;
      EXPECT_EQ(stage.from, shown->second) << stage.name;
      ++compared[stage.name];
    }
    const KanataStage& last = row.lanes.at("0").back();
    EXPECT_EQ(row.end, last.name == "Xsp" ? result.at(row.uid) : released.at(row.uid));
    EXPECT_GE(row.end, released.at(row.uid));
  }
  EXPECT_EQ(compared.size(), wave.size()) << ::testing::PrintToString(compared);
}

TEST(Kanata, BeginsInTheMiddleOfInstructions) {
  MachineRun run{"reduction_interleaved", "tiny", {{"block", "64"}, {"blocks", "1"}}};
  const std::vector<KanataRow> all = log_of(run, 0).rows;
  TimelineOptions options;
  options.file = fmt::format("{}g80_{}_window.kanata", ::testing::TempDir(), getpid());
  options.from = all.front().begin + 500;
  options.to = options.from + 500;
  run.machine.timeline = options;
  execute(run);
  const std::vector<KanataRow> rows = rows_of(testing::contents_of(options.file));
  std::filesystem::remove(options.file);
  std::map<std::uint64_t, const KanataRow*> by_uid;
  for (const KanataRow& row : all) by_uid[row.uid] = &row;
  std::size_t compared = 0;
  for (const KanataRow& row : rows) {
    if (!row.ended || row.flushed) continue;
    EXPECT_EQ(row.end, by_uid.at(row.uid)->end);
    EXPECT_EQ(row.label, by_uid.at(row.uid)->label);
    ++compared;
  }
  EXPECT_GT(compared, 10u);
}

TEST(Kanata, ChangesNothing) {
  const MachineRun run{"divergence_in_warp"};
  EXPECT_EQ(statistics_json({execute(run).result}), statistics_json({log_of(run, 0).result}));
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// g80 sweep: which runs a file means, that nothing is lost when it is killed, and the files it writes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "source_dir.h"
#include "tests/support/random_seed.h"
#include "tests/support/shell.h"

namespace {

namespace fs = std::filesystem;
using ::g80::test::Outcome;
using Document = nlohmann::ordered_json;

std::string contents_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

/// A kernel that no host is too fast for.
const std::string kEndless = "kernels = ['" G80_SOURCE_DIR "/tests/app/endless']\n";

/// A folder with sweep files, in which sweeps run.
class Sweep : public ::testing::Test {
 protected:
  Sweep() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Sweep() override {
    std::error_code busy;
    fs::remove_all(folder_, busy);
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  Outcome g80(const std::string& arguments) const {
    return ::g80::test::shell("cd '" + folder_.string() + "' && " + G80_PROGRAM + " " + arguments);
  }
  /// The commands of the runs of a sweep file.
  std::vector<std::string> commands(const std::string& text) const {
    write("s.toml", text);
    std::istringstream lines(g80("sweep s.toml --list 2>/dev/null").output);
    std::vector<std::string> list;
    for (std::string line; std::getline(lines, line);) list.push_back(line);
    return list;
  }
  void refuses(const std::string& text, const std::string& sentence) const {
    write("s.toml", text);
    const Outcome outcome = g80("sweep s.toml --list");
    EXPECT_EQ(outcome.code, 2) << text;
    EXPECT_NE(outcome.output.find(sentence), std::string::npos) << text << "\n" << outcome.output;
  }
  Document results(const std::string& out) const {
    return Document::parse(contents_of(folder_ / out / "results.json"));
  }

  /// Complete results by id. A file that has the name of a result and is none fails the test.
  std::map<std::string, std::string> stored(const std::string& out) const {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder_ / out / "runs")) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / out / "runs")) {
      if (entry.path().extension() != ".json") continue;
      const std::string text = contents_of(entry.path());
      EXPECT_FALSE(Document::parse(text, nullptr, false).is_discarded()) << entry.path() << ": " << text;
      files[entry.path().stem().string()] = text;
    }
    return files;
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("g80_sweep_" + std::to_string(::getpid()));
};

// Twelve short runs on the preset tiny.
const std::string kTwelve = R"(
kernels = ["vec_add"]
devices = ["tiny"]
seeds = [{ from = 1, to = 3 }]
[args.vec_add]
n = [64, 96]
block = 64
[keys]
"sm.scheduler" = ["loose_round_robin", "oldest_first"]
)";

TEST_F(Sweep, RunsAreTheProductOfKernelsDevicesArgumentsKeysAndSeeds) {
  EXPECT_EQ(commands(kTwelve).size(), 12u);
  EXPECT_EQ(commands(kTwelve).front(),
            "g80 run vec_add --device tiny --arg n=64 --arg block=64 --set sm.scheduler=loose_round_robin");
  EXPECT_EQ(
      commands("kernels = ['vec_add', 'reduction_sequential']\nkeys.dram.t_rcd = { from = 10, to = 16, step = 2 }")
          .size(),
      8u);
  const auto factors = commands("kernels = 'vec_add'\n[keys]\ndram.t_rp = [1, { from = 4, to = 40, factor = 3 }]");
  ASSERT_EQ(factors.size(), 4u);
  EXPECT_EQ(factors.back(), "g80 run vec_add --set dram.t_rp=36");
}

TEST_F(Sweep, ConstraintsAndExclusionsLeaveRunsOut) {
  const std::string keys =
      "kernels = ['vec_add']\ndevices = ['8600gts', 'gtx280']\n[keys]\n"
      "dram.t_rcd = [10, 14]\nsm.scheduler = ['loose_round_robin', 'oldest_first']\n";
  EXPECT_EQ(commands(keys).size(), 8u);
  EXPECT_EQ(commands("constraints = ['dram.t_rcd < 12']\n" + keys).size(), 4u);
  // A key that the sweep does not set has the device's value.
  EXPECT_EQ(commands("constraints = ['device.compute_minor == 3']\n" + keys).size(), 4u);
  EXPECT_EQ(commands("constraints = ['sm.scheduler == oldest_first && dram.t_rcd > 10']\n" + keys).size(), 2u);
  EXPECT_EQ(commands(keys + "[[exclude]]\ndevice = 'gtx280'\nsm.scheduler = 'oldest_first'").size(), 6u);
}

TEST_F(Sweep, AConfigurationFileIsADeviceInExclusionsAndInTheBaseline) {
  fs::create_directory(folder_ / "chips");
  write("chips/mine.toml", "base = '8600gts'\n[dram]\nt_rcd = 11\n");
  const std::string both = "kernels = 'vec_add'\ndevices = ['8600gts', 'chips/mine.toml']\n";
  EXPECT_EQ(commands(both + "[[exclude]]\ndevice = './chips/mine.toml'\n").size(), 1u);
  EXPECT_EQ(commands(both + "[report]\nbaseline.device = 'chips/mine.toml'\n").size(), 2u);
}

TEST_F(Sweep, AResultIsUsedAgainOnlyIfTheProgramIsTheSame) {
  fs::create_directory(folder_ / "store");
  write("value.h", "#define VALUE 3\n");
  write("store/store.cu", "#include \"../value.h\"\n__global__ void store(unsigned* out) { *out = VALUE; }\n");
  write("store/scenario.toml",
        "kernel = 'store.cu'\nsummary = 's'\ndevice = 'tiny'\n[buffer.out]\ntype = 'u32'\ncount = '1'\n"
        "expect = '3'\n[[launch]]\ngrid = ['1']\nblock = ['1']\nparams = [{ u64 = 'out' }]\n");
  write("s.toml", "kernels = 'store'\n");
  const Outcome first = g80("sweep s.toml");
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_EQ(g80("sweep s.toml --quiet").code, 0);
  EXPECT_EQ(stored("s.sweep").size(), 1u);
  write("value.h", "#define VALUE 4\n");
  EXPECT_EQ(g80("sweep s.toml --quiet").code, 1);
}

TEST_F(Sweep, MistakesInTheFileAreNamedWithTheirLine) {
  refuses("kernels = ['vec_ad']", "s.toml:1: kernels: vec_ad: there is no such file or kernel; did you mean vec_add?");
  refuses("kernels = 'vec_add'\nkernel = 1", "s.toml:2: kernel: unknown key; allowed are name, kernels");
  refuses("kernels = 'vec_add'\n[keys]\nsm.sheduler = 1",
          "there is no key 'sm.sheduler'; did you mean 'sm.scheduler'?");
  refuses("kernels = 'vec_add'\n[keys]\nsm.scheduler = 'best'", "sm.scheduler = best: allowed is ");
  refuses("kernels = 'vec_add'\nconstraints = 'sm.max_warp > 3'",
          "there is no key 'sm.max_warp'; did you mean sm.max_warps?");
  refuses("kernels = 'vec_add'\nkeys.dram.t_rcd = { from = 3, to = 1 }", "the range is empty or endless");
  refuses("kernels = 'vec_add'\nkeys.dram.t_rcd = [3, 3]", "the value 3 is given twice");
  refuses("kernels = 'vec_add'\nargs.vec_add.m = 3", "has no argument 'm'");
  refuses("kernels = 'vec_add'\nargs.saxpy.n = 3", "'saxpy' is not in 'kernels'");
  refuses("kernels = 'vec_add'\noptions = '--stats x.json'", "--stats names one file, but there are many runs");
  refuses("kernels = 'vec_add'\noptions = '--wav x'", "did you mean --wave?");
  refuses("kernels = 'vec_add'\n[[exclude]]\nseed = 2", "exclude: seed must be one of 1");
  refuses("kernels = 'vec_add'\n[[exclude]]\nsede = 1", "'sede' is none of kernel, device, seed");
  refuses("kernels = 'vec_add'\nconstraints = '1 == 2'", "constraints and exclusions leave no run");
  refuses("kernels = 'vec_add'\nseeds = { from = 1, to = 90000 }\nkeys.dram.t_rcd = { from = 1, to = 20 }",
          "1800000 runs; at most 1000000 are possible");
}

TEST_F(Sweep, EachResultIsThatOfTheRunItselfAndTheFilesSaySo) {
  write("s.toml", kTwelve + "[report]\nmetric = 'shader_cycles'\nbaseline.sm.scheduler = 'oldest_first'\n");
  const Outcome outcome = g80("sweep s.toml -j 2");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("[12/12] vec_add n="), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" executing, "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("s: 12 of 12 runs are as expected; s.sweep/report.html"), std::string::npos);
  const Document document = results("s.sweep");
  ASSERT_EQ(document["runs"].size(), 12u);
  for (const std::size_t r : {0u, 11u}) {  // the command that stands in the result repeats it
    const Document& run = document["runs"][r];
    const std::string command = run["command"];
    ASSERT_EQ(command.rfind("g80 ", 0), 0u);
    ASSERT_EQ(g80(command.substr(4) + " --stats one.json").code, 0);
    const Document one = Document::parse(contents_of(folder_ / "one.json"))["runs"][0];
    EXPECT_EQ(run["numbers"]["shader_cycles"], one["shader_cycles"]) << command;
    EXPECT_EQ(run["numbers"]["stall.memory"], one["stall"]["memory"]) << command;
  }
  const std::string csv = contents_of(folder_ / "s.sweep/results.csv");
  EXPECT_EQ(csv.rfind("kernel,device,n,block,sm.scheduler,seed,verdict,code,as_expected,shader_cycles,", 0), 0u);
  EXPECT_EQ(count_of(csv, "\n"), 13u);
  const std::string junit = contents_of(folder_ / "s.sweep/junit.xml");
  EXPECT_NE(junit.find("<testsuite name=\"vec_add\" tests=\"12\" failures=\"0\" errors=\"0\" skipped=\"0\""),
            std::string::npos);
  const std::string page = contents_of(folder_ / "s.sweep/report.html");
  EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org/2000/svg")) << "the page needs no network";
  EXPECT_NE(page.find("The baseline is sm.scheduler=oldest_first."), std::string::npos);
  // Nothing is left to do; the files are the same again.
  const Outcome again = g80("sweep s.toml -j 2");
  EXPECT_NE(again.output.find("12 of 12 runs have a result already"), std::string::npos) << again.output;
  EXPECT_EQ(contents_of(folder_ / "s.sweep/results.csv"), csv);
}

// The program is killed at moments that nobody chose, with all that it started, until it ends by itself. A host that
// ends it before it was killed often enough begins again and kills sooner.
TEST_F(Sweep, NothingIsLostWhenItIsKilledAtAnyMoment) {
  write("s.toml", kTwelve);
  ASSERT_EQ(g80("sweep s.toml --out whole --quiet -j 2").code, 0);
  std::mt19937 random(::g80::random_seed());
  std::map<std::string, std::string> before;
  constexpr unsigned kEnough = 3;
  unsigned kills = 0;
  double patience = 50'000;  // microseconds
  for (bool ended = false; !ended;) {
    const ::pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      ::setpgid(0, 0);
      const std::string command = "cd '" + folder_.string() + "' && exec " + G80_PROGRAM +
                                  " sweep s.toml --out killed --quiet -j 2 >/dev/null 2>&1";
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    patience *= 1.25;  // in the end enough for a run, on a slow host too
    std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<unsigned>(patience)));
    int status = 0;
    ended = ::waitpid(pid, &status, WNOHANG) == pid;
    if (!ended) {
      // The leader alone or the whole group: what it started must not go on either way.
      ::kill(random() % 2 == 0 ? pid : -pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      ++kills;
    } else {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    const auto now = stored("killed");
    for (const auto& [id, text] : before) EXPECT_EQ(now.count(id), 1u) << id << " was lost";
    for (const auto& [id, text] : before) {
      const auto same = now.find(id);
      EXPECT_TRUE(same == now.end() || same->second == text) << id << " was made twice";
    }
    before = now;
    if (ended && kills < kEnough) {
      ended = false;
      patience = std::max(patience / 8, 1.0);
      before.clear();
      fs::remove_all(folder_ / "killed");
    }
  }
  EXPECT_EQ(contents_of(folder_ / "killed/results.csv"), contents_of(folder_ / "whole/results.csv"));
  EXPECT_EQ(contents_of(folder_ / "killed/results.json"), contents_of(folder_ / "whole/results.json"));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "killed/runs"))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

TEST_F(Sweep, AFailureKeepsItsCommandAndItsLog) {
  // The kernel does not fit one of the devices, and one limit is too low.
  write("s.toml", "kernels = ['atomics', 'vec_add']\ndevices = ['8800gtx', 'tiny']\noptions = '--max-cycles 3000'\n");
  const Outcome outcome = g80("sweep s.toml");
  EXPECT_EQ(outcome.code, 3) << outcome.output;
  const Document document = results("s.sweep");
  ASSERT_EQ(document["runs"].size(), 4u);
  const Document& refused = document["runs"][0];
  EXPECT_EQ(refused["verdict"], "refused");
  EXPECT_EQ(refused["code"], 2);
  const std::string log = contents_of(folder_ / "s.sweep" / refused["log"].get<std::string>());
  EXPECT_EQ(log.rfind("$ g80 run atomics --device 8800gtx --max-cycles 3000\n", 0), 0u) << log;
  EXPECT_NE(log.find("the kernel needs sm_11"), std::string::npos) << log;
  EXPECT_NE(outcome.output.find("the kernel needs sm_11"), std::string::npos) << outcome.output;
  const std::string junit = contents_of(folder_ / "s.sweep/junit.xml");
  EXPECT_NE(junit.find("<error message=\"refused\">g80 run atomics --device 8800gtx"), std::string::npos) << junit;
  EXPECT_NE(junit.find("<failure message=\"max_cycles\">"), std::string::npos) << junit;
  // What was not as expected runs again only if the user asks for it.
  EXPECT_EQ(g80("sweep s.toml").output.find("[1/4]"), std::string::npos);
  EXPECT_NE(g80("sweep s.toml --retry").output.find("[4/4]"), std::string::npos);
}

TEST_F(Sweep, ARunThatTakesTooLongIsStopped) {
  write("s.toml", kEndless + "limit_s = 1\n");
  const Outcome outcome = g80("sweep s.toml");
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_NE(outcome.output.find("endless on tiny: stopped after 1 s"), std::string::npos) << outcome.output;
}

TEST_F(Sweep, ARunThatIsMeantToHangHasNoSpeedUp) {
  write("s.toml",
        "kernels = ['vec_add', 'dot_product_hang']\ndevices = ['8600gts']\n"
        "keys.dram.t_rcd = [12, 14]\noptions = '--check off'\n");
  ASSERT_EQ(g80("sweep s.toml").code, 0);
  const Document document = results("s.sweep");
  EXPECT_EQ(document["runs"][2]["verdict"], "barrier_deadlock (expected)");
  const std::string html = contents_of(folder_ / "s.sweep/report.html"), begin = "id=\"page\">";
  const std::size_t at = html.find(begin) + begin.size();
  const Document page = Document::parse(html.substr(at, html.find("</script>", at) - at));
  const Document& table = page["sections"][1]["items"][1];
  ASSERT_EQ(table["columns"].back()["name"], "dot_product_hang");
  for (const Document& row : table["rows"]) {
    EXPECT_EQ(row[1], row[3]) << "the speed-up is that of vec_add";
    EXPECT_EQ(row[2], 1) << "runs that are compared";
    EXPECT_TRUE(row[4].is_null()) << row;
  }
}

TEST_F(Sweep, TwoSweepsAreComparedAndGatesDecide) {
  const std::string plain = "kernels = ['vec_add']\ndevices = ['tiny']\nargs.vec_add = { n = [64], block = 64 }\n";
  write("s.toml", plain);
  ASSERT_EQ(g80("sweep s.toml --out a").code, 0);
  EXPECT_EQ(g80("sweep s.toml --out b --against a/results.json").code, 0);
  write("t.toml", plain + "options = '--set dram.t_rcd=6'\n");
  const Outcome differs = g80("sweep t.toml --out c --against a/results.json");
  EXPECT_EQ(differs.code, 1);
  EXPECT_NE(differs.output.find("vec_add n=64 block=64 on tiny: shader_cycles "), std::string::npos) << differs.output;
  EXPECT_NE(differs.output.find("against a/results.json: 1 runs in both, 1 differ, 0 only here, 0 only there"),
            std::string::npos);
  EXPECT_EQ(g80("sweep t.toml --out c --against a/results.json --gate 'cycles<=+50%'").code, 0);
  const Outcome broken = g80("sweep t.toml --out c --against a/results.json --gate 'cycles<=+0.01%' --quiet");
  EXPECT_EQ(broken.code, 1);
  EXPECT_NE(broken.output.find("gate cycles<=+0.01% failed for vec_add n=64"), std::string::npos) << broken.output;
  EXPECT_EQ(g80("sweep t.toml --out c --against a/results.json --gate 'sycles<=0'").code, 2);
  EXPECT_EQ(g80("sweep t.toml --gate 'cycles<=0'").code, 2);
  EXPECT_EQ(g80("sweep t.toml --against t.toml").code, 2);
}

TEST_F(Sweep, OneFolderHasOneSweepAtATime) {
  write("s.toml", kEndless);
  const std::string sweep = std::string(G80_PROGRAM) + " sweep s.toml -j 1 --quiet";
  const Outcome both = ::g80::test::shell("cd '" + folder_.string() + "'\n" + sweep +
                                          " >/dev/null 2>&1 &\nfirst=$!\nuntil ls s.sweep/failed/*/log.txt >/dev/null "
                                          "2>&1; do kill -0 $first || exit 99; sleep 0.05; done\n" +
                                          sweep + "; echo code $?; kill -KILL $first; wait $first");
  EXPECT_NE(both.output.find("g80: s.sweep: another sweep works in this folder"), std::string::npos) << both.output;
  EXPECT_NE(both.output.find("code 2"), std::string::npos) << both.output;
}

// Made results, so that the collector's time is seen: docs/sweep.md has the time of 100 000 (G80_SWEEP_RUNS=100000).
TEST_F(Sweep, TablesOfManyRunsAreMadeOfTheirFiles) {
  const char* const wanted = std::getenv("G80_SWEEP_RUNS");
  const unsigned runs = wanted != nullptr ? static_cast<unsigned>(std::atoi(wanted)) : 1000;
  write("s.toml",
        "kernels = ['vec_add']\nkeys.dram.t_rcd = { from = 1, to = 20 }\nkeys.dram.t_rp = { from = 1, to = 50 }\n"
        "seeds = { from = 1, to = " +
            std::to_string(runs / 1000) + " }\n");
  const Outcome empty = g80("sweep s.toml --collect");
  ASSERT_EQ(empty.code, 1) << empty.output;
  Document one;
  {
    write("one.toml", "kernels = ['vec_add']\n");
    ASSERT_EQ(g80("sweep one.toml --quiet").code, 0);
    one = Document::parse(stored("one.sweep").begin()->second);
  }
  const auto& names = one["names"];
  const auto milliseconds =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "milliseconds") - names.begin());
  std::map<std::string, std::string> texts;  // by t_rcd
  const Document document = results("s.sweep");
  for (const Document& run : document["runs"]) {
    const std::string id = run["id"];
    const std::string t_rcd = run["keys"]["dram.t_rcd"];
    std::string& text = texts[t_rcd];
    if (text.empty()) {
      one["values"][milliseconds] = 1 + 0.01 * std::stod(t_rcd);
      text = one.dump();
    }
    fs::create_directories(folder_ / "s.sweep/runs" / id.substr(0, 2));
    std::ofstream(folder_ / "s.sweep/runs" / id.substr(0, 2) / (id + ".json")) << text;
  }
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = g80("sweep s.toml --collect");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(count_of(contents_of(folder_ / "s.sweep/results.csv"), "\n"), runs + 1);
  EXPECT_NE(outcome.output.find("  1.0000  dram.t_rcd=1, dram.t_rp=2\n"), std::string::npos) << outcome.output;
  const std::string page = contents_of(folder_ / "s.sweep/report.html");
  for (const char* plot : {"\"speed-up-bars\"", "\"heat-map\"", "\"pareto\""})
    EXPECT_NE(page.find(plot), std::string::npos) << plot;
  RecordProperty("seconds", std::to_string(seconds));
  if (wanted != nullptr) std::printf("collected %u runs in %.1f s\n", runs, seconds);
}

/// Slurm of one node, on the loopback.
class SlurmSweep : public Sweep {
 protected:
  void SetUp() override {
    const Outcome start = ::g80::test::shell("'" + script_ + "' start '" + cluster() + "'");
    started_ = start.code == 0;
    if (start.code == 77) GTEST_SKIP() << "Slurm is not installed, or this user is not root";
    ASSERT_EQ(start.code, 0) << start.output;
    ::setenv("SLURM_CONF", (cluster() + "/slurm.conf").c_str(), 1);
  }
  void TearDown() override {
    if (started_) ::g80::test::shell("scancel --quiet --me; '" + script_ + "' stop '" + cluster() + "'");
  }
  std::string cluster() const { return (folder_ / "slurm").string(); }

  const std::string script_ = G80_SOURCE_DIR "/tests/support/slurm_cluster";
  bool started_ = false;
};

TEST_F(SlurmSweep, AJobArrayGivesTheSameResultsThoughItsJobsAreKilled) {
  write("s.toml", kTwelve);
  ASSERT_EQ(g80("sweep s.toml --out local --quiet").code, 0);
  // Job arrays are cancelled as soon as they have given something, and the collector is killed once.
  const Outcome outcome = ::g80::test::shell("cd '" + folder_.string() + "'\n" + G80_PROGRAM +
                                             " sweep s.toml --on slurm --out farm >first.txt 2>&1 &\n" +
                                             "collector=$!\n"
                                             "while ! ls farm/runs/*/*.json >/dev/null 2>&1; do sleep 0.1; done\n"
                                             "kill -KILL $collector; wait $collector 2>/dev/null\n" +
                                             G80_PROGRAM + " sweep s.toml --on slurm --out farm >second.txt 2>&1 &\n" +
                                             "collector=$!\nsleep 0.5; scancel --me\n"
                                             "wait $collector; echo code $?; cat second.txt");
  EXPECT_NE(outcome.output.find("code 0\n"), std::string::npos) << outcome.output << contents_of(folder_ / "first.txt");
  EXPECT_EQ(contents_of(folder_ / "farm/results.csv"), contents_of(folder_ / "local/results.csv"));
}

}  // namespace

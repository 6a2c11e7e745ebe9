// SPDX-License-Identifier: Apache-2.0
// The committed views are the machine's, and GTKWave shows a kernel with them.
#include "tb/machine/machine_views.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "tb/waves/standard_views.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Two blocks of 64 threads; returns the shader cycles.
std::uint64_t draw_vec_add(const std::string& wave, WaveLevel level, const char* rtl) {
  MachineOptions options;
  options.lockstep = false;
  options.rtl = rtl;
  options.wave = WaveOptions{};
  options.wave->file = wave;
  options.wave->level = level;
  options.wave_on = parse_event("launch");
  GpuBackend machine(load_config("8600gts"), options);
  const Module module = assemble_file(G80_SOURCE_DIR "/kernels/vec_add/vec_add.sasm");
  machine.load(module);
  std::vector<std::uint32_t> params;
  for (const char* name : {"a", "b", "c"}) params.push_back(machine.allocate(512, name));
  params.push_back(128);
  const LaunchResult result = machine.launch({machine.config(), module.kernels.front(), {2, 1, 1}, {64, 1, 1}, params});
  EXPECT_EQ(result.end, LaunchEnd::kFinished);
  EXPECT_TRUE(machine.finish().empty());
  return result.shader_cycles;
}

class MachineViewsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = fs::temp_directory_path() / fmt::format("g80_machine_views_{}", ::getpid());
    fs::create_directories(dir_);
  }
  static void TearDownTestSuite() { fs::remove_all(dir_); }
  /// A wave of vec_add with all twins, drawn when the first test asks for it: that takes longer than any test.
  static std::string drawn(const char* format) {
    const fs::path dump = dir_ / fmt::format("vec_add.{}", format);
    if (!fs::exists(dump)) {
      EXPECT_GT(draw_vec_add(dump.string(), WaveLevel::kRegisters, "all"), 100u);
    }
    return dump.string();
  }
  /// The files of all views, written once.
  static const std::vector<std::string>& views() {
    static const std::vector<std::string> files = write_machine_views(load_config("8600gts"), dir_.string());
    return files;
  }
  static inline fs::path dir_;
};

TEST_F(MachineViewsTest, TheCommittedViewsAreThoseOfTheMachine) {
  EXPECT_GT(views().size(), 10u);
  std::string text;
  for (const ViewSpec& view : standard_views()) text += contents(dir_ / (view.name + ".gtkw"));
  for (const std::string& file : views()) {
    const fs::path name = fs::relative(file, dir_);
    // Made when somebody wants them: Surfer's views, and filters that no view names.
    if (name.extension() == ".sucl" || (name.has_parent_path() && text.find(name.string()) == std::string::npos))
      continue;
    EXPECT_EQ(contents(fs::path(G80_SOURCE_DIR) / "waves" / name), contents(file))
        << "waves/" << name.string() << " is not what the machine gives: run `g80 list --views waves`";
  }
}

TEST_F(MachineViewsTest, TheViewOfTheTlbHasEveryWalker) {
  Config config = load_config("8600gts");
  config.tlb.walkers = 3;
  const fs::path dir = dir_ / "walkers";
  fs::create_directories(dir);
  write_machine_views(config, dir.string());
  const std::string view = contents(dir / "tlb.gtkw");
  for (const char* walker : {"walker[0].state", "walker[2].state", "walker[2].table"})
    EXPECT_NE(view.find(walker), std::string::npos) << walker;
  EXPECT_EQ(view.find("walker[3]"), std::string::npos);
}

std::size_t rows(const std::string& view, const std::string& begin) {
  std::size_t count = 0;
  std::istringstream lines(view);
  for (std::string line; std::getline(lines, line);) count += line.rfind(begin, 0) == 0 ? 1 : 0;
  return count;
}
// A row is a signal; a source line is made of a valid bit and the 24 bits of a pc, which GTKWave counts one by one.
std::size_t shown_signals(const std::string& view) { return rows(view, "+{") + 25 * rows(view, "#{"); }

TEST_F(MachineViewsTest, GtkWaveFindsEverySignalOfEveryViewAndReadsTheKernelsEnd) {
  for (const char* program : {"gtkwave", "xvfb-run"}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) != 0) {
      GTEST_SKIP() << program << " is not installed (Debian packages gtkwave and xvfb)";
    }
  }
  // GTKWave drops rows whose signal it does not find, and reads rows by their title. The marker stands at the last
  // moment: both blocks have ended, and no warp is left to issue.
  std::string script = "set before 0\n";
  std::vector<std::string> expected;
  for (const ViewSpec& view : standard_views()) {
    script += fmt::format(
        "gtkwave::loadFile waves/{0}.gtkw\nset now [llength [gtkwave::getDisplayedSignals]]\n"
        "puts \"view {0} [expr $now - $before]\"\nset before $now\n",
        view.name);
    const std::size_t signals = shown_signals(contents(fmt::format("{}/waves/{}.gtkw", G80_SOURCE_DIR, view.name)));
    ASSERT_GT(signals, 15u) << view.name;
    expected.push_back(fmt::format("view {} {}\n", view.name, signals));
  }
  script += "gtkwave::setMarker [gtkwave::getMaxTime]\n";
  const std::pair<const char*, const char*> values[] = {
      {"CTAs on SMs and on their way", "0"},      // overview: blocks
      {"stall reason", "NO_WARP"},                // an enumeration
      {"ready resident", "00000000"},             // issue
      {"lanes of the pass", "0000000000000000"},  // shared_memory: nobody used it
      {"bursts back", "0"},                       // load
      {"transactions made", "1"},                 // coalescing: the last half-warp
      {"bytes of a lane", "4"},
      {"warp 0: stack entries", "0"},       // divergence
      {"slot 0: warps launched", "2"},      // barrier
      {"miss: client", "INSTRUCTION"},      // caches: the kernel reads no constants
      {"command kind", "-"},                // dram
      {"source line", "-"},                 // no instruction
      {"RTL pick_q stall", "StallNoWarp"},  // rtl: an enumeration of the SystemVerilog source
      {"RTL eligible", "00000000"},
  };
  for (const auto& [row, value] : values) {
    script += fmt::format("puts \"{0} = [gtkwave::getTraceValueAtMarkerFromName {{{0}}}].\"\n", row);
    expected.push_back(fmt::format("{} = {}.\n", row, value));
  }
  std::ofstream(dir_ / "script.tcl") << script << "gtkwave::/File/Quit\n";
  for (const char* format : {"vcd", "fst"}) {
    SCOPED_TRACE(format);
    const std::string dump = drawn(format);
    const std::string log = (dir_ / "log").string();
    const std::string command =
        fmt::format("cd {} && HOME={} timeout 1000 xvfb-run -a gtkwave -f {} -S {}/script.tcl > {} 2>&1",
                    G80_SOURCE_DIR, dir_.string(), dump, dir_.string(), log);
    (void)std::system(command.c_str());
    const std::string text = contents(log);
    for (const std::string& line : expected) EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

// Where a view opens is beside the wave: at the first moment of a launch at which its signals move.
// GTKWave's column is as wide as a view says; values stand behind its longest text.
TEST_F(MachineViewsTest, TextsLeaveRoomForValues) {
  for (const ViewSpec& view : standard_views()) {
    std::istringstream lines(contents(fmt::format("{}/waves/{}.gtkw", G80_SOURCE_DIR, view.name)));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t characters = line[0] == '+' ? line.find('}') - 2 : line[0] == '-' ? line.size() - 1 : 0;
      EXPECT_LE(characters, 43u) << view.name << ": " << line;
    }
  }
}

TEST_F(MachineViewsTest, EveryViewOpensWhereItsSignalsMove) {
  const std::string dump = drawn("fst");
  const Picoseconds launched = Domain::edge_time(load_config("8600gts").clock.shader_mhz, 1);
  std::map<std::string, std::pair<Picoseconds, Picoseconds>> opened;
  std::istringstream lines(contents(dump + ".lines"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mark, view;
    Picoseconds start = 0, marker = 0;
    if (words >> mark >> view >> start >> marker && mark == "#@") opened[view] = {start, marker};
  }
  const Picoseconds launch = opened["overview"].second;
  EXPECT_GT(launch, launched);
  for (const ViewSpec& view : standard_views()) {
    SCOPED_TRACE(view.name);
    ASSERT_EQ(opened.count(view.name), 1u);
    const auto [start, marker] = opened[view.name];
    EXPECT_LT(start, marker);
    EXPECT_GE(marker, launch);
    EXPECT_LT(static_cast<double>(marker - start), std::exp2(view.zoom)) << "the marker is on the screen";
    // vec_add has no barrier and no texture: their views open at the launch, as those of the launch do, the others
    // behind it.
    const std::set<std::string> still = {"overview", "blocks", "barrier", "texture"};
    const bool moves = still.count(view.name) == 0;
    EXPECT_EQ(marker > launch, moves);
  }
  const std::string saved = contents(dump + ".gtkw");
  EXPECT_NE(saved.find(fmt::format(" {} -1", opened["issue"].second)), std::string::npos)
      << "the marker of its own view";
  EXPECT_NE(saved.find(fmt::format("[dumpfile] \"{}\"\n", dump)), std::string::npos);
  EXPECT_GT(shown_signals(saved), shown_signals(contents(G80_SOURCE_DIR "/waves/overview.gtkw")) - 10);
  EXPECT_GT(opened["issue"].second, opened["caches"].second) << "the first instruction comes after the first miss";
  EXPECT_GT(opened["load"].second, opened["issue"].second);
}

TEST_F(MachineViewsTest, ThePageHasEveryPlaceAndTheViewThatOpensThere) {
  const std::string page = contents(G80_SOURCE_DIR "/waves/README.md");
  std::map<std::string, std::string> views;  // by place
  for (const ViewSpec& view : standard_views()) {
    std::string& list = views[view.place];
    list += fmt::format("{}`{}`", list.empty() ? "" : ", ", view.name);
  }
  for (const WavePlace& place : wave_places()) {
    const std::size_t row = page.find(fmt::format("\n| `{}` | ", place.name));
    ASSERT_NE(row, std::string::npos) << place.name;
    const std::string text = page.substr(row + 1, page.find('\n', row + 1) - row - 1), list = views[place.name];
    const std::string end = list.empty() ? " | |" : " | " + list + " |";
    EXPECT_EQ(text.substr(text.size() - end.size()), end) << text;
    views.erase(place.name);
  }
  EXPECT_TRUE(views.empty()) << "a view opens at " << views.begin()->first << ", which is no place";
}

// The viewer's window stands there.
TEST_F(MachineViewsTest, TheViewerOpensThere) {
  for (const char* program : {"gtkwave", "xvfb-run"}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) != 0)
      GTEST_SKIP() << program << " is not installed";
  }
  const std::string dump = drawn("fst"), log = (dir_ / "log").string();
  std::ofstream(dir_ / "script.tcl")
      << "puts \"start [gtkwave::getWindowStartTime] marker [gtkwave::getMarker].\"\ngtkwave::/File/Quit\n";
  const std::string text = contents(dump + ".lines");
  for (const char* view : {"issue", "overview", "dram"}) {
    const std::size_t at = text.find(fmt::format("#@ {} ", view)) + 4 + std::string(view).size();
    const std::size_t space = text.find(' ', at);
    (void)std::system(
        fmt::format("HOME={0} timeout 1000 xvfb-run -a {1}/waves/view {2} {3} -S {0}/script.tcl > {4} 2>&1",
                    dir_.string(), G80_SOURCE_DIR, dump, view, log)
            .c_str());
    const std::string marker = text.substr(space + 1, text.find('\n', space) - space - 1);
    EXPECT_NE(contents(log).find(fmt::format(" marker {}.", marker)), std::string::npos) << view << contents(log);
    std::smatch start;
    const std::string told = contents(log);
    ASSERT_TRUE(std::regex_search(told, start, std::regex("start ([0-9]+) "))) << told;
    EXPECT_LE(std::stoull(start[1]), std::stoull(marker)) << view;
    EXPECT_LT(static_cast<double>(std::stoull(marker) - std::stoull(start[1])), 2e6)
        << view << ": two microseconds, the widest view's margin";
  }
}

// Surfer's rule: the range of a variable belongs to its name where the file has one, each index before it is a level.
std::set<std::string> surfer_names(const std::string& vcd) {
  std::set<std::string> names;
  std::vector<std::string> scopes;
  std::istringstream lines(vcd);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, kind, name, width, id;
    words >> word >> kind;
    if (word == "$enddefinitions") break;
    if (word == "$upscope") scopes.pop_back();
    if (word == "$scope" && words >> name) scopes.push_back(name);
    if (word != "$var") continue;
    words >> id >> id >> name;
    std::string full;
    for (const std::string& scope : scopes) full += scope + '.';
    for (const char c : name) full += c == '[' ? std::string(".[") : std::string(1, c);
    names.insert(full);
  }
  return names;
}

TEST_F(MachineViewsTest, SurferFindsEverySignalOfEveryCommandFile) {
  const std::set<std::string> names = surfer_names(contents(drawn("vcd")));
  ASSERT_FALSE(views().empty());
  const std::regex command(
      "divider_add [A-Za-z0-9_]+|item_focus a|variable_add (\\S+)|item_set_format (Unsigned|Hexadecimal|Binary)|"
      "item_set_color (Green|Orange|Yellow)|item_rename [^#;]+");
  for (const ViewSpec& view : standard_views()) {
    SCOPED_TRACE(view.name);
    std::istringstream lines(contents(dir_ / (view.name + ".sucl")));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line) && line == "# " + view.question) << line;
    std::size_t variables = 0;
    for (std::smatch match; std::getline(lines, line);) {
      ASSERT_TRUE(std::regex_match(line, match, command)) << line;
      if (!match[1].matched) continue;
      ++variables;
      EXPECT_EQ(names.count(match[1]), 1u) << line;
    }
    const std::string gtkwave_view = contents(fmt::format("{}/waves/{}.gtkw", G80_SOURCE_DIR, view.name));
    EXPECT_EQ(variables, rows(gtkwave_view, "+{"));
  }
}

TEST_F(MachineViewsTest, ALevelHasWhatTheOneBelowHasAndMore) {
  const std::string dump = (dir_ / "level.vcd").string();
  std::set<std::string> below;
  std::uintmax_t size = 0;
  for (const WaveLevel level :
       {WaveLevel::kArchitecture, WaveLevel::kPipeline, WaveLevel::kRegisters, WaveLevel::kLanes}) {
    SCOPED_TRACE(static_cast<int>(level));
    EXPECT_GT(draw_vec_add(dump, level, ""), 100u);
    const std::set<std::string> names = surfer_names(contents(dump));
    EXPECT_TRUE(std::includes(names.begin(), names.end(), below.begin(), below.end()));
    EXPECT_GT(names.size(), below.size());
    EXPECT_GT(fs::file_size(dump), size);
    const auto has = [&](const char* name) { return names.count(name) != 0; };
    EXPECT_TRUE(has("gpu.tpc1.sm1.issue.insn.pc") && has("gpu.tpc0.sm0.ready.wait_barrier") &&
                has("gpu.cta_scheduler.unfinished"));
    EXPECT_EQ(has("gpu.tpc0.sm0.smem_request.valid"), level >= WaveLevel::kPipeline) << "a wire";
    EXPECT_EQ(has("gpu.tpc0.sm0_access.lanes"), level >= WaveLevel::kPipeline) << "a crossing";
    EXPECT_EQ(has("gpu.tpc0.sm0.bank_conflict.pending"), level >= WaveLevel::kRegisters) << "a register";
    below = names;
    size = fs::file_size(dump);
  }
}

}  // namespace
}  // namespace g80

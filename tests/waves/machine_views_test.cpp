// The committed views are the machine's, and GTKWave shows a kernel with them.
#include "tb/machine/machine_views.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/toolchain/assembler/assembler.h"
#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "tb/waves/standard_views.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class MachineViewsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / fmt::format("g80_machine_views_{}", ::getpid());
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  fs::path dir_;
};

TEST_F(MachineViewsTest, TheCommittedViewsAreThoseOfTheMachine) {
  const std::vector<std::string> files = write_machine_views(load_config("8600gts"), dir_.string());
  EXPECT_GT(files.size(), 10u);
  for (const std::string& file : files) {
    const fs::path name = fs::relative(file, dir_);
    EXPECT_EQ(contents(fs::path(G80_SOURCE_DIR) / "waves" / name), contents(file))
        << "waves/" << name.string() << " is not what the machine gives: run `g80 list --views waves`";
  }
}

// Two blocks of 64 threads; returns the shader cycles.
std::uint64_t draw_vec_add(const std::string& wave) {
  MachineOptions options;
  options.lockstep = false;
  options.wave = WaveOptions{};
  options.wave->file = wave;
  options.wave_launch = true;
  GpuBackend machine(load_config("8600gts"), options);
  const Module module = assemble_file(G80_SOURCE_DIR "/kernels/vec_add/vec_add.sasm");
  machine.load(module);
  LaunchRequest request;
  request.kernel = &module.kernels.front();
  request.grid = {2, 1, 1};
  request.block = {64, 1, 1};
  for (const char* name : {"a", "b", "c"}) request.params.push_back(machine.allocate(512, name));
  request.params.push_back(128);
  const LaunchResult result = machine.launch(request);
  EXPECT_EQ(result.end, LaunchEnd::kFinished);
  EXPECT_TRUE(machine.finish().empty());
  return result.shader_cycles;
}

// A row is a signal; a source line is made of a valid bit and the 24 bits of a pc, which GTKWave counts one by one.
std::size_t shown_signals(const std::string& view) {
  std::size_t count = 0;
  std::istringstream lines(view);
  for (std::string line; std::getline(lines, line);) count += line.rfind("+{", 0) == 0 ? 1 : line.rfind("#{", 0) == 0 ? 25 : 0;
  return count;
}

TEST_F(MachineViewsTest, GtkWaveFindsEverySignalOfEveryViewAndReadsTheKernelsEnd) {
  for (const char* program : {"gtkwave", "xvfb-run"}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) != 0) {
      GTEST_SKIP() << program << " is not installed (Debian packages gtkwave and xvfb)";
    }
  }
  // GTKWave drops rows whose signal it does not find, and reads rows by their title. The marker stands at the last moment:
  // both blocks have ended, and no warp is left to issue.
  std::string script = "set before 0\n";
  std::vector<std::string> expected;
  for (const ViewSpec& view : standard_views()) {
    script += fmt::format("gtkwave::loadFile waves/{0}.gtkw\nset now [llength [gtkwave::getDisplayedSignals]]\n"
                          "puts \"view {0} [expr $now - $before]\"\nset before $now\n", view.name);
    const std::size_t signals = shown_signals(contents(fmt::format("{}/waves/{}.gtkw", G80_SOURCE_DIR, view.name)));
    ASSERT_GT(signals, 15u) << view.name;
    expected.push_back(fmt::format("view {} {}\n", view.name, signals));
  }
  script += "gtkwave::setMarker [gtkwave::getMaxTime]\n";
  const std::pair<const char*, const char*> values[] = {
      {"finished", "2"},                          // overview: blocks
      {"stall reason", "NO_WARP"},                // an enumeration
      {"ready resident", "00000000"},             // issue
      {"lanes of the pass", "0000000000000000"},  // shared_memory: nobody used it
      {"bursts back", "0"},                       // load
      {"transactions made", "1"},                 // coalescing: the last half-warp
      {"bytes of a lane", "4"},
      {"warp 0: stack entries", "0"},             // divergence
      {"slot 0: warps launched", "2"},            // barrier
      {"miss: client", "INSTRUCTION"},            // caches: the kernel reads no constants
      {"command kind", "-"},                      // dram
      {"source line", "-"},                       // no instruction
  };
  for (const auto& [row, value] : values) {
    script += fmt::format("puts \"{0} = [gtkwave::getTraceValueAtMarkerFromName {{{0}}}].\"\n", row);
    expected.push_back(fmt::format("{} = {}.\n", row, value));
  }
  std::ofstream(dir_ / "script.tcl") << script << "gtkwave::/File/Quit\n";
  for (const char* format : {"vcd", "fst"}) {
    SCOPED_TRACE(format);
    const std::string dump = (dir_ / fmt::format("vec_add.{}", format)).string();
    EXPECT_GT(draw_vec_add(dump), 100u);
    const std::string log = (dir_ / "log").string();
    const std::string command = fmt::format("cd {} && HOME={} timeout 60 xvfb-run -a gtkwave -f {} -S {}/script.tcl > {} 2>&1",
                                            G80_SOURCE_DIR, dir_.string(), dump, dir_.string(), log);
    (void)std::system(command.c_str());
    const std::string text = contents(log);
    for (const std::string& line : expected) EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace g80

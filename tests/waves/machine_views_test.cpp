// The committed views are the machine's, and GTKWave shows a kernel with them.
#include "tb/machine/machine_views.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/toolchain/assembler/assembler.h"
#include "source_dir.h"
#include "tb/machine/gpu_backend.h"

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

TEST_F(MachineViewsTest, GtkWaveFindsEverySignalOfTheOverviewAndReadsTheKernelsEnd) {
  for (const char* program : {"gtkwave", "xvfb-run"}) {
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", program).c_str()) != 0) {
      GTEST_SKIP() << program << " is not installed (Debian packages gtkwave and xvfb)";
    }
  }
  const std::string overview = contents(G80_SOURCE_DIR "/waves/overview.gtkw");
  const std::regex row(R"(\n\+\{[^}]*\} (\S+))");
  const auto rows = std::distance(std::sregex_iterator(overview.begin(), overview.end(), row), std::sregex_iterator());
  ASSERT_GT(rows, 100);
  for (const char* format : {"vcd", "fst"}) {
    SCOPED_TRACE(format);
    const std::string dump = (dir_ / fmt::format("vec_add.{}", format)).string();
    EXPECT_GT(draw_vec_add(dump), 100u);
    // A marker at the last moment: both blocks have ended, and no warp is left to issue.
    // GTKWave drops rows whose signal it does not find, and reads rows by their title.
    std::ofstream(dir_ / "script.tcl") << R"(
puts "rows [llength [gtkwave::getDisplayedSignals]]"
gtkwave::setMarker [gtkwave::getMaxTime]
puts "finished [gtkwave::getTraceValueAtMarkerFromName finished]"
puts "stall [gtkwave::getTraceValueAtMarkerFromName {stall reason}]"
gtkwave::/File/Quit
)";
    const std::string log = (dir_ / "log").string();
    const std::string command = fmt::format("cd {} && HOME={} timeout 60 xvfb-run -a gtkwave -f {} -a waves/overview.gtkw -S {}/script.tcl > {} 2>&1",
                                            G80_SOURCE_DIR, dir_.string(), dump, dir_.string(), log);
    (void)std::system(command.c_str());
    const std::string text = contents(log);
    EXPECT_NE(text.find(fmt::format("rows {}\n", rows)), std::string::npos) << text;
    EXPECT_NE(text.find("finished 2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("stall NO_WARP\n"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The viewer itself is the judge: GTKWave opens both formats, finds every signal of a view, and reads the right values.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tb/waves/wave_sink.h"
#include "tb/waves/wave_view.h"
#include "tests/support/shell.h"
#include "tests/support/systemc_test.h"
#include "tests/waves/wave_machine.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

bool has_program(const char* name) { return test::shell(fmt::format("command -v {}", name)).code == 0; }

class GtkWaveTest : public testing::SystemCTest {
 protected:
  void SetUp() override {
    for (const char* program : {"gtkwave", "xvfb-run"}) {
      if (!has_program(program)) GTEST_SKIP() << program << " is not installed (Debian packages gtkwave and xvfb)";
    }
    dir_ = fs::temp_directory_path() / fmt::format("g80_gtkwave_{}", ::getpid());
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  // Loads a dump and a view, runs the script and returns what it printed.
  std::string gtkwave(const fs::path& dump, const fs::path& view, const std::string& script) {
    std::ofstream(dir_ / "script.tcl") << script << "\ngtkwave::/File/Quit\n";
    return test::shell(
               fmt::format("cd {0} && HOME={0} timeout 1000 xvfb-run -a gtkwave -f {1} -a {2} -S {0}/script.tcl",
                           dir_.string(), dump.string(), view.string()))
        .output;
  }
  fs::path dir_;
};

class GtkWaveFormatTest : public GtkWaveTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(GtkWaveFormatTest, FindsEverySignalOfAViewAndReadsItsValues) {
  const ViewSpec view{
      "test",
      "What moves?",
      // clang-format off
                      {{"Clocks", "", true, {{"clocks.*", ViewFormat::kDecimal}}},
                       {"Beater", "*.beater", true, {{"*"}, {"history[0].value"}, {"out.lanes[1]"}}},
                       {"Wires", "", true, {{"gpu.pick.valid"}, {"gpu.pick.value", ViewFormat::kInstruction}, {"gpu.busy"}, {"gpu.crossing.*"}}}}};
  // clang-format on
  const fs::path dump = dir_ / fmt::format("dump{}", GetParam());
  WaveMachine machine(false, 10, 900);
  std::size_t rows = 0;
  {
    WaveOptions options;
    options.file = dump.string();
    WaveSink sink(options, machine.domains());
    sink.open();
    write_views(dir_.string(), {view}, sink.signals(), "filters");
    std::ofstream(dir_ / "filters/instruction") << "#!/bin/sh\nwhile read -r word; do echo \"word $word\"; done\n";
    fs::permissions(dir_ / "filters/instruction", fs::perms::owner_all);
    sc_core::sc_start(sc_core::sc_time::from_value(100'000));
    sink.close();
  }
  std::ifstream saved(dir_ / "test.gtkw");
  for (std::string line; std::getline(saved, line);) rows += line.rfind("+{", 0) == 0 ? 1 : 0;
  const std::string text = gtkwave(dump, dir_ / "test.gtkw",
                                   fmt::format(R"(
set shown 0
foreach name [gtkwave::getDisplayedSignals] {{ incr shown }}
puts "shown $shown"
gtkwave::setMarker {}
puts "cycle [gtkwave::getTraceValueAtMarkerFromName {{clocks shader_cycle}}]"
puts "mood [gtkwave::getTraceValueAtMarkerFromName mood]"
puts "lane [gtkwave::getTraceValueAtMarkerFromName {{out lanes[1]}}]"
puts "history [gtkwave::getTraceValueAtMarkerFromName {{history[0] value}}]"
puts "instruction [gtkwave::getTraceValueAtMarkerFromName {{gpu pick value}}]"
puts "valid [gtkwave::getTraceValueAtMarkerFromName {{gpu pick valid}}]"
gtkwave::setMarker {}
puts "later [gtkwave::getTraceValueAtMarkerFromName mood]")",
                                               machine.shader.edge_time(20), machine.shader.edge_time(21)));
  EXPECT_NE(text.find(fmt::format("shown {}\n", rows)), std::string::npos) << rows << " expected\n" << text;
  EXPECT_NE(text.find("cycle 20\n"), std::string::npos) << text;
  EXPECT_NE(text.find("mood BUSY\n"), std::string::npos) << text;
  EXPECT_NE(text.find("later WAIT_MEMORY\n"), std::string::npos) << text;
  EXPECT_NE(text.find("lane 15\n"), std::string::npos) << text;  // 20 ^ 1, hexadecimal
  EXPECT_NE(text.find("history 0000000A\n"), std::string::npos) << text;
  EXPECT_NE(text.find("instruction word 00000014\n"), std::string::npos) << text;
  EXPECT_NE(text.find("valid 1\n"), std::string::npos) << text;
}

TEST_F(GtkWaveTest, EnumerationsReadAsTextWithoutAFilterInFst) {
  const fs::path dump = dir_ / "dump.fst";
  WaveMachine machine(false, 10, 900);
  {
    WaveOptions options;
    options.file = dump.string();
    WaveSink sink(options, machine.domains());
    sink.open();
    sc_core::sc_start(sc_core::sc_time::from_value(100'000));
  }
  std::ofstream(dir_ / "empty.gtkw") << "[timestart] 0\n";
  const std::string text = gtkwave(dump, dir_ / "empty.gtkw",
                                   fmt::format(R"(
gtkwave::addSignalsFromList [list gpu.beater.mood\[1:0\]]
gtkwave::setMarker {}
puts "mood [gtkwave::getTraceValueAtMarkerFromName gpu.beater.mood\[1:0\]]")",
                                               machine.shader.edge_time(20)));
  EXPECT_NE(text.find("mood BUSY\n"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Formats, GtkWaveFormatTest, ::testing::Values(".vcd", ".fst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

}  // namespace
}  // namespace g80

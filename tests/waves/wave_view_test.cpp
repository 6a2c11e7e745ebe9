// SPDX-License-Identifier: Apache-2.0
// Views show what exists, decoded, and say so when a signal they need is gone.
#include "tb/waves/wave_view.h"

#include <algorithm>
#include <sstream>

#include "hw/isa/disassembler.h"
#include "tb/waves/enum_filters.h"
#include "tb/waves/instruction_filter.h"
#include "tb/waves/trace_file.h"
#include "tests/support/systemc_test.h"
#include "tests/waves/wave_machine.h"

namespace g80 {
namespace {

using WaveViewTest = testing::SystemCTest;

std::vector<Signal> machine_signals(WaveMachine& machine) {
  return list_signals({{}, WaveLevel::kLanes}, machine.domains());
}

TEST_F(WaveViewTest, EveryRowOfAViewNamesASignalWithItsRange) {
  WaveMachine machine(false, 10, 900);
  const ViewSpec view{
      "test", "What moves?", {{"Clocks", "", true, {{"clocks.*"}}}, {"Pick", "*.pick", true, {{"*"}, {"lanes[0]"}}}}};
  const std::string text = view_text(view, machine_signals(machine), "filters");
  for (const char* row :
       {"\n+{clocks shader_clk} clocks.shader_clk\n", "\n+{clocks shader_cycle} clocks.shader_cycle[39:0]\n",
        "} clocks.shader_issue_en\n", "\n+{valid} gpu.pick.valid\n", "\n+{value} gpu.pick.value[31:0]\n",
        "\n+{lanes[0]} gpu.pick.lanes[0][4:0]\n"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(text.find("lanes[1]"), std::string::npos) << "array elements show only where a row asks for them";
}

TEST_F(WaveViewTest, EnumerationsAreDecodedByTheirFilter) {
  WaveMachine machine(false, 10, 900);
  const ViewSpec view{"test", "Which mood?", {{"Beater", "*.beater", true, {{"mood"}}}}};
  EXPECT_NE(view_text(view, machine_signals(machine), "filters")
                .find("@100002028\n^1 filters/Mood.txt\n+{mood} gpu.beater.mood[1:0]\n"),
            std::string::npos);
  const std::string filter = enum_filter_text(enum_text(Mood::kIdle), {2, 8});
  EXPECT_NE(filter.find("\n10 WAIT_MEMORY\n"), std::string::npos);
  EXPECT_NE(filter.find("\n00000010 WAIT_MEMORY\n"), std::string::npos);
}

TEST_F(WaveViewTest, ASourceLineIsFoundByTheValidOfItsBundleAndThePc) {
  WaveMachine machine(false, 10, 900);
  ViewSpec view{"test",
                "Which line?",
                {{"Pick", "*.pick", true, {{"lanes[0]"}, {"lanes[0]", ViewFormat::kSourceLine, "source line"}}}}};
  const std::string bits =
      " gpu.pick.valid (0)gpu.pick.lanes[0][4:0] (1)gpu.pick.lanes[0][4:0] (2)gpu.pick.lanes[0][4:0]"
      " (3)gpu.pick.lanes[0][4:0] (4)gpu.pick.lanes[0][4:0]\n";
  EXPECT_NE(view_text(view, machine_signals(machine), "filters")
                .find("@2022\n^1 filters/source_lines.txt\n#{source line}" + bits),
            std::string::npos);
  EXPECT_NE(
      view_text(view, machine_signals(machine), "filters", "run.fst.lines").find("^1 run.fst.lines\n#{source line}"),
      std::string::npos);
  view.groups = {{"Busy", "gpu", true, {{"busy", ViewFormat::kSourceLine}}}};
  EXPECT_THROW(view_text(view, machine_signals(machine), "filters"), WaveError) << "no valid beside it";
}

TEST_F(WaveViewTest, AMissingSignalOfABlockIsAnErrorAMissingBlockIsNot) {
  WaveMachine machine(false, 10, 900);
  const std::vector<Signal> signals = machine_signals(machine);
  ViewSpec view{"test", "Gone?", {{"Old", "*.beater", true, {{"renamed"}}}}};
  EXPECT_THROW(view_text(view, signals, "filters"), WaveError);
  EXPECT_TRUE(missing_groups(view, signals).empty());
  view.groups[0].scope = "*.divider";
  EXPECT_EQ(view_text(view, signals, "filters").find("Old"), std::string::npos);
  EXPECT_EQ(missing_groups(view, signals), std::vector<std::string>{"Old"});
}

TEST(InstructionFilter, WordsBecomeMnemonics) {
  // nop.exit: both words of a long instruction, first word low.
  const std::uint32_t w0 = 0xf0000001u, w1 = 0xe0000001u;
  const std::string expected = isa::disassemble(w0, w1, isa::Arch::kSm10);
  EXPECT_EQ(expected.find('<'), std::string::npos) << expected;
  EXPECT_EQ(instruction_text("E0000001F0000001", isa::Arch::kSm10), expected);
  EXPECT_EQ(instruction_text("e0000001f0000001", isa::Arch::kSm10), expected);
}

TEST(InstructionFilter, AShortWordNeedsNoSecond) {
  const std::uint32_t w0 = 0x10000204u;
  ASSERT_FALSE(isa::is_long(w0));
  EXPECT_EQ(instruction_text("10000204", isa::Arch::kSm10), isa::disassemble(w0, 0, isa::Arch::kSm10));
  EXPECT_EQ(instruction_text("0000000010000204", isa::Arch::kSm10), isa::disassemble(w0, 0, isa::Arch::kSm10));
}

TEST(InstructionFilter, AnswersEveryLineWithOneLine) {
  std::istringstream in("10000204\nxxxxxxxx\n0\n\nE0000001F0000001\n");
  std::ostringstream out;
  run_instruction_filter(in, out, isa::Arch::kSm10);
  const std::string text = out.str();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_NE(text.find("\nxxxxxxxx\n-\n\n"), std::string::npos);
}

}  // namespace
}  // namespace g80

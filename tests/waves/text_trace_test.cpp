// SPDX-License-Identifier: Apache-2.0
// The text trace follows one thing: a line where it shows up, none where it is not, whoever sleeps.
#include "tb/waves/text_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tb/waves/trace_file.h"
#include "tests/support/systemc_test.h"
#include "tests/waves/wave_machine.h"

namespace g80 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TextTraceTest : public testing::SystemCTest {
 protected:
  TextTrace::Sink keep() {
    return [this](const TraceLine& line) {
      lines.push_back(fmt::format("{} {} {}", line.clock, line.cycle, line.where));
      full.push_back(line);
    };
  }
  std::vector<std::string> lines;
  std::vector<TraceLine> full;
};

void start_ps(Picoseconds time) { sc_core::sc_start(sc_core::sc_time::from_value(time)); }

// Two results of one scheduler cycle, as a release has them.
struct Pair {
  struct Entry {
    bool valid = false;
    std::uint32_t uid = 0;
    G80_FIELDS(valid, uid);
  };
  bool valid = false;
  Mood mood = Mood::kIdle;
  Entry entry[2];
  std::array<std::uint32_t, 6> data{1, 2, 3, 4, 5, 6};
  G80_FIELDS(valid, (mood, 2), entry, data);
};

TEST_F(TextTraceTest, FollowsABeatFromWireToCrossing) {
  std::vector<std::string> seen[2];
  for (const bool no_sleep : {false, true}) {
    renew_context();
    WaveMachine machine(no_sleep, 10, 900);
    TextTrace trace(parse_trace_conditions("value=20"), machine.domains(), keep());
    trace.open();
    start_ps(40'000);
    trace.close();
    seen[no_sleep].swap(lines);
  }
  // The sender pushes one edge after the wire shows the beat.
  EXPECT_THAT(seen[0], ElementsAre("shader 20 gpu.pick", "shader 20 gpu.slow", "shader 21 gpu.crossing"));
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(TextTraceTest, AWireThatHoldsAnInvalidBundleShowsNothing) {
  WaveMachine machine(true, 10, 900);
  TextTrace trace(parse_trace_conditions("value=7"), machine.domains(), keep());
  trace.open();
  machine.top->poked.write({false, 7, {}});
  EXPECT_THAT(lines, IsEmpty());
  machine.top->poked.write({true, 7, {1, 2, 3}});
  EXPECT_THAT(lines, ElementsAre("host 0 gpu.poked"));
  EXPECT_EQ(trace_text(full.front(), isa::Arch::kSm11).substr(58), " value=0x7 lanes=[1 2 3]");
  machine.top->poked.write({true, 7, {1, 2, 4}});
  EXPECT_EQ(lines.size(), 2u) << "it changed but is still there";
  machine.top->poked.write({true, 8, {1, 2, 4}});
  EXPECT_EQ(lines.size(), 2u);
  EXPECT_EQ(trace.lines(), 2u);
}

TEST_F(TextTraceTest, AllConditionsMustHoldInOneBundle) {
  Wire<Pair> pair{"pair"};
  TextTrace trace(parse_trace_conditions("uid=5"), {}, keep());
  trace.open();
  Pair value;
  value.entry[1] = {true, 5};
  pair.write(value);
  EXPECT_THAT(lines, IsEmpty()) << "the bundle around the entry is not valid";
  value.valid = true;
  pair.write(value);
  EXPECT_THAT(lines, ElementsAre("host 0 pair.entry[1]"));
  value.entry[0] = {true, 5};
  pair.write(value);
  EXPECT_THAT(lines, ElementsAre("host 0 pair.entry[1]", "host 0 pair.entry[0]"));
  trace.close();
  pair.write({});
  EXPECT_EQ(lines.size(), 2u) << "a closed trace is silent";
}

TEST_F(TextTraceTest, NumbersAreReadAndWrittenAsPeopleDo) {
  const auto conditions = parse_trace_conditions("warp=3,pc=0x48");
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[0].field, "warp");
  EXPECT_EQ(conditions[1].value, 0x48u);
  const isa::Arch arch = isa::Arch::kSm11;
  EXPECT_EQ(trace_value({"origin.uid", 32, nullptr, false, {0x2000007}}, arch), "0x2000007");
  EXPECT_EQ(trace_value({"address", 32, nullptr, false, {18}}, arch), "0x12");
  EXPECT_EQ(trace_value({"mood", 2, &enum_text(Mood::kIdle), false, {2}}, arch), "WAIT_MEMORY");
  EXPECT_EQ(trace_value({"data", 32, nullptr, true, {1, 2, 3, 4, 5}}, arch), "[0x1 0x2 0x3 0x4 ..]");
  EXPECT_EQ(trace_value({"insn.words", 64, nullptr, false, {0x80c00780d00e0205}}, arch), "`ld b32 $r1 g14[$r1]`");
}

TEST_F(TextTraceTest, BadRequestsAreOneSentence) {
  WaveMachine machine(true, 10, 900);
  const auto message = [&](const std::string& text) -> std::string {
    try {
      TextTrace trace(parse_trace_conditions(text), machine.domains(), keep());
      trace.open();
    } catch (const WaveError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("uid"), HasSubstr("the form is FIELD=NUMBER"));
  EXPECT_THAT(message("=3"), HasSubstr("the form is FIELD=NUMBER"));
  EXPECT_THAT(message("value=x"), HasSubstr("'x' is not a number"));
  EXPECT_THAT(message("value=99999999999999999999"), HasSubstr("is not a number"));
  EXPECT_THAT(message("value=1,"), HasSubstr("the form is FIELD=NUMBER"));
  EXPECT_THAT(message("volume=1"), HasSubstr("no wire has a field 'volume'"));
  EXPECT_EQ(message("value=1"), "");
}

}  // namespace
}  // namespace g80

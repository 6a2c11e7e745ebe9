// SPDX-License-Identifier: Apache-2.0
// What event expressions mean, and what they say about names that do not exist.
#include "tb/events/event_expression.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "input/input_error.h"
#include "tb/events/event_watch.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"
#include "tests/waves/wave_machine.h"

namespace g80 {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void run_to(Picoseconds time) {
  sc_core::sc_start(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));
}

// The beater beats at shader edges 10, 20, ..., the slow one at 20, 40, ...; the receiver runs at 900 MHz.
class EventTest : public testing::SystemCTest {
 protected:
  /// The shader edges at which the event happens up to edge 100, with the instance if there are several.
  std::vector<std::string> edges_of(const std::string& text, bool no_sleep = false) {
    renew_context();
    WaveMachine machine(no_sleep, 10, 900);
    std::vector<std::string> edges;
    EventWatch watch({compile_event_expression(text, list_fields(false))},
                     [&](std::size_t, const std::vector<std::string>& instances) {
                       std::string line = fmt::format("{}", machine.shader.last_edge());
                       for (const std::string& instance : instances) line += (instance.empty() ? "" : " ") + instance;
                       edges.push_back(line);
                     });
    run_to(machine.shader.edge_time(100) + 1);
    watch.check();
    return edges;
  }
  std::string error_of(const std::string& text) {
    renew_context();
    WaveMachine machine(false, 10, 900);
    try {
      compile_event_expression(text, list_fields(false));
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(EventTest, AConditionHappensWhenItBecomesTrue) {
  EXPECT_THAT(edges_of("gpu.pick.value == 30"), ElementsAre("30"));
  EXPECT_THAT(edges_of("pick.value >= 30"), ElementsAre("30"));
  EXPECT_THAT(edges_of("pick.valid && .value > 60"), ElementsAre("70", "80", "90", "100"));
  EXPECT_THAT(edges_of("pick.value == 0"), IsEmpty()) << "it is true from the beginning";
  EXPECT_THAT(edges_of("!pick.valid && pick.value == 40"), ElementsAre("41"));
}

TEST_F(EventTest, ValuesOfEnumerationsHaveNames) {
  EXPECT_THAT(edges_of("beater.mood == BUSY && pick.value == 0x14"), ElementsAre("20"));
  EXPECT_THAT(edges_of("beater.mood == wait_memory && pick.value == 20"), ElementsAre("21"));
  EXPECT_THAT(edges_of("beater.mood == 1 && pick.value == 20"), ElementsAre("20"));
}

TEST_F(EventTest, EveryChangeCountsByItself) {
  // clang-format off
  EXPECT_THAT(edges_of("changes(pick.value)"), ElementsAre("10", "20", "30", "40", "50", "60", "70", "80", "90", "100"));
  EXPECT_THAT(edges_of("falls(pick.valid)"), ElementsAre("11", "21", "31", "41", "51", "61", "71", "81", "91"));
  EXPECT_THAT(edges_of("rises(pick.value) && pick.value > 75"), ElementsAre("80", "90", "100"));
  EXPECT_THAT(edges_of("changes(beater.history) && slow.valid"), ElementsAre("20", "40", "60", "80", "100"));
  // clang-format on
}

TEST_F(EventTest, AStarStandsForTheSameEverywhere) {
  // clang-format off
  EXPECT_THAT(edges_of("gpu.*beater.mood == BUSY && gpu.*beater.out.value == 60"), ElementsAre("60 gpu.beater gpu.slow_beater"));
  EXPECT_THAT(edges_of("*beater.out.value == 50"), ElementsAre("50 gpu.beater"));
  EXPECT_THAT(edges_of("pick.lanes[*] == 31 && pick.value == 30"), ElementsAre("30 gpu.pick.lanes[1] gpu.pick.lanes[2]"));
  // clang-format on
}

// The receiver's clock is another one: what both clocks do in one moment is looked at once.
TEST_F(EventTest, ConditionsMayNameSignalsOfTwoClocks) {
  const std::vector<std::string> edges = edges_of("receiver.last == 30 && pick.value == 30");
  EXPECT_THAT(edges, ElementsAre("33"));
  EXPECT_EQ(edges_of("receiver.received == 3 && beater.wide != 0", true),
            edges_of("receiver.received == 3 && beater.wide != 0"));
}

TEST_F(EventTest, SleepChangesNoEvent) {
  for (const char* text : {"falls(pick.valid)", "changes(crossing.count)", "*beater.mood == wait_memory",
                           "changes(receiver.last) || slow.valid"}) {
    EXPECT_EQ(edges_of(text, true), edges_of(text)) << text;
  }
}

TEST_F(EventTest, EvaluationThatFailsStopsAndIsTold) {
  EXPECT_THROW(edges_of("100 / (pick.value - 20) == 7"), InputError);
}

TEST_F(EventTest, NamesThatAreNotThereGiveTheNearest) {
  // clang-format off
  EXPECT_THAT(error_of("pick.valu == 3"), HasSubstr("unknown signal pick.valu; similar names are gpu.pick.value"));
  EXPECT_THAT(error_of("valid"), HasSubstr("valid is ambiguous: it is the end of "));
  EXPECT_THAT(error_of("valid"), HasSubstr("; write more of the name"));
  EXPECT_THAT(error_of("*beater.moo == 3"), HasSubstr("unknown signal *beater.moo"));
  EXPECT_THAT(error_of("beater.mood == BUZY"), HasSubstr("'BUZY' is not a signal and not a value of beater.mood; its values are IDLE, BUSY, WAIT_MEMORY"));
  EXPECT_THAT(error_of("pick.lanes[7] == 1"), HasSubstr("these numbers do not exist; an existing name is"));
  EXPECT_THAT(error_of("beater.history == 1"), HasSubstr("has 10 fields; name one of them"));
  EXPECT_THAT(error_of(".warp == 1"), HasSubstr("needs a signal before it"));
  EXPECT_THAT(error_of("*beater.mood == 1 && lanes[*] == 2"), HasSubstr("name different parts"));
  EXPECT_THAT(error_of("1 == 1"), HasSubstr("contains no signal"));
  EXPECT_THAT(error_of("rises(3)"), HasSubstr("rises takes a name"));
  EXPECT_THAT(error_of("rizes(pick.valid)"), HasSubstr("unknown function 'rizes'; functions are rises, falls, changes, min"));
  EXPECT_THAT(error_of("pick.valid &&"), HasSubstr("in 'pick.valid &&': a value is missing at the end"));
  EXPECT_THAT(error_of("pick.valid ) "), HasSubstr("is not expected here"));
  // clang-format on
}

// Any text is an expression or one sentence.
TEST_F(EventTest, NoTextBreaksTheParser) {
  WaveMachine machine(false, 10, 900);
  const std::vector<Field> fields = list_fields(false);
  const std::vector<std::string> words = {"pick.valid",
                                          "beater.mood",
                                          "BUSY",
                                          "*beater.mood",
                                          ".value",
                                          "lanes[*]",
                                          "pick.lanes[1]",
                                          "rises(",
                                          "changes(",
                                          "(",
                                          ")",
                                          "&&",
                                          "||",
                                          "!",
                                          "==",
                                          "!=",
                                          "<=",
                                          "0x1f",
                                          "7",
                                          "*",
                                          "?",
                                          ":",
                                          ".",
                                          "[",
                                          "]",
                                          "min(",
                                          ",",
                                          "-",
                                          "<<",
                                          " ",
                                          "\x01",
                                          "\xff"};
  const auto seed = random_seed();
  std::mt19937 random(seed);
  unsigned accepted = 0, refused = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 9; n-- > 0;) text += words[random() % words.size()] + (random() % 2 ? " " : "");
    try {
      const EventExpression event = compile_event_expression(text, fields);
      EXPECT_FALSE(event.signals.empty()) << text;
      EXPECT_EQ(event.slots.front().signal.size(), event.instances.size()) << text;
      ++accepted;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << text;
      ++refused;
    }
  }
  EXPECT_GT(accepted, 100u) << "seed " << seed;
  EXPECT_GT(refused, 1000u) << "seed " << seed;
}

}  // namespace
}  // namespace g80

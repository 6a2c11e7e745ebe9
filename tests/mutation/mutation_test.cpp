// SPDX-License-Identifier: Apache-2.0
// The tool itself: which places it finds, and what a mutant does when it is switched on. The campaigns over hw/ and
// rtl/ are `tests/mutation/run`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"
#include "tests/mutation/mutants.h"
// The switch comes before what has mutants in it.
// clang-format off
#include "tests/mutation/mutant_switch.h"
#include "mutated/sample/sample.h"
// clang-format on

namespace g80::mutation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> changes_in(const std::string& statements) {
  std::vector<std::string> changes;
  const std::string source = "int f(int a) {\n" + statements + "\n}\n";
  for (const Place& place : find_places(source)) changes.push_back(place.change);
  return changes;
}

TEST(Places, OfEachKindAreFound) {
  EXPECT_THAT(changes_in("return a < 1;"), ElementsAre("< becomes <=", testing::StartsWith("1 ")));
  EXPECT_THAT(changes_in("return a & b | c;"), ElementsAre("& becomes |", "| becomes &"));
  EXPECT_THAT(changes_in("return a && b || c;"), ElementsAre("no left operand of &&", "no right operand of &&",
                                                             "no left operand of ||", "no right operand of ||"));
  EXPECT_THAT(changes_in("if (ready(a)) return b;"), ElementsAre("negated"));
  EXPECT_THAT(changes_in("x.y[a] |= b;\nf(a);\n++n;\n*p = a;"),
              ElementsAre("removed", "removed", "removed", "removed"));
  EXPECT_THAT(changes_in("f([&] { x = a; });"), ElementsAre("removed", "removed"));
  EXPECT_THAT(changes_in("wide(\n  a *\n  b);"), ElementsAre("removed", "* becomes +"));
}

TEST(Places, AreNotInTypesDeclarationsConstantsTextsAndChecks) {
  for (const char* const statements :
       {"std::array<int, 4> x;", "T* b = c;", "const T& b = c;", "auto&& b = c;", "// a < b\n/* a + b */",
        "g(\"a < b\", ' ');", "constexpr int k = 4 + 5;", "constexpr T k{0, 1}, l = T{1} << 4;",
        "__builtin_prefetch(p + 4);", "#define A b + 1\n", "static_assert(a < 4);", "const T b{c};", "using A = B<4>;",
        "if constexpr (a < b) return c;", "throw E(a + b);", "sleep();", "for (auto& x : y) return;",
        "for (auto x = y; x.more(); x = z) return;", "out << \"a\" << b;"}) {
    std::vector<std::string> changes = changes_in(statements);
    if (!changes.empty() && changes[0] == "removed") changes.erase(changes.begin());  // the call g() itself
    EXPECT_THAT(changes, IsEmpty()) << statements;
  }
  EXPECT_THAT(changes_in("CHECK(a < 4, \"{}\", a + b);"), IsEmpty());
  EXPECT_THAT(changes_in("if (__builtin_expect(f(a), 0)) return b;"), ElementsAre("negated"));
  EXPECT_THAT(find_places("struct S { int a = 4 + 5; };\nint x = 4 + 5;\n"), IsEmpty());
  EXPECT_THAT(find_places("template <class S, class V>\nstatic void visit(S& s, V& v) {\n  v(\"a\", s.a, 4);\n}\n"),
              IsEmpty());
}

/// What becomes of each expression of a module with this text that can be one.
std::vector<std::string> rtl_changes_in(const std::string& text) {
  const std::string source = "module m (\n  input logic clk_i\n);\n" + text + "\nendmodule\n";
  std::vector<std::string> changes;
  for (const Place& place : find_rtl_places(source)) {
    const std::size_t begin = place.before.find("? (") + 3;
    changes.push_back(source.substr(place.begin, place.end - place.begin) + " -> " +
                      place.before.substr(begin, place.before.rfind(") : (") - begin));
  }
  return changes;
}

TEST(RtlPlaces, AreWholeExpressions) {
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(rtl_changes_in("assign a = b + c < d;"),
              UnorderedElementsAre("b + c -> b - c", "b + c < d -> b + c <= d"));
  EXPECT_THAT(rtl_changes_in("assign a = b || c && !d;"),
              UnorderedElementsAre("b || c && !d -> b && c && !d", "b || c && !d -> b", "b || c && !d -> c && !d",
                                   "c && !d -> c || !d", "c && !d -> c", "c && !d -> !d", "!d -> d"));
  EXPECT_THAT(rtl_changes_in("assign a = b[i] ? {c, 1'b0} : T'(d.e);"),
              UnorderedElementsAre("b[i] -> !(b[i])", "1'b0 -> !1'b0"));
  EXPECT_THAT(rtl_changes_in("part u_part (\n  .x_i(a & b),\n  .y_o(c)\n);"), UnorderedElementsAre("a & b -> a | b"));
  EXPECT_THAT(rtl_changes_in("always_comb begin : name\n  for (int i = 0; i < 4; i++) if (a[i]) b = '0;\nend"),
              UnorderedElementsAre("a[i] -> !(a[i])", "'0 -> '1"));
}

TEST(RtlPlaces, OfRegistersAndChecks) {
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(rtl_changes_in("always_ff @(posedge clk_i or negedge rst_ni) begin : registers\n"
                             "  if (!rst_ni) begin\n    a_q <= '0;\n  end else begin\n    a_q <= a_d;\n  end\nend"),
              UnorderedElementsAre("!rst_ni -> rst_ni", "'0 -> a_q", "a_d -> a_q"));
  EXPECT_THAT(rtl_changes_in("always @(posedge clk_i) begin : checks\n"
                             "  if (a && b) Name: assert (c || d);\nend\nassign a = ^b;"),
              UnorderedElementsAre("c || d -> 1'b0"));
}

TEST(RtlPlaces, AreNotInConstantsAndSleep) {
  for (const char* const text :
       {"localparam int unsigned N = 4 + 5;", "if (N > 1) begin : gen\nend", "part #(.N(4 + 5)) u_part ();",
        "part u_part (\n  .sleep_i(a && b),\n  .idle_i(!c)\n);", "assign a = b[N-1:0];", "assign a = {N{b}};",
        "assign a = '{b: 1'b0};", "// assign a = b + c;", "assign a = $clog2(4);", "assign a[i+1] = b;",
        "always_comb begin\n  case (a)\n    2'd1: b = c;\n    default: ;\n  endcase\nend"}) {
    EXPECT_THAT(rtl_changes_in(text), IsEmpty()) << text;
  }
}

TEST(Places, StayOnTheirLines) {
  const std::string source = "int f(int a) {\n  if (a == 2) {\n    g(a);\n  }\n  return a;\n}\n";
  const std::vector<Place> places = find_places(source);
  std::vector<Chosen> chosen;
  for (const Place& place : places) chosen.push_back({&place, static_cast<unsigned>(chosen.size() + 1)});
  EXPECT_EQ(with_mutants(source, chosen),
            "int f(int a) {\n  if (::g80_mutant::flip<1>(a == ::g80_mutant::Equal<2>() == ::g80_mutant::number<3, "
            "1>(2))) {\n    if (!::g80_mutant::on<4>()) g(a);\n  }\n  return a;\n}\n");
  EXPECT_EQ(with_mutants(source, {}), source);
}

std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Places, AreFoundInTheWholeMachine) {
  std::map<std::string, unsigned> count;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(G80_SOURCE_DIR "/hw")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    for (const Place& place : find_places(contents_of(entry.path()))) ++count[place.operation];
  }
  for (const char* const operation : {"relational", "arithmetic", "logical", "constant", "condition", "statement"})
    EXPECT_GT(count[operation], 500u) << operation;
}

TEST(EquivalentMutants, AreThoseOfLinesThatTheSourcesStillHave) {
  std::ifstream in(G80_SOURCE_DIR "/tests/mutation/equivalent.tsv");
  unsigned entries = 0;
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '#') continue;
    std::istringstream columns(line);
    std::string file, operation, change, quoted, reason;
    for (std::string* const column : {&file, &operation, &change, &quoted, &reason})
      std::getline(columns, *column, '\t');
    const std::string source = contents_of(G80_SOURCE_DIR "/" + file);
    const bool rtl = std::filesystem::path(file).extension() == ".sv";
    const std::vector<Place> places = rtl ? find_rtl_places(source) : find_places(source);
    EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return place.operation == operation && place.change == change && quoted_line(source, place) == quoted;
    })) << line;
    EXPECT_FALSE(reason.empty()) << line;
    ++entries;
  }
  EXPECT_GT(entries, 30u);
}

/// Everything that the sample computes.
std::vector<std::uint64_t> results() {
  using namespace sample;
  std::vector<std::uint64_t> out;
  for (const int b : {1, 2, 3}) out.push_back(static_cast<unsigned>(order(2, b)));
  for (const int value : {0, 1, 2, 3, 4}) out.push_back(inside(value, 1, 3));
  for (unsigned i = 0; i < 8; ++i) out.push_back(usable((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
  Queue queue;
  for (const unsigned entry : {5u, 6u}) queue.push(entry);
  out.push_back(queue.entries.size());
  out.push_back(queue.pushed);
  for (const unsigned word : {0x0u, 0x1234u, 0xffffu}) out.push_back(bits(word, 3, 4));
  unsigned volatile one = 1;  // not known when this is compiled
  out.push_back(twice(one));
  out.push_back(sum({9, 1, 6, 11}));
  return out;
}

struct PlannedMutant {
  int number = 0;
  std::string text;
};
std::vector<PlannedMutant> planned() {
  std::vector<PlannedMutant> out;
  std::ifstream plan(G80_SAMPLE_PLAN);
  for (std::string line; std::getline(plan, line);) out.push_back({std::stoi(line), line});
  return out;
}

TEST(Mutants, ChangeNothingUntilTheyAreSwitchedOn) {
  EXPECT_THAT(results(),
              ElementsAre(2, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 2, 2, 0x5000, 0x1231206, 0xfffa20f, 2, 5));
}

TEST(Mutants, OfTheSampleChangeAResultEach) {
  const std::vector<std::uint64_t> right = results();
  const std::vector<PlannedMutant> mutants = planned();
  EXPECT_GT(mutants.size(), 40u);
  for (const PlannedMutant& mutant : mutants) {
    g80_mutant::mutant_switch.active = mutant.number;
    EXPECT_NE(results(), right) << mutant.text;
  }
  g80_mutant::mutant_switch.active = 0;
  EXPECT_EQ(results(), right);
}

}  // namespace
}  // namespace g80::mutation

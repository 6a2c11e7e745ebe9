// SPDX-License-Identifier: Apache-2.0
// The file of what assumed numbers change: how it is measured, carried on, read and checked.
#include "validation/sensitivity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "input/input_error.h"
#include "tb/scenario/memory_image.h"
#include "toolchain/cubin/module.h"

namespace g80::silicon {
namespace {

/// Row `launch`: one small launch on a GeForce 8800 GTX.
std::vector<Row> launch_row() {
  std::vector<Row> rows = micro_rows();
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return std::string(row.id) != "launch"; }),
             rows.end());
  return rows;
}

/// Of this process alone: other tests run beside it.
std::string file(const char* name) {
  return (std::filesystem::path(testing::TempDir()) / fmt::format("g80_sensitivity_{}_{}", ::getpid(), name)).string();
}

/// Lines that measuring added, by what it says of each change.
unsigned measure(const std::string& path, Share share = {}) {
  unsigned measured = 0;
  measure_sensitivity(launch_row(), path, share,
                      [&](const std::string& line) { measured += line.find(": 1 rows") != std::string::npos ? 1 : 0; });
  return measured;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A whole file, measured once.
const std::string& whole() {
  static const std::string text = [] {
    const std::string path = file("whole.tsv");
    std::filesystem::remove(path);
    measure(path);
    return read_text_file(path);
  }();
  return text;
}

TEST(MeasuredSensitivity, IsOfEveryChangeOnce) {
  EXPECT_EQ(stale_effects(read_effects(whole(), "whole")), std::vector<std::string>());
  const std::vector<Effect> effects = read_effects(whole(), "whole");
  std::size_t changes = 0;
  for (const AssumedNumber& number : assumed_numbers("8800gtx")) changes += number.changed.size();
  EXPECT_EQ(effects.size(), changes);
  EXPECT_EQ(effects_text(effects), whole());
  const auto moved = std::count_if(effects.begin(), effects.end(), [](const Effect& effect) {
    return !effect.rows.empty() && effect.rows[0].percent && std::abs(*effect.rows[0].percent) > 5;
  });
  EXPECT_EQ(moved, 2) << "host.launch_cycles, smaller and larger";
}

TEST(MeasuredSensitivity, GoesOnWhereItEnded) {
  const std::string path = file("ended.tsv");
  write_file(path, whole().substr(0, whole().size() / 2));  // in the middle of a line
  const auto kept = static_cast<unsigned>(
      std::count(whole().begin(), whole().begin() + static_cast<std::ptrdiff_t>(whole().size() / 2), '\n'));
  EXPECT_EQ(measure(path), lines_of(whole()).size() - kept);
  EXPECT_EQ(read_text_file(path), whole());
  EXPECT_EQ(measure(path), 0u);
}

TEST(MeasuredSensitivity, InPartsIsTheWhole) {
  std::string both;
  for (const unsigned part : {1u, 2u, 3u}) {
    const std::string path = file("part.tsv");
    std::filesystem::remove(path);
    measure(path, {part, 3});
    both += read_text_file(path);
  }
  std::vector<std::string> parts = lines_of(both), all = lines_of(whole());
  std::sort(parts.begin(), parts.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(parts, all);
}

// One line with another value of the number, one with other values of the rows, one with another change, one twice; one
// of a device not asked for.
TEST(MeasuredSensitivity, MeasuresOldLinesAgainAndLeavesOtherDevicesAlone) {
  std::vector<Effect> effects = read_effects(whole(), "whole");
  effects[0].value += "1";
  effects[1].inputs = "00000000";
  effects[2].changed += "0";
  effects.push_back(effects[3]);
  Effect other = effects[4];
  other.device = "gtx280";
  effects.push_back(other);
  const std::string path = file("old.tsv");
  write_file(path, "# a remark\n" + effects_text(effects));
  EXPECT_EQ(measure(path), 3u);
  const std::string now = read_text_file(path);
  EXPECT_EQ(now.rfind("# a remark\n", 0), 0u);
  EXPECT_NE(now.find(effects_text({other})), std::string::npos);
  std::vector<std::string> lines = lines_of(now), all = lines_of(whole() + "# a remark\n" + effects_text({other}));
  std::sort(lines.begin(), lines.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(lines, all);
}

TEST(ReadSensitivity, RefusesLinesThatAreNoEffect) {
  const std::string good = "a.b\t8600gts\t8\t6\tcafe\tlaunch +3.5, knee -1, copy refused\n";
  const Effect effect = read_effects("# remark\n\n" + good, "f").at(0);
  ASSERT_EQ(effect.rows.size(), 3u);
  EXPECT_EQ(effect.rows[0].percent, 3.5);
  EXPECT_EQ(effect.rows[1].id, "knee");
  EXPECT_FALSE(effect.rows[2].percent.has_value());
  EXPECT_TRUE(read_effects("a.b\t8600gts\t8\t6\tcafe\t-\n", "f").at(0).rows.empty());
  for (const char* bad : {"a.b\t8600gts\t8\t6\tcafe\n", "a.b\t8600gts\t8\t6\tcafe\t-\t0\n",
                          "a.b\t8600gts\t8\t6\tcafe\tlaunch\n", "a.b\t8600gts\t8\t6\tcafe\tlaunch 1x\n",
                          "a.b\t8600gts\t8\t6\tcafe\tlaunch nan\n", "a.b\t8600gts\t8\t6\tcafe\tlaunch 1 2\n",
                          "a.b\t8600gts\t8\t6\tcafe\tlaunch 1,,knee 2\n", "a.b\n", "<<<<<<< main\n"}) {
    try {
      read_effects(good + bad, "f");
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("f:2: six columns", 0), 0u) << error.what();
    }
  }
}

TEST(StaleSensitivity, IsSeenWhateverChanged) {
  const std::vector<Effect> good = read_effects(whole(), "whole");
  const auto broken = [&](const auto& change) {
    std::vector<Effect> effects = good;
    change(effects);
    const std::vector<std::string> wrong = stale_effects(effects);
    return wrong.empty() ? "nothing is wrong" : wrong.front();
  };
  const std::string last = fmt::format("{} of 8800gtx = {}", good.back().key, good.back().changed);
  // clang-format off
  EXPECT_EQ(broken([](auto& e) { e.back().value = "7"; }), last + ": the number was 7, now it is " + good.back().value);
  EXPECT_EQ(broken([](auto& e) { e.pop_back(); }), last + ": no line");
  EXPECT_EQ(broken([](auto& e) { e.push_back(e.back()); }), last + ": a second line");
  EXPECT_EQ(broken([](auto& e) { e.back().inputs = "0"; }), last + ": lines of this device are of two states of the model");
  EXPECT_EQ(broken([](auto& e) { e.back().rows = {{"lunch", 1.0}}; }), last + ", lunch: the device has no such row");
  EXPECT_EQ(broken([](auto& e) { e.back().rows = {{"trial1", 1.0}}; }), last + ", trial1: the device has no such row");
  EXPECT_NE(broken([](auto& e) { e.back().changed = "1"; }).find("= 1: not a quarter smaller or larger"), std::string::npos);
  EXPECT_NE(broken([](auto& e) { e.back().key = "sm.warps"; }).find("now it is no assumed one"), std::string::npos);
  EXPECT_NE(broken([](auto& e) { e.erase(e.begin() + 1, e.end()); e[0].device = "8600gts"; }).find("8600gts"), std::string::npos);
  // clang-format on
}

}  // namespace
}  // namespace g80::silicon

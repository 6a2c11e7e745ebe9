// SPDX-License-Identifier: Apache-2.0
// What the launch bus carries stands beside the SMs when it has passed the way.
#include "hw/gpu/launch_registers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/check/sleep_check.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct LaunchRegistersRig {
  explicit LaunchRegistersRig(bool checked = true) : core("core", 1, 500, 2, false) {
    registers.beat_i(beat);
    for (auto* const in : {&registers.code_flush_i, &registers.texture_flush_i, &registers.tlb_flush_i}) (*in)(flush);
    registers.page_directory_i(directory);
    registers.code_flush_o(code);
    registers.texture_flush_o(texture);
    registers.tlb_flush_o(tlb);
    registers.page_directory_o(page);
    registers.launch_o(launch);
    registers.tables_o(tables);
    core.add(registers);
    if (checked) sleep_check.emplace(std::vector<Domain*>{&core});
    sc_core::sc_start(21, sc_core::SC_NS);  // between two edges
  }
  static void run(unsigned edges) { sc_core::sc_start(2.0 * edges, sc_core::SC_NS); }
  void send(unsigned row, std::uint64_t data) {
    beat.write({true, static_cast<std::uint8_t>(row), data});
    run(1);
  }
  Domain core;
  LaunchRegisters registers{"registers"};
  Wire<LaunchBeat> beat{"beat"};
  Wire<std::uint32_t> flush{"flush"}, directory{"directory"};
  Wire<std::uint32_t> code{"code"}, texture{"texture"}, tlb{"tlb"}, page{"page"};
  Wire<LaunchState> launch{"launch"};
  Wire<LaunchBeat> tables{"tables"};
  std::optional<SleepCheck> sleep_check;
};

using LaunchRegistersTest = testing::SystemCTest;

TEST_F(LaunchRegistersTest, ARowShowsBehindTheWayAndRowsFollowEachOtherAtEachEdge) {
  LaunchRegistersRig rig;
  for (unsigned p = 0; p < 4; ++p) rig.send(launch_row::kParam + p, std::uint64_t{2 * p + 1} << 32 | 2 * p);
  rig.beat.write({});
  LaunchRegistersRig::run(kControlWay - 4);
  EXPECT_EQ(rig.launch.read().param[1], 0u);
  for (unsigned p = 0; p < 4; ++p) {
    LaunchRegistersRig::run(1);
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(rig.launch.read().param[i], i < 2 * p + 2 ? i : 0) << p;
  }
  EXPECT_FALSE(rig.tables.read().valid);
}

TEST_F(LaunchRegistersTest, RowsOfTablesGoOnToTheTextureUnitAndTheRestToTheSms) {
  LaunchRegistersRig rig;
  rig.send(launch_row::kTables, std::uint64_t{31} << 32 | 0x1000);
  rig.send(launch_row::kEnd - 1, 9);
  rig.send(launch_row::kCode, 0x2000);
  rig.beat.write({});
  LaunchRegistersRig::run(kControlWay - 3);
  for (const std::uint64_t data : {std::uint64_t{0}, std::uint64_t{31} << 32 | 0x1000, std::uint64_t{9}}) {
    EXPECT_EQ(rig.tables.read().valid, data != 0);
    if (data != 0) {
      EXPECT_EQ(rig.tables.read().data, data);
    }
    EXPECT_EQ(rig.launch.read(), LaunchState{});
    LaunchRegistersRig::run(1);
  }
  EXPECT_FALSE(rig.tables.read().valid);
  EXPECT_EQ(rig.launch.read().code_base, 0x2000u);
  rig.send(launch_row::kTables + 1, 7);
  rig.beat.write({});
  LaunchRegistersRig::run(kControlWay);
  EXPECT_TRUE(rig.tables.read().valid);
  LaunchRegistersRig::run(1);
  EXPECT_FALSE(rig.tables.read().valid) << "they do not sleep on it";
}

TEST_F(LaunchRegistersTest, AFlushComesOverTheWayAndNotBehindARowOfTheSameEdge) {
  LaunchRegistersRig rig;
  rig.flush.write(3);
  rig.directory.write(0x5000);
  rig.send(launch_row::kCode, 0x2000);
  rig.beat.write({});
  rig.flush.write(4);
  const auto expect_flushes = [&rig](std::uint32_t count) {
    for (const auto* const wire : {&rig.code, &rig.texture, &rig.tlb}) EXPECT_EQ(wire->read(), count) << wire->name();
  };
  LaunchRegistersRig::run(kControlWay - 2);
  expect_flushes(0);
  LaunchRegistersRig::run(1);
  expect_flushes(3);
  EXPECT_EQ(rig.page.read(), 0x5000u);
  LaunchRegistersRig::run(1);
  EXPECT_EQ(rig.launch.read().code_base, 0x2000u);
  expect_flushes(4);
}

TEST_F(LaunchRegistersTest, AFlushAloneKeepsThemAwakeForTheWay) {
  LaunchRegistersRig rig;
  rig.flush.write(7);
  LaunchRegistersRig::run(kControlWay);
  for (const auto* const wire : {&rig.code, &rig.texture, &rig.tlb}) EXPECT_EQ(wire->read(), 7u) << wire->name();
}

TEST_F(LaunchRegistersTest, SleepWhenTheWayIsEmptyAndAResetClearsThem) {
  LaunchRegistersRig rig(false);
  const testing::ResetCheck check({&rig.registers});
  testing::StepCount steps({&rig.registers});
  LaunchRegistersRig::run(100);
  steps.expect_none("without a launch");
  rig.send(launch_row::kStack, 5);
  rig.beat.write({});
  LaunchRegistersRig::run(100);
  steps.expect_at_most(kControlWay + 2, "a row");
  EXPECT_EQ(rig.launch.read().stack_base, 5u);
  rig.send(launch_row::kTables, 6);
  check.expect_fresh();
  EXPECT_EQ(rig.launch.read(), LaunchState{});
}

TEST_F(LaunchRegistersTest, AFaultInARegisterReachesTheSms) {
  LaunchRegistersRig rig(false);
  FieldValues fields(true);
  rig.registers.trace_fields(fields);
  const auto code = std::find(fields.names.begin(), fields.names.end(), "launch.code_base");
  ASSERT_NE(code, fields.names.end());
  FieldEditor editor(static_cast<std::uint32_t>(code - fields.names.begin()), 1, {true, 0x40});
  rig.registers.edit_fields(editor);
  EXPECT_EQ(editor.changed(), 1u);
  EXPECT_EQ(rig.launch.read().code_base, 0x40u);
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// What the launch bus carries reaches the SMs' queues and the texture unit when it has passed the way.
#include "hw/gpu/launch_bus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/check/sleep_check.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct LaunchBusRig {
  explicit LaunchBusRig(bool checked = true) : core("core", 1, 500, 2, false) {
    bus.beat_i(beat);
    for (auto* const in : {&bus.code_flush_i, &bus.texture_flush_i, &bus.tlb_flush_i}) (*in)(flush);
    bus.page_directory_i(directory);
    bus.code_flush_o(code);
    bus.texture_flush_o(texture);
    bus.tlb_flush_o(tlb);
    bus.page_directory_o(page);
    for (unsigned i = 0; i < 2; ++i) bus.sm_o[i](sm[i]);
    bus.tables_o(tables);
    core.add(bus);
    if (checked) sleep_check.emplace(std::vector<Domain*>{&core});
    sc_core::sc_start(21, sc_core::SC_NS);  // between two edges
  }
  static void run(unsigned edges) { sc_core::sc_start(2.0 * edges, sc_core::SC_NS); }
  void send(unsigned row, std::uint64_t data) {
    beat.write({true, static_cast<std::uint8_t>(row), data});
    run(1);
  }
  /// Takes what has come for an SM.
  std::vector<LaunchBeat> taken(unsigned i) {
    std::vector<LaunchBeat> rows;
    for (; sm[i].available(); sm[i].pop()) rows.push_back(sm[i].front());
    return rows;
  }
  Domain core;
  LaunchBus bus{"bus", 2};
  Wire<LaunchBeat> beat{"beat"};
  Wire<std::uint32_t> flush{"flush"}, directory{"directory"};
  Wire<std::uint32_t> code{"code"}, texture{"texture"}, tlb{"tlb"}, page{"page"};
  CrossingFifo<LaunchBeat> sm[2] = {{"sm0", &core, nullptr, 8, 1}, {"sm1", &core, nullptr, 8, 1}};
  Wire<LaunchBeat> tables{"tables"};
  std::optional<SleepCheck> sleep_check;
};

using LaunchBusTest = testing::SystemCTest;

TEST_F(LaunchBusTest, RowsFollowEachOtherAtEachEdgeToEverySm) {
  LaunchBusRig rig;
  for (unsigned p = 0; p < 4; ++p) rig.send(launch_row::kParam + p, std::uint64_t{2 * p + 1} << 32 | 2 * p);
  rig.beat.write({});
  LaunchBusRig::run(kControlWay - 4);
  EXPECT_EQ(rig.sm[0].size(), 0u);
  for (unsigned p = 0; p < 4; ++p) {
    LaunchBusRig::run(1);
    EXPECT_EQ(rig.sm[0].size(), p + 1);
  }
  LaunchBusRig::run(4);
  for (unsigned i = 0; i < 2; ++i) {
    const std::vector<LaunchBeat> rows = rig.taken(i);
    ASSERT_EQ(rows.size(), 4u) << i;
    for (unsigned p = 0; p < 4; ++p) {
      EXPECT_EQ(rows[p].row, launch_row::kParam + p);
      EXPECT_EQ(rows[p].data, std::uint64_t{2 * p + 1} << 32 | 2 * p);
    }
  }
  EXPECT_FALSE(rig.tables.read().valid);
}

TEST_F(LaunchBusTest, RowsOfTablesGoOnToTheTextureUnitAndTheRestToTheSms) {
  LaunchBusRig rig;
  const unsigned ends[] = {launch_row::kTables - 1, launch_row::kTables, launch_row::kParam - 1, launch_row::kParam,
                           launch_row::kLimits};
  for (const unsigned row : ends) rig.send(row, row);
  rig.beat.write({});
  LaunchBusRig::run(kControlWay - 5);
  for (const unsigned row : ends) {
    LaunchBusRig::run(1);
    EXPECT_EQ(rig.tables.read().valid, launch_row::is_of_texture(row)) << row;
    if (launch_row::is_of_texture(row)) {
      EXPECT_EQ(rig.tables.read().data, row);
    }
  }
  LaunchBusRig::run(4);
  const std::vector<LaunchBeat> rows = rig.taken(1);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].row, launch_row::kTables - 1);
  EXPECT_EQ(rows[1].row, launch_row::kParam);
  EXPECT_EQ(rows[2].row, launch_row::kLimits);
  rig.send(launch_row::kTables + 1, 7);
  rig.beat.write({});
  LaunchBusRig::run(kControlWay);
  EXPECT_TRUE(rig.tables.read().valid);
  LaunchBusRig::run(1);
  EXPECT_FALSE(rig.tables.read().valid) << "it does not sleep on it";
}

TEST_F(LaunchBusTest, AFlushComesOverTheWayAndNotBehindARowOfTheSameEdge) {
  LaunchBusRig rig;
  rig.flush.write(3);
  rig.directory.write(0x5000);
  rig.send(launch_row::kCode, 0x2000);
  rig.beat.write({});
  rig.flush.write(4);
  const auto expect_flushes = [&rig](std::uint32_t count) {
    for (const auto* const wire : {&rig.code, &rig.texture, &rig.tlb}) EXPECT_EQ(wire->read(), count) << wire->name();
  };
  LaunchBusRig::run(kControlWay - 2);
  expect_flushes(0);
  LaunchBusRig::run(1);
  expect_flushes(3);
  EXPECT_EQ(rig.page.read(), 0x5000u);
  EXPECT_EQ(rig.sm[0].size(), 0u);
  LaunchBusRig::run(1);
  EXPECT_EQ(rig.sm[0].size(), 1u);
  expect_flushes(4);
}

TEST_F(LaunchBusTest, AFlushAloneKeepsItAwakeForTheWay) {
  LaunchBusRig rig;
  rig.flush.write(7);
  LaunchBusRig::run(kControlWay);
  for (const auto* const wire : {&rig.code, &rig.texture, &rig.tlb}) EXPECT_EQ(wire->read(), 7u) << wire->name();
}

TEST_F(LaunchBusTest, SleepsWhenTheWayIsEmptyAndAResetClearsIt) {
  LaunchBusRig rig(false);
  const testing::ResetCheck check({&rig.bus});
  testing::StepCount steps({&rig.bus});
  LaunchBusRig::run(100);
  steps.expect_none("without a launch");
  rig.send(launch_row::kStack, 5);
  rig.beat.write({});
  LaunchBusRig::run(100);
  steps.expect_at_most(kControlWay + 2, "a row");
  EXPECT_EQ(rig.taken(0).size(), 1u);
  rig.send(launch_row::kTables, 6);
  check.expect_fresh();
}

}  // namespace
}  // namespace g80

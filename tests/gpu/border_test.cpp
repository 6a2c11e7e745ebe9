// SPDX-License-Identifier: Apache-2.0
// Every wire between a TPC and the rest of the chip is a way with a declared length; how each clock leaves its reset.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "hw/config/config_keys.h"
#include "hw/gpu/gpu.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// The blocks whose ports are bound to a channel: those in a TPC, and the others.
struct Ends {
  std::set<std::string> inside, outside;
};
void find_ends(const sc_core::sc_object& of, bool inside, std::map<std::string, Ends>& ends) {
  for (sc_core::sc_object* child : of.get_child_objects()) {
    const bool in_tpc = inside || dynamic_cast<Tpc*>(child) != nullptr;
    if (auto* const port = dynamic_cast<sc_core::sc_port_base*>(child)) {
      const auto* const channel = dynamic_cast<sc_core::sc_object*>(port->get_interface());
      // Of a port of a module the ports of its blocks count that are bound to it.
      const sc_core::sc_object* const block = child->get_parent_object();
      if (channel != nullptr && dynamic_cast<const ClockedBase*>(block) != nullptr) {
        Ends& of_channel = ends[channel->name()];
        (in_tpc ? of_channel.inside : of_channel.outside).insert(block->basename());
      }
    }
    find_ends(*child, in_tpc, ends);
  }
}

/// The last part of a name, without its numbers.
std::string wire_name(const std::string& full) {
  std::string name = full.substr(full.rfind('.') + 1);
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }), name.end());
  return name;
}

/// The wires that leave or enter a TPC, each name once. The idle detector has no ports.
std::map<std::string, Ends> wires_across(const Gpu& gpu) {
  std::map<std::string, Ends> all;
  find_ends(gpu, false, all);
  for (const auto& wire : gpu.memory_idle.wires()) all[wire->name()].outside.insert(gpu.memory_idle.basename());
  std::map<std::string, Ends> across;
  for (const auto& [name, ends] : all) {
    if (ends.inside.empty() || ends.outside.empty()) continue;
    Ends& of_name = across[wire_name(name)];
    of_name.inside.insert(ends.inside.begin(), ends.inside.end());
    of_name.outside.insert(ends.outside.begin(), ends.outside.end());
  }
  return across;
}

void expect_ways(const std::string& preset, const std::vector<std::string>& sets, unsigned least) {
  SCOPED_TRACE(preset);
  testing::SystemCTest::renew_context();
  const Gpu gpu("gpu", load_config(preset, sets));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::map<std::string, Ends> undeclared = wires_across(gpu);
  for (const Way& way : gpu.ways()) {
    const auto wire = undeclared.find(std::string(way.wire));
    ASSERT_NE(wire, undeclared.end()) << way.wire << " is declared and crosses no border";
    const std::set<std::string> block{std::string(way.block)};
    EXPECT_TRUE(wire->second.inside == block || wire->second.outside == block)
        << way.wire << " has an end besides " << way.block << ", which has the registers";
    EXPECT_GE(way.registers, least) << way.wire;
    undeclared.erase(wire);
  }
  for (const auto& [wire, ends] : undeclared) ADD_FAILURE() << wire << " crosses the border of a TPC undeclared";
}

using BorderTest = testing::SystemCTest;

// An entry shows an edge of either clock late at most, and its place goes back as late; a way holds what is on it.
TEST_F(BorderTest, QueuesBetweenClocksHaveThePlacesOfTheirLoop) {
  for (const auto& [preset, half_warps, words, lines] :
       {std::tuple{"8800gtx", 18u, 16u, 6u}, {"gtx280", 18u, 16u, 6u}, {"tiny", 17u, 16u, 6u}}) {
    renew_context();
    Gpu gpu("gpu", load_config(preset));
    const auto depth = [](const char* name) {
      return dynamic_cast<const QueueView&>(*sc_core::sc_find_object(name)).depth();
    };
    EXPECT_EQ(depth("gpu.tpc0.sm0_access"), half_warps) << preset;
    EXPECT_EQ(depth("gpu.sm0_cta_done"), words) << preset;
    EXPECT_EQ(depth("gpu.tpc0.sm0_line_reply"), lines) << preset;
  }
}

/// What the flops of a clock's reset hold behind each edge, and the first edge at which a block steps: in reset none
/// sleeps.
struct ResetWatch final : TraceSink {
  ResetWatch(Domain& watched, ResetSynchroniser& of) : clock(watched), flops(of) { clock.attach_trace(*this); }
  ~ResetWatch() override { clock.detach_trace(*this); }
  ResetWatch(const ResetWatch&) = delete;
  ResetWatch& operator=(const ResetWatch&) = delete;
  void changed(std::uint32_t) override {}
  void edge_done(Domain&) override {
    const auto note = [this](Cycle& first_edge, bool happens) {
      if (happens && first_edge == 0) first_edge = clock.edge();
    };
    note(first, flops.registers().first);
    note(second, flops.registers().second);
    const auto& blocks = clock.modules();
    note(steps, std::any_of(blocks.begin(), blocks.end(),
                            [this](const ClockedBase* block) { return block != &flops && !block->awake(); }));
    EXPECT_EQ(clock.in_reset(), !flops.registers().second) << clock.name() << ' ' << clock.edge();
    if (clock.edge() < upset_at) flops.wake_at(upset_at);
    if (clock.edge() != upset_at) return;
    FieldEditor invert(upset_flop, 1, {true, 1});
    flops.edit_fields(invert);
    EXPECT_EQ(invert.changed(), 1u);
    flops.wake();
  }
  Domain& clock;
  ResetSynchroniser& flops;
  Cycle first = 0, second = 0, steps = 0;
  Cycle upset_at = 0;  // behind this edge
  std::uint32_t upset_flop = 0;
};

struct ResetBench {
  explicit ResetBench(const std::string& preset, const GpuOptions& options = {})
      : gpu("gpu", load_config(preset), options) {
    for (const ResetWatch& watch : watches)
      released = std::max(released, static_cast<double>(gpu.config.clock.reset_cycles) / watch.clock.mhz());
  }
  void run() { sc_core::sc_start((released * 1e6 + 40'000), sc_core::SC_PS); }
  /// The first edge strictly behind the release of the pin.
  Cycle first_edge(const Domain& clock) const {
    return static_cast<Cycle>(std::floor(released * clock.mhz() + 1e-9)) + 1;
  }
  Gpu gpu;
  ResetWatch watches[3] = {{gpu.shader, gpu.shader_reset}, {gpu.core, gpu.core_reset}, {gpu.dram, gpu.dram_reset}};
  double released = 0;  // us
};

// The pin is held for edges of the slowest clock; the first flop may catch its release late.
TEST_F(BorderTest, AClockIsInResetUntilItsSecondFlopHasSeenTheEnd) {
  for (const std::string& preset : preset_names()) {
    if (preset == "common") continue;
    std::array<std::set<Cycle>, 3> late;
    const bool draws_late = preset == "tiny" || preset == "8800gtx" || preset == "gtx280";
    for (std::uint64_t seed = 0; seed < (draws_late ? 12 : 1); ++seed) {
      renew_context();
      GpuOptions options;
      if (seed != 0) options.late_crossings = seed;
      ResetBench bench(preset, options);
      bench.run();
      for (unsigned i = 0; i < 3; ++i) {
        const ResetWatch& watch = bench.watches[i];
        const Cycle behind = watch.first - bench.first_edge(watch.clock);
        EXPECT_LE(behind, seed == 0 ? 0u : 1u) << preset << ' ' << i;
        if (seed != 0) late[i].insert(behind);
        EXPECT_EQ(watch.second, watch.first + 1) << preset << ' ' << i;
        EXPECT_EQ(watch.steps, watch.first + 2) << preset << ' ' << i;
      }
    }
    for (const std::set<Cycle>& edges : late)
      EXPECT_EQ(edges, (draws_late ? std::set<Cycle>{0, 1} : std::set<Cycle>{})) << preset;
  }
}

TEST_F(BorderTest, AFaultInAFlopOfTheResetDelaysTheClockOrIsCaught) {
  for (unsigned i = 0; i < 3; ++i) {
    for (const auto& [behind, flop] : {std::pair{0u, 0u}, {1u, 0u}, {1u, 1u}, {9u, 0u}, {9u, 1u}}) {
      SCOPED_TRACE(fmt::format("clock {}, {} edges behind the first, flop {}", i, behind, flop));
      renew_context();
      ResetBench bench("tiny");
      ResetWatch& watch = bench.watches[i];
      const Cycle first_edge = bench.first_edge(watch.clock);
      watch.upset_at = first_edge + behind;
      watch.upset_flop = flop;
      try {
        bench.run();
        EXPECT_EQ(behind, 0u);
        EXPECT_EQ(watch.second, first_edge + 2);
        EXPECT_EQ(watch.steps, first_edge + 3);
      } catch (const sc_core::sc_report& report) {
        EXPECT_GT(behind, 0u);
        EXPECT_NE(std::string(report.get_msg()).find(fmt::format("the reset of {} has come back", watch.clock.name())),
                  std::string::npos)
            << report.get_msg();
      }
    }
  }
}

TEST_F(BorderTest, EveryWireOfATpcHasADeclaredLength) {
  for (const std::string& preset : preset_names()) {
    if (preset != "common") expect_ways(preset, {}, preset == "tiny" ? 1 : kControlWay);
  }
}

TEST_F(BorderTest, TheShortestLatenciesLeaveARegisterToEachWay) {
  std::vector<std::string> shortest;
  for (const ConfigKey& key : config_keys()) {
    const std::string name = key.full_name();
    for (const char* const part : {"xbar.request_latency", "xbar.reply_latency", "tlb.l2_latency", "ccache.l3_latency",
                                   "gpu.cta_launch_cycles"}) {
      if (name == part) shortest.push_back(fmt::format("{}={:.0f}", name, key.min));
    }
  }
  ASSERT_EQ(shortest.size(), 5u);
  expect_ways("8800gtx", shortest, 1);
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The inside of a verilated block and the SystemC state around it stand in one file, at the same times.
#include <fmt/format.h>

#include <filesystem>

#include "rtl/adapters/verilated_twin.h"
#include "tb/waves/enum_filters.h"
#include "tb/waves/wave_sink.h"
#include "tests/support/systemc_test.h"
#include "tests/support/vcd_reader.h"
#include "tests/waves/wave_machine.h"

#include "Vwave_probe.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using testing::Vcd;

class ProbePorts : public Clocked<NoRegs> {
 public:
  using Clocked::Clocked;
  sc_core::sc_in<Beat> in_i{"in_i"};
  sc_core::sc_out<std::uint32_t> sum_o{"sum_o"};

 protected:
  void next() override {}
  void drive() override {}
};

// What the build writes for a twin. In place of an observer: it has no registers, and never sleeps.
template <class Model, class V>
void visit_pins(const ProbePorts*, Model& model, V& v) {
  v("valid_i", model.valid_i);
  v("value_i", model.value_i);
  v("sum_o", model.sum_o);
}
template <class Model, class V>
void visit_signals(const ProbePorts*, Model&, V& v) {
  static std::uint8_t none = 0;
  v("registers", none);
  v("sleep", none);
}

/// On SystemC's own ports, so its pins are connected by hand.
class Probe final : public VerilatedTwin<ProbePorts, Vwave_probe> {
 public:
  using VerilatedTwin::VerilatedTwin;

 private:
  void write_by_hand() override {
    valid_.set(in_i.read().valid);
    value_.set(in_i.read().value);
  }
  void show_by_hand() override {
    std::uint32_t sum = 0;
    from_pin(sum_, sum);
    sum_o.write(sum);
  }

  const Pin valid_ = pin_by_hand("valid_i"), value_ = pin_by_hand("value_i"), sum_ = pin_by_hand("sum_o");
};

class VerilatedTest : public testing::SystemCTest {
 protected:
  VerilatedTest() {
    dir_ = fs::temp_directory_path() / fmt::format("g80_verilated_{}", ::getpid());
    fs::create_directories(dir_);
  }
  ~VerilatedTest() override { fs::remove_all(dir_); }

  struct Run {
    std::vector<Signal> signals;
    std::vector<Picoseconds> edges;  // rising, of the probe's clock
  };
  Run run(const fs::path& file, std::vector<std::string> scopes = {}) {
    WaveMachine machine(false, 10, 900);
    Probe probe("probe");
    Wire<std::uint32_t> sum("sum");
    probe.in_i(machine.top->pick);
    probe.sum_o(sum);
    machine.shader.add(probe);
    WaveOptions options;
    options.file = file.string();
    options.scopes = std::move(scopes);
    WaveSink sink(options, machine.domains());
    sink.open();
    sc_core::sc_start(sc_core::sc_time::from_value(40'000));
    sink.close();
    Run done{sink.signals(), {}};
    for (Cycle edge = 1; machine.shader.edge_time(edge) < 40'000; ++edge)
      done.edges.push_back(machine.shader.edge_time(edge));
    return done;
  }
  fs::path dir_;
};

class VerilatedFormatTest : public VerilatedTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == ".fst" && !testing::has_fst2vcd())
      GTEST_SKIP() << "fst2vcd is not installed (Debian package gtkwave)";
  }
};

TEST_P(VerilatedFormatTest, RegistersMoveAtTheEdgeAndWhatTheyTakeStandsBeforeIt) {
  const fs::path file = dir_ / fmt::format("a{}", GetParam());
  const Run done = run(file);
  const Vcd vcd(file);
  const std::string rtl = "probe.rtl.";
  const std::vector<std::uint64_t> sums = vcd.change_times("top.sum");
  EXPECT_EQ(sums.size(), 5u);
  EXPECT_EQ(vcd.change_times(rtl + "sum_q"), sums);
  EXPECT_EQ(vcd.change_times("gpu.pick.value").size(), 5u);
  std::map<std::string, unsigned> moved;
  for (const Picoseconds edge : done.edges) {
    SCOPED_TRACE(edge);
    EXPECT_EQ(vcd.at(rtl + "clk_i", edge - 1), 0u);
    EXPECT_EQ(vcd.at(rtl + "clk_i", edge), 1u);
    EXPECT_EQ(vcd.at(rtl + "sum_q", edge), vcd.at("top.sum", edge));
    EXPECT_EQ(vcd.at(rtl + "value_i", edge - 1), vcd.at("gpu.pick.value", edge - 1))
        << "an input is there before the edge";
    EXPECT_EQ(vcd.at(rtl + "rst_ni", edge - 1), vcd.at("clocks.shader_rst_n", edge - 1));
    for (const auto& [name, changes] : vcd.signals) {
      const std::size_t at = name.find("_q");
      if (name.rfind(rtl, 0) != 0 || at == std::string::npos || name.find("sparse") != std::string::npos) continue;
      std::string next = name;
      next[at + 1] = 'd';
      const bool running = vcd.at(rtl + "rst_ni", edge - 1) != 0;
      EXPECT_EQ(vcd.at(name, edge), running ? vcd.at(next, edge - 1) : 0u) << name;
      moved[name] += vcd.at(name, edge) != vcd.at(name, edge - 1) ? 1 : 0;
    }
  }
  EXPECT_EQ(moved.size(), 2u + 3u + 4u + 4u + 6u);  // sum, seen; last; words of wide; packed; rows
  for (const auto& [name, count] : moved) {
    EXPECT_EQ(count >= 1, name != rtl + "wide_q[1]") << name << " moved " << count << " times";
  }
}

TEST_P(VerilatedFormatTest, SignalsHaveTheNamesAndWidthsOfTheSource) {
  const fs::path file = dir_ / fmt::format("a{}", GetParam());
  const Run done = run(file);
  const Vcd vcd(file);
  const std::pair<const char*, unsigned> known[] = {
      {"clk_i", 1},        {"value_i", 32},     {"seen_q", 40},    {"last_q.seen", 1},
      {"last_q.state", 2}, {"last_q.low", 7},   {"wide_q[0]", 32}, {"wide_q[3]", 4},
      {"packed_q[3]", 16}, {"rows_q[1][2]", 5}, {"sum_d", 32},     {"sparse_q", 4},
  };
  for (const auto& [name, width] : known) {
    const auto found = vcd.widths.find(std::string("probe.rtl.") + name);
    ASSERT_NE(found, vcd.widths.end()) << name;
    EXPECT_EQ(found->second, width) << name;
  }
  for (const auto& [name, width] : vcd.widths) {
    EXPECT_EQ(name.find("memory_q"), std::string::npos) << "a memory is not drawn";
    EXPECT_EQ(name.find("unnamedblk"), std::string::npos) << "a loop index is no signal";
  }
  const Picoseconds last = done.edges.back();
  const std::uint64_t value = vcd.at("probe.rtl.value_i", last - 1);
  EXPECT_NE(value, 0u);
  EXPECT_EQ(vcd.at("probe.rtl.wide_q[0]", last), value);
  EXPECT_EQ(vcd.at("probe.rtl.wide_q[1]", last), 0u);
  EXPECT_EQ(vcd.at("probe.rtl.wide_q[2]", last), 0xcafe0000u | value);
  EXPECT_EQ(vcd.at("probe.rtl.wide_q[3]", last), value & 15);
  EXPECT_EQ(vcd.at("probe.rtl.rows_q[1][2]", last), (value + 5) & 31);
}

INSTANTIATE_TEST_SUITE_P(Formats, VerilatedFormatTest, ::testing::Values(".vcd", ".fst"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

TEST_F(VerilatedTest, EnumerationsOfTheSourceHaveTheirNames) {
  const Run done = run(dir_ / "a.vcd");
  const auto text_of = [&](const std::string& name) {
    const auto found = std::find_if(done.signals.begin(), done.signals.end(),
                                    [&](const Signal& signal) { return signal.name == name; });
    EXPECT_NE(found, done.signals.end()) << name;
    return found->text;
  };
  ASSERT_NE(text_of("probe.rtl.last_q.state"), nullptr);
  EXPECT_EQ(enum_filter_text(*text_of("probe.rtl.last_q.state"), {2}), "# state_e\n00 Waiting\n01 Adding\n10 Full\n");
  EXPECT_EQ(text_of("probe.rtl.last_d.state"), text_of("probe.rtl.last_q.state"));
  EXPECT_EQ(text_of("probe.rtl.sparse_q"), nullptr) << "its values are not 0, 1, 2, ...";
}

TEST_F(VerilatedTest, AnExclamationMarkLeavesAScopeOut) {
  const Run done = run(dir_ / "a.vcd", {"!*.rtl"});
  EXPECT_GT(done.signals.size(), 10u);
  for (const Signal& signal : done.signals) EXPECT_EQ(signal.name.find(".rtl."), std::string::npos) << signal.name;
}

TEST_F(VerilatedTest, WhatIsLeftOutIsLeftOutOfTheScopesThatAreAskedFor) {
  const Run done = run(dir_ / "a.vcd", {"probe", "gpu", "!gpu.crossing"});
  const auto below = [&](const std::string& scope) {
    return std::count_if(done.signals.begin(), done.signals.end(),
                         [&](const Signal& signal) { return signal.name.rfind(scope, 0) == 0; });
  };
  EXPECT_GT(below("probe.rtl."), 40);
  EXPECT_GT(below("gpu."), 10);
  EXPECT_EQ(below("gpu.crossing."), 0);
  EXPECT_EQ(below("top."), 0);  // the wire beside them
}

}  // namespace
}  // namespace g80

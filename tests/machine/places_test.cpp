// SPDX-License-Identifier: Apache-2.0
// Where a warp is said to be, at every edge.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "hw/common/set_bits.h"
#include "hw/gpu/gpu.h"
#include "tb/machine/gpu_backend.h"
#include "tests/machine/machine_run.h"

namespace g80 {
namespace {

/// At every edge, where each warp is said to be. When its next instruction is handed out, all of it must have been so.
class PlacesAtEveryEdge final : public TraceSink, public SmObserver {
 public:
  explicit PlacesAtEveryEdge(GpuBackend& machine) : gpu_(machine.gpu()) {
    gpu_.shader.attach_trace(*this);
    gpu_.sm(0).attach(*this, RetirementPort::Reads::kProfile);
  }
  ~PlacesAtEveryEdge() override {
    gpu_.shader.detach_trace(*this);
    gpu_.sm(0).detach(*this);
  }
  std::uint64_t looks = 0, unresolved = 0;
  std::vector<std::string> wrong;

 private:
  struct Said {
    std::uint32_t pc;
    bool control;
    Cycle cycle;
  };
  void changed(std::uint32_t) override {}
  void edge_begin(Domain& shader) override {
    SmPins& sm = gpu_.sm(0);
    sm.flush_reports();
    sm.read_state(state_);
    for (const CtaSlot& slot : state_.slot) {
      if (!slot.valid) continue;
      for (const unsigned w : set_bits(slot.live & ~state_.ended))
        said_[w].push_back({state_.warp[w].pc, (state_.control >> w & 1) != 0, shader.edge()});
    }
  }
  void observe(const SmReport& report) override {
    for (const SmReport::WarpStart& start : report.start) said_[start.warp].clear();
    for (const SmReport::HandOut& out : report.hand_out) {
      for (const Said& said : said_[out.warp]) {
        ++looks;
        unresolved += said.control && said.pc == last_[out.warp];
        if (said.pc == out.pc || (said.control && said.pc == last_[out.warp])) continue;
        wrong.push_back(fmt::format("cycle {}, warp {}: at 0x{:x}, between 0x{:x} and 0x{:x}{}", said.cycle, out.warp,
                                    said.pc, last_[out.warp], out.pc, said.control ? ", control" : ""));
      }
      said_[out.warp].clear();
      last_[out.warp] = out.pc;
    }
  }

  Gpu& gpu_;
  SmState state_;
  std::array<std::vector<Said>, kMaxWarps> said_;
  std::array<std::uint32_t, kMaxWarps> last_{};
};

TEST(Places, AWarpIsAtItsUnresolvedControlInstructionOrAtItsNextOne) {
  for (const char* kernel : {"divergence_in_warp", "reduction_interleaved", "dot_product"}) {
    for (const std::vector<std::string>& sets : {std::vector<std::string>{},
                                                 {"sm.fetch_bytes=8", "sm.branch_latency=40"},
                                                 {"sm.fetch_bytes=16", "sm.ibuffer_entries=4", "sm.stack_on_chip=1",
                                                  "icache.l1_latency=40", "sm.branch_latency=100"}}) {
      SCOPED_TRACE(fmt::format("{} {}", kernel, fmt::join(sets, " ")));
      const Scenario scenario = testing::scenario_of(kernel);
      const Module module = load_module(scenario);
      const Config config = scenario_config(scenario, "tiny", sets);
      GpuBackend machine(config, MachineOptions());
      PlacesAtEveryEdge places(machine);
      run_scenario(scenario, module, config, {}, machine);
      EXPECT_GT(places.looks, 1000u);
      EXPECT_GT(places.unresolved, 100u);
      EXPECT_TRUE(places.wrong.empty()) << places.wrong.size() << " of " << places.looks << "; "
                                        << places.wrong.front();
    }
  }
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Writes what rtl/tb/sm_tb.sv reads: write_sm_images FOLDER DEVICE KERNEL[,ARGUMENT=VALUE]..
//
// FOLDER/straps.svh has the straps of sm.sv and coalescer.sv, as their adapters set them on the chip DEVICE with one
// multiprocessor. Each kernel runs there, compared with the reference in lock-step and with its golden, and
// FOLDER/<kernel> has images for $readmemh:
//   launch.hex    how many blocks are in the multiprocessor at most, 32 bits
//   rows.hex      a launch_beat_t for each row of the launch state
//   ctas.hex      a cta_launch_t for each block, in the order of the CTA scheduler
//   memory.hex    every allocation before the launch, as 32-bit words; an address counts words
//   expected.hex  the same behind it
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "app/report/summary_table.h"
#include "hw/gpu/cta_sequence.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "rtl/adapters/connected_twin.h"
#include "rtl/adapters/sm_model.h"
#include "source_dir.h"
#include "tb/driver/driver.h"
#include "tb/machine/gpu_backend.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"

#include "sm_straps.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;

template <class Bundle>
std::string digits(const Bundle& bundle) {
  std::vector<std::uint32_t> words((packed_width<Bundle>() + 31) / 32);
  pack(bundle, words.data());
  std::string text;
  for (std::size_t i = words.size(); i-- > 0;) text += fmt::format("{:08x}", words[i]);
  return text.substr(text.size() - (packed_width<Bundle>() + 3) / 4);
}

/// A machine that writes the images of its launch.
class ImageWriter final : public GpuBackend {
 public:
  ImageWriter(const Config& config, fs::path folder) : GpuBackend(config, {}), folder_(std::move(folder)) {}

  LaunchResult launch(const Launch& launch) override {
    if (launched_) throw InputError("a kernel with more than one launch");
    launched_ = true;
    write_memory("memory.hex");
    LaunchResult result = GpuBackend::launch(launch);
    write_memory("expected.hex");
    const CommandProcessor& processor = gpu().command_processor;
    const LaunchState& state = processor.launch_state();
    std::ofstream(folder_ / "launch.hex") << fmt::format("{:08x}\n", result.occupancy.blocks);
    std::ofstream rows(folder_ / "rows.hex");
    for (const LaunchBeat& row : sm_rows(state, processor.launch_params())) rows << digits(row) << "\n";
    std::ofstream ctas(folder_ / "ctas.hex");
    const CtaOrderUnit order(config());
    for (CtaSequence at = order.first(state.grid_x, state.grid_y);; order.advance(at, state.grid_x, state.grid_y)) {
      if (at.valid) ctas << digits(CtaLaunch{true, at.x, at.y, 1}) << "\n";
      if (at.ended) return result;
    }
  }

 private:
  /// Without what the host's driver and the chip use alone, and what ends with a block.
  void write_memory(const char* file) {
    std::ofstream out(folder_ / file);
    for (const auto& [address, allocation] : driver().allocations()) {
      if (allocation.name == "fence" || allocation.name == "control stacks" || allocation.name == "local memory")
        continue;
      std::vector<std::uint32_t> words((allocation.bytes + 3) / 4);
      read(address, words.data(), allocation.bytes);
      out << fmt::format("@{:x}\n", address / 4);
      for (const std::uint32_t word : words) out << fmt::format("{:08x}\n", word);
    }
  }

  const fs::path folder_;
  bool launched_ = false;
};

void write_straps(const Config& config, const fs::path& folder) {
  MachineOptions options;
  options.rtl = "sm,coalescer";
  GpuBackend machine(config, options);
  std::ofstream sm(folder / "sm_straps.svh"), coalescer(folder / "coalescer_straps.svh");
  const auto write = [&](const char* type, const char* name, std::uint64_t value) {
    sm << (*type == '\0' ? fmt::format(".{}('h{:x}),\n", name, value)
                         : fmt::format(".{}({}'({})),\n", name, type, value));
  };
  visit_straps(SmModel::of(machine.gpu().sm(0).name())->pins(), write);
  for (const auto& [name, value] : dynamic_cast<ConnectedTwin&>(*machine.gpu().tpcs[0]->coalescers[0]).straps())
    coalescer << fmt::format(".{}('h{:x}),\n", name, value);
}

int write_images(const std::vector<std::string>& words) {
  const fs::path folder = words.at(0);
  const std::vector<std::string> one_sm = {"gpu.num_tpcs=1", "gpu.sms_per_tpc=1"};
  write_straps(load_config(words.at(1), one_sm), folder);
  for (std::size_t i = 2; i < words.size(); ++i) {
    RunOptions options;
    std::string kernel;
    for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
      to = words[i].find(',', from);
      const std::string word = words[i].substr(from, to - from);
      const std::size_t equals = word.find('=');
      if (from == 0) {
        kernel = word;
      } else {
        options.args.emplace_back(word.substr(0, equals), word.substr(equals + 1));
      }
    }
    fs::create_directories(folder / kernel);
    const Scenario scenario = read_scenario(fmt::format("{}/kernels/{}/scenario.toml", G80_SOURCE_DIR, kernel));
    const Module module = load_module(scenario);
    const Config config = scenario_config(scenario, words[1], one_sm);
    ImageWriter machine(config, folder / kernel);
    const RunResult result = run_scenario(scenario, module, config, options, machine);
    if (!as_expected(result)) throw InputError(kernel + ": " + verdict(result));
  }
  return 0;
}

}  // namespace
}  // namespace g80

// The SystemC library refers to sc_main.
int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    return g80::write_images({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "write_sm_images: {}\n", error.what());
    return 1;
  }
}

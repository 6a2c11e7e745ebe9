// SPDX-License-Identifier: Apache-2.0
// What does a wave cost? Nanoseconds per captured value change in VCD and FST, and per edge when no wave is open.
//
// The machine is 64 modules with 16 registers each, of which `kChanging` change at every edge.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/domain.h"
#include "tb/waves/wave_sink.h"

namespace g80 {
namespace {

constexpr unsigned kModules = 64, kFields = 16, kChanging = 8;

struct BenchRegs {
  std::uint32_t word[kFields] = {};
  G80_FIELDS(word);
};
class BenchBlock final : public Clocked<BenchRegs> {
 public:
  BenchBlock(const sc_core::sc_module_name& name, std::uint32_t salt) : Clocked(name), salt_(salt) {}

 private:
  void next() override {
    for (unsigned i = 0; i < kChanging; ++i) d_.word[i] = (q_.word[i] + salt_ + i) * 1664525u + 1013904223u;
  }
  void drive() override {}
  std::uint32_t salt_;  // two signals with the same history would be stored once
};

double seconds(std::uint64_t cycles, Domain& domain) {
  const auto begin = std::chrono::steady_clock::now();
  const Picoseconds now = sc_core::sc_time_stamp().value();
  sc_core::sc_start(sc_core::sc_time::from_value(domain.edge_time(domain.edge() + cycles) + 1 - now));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const char* what, const char* suffix, Domain& domain, std::uint64_t cycles) {
  const double idle = seconds(cycles, domain);
  const std::string file = (std::filesystem::temp_directory_path() / "g80_wave_speed").string() + suffix;
  WaveOptions options;
  options.file = file;
  WaveSink sink(options, {&domain});
  sink.open();
  double traced = seconds(cycles, domain);
  const auto begin = std::chrono::steady_clock::now();
  sink.close();
  traced += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double changes = static_cast<double>(sink.value_changes());
  std::printf("%-4s %6.1f ns per value change, %5.1f bytes per value change\n", what, (traced - idle) * 1e9 / changes,
              static_cast<double>(std::filesystem::file_size(file)) / changes);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace g80

int sc_main(int, char**) { return 0; }

int main() {
  using namespace g80;
  Domain domain("shader_clk", 0, 1350, 2, false);
  std::vector<std::unique_ptr<BenchBlock>> blocks;
  for (unsigned i = 0; i < kModules; ++i) {
    blocks.push_back(std::make_unique<BenchBlock>(("block" + std::to_string(i)).c_str(), i * 7919u));
    domain.add(*blocks.back());
  }
  constexpr std::uint64_t kCycles = 20'000;
  seconds(kCycles, domain);
  const double never = seconds(kCycles, domain);
  measure("VCD", ".vcd", domain, kCycles);
  measure("FST", ".fst", domain, kCycles);
  const double after = seconds(kCycles, domain);
  const double per = 1e9 / static_cast<double>(kCycles * kModules);
  std::printf("off  %6.2f ns per module and edge before any wave was open, %.2f ns after all were closed\n",
              never * per, after * per);
}

// SPDX-License-Identifier: Apache-2.0
// How many host nanoseconds does one memory transaction cost, from a crossbar port to DRAM and back?
//
// Usage: bench_memory [preset] [transactions]. Every TPC port sends as fast as it may; logs are off.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "tests/support/memory_system.h"

namespace {

using namespace g80;

struct Shape {
  const char* name;
  unsigned bytes;
  unsigned write_percent;
  bool random;
};

void measure(const Config& config, const Shape& shape, unsigned count) {
  auto* context = new sc_core::sc_simcontext();
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = context;
  testing::MemorySystem system(config, false);
  std::mt19937 random(1);
  const unsigned ports = config.gpu.num_tpcs;
  for (auto& port : system.ports) port->keep_replies = false;
  for (unsigned i = 0; i < count; ++i) {
    MemRequest request;
    request.valid = true;
    request.bytes = static_cast<std::uint8_t>(shape.bytes);
    request.op = random() % 100 < shape.write_percent ? MemOp::kWrite : MemOp::kRead;
    request.byte_enable = {~0ull, ~0ull};
    // Each port walks a region of its own, or jumps in 16 MB.
    const std::uint32_t step = i / ports * shape.bytes + i % ports * (1u << 20);
    const std::uint32_t address = shape.random ? static_cast<std::uint32_t>(random()) : step;
    request.address = address % (16u << 20) & ~(shape.bytes - 1);
    request.port = static_cast<std::uint8_t>(i % ports);
    system.send(request);
  }
  const std::clock_t begin = std::clock();
  const bool done = system.run_until_idle(1e9);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;  // processor time
  const double simulated = sc_core::sc_time_stamp().to_seconds();
  const auto activations = system.core.activations() + system.dram.activations();
  fmt::print(
      "{:<28} {:8.0f} ns/transaction  {:5.1f} activations each, {:5.1f} ns per activation, {:6.2f} GB/s modelled{}\n",
      shape.name, seconds * 1e9 / count, static_cast<double>(activations) / count,
      seconds * 1e9 / static_cast<double>(activations), count * 1e-9 * shape.bytes / simulated,
      done ? "" : "  NOT FINISHED");
}

}  // namespace

int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  const Config config = load_config(argc > 1 ? argv[1] : "8600gts");
  const unsigned count = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 200'000;
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  const Shape shapes[] = {{"32 B reads, streams", 32, 0, false},         {"64 B reads, streams", 64, 0, false},
                          {"128 B reads, streams", 128, 0, false},       {"32 B reads+writes, streams", 32, 50, false},
                          {"64 B reads+writes, streams", 64, 50, false}, {"32 B reads, random", 32, 0, true}};
  for (const Shape& shape : shapes) measure(config, shape, count);
}

// SPDX-License-Identifier: Apache-2.0
// What does a copy of 128 bytes inside device memory cost the host? The copy engine moves 64 KiB, without checks.
//
// Usage: bench_copy [preset]. tests/speed counts the instructions of GpuBackend::copy.
#include <fmt/format.h>

#include <ctime>
#include <vector>

#include "tb/machine/gpu_backend.h"

int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  using namespace g80;
  constexpr std::uint32_t kBytes = 64 << 10;
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  MachineOptions options;
  options.lockstep = false;
  GpuBackend machine(load_config(argc > 1 ? argv[1] : "8600gts"), options);
  machine.enter();
  std::vector<std::uint32_t> data(kBytes / 4), seen(data.size());
  for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = i * 0x9e3779b9;
  const std::uint32_t from = machine.allocate(kBytes, "from"), to = machine.allocate(kBytes, "to");
  machine.write(from, data.data(), kBytes);
  const std::clock_t begin = std::clock();
  machine.copy({to, kBytes}, {from, kBytes});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;  // processor time
  machine.read(to, seen.data(), kBytes);
  fmt::print("{:.0f} ns for 128 bytes{}\n", seconds * 1e9 / (kBytes / 128), seen == data ? "" : "  WRONG BYTES");
  return seen == data ? 0 : 1;
}

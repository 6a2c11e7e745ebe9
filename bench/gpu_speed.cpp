// SPDX-License-Identifier: Apache-2.0
// How fast the cycle model runs: shader cycles and warp instructions per processor second, nanoseconds per module
// activation, and memory, for three launches. Copies are not counted. Lock-step is off, no waves.
//
//   bench_gpu            all three
//   bench_gpu trial1     one of trial1, trial3, compute
#include <sys/resource.h>

#include <cstring>
#include <ctime>

#include <fmt/format.h>

#include "hw/gpu/gpu.h"
#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Job {
  const char* name;
  const char* device;
  const char* source;
  std::array<std::uint32_t, 3> grid, block;
  std::vector<std::uint32_t> params;  // behind the output pointer
  std::uint32_t bytes;
};

void run(const Job& job) {
  const Module module = assemble_file(std::string(G80_SOURCE_DIR "/") + job.source);
  MachineOptions options;
  options.lockstep = false;
  GpuBackend machine(load_config(job.device), options);
  machine.load(module);
  LaunchRequest request;
  request.kernel = &module.kernels.front();
  request.grid = job.grid;
  request.block = job.block;
  request.params = {machine.allocate(job.bytes, "data")};
  request.params.insert(request.params.end(), job.params.begin(), job.params.end());
  const std::uint64_t activations_before =
      machine.gpu().shader.activations() + machine.gpu().core.activations() + machine.gpu().dram.activations();
  const double begin = processor_seconds();
  const LaunchResult result = machine.launch(request);
  const double seconds = processor_seconds() - begin;
  const std::uint64_t activations = machine.gpu().shader.activations() + machine.gpu().core.activations() +
                                    machine.gpu().dram.activations() - activations_before;
  std::uint64_t instructions = 0;
  for (const SmCounters& sm : result.sms) instructions += sm.warp_instructions;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto cycles = static_cast<double>(result.shader_cycles);
  fmt::print(
      "{:8} on {:8}  {:9} shader cycles  {:8.0f} cycles/s  {:8.0f} warp instructions/s  {:5.1f} activations/cycle  "
      "{:5.1f} ns/activation  {} MB\n",
      job.name, job.device, result.shader_cycles, cycles / seconds, static_cast<double>(instructions) / seconds,
      static_cast<double>(activations) / cycles, 1e9 * seconds / static_cast<double>(activations),
      usage.ru_maxrss / 1024);
}

}  // namespace
}  // namespace g80

int sc_main(int argc, char** argv) {
  using g80::Job;
  const std::uint32_t blocks = 64, elements = 32768 * blocks;
  const Job jobs[] = {
      // clang-format off
      {"trial1", "8600gts", "kernels/square_array/square_array.sasm", {blocks, 1, 1}, {512, 1, 1}, {elements, 64, 32, 5, 0, 9}, elements * 4},
      {"trial3", "8600gts", "kernels/square_array/square_array.sasm", {blocks, 1, 1}, {512, 1, 1}, {elements, 64, 8, 3, 0, 9}, elements * 4},
      {"compute", "8800gtx", "bench/compute_bound.sasm", {48, 1, 1}, {256, 1, 1}, {400}, 48 * 256 * 4},
      // clang-format on
  };
  for (const Job& job : jobs) {
    if (argc < 2 || std::strcmp(argv[1], job.name) == 0) g80::run(job);
  }
  return 0;
}

int main(int argc, char** argv) { return sc_core::sc_elab_and_sim(argc, argv); }

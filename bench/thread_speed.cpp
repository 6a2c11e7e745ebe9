// SPDX-License-Identifier: Apache-2.0
// What --threads gains: wall time of two launches on one device with different numbers of threads, in turns, since
// others may use the host too. Copies are not counted. Lock-step is off, no waves.
//
//   for k in matmul saxpy; do g80 compile kernels/$k/$k.cu -o FOLDER/$k.cubin; done
//   bench_threads gtx280 FOLDER 1 2 4 8 16
//
// Medians; behind them is the time with the first number of threads divided by this one. The files of the folder are
// made before, so that a host without clang and without the sources can run it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "hw/common/input_error.h"
#include "tb/machine/gpu_backend.h"
#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

constexpr unsigned kRepeats = 5;

Module module_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return read_cubin(text.str(), file);
}

struct Job {
  const char* name;
  const char* kernel;
  const char* file;  // a cubin
  std::array<std::uint32_t, 3> grid, block;
  std::vector<std::uint32_t> (*params)(GpuBackend& machine);  // a pointer is two words
};

const std::vector<Job> kJobs = {{"matmul",
                                 "matmul_tiled",
                                 "matmul.cubin",
                                 {16, 16, 1},
                                 {16, 16, 1},
                                 [](GpuBackend& machine) {
                                   constexpr std::uint32_t kWidth = 256, kBytes = kWidth * kWidth * 4;
                                   const auto matrix = [&] { return machine.allocate(kBytes, "matrix"); };
                                   return std::vector<std::uint32_t>{matrix(), 0, matrix(), 0, matrix(), 0, kWidth};
                                 }},
                                {"saxpy", "saxpy", "saxpy.cubin", {2048, 1, 1}, {256, 1, 1}, [](GpuBackend& machine) {
                                   constexpr std::uint32_t kElements = 1u << 19, kFactor = 0x3fc00000;
                                   const auto vector = [&] { return machine.allocate(kElements * 4, "vector"); };
                                   return std::vector<std::uint32_t>{kElements, kFactor, vector(), 0, vector(), 0};
                                 }}};

/// Wall time of the launch in seconds.
double run(const Config& config, const Job& job, const Module& module, unsigned threads) {
  MachineOptions options;
  options.lockstep = false;
  options.threads = threads;
  GpuBackend machine(config, options);
  machine.load(module);
  LaunchRequest request;
  request.kernel = module.find_kernel(job.kernel);
  if (request.kernel == nullptr) throw InputError(fmt::format("{}: no kernel {}", job.file, job.kernel));
  request.grid = job.grid;
  request.block = job.block;
  request.params = job.params(machine);
  const auto begin = std::chrono::steady_clock::now();
  const LaunchResult result = machine.launch(request);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (result.end != LaunchEnd::kFinished) throw InputError(fmt::format("{}: {}", job.name, result.message));
  return seconds.count();
}

void measure(const Config& config, const Job& job, const std::string& folder, const std::vector<unsigned>& threads) {
  const Module module = module_of(folder + "/" + job.file);
  std::vector<std::vector<double>> seconds(threads.size());
  for (unsigned turn = 0; turn < kRepeats; ++turn) {
    for (std::size_t i = 0; i < threads.size(); ++i) seconds[i].push_back(run(config, job, module, threads[i]));
  }
  double first = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    std::sort(seconds[i].begin(), seconds[i].end());
    const double median = seconds[i][kRepeats / 2];
    if (i == 0) first = median;
    fmt::print("{:6} on {}  {:2} threads  {:6.2f} s ({:.2f} to {:.2f})  {:5.2f} times\n", job.name, config.device.name,
               threads[i], median, seconds[i].front(), seconds[i].back(), first / median);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace g80

int sc_main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "bench_threads DEVICE FOLDER THREADS...\n");
    return 2;
  }
  try {
    std::vector<unsigned> threads;
    for (int i = 3; i < argc; ++i) threads.push_back(static_cast<unsigned>(std::max(1, std::atoi(argv[i]))));
    for (const g80::Job& job : g80::kJobs) g80::measure(g80::load_config(argv[1]), job, argv[2], threads);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_threads: {}\n", error.what());
    return 1;
  }
}

int main(int argc, char** argv) { return sc_core::sc_elab_and_sim(argc, argv); }

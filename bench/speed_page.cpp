// SPDX-License-Identifier: Apache-2.0
// How fast the machine is simulated on this host.
//
//   bench_speed            the page
//   bench_speed compute    one line for each job whose name starts with this
//   bench_speed threads    the table of threads, for two devices
//
// All times are those of launches, without start-up and copies: processor time, and wall time for several threads. The
// best of several runs counts, because others may use the host too.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "app/run/program_source.h"
#include "hw/config/data_folder.h"
#include "hw/gpu/gpu.h"
#include "input/input_error.h"
#include "source_dir.h"
#include "tb/machine/gpu_backend.h"
#include "tb/machine/large_pages.h"
#include "tb/scenario/run_scenario.h"
#include "tb/scenario/scenario_file.h"
#include "tb/twins/twins.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

constexpr unsigned kRepeats = 3, kMostRepeats = 20;
constexpr double kEnough = 1;  // seconds of launches from which on kRepeats are enough

struct Speed {
  double processor = 0, wall = 0;  // seconds
  double cycles = 0, warp_instructions = 0, activations = 0;
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A machine whose launches are timed.
class TimedMachine final : public GpuBackend {
 public:
  using GpuBackend::GpuBackend;
  LaunchResult launch(const Launch& launch) override {
    const std::uint64_t before = activations();
    const double begin = processor_seconds();
    const auto wall = std::chrono::steady_clock::now();
    LaunchResult result = GpuBackend::launch(launch);
    speed.wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    speed.processor += processor_seconds() - begin;
    speed.activations += static_cast<double>(activations() - before);
    speed.cycles += static_cast<double>(result.shader_cycles);
    for (const SmCounters& sm : result.sms) speed.warp_instructions += static_cast<double>(sm.warp_instructions);
    if (result.end != LaunchEnd::kFinished) throw InputError(result.kernel + ": " + result.message);
    return result;
  }
  Speed speed;

 private:
  std::uint64_t activations() const {
    return gpu().shader.activations() + gpu().core.activations() + gpu().dram.activations();
  }
};

/// What is launched: a scenario, or one kernel with its parameters.
struct Job {
  std::string name, device;
  std::function<void(TimedMachine&)> run;
  std::vector<std::string> sets{};
};

Job scenario_job(const std::string& kernel, const std::string& device, const Assignments& args = {}) {
  std::string name = kernel;
  for (const auto& [key, value] : args) name += fmt::format(" {}={}", key, value);
  return {name, device, [=](TimedMachine& machine) {
            const Scenario scenario = read_scenario((data_path("kernels") / kernel / "scenario.toml").string());
            RunOptions options;
            options.args = args;
            run_scenario(scenario, load_module(scenario), machine.config(), options, machine);
          }};
}

using Dimensions = std::array<std::uint32_t, 3>;
/// `params` allocates what the kernel needs and returns its parameters.
void launch(TimedMachine& machine, const Module& module, const std::string& kernel, const Dimensions& grid,
            const Dimensions& block, const std::function<std::vector<std::uint32_t>()>& params) {
  machine.load(module);
  const Kernel* const entry = module.find_kernel(kernel);
  if (entry == nullptr) throw InputError("no kernel " + kernel);
  machine.launch({machine.config(), *entry, grid, block, params()});
}

Module compiled(const std::string& kernel) {
  return compile_source((data_path("kernels") / kernel / (kernel + ".cu")).string(), {}).module;
}

Job matmul(const std::string& device, std::uint32_t width) {
  return {fmt::format("matmul {}", width), device, [=](TimedMachine& machine) {
            static const Module module = compiled("matmul");
            launch(machine, module, "matmul_tiled", {width / 16, width / 16, 1}, {16, 16, 1}, [&] {
              const auto matrix = [&] { return machine.allocate(width * width * 4, "matrix"); };
              return std::vector<std::uint32_t>{matrix(), 0, matrix(), 0, matrix(), 0, width};  // a pointer is two
            });
          }};
}

Job saxpy(const std::string& device, std::uint32_t elements) {
  return {fmt::format("saxpy {}", elements), device, [=](TimedMachine& machine) {
            static const Module module = compiled("saxpy");
            launch(machine, module, "saxpy", {elements / 256, 1, 1}, {256, 1, 1}, [&] {
              const auto vector = [&] { return machine.allocate(elements * 4, "vector"); };
              return std::vector<std::uint32_t>{elements, 0x3fc00000, vector(), 0, vector(), 0};
            });
          }};
}

/// Warps that only compute: `blocks` of `threads`, the loop 400 times.
Job compute(const std::string& device, std::uint32_t blocks, std::uint32_t threads = 256) {
  return {fmt::format("compute {} x {}", blocks, threads), device, [=](TimedMachine& machine) {
            const Module module = assemble_file(G80_SOURCE_DIR "/bench/compute_bound.sasm");
            launch(machine, module, "compute_bound", {blocks, 1, 1}, {threads, 1, 1}, [&] {
              return std::vector<std::uint32_t>{machine.allocate(blocks * threads * 4, "data"), 400};
            });
          }};
}

MachineOptions bare(unsigned threads = 1) {
  MachineOptions options;
  options.lockstep = false;
  options.threads = threads;
  return options;
}

Speed measure(const Job& job, const MachineOptions& options = bare()) {
  Speed best;
  double spent = 0;
  for (unsigned i = 0; i < kRepeats || (spent < kEnough && i < kMostRepeats); ++i) {
    TimedMachine machine(load_config(job.device, job.sets), options);
    job.run(machine);
    machine.finish();
    spent += machine.speed.wall;
    if (i == 0 || machine.speed.wall < best.wall) best = machine.speed;
  }
  return best;
}

void print_kernel(const Job& job) {
  const Speed speed = measure(job);
  fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.0f} k | {:.0f} k | {:.1f} | {:.0f} |\n", job.name, job.device,
             speed.cycles, speed.warp_instructions, speed.cycles / speed.processor / 1e3,
             speed.warp_instructions / speed.processor / 1e3, speed.activations / speed.cycles,
             1e9 * speed.processor / speed.activations);
  std::fflush(stdout);
}

std::vector<Job> kernels() {
  std::vector<Job> jobs;
  for (const char* device : {"8600gts", "8800gtx", "gtx280"}) {
    for (const char* kernel : {"vec_add", "matrix_mul", "reduction_sequential", "sfu_functions"})
      jobs.push_back(scenario_job(kernel, device));
    jobs.push_back(compute(device, 48));
    jobs.push_back(matmul(device, 128));
    jobs.push_back(saxpy(device, 1 << 17));
  }
  for (const char* trial : {"1", "3"})
    jobs.push_back(scenario_job("square_array", "8600gts", {{"trial", trial}, {"blocks", "16"}}));
  return jobs;
}

void print_observers(const Job& job) {
  const auto row = [&](const std::string& what, const MachineOptions& options) {
    const double before = measure(job).processor;  // each time: a host is not as fast all the time
    const double seconds = measure(job, options).processor;
    fmt::print("| {} | {:.2f} |\n", what, seconds / std::min(before, measure(job).processor));
    std::fflush(stdout);
  };
  MachineOptions options = bare();
  options.lockstep = true;
  row("lock-step", options);
  for (const char* suffix : {"vcd", "fst"}) {
    options = bare();
    options.wave.emplace();
    options.wave->file = (std::filesystem::temp_directory_path() / "g80_speed.").string() + suffix;
    row(fmt::format("wave of all signals, {}", suffix), options);
    for (const char* const end : {"", ".lines", ".gtkw"}) std::filesystem::remove(options.wave->file + end);
  }
  options = bare();
  options.profile = options.history = true;
  row("what a report needs", options);
  std::vector<std::string> blocks;
  for (const TwinInfo& twin : twins()) blocks.emplace_back(twin.name);
  for (const std::string& block : blocks) {
    options = bare();
    options.rtl = block;
    row(fmt::format("`--rtl {}`", block), options);
  }
  options.rtl = "sm";
  row("`--rtl sm`", options);
}

void print_growth(const std::string& what, const Job& job) {
  const Speed speed = measure(job);
  fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.2f} |\n", what, job.name, speed.cycles, speed.warp_instructions,
             1e3 * speed.processor, 1e6 * speed.processor / speed.warp_instructions);
  std::fflush(stdout);
}

void print_threads(const std::string& device) {
  for (const Job& job : {matmul(device, 256), saxpy(device, 1 << 19)}) {
    double first = 0;
    fmt::print("| {} |", job.name);
    for (const unsigned threads : {1u, 2u, 4u, 8u, 16u}) {
      if (threads > std::thread::hardware_concurrency()) {
        fmt::print(" |");
        continue;
      }
      const double seconds = measure(job, bare(threads)).wall;
      if (threads == 1) first = seconds;
      fmt::print(" {:.2f} s, {:.2f} |", seconds, first / seconds);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

void print_counts() {
  std::ifstream file(G80_SOURCE_DIR "/tests/speed/instructions.tsv");
  std::string line;
  std::getline(file, line);  // the columns
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name, warp, host, reason;
    std::getline(fields, name, '\t'), std::getline(fields, warp, '\t');
    std::getline(fields, host, '\t'), std::getline(fields, reason, '\t');
    fmt::print("| {} | {} | {:.0f} | {} |\n", name, warp, std::stod(host) / std::stod(warp), reason);
  }
}

void print_page() {
  fmt::print(R"(# Speed

`bench_speed` (`bench/speed_page.cpp`) prints this page: the time of launches alone, the best of {} to {} runs. Hosts differ by a factor of two or
more, so compare figures of one page. This one is of a host with {} processors; it had nothing else to do.

## Kernels

One thread, processor time, lock-step off. An activation is a step of one block at one edge.

| Kernel | Device | Shader cycles | Warp instructions | Shader cycles/s | Warp instructions/s | Activations in a cycle | ns for an activation |
|---|---|---|---|---|---|---|---|
)",
             kRepeats, kMostRepeats, std::thread::hardware_concurrency());
  for (const Job& job : kernels()) print_kernel(job);
  fmt::print(R"(
## What watching costs

`reduction_sequential` on the 8600 GTS: time beside that of the run without. An RTL block replaces its SystemC block in all four multiprocessors.

| With | Times |
|---|---|
)");
  print_observers(scenario_job("reduction_sequential", "8600gts"));
  fmt::print(R"(
## Growth

Time is linear in the work, and hardware without work costs little.

| What grows | Job | Shader cycles | Warp instructions | ms | us for a warp instruction |
|---|---|---|---|---|---|
)");
  for (const unsigned tpcs : {1, 2, 4, 8}) {
    Job job = compute("8800gtx", 6 * tpcs);
    job.sets = {fmt::format("gpu.num_tpcs={}", tpcs)};
    print_growth(fmt::format("multiprocessors, with work: {}", 2 * tpcs), job);
  }
  for (const unsigned tpcs : {1, 2, 4, 8}) {
    Job job = compute("8800gtx", 1);
    job.sets = {fmt::format("gpu.num_tpcs={}", tpcs)};
    print_growth(fmt::format("multiprocessors, idle but one: {}", 2 * tpcs), job);
  }
  for (const unsigned warps : {1, 2, 4, 8, 16}) {
    Job job = compute("8800gtx", 1, 32 * warps);
    job.sets = {"gpu.num_tpcs=1"};
    print_growth(fmt::format("warps of one multiprocessor: {}", warps), job);
  }
  for (const unsigned blocks : {48, 96, 192}) print_growth(fmt::format("grid: {}", blocks), compute("8800gtx", blocks));
  for (const unsigned power : {15, 16, 17, 18})
    print_growth(fmt::format("memory traffic: 2^{} elements", power), saxpy("8800gtx", 1u << power));
  fmt::print(R"(
## Threads

Wall time on the GTX 280, whose 30 multiprocessors and 8 partitions `--threads N` shares out, and how many times as fast as one thread.

| Kernel | 1 | 2 | 4 | 8 | 16 |
|---|---|---|---|---|---|
)");
  print_threads("gtx280");
  fmt::print(R"(
Where other programs use the processors, a thread that is not running holds up the edge. The machine then steps some edges alone, so that in
the worst case a run takes as long as with one thread.

## Host instructions

Counted by valgrind and recorded in [tests/speed/instructions.tsv](../tests/speed/instructions.tsv); a test fails when a count changes by
more than 2 %.

| Launch | Warp instructions | Host instructions for each | Recorded because |
|---|---|---|---|
)");
  print_counts();
  fmt::print(R"(
## Others

Measured on one machine with two processors in November 2026, one thread each, in turns: g80 at commit 5b2e953 on the `8800gtx`, GPGPU-Sim 4.0.0
with its G80 configuration. Others were measured alone.

| Simulator | Kernel | Warp instructions/s |
|---|---|---|
| g80 | squares of 2^19 elements; tiled product of 256 x 256 | 153 k; 178 k |
| GPGPU-Sim | the same | 9.9 k; 10.9 k |
| Vortex simx, 16 cores of 8 warps of 32 threads | squares of a vector | 23 k |
| Ventus SystemC model, 2 multiprocessors, optimised, without memory timing | sum of matrices | 48 k |
| FlexGripPlus, one multiprocessor in VHDL under GHDL | sum of vectors | 6 |
)");
}

int run(int argc, char** argv) {
  try {
    if (argc == 1) print_page();
    if (argc == 2 && std::string(argv[1]) == "threads") {
      for (const char* device : {"8800gtx", "gtx280"}) {
        fmt::print("{}\n", device);
        print_threads(device);
      }
    }
    for (const Job& job : argc == 1 ? std::vector<Job>{} : kernels())
      if (job.name.rfind(argv[1], 0) == 0) print_kernel(job);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_speed: {}\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace g80

int sc_main(int argc, char** argv) { return g80::run(argc, argv); }
int main(int argc, char** argv) {
  g80::use_large_pages();  // as the program g80 does
  return sc_core::sc_elab_and_sim(argc, argv);
}

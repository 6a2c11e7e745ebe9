// SPDX-License-Identifier: Apache-2.0
// The seven reductions of 2^22 integers on a GeForce 8800 GTX, in milliseconds, and what each step gains.
//
// Large levels are extrapolated: two grids, of one and of twelve waves of blocks, give the time of a block while every
// SM is busy and its blocks are no longer in step. The kernel with many elements per thread runs its whole grid with
// two lengths of input. Levels of fewer blocks run completely. A level does not include the driver's launch time.
#include <fmt/format.h>

#include "input/input_error.h"
#include "validation/rows.h"

namespace g80::silicon {
namespace {

constexpr const char* kSource =
    "Harris, Optimizing Parallel Reduction in CUDA, 2007: 2^22 ints in blocks of 128 threads";
constexpr unsigned kThreads = 128, kElements = 1u << 22, kSteps = 7;
constexpr unsigned kGridOfLast = 64;  // blocks of kernel 7
constexpr double kMilliseconds = 0.20, kGain = 0.15;

unsigned elements_per_block(unsigned step) { return step < 4 ? kThreads : 2 * kThreads; }

// Shader cycles of one launch over `elements`; the sums are checked.
double level(Bench& bench, unsigned step, unsigned elements, unsigned blocks) {
  return bench.once(fmt::format("reduce{} {} {}", step, elements, blocks), [&] {
    Experiment experiment;
    experiment.kernel = "reduction.cu";
    experiment.entry = fmt::format("reduce{}", step);
    experiment.grid = {blocks, 1, 1};
    experiment.block = {kThreads, 1, 1};
    experiment.dynamic_shared = kThreads * 4;
    experiment.buffers = {Words(blocks), Words(elements)};
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < elements; ++i) sum += experiment.buffers[1][i] = i * 2654435761u >> 20;
    if (step == 2) experiment.params = {0};  // `first`
    if (step == kSteps) experiment.params = {elements};
    Observation seen = bench.run(std::move(experiment));
    for (const std::uint32_t partial : seen.buffers[0]) sum -= partial;
    if (sum != 0) throw InputError(fmt::format("reduce{}: the sum is wrong", step));
    return static_cast<double>(seen.result.shader_cycles);
  });
}
// Cycles of `blocks` blocks of kernels 1 to 6, extrapolated from two grids if the chip does not hold them at once.
double level_of_blocks(Bench& bench, unsigned step, unsigned blocks) {
  const auto run = [&](unsigned count) { return level(bench, step, count * elements_per_block(step), count); };
  const unsigned few = bench.num_sms() * (bench.config().sm.max_threads / kThreads), many = 12 * few;
  if (blocks <= few) return run(blocks);
  return run(few) + (run(many) - run(few)) / (many - few) * (blocks - few);
}
// The same for kernel 7, whose grid does not grow with the input.
double level_of_elements(Bench& bench, unsigned elements) {
  constexpr unsigned kFew = kGridOfLast * kThreads * 16, kMany = kGridOfLast * kThreads * 48;
  const double few = level(bench, kSteps, kFew, kGridOfLast), many = level(bench, kSteps, kMany, kGridOfLast);
  return few + (many - few) / (kMany - kFew) * (elements - kFew);
}

double milliseconds(Bench& bench, unsigned step) {
  double cycles = 0;
  unsigned left = kElements;
  if (step == kSteps) {
    cycles = level_of_elements(bench, kElements);
    left = kGridOfLast;
  }
  while (left > 1) {
    // The block of the last level processes its full number of elements, although fewer remain.
    left = (left + elements_per_block(step) - 1) / elements_per_block(step);
    cycles +=
        step == kSteps ? level(bench, step, left * elements_per_block(step), left) : level_of_blocks(bench, step, left);
  }
  return cycles / bench.shader_hz() * 1e3;
}

// GB/s of kernel 7 with so many elements that its start and end do not matter.
double long_bandwidth(Bench& bench) {
  constexpr unsigned kMany = 1u << 25;
  return 4.0 * kMany / (level_of_elements(bench, kMany) / bench.shader_hz()) / 1e9;
}

constexpr const char* kIssue = "hw/sm/warp_scheduler.h: instructions that hold the issue port";

#define STEP(n, ms, what, decided)                                                       \
  {                                                                                      \
    "reduce" #n, 'C', "8800gtx", "kernel " #n ": " what, "ms", ms, ms, kSource, decided, \
        [](Bench& b) { return milliseconds(b, n); }, kMilliseconds                       \
  }
#define GAIN(n, gain, decided)                                                                                      \
  {                                                                                                                 \
    "reduce_gain" #n, 'C', "8800gtx", "kernel " #n " beside the one before", "times", gain, gain, kSource, decided, \
        [](Bench& b) { return milliseconds(b, n - 1) / milliseconds(b, n); }, kGain                                 \
  }

const std::vector<Row> kReductionRows = {
    STEP(1, 8.054, "interleaved, t % (2 * stride)", "the remainder: compiled code"),
    STEP(2, 3.456, "interleaved, strided index", "hw/smem/bank_conflict.h: up to 16 passes"),
    STEP(3, 1.722, "sequential addresses", kIssue),
    STEP(4, 0.965, "first addition while loading", kIssue),
    STEP(5, 0.536, "last warp without barriers", kIssue),
    STEP(6, 0.381, "loops unrolled", kIssue),
    STEP(7, 0.268, "many elements per thread", "DRAM data bus"),
    GAIN(2, 2.33, "no remainder and whole warps, against bank conflicts"),
    GAIN(3, 2.01, "no bank conflicts"),
    GAIN(4, 1.78, "half the blocks"),
    GAIN(5, 1.80, "fewer instructions and barriers"),
    GAIN(6, 1.41, "no loop"),
    GAIN(7, 1.42, "fewer blocks to start and to end"),
    {"reduce7_long", 'C', "8800gtx", "kernel 7 over 2^25 ints", "GB/s", 73, 73, kSource, "DRAM data bus",
     long_bandwidth, kMilliseconds},
};

}  // namespace

const std::vector<Row>& reduction_rows() { return kReductionRows; }

}  // namespace g80::silicon

// SPDX-License-Identifier: Apache-2.0
// Rows of whole kernels: the vector sum, both reductions, the matrix product, the dot product, and results that do not
// depend on the machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "hw/isa/float_bits.h"
#include "validation/experiment.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

/// The number of correct elements in the last buffer of a kernel of kernels/.
Finding as_golden(SeedRuns& runs, const char* kernel) {
  const RunResult& run = runs.program(kernel);
  const BufferCheck& result = run.checks.at(run.checks.size() - 1);
  return {as_expected(run) ? static_cast<double>(result.elements - result.differing) : 0.0};
}

// --- The vector sum of 1000 elements

Observation vec_add(SeedRuns& runs, std::uint32_t n) {
  Experiment experiment;
  experiment.kernel = "vec_add";
  experiment.grid = {(n + 255) / 256, 1, 1};
  experiment.block = {256, 1, 1};
  experiment.buffers = {Words(1024), Words(1024), Words(1024)};
  experiment.params = {n};
  experiment.watch = Watch::kEvents;
  experiment.accesses = true;
  return runs.run(experiment);
}

Finding vec_add_warps(SeedRuns& runs) {
  Finding found;
  for (const MachineEvent& event : vec_add(runs, 1000).events) found.value += event.kind == EventKind::kWarpStart;
  return found;
}

/// The elements that a warp with idle lanes stores: the first, or their number.
Finding partly_idle(SeedRuns& runs, bool first) {
  const Observation seen = vec_add(runs, 1000);
  std::map<std::uint8_t, std::set<std::uint32_t>> by_warp;  // elements stored by half-warps that are not whole, by SM
  for (const HalfWarpAccess& access : seen.accesses) {
    if (access.op != MemOp::kWrite || access.lanes == 0xffff) continue;
    for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
      if ((access.lanes >> lane & 1) != 0)
        by_warp[access.origin.sm].insert((access.address[lane] - seen.addresses[2]) / 4);
    }
  }
  if (by_warp.size() != 1 || by_warp.begin()->second.empty()) return {};
  const std::set<std::uint32_t>& elements = by_warp.begin()->second;
  return {first ? *elements.begin() : static_cast<double>(elements.size())};
}

/// The cost of the divergent warp: cycles with n = 1000 relative to those with n = 1024.
Finding divergence_cost(SeedRuns& runs) {
  const double some = static_cast<double>(vec_add(runs, 1000).result.shader_cycles),
               whole = static_cast<double>(vec_add(runs, 1024).result.shader_cycles);
  return {100 * (some / whole - 1), fmt::format("{:g} cycles, {:g} with n = 1024", some, whole)};
}

// --- Reductions

/// Divergent branches of one block.
Finding parted(SeedRuns& runs, const char* kernel, unsigned threads) {
  Experiment experiment;
  experiment.kernel = kernel;
  experiment.block = {threads, 1, 1};
  experiment.buffers = {Words(threads), Words(1)};
  return {static_cast<double>(runs.run(experiment).sum(&SmCounters::divergent_branches))};
}

/// The figure of the slides: eight numbers, and their partial sums after each step of the tree.
Finding slide_steps(SeedRuns& runs) {
  Experiment experiment;  // reduction_sequential, which also writes partial[t] out after each step
  experiment.kernel =
      ".kernel steps\n.reg 10\n.param ptr x\n.param ptr out\n.shared partial f32 8\n  cvt u32 $r0 u16 $r0l\n  shl b32 "
      "$r1 $r0 0x2\n"
      "  add b32 $r2 b32 s[x] $r1\n  add b32 $r3 b32 s[out] $r1\n  ld b32 $r4 g14[$r2]\n  shl $a1 $r0 0x2\n  st b32 "
      "s[$a1+partial] $r4\n"
      "  mov b32 $r5 0x4\nstep:\n  bar inc wait 0x0 0xfff\n  joinat added\n  set $c0 # l u32 $r0 $r5\n  (e $c0) bra "
      "added\n"
      "  add b32 $r6 $r0 $r5\n  shl $a2 $r6 0x2\n  mov b32 $r6 b32 s[$a2+partial]\n  add rn f32 $r6 b32 s[$a1+partial] "
      "$r6\n"
      "  st b32 s[$a1+partial] $r6\nadded:\n  join nop\n  mov b32 $r7 b32 s[$a1+partial]\n  st b32 g14[$r3] $r7\n  add "
      "b32 $r3 $r3 0x20\n"
      "  shr u32 $r5 $r5 0x1\n  set $c0 # lg u32 $r5 $r124\n  (lg $c0) bra step\n  exit nop\n";
  experiment.block = {8, 1, 1};
  Words x;
  for (const float value : {3.0f, 1.0f, 7.0f, 0.0f, 4.0f, 1.0f, 6.0f, 3.0f}) x.push_back(isa::bits_of(value));
  experiment.buffers = {x, Words(24)};
  const Words out = runs.run(experiment).buffers.at(1);
  Finding found;
  constexpr std::array<float, 7> kPrinted = {7, 2, 13, 3, 20, 5, 25};
  constexpr std::array<unsigned, 7> kAt = {0, 1, 2, 3, 8, 9, 16};
  for (std::size_t i = 0; i < kPrinted.size(); ++i) {
    found.value += isa::float_of(out[kAt[i]]) == kPrinted[i];
    found.note += fmt::format("{}{:g}", i == 0 ? "" : " ", isa::float_of(out[kAt[i]]));
  }
  return found;
}

Finding endless(SeedRuns& runs) {
  const LaunchResult& launch = runs.program("reduction_endless", {}, {"gpu.hang_cycles=20000"}).launches.front();
  return {launch.end == LaunchEnd::kLivelock ? 1.0 : 0.0, launch.message.substr(0, launch.message.find(", around"))};
}

// --- Matrix product: which thread computes which element

/// The number of elements, of a 4 x 4 product with 2 x 2 tiles, that the expected thread stores.
Finding ownership(SeedRuns& runs, bool only_one) {
  Experiment experiment;
  experiment.kernel = "matrix_mul";
  experiment.sets = kOneSm;  // one SM starts blocks in the order of their numbers
  experiment.grid = {2, 2, 1};
  experiment.block = {2, 2, 1};
  experiment.buffers = {Words(16), Words(16), Words(16)};
  experiment.params = {4};
  experiment.watch = Watch::kEvents;
  experiment.accesses = true;
  const Observation seen = runs.run(experiment);
  std::map<unsigned, unsigned> block_of;  // by warp slot
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kWarpStart) block_of.emplace(event.warp, static_cast<unsigned>(block_of.size()));
  }
  Finding found;
  for (const HalfWarpAccess& access : seen.accesses) {
    if (access.op != MemOp::kWrite) continue;
    const unsigned block = block_of[access.origin.warp];
    for (unsigned thread = 0; thread < 4; ++thread) {
      if ((access.lanes >> thread & 1) == 0) continue;
      const unsigned element = (access.address[thread] - seen.addresses[2]) / 4;
      const unsigned column = block % 2 * 2 + thread % 2, row = block / 2 * 2 + thread / 2;
      if (only_one && block == 1 && thread == 0)
        return {static_cast<double>(element % 4), fmt::format("row {}", element / 4)};
      found.value += element == row * 4 + column;
    }
  }
  return found;
}

// --- The dot product

Finding dot_bits(SeedRuns& runs) {
  const std::string text = runs.program("dot_product").host_sum;
  const std::size_t at = text.find("0x");
  return {at == std::string::npos ? 0.0 : static_cast<double>(std::stoul(text.substr(at, 10), nullptr, 16)), text};
}

/// The sum as the program prints it, and the closed form beside it: 2 (N - 1) N (2N - 1) / 6.
Finding dot_value(SeedRuns& runs) {
  const std::string text = runs.program("dot_product").host_sum;
  const std::size_t at = text.find(": ");
  const double printed = at == std::string::npos ? 0 : std::stod(text.substr(at + 2));
  const double n = 33 * 1024 - 1;
  return {printed, fmt::format("closed form {:.6g}", 2 * (n * (n + 1) * (2 * n + 1) / 6))};
}

// --- Results that do not depend on the machine's size

struct Shape {
  const char* name;
  unsigned tpcs, per_tpc;
};
constexpr std::array<Shape, 5> kShapes = {{{"1", 1, 1}, {"2", 1, 2}, {"4", 2, 2}, {"8", 4, 2}, {"16", 8, 2}}};

const RunResult& on_shape(SeedRuns& runs, const Shape& shape) {
  return runs.program("reduction_sequential", {{"blocks", "64"}},
                      {fmt::format("gpu.num_tpcs={}", shape.tpcs), fmt::format("gpu.sms_per_tpc={}", shape.per_tpc)});
}

Finding same_memory(SeedRuns& runs) {
  Finding found{0, "64 blocks on 1, 2, 4, 8 and 16 SMs, and three shuffled orders of blocks"};
  const auto first = on_shape(runs, kShapes[0]).fingerprints;
  for (const Shape& shape : kShapes) found.value += !first.empty() && on_shape(runs, shape).fingerprints == first;
  for (const char* seed : {"1", "2", "3"}) {
    const RunResult& run = runs.program("reduction_sequential", {{"blocks", "64"}},
                                        {"gpu.cta_order=shuffled", fmt::format("gpu.seed={}", seed)});
    found.value += run.fingerprints == first;
  }
  return found;
}

Finding faster_with_more(SeedRuns& runs) {
  Finding found;
  std::uint64_t before = 0;
  for (const Shape& shape : kShapes) {
    const std::uint64_t cycles = totals(on_shape(runs, shape)).shader_cycles;
    found.note += fmt::format("{}{}: {}", found.note.empty() ? "cycles on SMs " : ", ", shape.name, cycles);
    found.value += before != 0 && cycles < before;
    before = cycles;
  }
  return found;
}

Finding any_scheduler(SeedRuns& runs) {
  Finding found;
  const auto first = runs.program("dot_product", {{"n", "5000"}}).fingerprints;
  for (const char* policy : {"loose_round_robin", "oldest_first", "greedy_then_oldest"}) {
    found.value +=
        runs.program("dot_product", {{"n", "5000"}}, {fmt::format("sm.scheduler={}", policy)}).fingerprints == first;
  }
  return found;
}

Finding repeated(SeedRuns& runs) {
  const std::uint64_t first = totals(runs.program("vec_add")).shader_cycles;
  const std::uint64_t again = totals(runs.program("vec_add", {{"n", "1000"}})).shader_cycles;
  return {std::fabs(static_cast<double>(again) - static_cast<double>(first))};
}

// --- The histogram of the last slide

Finding full_warps(SeedRuns& runs, const char* reduction) {
  const Histogram& histogram = runs.histogram(reduction);
  Finding found{100 * histogram.share(0)};
  constexpr std::array<const char*, 5> kNames = {"32", "24 to 31", "16 to 23", "8 to 15", "1 to 7"};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    found.note += fmt::format("{}{}: {:.1f} %", i == 0 ? "" : ", ", kNames[i], 100 * histogram.share(i));
  return found;
}

Finding histogram_sum(SeedRuns& runs) {
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) sum += runs.histogram("reduction_interleaved").share(i);
  return {100 * sum};
}

constexpr const char* kStack = "hw/sm/warp_control.h";

}  // namespace

std::vector<SeedRow> program_rows() {
  return {
      {"T1.blocks", kTeachingKit, "blocks of the sum of 1000 elements", "blocks", "4", 4, 4, "the launch",
       [](SeedRuns& runs) {
         const Observation seen = vec_add(runs, 1000);
         return Finding{static_cast<double>(seen.sum(&SmCounters::blocks))};
       }},
      {"T1.warps", kTeachingKit, "warps", "warps", "32", 32, 32, "hw/sm/cta_launcher.h", vec_add_warps},
      {"T1.divergent", kTeachingKit, "warps that diverge", "warps", "1", 1, 1, kStack,
       [](SeedRuns& runs) {
         return Finding{static_cast<double>(vec_add(runs, 1000).sum(&SmCounters::divergent_branches))};
       }},
      {"T1.first", kTeachingKit, "first element of that warp", "element", "992", 992, 992, kStack,
       [](SeedRuns& runs) { return partly_idle(runs, true); }},
      {"T1.lanes", kTeachingKit, "threads of it in range: 992 to 999", "threads", "8", 8, 8, kStack,
       [](SeedRuns& runs) { return partly_idle(runs, false); }},
      {"T1.cost", kTeachingKit, "what the divergence costs the sum, beside 1024 elements", "%", "less than 3", -3, 3,
       kStack, divergence_cost},
      {"RA.sum", kTeachingKit,
       "sums of the reduction with growing strides that are added in the slide's order, bit for bit", "sums",
       "16 of 16", 16, 16, "kernels/reduction_interleaved",
       [](SeedRuns& runs) { return as_golden(runs, "reduction_interleaved"); }},
      {"RA.parts", kTeachingKit,
       "divergent branches of a block of 256: eight warps in each of five steps, then 4, 2 and 1", "branches", "47", 47,
       47, kStack, [](SeedRuns& runs) { return parted(runs, "reduction_interleaved", 256); }},
      {"RB.sum", kTeachingKit,
       "sums of the reduction with shrinking strides that are added in the slide's order, bit for bit", "sums",
       "16 of 16", 16, 16, "kernels/reduction_sequential",
       [](SeedRuns& runs) { return as_golden(runs, "reduction_sequential"); }},
      {"RB.parts", kTeachingKit, "divergent branches of a block of 256: one warp, strides 16 to 1", "branches", "5", 5,
       5, kStack, [](SeedRuns& runs) { return parted(runs, "reduction_sequential", 256); }},
      {"RB.steps", kTeachingKit, "numbers of the slide's figure that the steps leave: 7 2 13 3, 20 5, 25", "numbers",
       "7 of 7", 7, 7, "hw/exec/sp_array.h", slide_steps},
      {"RB.endless", kTeachingKit, "the loop as printed, stride >> 1, reported as one that never ends", "reports",
       "1 (erratum)", 1, 1, "tb/check/watchdog.h", endless},
      {"W7.sum", kTeachingKit, "warp instructions in the five classes of the utilisation chart", "%", "100", 99.99,
       100.01, "hw/sm/writeback.h", histogram_sum},
      {"W7.sequential", kTeachingKit, "instructions with 32 threads, shrinking strides, 32 warps on one SM", "%",
       "good", 75, 100, kStack, [](SeedRuns& runs) { return full_warps(runs, "reduction_sequential"); }},
      {"W7.interleaved", kTeachingKit, "the same with growing strides: lower", "%", "underutilized", 0, 75, kStack,
       [](SeedRuns& runs) { return full_warps(runs, "reduction_interleaved"); }},
      {"K.matmul", kTextbook, "elements of the matrix product with the right value", "elements", "4096 of 4096", 4096,
       4096, "kernels/matrix_mul", [](SeedRuns& runs) { return as_golden(runs, "matrix_mul"); }},
      {"K.owner", kTextbook, "elements of Figure 3.3 that the right thread stores", "elements", "16 of 16", 16, 16,
       "kernels/matrix_mul", [](SeedRuns& runs) { return ownership(runs, false); }},
      {"K.owner10", kTextbook, "column that thread (0,0) of block (1,0) computes, in row 0", "column", "2", 2, 2,
       "kernels/matrix_mul", [](SeedRuns& runs) { return ownership(runs, true); }},
      {"K.dot_value", kLearningLog, "the dot product of 33 x 1024 elements as the program prints it", "", "2.57236e+13",
       2.57236e13, 2.57236e13, "kernels/dot_product", dot_value},
      {"K.dot_bits", kLearningLog, "its bits, computed by hand in the order of the program", "bits", "0x55bb29de",
       0x55bb29de, 0x55bb29de, "tb/golden/semantics.h", dot_bits},
      {"K.dot_blocks", kLearningLog, "blocks of it", "blocks", "32", 32, 32, "the launch",
       [](SeedRuns& runs) {
         return Finding{static_cast<double>(runs.program("dot_product").launches.front().grid[0])};
       }},
      {"D4.memory", kTextbook, "machines and orders of blocks with the same memory at the end", "runs", "8 of 8", 8, 8,
       "docs/checks.md", same_memory},
      {"D4.cycles", kTextbook, "steps from 1 to 16 SMs that make it faster", "steps", "4 of 4", 4, 4,
       "hw/gpu/cta_scheduler.h", faster_with_more},
      {"W3.order", kTeachingKit, "schedulers of warps with the same result", "policies", "any order", 3, 3,
       "docs/checks.md", any_scheduler},
      {"D5.grid", kTextbook, "words that a second launch reads as the first wrote them", "words", "2048 of 2048", 2048,
       2048, "hw/host/command_processor.h", [](SeedRuns& runs) { return as_golden(runs, "global_sync"); }},
      {"H1.repeat", kThreadsBlocks, "cycles by which two runs of a program differ, of which the author averaged 1000",
       "cycles", "-", 0, 0, "the model has no noise", repeated},
  };
}

}  // namespace g80::silicon

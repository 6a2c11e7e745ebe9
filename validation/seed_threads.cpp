// SPDX-License-Identifier: Apache-2.0
// Rows of blocks, threads and warps: where each thread runs, its coordinates, the addresses it accesses, and what
// happens when a warp diverges.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "validation/experiment.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

/// out[position in the grid] = $physid: lane in bits 7:0, warp slot in 15:8, SM above.
constexpr const char* kPlaces = R"(.kernel places
.param ptr out
  mov b32 $r7 $r0
  shr u32 $r3 $r7 0x1a
  shr u32 $r2 $r7 0x10
  and b32 $r2 $r2 0x3ff
  cvt u32 $r1 u16 $r7l
  mov b16 $r8l u16 s[0x4]
  cvt u32 $r9 u16 $r3l
  mul $r4 u16 $r9l u16 $r8l
  add b32 $r4 $r4 $r2
  mov b16 $r8h u16 s[0x2]
  mul $r4 u16 $r4l u16 $r8h
  add b32 $r4 $r4 $r1
  mul $r5 u16 $r8l u16 $r8h
  mov b16 $r9l u16 s[0x6]
  mul $r5 u16 $r5l u16 $r9l
  mov b16 $r9l u16 s[0x8]
  cvt u32 $r6 u16 u16 s[0xc]
  add $r6 (mul u16 u16 s[0xe] $r9l) $r6
  mul $r5 u16 $r5l u16 $r6l
  add b32 $r4 $r5 $r4
  shl b32 $r5 $r4 0x2
  add b32 $r5 b32 s[out] $r5
  mov $r6 $physid
  st b32 g14[$r5] $r6
  exit nop
)";
constexpr std::uint32_t kNobody = 0xffffffff;

using Size = std::array<std::uint32_t, 3>;
std::uint32_t product(const Size& size) { return size[0] * size[1] * size[2]; }

Words places(SeedRuns& runs, const Size& grid, const Size& block) {
  Experiment experiment;
  experiment.kernel = kPlaces;
  experiment.grid = grid;
  experiment.block = block;
  experiment.buffers = {Words(product(grid) * product(block), kNobody)};
  return runs.run(experiment).buffers.at(0);
}

/// Blocks with threads on more than one SM.
Finding split_blocks(SeedRuns& runs) {
  constexpr unsigned kBlocks = 20, kThreads = 200;
  const Words place = places(runs, {kBlocks, 1, 1}, {kThreads, 1, 1});
  Finding found;
  std::set<std::uint32_t> all;
  for (unsigned block = 0; block < kBlocks; ++block) {
    std::set<std::uint32_t> sms;
    for (unsigned thread = 0; thread < kThreads; ++thread) sms.insert(place[block * kThreads + thread] >> 16);
    found.value += sms.size() > 1;
    all.insert(sms.begin(), sms.end());
  }
  found.note = fmt::format("{} blocks on {} SMs", kBlocks, all.size());
  return found;
}

/// Threads in the warp and lane of their linear number: x fastest, then y, then z, divided into warps of 32.
Finding linear_threads(SeedRuns& runs) {
  Finding found;
  for (const Size& block : {Size{4, 2, 2}, Size{16, 16, 1}, Size{8, 16, 2}, Size{5, 3, 3}, Size{33, 3, 2}}) {
    const Words place = places(runs, {1, 1, 1}, block);
    std::map<std::uint32_t, std::uint32_t> slot_of;  // by number of the warp in the block
    std::set<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < place.size(); ++i) {
      const std::uint32_t lane = place[i] & 0xff, slot = place[i] >> 8 & 0xff;
      const bool first = slot_of.emplace(i / 32, slot).second;
      const bool new_slot = slots.insert(slot).second;
      found.value += lane == i % 32 && slot_of[i / 32] == slot && first == new_slot;
    }
  }
  found.note = "blocks of 4x2x2, 16x16, 8x16x2, 5x3x3, 33x3x2";
  return found;
}

/// The 2 x 2 blocks of 4 x 2 x 2 threads of Figure 3.1.
Finding coordinates(SeedRuns& runs, bool only_one) {
  Experiment experiment;
  experiment.kernel = "coordinates";
  experiment.grid = {2, 2, 1};
  experiment.block = {4, 2, 2};
  experiment.buffers = {Words(8 * 64, kNobody)};
  const Words out = runs.run(experiment).buffers.at(0);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  for (std::size_t i = 0; i + 7 < out.size(); i += 8)
    seen.emplace(out[i], out[i + 1], out[i + 2], out[i + 3], out[i + 4]);
  const bool in_range = std::all_of(seen.begin(), seen.end(), [](const auto& c) {
    return std::get<0>(c) < 2 && std::get<1>(c) < 2 && std::get<2>(c) < 4 && std::get<3>(c) < 2 && std::get<4>(c) < 2;
  });
  if (!only_one) return {in_range ? static_cast<double>(seen.size()) : 0.0};
  return {static_cast<double>(seen.count({1, 1, 2, 1, 0}))};
}

Finding hundred_blocks(SeedRuns& runs) {
  const Words place = places(runs, {100, 1, 1}, {16, 16, 1});
  return {static_cast<double>(
      std::count_if(place.begin(), place.end(), [](std::uint32_t word) { return word != kNobody; }))};
}

// The document's two tables of the addresses of each thread: the first seven and the last two.
constexpr std::array<std::array<std::uint32_t, 9>, 8> kOffset0 = {{{0, 4, 8, 12, 16, 20, 24, 248, 252},
                                                                   {1, 5, 9, 13, 17, 21, 25, 249, 253},
                                                                   {2, 6, 10, 14, 18, 22, 26, 250, 254},
                                                                   {3, 7, 11, 15, 19, 23, 27, 251, 255},
                                                                   {256, 260, 264, 268, 272, 276, 280, 504, 508},
                                                                   {257, 261, 265, 269, 273, 277, 281, 505, 509},
                                                                   {258, 262, 266, 270, 274, 278, 282, 506, 510},
                                                                   {259, 263, 267, 271, 275, 279, 283, 507, 511}}};
constexpr std::array<std::array<std::uint32_t, 9>, 8> kOffset1 = {{{1, 5, 9, 13, 17, 21, 25, 249, 253},
                                                                   {2, 6, 10, 14, 18, 22, 26, 250, 254},
                                                                   {3, 7, 11, 15, 19, 23, 27, 251, 255},
                                                                   {0, 4, 8, 12, 16, 20, 24, 248, 252},
                                                                   {257, 261, 265, 269, 273, 277, 281, 505, 509},
                                                                   {258, 262, 266, 270, 274, 278, 282, 506, 510},
                                                                   {259, 263, 267, 271, 275, 279, 283, 507, 511},
                                                                   {256, 260, 264, 268, 272, 276, 280, 504, 508}}};

/// square_array with 512 elements and 8 threads, stride 4.
Observation example(SeedRuns& runs, unsigned offset, const char* device) {
  Experiment experiment;
  experiment.kernel = "square_array";
  experiment.device = device;
  experiment.block = {8, 1, 1};
  experiment.buffers = {Words(512)};
  experiment.params = {512, 64,     4,
                       2,   offset, 9};  // elements, per thread, stride, its logarithm, offset, that of the group
  experiment.accesses = true;
  return runs.run(experiment);
}

Finding address_table(SeedRuns& runs, unsigned offset) {
  const Observation seen = example(runs, offset, "8600gts");
  std::array<Words, 8> loads;
  for (const HalfWarpAccess& access : seen.accesses) {
    if (access.op != MemOp::kRead) continue;
    for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
      if ((access.lanes >> lane & 1) != 0)
        loads.at(access.half * kHalfWarp + lane).push_back((access.address[lane] - seen.addresses[0]) / 4);
    }
  }
  Finding found;
  for (unsigned thread = 0; thread < 8; ++thread) {
    const Words& mine = loads[thread];
    if (mine.size() != 64) return {0, fmt::format("thread {} loads {} times", thread, mine.size())};
    const auto& printed = (offset == 0 ? kOffset0 : kOffset1)[thread];
    for (unsigned i = 0; i < printed.size(); ++i) found.value += mine[i < 7 ? i : 62 + i - 7] == printed[i];
  }
  found.note = "addresses of the loads as they leave the SM";
  return found;
}

/// Transactions of one access of the eight threads.
Finding example_transactions(SeedRuns& runs, const char* device) {
  const Observation seen = example(runs, 0, device);
  const double transactions = static_cast<double>(seen.sum(&SmCounters::coalesced_transactions) +
                                                  seen.sum(&SmCounters::uncoalesced_transactions));
  return {transactions / 128, "64 loads and 64 stores"};
}

/// Cycles of one round of a loop with a branch on bit `bit` of the thread number and `body` adds on either side.
double split_round(SeedRuns& runs, unsigned bit, unsigned body) {
  const auto cycles = [&](unsigned rounds) {
    const auto adds = [&] {
      std::string text;
      for (unsigned i = 0; i < body; ++i) text += fmt::format("  add b32 $r{} $r2 $r3\n", 4 + i % 4);
      return text;
    };
    Experiment experiment;
    experiment.kernel = fmt::format(
        ".kernel split\n.reg 12\n  cvt u32 $r0 u16 $r0l\n  mov b32 $r1 {:#x}\n  mov b32 $r10 {:#x}\nagain:\n"
        "  joinat done\n  and b32 $c0 # $r0 $r1\n  (lg $c0) bra other\n{}  bra done\nother:\n{}done:\n  join nop\n"
        "  add b32 $r10 $r10 0xffffffff\n  set $c0 # lg s32 $r10 $r124\n  (lg $c0) bra again\n  exit nop\n",
        1u << bit, rounds, adds(), adds());
    experiment.sets = kOneSm;
    experiment.block = {512, 1, 1};
    return static_cast<double>(runs.run(experiment).result.shader_cycles);
  };
  return (cycles(12) - cycles(4)) / 8;
}

/// The share of throughput lost if both sides of a branch are in one warp: bit 4 splits warps, bit 5 does not.
Finding divergence_loss(SeedRuns& runs) {
  const auto per_add = [&](unsigned bit) { return (split_round(runs, bit, 64) - split_round(runs, bit, 16)) / 48; };
  return {100 * (1 - per_add(5) / per_add(4)), "64 adds a side less 16, sixteen warps"};
}

/// A tree of ifs over `levels` bits of the lane, with `body` adds in each leaf.
std::string nested(unsigned levels, unsigned body) {
  unsigned label = 0;
  std::string text = ".kernel nested\n.reg 12\n  cvt u32 $r0 u16 $r0l\n";
  const auto emit = [&](const auto& self, unsigned level) -> void {
    if (level == 0) {
      for (unsigned i = 0; i < body; ++i) text += "  add b32 $r4 $r2 $r3\n";
      return;
    }
    const unsigned here = label++;
    text += fmt::format("  joinat done{0}\n  mov b32 $r1 {1:#x}\n  and b32 $c0 # $r0 $r1\n  (lg $c0) bra other{0}\n",
                        here, 1u << (level - 1));
    self(self, level - 1);
    text += fmt::format("  bra done{0}\nother{0}:\n", here);
    self(self, level - 1);
    text += fmt::format("done{0}:\n  join nop\n", here);
  };
  emit(emit, levels);
  return text + "  exit nop\n";
}

/// How often a warp issues an instruction of the leaves when it diverges at several levels.
Finding paths(SeedRuns& runs) {
  const auto issued = [&](unsigned body) {
    Experiment experiment;
    experiment.kernel = nested(5, body);
    experiment.block = {32, 1, 1};
    return static_cast<double>(runs.run(experiment).sum(&SmCounters::warp_instructions));
  };
  return {(issued(3) - issued(1)) / 2, "five ifs, one inside the other"};
}

/// A loop that lane n executes n + 1 times.
Finding trip_counts(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel =
      ".kernel trips\n.reg 4\n  cvt u32 $r0 u16 $r0l\n  add b32 $r1 $r0 0x1\n  joinat done\nagain:\n  add b32 $r1 $r1 "
      "0xffffffff\n"
      "  set $c0 # lg s32 $r1 $r124\n  (lg $c0) bra again\ndone:\n  join nop\n  exit nop\n";
  experiment.block = {32, 1, 1};
  experiment.profile = true;
  for (const PcCounters& pc : runs.run(experiment).result.pcs) {
    if (pc.text.rfind("set", 0) != 0) continue;
    return {static_cast<double>(pc.issued), fmt::format("{} rounds of single threads", pc.lanes)};
  }
  return {};
}

/// The smallest group of threads that can take a branch together without divergence.
Finding coherence(SeedRuns& runs) {
  Finding found{0};
  for (const char* group : {"64", "32", "16", "8"}) {
    const RunResult& run =
        runs.program("square_array_branching", {{"blocks", "2"}, {"per_thread", "1"}, {"group", group}});
    const std::uint64_t divergent = totals(run).divergent_branches;
    found.note +=
        fmt::format("{}{}: {}", found.note.empty() ? "divergent branches with groups of " : ", ", group, divergent);
    if (divergent == 0) found.value = std::stod(group);
  }
  return found;
}

Finding divergent_warps(SeedRuns& runs, const char* kernel) {
  return {static_cast<double>(totals(runs.program(kernel)).divergent_branches), "one block of 256 threads"};
}

constexpr const char* kStackSource = "hw/sm/warp_control.h, hw/sm/reconvergence_stack.h";

}  // namespace

std::vector<SeedRow> thread_rows() {
  return {
      {"G1.split", kThreadsBlocks, "blocks with threads on more than one SM", "blocks", "never divided", 0, 0,
       "hw/gpu/cta_scheduler.h", split_blocks},
      {"G5.tuples", kTextbook, "different coordinates of 2x2 blocks of 4x2x2 threads", "threads", "64", 64, 64,
       "hw/sm/cta_launcher.h", [](SeedRuns& runs) { return coordinates(runs, false); }},
      {"G5.thread", kTextbook, "threads that are thread (2,1,0) of block (1,1)", "threads", "1", 1, 1,
       "hw/sm/cta_launcher.h", [](SeedRuns& runs) { return coordinates(runs, true); }},
      {"G6.threads", kTextbook, "threads that run in 100 blocks of 16x16", "threads", "25600", 25600, 25600,
       "hw/gpu/cta_scheduler.h", hundred_blocks},
      {"W2.linear", kTeachingKit, "threads at the warp and lane that x, then y, then z gives", "threads", "all 771",
       771, 771, "hw/sm/cta_launcher.h", linear_threads},
      {"W1.coherence", kNewConcepts, "smallest groups whose branches do not split a warp", "threads", "32", 32, 32,
       "warp of 32 lanes", coherence},
      {"K.table0", kThreadsBlocks, "addresses of the printed table with offset 0 that the threads load in that order",
       "addresses", "72 of 72", 72, 72, "kernels/square_array, hw/exec/address_unit.h",
       [](SeedRuns& runs) { return address_table(runs, 0); }},
      {"K.table1", kThreadsBlocks, "the same with offset 1", "addresses", "72 of 72", 72, 72,
       "kernels/square_array, hw/exec/address_unit.h", [](SeedRuns& runs) { return address_table(runs, 1); }},
      {"K.bursts", kThreadsBlocks, "transactions for an access of its threads 0 to 3 and 4 to 7, on a GeForce GTX 280",
       "transactions", "2", 2, 2, "hw/mem/coalesce.h, the rule of compute capability 1.2",
       [](SeedRuns& runs) { return example_transactions(runs, "gtx280"); }},
      {"K.bursts11", kThreadsBlocks,
       "the same on a GeForce 8600 GTS: thread 4 does not access Base + 4, so each thread has its own transaction",
       "transactions", "Base + N", 8, 8, "hw/mem/coalesce.h, the rule of compute capability 1.0",
       [](SeedRuns& runs) { return example_transactions(runs, "8600gts"); }},
      {"V1.loss", kTeachingKit, "throughput lost when both sides of a branch are in one warp", "%", "50", 49, 51,
       kStackSource, divergence_loss},
      {"V1.paths", kTeachingKit, "passes through the innermost code when a warp diverges five times", "passes",
       "one a path", 32, 32, kStackSource, paths},
      {"V1.loop", kTeachingKit, "rounds of a warp whose lanes make 1 to 32", "rounds", "until the chain ends", 32, 32,
       kStackSource, trip_counts},
      {"V2.in_warp", kTeachingKit, "warps that diverge at threadIdx.x > 2", "warps", "1", 1, 1, kStackSource,
       [](SeedRuns& runs) { return divergent_warps(runs, "divergence_in_warp"); }},
      {"V2.by_warp", kTeachingKit, "warps that diverge at threadIdx.x / 32 > 2", "warps", "0", 0, 0, kStackSource,
       [](SeedRuns& runs) { return divergent_warps(runs, "divergence_by_warp"); }},
  };
}

}  // namespace g80::silicon

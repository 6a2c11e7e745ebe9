// SPDX-License-Identifier: Apache-2.0
// Rows about memory, warp scheduling and barriers.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/report/counters.h"
#include "hw/common/check.h"
#include "tb/record/machine_event.h"
#include "tb/record/warp_state.h"
#include "validation/experiment.h"
#include "validation/rows.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

std::uint64_t count_of(const std::vector<NamedCount>& counts, const std::string& name) {
  const auto found =
      std::find_if(counts.begin(), counts.end(), [&](const NamedCount& count) { return count.first == name; });
  CHECK(found != counts.end(), "there is no counter {}", name);
  return found->second;
}

// --- Memory

/// Transactions of a half-warp that stores `bytes` per lane, shifted by `shift` elements and rotated by `rotate` lanes.
double half_warp_transactions(SeedRuns& runs, unsigned bytes, unsigned shift, unsigned rotate) {
  const unsigned log = bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
  const char* const type = bytes == 4 ? "b32" : bytes == 8 ? "b64" : "b128";
  const char* const data = bytes == 4 ? "$r8" : bytes == 8 ? "$r8d" : "$r8q";
  Experiment experiment;
  experiment.kernel = fmt::format(
      ".kernel half\n.reg 12\n.param ptr buffer\n  cvt u32 $r0 u16 $r0l\n  add b32 $r1 $r0 {:#x}\n  and b32 $r1 $r1 "
      "0xf\n"
      "  add b32 $r1 $r1 {:#x}\n  shl b32 $r1 $r1 {:#x}\n  add b32 $r1 b32 s[buffer] $r1\n  st {} g14[$r1] {}\n  exit "
      "nop\n",
      rotate, shift, log, type, data);
  experiment.block = {16, 1, 1};
  experiment.buffers = {Words(128)};
  const Observation seen = runs.run(experiment);
  return static_cast<double>(seen.sum(&SmCounters::coalesced_transactions) +
                             seen.sum(&SmCounters::uncoalesced_transactions));
}

Finding patterns(SeedRuns& runs, unsigned shift, unsigned rotate) {
  Finding found;
  for (const unsigned bytes : {4u, 8u, 16u}) {
    const double transactions = half_warp_transactions(runs, bytes, shift, rotate);
    found.value = std::max(found.value, transactions);
    found.note += fmt::format("{}{} bytes: {:g}", found.note.empty() ? "" : ", ", bytes, transactions);
  }
  return found;
}

/// Bytes that DRAM delivers for each of many loads of one word.
Finding repeated_load(SeedRuns& runs) {
  const auto bytes = [&](unsigned loads) {
    Experiment experiment;
    experiment.kernel = fmt::format(
        ".kernel repeat\n.reg 8\n.param ptr buffer\n  mov b32 $r1 b32 s[buffer]\n  mov b32 $r3 {:#x}\nagain:\n  ld b32 "
        "$r2 g14[$r1]\n"
        "  add b32 $r3 $r3 0xffffffff\n  set $c0 # lg s32 $r3 $r124\n  (lg $c0) bra again\n  exit nop\n",
        loads);
    experiment.buffers = {Words(64)};
    return static_cast<double>(count_of(memory_counters(runs.run(experiment).result), "dram_read_bytes"));
  };
  return {(bytes(40) - bytes(8)) / 32};
}

/// Two blocks pass a number back and forth through device memory; each waits for its own. Cycles of one way.
Finding hand_over(SeedRuns& runs) {
  const auto cycles = [&](unsigned rounds) {
    Experiment experiment;
    experiment.kernel = fmt::format(
        ".kernel pingpong\n.reg 8\n.param ptr word\n  mov b32 $r1 b32 s[word]\n  cvt u32 $r2 u16 u16 s[0xc]\n  mov b32 "
        "$r5 {:#x}\n"
        "wait:\n  ld b32 $r3 g14[$r1]\n  set $c0 # l u32 $r3 $r2\n  (lg $c0) bra wait\n"
        "  add b32 $r3 $r2 0x1\n  st b32 g14[$r1] $r3\n  add b32 $r2 $r2 0x2\n  set $c0 # l u32 $r2 $r5\n  (lg $c0) "
        "bra wait\n  exit nop\n",
        rounds);
    experiment.grid = {2, 1, 1};
    experiment.buffers = {Words(1)};
    return static_cast<double>(runs.run(experiment).result.shader_cycles);
  };
  return {(cycles(40) - cycles(20)) / 20, "store, then a load that reads its value"};
}

/// Threads that read from shared memory the value of their own block, although other blocks are resident.
Finding private_copies(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel =
      ".kernel copies\n.reg 8\n.param ptr out\n.shared word u32 96\n  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n"
      "  add $r1 (mul u16 u16 s[0xc] $r1l) $r0\n  shl $a1 $r0 0x2\n  st b32 s[$a1+word] $r1\n  mov $r2 $clock\nstay:\n "
      " mov $r3 $clock\n"
      "  sub b32 $r3 $r3 $r2\n  mov b32 $r4 0x4000\n  set $c0 # l u32 $r3 $r4\n  (lg $c0) bra stay\n  mov b32 $r5 b32 "
      "s[$a1+word]\n"
      "  shl b32 $r1 $r1 0x2\n  add b32 $r1 b32 s[out] $r1\n  st b32 g14[$r1] $r5\n  exit nop\n";
  experiment.sets = kOneSm;
  experiment.grid = {8, 1, 1};
  experiment.block = {96, 1, 1};
  experiment.buffers = {Words(8 * 96, 0xffffffff)};
  const Words out = runs.run(experiment).buffers.at(0);
  Finding found{0, "8 blocks of 96 threads on one SM"};
  for (std::uint32_t i = 0; i < out.size(); ++i) found.value += out[i] == i;
  return found;
}

/// Of 40 reads of one constant, those that hit in the SM's cache.
Finding cached_constants(SeedRuns& runs) {
  const auto misses = [&](unsigned reads) {
    Experiment experiment;
    experiment.kernel = ".constant table u32 4\n.kernel read\n.param ptr out\n";
    for (unsigned i = 0; i < reads; ++i) experiment.kernel += "  add b32 $r2 $r2 c0[table+0x4]\n";
    experiment.kernel += "  exit nop\n";
    experiment.buffers = {Words(1)};
    std::uint64_t sum = 0;
    for (const SmCounters& sm : runs.run(experiment).result.sms)
      sum += count_of(counters_of(sm), "constant_cache_misses");
    return static_cast<double>(sum);
  };
  return {misses(41) - misses(1), "misses of 40 further reads of a word"};
}

// --- Which warp issues

/// The largest number of instructions that an SM issued in one cycle.
Finding issues_at_once(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel = "reduction_sequential";
  experiment.grid = {4, 1, 1};
  experiment.block = {256, 1, 1};
  experiment.buffers = {Words(1024), Words(4)};
  experiment.watch = Watch::kEvents;
  std::map<std::pair<Cycle, unsigned>, unsigned> issues;
  unsigned most = 0;
  for (const MachineEvent& event : runs.run(experiment).events) {
    if (event.kind == EventKind::kIssue) most = std::max(most, ++issues[{event.cycle, event.unit}]);
  }
  return {static_cast<double>(most)};
}

Finding waits_at(SeedRuns& runs, unsigned block) {
  Finding found;
  for (const Timeline38::Wait& wait : runs.timeline().waits) {
    if (wait.block != block) continue;
    if (wait.warp == 0) found.value = wait.number;
    found.note += fmt::format("{}warp {}: cycles {} to {}, {} instructions of other warps",
                              found.note.empty() ? "" : "; ", wait.warp + 1, wait.from, wait.to, wait.others);
  }
  return found;
}

double used_by(SeedRuns& runs, unsigned warps) {
  for (const HidingPoint& point : runs.hiding()) {
    if (point.warps == warps) return 100 * point.used;
  }
  return -1;
}

Finding rises(SeedRuns& runs) {
  const std::vector<HidingPoint>& points = runs.hiding();
  Finding found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.note += fmt::format("{}{}: {:.0f} %", i == 0 ? "" : ", ", points[i].warps, 100 * points[i].used);
    found.value += i > 0 && (points[i].used > points[i - 1].used || points[i].used > 0.95);
  }
  return found;
}

// --- Barriers

/// Words that a thread reads as another thread of its block wrote them before the barrier, in shared or device memory.
Finding ordered(SeedRuns& runs, const char* memory) {
  const bool shared = std::string(memory) == "shared";
  Experiment experiment;
  experiment.kernel =
      ".kernel order\n.reg 8\n.param ptr out\n.param ptr data\n.shared word u32 512\n  mov b16 $r1l u16 s[0x2]\n  cvt "
      "u32 $r0 u16 $r0l\n"
      "  add $r1 (mul u16 u16 s[0xc] $r1l) $r0\n  shl b32 $r1 $r1 0x2\n  shl $a1 $r0 0x2\n  xor b32 $r4 $r0 $r5\n  mov "
      "b32 $r5 0x1e0\n"
      "  xor b32 $r4 $r0 $r5\n  sub b32 $r6 $r4 $r0\n  shl b32 $r6 $r6 0x2\n";  // $r4: the partner, in another warp
  experiment.kernel +=
      shared ? "  st b32 s[$a1+word] $r1\n  bar inc wait 0x0 0xfff\n  shl $a2 $r4 0x2\n  mov b32 $r7 b32 s[$a2+word]\n"
             : "  add b32 $r2 b32 s[data] $r1\n  st b32 g14[$r2] $r1\n  bar inc wait 0x0 0xfff\n  add b32 $r2 $r2 $r6\n"
               "  ld b32 $r7 g14[$r2]\n";
  experiment.kernel += "  add b32 $r3 b32 s[out] $r1\n  st b32 g14[$r3] $r7\n  exit nop\n";
  experiment.grid = {2, 1, 1};
  experiment.block = {512, 1, 1};
  experiment.buffers = {Words(1024, 0xffffffff), Words(1024, 0xffffffff)};
  const Words out = runs.run(experiment).buffers.at(0);
  Finding found{0, "threads 480 apart"};
  for (std::uint32_t i = 0; i < out.size(); ++i) found.value += out[i] == 4 * (i / 512 * 512 + (i % 512 ^ 0x1e0));
  return found;
}

const BarrierPoint& with_blocks(SeedRuns& runs, unsigned blocks) {
  return *std::find_if(runs.barriers().begin(), runs.barriers().end(),
                       [&](const BarrierPoint& p) { return p.blocks == blocks; });
}

/// Cycles that a barrier costs a single warp, without the cost of an independent instruction.
Finding drained(SeedRuns& runs) {
  const Bench bench = runs.bench("8600gts");
  const double plain = bench.issue_cycles("add b32 $r{d} $r2 $r3", 1);
  return {bench.issue_cycles("add b32 $r{d} $r2 $r3\n  bar inc wait 0x0 0xfff", 1) - plain,
          "one warp, an addition and a barrier in turns"};
}

/// Cycles for which the other warps of a block wait at a barrier while its first warp waits for a load.
Finding waits_for_load(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel =
      ".kernel late\n.reg 12\n.param ptr buffer\n  cvt u32 $r0 u16 $r0l\n  mov b32 $r1 b32 s[buffer]\n  shr u32 $r2 "
      "$r0 0x5\n  mov b32 $r10 0x4\n"
      "again:\n  set $c0 # lg u32 $r2 $r124\n  (lg $c0) bra arrive\n  ld b32 $r3 g14[$r1]\narrive:\n  bar inc wait 0x0 "
      "0xfff\n"
      "  add b32 $r10 $r10 0xffffffff\n  set $c0 # lg s32 $r10 $r124\n  (lg $c0) bra again\n  exit nop\n";
  experiment.block = {128, 1, 1};
  experiment.buffers = {Words(32)};
  experiment.watch = Watch::kWaits;
  std::map<unsigned, Cycle> since;
  std::map<unsigned, bool> first_warp;
  Cycle last = 0;
  for (const MachineEvent& event : runs.run(experiment).events) {
    if (event.kind == EventKind::kWarpStart) first_warp[event.warp] = event.detail == 0;
    if (event.kind != EventKind::kWaits || first_warp[event.warp]) continue;
    if (static_cast<WarpState>(event.detail) == WarpState::kBarrier) {
      since[event.warp] = event.cycle;
    } else if (since.count(event.warp) != 0) {
      last = event.cycle - since[event.warp];
      since.erase(event.warp);
    }
  }
  return {static_cast<double>(last), "three warps of four; the last of four rounds"};
}

/// Eight blocks of three warps on one SM; one block at a time waits at a barrier. The share of warps in the others.
Finding available(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel =  // block n meets 3000 + 2000 n cycles after its start, its first warp 1000 cycles late
      ".kernel rare\n.reg 8\n.param ptr buffer\n  mov $r1 $clock\n  cvt u32 $r0 u16 $r0l\n  shr u32 $r2 $r0 0x5\n  cvt "
      "u32 $r4 u16 u16 s[0xc]\n"
      "  mov b32 $r5 0x7d0\n  mul $r4 u24 $r4 $r5\n  add b32 $r4 $r4 0xbb8\n  set $c0 # lg u32 $r2 $r124\n  (lg $c0) "
      "bra stay\n"
      "  add b32 $r4 $r4 0x3e8\nstay:\n  mov $r3 $clock\n  sub b32 $r3 $r3 $r1\n  set $c0 # l u32 $r3 $r4\n  (lg $c0) "
      "bra stay\n"
      "  bar inc wait 0x0 0xfff\n  mov b32 $r4 0x4e20\nrest:\n  mov $r3 $clock\n  sub b32 $r3 $r3 $r1\n  set $c0 # l "
      "u32 $r3 $r4\n"
      "  (lg $c0) bra rest\n  exit nop\n";
  experiment.sets = kOneSm;
  experiment.grid = {8, 1, 1};
  experiment.block = {96, 1, 1};
  experiment.buffers = {Words(1)};
  experiment.watch = Watch::kWaits;
  std::map<unsigned, unsigned> block_of;  // by warp slot
  std::map<unsigned, unsigned> standing;  // warps at the barrier, by block
  std::map<unsigned, bool> stands;
  unsigned blocks = 0;
  double least = 1, at_once = 0;
  for (const MachineEvent& event : runs.run(experiment).events) {
    if (event.kind == EventKind::kWarpStart) {
      blocks += event.detail == 0;
      block_of[event.warp] = blocks;
    }
    if (event.kind != EventKind::kWaits) continue;
    const bool now = static_cast<WarpState>(event.detail) == WarpState::kBarrier;
    if (now != stands[event.warp]) {
      unsigned& count = standing[block_of[event.warp]];
      count = now ? count + 1 : count - 1;
      if (count == 0) standing.erase(block_of[event.warp]);
    }
    stands[event.warp] = now;
    if (block_of.size() < 24) continue;
    at_once = std::max(at_once, static_cast<double>(standing.size()));
    least = std::min(least, 1 - static_cast<double>(standing.size()) / blocks);
  }
  return {100 * least, fmt::format("at most {:g} of {} blocks at a barrier", at_once, blocks)};
}

/// Warps that the hang report names as arrived, and as unable to arrive, of four blocks of eight warps.
Finding hang(SeedRuns& runs) {
  const LaunchResult& launch = runs.program("dot_product_hang", {}, {"gpu.hang_cycles=20000"}).launches.front();
  const std::string& message = launch.message;
  const std::size_t first = message.find("barrier 0 of "), opens = message.find("can never open");
  const bool named = launch.end == LaunchEnd::kBarrierDeadlock && first < opens && opens != std::string::npos &&
                     message.find("4 of 8 expected warps arrived: 0 to 3", opens) != std::string::npos;
  double blocks = 0;  // to which the same happens: named in one line
  for (std::size_t at = first; named && (at = message.find(" on gpu.", at)) < opens; ++at) ++blocks;
  return {blocks, message.substr(0, message.find(" (/"))};
}

constexpr const char* kScheduler = "hw/sm/warp_scheduler.h";
constexpr const char* kBarrier = "hw/sm/barrier.h";

}  // namespace

std::vector<SeedRow> memory_rows() {
  constexpr const char* kCoalesce = "hw/mem/coalesce.h";
  return {
      {"M1.latency", kThreadsBlocks, "dependent loads of device memory, GeForce 8600 GTS", "cycles", "400 to 600", 400,
       600, "crossbar latencies, DRAM, sm.address_latency, sm.return_latency",
       [](SeedRuns& runs) { return Finding{runs.micro("load_latency")}; }},
      {"M1.latency_g80", kThreadsBlocks, "the same, GeForce 8800 GTX", "cycles", "400 to 600", 400, 600,
       "crossbar latencies, DRAM, sm.address_latency, sm.return_latency",
       [](SeedRuns& runs) { return Finding{runs.micro("load_latency_g80")}; }},
      {"M2.registers", kThreadsBlocks, "an instruction on registers", "cycles a warp", "several or less", 1, 9,
       "8 SP lanes", [](SeedRuns& runs) { return Finding{runs.micro("add_f32")}; }},
      {"M2.shared", kThreadsBlocks, "a read of shared memory", "cycles a warp", "several or less", 1, 9,
       "16 banks, one half-warp in 2 cycles", [](SeedRuns& runs) { return Finding{runs.micro("mov_shared")}; }},
      {"M2.register_latency", kThreadsBlocks,
       "until a result in a register can be used: a tenth of device memory's at most", "cycles", "several, a guess", 0,
       40, "sm.alu_latency: 24 measured on silicon", [](SeedRuns& runs) { return Finding{runs.micro("mad_latency")}; }},
      {"M2.shared_latency", kThreadsBlocks,
       "until a word of shared memory can be used: a tenth of device memory's at most", "cycles", "several, a guess", 0,
       40, "sm.smem_latency: 36 measured on silicon",
       [](SeedRuns& runs) { return Finding{runs.micro("shared_latency")}; }},
      {"M3.in_order", kThreadsBlocks, "transactions of a half-warp, thread N at Base + N, Base aligned to 16 elements",
       "transactions", "a single burst", 1, 2, kCoalesce, [](SeedRuns& runs) { return patterns(runs, 0, 0); }},
      {"M3.misaligned", kThreadsBlocks, "the same with Base one element further", "transactions", "multiple", 16, 16,
       kCoalesce, [](SeedRuns& runs) { return patterns(runs, 1, 0); }},
      {"M3.permuted", kThreadsBlocks, "the same with the threads rotated by one", "transactions", "multiple", 16, 16,
       kCoalesce, [](SeedRuns& runs) { return patterns(runs, 0, 1); }},
      {"M4.repeated", kNewConcepts, "bytes that DRAM moves for every further load of one word: a transaction each",
       "bytes", "no caching", 32, 64, "no cache before the partitions; dram.burst_bytes", repeated_load},
      {"M4.hand_over", kNewConcepts, "time to pass a number from one block to another through device memory", "cycles",
       "the whole latency", 400, 1200, "as the latency of a load", hand_over},
      {"M4.stale", kNewConcepts, "words that a block reads as another block wrote them, behind a flag", "words",
       "64 of 64", 64, 64, "hw/mem/memory_partition.h: order of arrival",
       [](SeedRuns& runs) {
         const BufferCheck& check = runs.program("block_flag").checks.back();
         return Finding{static_cast<double>(check.elements - check.differing)};
       }},
      {"M5.private", kLearningLog, "words of shared memory that only their own block has changed", "words",
       "768 of 768", 768, 768, "hw/sm/cta_launcher.h", private_copies},
      {"M5.cached", kThreadsBlocks, "misses of the constant cache in further reads of one constant", "misses",
       "0: cached", 0, 0, "hw/cache/constant_cache.h", cached_constants},
  };
}

std::vector<SeedRow> scheduling_rows() {
  return {
      {"W4.issue", kNewConcepts, "scheduler cycles for a scalar operation of 32 threads", "cycles", "2", 1.99, 2.01,
       "8 SP lanes; the scheduler has half the clock",
       [](SeedRuns& runs) { return Finding{runs.micro("add_f32") / 2}; }},
      {"W5.one", kTextbook, "most instructions that an SM issues in one cycle", "instructions", "1", 1, 1, kScheduler,
       issues_at_once},
      {"W5.switch", kTextbook,
       "cycles between instructions of different warps, beyond the four that an instruction takes", "cycles", "0", 0,
       0.05, kScheduler,
       [](SeedRuns& runs) {
         const Bench bench = runs.bench("8600gts");
         return Finding{std::max(0.0, bench.issue_cycles("add b32 $r{d} $r2 $r3", 16) - 4)};
       }},
      {"F3.8.block1", kTextbook, "Figure 3.8: the instruction at which warp 1 of block 1 waits for its load", "number",
       "7", 7, 7, kScheduler, [](SeedRuns& runs) { return waits_at(runs, 0); }},
      {"F3.8.block2", kTextbook, "the one of block 2", "number", "3", 3, 3, kScheduler,
       [](SeedRuns& runs) { return waits_at(runs, 1); }},
      {"F3.8.block3", kTextbook, "the one of block 3, which the figure leaves open: written as 9", "number", "-", 9, 9,
       kScheduler, [](SeedRuns& runs) { return waits_at(runs, 2); }},
      {"F3.8.others", kTextbook, "instructions that other warps issue while warp 1 of block 1 waits", "instructions",
       "some", 1, 200, kScheduler,
       [](SeedRuns& runs) {
         for (const Timeline38::Wait& wait : runs.timeline().waits) {
           if (wait.block == 0 && wait.warp == 0) return Finding{static_cast<double>(wait.others)};
         }
         return Finding{};
       }},
      {"W6.one", kTextbook, "issue cycles of the SPs in use with one warp, a load in 12 instructions", "%", "little", 0,
       20, kScheduler, [](SeedRuns& runs) { return Finding{used_by(runs, 1)}; }},
      {"W6.full", kTextbook, "with 24 warps", "%", "full use", 95, 100.5, kScheduler,
       [](SeedRuns& runs) { return Finding{used_by(runs, 24)}; }},
      {"W6.rises", kTextbook, "steps from 1 to 24 warps with which the use rises, or stays above 95 %", "steps",
       "8 of 8", 8, 8, kScheduler, rises},
  };
}

std::vector<SeedRow> barrier_rows() {
  return {
      {"B1.shared", kLearningLog, "words of shared memory read as written before the barrier", "words", "1024 of 1024",
       1024, 1024, kBarrier, [](SeedRuns& runs) { return ordered(runs, "shared"); }},
      {"B1.device", kNewConcepts, "words of device memory read as written before it", "words", "1024 of 1024", 1024,
       1024, kBarrier, [](SeedRuns& runs) { return ordered(runs, "device"); }},
      {"B2.issue", kNewConcepts, "scheduler cycles to issue a barrier for 32 threads", "cycles", "2", 1.99, 2.01,
       kBarrier,
       [](SeedRuns& runs) {
         return Finding{runs.micro("barrier") / 2,
                        "blocks of one warp, as many as an SM holds: none waits for another"};
       }},
      {"B2.drain", kNewConcepts, "what a barrier costs one warp: at least the stages of the pipeline", "cycles",
       "10 or more", 10, 60, "hw/sm/scoreboard.cpp: a warp waits before a barrier until nothing of it is in flight",
       drained},
      {"B2.memory", kNewConcepts, "how long the warps of a block wait at a barrier while one waits for a load",
       "cycles", "a memory latency", 400, 700, kBarrier, waits_for_load},
      {"B2.lost1", kNewConcepts, "cycles lost at a barrier of 16 warps, a load just before it, as one block", "cycles",
       "10 or more", 10, 700, kBarrier, [](SeedRuns& runs) { return Finding{with_blocks(runs, 1).lost}; }},
      {"B2.lost2", kNewConcepts,
       "the same as two blocks, as a part of one block's loss: they may meet at the same time", "%", "less", -5, 99,
       kBarrier, [](SeedRuns& runs) { return Finding{100 * with_blocks(runs, 2).lost / with_blocks(runs, 1).lost}; }},
      {"B2.lost8", kNewConcepts, "the same as eight blocks", "%", "hidden", -5, 25, kBarrier,
       [](SeedRuns& runs) { return Finding{100 * with_blocks(runs, 8).lost / with_blocks(runs, 1).lost}; }},
      {"B3.available", kNewConcepts, "threads not at a barrier: 8 blocks that meet one at a time", "%", "87.5", 87.5,
       87.5, kBarrier, available},
      {"B4.hang", kLearningLog, "blocks reported as hanging at a barrier inside an if, with the warps that came",
       "blocks", "the GPU hangs", 4, 4, "tb/check/watchdog.h", hang},
  };
}

}  // namespace g80::silicon

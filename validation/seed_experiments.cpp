// SPDX-License-Identifier: Apache-2.0
#include "validation/seed_experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "hw/common/check.h"

namespace g80::silicon {
namespace {

constexpr unsigned kIssueCycles = 4;  // of a warp instruction on eight lanes

std::string adds(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("  add b32 $r{} $r2 $r3\n", 4 + i % 4);
  return text;
}

constexpr const char* kAgain = "  add b32 $r9 $r9 0xffffffff\n  set $c0 # lg s32 $r9 $r124\n  (lg $c0) bra again\n";
constexpr unsigned kAgainIssues = 2;  // on the port of the SPs; the branch does not use it
// $r1 = address of the thread's own word.
constexpr const char* kOwnWord =
    "  mov b16 $r1l u16 s[0x2]\n  add $r1 (mul u16 u16 s[0xc] $r1l) $r0\n  shl b32 $r1 $r1 0x2\n  add b32 $r1 b32 "
    "s[buffer] $r1\n";

/// Cycles of an SM from one round of `body` to the next, with caches warm.
double round_cycles(ExperimentRunner& runner, const std::string& setup, const std::string& body, unsigned blocks,
                    unsigned threads) {
  const auto cycles = [&](unsigned rounds) {
    Experiment experiment;
    experiment.kernel = fmt::format(
        ".kernel rounds\n.reg 10\n.param ptr buffer\n  cvt u32 $r0 u16 $r0l\n{}  mov b32 $r9 {:#x}\nagain:\n{}{}  "
        "exit nop\n",
        setup, rounds, body, kAgain);
    experiment.sets = kOneSm;
    experiment.grid = {blocks, 1, 1};
    experiment.block = {threads, 1, 1};
    experiment.buffers = {Words(blocks * threads)};
    experiment.watch = Watch::kEvents;
    const Observation seen = runner.run(experiment);
    std::uint32_t starts = 0;  // before a warp ends
    for (const MachineEvent& event : seen.events) {
      if (event.kind == EventKind::kWarpEnd) break;
      starts += event.kind == EventKind::kWarpStart;
    }
    CHECK(starts == blocks * threads / kWarpSize, "{} warps of {} are on the SM together", starts,
          blocks * threads / kWarpSize);
    return static_cast<double>(seen.result.shader_cycles);
  };
  constexpr unsigned kFew = 8, kMany = 24;
  return (cycles(kMany) - cycles(kFew)) / (kMany - kFew);
}

constexpr unsigned kFigureRounds = 4;  // the first bring the code into the caches
constexpr std::array<unsigned, 3> kWaitsAt = {7, 3, 9};

/// A load, then independent adds, then an instruction that needs the load. Each block has its own part of memory.
std::string figure_kernel() {
  std::string text =
      ".kernel figure\n.reg 20\n.param ptr buffer\n  mov b16 $r1l u16 s[0x2]\n  cvt u32 $r0 u16 $r0l\n  add $r1 (mul "
      "u16 u16 s[0xc] $r1l) $r0\n"
      "  shl b32 $r1 $r1 0x2\n  add b32 $r1 b32 s[buffer] $r1\n  cvt u32 $r2 u16 u16 s[0xc]\n";
  text += fmt::format("  mov b32 $r9 {:#x}\n  add b32 $r3 $r2 0xffffffff\n", kFigureRounds);
  text +=
      "again:\n  set $c0 # e u32 $r2 $r124\n  (lg $c0) bra part0\n  set $c0 # e u32 $r3 $r124\n  (lg $c0) bra part1\n  "
      "bra part2\n";
  for (unsigned block = 0; block < kWaitsAt.size(); ++block) {
    text += fmt::format("part{}:\n  ld b32 $r11 g14[$r1]\n", block);
    for (unsigned i = 2; i < kWaitsAt[block]; ++i) text += fmt::format("  add b32 $r{} $r2 $r3\n", 12 + i % 4);
    text += "  add b32 $r11 $r11 $r3\n  add b32 $r16 $r2 $r3\n  bra next\n";
  }
  return text + "next:\n" + kAgain + "  exit nop\n";
}

}  // namespace

Timeline38 figure_38(ExperimentRunner& runner) {
  Experiment experiment;
  experiment.kernel = figure_kernel();
  experiment.sets = kOneSm;
  experiment.grid = {3, 1, 1};
  experiment.block = {64, 1, 1};
  experiment.buffers = {Words(192)};
  experiment.watch = Watch::kEvents;
  experiment.profile = true;
  const Observation seen = runner.run(experiment);

  std::uint32_t start_pc = 0;
  struct Who {
    unsigned block = 0, warp = 0, loads = 0, number = 0;
    std::uint32_t load_uid = 0;
    Cycle last = 0;
    bool waiting = false, released = false;
  };
  std::map<unsigned, Who> who;  // by warp slot
  unsigned blocks = 0;
  std::set<std::uint32_t> loads;
  for (const PcCounters& pc : seen.result.pcs) {
    if (pc.text.rfind("ld ", 0) == 0) loads.insert(pc.pc);
  }
  Timeline38 figure;
  std::vector<std::pair<Cycle, unsigned>> all;  // cycle and slot of every issue
  Cycle first = 0;
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kWarpStart) {
      if (event.detail == 0) ++blocks;
      who[event.warp] = {blocks - 1, event.detail};
      start_pc = event.pc;
    } else if (event.kind == EventKind::kRelease) {
      Who& warp = who[event.warp];
      warp.released |= warp.waiting && event.uid == warp.load_uid;
    } else if (event.kind == EventKind::kIssue) {
      Who& warp = who[event.warp];
      all.emplace_back(event.cycle, event.warp);
      if (loads.count(event.pc - start_pc) != 0) {
        warp.number = 0;
        warp.load_uid = event.uid;
        warp.waiting = true;
        warp.released = false;
        ++warp.loads;
      }
      ++warp.number;
      if (warp.loads < kFigureRounds) continue;
      if (first == 0) first = event.cycle;
      figure.issues.push_back({event.cycle - first, warp.block, warp.warp, warp.number});
      if (warp.waiting && warp.released) {
        warp.waiting = false;
        const auto others = std::count_if(all.begin(), all.end(), [&](const auto& issue) {
          return issue.first > warp.last && issue.first < event.cycle && issue.second != event.warp;
        });
        figure.waits.push_back({warp.block, warp.warp, warp.number, warp.last - first, event.cycle - first,
                                static_cast<unsigned>(others)});
      }
      warp.last = event.cycle;
    }
  }
  return figure;
}

std::vector<HidingPoint> latency_hiding(ExperimentRunner& runner) {
  constexpr unsigned kAdds = 8;
  const std::string body = "  ld b32 $r0 g14[$r1]\n  add b32 $r8 $r0 $r3\n" + adds(kAdds);
  std::vector<HidingPoint> points;
  for (const unsigned warps : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 20u, 24u}) {
    const unsigned blocks = warps > 12 ? 2 : 1;
    const double ideal = warps * (kAdds + 2 + kAgainIssues) * kIssueCycles;
    points.push_back({warps, ideal / round_cycles(runner, kOwnWord, body, blocks, warps / blocks * kWarpSize)});
  }
  return points;
}

std::vector<BarrierPoint> barrier_costs(ExperimentRunner& runner) {
  constexpr unsigned kWarps = 16, kAdds = 24;
  std::vector<BarrierPoint> points;
  for (const unsigned blocks : {1u, 2u, 4u, 8u}) {
    const double ideal = kWarps * (kAdds + 1 + kAgainIssues) * kIssueCycles;  // the barrier goes out beside
    const double cycles =
        round_cycles(runner, kOwnWord, adds(kAdds) + "  ld b32 $r8 g14[$r1]\n  bar inc wait 0x0 0xfff\n", blocks,
                     kWarps / blocks * kWarpSize);
    points.push_back({blocks, cycles - ideal, ideal / cycles});
  }
  return points;
}

}  // namespace g80::silicon

// SPDX-License-Identifier: Apache-2.0
// Rows of how blocks are assigned to SMs: how many are resident, what limits them, when the next one starts.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hw/common/limits.h"
#include "validation/experiment.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

/// A kernel whose threads run for `cycles`, so that all blocks that fit are resident at the same time.
std::string stay(unsigned registers, unsigned cycles) {
  return fmt::format(
      ".kernel stay\n.reg {}\n  mov $r1 $clock\nagain:\n  mov $r2 $clock\n  sub b32 $r2 $r2 $r1\n  mov b32 $r3 {:#x}\n"
      "  set $c0 # l u32 $r2 $r3\n  (lg $c0) bra again\n  exit nop\n",
      registers, cycles);
}

constexpr unsigned kStay = 3000;  // long enough for every block that fits to have started

struct Peak {
  unsigned blocks = 0, warps = 0, threads = 0;  // resident at once
  unsigned most_on_one = 0;                     // blocks on one SM
  unsigned late = 0;                            // blocks that started after another had ended on their SM
};

/// The first warp of a block identifies it, because the launcher starts a block's warps in order.
Peak peak_of(const std::vector<MachineEvent>& events) {
  struct Slot {
    unsigned block = 0, threads = 0;
    bool used = false;
  };
  struct SmState {
    std::map<unsigned, unsigned> warps_of;  // live warps by block
    std::array<Slot, kMaxWarps> slot{};
    unsigned blocks = 0, ended = 0;
  };
  std::map<unsigned, SmState> sms;
  Peak peak, now;
  for (const MachineEvent& event : events) {
    SmState& sm = sms[event.unit];
    Slot& slot = sm.slot[event.warp];
    if (event.kind == EventKind::kWarpStart) {
      if (event.detail == 0) {
        ++sm.blocks;
        ++now.blocks;
        peak.late += sm.ended > 0;
      }
      slot = {sm.blocks, static_cast<unsigned>(__builtin_popcount(event.lanes)), true};
      ++sm.warps_of[sm.blocks];
      ++now.warps;
      now.threads += slot.threads;
    } else if (event.kind == EventKind::kWarpEnd && slot.used) {
      if (--sm.warps_of[slot.block] == 0) {
        sm.warps_of.erase(slot.block);
        ++sm.ended;
        --now.blocks;
      }
      --now.warps;
      now.threads -= slot.threads;
      slot.used = false;
    }
    peak.blocks = std::max(peak.blocks, now.blocks);
    peak.warps = std::max(peak.warps, now.warps);
    peak.threads = std::max(peak.threads, now.threads);
    peak.most_on_one = std::max(peak.most_on_one, static_cast<unsigned>(sm.warps_of.size()));
  }
  return peak;
}

struct Need {
  unsigned threads, registers, shared;
};

/// The peak on one SM of a GeForce 8800 GTX with a grid of twelve blocks.
Peak peak_on_one(SeedRuns& runs, const Need& need) {
  Experiment experiment;
  experiment.kernel = stay(need.registers, kStay);
  experiment.device = "8800gtx";
  experiment.sets = kOneSm;
  experiment.grid = {12, 1, 1};
  experiment.block = {need.threads, 1, 1};
  experiment.dynamic_shared = need.shared;
  experiment.watch = Watch::kEvents;
  return peak_of(runs.run(experiment).events);
}

/// Blocks per SM for several resource needs, compared with the textbook's limits.
Finding limited_blocks(SeedRuns& runs) {
  // Threads, registers, bytes of shared memory beyond the header; the resource that limits.
  static const std::pair<Need, const char*> kCases[] = {
      {{256, 10, 0}, "threads"}, {{256, 11, 0}, "registers"}, {{128, 16, 0}, "registers"},
      {{64, 8, 3000}, "shared"}, {{64, 8, 8000}, "shared"},   {{32, 8, 0}, "blocks"},
  };
  Finding found;
  for (const auto& [need, limit] : kCases) {
    const unsigned by_shared = need.shared == 0 ? 8 : 16384 / (need.shared + 16);
    const unsigned rule = std::min({8u, 768 / need.threads, 8192 / (need.threads * need.registers), by_shared});
    const unsigned seen = peak_on_one(runs, need).most_on_one;
    found.value += seen == rule;
    found.note += fmt::format("{}{} threads, {} registers, {} bytes: {} blocks ({})", found.note.empty() ? "" : "; ",
                              need.threads, need.registers, need.shared, seen, limit);
  }
  return found;
}

Peak peak_on_chip(SeedRuns& runs) {
  Experiment experiment;
  experiment.kernel = stay(8, kStay);
  experiment.device = "8800gtx";
  experiment.grid = {144, 1, 1};
  experiment.block = {96, 1, 1};
  experiment.watch = Watch::kEvents;
  return peak_of(runs.run(experiment).events);
}

constexpr const char* kRule = "hw/config/occupancy.h, hw/gpu/cta_placement.h";

#define RESIDENT(id, threads, number, of, text)                                                       \
  {                                                                                                   \
    id, kTextbook, "blocks of " #threads " threads on one SM", "blocks", text, number, number, kRule, \
        [](SeedRuns& runs) {                                                                          \
          return Finding{static_cast<double>(peak_on_one(runs, {threads, 8, 0}).of)};                 \
        }                                                                                             \
  }

}  // namespace

std::vector<SeedRow> residency_rows() {
  return {
      RESIDENT("D3.3x256", 256, 3, most_on_one, "3"),
      RESIDENT("D3.6x128", 128, 6, most_on_one, "6"),
      RESIDENT("D3.12x64", 64, 8, most_on_one, "not 12: at most 8"),
      {"W1.warps", kTextbook, "warps of 3 blocks of 256 threads on one SM", "warps", "24", 24, 24, kRule,
       [](SeedRuns& runs) {
         return Finding{static_cast<double>(peak_on_one(runs, {256, 8, 0}).warps)};
       }},
      {"D2.limits", kTextbook, "resource needs for which an SM gets as many blocks as the scarcest resource allows",
       "sets", "6 of 6", 6, 6, kRule, limited_blocks},
      {"D1.next", kTextbook, "of 12 blocks of 64 threads, those that start only when another has ended", "blocks", "4",
       4, 4, "hw/gpu/cta_scheduler.h",
       [](SeedRuns& runs) {
         return Finding{static_cast<double>(peak_on_one(runs, {64, 8, 0}).late)};
       }},
      {"D1.blocks", kTextbook, "blocks resident on a GeForce 8800 GTX, of 144 of 96 threads", "blocks", "up to 128",
       128, 128, kRule, [](SeedRuns& runs) { return Finding{static_cast<double>(peak_on_chip(runs).blocks)}; }},
      {"D1.threads", kTextbook, "threads resident on it", "threads", "up to 12288", 12288, 12288, kRule,
       [](SeedRuns& runs) { return Finding{static_cast<double>(peak_on_chip(runs).threads)}; }},
  };
}

}  // namespace g80::silicon

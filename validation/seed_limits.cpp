// SPDX-License-Identifier: Apache-2.0
// Rows of a device's reported properties and launch limits. Each launch is tried, and either starts or is refused.
#include <fmt/format.h>

#include "app/report/device_report.h"
#include "validation/experiment.h"
#include "validation/geforce_8600gts_report.h"
#include "validation/seed_rows.h"

namespace g80::silicon {
namespace {

Finding equal_bytes(SeedRuns& runs) {
  const std::string expected = kGeForce8600GtsReport, printed = device_query_text(load_config("8600gts", runs.sets()));
  std::size_t equal = 0;
  while (equal < printed.size() && equal < expected.size() && printed[equal] == expected[equal]) ++equal;
  return {printed.size() == expected.size() ? static_cast<double>(equal) : 0,
          equal == expected.size() ? "" : fmt::format("differs from byte {}", equal)};
}

using Size = std::array<std::uint32_t, 3>;

/// Launches a kernel that ends at once. A large grid is stopped after some cycles.
bool accepted(SeedRuns& runs, const Size& grid, const Size& block, unsigned registers = 4, std::uint32_t shared = 16) {
  Experiment experiment;
  experiment.kernel = fmt::format(".kernel nothing\n.reg {}\n.smem 16\n  exit nop\n", registers);
  experiment.dynamic_shared = shared - 16;  // beyond the head that every block has
  experiment.grid = grid;
  experiment.block = block;
  experiment.max_cycles = 20'000;
  experiment.watch = Watch::kEvents;
  const Observation seen = runs.run(experiment);
  if (!seen.refusal.empty()) return false;
  for (const MachineEvent& event : seen.events) {
    if (event.kind == EventKind::kWarpStart) return true;
  }
  return false;
}

std::string text(const Size& size) { return fmt::format("{}x{}x{}", size[0], size[1], size[2]); }

/// Counts the grids (of one warp) or blocks that start, and names those that do not.
Finding grids(SeedRuns& runs, const std::vector<Size>& sizes) {
  Finding found;
  for (const Size& size : sizes) {
    const bool starts = accepted(runs, size, {32, 1, 1});
    found.value += starts;
    found.note += fmt::format("{}{} {}", found.note.empty() ? "" : ", ", text(size), starts ? "starts" : "refused");
  }
  return found;
}
Finding blocks(SeedRuns& runs, const std::vector<Size>& sizes) {
  Finding found;
  for (const Size& size : sizes) {
    const bool starts = accepted(runs, {1, 1, 1}, size);
    found.value += starts;
    found.note += fmt::format("{}{} {}", found.note.empty() ? "" : ", ", text(size), starts ? "starts" : "refused");
  }
  return found;
}

/// The largest accepted number from `low` to `high`, by binary search: all numbers up to it must be accepted, too.
template <class Takes>
double largest(std::uint32_t low, std::uint32_t high, const Takes& takes) {
  while (low < high) {  // low is taken, high + 1 is not
    const std::uint32_t middle = low + (high - low + 1) / 2;
    if (takes(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Reads the last word of `words` words of constant memory.
Finding constant_words(SeedRuns& runs) {
  constexpr unsigned kWords = 65536 / 4;
  Experiment experiment;
  experiment.kernel = fmt::format(
      ".constant table u32 {0} @ 0x0\n.kernel last\n.param ptr out\n.param u32 offset\n"
      "  shl $a1 b32 s[offset] 0x0\n  ld $r1 b32 c0[$a1]\n  mov b32 $r2 b32 s[out]\n  st b32 g14[$r2] $r1\n  exit "
      "nop\n",
      kWords);
  experiment.buffers = {Words{7}};
  experiment.params = {65532};
  const Observation seen = runs.run(experiment);
  return {seen.refusal.empty() && seen.buffers.at(0).at(0) == 0 ? 65536.0 : 0.0, seen.refusal};
}

Finding kilohertz(SeedRuns& runs) {
  const LaunchResult& launch = runs.program("vec_add").launches.front();
  return {static_cast<double>(launch.shader_cycles) / static_cast<double>(launch.picoseconds) * 1e9};
}

constexpr const char* kLimits = "hw/config/occupancy.h: launch_error; [device] of configs/common.toml";

}  // namespace

std::vector<SeedRow> limit_rows() {
  return {
      {"M6.report", kThreadsBlocks, "bytes of deviceQuery's output that equal those of a GeForce 8600 GTS", "bytes",
       "the text", sizeof kGeForce8600GtsReport - 1, sizeof kGeForce8600GtsReport - 1,
       "app/report/device_report.h, [device] of configs/8600gts.toml and common.toml", equal_bytes},
      {"M6.clock", kThreadsBlocks, "clock rate: shader cycles of a run by its time", "kHz", "1458000", 1457990, 1458010,
       "clock.shader_mhz", kilohertz},
      {"M5.constant", kThreadsBlocks, "constant memory: bytes of which the last word is read", "bytes", "65536", 65536,
       65536, "hw/cache/constant_cache.h, tb/driver/", constant_words},
      {"M5.shared", kThreadsBlocks, "most shared memory with which a block starts", "bytes", "16384", 16384, 16384,
       kLimits,
       [](SeedRuns& runs) {
         return Finding{largest(16, 20000, [&](std::uint32_t n) {
           return accepted(runs, {1, 1, 1}, {32, 1, 1}, 4, n);
         })};
       }},
      {"M5.registers", kThreadsBlocks, "most registers with which a block starts: 256 threads of as many as fit",
       "registers", "8192", 8192, 8192, kLimits,
       [](SeedRuns& runs) {
         return Finding{256 * largest(4, 64, [&](std::uint32_t n) {
                          return accepted(runs, {1, 1, 1}, {256, 1, 1}, n);
                        })};
       }},
      {"G3.threads", kThreadsBlocks, "most threads with which a block starts", "threads", "512", 512, 512, kLimits,
       [](SeedRuns& runs) {
         return Finding{16 * largest(1, 64, [&](std::uint32_t n) { return accepted(runs, {1, 1, 1}, {16, n, 1}); })};
       }},
      {"G3.x", kThreadsBlocks, "most threads in x", "threads", "512", 512, 512, kLimits,
       [](SeedRuns& runs) {
         return Finding{largest(1, 1024, [&](std::uint32_t n) { return accepted(runs, {1, 1, 1}, {n, 1, 1}); })};
       }},
      {"G3.y", kThreadsBlocks, "most threads in y", "threads", "512", 512, 512, kLimits,
       [](SeedRuns& runs) {
         return Finding{largest(1, 1024, [&](std::uint32_t n) { return accepted(runs, {1, 1, 1}, {1, n, 1}); })};
       }},
      {"G3.z", kThreadsBlocks, "most threads in z", "threads", "64", 64, 64, kLimits,
       [](SeedRuns& runs) {
         return Finding{largest(1, 128, [&](std::uint32_t n) { return accepted(runs, {1, 1, 1}, {1, 1, n}); })};
       }},
      {"G3.allowed", kTextbook, "blocks of the chapter's examples that start", "blocks", "3 of 3", 3, 3, kLimits,
       [](SeedRuns& runs) {
         return blocks(runs, {{512, 1, 1}, {8, 16, 2}, {16, 16, 2}});
       }},
      {"G3.refused", kTextbook, "32x32x1, which has 1024 threads: blocks that start", "blocks", "0", 0, 0, kLimits,
       [](SeedRuns& runs) {
         return blocks(runs, {{32, 32, 1}});
       }},
      {"G2.allowed", kThreadsBlocks, "grids up to 65535 in both dimensions that start", "grids", "3 of 3", 3, 3,
       kLimits,
       [](SeedRuns& runs) {
         return grids(runs, {{65535, 1, 1}, {1, 65535, 1}, {65535, 65535, 1}});
       }},
      {"G2.refused", kLearningLog, "grids above 65535 or of size 0 that start", "grids", "0 of 4", 0, 0, kLimits,
       [](SeedRuns& runs) {
         return grids(runs, {{65536, 1, 1}, {1, 65536, 1}, {0, 1, 1}, {1, 0, 1}});
       }},
      {"G2.z", kTextbook, "grids with a third dimension other than 1 that start (it must be 1)", "grids", "0", 0, 0,
       kLimits,
       [](SeedRuns& runs) {
         return grids(runs, {{2, 2, 2}});
       }},
      {"M6.pitch", kThreadsBlocks, "largest memory pitch", "bytes", "262144", 262144, 262144,
       "not measured: only texture instructions use the pitch; the output above has the number"},
      {"M6.texture", kThreadsBlocks, "alignment of textures", "bytes", "256", 256, 256,
       "not measured: allocations are aligned to it and the output above has the number; the texture unit accepts any "
       "address"},
  };
}

}  // namespace g80::silicon

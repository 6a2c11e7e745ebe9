// SPDX-License-Identifier: Apache-2.0
// The results of a run as plain numbers. A backend and the scenario runner fill them; the table, the statistics
// files and the exit code use them.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace g80 {

enum class LaunchEnd : std::uint8_t {
  kFinished,
  kBarrierDeadlock,  // a barrier that can never open
  kHang,             // no warp issues, and a barrier is not the reason
  kLivelock,         // instructions issue, but nothing that counts as progress happens
  kMaxCycles,        // still making progress when the limit was reached
  kFault,            // an architectural fault of the kernel
};
std::string_view launch_end_name(LaunchEnd end);

using NamedCount = std::pair<std::string, std::uint64_t>;

/// Counters of one SM over one launch. Every scheduler cycle either issued or has exactly one stall reason:
/// issued + sum(stall) == scheduler_cycles.
struct SmCounters {
  std::uint64_t scheduler_cycles = 0;
  std::uint64_t issued = 0;       // scheduler cycles in which a warp instruction issued
  std::vector<NamedCount> stall;  // reason, scheduler cycles
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;       // lanes in which the guard held, summed
  std::uint64_t branches = 0;                  // bra executed by a warp
  std::uint64_t divergent_branches = 0;        // those that split the active lanes
  std::uint64_t barriers = 0;                  // bar executed by a warp
  std::uint64_t blocks = 0;                    // blocks that ended here
  std::uint64_t coalesced_transactions = 0;    // of half-warps that needed one transaction
  std::uint64_t uncoalesced_transactions = 0;  // of all others
  std::uint64_t shared_passes = 0;
  std::uint64_t bank_conflict_passes = 0;  // passes beyond the first of a half-warp
  std::array<std::uint64_t, 5>
      active_lanes{};             // warp instructions with 32, 24-31, 16-23, 8-15, 1-7 (and 0) lanes active
  std::vector<NamedCount> other;  // further counters of the model, by name
};
inline constexpr std::array<const char*, 5> kActiveLaneBuckets = {"32", "24_31", "16_23", "8_15", "0_7"};

/// The cost of one instruction of a kernel, over all SMs. A scheduler cycle without an issue is charged to a warp and
/// to the instruction at which this warp waited; cycles without a resident warp are not charged.
struct PcCounters {
  std::uint32_t pc = 0;  // in bytes from the kernel's first word
  std::string text;      // the instruction
  std::string file;      // source line, if it is known
  std::uint32_t line = 0;
  std::uint64_t issued = 0;        // warp instructions
  std::uint64_t lanes = 0;         // in which they executed, summed
  std::uint64_t transactions = 0;  // of memory: g[], l[], atomics
  std::uint64_t bank_conflict_passes = 0;
  std::vector<NamedCount> stall;  // reason, scheduler cycles; those that are not 0
};

/// Counters of a unit outside the SMs, in the order of tb/record/counters.def.
using UnitCounters = std::vector<NamedCount>;

/// Counters over the time of a launch: their values at some moments, from the launch's begin to when its last store has
/// moved.
struct TimeSeries {
  std::vector<std::string> names;
  std::vector<std::uint64_t> cycles;               // shader cycles since the launch's begin
  std::vector<std::vector<std::uint64_t>> values;  // of each name, at each moment
};

/// How many loads took this number of shader cycles.
struct LatencyHistogram {
  std::string of;
  std::map<std::uint64_t, std::uint64_t> count;
};

/// How many blocks of a launch share an SM, and why not more.
struct LaunchOccupancy {
  std::uint32_t blocks = 0, warps = 0, most_warps = 0;
  std::uint32_t registers_per_thread = 0, shared_bytes = 0;
  std::string limit;                                             // the resource that limits it
  std::vector<std::pair<std::string, std::uint32_t>> blocks_by;  // what each resource alone allows
};

struct LaunchResult {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  LaunchEnd end = LaunchEnd::kFinished;
  std::string message;                 // if not kFinished: which warp waits for what, or the fault
  bool timed = false;                  // false: the model has no time, shader_cycles and picoseconds mean nothing
  std::uint64_t shader_cycles = 0;     // accepted doorbell to the end of the last block, copies excluded
  std::uint64_t executing_cycles = 0;  // shader cycles from the first issue to the last retirement, without the launch
  std::uint64_t picoseconds = 0;
  std::vector<SmCounters> sms;                 // of an untimed model: one entry without scheduler cycles
  std::vector<UnitCounters> tpcs, partitions;  // empty without a machine
  UnitCounters chip;
  std::vector<PcCounters> pcs;  // by pc; empty unless asked for
  LaunchOccupancy occupancy;    // of a machine; the rest is empty unless a report wants it
  TimeSeries series;
  std::vector<LatencyHistogram> latencies;
};

/// Comparison of one buffer with its expected contents.
struct BufferCheck {
  std::string buffer;
  std::uint64_t elements = 0;
  std::uint64_t differing = 0;
  std::string first_difference;  // one sentence, if any differ
};

struct ArgumentText {
  std::string name, value;
};

struct InjectedFault {
  std::string text;           // as given by the user
  std::string field;          // full name of the field
  std::uint64_t changes = 0;  // how often it changed a value
};

/// The data needed to repeat a run.
struct RunManifest {
  std::string command;
  std::string git_id;
  std::string device;
  std::string rtl;          // blocks that were RTL, as --rtl names them
  std::string config_json;  // every resolved key
  std::string config_hash;
  std::string kernel_file;
  std::string kernel_hash;
  std::uint64_t seed = 0;
  std::vector<InjectedFault> faults;  // empty: no injected faults
};

struct RunResult {
  std::string scenario;
  std::string model;  // "gpu" or "golden"
  std::vector<ArgumentText> arguments;
  std::vector<LaunchResult> launches;
  std::vector<BufferCheck> checks;
  bool records_missing = false;  // the window of a wave or timeline contained no cycle of the run
  bool compared = false;         // there was something to compare with, and every launch finished
  std::vector<std::pair<std::string, std::string>>
      fingerprints;      // of a finished run: buffers that are not scratch, and a hash of each
  std::string contents;  // lines of the buffers that are to be shown
  std::string host_sum;  // "partial_c: 2.57236e+13 (0x55bb29de)", or empty
  std::string expectation = "pass";
  std::string order_dependent;  // reason, or empty
  double shader_mhz = 0;
  RunManifest manifest;
};

/// Exit codes of the program.
enum ExitCode : int {
  kExitPass = 0,
  kExitDiffers = 1,
  kExitInput = 2,
  kExitHang = 3,
  kExitModel = 4,
  kExitFault = 5,
};

/// 0, 1, 3 or 5. A scenario that expects a hang or fault but finishes gives 1. So does a run whose wave or
/// timeline is missing.
int exit_code(const RunResult& result);
/// The run ended as the scenario expects (for a pass: finished and nothing differs).
bool as_expected(const RunResult& result);

/// Sums over launches.
struct RunTotals {
  std::uint64_t shader_cycles = 0, executing_cycles = 0, warp_instructions = 0;
  std::uint64_t thread_instructions = 0, branches = 0;
  std::uint64_t divergent_branches = 0, coalesced = 0, uncoalesced = 0, scheduler_cycles = 0, issued = 0;
  std::vector<NamedCount> stall;   // by reason, in order of first appearance
  std::string main_stall() const;  // the reason with the most cycles; ties: the first; "-" without stalls
  double ipc() const;              // warp instructions per shader cycle, of the whole chip
  bool timed = false;
};
RunTotals totals(const RunResult& result);

}  // namespace g80

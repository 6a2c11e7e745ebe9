// SPDX-License-Identifier: Apache-2.0
// Exit codes and sums.
#include "tb/scenario/run_result.h"

#include <algorithm>

namespace g80 {

std::string_view launch_end_name(LaunchEnd end) {
  switch (end) {
    case LaunchEnd::kFinished: return "finished";
    case LaunchEnd::kBarrierDeadlock: return "barrier_deadlock";
    case LaunchEnd::kHang: return "hang";
    case LaunchEnd::kLivelock: return "livelock";
    case LaunchEnd::kMaxCycles: return "max_cycles";
    case LaunchEnd::kFault: return "fault";
  }
  return "";
}

namespace {

/// The end of the run: that of the first launch that did not finish.
LaunchEnd run_end(const RunResult& result) {
  for (const LaunchResult& launch : result.launches) {
    if (launch.end != LaunchEnd::kFinished) return launch.end;
  }
  return LaunchEnd::kFinished;
}

bool differs(const RunResult& result) {
  return std::any_of(result.checks.begin(), result.checks.end(), [](const BufferCheck& c) { return c.differing != 0; });
}

}  // namespace

int exit_code(const RunResult& result) {
  switch (run_end(result)) {
    case LaunchEnd::kFinished:
      return result.expectation != "pass" || differs(result) || result.records_missing ? kExitDiffers : kExitPass;
    case LaunchEnd::kFault: return kExitFault;
    default: return kExitHang;
  }
}

bool as_expected(const RunResult& result) {
  const LaunchEnd end = run_end(result);
  if (result.expectation == "pass") return end == LaunchEnd::kFinished && !differs(result);
  return launch_end_name(end) == result.expectation;
}

RunTotals totals(const RunResult& result) {
  RunTotals sum;
  for (const LaunchResult& launch : result.launches) {
    sum.shader_cycles += launch.shader_cycles;
    sum.executing_cycles += launch.executing_cycles;
    sum.timed |= launch.timed;
    for (const SmCounters& sm : launch.sms) {
      sum.warp_instructions += sm.warp_instructions;
      sum.thread_instructions += sm.thread_instructions;
      sum.branches += sm.branches;
      sum.divergent_branches += sm.divergent_branches;
      sum.coalesced += sm.coalesced_transactions;
      sum.uncoalesced += sm.uncoalesced_transactions;
      sum.scheduler_cycles += sm.scheduler_cycles;
      sum.issued += sm.issued;
      for (const auto& [reason, cycles] : sm.stall) {
        const auto same = [&reason = reason](const NamedCount& s) { return s.first == reason; };
        const auto found = std::find_if(sum.stall.begin(), sum.stall.end(), same);
        if (found == sum.stall.end())
          sum.stall.emplace_back(reason, cycles);
        else
          found->second += cycles;
      }
    }
  }
  return sum;
}

std::string RunTotals::main_stall() const {
  // The cycles of SMs without a warp do not describe the kernel, so they count only if there is no other reason.
  const auto weight = [](const NamedCount& reason) { return reason.first == "no_warp" ? 0 : reason.second; };
  const auto most =
      std::max_element(stall.begin(), stall.end(), [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  if (most != stall.end() && weight(*most) != 0) return most->first;
  return std::any_of(stall.begin(), stall.end(), [](const auto& s) { return s.second != 0; }) ? "no_warp" : "-";
}

double RunTotals::ipc() const {
  return shader_cycles ? static_cast<double>(warp_instructions) / static_cast<double>(shader_cycles) : 0;
}

}  // namespace g80

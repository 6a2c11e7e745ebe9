// SPDX-License-Identifier: Apache-2.0
// The cost of each instruction of a kernel on one SM: issues, lanes, memory transactions, bank conflicts, and the
// scheduler cycles that passed without an issue because a warp waited there.
//
// The retirement port says which warp a cycle without an issue is charged to and whether that warp waits behind the
// instruction it issued last (at a barrier, for a branch, the cycle after any issue) or in front of its next one. The
// address of either is known only when the instruction buffer hands it out, an edge or more later: until then a warp's
// cycles are kept in two banks, one for the instruction picked last and one for the next.
//
// Sums over instructions equal the SM's counters; cycles without any resident warp are charged to no instruction. The
// SM's coalescer, a block outside of it, tells of its transactions.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_state.h"
#include "hw/common/limits.h"
#include "hw/common/set_bits.h"
#include "hw/mem/coalescer.h"
#include "tb/record/stall_cycles.h"

namespace g80 {

class PcProfile final : public SmObserver, public TransactionObserver {
 public:
  struct Entry {
    std::uint64_t issued = 0;        // warp instructions
    std::uint64_t lanes = 0;         // in which they executed
    std::uint64_t transactions = 0;  // of memory: g[], l[], atomics
    std::uint64_t conflicts = 0;     // passes through shared memory beyond a half-warp's first
    StallCycles stall{};
  };

  /// A launch begins: `words` words of code from address `start` on.
  void begin(std::uint32_t start, std::size_t words) {
    start_ = start;
    entries_.assign(words + 1, {});
    warps_.fill({});
    for (Warp& warp : warps_) warp.last = static_cast<std::uint32_t>(words);
  }

  void observe(const SmReport& report) override {
    for (const SmReport::HandOut& out : report.hand_out) issued(out.warp, out.pc);
    if (report.stall.valid) {
      asleep(report.stall);
      if (report.stall.reason == StallReason::kIssued) {
        picked(report.stall.warp);
      } else {
        stalled(report.stall.warp, report.stall.behind, report.stall.reason, 1);
      }
    }
    for (const SmReport::Conflict& conflict : report.conflict) ++entries_[index(conflict.pc)].conflicts;
    for (const SmReport::Retire& retire : report.retire) {
      entries_[index(retire.fetched.pc)].lanes += static_cast<unsigned>(__builtin_popcount(retire.lanes));
    }
  }
  void transaction(std::uint32_t pc) override { ++entries_[index(pc)].transactions; }

  /// The profile of a launch that is over or was stopped: with the cycles that no report told, and charging what each
  /// warp still waits for to the instruction that it would issue next.
  PcProfile settled(const SmReport::Stall& unreported, const SmState& state) const {
    PcProfile all = *this;
    all.asleep(unreported);
    for (unsigned w = 0; w < kMaxWarps; ++w) all.settle(w, state.warp[w].pc);
    return all;
  }

  /// One for each word of the code; the last one is for whatever lies outside of it.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void asleep(const SmReport::Stall& stall) {
    if (stall.asleep != 0) stalled(stall.asleep_warp, stall.asleep_behind, stall.asleep_reason, stall.asleep);
  }
  void stalled(unsigned w, bool behind, StallReason reason, std::uint64_t cycles) {
    if (reason == StallReason::kNoWarp) return;
    Warp& warp = warps_[w];
    Bank& bank = warp.bank[behind ? warp.next ^ 1u : warp.next];
    bank.cycles[static_cast<unsigned>(reason)] += cycles;
    bank.used |= 1u << static_cast<unsigned>(reason);
  }
  /// The instruction that the warp waited for becomes the one picked last.
  void picked(unsigned w) {
    Warp& warp = warps_[w];
    charge(warp.bank[warp.next ^ 1u], warp.last);
    warp.next ^= 1u;
    warp.in_hand = true;
  }
  void issued(unsigned w, std::uint32_t pc) {
    Warp& warp = warps_[w];
    warp.last = index(pc);
    warp.in_hand = false;
    ++entries_[warp.last].issued;
  }
  /// What the warp still waits for is the instruction at `pc`.
  void settle(unsigned w, std::uint32_t pc) {
    if (warps_[w].in_hand) issued(w, pc);
    Warp& warp = warps_[w];
    charge(warp.bank[warp.next ^ 1u], warp.last);
    charge(warp.bank[warp.next], index(pc));
  }

  struct Bank {
    std::uint32_t used = 0;  // bit = reason with cycles
    StallCycles cycles{};
  };
  struct Warp {
    std::array<Bank, 2> bank;
    std::uint32_t last = 0;  // entry of the instruction issued last
    std::uint8_t next = 0;   // bank of what the warp picks next; the other is that of its last pick
    bool in_hand = false;    // picked, not handed out yet
  };

  std::uint32_t index(std::uint32_t pc) const {
    return std::min((pc - start_) / 4, static_cast<std::uint32_t>(entries_.size()) - 1);
  }
  void charge(Bank& bank, std::uint32_t entry) {
    for (const unsigned reason : set_bits(std::exchange(bank.used, 0))) {
      entries_[entry].stall[reason] += bank.cycles[reason];
      bank.cycles[reason] = 0;
    }
  }

  std::uint32_t start_ = 0;
  std::vector<Entry> entries_{1};
  std::array<Warp, kMaxWarps> warps_{};
};

}  // namespace g80

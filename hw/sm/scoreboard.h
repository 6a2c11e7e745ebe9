// SPDX-License-Identifier: Apache-2.0
// Decides which warps may issue: tracks the registers that instructions in flight write and waiting ones need.
//
// It mirrors the instruction buffer with one dependency record per waiting instruction, so in the cycle after an
// issue it already checks the next one: the loop pick -> scoreboard -> pick closes in two scheduler cycles.
//
// From:  decode, warp_scheduler (pick), reconvergence_stack (redirect, resolve), barrier, writeback (release)
// To:    warp_scheduler (ready), cta_launcher (drained warps)
#pragma once
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/sm/instruction_buffer.h"

namespace g80 {

/// No register, flag or address register that the instruction reads or writes has a write pending.
/// This is where read-after-write and write-after-write are decided.
inline bool is_clear(const DecodedInstruction& insn, const ThreadState& pending) {
  return !insn.reads.intersects(pending) && !insn.writes.intersects(pending);
}

struct ScoreboardRegs {
  WarpReady ready;
  WarpMask drained = 0;  // ended and nothing in flight: the slot may be freed
  WarpMask ended = 0;
  WarpMask control = 0;  // an unresolved control instruction is in flight
  std::array<std::uint8_t, kMaxWarps> in_flight{};
  std::array<std::uint8_t, kMaxWarps> epoch{};
  G80_FIELDS(ready, drained, ended, control, in_flight, epoch);
};

class Scoreboard : public Clocked<ScoreboardRegs> {
 public:
  Scoreboard(const sc_core::sc_module_name& name, const Config& config);

  In<DecodedGroup> decoded_i{"decoded_i"};
  In<Redirect> start_i{"start_i"};
  In<Redirect> redirect_i{"redirect_i"};
  In<Pick> pick_i{"pick_i"};
  In<Resolve> resolve_i{"resolve_i"};
  In<WarpMask> barrier_open_i{"barrier_open_i"};  // warps let through
  In<WarpMask> barrier_waiting_i{"barrier_waiting_i"};
  In<Release> release_i{"release_i"};
  Out<WarpReady> ready_o{"ready_o"};
  Out<WarpMask> drained_o{"drained_o"};

  /// Everything that instructions in flight will write.
  virtual ThreadState pending(unsigned warp) const { return pending_[warp]; }
  /// Head of a warp's waiting instructions, nullptr if none: for the watchdog.
  virtual const DecodedInstruction* head(unsigned warp) const {
    return waiting_[warp].empty() ? nullptr : &waiting_[warp].front().decoded();
  }

  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  template <class S, class V>
  static void members(S& s, V& v) {
    v("pending", s.pending_);
    v("pending_memory", s.pending_memory_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }
  void flush(const Redirect& redirect, WarpMask& touched);
  void classify_head(unsigned warp);
  void report();

  const bool sfu_mul_;
  Stored<std::array<Ring<FetchedInstruction, kMaxBufferEntries>, kMaxWarps>> waiting_{*this, "waiting"};
  std::array<ThreadState, kMaxWarps> pending_{};         // written by instructions in flight
  std::array<ThreadState, kMaxWarps> pending_memory_{};  // the part of it that comes from memory
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80

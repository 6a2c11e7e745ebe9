// SPDX-License-Identifier: Apache-2.0
// Which registers decide what warps do next, as long as they execute no other instructions than they have: those that
// branches, accesses to memory and stores will read, and what these are computed from. Backward data flow over the
// executed instructions, in which a register that only decides what does not decide anything is not live.
//
// Warps that come back to the same place with the same values of these, and find memory unchanged, go round forever,
// whatever the others hold: a counter that nobody looks at before the loop ends decides nothing.
//
// The clock is never the same again, but it may only delay: what is computed from it decides nothing but branches of
// waits. A wait is code that only computes and branches, on whatever way it is passed, and leads to one place, to which
// the lanes come together: either all of its branches take all lanes of a warp the same way, or it leads from a joinat
// to its join, with no other way in. What it has written depends on the way, so it is taken for a value of the clock.
// A place outside of waits at which no such value decides is one from which a warp goes on alike whatever the clock
// says, but for the time that it waits. So if it comes back to the same state there, it always does. (Or it never
// leaves a wait; or lanes that part in a wait, as the clock never parts them, overflow the control stack: a fault.)
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/common/set_bits.h"
#include "hw/common/types.h"
#include "hw/isa/thread_state.h"

namespace g80::golden {

bool reads_clock(const isa::Instruction& insn);

class DecidingRegisters {
 public:
  /// A warp has executed the instruction at byte address `pc`.
  void add(std::uint32_t pc, const isa::Instruction& insn) {
    ++since_first_;
    if (pc / 4 < index_.size() && index_[pc / 4] != kNone) return;
    add_first(pc, insn);
  }
  /// The instructions seem to be all of a loop: none was new for as many as there are.
  bool settled() const { return since_first_ > steps_.size(); }
  /// Registers from this number on read as zero.
  void limit_registers(unsigned count) {
    if (count == registers_) return;
    registers_ = count;
    solved_ = false;
  }
  /// What is read from the clock decides nothing but for how long warps wait.
  bool clock_only_delays() {
    if (!solved_) solve();
    return clock_only_delays_;
  }
  /// How a warp goes on at `pc` may depend on the clock: that it comes back to a state there proves nothing.
  bool depends_on_clock(std::uint32_t pc) {
    if (!solved_) solve();
    const Step* const step = at(pc);
    return step != nullptr && (step->waits || step->live.intersects(step->of_clock));
  }
  enum class Kind : std::uint8_t { kRegister, kFlags, kAddress };
  /// Calls use(kind, number, lanes) for the registers that decide in some lane of a warp whose `active` lanes are at
  /// `pc`; the others may be anywhere.
  template <class Use>
  void for_each(std::uint32_t pc, LaneMask active, const Use& use) {
    if (!solved_) solve();
    const ThreadState here = live(pc);
    const auto visit = [&](Kind kind, unsigned number, bool decides_here) {
      const LaneMask lanes = decides_here ? ~LaneMask{0} : ~active;
      if (lanes != 0) use(kind, number, lanes);
    };
    for (unsigned r = 0; r < kMaxRegistersPerThread; ++r) {
      if (anywhere_.registers.has(r)) visit(Kind::kRegister, r, here.registers.has(r));
    }
    for (const unsigned c : set_bits(anywhere_.flags)) visit(Kind::kFlags, c, (here.flags >> c & 1) != 0);
    for (const unsigned a : set_bits(anywhere_.addrs)) visit(Kind::kAddress, a, (here.addrs >> a & 1) != 0);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Step {
    ThreadState reads, writes;
    ThreadState overwrites;  // in each lane that executes it
    ThreadState acts_on;     // beside writing registers
    std::uint32_t next[2];   // where a lane may go on
    bool to_anywhere;        // ... or where the control stack says
    bool reads_clock, reads_special, only_computes;
    bool branches, starts, joins;  // bra, joinat, the join flag
    ThreadState live;              // before it
    ThreadState of_clock;          // before it: computed from the clock, or in a wait
    ThreadState varies;            // before it: may differ between the lanes of a warp that are there together
    bool waits;                    // it is in a wait
  };
  void add_first(std::uint32_t pc, const isa::Instruction& insn);
  Step* at(std::uint32_t pc) {
    return pc / 4 < index_.size() && index_[pc / 4] != kNone ? &steps_[index_[pc / 4]] : nullptr;
  }
  ThreadState live(std::uint32_t pc) {
    const Step* const step = at(pc);
    return step != nullptr ? step->live : ThreadState{};
  }
  void solve();
  void solve_clock();
  void follow_clock();
  static bool may_part(const Step& step);
  void follow_lanes();
  std::optional<std::vector<Step*>> way(std::vector<std::uint32_t> from, const Step* to);
  std::vector<Step*> wait_in_step(Step& branch);
  std::vector<Step*> wait_to_join(Step& branch);

  std::vector<std::uint32_t> index_;  // of a pc / 4 in steps_
  std::vector<Step> steps_;           // the instructions executed
  std::size_t since_first_ = 0;       // executed since one was new
  bool in_quads_ = false;             // lanes work for others, wherever these are
  unsigned registers_ = kMaxRegistersPerThread;
  bool solved_ = true;
  bool clock_only_delays_ = true;
  ThreadState anywhere_;  // live before some instruction
};

}  // namespace g80::golden

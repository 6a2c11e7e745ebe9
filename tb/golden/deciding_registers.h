// SPDX-License-Identifier: Apache-2.0
// Which registers decide what warps do next, as long as they execute no other instructions than they have: those that
// branches, accesses to memory and stores will read, and what these are computed from. Backward data flow over the
// executed instructions, in which a register that only decides what does not decide anything is not live.
//
// Warps that come back to the same place with the same values of these, and find memory unchanged, go round forever,
// whatever the others hold: a counter that nobody looks at before the loop ends decides nothing.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/common/set_bits.h"
#include "hw/common/types.h"
#include "hw/isa/thread_state.h"

namespace g80::golden {

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
    ThreadState live;        // before it
  };
  void add_first(std::uint32_t pc, const isa::Instruction& insn);
  ThreadState live(std::uint32_t pc) const {
    return pc / 4 < index_.size() && index_[pc / 4] != kNone ? steps_[index_[pc / 4]].live : ThreadState{};
  }
  void solve();

  std::vector<std::uint32_t> index_;  // of a pc / 4 in steps_
  std::vector<Step> steps_;           // the instructions executed
  std::size_t since_first_ = 0;       // executed since one was new
  bool in_quads_ = false;             // lanes work for others, wherever these are
  bool solved_ = true;
  ThreadState anywhere_;  // live before some instruction
};

}  // namespace g80::golden

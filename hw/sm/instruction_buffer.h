// SPDX-License-Identifier: Apache-2.0
// Instructions of every warp that wait to issue; hands the picked warp's head to the operand collector.
//
// From:  decode, reconvergence_stack (redirect), warp_scheduler (pick)
// To:    operand_collector (issue), fetch (levels)
#pragma once
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kMaxBufferEntries = 8;
inline constexpr std::uint32_t kLastSequence = 0xffffff;  // 1 follows: a uid of 0 means none

struct InstructionBufferRegs {
  Issue issue;
  BufferLevel level;
  std::array<std::uint8_t, kMaxWarps> epoch{};
  std::uint32_t sequence = 1;  // of the next instruction that the SM issues
  G80_FIELDS(issue, level, epoch, (sequence, 24));
};

class InstructionBuffer : public Clocked<InstructionBufferRegs> {
 public:
  InstructionBuffer(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id);

  In<DecodedGroup> decoded_i{"decoded_i"};
  In<Redirect> start_i{"start_i"};
  In<Redirect> redirect_i{"redirect_i"};
  In<Pick> pick_i{"pick_i"};
  Out<Issue> issue_o{"issue_o"};
  Out<BufferLevel> level_o{"level_o"};

  void report_to(RetirementPort* port) { reports_ = port; }
  /// pc of a warp's head; 0 if it has none.
  virtual std::uint32_t head_pc(unsigned warp) const { return entries_[warp].empty() ? 0 : entries_[warp].front().pc; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void flush(const Redirect& redirect);
  void set_level(unsigned warp, unsigned count);

  const unsigned sm_id_;
  RetirementPort* reports_ = nullptr;
  const unsigned most_with_room_;  // waiting instructions with which a whole fetch still fits
  Stored<std::array<Ring<FetchedInstruction, kMaxBufferEntries>, kMaxWarps>> entries_{*this, "entries"};
};

}  // namespace g80

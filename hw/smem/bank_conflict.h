// SPDX-License-Identifier: Apache-2.0
// Splits a half-warp's shared-memory request into passes without bank conflicts.
//
// Reads: a pass serves every lane that reads the broadcast word, and one lane of each other bank; the broadcast word is
// that of the lowest pending lane (the hardware leaves the choice open). Writes: one word per bank; of several lanes
// that write into one word, one a pass.
//
// Rate: one pass a scheduler cycle (a bank delivers 32 bits every two shader cycles). The first pass leaves one
// scheduler cycle after the request.
//
// From:  address_unit      To:  shared_memory, warp_scheduler (the access is issued again for the lanes that are left)
#pragma once
#include <algorithm>

#include "hw/bundles/smem_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

class RetirementPort;

using HalfWords = std::array<std::uint16_t, kHalfWarp>;  // word address of each lane

/// Which pending lanes the next pass serves. This is where a bank conflict is decided.
HalfMask select_pass(HalfMask pending, const HalfWords& word, bool write);

/// Scheduler cycles from pass to pass.
inline std::uint8_t smem_pass_interval(const Config& config) {
  return static_cast<std::uint8_t>(2 / std::min(config.sm.smem_passes_per_4_cycles, 2u));
}

inline constexpr unsigned kSmemQueue = 2;  // requests waiting, the one that is served included

struct BankConflictRegs {
  HalfMask pending = 0;
  SmemPass pass;
  bool ready = true;
  std::uint8_t wait = 0;  // scheduler cycles until the next pass may leave
  G80_FIELDS(pending, pass, ready, (wait, 2));
};

class BankConflict : public Clocked<BankConflictRegs> {
 public:
  BankConflict(const sc_core::sc_module_name& name, const Config& config);

  In<SmemRequest> request_i{"request_i"};
  Out<bool> request_ready_o{"request_ready_o"};
  Out<SmemPass> pass_o{"pass_o"};
  Out<bool> replay_o{"replay_o"};  // the pass leaves lanes to another

  struct Counters {
    // Of instructions, not of the launcher. Conflicts: passes beyond the first of a request.
    std::uint64_t requests = 0, passes = 0, conflicts = 0;
    G80_FIELDS(requests, passes, conflicts);
  };
  const Counters& counters() const { return counters_; }
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void next() override;
  void drive() override {
    request_ready_o.write(q_.ready);
    pass_o.write(q_.pass);
    replay_o.write(q_.pass.valid && !q_.pass.last);
  }
  void reset() override {
    queue_.clear();
    counters_ = {};
  }

  const std::uint8_t pass_interval_;
  Fifo<SmemRequest, kSmemQueue> queue_{*this, "queue"};
  Counters counters_;
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80

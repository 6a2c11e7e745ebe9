// Splits a half-warp's shared-memory request into passes without bank conflicts.
//
// Reads: a pass serves every lane that wants the broadcast word, and one word from each other bank; the broadcast word is
// that of the lowest pending lane (the hardware leaves the choice open). Writes: one word per bank; of several lanes that
// write into one word, one a pass.
//
// Rate: one pass a scheduler cycle (a bank delivers 32 bits every two shader cycles). The first pass leaves one scheduler
// cycle after the request.
//
// From:  address_unit      To:  shared_memory
#pragma once
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/smem/smem_bundles.h"

namespace g80 {

using HalfWords = std::array<std::uint16_t, kHalfWarp>;  // word address of each lane

/// Which pending lanes the next pass serves. This is where a bank conflict is decided.
HalfMask select_pass(HalfMask pending, const HalfWords& word, bool write);

struct BankConflictRegs {
  HalfMask pending = 0;
  SmemPass pass;
  bool ready = true;
  std::uint8_t wait = 0;  // scheduler cycles until the next pass may leave
  template <class S, class V>
  static void visit(S& s, V& v) {
    v("pending", s.pending);
    v("pass", s.pass);
    v("ready", s.ready);
  }
};

class BankConflict final : public Clocked<BankConflictRegs> {
 public:
  BankConflict(const sc_core::sc_module_name& name, const Config& config);

  sc_core::sc_in<SmemRequest> request_i{"request_i"};
  sc_core::sc_out<bool> request_ready_o{"request_ready_o"};
  sc_core::sc_out<SmemPass> pass_o{"pass_o"};

  struct Counters {
    std::uint64_t requests = 0, passes = 0, conflicts = 0;  // conflicts: passes beyond the first of a request
  };
  const Counters& counters() const { return counters_; }

 private:
  void next() override;
  void drive() override;
  void reset() override { queue_.clear(); }

  const std::uint8_t pass_interval_;  // scheduler cycles from pass to pass
  Fifo<SmemRequest, 3> queue_;
  Counters counters_;
};

}  // namespace g80

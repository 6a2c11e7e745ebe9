// SPDX-License-Identifier: Apache-2.0
// The 16 banks of an SM's shared memory, 32 bits wide, words interleaved over the banks.
//
// Performs one pass a scheduler cycle and answers a half-warp's read when its last pass is done. Performing a pass is
// the moment at which the order of s[] accesses is made, and at which words are locked and unlocked (lock_table.h); it
// is reported at the retirement port.
//
// A word has a bit that says whether it was written since its block started. A read of a word that was not gives what
// sm.init says, and the first write fills the bytes that it leaves out with that.
//
// From:  bank_conflict, cta_launcher (words of new blocks, warps of ended blocks)
// To:    operand_collector, address_unit (stores performed)
#pragma once
#include <algorithm>
#include <vector>

#include "hw/bundles/retirement_port.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/delay_memory.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/initial_word.h"
#include "hw/smem/lock_table.h"

namespace g80 {

/// What the passes of a half-warp's read have got so far.
struct SmemGather {
  HalfMask granted = 0;
  std::array<std::uint32_t, kHalfWarp> data{};
  G80_FIELDS(granted, data);
};

struct SharedMemoryRegs {
  SmemReply reply;  // on the wire
  SmemGather gather;
  bool stored = false;  // the last pass of a half-warp's store was performed
  G80_FIELDS(reply, gather, stored);
};

class SharedMemory : public Clocked<SharedMemoryRegs> {
 public:
  SharedMemory(const sc_core::sc_module_name& name, const Config& config);

  In<SmemPass> pass_i{"pass_i"};
  In<SmemStart> start_i{"start_i"};  // of the launcher
  In<WarpMask> ended_i{"ended_i"};   // warps of blocks that have ended: they give back their locks
  Out<SmemReply> reply_o{"reply_o"};
  Out<bool> stored_o{"stored_o"};  // to address_unit, one half-warp a cycle

  virtual std::uint32_t read_word(unsigned number) const { return word(number); }
  const LockTable& locks() const { return locks_; }

  struct Counters {
    std::array<std::uint64_t, kMaxWarps> granted{};  // locks that each warp slot has got
    G80_FIELDS(granted);
  };
  const Counters& counters() const { return counters_; }

  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void visit_members(FieldVisitor& visitor) const override { visit_stored(*this, visitor); }
  void visit_members(FieldEditor& editor) override { visit_stored(*this, editor); }
  template <class S, class V>
  static void visit_stored(S& s, V& v) {
    v.stored("word", s.words_);
    v.stored("word_written", s.word_written_, 1);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (unsigned i = 0; v.fills() && i < s.words_.size(); ++i) {
        if (s.word_written_[i] == 0) v.fill(s.words_[i]);
      }
    }
    v.stored("lock", s.locks_);
  }
  void next() override;
  void drive() override {
    reply_o.write(q_.reply);
    stored_o.write(q_.stored);
  }
  void reset() override {
    std::fill(word_written_.begin(), word_written_.end(), std::uint8_t{0});
    way_back_.clear();
    locks_.clear();
    counters_ = {};
  }
  std::uint32_t word(unsigned number) const {
    return word_written_[number] != 0 ? words_[number] : initial_.of_shared(number);
  }
  void start(const SmemStart& start);
  void store(const SmemRequest& request, unsigned lane);
  void load(const SmemPass& pass);
  SmemReply perform(const SmemPass& pass);
  /// Tells the retirement port of a pass: lanes that got a lock, and what the half-warp has read so far.
  void observe(const SmemPass& pass, HalfMask granted, const std::array<std::uint32_t, kHalfWarp>& read);
  void observe_ended();

  const InitialWords initial_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint8_t> word_written_;  // since its block started: 0 or 1
  LockTable locks_;
  Counters counters_;
  DelayMemory<SmemReply> way_back_;  // to the collector; sm.smem_latency says how many
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80

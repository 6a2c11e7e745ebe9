// SPDX-License-Identifier: Apache-2.0
// Second level of the TLB: the TLBs of the TPCs and the chip's own TLB look up here before they walk the page table.
//
// Set associative, tlb.l2_replacement says which entry leaves; an entry covers tlb.reach_bytes, as one of the first
// level does. It reads no memory: on a miss the requesting TLB walks and sends the result as a fill; absent pages are
// stored too. A new count on flush_i empties it. It comes here before it comes to the TPCs, so a fill names the flush
// that its TLB saw last, and is discarded if that is not the last one here.
//
// A question comes over the registers of the way from its TLB into a queue of its requester, and the place that it
// leaves is made known over as many; the queue covers that loop. Stages, each one edge:
//   pick      requesters take turns
//   row       the tags of the set are read
//   compare   with the address: the slot that it has or, of a fill, that it gets
//   access    the pages of the slot are read or, of a fill, written with the tag; the replacement state changes
// Tags and pages have one port. A fill takes that of the tags again when it writes: behind one, nothing is picked for
// two edges, so no lookup reads a row that is about to change. What is used at an edge counts for a slot that is chosen
// at it.
//
// Core clock. A question transferred at edge k whose turn it is has its answer on answer_o for edge k +
// tlb.l2_latency: what way and stages leave of it are registers behind them, the last ones the way back. Answers are
// always taken. Rate: one question an edge. With tlb.l2_entries = 0 no TLB uses it.
// Sleeps while the stages are empty, until the next question or answer leaves its registers.
#pragma once
#include <array>

#include "hw/bundles/launch_beat.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/cache/tlb_entries.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// A question or fill in the stages.
struct TlbLookup {
  bool valid = false;
  bool fill = false;
  bool hit = false;         // from `compare` on
  std::uint16_t slot = 0;   // from `compare` on: where its entry lies, or goes
  std::uint8_t walker = 0;  // of the first level
  std::uint8_t requester = 0;
  std::uint32_t virtual_address = 0;
  Origin origin;
  G80_FIELDS(valid, fill, hit, (slot, 11), (walker, 4), (requester, 5), virtual_address, origin);
};

struct SecondLevelTlbRegs {
  static constexpr unsigned kMaxRequesters = kMaxTpcs + 1;
  std::array<bool, kMaxRequesters> ready{};
  std::array<std::uint8_t, kMaxRequesters> held{};  // places that the requester does not know to be free
  std::uint8_t last = 0;                            // whose turn it was
  TlbLookup picked, row, compared;
  std::uint32_t flush = 0;
  G80_FIELDS(ready, (held, 4), (last, 5), picked, row, compared, flush);
};

class SecondLevelTlb : public Clocked<SecondLevelTlbRegs> {
 public:
  SecondLevelTlb(const sc_core::sc_module_name& name, const Config& config);

  // From and to the TLB of each TPC and, last, the chip's own
  Ports<In<TlbQuestion>> question_i;
  Ports<Out<bool>> question_ready_o;
  Ports<Out<TlbAnswer>> answer_o;
  // Flushes so far
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t fills = 0;
    G80_FIELDS(hits, misses, fills);
  };
  const Counters& counters() const { return counters_; }
  bool idle() const {
    return way_.empty() && !q_.picked.valid && !q_.row.valid && !q_.compared.valid && pipe_.empty() && answered() == 0;
  }
  /// Calls each(of what, requester, how many are lost: neither free, nor taken, nor on their way back), for observers.
  template <class Each>
  void count_places(const Each& each) const {
    for (unsigned k = 0; k < num_requesters_; ++k)
      each("places of requester", k, q_.held[k] - static_cast<int>(queue_[k].size() + place_way_.size(k)));
  }
  /// Registers of the ways from and to a TLB.
  unsigned way() const { return registers_; }

 protected:
  static constexpr unsigned kStages = 5;                   // arrival, pick, row, compare, access
  static constexpr unsigned kMaxLatency = 255;             // largest tlb.l2_latency
  static constexpr unsigned kQueue = 2 * kControlWay + 2;  // full rate while a question comes and its place goes back
  struct Pending {
    TlbAnswer answer;
    std::uint8_t requester = 0;
    G80_FIELDS(answer, (requester, 5));
  };

  void next() override;
  void drive() override;
  void reset() override;
  template <class S, class V>
  static void visit_answers(S& s, V& v) {
    v.shown("answered", s.answered(), SecondLevelTlbRegs::kMaxRequesters);
    v.stored("answer", s.answer_);
  }
  void visit_members(FieldVisitor& visitor) const override { visit_answers(*this, visitor); }
  void visit_members(FieldEditor& editor) override { visit_answers(*this, editor); }
  /// Bit per requester: an answer is on its wire.
  std::uint32_t answered() const {
    std::uint32_t answered = 0;
    for (unsigned requester = 0; requester < num_requesters_; ++requester)
      answered |= answer_[requester]->valid ? 1u << requester : 0;
    return answered;
  }
  bool take_questions();
  void access(const TlbLookup& lookup);
  void compare();
  void pick();
  void answer();
  void forget_fills();

  const unsigned num_requesters_, registers_;
  Stored<TlbEntries> entries_;
  Stored<std::array<Ring<TlbQuestion, kQueue>, SecondLevelTlbRegs::kMaxRequesters>> queue_{*this, "queue"};
  Stored<DelayLines> way_, place_way_;          // of questions to their queues, of free places back
  Stored<TlbReach> fill_{*this, "fill"};        // the pages of the fill in the stages: there is at most one
  DelayedFifo<Pending, kMaxLatency + 1> pipe_;  // answers on their way
  std::array<LoadedRegister<TlbAnswer>, SecondLevelTlbRegs::kMaxRequesters> answer_;  // to each requester
  Counters counters_;
};

}  // namespace g80

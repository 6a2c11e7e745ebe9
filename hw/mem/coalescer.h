// SPDX-License-Identifier: Apache-2.0
// Turns half-warp accesses of one SM into memory transactions.
//
// The rules are in coalesce.h.
//
// Rate: one transaction every coalescer.cycles_per_transaction core cycles, in lane order, into a queue of
// coalescer.queue entries. If several lanes store to one byte, the highest lane's value is sent.
#pragma once
#include <systemc>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/mem/coalesce.h"

namespace g80 {

struct CoalescerRegs {
  bool offered = false;   // request_o is valid
  bool idle = true;       // no access visible, no transaction queued; accesses on their way are the queue's to count
  bool busy = false;      // the front access is partly served
  HalfMask pending = 0;   // its lanes without a transaction
  std::uint8_t made = 0;  // transactions made for it
  std::uint8_t wait = 0;  // cycles until the next transaction may be made
  G80_FIELDS(offered, idle, busy, pending, (made, 5), wait);
};

/// Is told of each transaction by the address of its instruction.
class TransactionObserver {
 public:
  virtual void transaction(std::uint32_t pc) = 0;

 protected:
  ~TransactionObserver() = default;
};

class Coalescer : public Clocked<CoalescerRegs> {
 public:
  Coalescer(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc);

  // From the address unit
  CrossingIn<HalfWarpAccess> access_i{"access_i"};
  // To the TPC's arbiter
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  // To wait-for-idle
  Out<bool> idle_o{"idle_o"};

  /// Names are those of the CUDA profiler where it has the event. g[], l[] and control stacks are counted separately.
  struct Counters {
    std::uint64_t half_warps = 0, transactions = 0, bytes = 0;
    // Half-warp requests. Coherent: coalesced; under the segment rule, served by as few transactions as a coalesced
    // one.
    std::uint64_t gld_coherent = 0, gld_incoherent = 0, gst_coherent = 0, gst_incoherent = 0;
    std::uint64_t local_load = 0, local_store = 0, atomics = 0;
    // Transactions
    std::uint64_t gld_32b = 0, gld_64b = 0, gld_128b = 0, gst_32b = 0, gst_64b = 0, gst_128b = 0;
    std::uint64_t local_load_transactions = 0, local_store_transactions = 0, atomic_transactions = 0;
    std::uint64_t stack_transactions = 0;  // of the control stack; an access is one transaction
    G80_FIELDS(half_warps, transactions, bytes, gld_coherent, gld_incoherent, gst_coherent, gst_incoherent, local_load,
               local_store, atomics, gld_32b, gld_64b, gld_128b, gst_32b, gst_64b, gst_128b, local_load_transactions,
               local_store_transactions, atomic_transactions, stack_transactions);
  };
  const Counters& counters() const { return counters_; }
  void attach_profile(TransactionObserver* profile) { profile_ = profile; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("queue", queue_); }
  void visit_members(FieldEditor& editor) override { editor.stored("queue", queue_); }
  bool send_transaction();
  void count_transaction(const HalfWarpAccess& access, const Transaction& transaction);
  void count_half_warp(const HalfWarpAccess& access, unsigned transactions, const Transaction& last);

  const bool segment_rule_, share_words_;
  const unsigned cycles_per_transaction_;
  const std::uint8_t tpc_, sm_in_tpc_;
  SizedRing<MemRequest> queue_;  // not drawn
  Counters counters_;
  TransactionObserver* profile_ = nullptr;
};

}  // namespace g80

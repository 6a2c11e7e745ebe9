// SPDX-License-Identifier: Apache-2.0
// One memory partition: takes transactions from the crossbar in order, splits them into DRAM bursts, performs atomics,
// and replies.
//
// Order: a transaction is performed when its first burst goes to the DRAM controller; that edge is its place in the
//   partition's order. It takes transactions in order of arrival, the controller keeps the order of accesses to one
//   sector, and nothing follows an atomic to its sector before the atomic has written. So every read returns what the
//   transactions before it in this order have left. The log gets one PerformEvent per transaction, in this order and
//   with its time; one that waits for data (read, atomic) is entered, with those behind it, when the data is there.
// Atomics (the ROP): the sector is read, the operation takes partition.atomic_cycles in the one operator, and the word
//   is written back. Atomics to other sectors proceed in the meantime.
// Writes and reductions have no reply; every burst of a write is sent, masked or not, and the partition knows
//   its end. So idle_o means: nothing queued or in flight, every store in the cells.
// Path: partition.request_latency registers lie between the port and the choice of the next transaction, and
//   partition.reply_latency between the data and the reply's port. These parts of the path to memory lie behind the
//   texture L2.
// Rates: a transaction every partition.cycles_per_transaction core cycles, one burst each way per core cycle.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/event_log.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct MemoryPartitionRegs {
  bool ready = false;  // request_i may send
  bool reply_offered = false;
  bool idle = true;
  std::uint8_t queued = 0;  // transactions waiting or on their way through the registers
  std::uint8_t sent = 0;    // bursts of the front transaction that went to DRAM
  std::uint8_t slot = 0;    // where its data will be collected
  bool rop_busy = false;
  std::uint8_t rop_slot = 0;  // the atomic in the operator
  Cycle rop_done = 0;         // edge at which its result is there
  Cycle start_from = 0;       // edge at which the next transaction may start
  G80_FIELDS(ready, reply_offered, idle, queued, (sent, 3), slot, rop_busy, rop_slot, rop_done, start_from);
};

class MemoryPartition : public Clocked<MemoryPartitionRegs> {
 public:
  /// `log` is null when checking is off.
  MemoryPartition(const sc_core::sc_module_name& name, const Config& config, PartitionLog* log);

  // From and to the crossbar (or the texture L2 in front of the partition)
  In<MemRequest> request_i{"request_i"};
  Out<bool> request_ready_o{"request_ready_o"};
  Out<MemReply> reply_o{"reply_o"};
  In<bool> reply_ready_i{"reply_ready_i"};
  // To and from the DRAM controller
  CrossingOut<DramRequest> dram_o{"dram_o"};
  CrossingIn<DramReply> dram_i{"dram_i"};
  // To wait-for-idle
  Out<bool> idle_o{"idle_o"};

  struct Counters {
    std::uint64_t reads = 0, writes = 0, reductions = 0, atomics = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;  // of transactions; what DRAM moves is counted there
    // Cycles in which the front transaction could not go on, by cause
    std::uint64_t dram_stalls = 0, atomic_stalls = 0, slot_stalls = 0;
    G80_FIELDS(reads, writes, reductions, atomics, bytes_read, bytes_written, dram_stalls, atomic_stalls, slot_stalls);
  };
  const Counters& counters() const { return counters_; }

 protected:
  static constexpr unsigned kMaxSlots = 192;
  /// A read or an atomic in flight.
  struct Slot {
    MemReply reply;
    std::uint32_t first_burst = 0;  // local address
    std::uint8_t offset = 0;        // of the transaction inside its first burst
    std::uint8_t bursts_left = 0;
    std::uint8_t word = 0;  // atomics: byte offset of the word
    std::uint8_t atom_op = 0, atom_bytes = 4;
    bool atom_signed = false;
    std::uint64_t b = 0, c = 0;
    std::uint64_t log_number = 0;
  };

  void next() override;
  void drive() override;
  void reset() override;

  void take_reply();
  void collect();
  bool run_rop();
  void dispatch();
  bool may_start(const MemRequest& request);
  void start(const MemRequest& request);
  void send_burst(const MemRequest& request);
  bool sector_has_atomic(std::uint32_t local) const;
  void finish_atomic(unsigned slot);
  void finish(std::uint8_t slot);
  void log_start(const MemRequest& request);
  void log_data(const Slot& slot, unsigned words);

  const std::uint64_t bytes_;
  const unsigned burst_bytes_, cycles_per_transaction_, atomic_cycles_, num_slots_;
  PartitionLog* const log_;

  DelayedQueue<MemRequest> queue_;
  std::vector<Slot> slots_;
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         for (Slot& slot : slots_) {
                           filler.fill(slot.reply);
                           filler.fill(slot.first_burst);
                           filler.fill(slot.word);
                           filler.fill(slot.atom_op);
                           filler.fill(slot.b);
                           filler.fill(slot.c);
                         }
                         filler.fill(atomics_);
                       }};
  Queue<std::uint8_t> free_slots_, rop_queue_;
  DelayedQueue<std::uint8_t> done_slots_;
  bool done_ = false;                              // at this edge a slot has entered done_slots_, which takes one
  std::array<std::uint8_t, kMaxSlots> atomics_{};  // slots of atomics that have not written back
  unsigned num_atomics_ = 0;
  unsigned writes_under_way_ = 0;  // bursts
  std::uint64_t logged_ = 0;       // transactions
  Counters counters_;
};

}  // namespace g80

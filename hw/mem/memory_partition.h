// SPDX-License-Identifier: Apache-2.0
// One memory partition: takes transactions from the crossbar in order, splits them into DRAM bursts, performs atomics,
// and replies.
//
// Order: a transaction is performed when its first burst goes to the DRAM controller; that edge is its place in the
//   partition's order. It takes transactions in order of arrival, the controller keeps the order of accesses to one
//   sector, and nothing follows an atomic to its burst before the atomic has written (atomic_unit.h). So every read
//   returns what the transactions before it in this order have left. The log gets one PerformEvent per transaction, in
//   this order and with its time; one that waits for data (read, atomic) is entered, with those behind it, when the
//   data is there.
// Slots: a read or an atomic has a row in each of two memories. `headers` is written when it starts and read for its
//   reply; `data` is written a burst at a time as DRAM sends it and read once, for the reply, the atomic unit, or both.
//   What travels is the slot's number.
// Atomics (the ROP): one at a time, from its start until its result is in the cells. Its burst goes as a read's does;
//   behind the read port the unit takes the word, adds and compares, and selects and writes back.
// Writes and reductions have no reply; every burst of a write is sent, masked or not, and the partition knows
//   its end. So idle_o means: nothing queued or in flight, every store in the cells.
// Path: partition.request_latency registers lie between the port and the choice of the next transaction, and
//   partition.reply_latency between the data and the reply's port, the address register of the memories among them.
//   These parts of the path to memory lie behind the texture L2.
// Rates: a transaction every partition.cycles_per_transaction core cycles, one burst each way per core cycle.
// Sleeps while nothing arrives, no counter counts and the atomic unit has no word; it stays awake while it waits for a
//   place in the queue to DRAM.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/event_log.h"
#include "hw/bundles/reply_to.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/mem/atomic_unit.h"

namespace g80 {

struct MemoryPartitionRegs {
  bool ready = false;  // request_i may send
  bool idle = true;
  bool reply_offered = false;
  std::uint8_t reply_slot = 0;  // whose reply is at the outputs of the memories
  std::uint8_t sent = 0;        // bursts of the front transaction that went to DRAM
  std::uint8_t slot = 0;        // where its data will be collected
  std::uint8_t start_wait = 0;  // edges until the next transaction may start
  std::uint16_t writing = 0;    // bursts on their way to the cells
  G80_FIELDS(ready, idle, reply_offered, reply_slot, (sent, 3), slot, (start_wait, 6), (writing, 10));
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
  static constexpr std::uint8_t kWriteSlot = 0xff, kAtomicSlot = 0xfe;  // of a write, and of an atomic's
  using Row = std::array<std::uint32_t, kMaxTransactionBytes / 4>;
  /// Reads and atomics in flight.
  struct Slots {
    explicit Slots(unsigned count) : awaited(count), headers(count), data(count) {}
    struct Header {
      ReplyHeader reply;
      std::uint8_t place = 0;  // of its data in the row: a transaction may begin inside a burst, a word in a sector
      std::uint8_t bytes = 0;  // of its data
      G80_FIELDS(reply, (place, 6), bytes);
    };
    std::vector<std::uint8_t> awaited;  // bit i: burst i has not come
    std::vector<Header> headers;
    std::vector<Row> data;
    template <class S, class V>
    static void visit(S& s, V& v) {
      v("awaited", s.awaited, 4);
      v.stored("headers", s.headers);
      v.stored("data", s.data);
    }
  };

  void next() override;
  void drive() override;
  void reset() override;
  void take_reply();
  bool run_rop();
  void take_word();
  void write_back();
  void read_row();
  void collect();
  void free(std::uint8_t slot);
  void dispatch();
  bool may_start(const MemRequest& request);
  void start(const MemRequest& request);
  void start_atomic(const MemRequest& request, unsigned place);
  void send_burst(const MemRequest& request);
  void fill_free_slots(FieldEditor& filler);

  const std::uint64_t bytes_;
  const unsigned burst_bytes_, cycles_per_transaction_, num_slots_;
  PartitionLog* const log_;

  DelayedQueue<MemRequest> queue_;
  Stored<Slots> slots_;
  Queue<std::uint8_t> free_slots_;
  Stored<AtomicUnit> rop_{*this, "rop"};
  DelayedQueue<std::uint8_t> done_slots_;
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { fill_free_slots(filler); }};

  Counters counters_;
};

}  // namespace g80

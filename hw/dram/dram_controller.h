// SPDX-License-Identifier: Apache-2.0
// The DRAM controller of one memory partition: bursts in, GDDR3 commands out, data back.
//
// Stages, each one memory clock:
//   arrive   the burst at the head of the queue is taken: bank, row and column are wires of its address; the data of a
//            write go into a row of write_data, and only its number travels on
//   enter    the address is compared with those of the window for older bursts of the sector; a slot is written
//   choose   for each bank and direction the burst that goes first; reads or writes. In front of it, rows are compared
//            with the command that is on the bus
//   command  what the banks want is compared: at most one of PRE, ACT, RD, WR or REF, when every timing rule allows it
//   issued   the header of a burst whose column command went out is read from its slot, and is due for a reply
// A bank's choice is one clock old when it is used, so a bank that was given a command is left out for one clock.
// Column commands are at least two clocks apart (tCCD), so no data are late for it.
// The beats of a write go to the chips from wl clocks after its WR on, those of a read are taken when they come; the
// reply (read data, or the word that a write is done) goes back when the data bus has moved the burst.
//
// Direction: to turn the data bus round costs as much time as ten bursts, and warps wait for reads only. So reads go
// first, and writes wait until there are dram.write_high of them, or no read. Then writes go until dram.write_low are
// left. The window holds dram.window reads and as many writes.
// Order: bursts of the same sector are served in order of arrival, others are not ordered.
// Starvation: once a row's worth of younger column commands (row_bytes / burst_bytes) has gone before the oldest burst,
//   only that burst is served; so a burst waits for at most 2 x window x that number of others.
// Refresh: due at every multiple of tREFI. From then on no new burst is served: open rows are closed as tRAS, tRTP and
//   tWR allow, REF follows, and service resumes after tRFC. An interval that is short compared with a row's use could
//   then begin too late for any burst, time and again. So with such a tREFI a row is opened only if its burst can move
//   before the next refresh is due; check_config_rules leaves just the time that this takes.
// Sleeps while nothing can be legal and no data move: until the next command's edge, the next beat or refresh. It is
//   never late: what a stage holds is used at the next edge, so it stays awake while any stage changed; else the next
//   edge that matters is the first one at which a timer allows a command, which pick_request returns.
#pragma once
#include <systemc>
#include <type_traits>

#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/dram_pins.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/dram/burst_window.h"
#include "hw/dram/fr_fcfs.h"
#include "hw/mem/address_map.h"

namespace g80 {

struct DramPolicyRow;

struct DramControllerRegs {
  DramCommand command;          // on the command bus
  DramBeat dq;                  // on the data pins
  EnteringBurst arrived;        // enters the window
  std::uint8_t open_banks = 0;  // bit b: bank b has a row open
  Cycle refresh_at = 0;         // timer: one more REF is due (tREFI)
  std::uint8_t refreshes = 0;   // that are due
  IssuedColumn issued;          // its header is read
  OldestBurst oldest;           // is followed until it goes
  bool alone = false;           // only the oldest burst is served
  std::uint16_t bypassed = 0;   // column commands that went before the oldest burst
  std::uint8_t waiting = 0;     // bursts in the window
  std::uint8_t writes = 0;      // the writes among them
  bool draining = false;        // writes go, reads wait
  std::uint8_t to_send = 0;     // beats of a write that are still to go
  std::uint8_t to_take = 0;     // and of a read that are still to come
  std::uint8_t written = 0;     // writes whose beats have gone, without a reply yet
  bool sent_last = false;       // the last beat of a write is on the data pins
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("command", s.command);
    v("dq", s.dq);
    v("arrived", s.arrived);
    v("open_banks", s.open_banks);
    v.stored_countdown("refresh_wait", s.refresh_at, kRefreshBits);  // it never stands still
    v("refreshes", s.refreshes, kRefreshesBits);
    v("issued", s.issued);
    v("oldest", s.oldest);
    v("alone", s.alone);
    v("bypassed", s.bypassed);
    v("waiting", s.waiting);
    v("writes", s.writes);
    v("draining", s.draining);
    v("to_send", s.to_send, 5);
    v("to_take", s.to_take, 5);
    v("written", s.written, 7);
    v("sent_last", s.sent_last);
  }
  static constexpr unsigned kRefreshBits = 20, kRefreshesBits = 4;
};

class DramController : public Clocked<DramControllerRegs> {
 public:
  DramController(const sc_core::sc_module_name& name, const Config& config);

  // From and to the memory partition
  CrossingIn<DramRequest> request_i{"request_i"};
  CrossingOut<DramReply> reply_o{"reply_o"};
  // From and to the chips
  Out<DramCommand> command_o{"command_o"};
  Out<DramBeat> dq_o{"dq_o"};
  In<DramBeat> dq_i{"dq_i"};

  struct Counters {
    std::uint64_t reads = 0, writes = 0;  // bursts
    std::uint64_t row_hits = 0;           // bursts whose row was open
    std::uint64_t row_misses = 0;         // bursts that had to open a row in a closed bank
    std::uint64_t row_conflicts = 0;      // bursts that had to close another row first
    std::uint64_t activates = 0, refreshes = 0;
    std::uint64_t precharges = 0;       // a burst's own counts when the burst moves, together with its row conflict
    std::uint64_t turnarounds = 0;      // changes between reading and writing
    std::uint64_t data_bus_cycles = 0;  // DRAM clocks in which the data bus moves data
    G80_FIELDS(reads, writes, row_hits, row_misses, row_conflicts, activates, precharges, refreshes, turnarounds,
               data_bus_cycles);
  };
  const Counters& counters() const { return counters_; }

  bool moves_unmarked(Picoseconds moment, bool with_stored) const override {
    return with_stored || waits_behind(last_edge(moment));
  }

 protected:
  static constexpr unsigned kReplyEntries = 64;  // bursts on their way over the data bus or waiting for the partition
  static constexpr unsigned kDataRows = 2 * kWindowSlots;
  static constexpr unsigned kAllBanks = (1u << kMaxDramBanks) - 1;
  /// A burst whose command has gone.
  struct Header {
    bool write = false;
    std::uint8_t slot = 0, burst = 0;
    Tag tag;
    G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0));
  };
  using BurstData = std::array<std::uint32_t, kMaxBurstBytes / 4>;
  /// The data of the writes that have arrived and not all gone: one write and one read port.
  struct WriteData {
    std::array<std::uint64_t, kDataRows / 64> taken{};  // a bit for each row
    std::array<std::uint64_t, kDataRows> byte_enable{};
    std::array<BurstData, kDataRows> data{};
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("taken", s.taken);
      v.stored("byte_enable", s.byte_enable);
      v.stored("data", s.data);
      if constexpr (std::is_same_v<V, FieldEditor>) {
        for (unsigned row = 0; v.fills() && row < kDataRows; ++row) {
          if ((s.taken[row / 64] >> row % 64 & 1) == 0) v.fill(s.data[row]);
        }
      }
    }
  };
  /// Between the stages `choose` and `command`.
  struct Choices {
    BankChoices reads, writes;
    BankChoices& of(bool write) { return write ? writes : reads; }
    const BankChoices& of(bool write) const { return write ? writes : reads; }
    G80_FIELDS(reads, writes);
  };
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldEditor&) override {  // it may have changed what is chosen
    banks_of_.fill({kAllBanks, kAllBanks, kAllBanks});
    pick_from_ = refresh_armed_ = 0;
  }

  /// A beat of the write whose data go next, and one of the read whose data come next.
  void send_beat();
  void take_beat();
  void send_reply();
  /// The edge at which the next burst begins to move.
  Cycle next_data() const;

  /// Most often a beat moves, or a reply goes, and nothing else happens.
  bool only_data_move() const;
  /// The oldest burst, or what is known of it, changes.
  static bool follows(const DramControllerRegs& regs) {
    return regs.issued.valid || (!regs.oldest.valid && regs.waiting != 0);
  }
  /// The header of the burst whose column command went out.
  void note_header();
  /// All the rest. True if it may go on at the next edge.
  bool decide();
  bool arrive();
  void enter();
  /// What the command on the bus does to the rows that the window's bursts want.
  void compare_rows();
  void choose();
  void choose_in(bool write);
  /// Whether writes go at the next edge.
  bool choose_direction() const;
  /// Some bank's choice is to be made again.
  void renew_choice(bool write, unsigned bank) { banks_of_[write].stale |= 1u << bank; }

  /// Some timer of a command counts at the next edge.
  bool waits_behind(Cycle edge) const;
  DramPick pick_for_refresh() const;
  bool waits_for_bus(DramPick& pick) const;
  DramPick pick_burst() const;
  void issue(const DramPick& pick);
  void issue_column(const DramPick& pick);

  const AddressMap map_;
  const DramTiming timing_;
  const DramPolicyRow& policy_;
  const unsigned num_banks_, window_size_, write_high_, write_low_, bypass_limit_;
  const bool opens_late_;  // rows also when the next refresh comes before their burst can move

  Stored<DramBanks> banks_{*this, "bank"};
  Stored<DramRank> rank_{*this, "rank"};
  Stored<BurstWindow> window_;
  Stored<Choices> choices_{*this, "choices"};
  Stored<WriteData> write_data_{*this, "write_data"};
  Fifo<Header, kReplyEntries> replies_{*this, "replies"};          // in the order of their commands, and of their data
  Stored<DelayLine> reading_, writing_;                            // a bit for each: from RD or WR to its first beat
  Fifo<std::uint8_t, kReplyEntries> to_write_{*this, "to_write"};  // rows of write_data whose WR has gone
  Queue<BurstData> read_{*this, "read", kReplyEntries};            // of reads; that of the last one may not be complete

  // Hardware chooses at each clock; the model only where something has changed, and looks for a command only from the
  // edge on at which a timer may allow one.
  struct BanksOf {         // a direction; bit b: in bank b ...
    unsigned stale = 0;    // the choice is to be made again
    unsigned wanting = 0;  // a burst goes first
    unsigned closed = 0;   // one whose row is not open
  };
  std::array<BanksOf, 2> banks_of_{};
  Cycle pick_from_ = 0;
  Cycle refresh_armed_ = 0;                       // edge for which the refresh wake is set; 0: none is
  bool moved_data_ = false, wrote_last_ = false;  // for the count of turnarounds
  Counters counters_;
};

}  // namespace g80

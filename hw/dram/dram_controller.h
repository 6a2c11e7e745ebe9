// SPDX-License-Identifier: Apache-2.0
// The DRAM controller of one memory partition: bursts in, GDDR3 commands out, data back.
//
// At most one command a clock: PRE, ACT, RD, WR or REF, each when every timing rule allows it. Bursts wait in a window
// of dram.window reads and as many writes, from which pick_request chooses; one burst enters the window per clock. The
// beats of a write go to the chips from wl clocks after its WR on, those of a read are taken when they come; the reply
// (read data, or the word that a write is done) goes back when the data bus has moved the burst.
//
// Direction: to turn the data bus round costs as much time as ten bursts, and warps wait for reads only. So reads go
// first, and writes wait until there are dram.write_high of them, or no read. Then writes go until dram.write_low are
// left.
// Order: bursts of the same sector are served in order of arrival, others are not ordered.
// Starvation: once a row's worth of younger column commands (row_bytes / burst_bytes) has gone before the oldest burst,
//   only that burst is served; so a burst waits for at most 2 x window x that number of others.
// Refresh: due at every multiple of tREFI. From then on no new burst is served: open rows are closed as tRAS, tRTP and
//   tWR allow, REF follows, and service resumes after tRFC. An interval that is short compared with a row's use could
//   then begin too late for any burst, time and again. So with such a tREFI a row is opened only if its burst can move
//   before the next refresh is due; check_config_rules leaves just the time that this takes.
// Sleeps while nothing can be legal and no data move: until the next command's edge, the next beat or refresh.
#pragma once
#include <systemc>

#include "hw/bundles/dram_pins.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/dram/burst_window.h"
#include "hw/dram/fr_fcfs.h"

namespace g80 {

struct DramControllerRegs {
  DramCommand command;          // on the command bus
  DramBeat dq;                  // on the data pins
  std::uint8_t open_banks = 0;  // bit b: bank b has a row open
  std::uint64_t refreshes = 0;  // REF commands since reset; the next is due at (refreshes + 1) tREFI
  std::uint16_t bypassed = 0;   // column commands that went before the oldest burst
  std::uint8_t waiting = 0;     // bursts in the window
  std::uint8_t writes = 0;      // the writes among them
  bool draining = false;        // writes go, reads wait
  std::uint8_t to_send = 0;     // beats of a write that are still to go
  std::uint8_t to_take = 0;     // and of a read that are still to come
  std::uint8_t written = 0;     // writes whose beats have gone, without a reply yet
  bool sent_last = false;       // the last beat of a write is on the data pins
  G80_FIELDS(command, dq, open_banks, refreshes, bypassed, waiting, writes, draining, (to_send, 5), (to_take, 5),
             (written, 7), sent_last);
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

 protected:
  static constexpr unsigned kReplyEntries = 64;  // bursts on their way over the data bus or waiting for the partition
  /// A burst whose command has gone.
  struct Header {
    bool write = false;
    std::uint8_t slot = 0, burst = 0;
    Tag tag;
    G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0));
  };
  struct BurstData {
    std::uint64_t byte_enable = 0;
    std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
    G80_FIELDS(byte_enable, data);
  };
  void next() override;
  void drive() override {
    command_o.write(q_.command);
    dq_o.write(q_.dq);
  }
  void reset() override;

  /// A beat of the write whose data go next, and one of the read whose data come next.
  void send_beat();
  void take_beat();
  void send_reply();
  /// The edge at which the next burst begins to move.
  Cycle next_data() const;
  bool accept_burst();
  Cycle next_refresh() const { return (d_.refreshes + 1) * timing_.t_refi; }
  /// The refresh sequence's next step. Returns the edge at which the one after it may be legal.
  Cycle step_refresh();
  Cycle step_service();
  /// The bursts of the direction that the data bus has now.
  BurstMask choose_direction();
  void issue(DramCommandKind command, unsigned bank, std::uint32_t row);
  void issue_column(unsigned position);

  const AddressMap map_;
  const DramTiming timing_;
  const DramPolicy policy_;
  const unsigned num_banks_, window_size_, write_high_, write_low_, bypass_limit_;
  const bool opens_late_;  // rows also when the next refresh comes before their burst can move

  // Bank timing, window and replies change in next() and only this block reads them: too large to copy every clock.
  DramBanks banks_{};
  DramRank rank_;
  BurstWindow window_;
  Fifo<Header, kReplyEntries> replies_{*this, "replies"};       // in the order of their commands, and of their data
  Stored<DelayLine> reading_, writing_;                         // a bit for each: from RD or WR to its first beat
  Fifo<BurstData, kReplyEntries> to_write_{*this, "to_write"};  // of writes whose last beat has not gone
  Fifo<BurstData, kReplyEntries> read_{*this, "read"};          // of reads whose last beat has come
  Stored<BurstData> taking_{*this, "taking"};                   // of the read whose beats come
  bool moved_data_ = false, wrote_last_ = false;
  Cycle refresh_armed_ = 0;  // edge for which the refresh wake is set
  Counters counters_;
};

}  // namespace g80

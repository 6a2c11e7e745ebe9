// SPDX-License-Identifier: Apache-2.0
// The DRAM controller of one memory partition: bursts in, GDDR3 commands out, data back.
//
// At most one command a clock: PRE, ACT, RD, WR or REF, each when every timing rule allows it. Bursts wait in a window
// of dram.window reads and as many writes, from which pick_request chooses; one burst enters the window per clock. The
// cells are read at RD and written at WR; the reply (read data, or the word that a write is done) goes back when the
// data bus has moved the burst.
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
// Sleeps while nothing can be legal: until the next command's edge, the next reply or the next refresh.
#pragma once
#include <systemc>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/dram/burst_window.h"
#include "hw/dram/dram_storage.h"
#include "hw/dram/fr_fcfs.h"

namespace g80 {

struct DramControllerRegs {
  DramCommand command;          // on the command bus
  std::uint8_t open_banks = 0;  // bit b: bank b has a row open
  std::uint64_t refreshes = 0;  // REF commands since reset; the next is due at (refreshes + 1) tREFI
  std::uint16_t bypassed = 0;   // column commands that went before the oldest burst
  std::uint8_t waiting = 0;     // bursts in the window
  std::uint8_t writes = 0;      // the writes among them
  bool draining = false;        // writes go, reads wait
  G80_FIELDS(command, open_banks, refreshes, bypassed, waiting, writes, draining);
};

class DramController : public Clocked<DramControllerRegs> {
 public:
  DramController(const sc_core::sc_module_name& name, const Config& config, DramStorage& storage);

  // From and to the memory partition
  CrossingIn<DramRequest> request_i{"request_i"};
  CrossingOut<DramReply> reply_o{"reply_o"};
  // To the chips: watched by waves and checkers
  Out<DramCommand> command_o{"command_o"};

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
  void next() override;
  void drive() override { command_o.write(q_.command); }
  void reset() override;

  void send_reply();
  Cycle next_arrival() const;
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
  const unsigned num_banks_, window_size_, write_high_, write_low_, burst_bytes_, bypass_limit_;
  const bool opens_late_;  // rows also when the next refresh comes before their burst can move
  DramStorage& storage_;

  // Bank timing, window and replies change in next() and only this block reads them: too large to copy every clock.
  DramBanks banks_{};
  DramRank rank_;
  BurstWindow window_;
  Fifo<DramReply, kReplyEntries> replies_{*this, "replies"};  // in the order of their commands, and of their data
  Stored<DelayLine> reading_, writing_;                       // a bit for each of them: from RD or WR to its last data
  bool moved_data_ = false, wrote_last_ = false;
  Cycle refresh_armed_ = 0;  // edge for which the refresh wake is set
  Counters counters_;
};

}  // namespace g80

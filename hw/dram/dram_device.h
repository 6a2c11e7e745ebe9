// SPDX-License-Identifier: Apache-2.0
// The GDDR3 chips of one partition. They know what their pins say, and nothing else: commands open and close rows and
// start bursts, data come and go wl and cl clocks later, one beat of 16 bytes a clock.
//
// A command that breaks a timing rule, a REF that does not come in time, a beat that is missing and one that nobody
// asked for end the run (ModelError).
// A command is on the pins in the clock behind its edge in the controller: it is seen here an edge later. The last beat
// of a read leaves so that the controller sees it cl + burst_cycles edges after it gave the command.
#pragma once
#include <systemc>

#include "hw/bundles/dram_pins.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/wire.h"
#include "hw/dram/dram_rules.h"
#include "hw/dram/dram_storage.h"

namespace g80 {

struct DramDeviceRegs {
  DramBeat dq;                // on the data pins
  std::uint8_t to_write = 0;  // beats of a burst that are still to come
  std::uint8_t to_read = 0;   // and to go
  G80_FIELDS(dq, (to_write, 5), (to_read, 5));
};

class DramDevice : public Clocked<DramDeviceRegs> {
 public:
  /// With so many rows in each bank.
  DramDevice(const sc_core::sc_module_name& name, const Config& config, std::uint32_t rows);

  In<DramCommand> command_i{"command_i"};
  In<DramBeat> dq_i{"dq_i"};
  Out<DramBeat> dq_o{"dq_o"};

  DramStorage& cells() { return cells_; }
  bool moves_unmarked(Picoseconds moment, bool with_stored) const override {
    return with_stored || rules_.counts(last_edge(moment));
  }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldEditor&) override { refresh_by_ = 0; }

 private:
  /// Where the beats of a burst go.
  struct Burst {
    std::uint8_t bank = 0;
    std::uint32_t row = 0, column = 0;
    G80_FIELDS((bank, 3), (row, kDramRowBits), (column, 16));
  };
  /// The bursts of one direction: from their command to their last beat.
  struct Bursts {
    Bursts(StoreOwner& block, const char* queue, const char* line, unsigned stages)
        : waiting(block, queue), coming(block, line, stages) {}
    void clear() { waiting.clear(), coming.clear(); }
    Fifo<Burst, 128> waiting;  // cl and wl are at most 255 clocks, and a burst takes at least two
    Stored<DelayLine> coming;  // from the command to the first beat
  };

  void take_command();
  void take_beat();
  void send_beat();
  /// Where a beat of a burst lies.
  static DramCell cell(const Burst& burst, unsigned beat) {
    return {burst.bank, burst.row, burst.column + beat * kDramBeatBytes};
  }

  const unsigned beats_;  // of a burst
  DramStorage cells_;
  Stored<DramRules> rules_;
  Bursts writes_, reads_;
  // That of the rules, behind which it wakes to look whether REF came; 0: to be asked for. The first command moves it,
  // and each REF.
  Cycle refresh_by_ = kNever;
};

}  // namespace g80

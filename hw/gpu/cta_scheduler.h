// SPDX-License-Identifier: Apache-2.0
// Distributes the CTAs of a grid over the SMs and detects the end of the grid.
//
// One decision per core cycle while some SM has room; a CTA leaves for its SM gpu.cta_launch_cycles after the decision.
// The ledger of an SM counts what its CTAs hold from the decision until their CtaDone is seen. A fault ends the grid
// immediately: no CTA is placed, resident CTAs are abandoned, and the machine needs a reset.
//
// An SM is idle if its last word was that nothing is left in it: a CTA's end takes that word back, and the words of an
// SM come in order. So a word that crosses to this clock while a CTA crosses to the SM cannot be taken for the last.
#pragma once
#include <array>
#include <systemc>
#include <vector>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/grid_bundles.h"
#include "hw/bundles/launch_state.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/gpu/cta_placement.h"

namespace g80 {

/// One line of the timeline, in core cycles.
struct CtaRecord {
  std::uint32_t kernel = 0;
  std::uint16_t cta_x = 0, cta_y = 0;
  std::uint16_t sm = 0;
  Cycle decided = 0;  // SM chosen
  Cycle started = 0;  // handed to the SM
  Cycle ended = 0;    // CtaDone seen; 0 while it runs
};
/// What limits the residency of a grid.
struct GridRecord {
  std::uint32_t kernel = 0;
  CtaShare share;
  Occupancy occupancy;                   // blocks per SM and the resource that allows no more
  std::uint32_t most_resident_ctas = 0;  // of one SM, as it came
  Cycle first_decision = 0, last_end = 0;
};

struct CtaSchedulerRegs {
  bool running = false;
  std::uint32_t kernel = 0;
  std::uint64_t total = 0, placed = 0, finished = 0;  // CTAs of the grid
  std::uint32_t candidates = 0;                       // SMs with room
  std::uint32_t idle_sms = ~0u;                       // SMs whose last word was that they are idle
  PlacementTurn turn;
  GridStatus status;
  G80_FIELDS(running, kernel, (total, 32), (placed, 32), (finished, 32), candidates, idle_sms, turn, status);
};

class CtaScheduler : public Clocked<CtaSchedulerRegs> {
 public:
  CtaScheduler(const sc_core::sc_module_name& name, const Config& config);

  // From and to the command processor
  In<GridStart> grid_i{"grid_i"};
  In<LaunchState> launch_i{"launch_i"};
  Out<GridStatus> status_o{"status_o"};
  // To and from the SMs, by SM number
  Ports<CrossingOut<CtaLaunch>> cta_o;
  Ports<CrossingIn<CtaDone>> done_i;
  Ports<CrossingIn<KernelFault>> fault_i;

  struct Counters {
    std::uint64_t grids = 0;
    std::uint64_t ctas_placed = 0;
    std::uint64_t ctas_finished = 0;
    std::uint64_t faults = 0;  // reported, the one that ended the grid and those behind it
    G80_FIELDS(grids, ctas_placed, ctas_finished, faults);
  };
  const Counters& counters() const { return counters_; }
  const std::vector<CtaRecord>& timeline() const { return timeline_; }
  const std::vector<GridRecord>& grids() const { return grids_; }
  const SmLedger& ledger(unsigned sm) const { return ledger_[sm]; }
  /// True while a CTA is in flight to its SM.
  bool sending() const { return !departures_.empty(); }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void start_grid(const GridStart& grid);
  bool collect_faults();
  bool collect_ends();
  void end_cta(unsigned sm, const CtaDone& done);
  void place_cta();
  void send_cta();
  void end_grid(bool complete);

  const Config& config_;
  unsigned num_tpcs_, sms_per_tpc_, num_sms_;
  CtaShare share_;
  std::array<SmLedger, kMaxSms> ledger_{};
  std::array<std::array<std::uint32_t, kMaxCtasPerSm>, kMaxSms> resident_{};  // numbers of timeline records
  DelayedFifo<std::uint32_t, kMaxSms * kMaxCtasPerSm> departures_;            // numbers of timeline records
  std::vector<CtaRecord> timeline_;
  std::vector<GridRecord> grids_;
  Counters counters_;
};

}  // namespace g80

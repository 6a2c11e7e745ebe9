// SPDX-License-Identifier: Apache-2.0
// Distributes the CTAs of a grid over the SMs and detects the end of the grid.
//
// One decision per core cycle while some SM has room; a CTA leaves for its SM gpu.cta_launch_cycles after the decision.
// All CTAs of a grid need the same, so an SM has room while it holds fewer than the grid's ctas_per_sm: they count from
// the decision until their CtaDone is seen. A fault ends the grid immediately: no CTA is placed, resident CTAs are
// abandoned, and the machine needs a reset.
//
// The words of the SMs leave their crossing queues in the TPCs and take kControlWay registers to come here.
//
// An SM is idle if its last word was that nothing is left in it: a CTA's end takes that word back, and the words of an
// SM come in order. So a word that crosses to this clock while a CTA crosses to the SM cannot be taken for the last.
#pragma once
#include <array>
#include <systemc>

#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/grid_bundles.h"
#include "hw/bundles/launch_beat.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delay_registers.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/gpu/cta_placement.h"
#include "hw/gpu/cta_sequence.h"

namespace g80 {

/// A CTA on its way to its SM.
struct CtaDeparture {
  std::uint8_t sm = 0;
  std::uint16_t cta_x = 0, cta_y = 0;
  G80_FIELDS((sm, 5), cta_x, cta_y);
};

/// What has come out of the queues of all SMs at an edge, a bit for each SM: a CTA has ended; or the SM is idle.
struct SmWords {
  bool valid = false;
  std::uint32_t ended = 0, idle = 0;
  G80_FIELDS(valid, ended, idle);
};

struct CtaSchedulerRegs {
  bool running = false;
  std::uint32_t kernel = 0;
  std::uint8_t ctas_per_sm = 0;
  CtaSequence following;                         // the CTA that is placed next
  std::uint16_t unfinished = 0;                  // CTAs that were placed and have not ended
  std::array<std::uint8_t, kMaxSms> resident{};  // CTAs, by SM
  std::uint32_t candidates = 0;                  // SMs with room
  std::uint32_t idle_sms = ~0u;                  // SMs whose last word was that they are idle
  PlacementTurn turn;
  GridStatus status;
  G80_FIELDS(running, kernel, (ctas_per_sm, 4), following, (unfinished, 9), (resident, 4), candidates, idle_sms, turn,
             status);
};

/// CTAs have ended in these SMs, which have room again.
void end_ctas(CtaSchedulerRegs& next, std::uint32_t ended);
/// Gives a CTA to one of the SMs with room, if the policy finds one. `turn`: before this edge.
std::optional<unsigned> place_cta(CtaSchedulerRegs& next, CtaPlacement placement, unsigned num_tpcs,
                                  unsigned sms_per_tpc, const PlacementTurn& turn);

class CtaScheduler : public Clocked<CtaSchedulerRegs> {
 public:
  CtaScheduler(const sc_core::sc_module_name& name, const Config& config);

  // From and to the command processor
  In<GridStart> grid_i{"grid_i"};
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
  /// True while a CTA is in flight to its SM.
  bool sending() const { return !departures_.empty(); }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void start_grid(const GridStart& grid);
  void collect_fault();
  void collect_words();
  void place_following();
  void send_cta();
  void end_grid(bool complete);

  const unsigned num_tpcs_, sms_per_tpc_, num_sms_;
  const CtaPlacement placement_;
  const CtaOrderUnit order_;
  DelayedFifo<CtaDeparture, kMaxSms * kMaxCtasPerSm> departures_;
  DelayRegisters<SmWords> words_{*this, "words", kControlWay};
  DelayRegisters<KernelFault> faults_{*this, "faults", kControlWay};
  Counters counters_;
};

}  // namespace g80

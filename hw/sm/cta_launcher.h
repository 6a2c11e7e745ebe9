// SPDX-License-Identifier: Apache-2.0
// Keeps the launch state of the SM, whose rows come through a queue while no CTA is here, and starts CTAs. A CTA waits
// until the last row of its launch, which has the launch's number, has come. Then it gets a slot; the launch header
// leaves towards shared memory, sm.launch_words words a scheduler cycle as far as the address unit takes them, and one
// warp after the other starts: each as soon as the numbers of its threads have left for the register file,
// sm.launch_lanes lanes a scheduler cycle.
//
// A CTA slot owns a fixed share of warp slots, register rows and shared memory while a kernel runs; the CTA scheduler
// keeps the count of what fits. When all warps of a CTA have ended and have nothing in flight, it reports the
// CTA as done. When no CTA is left, no fetch waits for a line and the last access has been taken out of the queues to
// the core clock, it says that the SM is idle, once, behind the end of the last CTA.
//
// From:  CTA scheduler, scoreboard (drained warps), instruction_cache and address_unit (what they wait for)
// To:    all blocks with per-warp state, register_file, address_unit, shared_memory, caches (kernel number),
//        CTA scheduler
#pragma once
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/retirement_port.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/sm_state.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// A thread's coordinates in its block.
struct ThreadIndex {
  std::uint16_t x = 0, y = 0;
  std::uint8_t z = 0;
  G80_FIELDS((x, 10), (y, 10), (z, 6));
  /// As $r0 holds them at the start: x in bits 15:0, y in 25:16, z in 31:26.
  std::uint32_t packed() const { return x | static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(z) << 26; }
};
/// The sum of two threads' numbers, digit by digit: x carries into y at block_x, y into z at block_y.
ThreadIndex add_threads(const LaunchState& launch, const ThreadIndex& a, const ThreadIndex& b);

struct CtaLauncherRegs {
  WarpStart start;
  Redirect redirect;
  std::uint32_t kernel = 0;
  std::array<CtaSlot, kMaxCtasPerSm> slot{};
  bool launching = false;
  std::uint8_t launching_slot = 0;
  std::uint8_t next_warp = 0;
  SmemStart smem_start;
  SmemFill fill;
  RegisterStart registers;
  ThreadNumbers numbers;
  std::uint8_t next_lane = 0;      // of the warp that starts
  ThreadIndex first_thread;        // ... in its lane 0
  WarpMask ended = 0;              // warps of blocks that are done since the last cycle
  std::uint16_t header_words = 0;  // words of the head of s[] still to write
  bool told_idle = true;           // since the last CTA
  WarpMask fresh[3] = {0, 0, 0};   // started in the last cycles: their drained bit is the previous tenant's
  G80_FIELDS(start, redirect, kernel, slot, launching, (launching_slot, 3), (next_warp, 5), smem_start, fill, registers,
             numbers, (next_lane, 5), first_thread, ended, header_words, told_idle, fresh);
};

class CtaLauncher : public Clocked<CtaLauncherRegs> {
 public:
  CtaLauncher(const sc_core::sc_module_name& name, const Config& config);

  CrossingIn<LaunchBeat> row_i{"row_i"};  // of the launch state
  CrossingIn<CtaLaunch> cta_i{"cta_i"};
  CrossingOut<CtaDone> cta_done_o{"cta_done_o"};
  In<WarpMask> drained_i{"drained_i"};
  In<bool> fetch_waits_i{"fetch_waits_i"};
  In<bool> accesses_busy_i{"accesses_busy_i"};
  Out<LaunchState> launch_o{"launch_o"};
  Out<WarpStart> start_o{"start_o"};
  Out<Redirect> redirect_o{"redirect_o"};
  Out<std::uint32_t> kernel_o{"kernel_o"};
  Out<WarpMask> ended_o{"ended_o"};
  Out<SmemStart> smem_start_o{"smem_start_o"};
  Out<SmemFill> fill_o{"fill_o"};
  In<bool> fill_ready_i{"fill_ready_i"};
  Out<RegisterStart> registers_o{"registers_o"};
  Out<ThreadNumbers> numbers_o{"numbers_o"};
  In<bool> numbers_room_i{"numbers_room_i"};

  struct Counters {
    std::uint64_t blocks = 0;  // that have ended on this SM
    G80_FIELDS(blocks);
  };
  const Counters& counters() const { return counters_; }
  bool idle() const;
  void report_to(RetirementPort* port) { reports_ = port; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldVisitor& visitor) const override {
    visitor.stored("param", param_);
    visitor.stored("step", step_);
  }
  void visit_members(FieldEditor& editor) override {
    editor.stored("param", param_);
    editor.stored("step", step_);
    launch_shown_ = false;  // it may have changed it
  }
  void take_row();
  void step();
  std::uint32_t header_word(const CtaSlot& slot, unsigned word) const;
  void find_steps();
  void begin(const CtaLaunch& cta);
  void write_header();
  void prepare_warp();
  void start_warp(unsigned warp, unsigned in_cta, LaneMask lanes);
  void retire_ctas();
  void send_idle();
  void observe();  // tells the retirement port which warp has started

  const unsigned max_warps_, max_ctas_, shared_granule_, words_per_cycle_, lanes_per_cycle_;
  Stored<LaunchState> launch_{*this, "launch"};
  bool launch_shown_ = false;                          // on the wire as it stands
  std::array<std::uint32_t, kMaxUserParams> param_{};  // a memory: no reset clears it
  Unwritten unwritten_{*this, [this](FieldEditor& filler) { filler.fill(param_); }};
  /// Numbers 1, 2, 4, 8, 16 and 32 as coordinates in a block of this grid.
  std::array<ThreadIndex, 6> step_{};
  Counters counters_;
  RetirementPort* reports_ = nullptr;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Watches a running grid for hangs and explains them: which warp waits for what, since when, and why it waits forever.
//
// Deadlock: no SM has issued for gpu.hang_cycles shader cycles, and nothing is in flight down to the DRAM, for longer
// than any step from one block to the next takes; or work is in flight, but nothing has moved for four times as long:
// it is lost or stuck. As long as anything moves, it is not a hang.
// Livelock: a block whose warps have nothing in flight comes back to the same architectural state (pc, masks, stacks,
// registers and flags that decide anything, shared memory and its locks), and so do the blocks that hold locks it may
// wait for, having executed something but not accessed device memory or read the clock in between: it will repeat
// forever. Or all warps do what they do again and again, with nothing changed that they read (spinning_warps.h).
// Which registers decide: tb/golden/deciding_registers.h.
// Without either proof a long run is only "cycle limit reached".
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/gpu/gpu.h"
#include "tb/check/hang_report.h"
#include "tb/check/machine_activity.h"
#include "tb/check/spinning_warps.h"
#include "tb/scenario/warp_places.h"
#include "toolchain/cubin/module.h"

namespace g80 {

class Watchdog {
 public:
  explicit Watchdog(Gpu& gpu);

  /// A grid starts: resets the state. `kernel`, whose code is at pc `start`, gives source lines for messages.
  void begin(const Kernel* kernel = nullptr, std::uint32_t start = 0);
  /// Looks for a deadlock. Cheap; called every few thousand cycles.
  HangReport poll();
  /// True once the grid has run so long without finishing a block that it is worth looking at every cycle.
  bool suspicious() const;
  /// Notes what has happened. For a close look, which lasts longer than a poll may be late.
  bool note_progress();
  /// Looks for a repeated state; called after every scheduler cycle while suspicious, for a while.
  HangReport look_for_livelock();
  /// A warp that spins has most probably had enough turns to come back to a state, however slow memory is.
  bool has_looked_enough() const;
  /// No repeated state found: wait longer before the next close check.
  void relax();
  /// True if no block has ended for so long that the user should hear of it.
  bool is_long() const { return now() - last_block_edge_ > Cycle{kLong} * config_.gpu.hang_cycles; }

  /// Shader cycles without progress until work in flight counts as stuck.
  Cycle stuck_cycles() const { return stuck_cycles_; }
  /// What resident warps wait for, and which of their lanes wait for others: one line each.
  std::string describe_warps() const;
  /// Where resident warps are; those of one block of an SM, if it is given.
  WarpPlaces places(const SmPins* only = nullptr, unsigned only_slot = 0) const;

 private:
  static constexpr unsigned kInFlightPatience = 4;
  static constexpr unsigned kLong = 16;                // on a stock chip some minutes of simulation
  static constexpr Cycle kLongestFirstLook = 500'000;  // that a close look lasts at least, if hang_cycles is no less
  static constexpr unsigned kPartLooked = 32;          // of the time since a block has ended: a turn may be long
  static constexpr unsigned kLookedAt = 64;            // instructions of each warp: several turns of a loop
  static constexpr unsigned kMostNames = 8;            // of blocks and queues that hold what is in flight
  static bool executes(const SmState& sm, const CtaSlot& slot);
  /// Shader cycles that have passed, whether the domain ran or slept.
  Cycle now() const { return shader_.last_edge(); }
  std::uint64_t issued() const;
  std::uint64_t blocks_ended() const;
  void note_changes();
  bool anything_runs() const;
  std::string line_of(std::uint32_t pc) const;  // " (k.cu:12)", or nothing
  WarpPlaces empty_places() const { return {kernel_, static_cast<isa::Arch>(config_.device.compute_minor)}; }
  WarpPlaces::Warp place_of(const SmPins& sm, const SmState& state, const CtaSlot& slot, unsigned w) const;
  /// What is said of blocks: "barrier 0 of", the blocks, the lines that hold for each of them.
  struct Told {
    std::string head;
    std::vector<std::string> blocks;
    std::string what;
  };
  /// Adds the block to those of which the same is said.
  static void tell(std::vector<Told>& list, Told told);
  static std::string told_text(const std::vector<Told>& list);
  static std::string block_text(const SmPins& sm, const CtaSlot& slot);
  void explain_barriers(const SmPins& sm, const SmState& sm_state, unsigned slot_index, std::vector<Told>& list) const;
  HangReport spin_report() const;
  static bool block_at_rest(const SmState& sm, const CtaSlot& slot);
  /// Hashes of what decides how the warp or block goes on, without registers. `sm` is the number of the SM.
  std::uint64_t warp_place(std::size_t sm, const SmState& sm_state, unsigned w) const;
  std::uint64_t block_place(std::size_t sm, const SmState& sm_state, const CtaSlot& slot) const;
  /// With the registers that decide.
  std::uint64_t warp_state(std::size_t sm, const SmState& sm_state, unsigned w, const RestingWarp& place) const;

  const Config& config_;
  const Kernel* kernel_ = nullptr;
  std::uint32_t start_ = 0;
  std::vector<SmPins*> sms_;
  std::vector<std::unique_ptr<WarpEffects>> effects_;  // of each SM, while they are looked at closely
  const Domain& shader_;
  const MachineActivity activity_;
  const Cycle stuck_cycles_;  // without progress until work in flight counts as stuck
  const Cycle rest_cycles_;   // without work in flight until the machine counts as at rest
  Cycle last_issue_edge_ = 0;
  std::uint64_t last_issued_ = 0;
  Cycle last_move_edge_ = 0;
  std::uint64_t last_moves_ = 0;
  std::optional<Cycle> rest_since_;  // the first of the polls in a row that found nothing in flight
  Cycle last_change_edge_ = 0;       // of memory
  std::uint64_t last_changes_ = 0;
  SpinningWarps spinning_;
  Cycle last_block_edge_ = 0;
  std::uint64_t last_blocks_ = 0;
  Cycle patience_ = 0;               // cycles without a finished block before a close look
  Cycle look_edge_ = 0;              // the first of the close look
  std::uint64_t issued_before_ = 0;  // that
  struct Seen {
    Cycle edge;
    std::uint64_t memory;  // memory instructions of the SM when it was seen
    std::uint64_t locks;   // that warps of the SM had got by then
    std::uint64_t clock_reads;
  };
  std::unordered_map<std::uint64_t, Seen> states_;
  struct Stay {
    bool executed = false;  // an instruction of the block was in flight since it rested
    unsigned looks = 0;     // until the registers are those of the places
    std::uint64_t place = 0;
    WarpMask live = 0, warps = 0;  // of the block; also those of blocks that hold locks
    std::array<RestingWarp, kMaxWarps> warp{};
    Seen seen{};
  };
  /// The block rests: notes where.
  void note_rest(std::size_t sm, const SmState& sm_state, const CtaSlot& slot, Stay& stay) const;
  HangReport compare(std::size_t sm, const SmState& sm_state, unsigned slot, const Stay& stay);
  std::vector<std::array<Stay, kMaxCtasPerSm>> stays_;  // where each block rested last, by SM and slot
};

}  // namespace g80

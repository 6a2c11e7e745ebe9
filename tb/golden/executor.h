// SPDX-License-Identifier: Apache-2.0
// The reference executor: one warp instruction per step, no time.
//
// Stand-alone runs and lock-step use the same step: everything that depends on the order of warps (memory, clock)
// comes through the port and the special values. A step either executes completely or leaves the warp unchanged
// (kNotReady, kWaiting, kFault).
#pragma once
#include <cstdint>

#include "tb/golden/block_state.h"
#include "tb/golden/fault.h"
#include "tb/golden/launch.h"
#include "tb/golden/memory_access.h"
#include "tb/golden/program.h"
#include "tb/golden/semantics.h"

namespace g80::golden {

/// Flag values that vote and ld lock write: as set does for true and false, so that (lg $c) means true.
inline constexpr std::uint8_t kFlagsTrue = 0x2, kFlagsFalse = 0x1;

enum class StepStatus : std::uint8_t {
  kStepped,
  kNotReady,  // the port has no value yet
  kWaiting,   // at a barrier that has not opened
  kFinished,  // the warp had already finished
  kFault,     // see Executor::fault()
};

/// The effects of one step, without copies of values: read results from the warp's state (registers first_register ..
/// first_register + num_registers - 1, $c, $a) in `lanes`, the access from `access`, both valid until the next step.
struct StepRecord {
  const DecodedInstruction* decoded = nullptr;
  std::uint64_t sequence = 0;  // of the warp, from 0
  std::uint32_t pc = 0, next_pc = 0;
  LaneMask active = 0;  // before the step
  LaneMask lanes = 0;   // active lanes in which the guard held
  LaneMask next_active = 0;
  std::uint8_t first_register = 0, num_registers = 0;
  std::int8_t flags_written = -1;        // $c number
  std::int8_t address_written = -1;      // $a number
  LaneMask written_lanes = 0;            // lanes in which registers, flags and $a may have changed
  const MemoryAccess* access = nullptr;  // g[], s[] or l[] access of a memory instruction
  std::uint32_t stack_depth = 0;         // after the step
  bool finished = false, waiting = false;
};

/// Registers whose values only the caller knows.
struct SpecialValues {
  std::uint32_t clock = 0;
  std::uint32_t physid = 0;  // of lane 0; the lane number is added
  std::uint32_t pm[4] = {};
};

class Executor {
 public:
  Executor(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  StepStatus step(BlockState& block, WarpState& warp, MemoryPort& port, StepRecord* record = nullptr);

  SpecialValues special;  // read by mov from $physid, $clock, $pm

  const Fault& fault() const { return fault_; }
  /// Operands of the last step, if it was an arithmetic one with lanes to execute in.
  const AluInput& operands() const { return in_; }

 private:
  struct Step;  // one step in progress

  void fetch(Step& s);
  void fetch_operand(Step& s, unsigned slot);
  void fetch_shared(Step& s, const isa::Operand& operand, LaneWords& out);
  void fetch_const(Step& s, const isa::Operand& operand, LaneWords& out);
  std::uint32_t special_value(unsigned index, unsigned lane) const;
  void memory_addresses(const Step& s, const isa::Operand& operand, LaneWords& out) const;
  std::uint32_t const_element(unsigned bank, std::uint32_t address, unsigned bytes) const;
  void write_registers(Step& s, const LaneWords* const* values, unsigned count);
  void write_half(Step& s, const LaneWords& value);
  void write_address(Step& s, const LaneWords& value);
  void write_flags(Step& s, const LaneFlags& flags);
  void post_increment(Step& s);

  void alu(Step& s);
  void vote(Step& s);

  void memory(Step& s);
  void load_const(Step& s);
  void shared_access(Step& s);
  void local_access(Step& s);
  void global_access(Step& s);
  bool aligned_and_inside(Step& s, std::uint32_t size, bool is_write);
  void gather_store_data(Step& s, unsigned slot);
  void deliver_load(Step& s);
  void perform_shared(Step& s);
  void perform_local(Step& s);
  void lock_shared(Step& s);

  void texture(Step& s);
  bool read_taps(Step& s, unsigned lane, const TextureHeader& header, const Components& border, const Taps& taps,
                 Components& result);

  void control(Step& s);
  void branch(Step& s);
  void push(Step& s, EntryType type, std::uint32_t pc, LaneMask mask);
  void leave(Step& s, LaneMask lanes);
  void unwind(Step& s);
  void join(Step& s);
  void barrier(Step& s);
  void finish(Step& s);
  std::uint32_t expected_warps(const BlockState& block) const;
  void open_barriers(BlockState& block);
  void note_defect(Step& s, Defect defect);

  void raise(Step& s, FaultKind kind);
  void raise_access(Step& s, FaultKind kind, Space space, unsigned lane, std::uint32_t address, unsigned bytes,
                    bool is_write);

  const Program& program_;
  const Launch& launch_;
  Fault fault_;
  AluInput in_;
  AluOutput out_;
  MemoryAccess access_;
  StepRecord scratch_;  // used if the caller passes none
};

}  // namespace g80::golden

// SPDX-License-Identifier: Apache-2.0
// Bundles between operand collector, execution units and writeback.
//
// Operands and results of a warp travel eight lanes a shader cycle: a port to or from an execution unit moves sixteen
// lanes a scheduler cycle, and a unit that takes fewer lanes uses the first of them.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/sm_bundles.h"

namespace g80 {

inline constexpr unsigned kMaxCollectorUnits = 16;
inline constexpr unsigned kPortLanes = 2 * kNumSpLanes;
using PortWords = std::array<std::uint32_t, kPortLanes>;
using PortFlags = std::array<std::uint8_t, kPortLanes>;

/// An instruction enters an execution unit. Its operands follow on the unit's operand port.
struct Dispatch {
  bool valid = false;
  std::uint8_t warp = 0;
  bool vote = false;  // result of a vote over the active lanes
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  LaneMask granted = 0;  // lanes whose word of s[] was locked for them: input of ld lock
  G80_FIELDS(valid, (warp, 5), vote, lanes, granted, (uid, tag.bits, 0), (insn, fetched, 0));
};

/// Operands of the lanes that enter the SPs, or the SFUs' multipliers, in the next two shader cycles.
struct SpLanes {
  PortWords a{}, b{}, c{};
  PortFlags flags{};
  G80_FIELDS(a, b, c, (flags, 4));
};
struct SfuLanes {
  PortWords a{};
  G80_FIELDS(a);
};
struct DpLanes {
  PortWords a{}, a_high{}, b{}, b_high{}, c{}, c_high{};
  G80_FIELDS(a, a_high, b, b_high, c, c_high);
};

/// A memory instruction, or the fetch of an s[] or c[] operand, enters the address unit.
struct AddressDispatch {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t unit = 0;  // collector unit that waits for the answer
  bool constant = false;  // the c[] operand is wanted
  bool operands = false;  // the lanes have operands of their own; otherwise the address is in the instruction
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  G80_FIELDS(valid, (warp, 5), (unit, 4), constant, operands, lanes, (uid, tag.bits, 0), (insn, fetched, 0));
};

/// Operands of a half-warp that enter the address unit in the next two shader cycles: of the first half-warp that has
/// lanes with the dispatch, of the second one a scheduler cycle later.
struct AddressLanes {
  PortWords base{};     // the register that is the address in g[]
  PortWords addr{};     // the instruction's $a
  PortWords data[4]{};  // store data, atomic operands b (0,1) and c (2,3), texture coordinates
  G80_FIELDS(base, (addr, 16), data);
};
static_assert(kPortLanes == kHalfWarp, "a port moves a half-warp a scheduler cycle");

/// The execution units, each with a result wire.
enum class ExecUnit : std::uint8_t { kSp, kSfu, kMultiply, kDp };
inline constexpr unsigned kExecUnits = 4;
constexpr unsigned unit_number(ExecUnit unit) { return static_cast<unsigned>(unit); }
inline const EnumText& enum_text(ExecUnit) {
  static const char* const names[] = {"SP", "SFU", "MULTIPLY", "DP"};
  static const EnumText text{"ExecUnit", names, kExecUnits};
  return text;
}

inline constexpr unsigned kMaxWaitingResults = 16;  // of SFUs and fp64 unit: sent by the collector, without a slot

/// The last lanes of an instruction will be on the unit's result wire kResultAheadCycles from now. Writeback chooses
/// the cycle in which the register banks are written before the result is there.
struct ResultAhead {
  bool valid = false;
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  LaneMask loaded = 0;  // lanes whose destination register is written: of ld lock those that got the lock, else all
  G80_FIELDS(valid, (warp, 5), (uid, tag.bits, 0), (insn, fetched, 0), lanes, loaded);
};

/// The lanes of an instruction that left a unit in two shader cycles.
struct ExecResult {
  bool valid = false;
  bool last = false;       // the instruction's last lanes
  std::uint8_t first = 0;  // lane of the first words
  Tag tag;
  PortWords low{}, high{};
  PortFlags flags{};
  G80_FIELDS(valid, last, (first, 5), (uid, tag.bits, 0), low, high, (flags, 4));
};

}  // namespace g80

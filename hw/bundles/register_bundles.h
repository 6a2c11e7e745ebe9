// SPDX-License-Identifier: Apache-2.0
// What goes into the register file and comes out of it: reads for operand_collector and writes by writeback through
// kWritePorts ports, and the launcher's start of a new warp.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/exec_bundles.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

/// Which bank holds a register of a warp: neighbours lie in different banks, and warps are skewed against each other.
constexpr unsigned register_bank(unsigned warp, unsigned reg, unsigned num_banks) { return (reg + warp) % num_banks; }

// Words of an instruction's operands: three sources, and behind them the second words of 64-bit ones. A memory
// instruction has its address in the first, and data from the next one on; a texture its coordinates.
inline constexpr unsigned kHighWords = 3;
inline constexpr unsigned kDataWords = 1;
inline constexpr unsigned kMostDataWords = 4;
inline constexpr unsigned kOperandWords = 6;

/// One $r, all lanes, for a word of the operands in a collector unit. Whether the port brings one in a cycle is said by
/// the wire of read banks.
struct RegisterRead {
  std::uint8_t unit = 0;
  std::uint8_t to = 0;    // word of the operands
  std::int8_t half = -1;  // of the register, if the operand has 16 bits
  LaneWords value{};
  G80_FIELDS((unit, 4), (to, 3), (half, 2), value);
};

/// The $c and the $a of the instruction that was issued a scheduler cycle ago: no instruction reads two of either. An
/// instruction without $a leaves the last one there.
struct SideRead {
  LaneFlags flags{};
  LaneWords addr{};
  G80_FIELDS((flags, 4), (addr, 16));
};

/// The unit from which the last lanes of a write come: they leave it in the cycle of the write, so that the port does
/// not have them yet, and the register file takes them from the unit's result wire.
struct LateLanes {
  enum class Word : std::uint8_t { kLow, kHigh };  // of the result
  bool valid = false;
  ExecUnit unit = ExecUnit::kSp;
  Word word = Word::kLow;
  G80_FIELDS(valid, (unit, 2), (word, 1));
};
inline const EnumText& enum_text(LateLanes::Word) {
  static const char* const names[] = {"LOW", "HIGH"};
  static const EnumText text{"ResultWord", names, 2};
  return text;
}

/// The ports through which $r are written: results of the SPs, both words of a result that waited, registers of loads.
enum class WritePort : std::uint8_t { kSp, kWaited, kWaitedHigh, kLoad };
inline constexpr unsigned kWritePorts = 4;
inline const EnumText& enum_text(WritePort) {
  static const char* const names[] = {"SP", "WAITED", "WAITED_HIGH", "LOAD"};
  static const EnumText text{"WritePort", names, kWritePorts};
  return text;
}

/// Lanes of one $r. Whether the port writes in a cycle is said by the wire of written ports.
struct RegisterWrite {
  std::uint8_t bank = 0;
  std::uint8_t warp = 0;
  std::uint8_t reg = 0;
  bool low = false, high = false;  // the 16-bit halves that are written, from the low half of the words if it is one
  LaneMask lanes = 0;
  LaneWords value{};
  LateLanes late;
  G80_FIELDS((bank, 5), (warp, 5), (reg, 7), low, high, lanes, value, late);
};

/// Lanes of one $c and of one $a. Filled from port 0.
struct FlagWrite {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t index = 0;
  LaneMask lanes = 0;
  LaneFlags value{};
  LateLanes late;
  G80_FIELDS(valid, (warp, 5), (index, 2), lanes, value, late);
};
struct AddrWrite {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t index = 0;
  LaneMask lanes = 0;
  LaneWords value{};
  LateLanes late;
  G80_FIELDS(valid, (warp, 5), (index, 3), lanes, value, late);
};
inline constexpr unsigned kFlagWrites = 2;  // an SP result and one that waited

/// A half-warp's $a after the access that incremented it, from the address unit.
struct AddrIncrement {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t index = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::array<std::uint16_t, kHalfWarp> value{};
  G80_FIELDS(valid, (warp, 5), (index, 3), (half, 1), lanes, value);
};

/// A new warp's rows: they hold what sm.init says, as each has a bit that says whether it was written.
struct RegisterStart {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t registers = 0;  // per thread
  std::uint16_t base_row = 0;
  G80_FIELDS(valid, (warp, 5), registers, (base_row, 10));
};

/// Numbers of threads for $r0 of a new warp, as many lanes as the launcher sends in a cycle.
struct ThreadNumbers {
  bool valid = false;
  std::uint8_t warp = 0;
  LaneMask lanes = 0;
  LaneWords value{};
  G80_FIELDS(valid, (warp, 5), lanes, value);
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Entries of the control stacks, and how they travel between the reconvergence stack and memory.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/launch_state.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

enum class StackEntryType : std::uint8_t {
  kBranch = 1,
  kCall = 2,
  kCallLimited = 3,
  kBreak = 4,
  kQuadon = 5,
  kJoinat = 6
};
inline const EnumText& enum_text(StackEntryType) {
  static const char* const names[] = {"NONE", "BRANCH", "CALL", "CALL_LIMITED", "BREAK", "QUADON", "JOINAT"};
  static const EnumText text{"StackEntryType", names, 7};
  return text;
}

/// What lanes wait for. 64 bits in memory: the lanes, then type (bits 31:24) and pc (23:0).
struct StackEntry {
  std::uint32_t pc = 0;
  StackEntryType type = StackEntryType::kBranch;
  LaneMask mask = 0;
  G80_FIELDS((pc, 24), (type, 3), mask);
};
inline constexpr std::uint32_t kStackEntryBytes = 8;

inline std::array<std::uint32_t, 2> stack_words(const StackEntry& entry) {
  return {entry.mask, static_cast<std::uint32_t>(entry.type) << 24 | (entry.pc & 0xffffffu)};
}
inline StackEntry stack_entry(std::uint32_t low, std::uint32_t high) {
  return {high & 0xffffffu, static_cast<StackEntryType>(high >> 24 & 7), low};
}

/// Virtual address of an entry that does not fit on chip; `number` counts from the oldest of the warp's stack, `warp`
/// all warp slots of the chip.
inline std::uint32_t stack_address(const LaunchState& launch, std::uint32_t warp, std::uint32_t number) {
  return launch.stack_base + (warp * launch.stack_depth + number) * kStackEntryBytes;
}

/// An entry that goes to memory, or that a warp needs back.
struct StackAccess {
  bool valid = false;
  bool write = false;
  std::uint8_t warp = 0;
  std::uint16_t number = 0;  // from the oldest
  StackEntry entry;          // of a write
  std::uint32_t pc = 0;      // of the control instruction
  Tag tag;
  G80_FIELDS(valid, write, (warp, 5), (number, 12), entry, (pc, 24), (uid, tag.bits, 0));
};

/// Handle of an access in the memory system: the warp, and the entry's place among those of its sector. What comes back
/// is that sector, or 128 bytes that begin with the entry, if the coalescer takes it for a coalesced half-warp.
inline constexpr unsigned kStackEntriesInSector = kSectorBytes / kStackEntryBytes;
inline std::uint8_t stack_id(const StackAccess& access) {
  return static_cast<std::uint8_t>(access.warp + kMaxWarps * (access.number % kStackEntriesInSector));
}
inline std::uint8_t stack_id_warp(std::uint8_t id) { return static_cast<std::uint8_t>(id % kMaxWarps); }
inline unsigned stack_id_place(std::uint8_t id) { return id / kMaxWarps % kStackEntriesInSector; }

/// An entry has come back from memory.
struct StackFill {
  bool valid = false;
  std::uint8_t warp = 0;
  StackEntry entry;
  G80_FIELDS(valid, (warp, 5), entry);
};

}  // namespace g80

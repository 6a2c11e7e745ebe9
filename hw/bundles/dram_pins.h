// SPDX-License-Identifier: Apache-2.0
// The pins between a DRAM controller and its chips: one command and one beat of data in each DRAM clock.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kDramRowBits = 22;    // 2 GiB in one partition with one bank and rows of 512 bytes
inline constexpr unsigned kDramBeatBytes = 16;  // 64 pins, both edges of a clock

enum class DramCommandKind : std::uint8_t { kNone, kActivate, kPrecharge, kRead, kWrite, kRefresh };
inline const EnumText& enum_text(DramCommandKind) {
  static const char* const names[] = {"-", "ACT", "PRE", "RD", "WR", "REF", "RESERVED6", "RESERVED7"};
  static const EnumText text{"DramCommandKind", names, 8};
  return text;
}

/// The command and address pins.
struct DramCommand {
  DramCommandKind kind = DramCommandKind::kNone;
  std::uint8_t bank = 0;
  std::uint32_t address = 0;  // ACT: the row; RD, WR: the column, as a byte inside the row
  Tag tag;                    // for waves alone: who wanted the burst it is for; none for refresh
  G80_FIELDS((kind, 3), (bank, 3), (address, kDramRowBits), (uid, tag.bits, 0));
};

/// The data pins in one direction: who drives them also drives the strobe.
struct DramBeat {
  bool valid = false;        // the strobe
  std::uint16_t enable = 0;  // of a write: bit i lets byte i be written (the data mask pins)
  std::array<std::uint32_t, kDramBeatBytes / 4> data{};
  G80_FIELDS(valid, enable, data);
};

}  // namespace g80

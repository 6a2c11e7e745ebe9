// SPDX-License-Identifier: Apache-2.0
// Bundles between a partition and its DRAM controller, and the command bus of the chips.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

inline constexpr unsigned kMaxBurstBytes = 64;
inline constexpr unsigned kDramRowBits = 22;  // 2 GiB in one partition with one bank and rows of 512 bytes

enum class DramCommandKind : std::uint8_t { kNone, kActivate, kPrecharge, kRead, kWrite, kRefresh };
inline const EnumText& enum_text(DramCommandKind) {
  static const char* const names[] = {"-", "ACT", "PRE", "RD", "WR", "REF"};
  static const EnumText text{"DramCommandKind", names, 6};
  return text;
}

/// The command bus in one DRAM clock.
struct DramCommand {
  DramCommandKind kind = DramCommandKind::kNone;
  std::uint8_t bank = 0;
  std::uint32_t row = 0;     // ACT
  std::uint32_t column = 0;  // RD, WR: byte inside the row
  Tag tag;                   // who wanted the burst it is for; none for refresh
  G80_FIELDS((kind, 3), (bank, 3), (row, kDramRowBits), (column, 16), (uid, tag.bits, 0));
};

/// One burst that the partition requests. Bursts of the same sector are executed in the order they were sent.
struct DramRequest {
  bool write = false;
  std::uint8_t slot = 0;   // the partition's transaction
  std::uint8_t burst = 0;  // which burst of it
  Tag tag;
  std::uint32_t local = 0;  // in-partition byte address, aligned to the burst
  std::uint64_t byte_enable = 0;
  std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
  G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0), local, byte_enable, data);
};

/// A burst's data, or the acknowledgement that a write is in the cells.
struct DramReply {
  bool write = false;
  std::uint8_t slot = 0;
  std::uint8_t burst = 0;
  Tag tag;
  std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
  G80_FIELDS(write, slot, (burst, 2), (uid, tag.bits, 0), data);
};

}  // namespace g80

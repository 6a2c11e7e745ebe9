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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("kind", s.kind, 3);
    v("bank", s.bank, 3);
    v("row", s.row, kDramRowBits);
    v("column", s.column, 16);
    v("uid", s.tag.bits);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("write", s.write);
    v("slot", s.slot);
    v("burst", s.burst, 2);
    v("uid", s.tag.bits);
    v("local", s.local);
    v("byte_enable", s.byte_enable);
    v("data", s.data);
  }
};

/// A burst's data, or the acknowledgement that a write is in the cells.
struct DramReply {
  bool write = false;
  std::uint8_t slot = 0;
  std::uint8_t burst = 0;
  Tag tag;
  std::array<std::uint32_t, kMaxBurstBytes / 4> data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("write", s.write);
    v("slot", s.slot);
    v("burst", s.burst, 2);
    v("uid", s.tag.bits);
    v("data", s.data);
  }
};

}  // namespace g80

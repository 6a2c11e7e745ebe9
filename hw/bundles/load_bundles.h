// SPDX-License-Identifier: Apache-2.0
// Bundles between address unit, load table and writeback.
#pragma once
#include "hw/bundles/exec_bundles.h"

namespace g80 {

/// A load, atomic or texture access leaves: the lanes that will get a reply.
struct LoadOpen {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  G80_FIELDS(valid, (id, 6), (warp, 5), lanes, (uid, tag.bits, 0), (insn, fetched, 0));
};
/// A half-warp of it, with its first request: the byte offset of each lane in its sector.
struct LoadLanes {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t half = 0;
  std::array<std::uint8_t, kHalfWarp> offset{};  // low 7 address bits
  G80_FIELDS(valid, (id, 6), (half, 1), (offset, 7));
};
struct LoadFreed {
  bool valid = false;
  std::uint8_t id = 0;
  G80_FIELDS(valid, (id, 6));
};

inline constexpr unsigned kLoadRows = 2;  // registers of loads that writeback has room for

/// Half a register of a finished load for writeback: lanes 0 to 15, then 16 to 31, of one register after the other. A
/// load that writes none is one register nobody writes.
struct LoadResult {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  std::uint8_t word = 0;  // which of the load's registers
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  bool last = false;  // the last half of the last register
  PortWords data{};
  G80_FIELDS(valid, (id, 6), (warp, 5), (uid, tag.bits, 0), (insn, fetched, 0), (word, 2), (half, 1), lanes, last,
             data);
};

/// A store or reduction has left the SM in order: the instruction is finished.
struct StoreDone {
  bool valid = false;
  std::uint8_t warp = 0;
  IssuedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  G80_FIELDS(valid, (warp, 5), (uid, tag.bits, 0), (insn, fetched, 0), lanes);
};

}  // namespace g80

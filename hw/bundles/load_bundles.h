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
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
    v("warp", s.warp, 5);
    v("lanes", s.lanes);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
  }
};
/// A half-warp of it, with its first request: the byte offset of each lane in its sector.
struct LoadLanes {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t half = 0;
  std::array<std::uint8_t, kHalfWarp> offset{};  // low 7 address bits
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
    v("half", s.half, 1);
    v("offset", s.offset, 7);
  }
};
struct LoadFreed {
  bool valid = false;
  std::uint8_t id = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
  }
};

inline constexpr unsigned kLoadRows = 2;  // registers of loads that writeback has room for

/// Half a register of a finished load for writeback: lanes 0 to 15, then 16 to 31, of one register after the other. A
/// load that writes none is one register nobody writes.
struct LoadResult {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t warp = 0;
  FetchedInstruction fetched;
  Tag tag;
  std::uint8_t word = 0;  // which of the load's registers
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  bool last = false;  // the last half of the last register
  PortWords data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
    v("warp", s.warp, 5);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
    v("word", s.word, 2);
    v("half", s.half, 1);
    v("lanes", s.lanes);
    v("last", s.last);
    v("data", s.data);
  }
};

/// A store or reduction has left the SM in order: the instruction is finished.
struct StoreDone {
  bool valid = false;
  std::uint8_t warp = 0;
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
    v("lanes", s.lanes);
  }
};

}  // namespace g80

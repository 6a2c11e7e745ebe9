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
  PortWords new_addr{};                          // post-incremented $a
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
    v("half", s.half, 1);
    v("offset", s.offset, 7);
    v("new_addr", s.new_addr, 16);
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

/// The result of a finished load for writeback.
struct LoadResult {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t warp = 0;
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  std::array<LaneWords, 4> data{};  // as many registers as the instruction writes
  LaneWords new_addr{};             // post-incremented $a
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id, 6);
    v("warp", s.warp, 5);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
    v("lanes", s.lanes);
    v("data", s.data);
    v("new_addr", s.new_addr, 16);
  }
};

/// A store or reduction has left the SM in order: the instruction is finished.
struct StoreDone {
  bool valid = false;
  std::uint8_t warp = 0;
  FetchedInstruction fetched;
  Tag tag;
  LaneMask lanes = 0;
  LaneWords new_addr{};  // post-incremented $a
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("uid", s.tag.bits);
    v("insn", s.fetched);
    v("lanes", s.lanes);
    v("new_addr", s.new_addr, 16);
  }
};

}  // namespace g80

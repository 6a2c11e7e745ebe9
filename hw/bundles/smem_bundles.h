// SPDX-License-Identifier: Apache-2.0
// Bundles between address unit, bank conflict unit, shared-memory banks and operand collector.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/transaction.h"
#include "hw/common/limits.h"
#include "hw/isa/instruction.h"

namespace g80 {

/// A half-warp's access to s[]: byte addresses in the SM's shared memory.
struct SmemRequest {
  bool valid = false;
  bool write = false;
  bool lock = false;      // a read locks the words it gets, a write unlocks them
  bool header = false;    // the launcher writes the head of a new block: of no instruction
  std::uint8_t warp = 0;  // slot, the owner of a lock
  std::uint8_t unit = 0;  // collector unit that waits for the data
  std::uint8_t half = 0;
  std::uint8_t bytes = 4;  // per lane: 1, 2, 4
  bool sign_extend = false;
  HalfMask lanes = 0;
  Origin origin;
  std::array<std::uint16_t, kHalfWarp> address{};
  std::array<std::uint32_t, kHalfWarp> data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("write", s.write);
    v("lock", s.lock);
    v("header", s.header);
    v("warp", s.warp, 5);
    v("unit", s.unit, 4);
    v("half", s.half, 1);
    v("bytes", s.bytes, 3);
    v("sign_extend", s.sign_extend);
    v("lanes", s.lanes);
    v("origin", s.origin);
    v("address", s.address, 14);
    v("data", s.data);
  }
};

/// A new block's words of s[]: they hold what sm.init says, as each has a bit that says whether it was written.
struct SmemStart {
  bool valid = false;
  std::uint16_t first = 0;  // number of a word in the SM's shared memory
  std::uint16_t count = 0;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("first", s.first, 12);
    v("count", s.count, 13);
  }
};

/// Words of the head of a new block's s[], up to a row of the banks.
struct SmemFill {
  bool valid = false;
  std::uint16_t first = 0;  // number of a word in the SM's shared memory
  std::uint8_t count = 0;
  std::array<std::uint32_t, kNumSmemBanks> data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("first", s.first, 12);
    v("count", s.count, 5);
    v("data", s.data);
  }
};

/// The lanes of a request that the banks serve together.
struct SmemPass {
  bool valid = false;
  bool last = false;
  HalfMask lanes = 0;
  SmemRequest request;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("last", s.last);
    v("lanes", s.lanes);
    v("request", s.request);
  }
};

/// All lanes of a half-warp's read.
struct SmemReply {
  bool valid = false;
  std::uint8_t unit = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  HalfMask granted = 0;  // lanes that got the lock they asked for
  Origin origin;
  std::array<std::uint32_t, kHalfWarp> data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("unit", s.unit, 4);
    v("half", s.half, 1);
    v("lanes", s.lanes);
    v("granted", s.granted);
    v("origin", s.origin);
    v("data", s.data);
  }
};

}  // namespace g80

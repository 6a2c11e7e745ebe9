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
  G80_FIELDS(valid, write, lock, header, (warp, 5), (unit, 4), (half, 1), (bytes, 3), sign_extend, lanes, origin,
             (address, 14), data);
};

/// A new block's words of s[]: they hold what sm.init says, as each has a bit that says whether it was written.
struct SmemStart {
  bool valid = false;
  std::uint16_t first = 0;  // number of a word in the SM's shared memory
  std::uint16_t count = 0;
  G80_FIELDS(valid, (first, 12), (count, 13));
};

/// Words of the head of a new block's s[], up to a row of the banks.
struct SmemFill {
  bool valid = false;
  std::uint16_t first = 0;  // number of a word in the SM's shared memory
  std::uint8_t count = 0;
  std::array<std::uint32_t, kNumSmemBanks> data{};
  G80_FIELDS(valid, (first, 12), (count, 5), data);
};

/// The lanes of a request that the banks serve together.
struct SmemPass {
  bool valid = false;
  bool last = false;
  HalfMask lanes = 0;
  SmemRequest request;
  G80_FIELDS(valid, last, lanes, request);
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
  G80_FIELDS(valid, (unit, 4), (half, 1), lanes, granted, origin, data);
};

}  // namespace g80

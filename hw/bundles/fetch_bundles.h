// SPDX-License-Identifier: Apache-2.0
// Bundles between an SM and its first-level instruction and constant caches.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/transaction.h"

namespace g80 {

inline constexpr unsigned kMaxFetchBytes = 16;

/// A warp's fetch of `bytes` aligned code bytes. The cache returns `epoch` unchanged, so the SM can drop stale
/// replies.
struct FetchRequest {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t epoch = 0;
  std::uint8_t bytes = 16;    // power of two, at most a line and kMaxFetchBytes
  std::uint32_t address = 0;  // virtual, aligned to `bytes`
  G80_FIELDS(valid, (warp, 5), epoch, (bytes, 5), address);
};

struct FetchReply {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t epoch = 0;
  std::uint8_t bytes = 16;
  MemFault fault = MemFault::kNone;  // of the line; data is 0 then
  std::uint32_t address = 0;
  std::array<std::uint32_t, kMaxFetchBytes / 4> data{};
  G80_FIELDS(valid, (warp, 5), epoch, (bytes, 5), (fault, 2), address, data);
};

/// Lanes of a warp read c[]: all at the address that stands in the instruction, or those of a half-warp, each at its
/// own.
struct ConstRequest {
  bool valid = false;
  std::uint8_t id = 0;  // the SM's handle, returned with the reply
  std::uint8_t warp = 0;
  std::uint8_t bytes = 4;  // per lane: 1, 2 or 4; addresses are aligned to it
  bool direct = false;     // all lanes read at the first address
  LaneMask lanes = 0;      // not empty; of one half-warp if the read is not direct
  Origin origin;
  std::array<std::uint32_t, kHalfWarp> address{};  // virtual
  std::uint32_t address_of(unsigned lane) const { return address[direct ? 0 : lane % kHalfWarp]; }
  G80_FIELDS(valid, id, (warp, 5), (bytes, 3), direct, lanes, origin, address);
};

struct ConstReply {
  bool valid = false;
  std::uint8_t id = 0;
  std::uint8_t warp = 0;
  MemFault fault = MemFault::kNone;
  bool direct = false;       // as asked: all lanes get the first word
  LaneMask lanes = 0;        // as asked
  LaneMask fault_lanes = 0;  // lanes whose line could not be read; their data is 0
  Origin origin;
  std::array<std::uint32_t, kHalfWarp> data{};  // the bytes of the lane, zero-extended
  std::uint32_t data_of(unsigned lane) const { return data[direct ? 0 : lane % kHalfWarp]; }
  G80_FIELDS(valid, id, (warp, 5), (fault, 2), direct, lanes, fault_lanes, origin, data);
};

}  // namespace g80

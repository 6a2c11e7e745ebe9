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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("epoch", s.epoch);
    v("bytes", s.bytes, 5);
    v("address", s.address);
  }
};

struct FetchReply {
  bool valid = false;
  std::uint8_t warp = 0;
  std::uint8_t epoch = 0;
  std::uint8_t bytes = 16;
  MemFault fault = MemFault::kNone;  // of the line; data is 0 then
  std::uint32_t address = 0;
  std::array<std::uint32_t, kMaxFetchBytes / 4> data{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("warp", s.warp, 5);
    v("epoch", s.epoch);
    v("bytes", s.bytes, 5);
    v("fault", s.fault, 2);
    v("address", s.address);
    v("data", s.data);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id);
    v("warp", s.warp, 5);
    v("bytes", s.bytes, 3);
    v("direct", s.direct);
    v("lanes", s.lanes);
    v("origin", s.origin);
    v("address", s.address);
  }
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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("id", s.id);
    v("warp", s.warp, 5);
    v("fault", s.fault, 2);
    v("direct", s.direct);
    v("lanes", s.lanes);
    v("fault_lanes", s.fault_lanes);
    v("origin", s.origin);
    v("data", s.data);
  }
};

}  // namespace g80

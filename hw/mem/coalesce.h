// SPDX-License-Identifier: Apache-2.0
// The coalescing rules of both generations, without a clock.
//
// Strict rule (CC 1.0 and 1.1): words of 4, 8 or 16 bytes, lane k at word k of a segment aligned to 16 words; inactive
//   lanes are ignored. Success: one transaction of 64 or 128 bytes, or two of 128 bytes (a half without an active lane
//   sends none). Failure: one 32-byte transaction for each active lane; with coalescer.share_words, lanes that read
//   one word share theirs. Lanes with different words of a sector never do.
// Segment rule (CC 1.2 and 1.3): the lowest pending lane's segment (32 bytes for 1-byte words, 64 for 2-byte words, 128
//   otherwise) serves every lane in it, and shrinks by halves down to 32 bytes while one half holds all that is
//   touched.
// Atomics and reductions: one transaction per lane under either rule.
#pragma once
#include "hw/bundles/transaction.h"

namespace g80 {

/// An aligned piece of memory and the lanes it serves.
struct Transaction {
  std::uint32_t address = 0;
  std::uint8_t bytes = 32;
  HalfMask lanes = 0;
};

/// The strict rule for a whole half-warp.
bool is_coalesced(const HalfWarpAccess& access);
/// The next transaction of an access whose lanes `pending` (not empty) are not yet served.
/// This is where coalescing is decided.
Transaction coalesce(const HalfWarpAccess& access, HalfMask pending, bool segment_rule, bool share_words);
/// The request that carries the transaction: write data of its lanes in place, or an atomic's operands.
void make_request(const HalfWarpAccess& access, const Transaction& transaction, MemRequest& request);

}  // namespace g80

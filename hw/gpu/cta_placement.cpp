// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_placement.h"

namespace g80 {

CtaShare cta_share(const Config& config, const BlockNeeds& needs) {
  return {needs.threads, allocate_block(config, needs)};
}

bool has_room(const SmLedger& held, const CtaShare& share, const Config::sm_keys& limits) {
  return held.blocks < limits.max_ctas && held.threads + share.threads <= limits.max_threads &&
         held.warps + share.allocation.warps <= limits.max_warps &&
         held.registers + share.allocation.registers <= limits.num_registers &&
         held.shared_bytes + share.allocation.shared_bytes <= limits.shared_bytes;
}

void take(SmLedger& held, const CtaShare& share) {
  held.blocks += 1;
  held.threads += share.threads;
  held.warps += share.allocation.warps;
  held.registers += share.allocation.registers;
  held.shared_bytes += share.allocation.shared_bytes;
}

void give_back(SmLedger& held, const CtaShare& share) {
  held.blocks -= 1;
  held.threads -= share.threads;
  held.warps -= share.allocation.warps;
  held.registers -= share.allocation.registers;
  held.shared_bytes -= share.allocation.shared_bytes;
}

std::optional<unsigned> pick_sm(std::uint32_t candidates, unsigned num_tpcs, unsigned sms_per_tpc,
                                const PlacementTurn& last) {
  for (unsigned i = 1; i <= num_tpcs; ++i) {
    const unsigned tpc = (last.tpc + i) % num_tpcs;
    for (unsigned k = 1; k <= sms_per_tpc; ++k) {
      const unsigned sm = tpc * sms_per_tpc + (last.sm[tpc] + k) % sms_per_tpc;
      if ((candidates >> sm & 1) != 0) return sm;
    }
  }
  return std::nullopt;
}

PlacementTurn after_pick(PlacementTurn last, unsigned sm, unsigned sms_per_tpc) {
  last.tpc = static_cast<std::uint8_t>(sm / sms_per_tpc);
  last.sm[last.tpc] = static_cast<std::uint8_t>(sm % sms_per_tpc);
  return last;
}

namespace {

/// Mixes all bits of a word (the finaliser of splitmix64).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// One pass of a four-round Feistel network over 2 * `half` bits: a permutation of [0, 4^half).
std::uint64_t feistel(std::uint64_t value, unsigned half, std::uint64_t seed) {
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t left = value >> half, right = value & mask;
  for (std::uint64_t round = 0; round < 4; ++round) {
    const std::uint64_t next = left ^ (mix(right + (seed ^ (round << 56))) & mask);
    left = right;
    right = next;
  }
  return left << half | right;
}

}  // namespace

std::uint64_t cta_at(std::uint64_t position, std::uint64_t total, CtaOrder order, std::uint64_t seed) {
  if (order == CtaOrder::kLinear) return position;
  unsigned half = 1;
  while (std::uint64_t{1} << (2 * half) < total) ++half;
  // Walking the cycle until it is inside gives a permutation of [0, total) without storing it.
  std::uint64_t value = feistel(position, half, seed);
  while (value >= total) value = feistel(value, half, seed);
  return value;
}

}  // namespace g80

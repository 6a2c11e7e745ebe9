// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/coalesce.h"

#include <algorithm>
#include <cstring>

#include "hw/bundles/half_warp_order.h"
#include "hw/common/check.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

constexpr unsigned kSmallest = kSectorBytes;

unsigned lowest_lane(HalfMask lanes) { return static_cast<unsigned>(__builtin_ctz(lanes)); }

// Address of lane 0 if the lanes access consecutive elements and `lane` accesses its own.
std::uint32_t segment_base(const HalfWarpAccess& access, unsigned lane) {
  return access.address[lane] - lane * access.bytes;
}

Transaction alone(const HalfWarpAccess& access, unsigned lane) {
  return {access.address[lane] & ~(kSmallest - 1), kSmallest, static_cast<HalfMask>(1u << lane)};
}

// The lanes of `pending` with the address of `lane`, which is one of them.
HalfMask same_word(const HalfWarpAccess& access, HalfMask pending, unsigned lane) {
  HalfMask lanes = 0;
  for (const unsigned l : set_bits(pending))
    lanes = static_cast<HalfMask>(lanes | (access.address[l] == access.address[lane]) << l);
  return lanes;
}

Transaction strict(const HalfWarpAccess& access, HalfMask pending, bool share_words) {
  const unsigned lane = lowest_lane(pending);
  if (!is_coalesced(access)) {
    Transaction transaction = alone(access, lane);
    if (share_words && access.op == MemOp::kRead) transaction.lanes = same_word(access, pending, lane);
    return transaction;
  }
  const std::uint32_t base = segment_base(access, lane);
  if (access.bytes == 4) return {base, 64, pending};
  if (access.bytes == 8) return {base, 128, pending};
  const bool upper = lane >= kHalfWarp / 2;
  const HalfMask half = upper ? 0xff00 : 0x00ff;
  return {base + (upper ? 128 : 0), 128, static_cast<HalfMask>(pending & half)};
}

Transaction segment(const HalfWarpAccess& access, HalfMask pending) {
  unsigned size = access.bytes == 1 ? 32 : access.bytes == 2 ? 64 : 128;
  std::uint32_t base = access.address[lowest_lane(pending)] & ~(size - 1);
  Transaction transaction{};
  std::uint32_t first = size, last = 0;  // bytes touched, relative to the base
  for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
    const std::uint32_t offset = access.address[lane] - base;
    if ((pending >> lane & 1) == 0 || offset >= size) continue;
    transaction.lanes = static_cast<HalfMask>(transaction.lanes | 1u << lane);
    first = std::min(first, offset);
    last = std::max(last, offset + access.bytes - 1);
  }
  while (size > kSmallest && first / (size / 2) == last / (size / 2)) {
    size /= 2;
    const std::uint32_t skipped = first / size * size;
    base += skipped;
    first -= skipped;
    last -= skipped;
  }
  transaction.address = base;
  transaction.bytes = static_cast<std::uint8_t>(size);
  return transaction;
}

}  // namespace

bool is_coalesced(const HalfWarpAccess& access) { return is_in_order(access.address, access.lanes, access.bytes); }

Transaction coalesce(const HalfWarpAccess& access, HalfMask pending, bool segment_rule, bool share_words) {
  if (is_atomic(access.op)) return alone(access, lowest_lane(pending));
  return segment_rule ? segment(access, pending) : strict(access, pending, share_words);
}

void make_request(const HalfWarpAccess& access, const Transaction& transaction, MemRequest& request) {
  request.valid = true;
  request.op = access.op;
  request.client = access.client;
  request.id = access.id;
  request.half = access.half;
  request.lanes = transaction.lanes;
  request.bytes = transaction.bytes;
  request.atom_op = access.atom_op;
  request.atom_signed = access.atom_signed;
  request.atom_bytes = is_atomic(access.op) ? access.bytes : 4;
  request.origin = access.origin;
  request.virtual_address = transaction.address;
  request.address = 0;
  request.byte_enable = {};
  request.data = {};
  if (access.op == MemOp::kRead) return;
  auto* bytes = reinterpret_cast<std::uint8_t*>(request.data.data());
  for (const unsigned lane : set_bits(transaction.lanes)) {
    const std::uint32_t offset = access.address[lane] - transaction.address;
    CHECK(offset < transaction.bytes && offset % 64 + access.bytes <= 64 && access.bytes <= 16,
          "coalescer: lane {} at 0x{:x} lies outside its transaction of {} bytes at 0x{:x}", lane, access.address[lane],
          transaction.bytes, transaction.address);
    const std::uint64_t word = (std::uint64_t{1} << access.bytes) - 1;
    request.byte_enable[offset / 64] |= word << offset % 64;
    if (is_atomic(access.op)) {
      std::copy(access.data[lane].begin(), access.data[lane].end(), request.data.begin());
    } else if (access.bytes == 4) {  // most often, and the host copies a known size in one piece
      std::memcpy(bytes + offset, access.data[lane].data(), 4);
    } else {
      std::memcpy(bytes + offset, access.data[lane].data(), access.bytes);
    }
  }
}

}  // namespace g80

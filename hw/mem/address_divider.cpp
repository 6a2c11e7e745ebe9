// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/address_divider.h"

namespace g80 {
namespace {

struct Divider {
  explicit Divider(unsigned count) : low_bits(static_cast<unsigned>(__builtin_ctz(count))), odd(count >> low_bits) {}
  unsigned low_bits, odd;
};

/// Stage 1.
std::uint32_t rest(std::uint32_t number, unsigned odd) {
  const unsigned bits = odd == 7 ? 3 : 4;
  std::uint32_t sum = 0;
  for (; number != 0; number >>= bits) sum += number & ((1u << bits) - 1);
  return sum % odd;  // a table: the sum of a 32-bit number's digits has seven bits
}

/// Stages 2 and 3 of a multiple of `odd`.
std::uint32_t exact_quotient(std::uint32_t multiple, unsigned odd) {
  std::uint32_t value = odd == 5 ? multiple : 0 - multiple;
  switch (odd) {
    case 3: value += value << 2; break;
    case 5: value -= value << 2; break;
    default: value += value << 3; break;
  }
  value += value << (odd == 7 ? 6 : 4);
  value += value << (odd == 7 ? 12 : 8);
  value += value << (odd == 7 ? 24 : 16);
  return value;
}

}  // namespace

unsigned divider_stages(unsigned num_partitions) { return Divider(num_partitions).odd == 1 ? 0 : 3; }

PartitionAddress divide_address(const AddressMap& map, std::uint32_t physical) {
  const Divider by(map.num_partitions);
  const std::uint32_t block = physical >> map.interleave_log;
  const std::uint32_t high = block >> by.low_bits;
  std::uint32_t digit = 0, inner = high;
  if (by.odd != 1) {
    digit = rest(high, by.odd);
    inner = exact_quotient(high - digit, by.odd);
  }
  const unsigned partition = digit << by.low_bits | (block & ((1u << by.low_bits) - 1));
  return at_block(map, partition, inner, physical);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/address_divider.h"

namespace g80 {
namespace {

struct Divider {
  explicit Divider(unsigned count) : low_bits(static_cast<unsigned>(__builtin_ctz(count))), odd(count >> low_bits) {}
  unsigned low_bits, odd;
};

/// How far the sums of the quotient move their summand.
unsigned first_shift(unsigned odd) { return odd == 7 ? 3 : 2; }
unsigned second_shift(unsigned odd) { return odd == 7 ? 6 : 4; }

}  // namespace

unsigned divider_stages(unsigned num_partitions) { return Divider(num_partitions).odd == 1 ? 0 : 3; }

AddressRest find_rest(const AddressMap& map, std::uint32_t physical) {
  const Divider by(map.num_partitions);
  const unsigned bits = by.odd == 7 ? 3 : 4;
  unsigned sum = 0;
  for (std::uint32_t left = physical >> map.interleave_log >> by.low_bits; left != 0; left >>= bits)
    sum += left & ((1u << bits) - 1);
  return {physical, static_cast<std::uint8_t>(sum % by.odd)};  // a table: the sum has seven bits
}

AddressProduct begin_quotient(const AddressMap& map, const AddressRest& rest) {
  const Divider by(map.num_partitions);
  const std::uint32_t multiple = (rest.address >> map.interleave_log >> by.low_bits) - rest.rest;
  const unsigned first = first_shift(by.odd);
  std::uint32_t product = by.odd == 5 ? multiple - (multiple << first) : 0 - multiple - (multiple << first);
  product += product << second_shift(by.odd);
  return {rest.address, rest.rest, product};
}

AddressQuotient end_quotient(const AddressMap& map, const AddressProduct& product) {
  const unsigned second = second_shift(Divider(map.num_partitions).odd);
  std::uint32_t quotient = product.product + (product.product << 2 * second);
  quotient += quotient << 4 * second;
  return {product.address, product.rest, quotient};
}

PartitionAddress place_quotient(const AddressMap& map, const AddressQuotient& quotient) {
  const unsigned low_bits = Divider(map.num_partitions).low_bits;
  const unsigned low = quotient.address >> map.interleave_log & ((1u << low_bits) - 1);
  return at_block(map, unsigned{quotient.rest} << low_bits | low, quotient.quotient, quotient.address);
}

PartitionAddress divide_address(const AddressMap& map, std::uint32_t physical) {
  const Divider by(map.num_partitions);
  if (by.odd == 1) return place_quotient(map, {physical, 0, physical >> map.interleave_log >> by.low_bits});
  return place_quotient(map, end_quotient(map, begin_quotient(map, find_rest(map, physical))));
}

}  // namespace g80

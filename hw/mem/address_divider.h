// SPDX-License-Identifier: Apache-2.0
// Partition and address inside it, as hardware finds them: stages with digit sums and shifted sums, no divider.
//
// A block of partition.interleave_bytes has a number n; there are 2^k times d partitions, with d = 1, 3, 5 or 7. The
// low k bits of n choose among the 2^k; the rest m gives a digit, m mod d, and the number in the partition, m div d.
//   1. Digit sum: 16 is 1 modulo 3 and 5, and 8 is 1 modulo 7, so m mod d is that of the sum of its digits to that
//      base. A table of the sum's few bits reduces it.
//   2. Exact quotient: without its rest m is a multiple of d, and 1 / d is a product of sums of two powers of two
//      modulo 2^32: -1/3 = (1 + 2^2) (1 + 2^4) (1 + 2^8) (1 + 2^16), 1/5 = (1 - 2^2) times the same without the first,
//      -1/7 = (1 + 2^3) (1 + 2^6) (1 + 2^12) (1 + 2^24). The rest is subtracted, and two sums are made.
//   3. The other two sums.
// With d = 1 all of it is wires. The hash of partitions (address_map.h) is wires behind the last stage.
#pragma once
#include "hw/common/fields.h"
#include "hw/mem/address_map.h"

namespace g80 {

/// What the registers behind the three stages hold.
struct AddressRest {
  std::uint32_t address = 0;
  std::uint8_t rest = 0;
  G80_FIELDS(address, (rest, 3));
};
struct AddressProduct {
  std::uint32_t address = 0;
  std::uint8_t rest = 0;
  std::uint32_t product = 0;  // of two of the four sums
  G80_FIELDS(address, (rest, 3), product);
};
struct AddressQuotient {
  std::uint32_t address = 0;
  std::uint8_t rest = 0;
  std::uint32_t quotient = 0;
  G80_FIELDS(address, (rest, 3), quotient);
};
struct DividerRegisters {
  AddressRest rest;
  AddressProduct product;
  AddressQuotient quotient;
  G80_FIELDS(rest, product, quotient);
};
AddressRest find_rest(const AddressMap& map, std::uint32_t physical);
AddressProduct begin_quotient(const AddressMap& map, const AddressRest& rest);
AddressQuotient end_quotient(const AddressMap& map, const AddressProduct& product);
/// Wires.
PartitionAddress place_quotient(const AddressMap& map, const AddressQuotient& quotient);

/// Registers between an address and where it lies, 0 or 3.
unsigned divider_stages(unsigned num_partitions);

/// locate_partition(), by these stages or by wires.
PartitionAddress divide_address(const AddressMap& map, std::uint32_t physical);

}  // namespace g80

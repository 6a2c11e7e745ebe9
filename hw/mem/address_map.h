// SPDX-License-Identifier: Apache-2.0
// Where a physical address lies: partition, address inside the partition, and the DRAM bank, row and column there.
//
// Contract: for every configuration physical address <-> (partition, local address) is one to one, and so is
// local address <-> (bank, row, column). Consecutive partition.interleave_bytes stay in one partition.
//
// Partition: block = address / interleave; digit = block mod P; the block's index inside its partition is block div P.
//   plain: partition = digit.
//   xor:   the digit's bits (P = 6: its low bit) are flipped by the low bits of the number of the DRAM row that the
//          block lies in. Inside a row partitions take turns as in plain; accesses a power of two apart that would
//          meet in one partition are spread as soon as they lie in different rows.
// Bank: the address inside the partition is row : bank : column; bank_hash xor flips the bank by the low row bits, so
//       that consecutive rows of one bank number are spread over the banks.
#pragma once
#include <cstdint>

#include "hw/config/config.h"

namespace g80 {

struct DramLocation {
  std::uint8_t partition = 0;
  std::uint8_t bank = 0;
  std::uint32_t local = 0;  // byte address inside the partition
  std::uint32_t row = 0;
  std::uint32_t column = 0;  // byte inside the row
};

/// The numbers of the map, taken from the configuration once.
struct AddressMap {
  explicit AddressMap(const Config& config);

  unsigned num_partitions;
  PartitionHash partition_hash;
  BankHash bank_hash;
  unsigned interleave_log;
  unsigned row_log;   // log2 of the bytes of a row
  unsigned bank_log;  // log2 of the number of banks
  std::uint64_t memory_bytes;

  /// Bytes of storage a partition needs to hold its share of the memory.
  std::uint64_t partition_bytes() const;
  /// The same in rows of each bank.
  std::uint32_t rows() const { return static_cast<std::uint32_t>(partition_bytes() >> (row_log + bank_log)); }
};

/// Partition and in-partition address only. This is where a partition is chosen.
struct PartitionAddress {
  std::uint8_t partition;
  std::uint32_t local;
};
/// From the block's rest and quotient by the number of partitions: the hash, and the offset in the block.
PartitionAddress at_block(const AddressMap& map, unsigned digit, std::uint32_t inner_block, std::uint32_t physical);
/// By division: what hw/mem/address_divider.h does in stages.
PartitionAddress locate_partition(const AddressMap& map, std::uint32_t physical);
/// This is where a DRAM bank is chosen.
inline unsigned bank_of(const AddressMap& map, std::uint32_t local) {
  const std::uint32_t above = local >> map.row_log, banks = (1u << map.bank_log) - 1;
  const std::uint32_t row = map.bank_hash == BankHash::kXor ? above >> map.bank_log : 0;
  return (above ^ row) & banks;
}
/// Bank, row and column of an address inside its partition.
DramLocation locate_local(const AddressMap& map, std::uint8_t partition, std::uint32_t local);
/// Everything about a physical address.
DramLocation locate(const AddressMap& map, std::uint32_t physical);
/// The inverse of locate_partition.
std::uint32_t physical_address(const AddressMap& map, unsigned partition, std::uint32_t local);

}  // namespace g80

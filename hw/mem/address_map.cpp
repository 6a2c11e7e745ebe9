// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/address_map.h"

#include "hw/common/check.h"

namespace g80 {
namespace {

unsigned log2_of(std::uint64_t power_of_two) { return static_cast<unsigned>(__builtin_ctzll(power_of_two)); }

// The partition hash: XORs the partition number of a block with low bits of the DRAM row that the block lies in.
unsigned hashed(const AddressMap& map, unsigned digit, std::uint32_t inner_block) {
  const std::uint32_t row = inner_block >> (map.row_log - map.interleave_log);
  switch (map.num_partitions) {
    case 2:
    case 4:
    case 8: return digit ^ (row & (map.num_partitions - 1));
    case 6: return digit ^ (row & 1);
    default: return digit;
  }
}

}  // namespace

AddressMap::AddressMap(const Config& config)
    : num_partitions(config.gpu.num_partitions),
      partition_hash(config.partition.hash),
      bank_hash(config.dram.bank_hash),
      interleave_log(log2_of(config.partition.interleave_bytes)),
      row_log(log2_of(config.dram.row_bytes)),
      bank_log(log2_of(config.dram.num_banks)),
      memory_bytes(config.device.memory_bytes) {}

std::uint64_t AddressMap::partition_bytes() const {
  const std::uint64_t blocks = (memory_bytes + (1ull << interleave_log) - 1) >> interleave_log;
  const std::uint64_t share = ((blocks + num_partitions - 1) / num_partitions) << interleave_log;
  const std::uint64_t row_set = 1ull << (row_log + bank_log);  // one row in every bank
  return (share + row_set - 1) / row_set * row_set;
}

PartitionAddress at_block(const AddressMap& map, unsigned digit, std::uint32_t inner_block, std::uint32_t physical) {
  const unsigned partition = map.partition_hash == PartitionHash::kXor ? hashed(map, digit, inner_block) : digit;
  const std::uint32_t offset = physical & ((1u << map.interleave_log) - 1);
  return {static_cast<std::uint8_t>(partition), (inner_block << map.interleave_log) | offset};
}

PartitionAddress locate_partition(const AddressMap& map, std::uint32_t physical) {
  const std::uint32_t block = physical >> map.interleave_log;
  return at_block(map, block % map.num_partitions, block / map.num_partitions, physical);
}

DramLocation locate_local(const AddressMap& map, std::uint8_t partition, std::uint32_t local) {
  DramLocation at;
  at.partition = partition;
  at.local = local;
  at.column = local & ((1u << map.row_log) - 1);
  at.row = local >> (map.row_log + map.bank_log);
  at.bank = static_cast<std::uint8_t>(bank_of(map, local));
  return at;
}

DramLocation locate(const AddressMap& map, std::uint32_t physical) {
  const PartitionAddress at = locate_partition(map, physical);
  return locate_local(map, at.partition, at.local);
}

std::uint32_t physical_address(const AddressMap& map, unsigned partition, std::uint32_t local) {
  CHECK(partition < map.num_partitions, "an address in partition {}, but there are {}", partition, map.num_partitions);
  const std::uint32_t inner_block = local >> map.interleave_log;
  // XOR is its own inverse.
  const unsigned digit = map.partition_hash == PartitionHash::kXor ? hashed(map, partition, inner_block) : partition;
  const std::uint32_t offset = local & ((1u << map.interleave_log) - 1);
  return ((inner_block * map.num_partitions + digit) << map.interleave_log) | offset;
}

}  // namespace g80

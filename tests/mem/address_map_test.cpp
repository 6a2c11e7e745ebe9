// SPDX-License-Identifier: Apache-2.0
// Physical addresses are spread over partitions, banks, rows and columns without loss.
#include "hw/mem/address_map.h"
#include "hw/mem/address_divider.h"
#include "tests/support/random_seed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

namespace g80 {
namespace {

Config config_of(unsigned partitions, PartitionHash hash, BankHash bank_hash, unsigned interleave, unsigned banks,
                 unsigned row_bytes) {
  Config config = load_config("tiny");
  config.gpu.num_partitions = partitions;
  config.partition.hash = hash;
  config.partition.interleave_bytes = interleave;
  config.dram.bank_hash = bank_hash;
  config.dram.num_banks = banks;
  config.dram.row_bytes = row_bytes;
  return config;
}

TEST(AddressMap, EveryConfigurationIsOneToOne) {
  for (unsigned partitions = 1; partitions <= 8; ++partitions) {
    for (const PartitionHash hash : {PartitionHash::kPlain, PartitionHash::kXor}) {
      const bool hashable = partitions == 6 || (partitions & (partitions - 1)) == 0;
      if (hash == PartitionHash::kXor && !hashable) continue;
      for (const BankHash bank_hash : {BankHash::kPlain, BankHash::kXor}) {
        for (const unsigned interleave : {128u, 256u, 1024u}) {
          for (const unsigned banks : {1u, 4u, 8u}) {
            Config config = config_of(partitions, hash, bank_hash, interleave, banks, 1024);
            config.device.memory_bytes = 1u << 20;
            const AddressMap map(config);
            std::set<std::tuple<unsigned, unsigned, unsigned, unsigned>> seen;
            for (std::uint32_t address = 0; address < config.device.memory_bytes; address += 64) {
              const DramLocation at = locate(map, address);
              ASSERT_LT(at.partition, partitions);
              ASSERT_LT(at.bank, banks);
              ASSERT_LT(at.column, 1024u);
              ASSERT_LT(at.local, map.partition_bytes());
              ASSERT_EQ(physical_address(map, at.partition, at.local), address);
              ASSERT_TRUE(seen.insert({at.partition, at.bank, at.row, at.column}).second) << address;
            }
          }
        }
      }
    }
  }
}

TEST(AddressMap, TheWholeAddressRangeIsOneToOneAtRandomPoints) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const std::string& preset : preset_names()) {
    const AddressMap map(load_config(preset));
    for (int i = 0; i < 20000; ++i) {
      const auto address = static_cast<std::uint32_t>(random() % map.memory_bytes);
      const PartitionAddress at = locate_partition(map, address);
      ASSERT_LT(at.partition, map.num_partitions);
      ASSERT_LT(at.local, map.partition_bytes());
      ASSERT_EQ(physical_address(map, at.partition, at.local), address);
    }
  }
}

TEST(AddressMap, PartitionsShareMemoryWithoutRest) {
  for (const char* preset : {"tiny", "8600gts"}) {
    const AddressMap map(load_config(preset));
    EXPECT_EQ(map.partition_bytes() * map.num_partitions, map.memory_bytes) << preset;
  }
}

// Whole rows of all banks, and one of them less would leave bytes of the memory without a place.
TEST(AddressMap, APartitionIsAsLargeAsItsLastByteNeeds) {
  for (unsigned partitions = 1; partitions <= 8; ++partitions) {
    Config config = config_of(partitions, PartitionHash::kPlain, BankHash::kPlain, 256, 4, 1024);
    for (unsigned blocks = 60; blocks < 200; ++blocks) {
      config.device.memory_bytes = blocks * 256;
      const AddressMap map(config);
      std::uint64_t end = 0;
      for (std::uint32_t block = 0; block < blocks; ++block)
        end = std::max<std::uint64_t>(end, locate_partition(map, block * 256).local + 256);
      ASSERT_EQ(map.partition_bytes() % 4096, 0u);
      ASSERT_GE(map.partition_bytes(), end) << blocks << " blocks in " << partitions;
      ASSERT_LT(map.partition_bytes(), end + 4096) << blocks << " blocks in " << partitions;
    }
  }
}

TEST(AddressMap, PlainBanksTakeTurnsByRows) {
  const AddressMap map(config_of(1, PartitionHash::kPlain, BankHash::kPlain, 256, 8, 1024));
  for (std::uint32_t row = 0; row < 64; ++row) EXPECT_EQ(bank_of(map, row * 1024 + 7), row % 8);
}

TEST(AddressMap, TwoPartitionsAreTheXorOfBit8AndTheLowestBitAboveTheRow) {
  const AddressMap map(load_config("8600gts", {"partition.hash=xor"}));
  // A row has 4 KB in each partition: bit 13 counts rows
  for (std::uint32_t address = 0; address < 1u << 18; address += 32) {
    ASSERT_EQ(locate_partition(map, address).partition, (address >> 8 ^ address >> 13) & 1) << address;
  }
}

TEST(AddressMap, PlainPartitionsTakeTurns) {
  const AddressMap map(config_of(6, PartitionHash::kPlain, BankHash::kPlain, 256, 8, 4096));
  for (std::uint32_t block = 0; block < 1000; ++block) {
    const PartitionAddress at = locate_partition(map, block * 256 + 17);
    ASSERT_EQ(at.partition, block % 6);
    ASSERT_EQ(at.local, block / 6 * 256 + 17);
  }
}

TEST(AddressMap, FourPartitionsAreFlippedByTwoBitsOfTheRow) {
  const AddressMap map(config_of(4, PartitionHash::kXor, BankHash::kPlain, 256, 8, 4096));
  constexpr std::uint32_t kRow = 4 * 4096;
  EXPECT_EQ(locate_partition(map, 2 * 256).partition, 2);
  EXPECT_EQ(locate_partition(map, kRow + 2 * 256).partition, 3);
  EXPECT_EQ(locate_partition(map, 6 * kRow + 1 * 256).partition, 3);
  EXPECT_EQ(locate_partition(map, 4 * kRow + 1 * 256).partition, 1);
}

TEST(AddressMap, PlainPartitionsCampWhereHashedOnesDoNot) {
  // A column of a row-major matrix whose rows are 32 KB: every access meets the same partition.
  std::set<unsigned> plain, hashed;
  for (std::uint32_t row = 0; row < 64; ++row) {
    plain.insert(
        locate_partition(AddressMap(config_of(8, PartitionHash::kPlain, BankHash::kXor, 256, 8, 4096)), row << 15)
            .partition);
    hashed.insert(
        locate_partition(AddressMap(config_of(8, PartitionHash::kXor, BankHash::kXor, 256, 8, 4096)), row << 15)
            .partition);
  }
  EXPECT_EQ(plain.size(), 1u);
  EXPECT_EQ(hashed.size(), 8u);
}

TEST(AddressMap, ConsecutiveRowsOfOneBankNumberAreSpread) {
  const AddressMap map(config_of(1, PartitionHash::kPlain, BankHash::kXor, 256, 8, 4096));
  for (unsigned row = 0; row < 64; ++row) {
    const DramLocation at = locate_local(map, 0, row * 8 * 4096 + 100);
    EXPECT_EQ(at.row, row);
    EXPECT_EQ(at.bank, row % 8);
    EXPECT_EQ(at.column, 100u);
  }
}

TEST(AddressDivider, StagesGiveWhatDivisionGives) {
  std::mt19937 random(random_seed());
  for (unsigned partitions = 1; partitions <= 8; ++partitions) {
    const bool power = (partitions & (partitions - 1)) == 0;
    EXPECT_EQ(divider_stages(partitions), power ? 0u : 3u);
    for (const PartitionHash hash : {PartitionHash::kPlain, PartitionHash::kXor}) {
      for (const unsigned interleave : {64u, 256u, 4096u}) {
        const AddressMap map(config_of(partitions, hash, BankHash::kPlain, interleave, 8, 4096));
        const auto expect_same = [&](std::uint32_t address) {
          const PartitionAddress divided = divide_address(map, address), expected = locate_partition(map, address);
          ASSERT_EQ(divided.partition, expected.partition) << address << " of " << partitions;
          ASSERT_EQ(divided.local, expected.local) << address << " of " << partitions;
        };
        for (std::uint32_t block = 0; block < 5000; ++block) expect_same(block * interleave + block % interleave);
        for (std::uint32_t block = 1; block < 5000; ++block) expect_same(0u - block);
        for (unsigned i = 0; i < 20'000; ++i) expect_same(static_cast<std::uint32_t>(random()));
      }
    }
  }
}

}  // namespace
}  // namespace g80

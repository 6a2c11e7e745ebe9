// SPDX-License-Identifier: Apache-2.0
// The testbench's bytes land in the cells the machine will read them from.
#include "hw/gpu/device_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "hw/common/check.h"

namespace g80 {
namespace {

struct DeviceMemoryTest : ::testing::Test {
  DeviceMemoryTest() : config(load_config("8800gtx")), map(config) {
    std::vector<DramStorage*> pointers;
    for (unsigned p = 0; p < map.num_partitions; ++p) {
      storages.push_back(std::make_unique<DramStorage>(config, map.rows()));
      pointers.push_back(storages.back().get());
    }
    memory = std::make_unique<DeviceMemory>(map, pointers);
  }
  Config config;
  AddressMap map;
  std::vector<std::unique_ptr<DramStorage>> storages;
  std::unique_ptr<DeviceMemory> memory;
};

TEST_F(DeviceMemoryTest, BytesReturnAcrossPartitionBoundaries) {
  std::vector<std::uint8_t> image(100'000), back(image.size());
  std::iota(image.begin(), image.end(), std::uint8_t{3});
  memory->write(12'345, image.data(), image.size());
  memory->read(12'345, back.data(), back.size());
  EXPECT_EQ(image, back);
  for (std::uint32_t i = 0; i < image.size(); i += 7) {
    const DramLocation at = locate(map, 12'345 + i);
    std::uint8_t cell = 0;
    storages[at.partition]->read({at.bank, at.row, at.column}, &cell, 1);
    ASSERT_EQ(cell, image[i]) << i;
  }
}

TEST_F(DeviceMemoryTest, EveryByteLiesWhereTheMapSays) {
  const std::uint8_t mark = 0xa5;
  for (std::uint32_t address = 0; address < 1u << 20; address += 3001) {
    memory->write(address, &mark, 1);
    const DramLocation at = locate(map, address);
    std::uint8_t cell = 0;
    storages[at.partition]->read({at.bank, at.row, at.column}, &cell, 1);
    ASSERT_EQ(cell, mark);
  }
}

TEST_F(DeviceMemoryTest, AFlippedBitShowsInTheCell) {
  std::uint8_t byte = 0x35;
  memory->write(777, &byte, 1);
  memory->flip_bits(777, 0x11);
  memory->read(777, &byte, 1);
  EXPECT_EQ(byte, 0x24);
  memory->clear();
  memory->read(777, &byte, 1);
  EXPECT_EQ(byte, 0);
}

TEST_F(DeviceMemoryTest, BeyondTheMemoryIsRefused) {
  std::uint8_t byte = 0;
  memory->read(memory->bytes() - 1, &byte, 1);
  EXPECT_THROW(memory->read(memory->bytes(), &byte, 1), ModelError);
  EXPECT_THROW(memory->read(memory->bytes() - 1, &byte, 2), ModelError);
}

}  // namespace
}  // namespace g80

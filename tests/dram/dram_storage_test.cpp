// SPDX-License-Identifier: Apache-2.0
// The cells of a partition.
#include "hw/dram/dram_storage.h"

#include <gtest/gtest.h>

#include "hw/common/check.h"

namespace g80 {
namespace {

TEST(DramStorage, MaskedBytesKeepTheirValue) {
  DramStorage storage(4096);
  const std::uint64_t old_word = 0x1111111111111111, new_word = 0x2222222222222222;
  storage.write(64, &old_word, 8);
  storage.write_masked(64, &new_word, 8, 0b00100110);
  std::uint64_t word = 0;
  storage.read(64, &word, 8);
  EXPECT_EQ(word, 0x1111221111222211u);
  EXPECT_THROW(storage.write_masked(4092, &new_word, 8, 0b00001111), ModelError) << "whatever the mask leaves of it";
  EXPECT_THROW(storage.write_masked(4092, &new_word, 8, 0xff), ModelError);
}

TEST(DramStorage, BytesBeyondTheEndAreRefused) {
  DramStorage storage(4096);
  std::uint64_t word = 0;
  storage.write(4088, &word, 8);
  storage.read(4088, &word, 8);
  EXPECT_THROW(storage.write(4089, &word, 8), ModelError);
  EXPECT_THROW(storage.read(4089, &word, 8), ModelError);
}

}  // namespace
}  // namespace g80

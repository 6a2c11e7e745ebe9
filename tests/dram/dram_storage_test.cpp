// SPDX-License-Identifier: Apache-2.0
// The cells of a partition.
#include "hw/dram/dram_storage.h"

#include <gtest/gtest.h>

#include <array>

#include "hw/common/check.h"

namespace g80 {
namespace {

struct DramStorageTest : ::testing::Test {
  Config config = load_config("tiny", {"dram.num_banks=2", "dram.row_bytes=512"});
  DramStorage storage{config, 3};
};

TEST_F(DramStorageTest, MaskedBytesKeepTheirValue) {
  const std::uint64_t old_word = 0x1111111111111111, new_word = 0x2222222222222222;
  storage.write({1, 2, 64}, &old_word, 8);
  storage.write_masked({1, 2, 64}, &new_word, 8, 0b00100110);
  std::uint64_t word = 0;
  storage.read({1, 2, 64}, &word, 8);
  EXPECT_EQ(word, 0x1111221111222211u);
  EXPECT_THROW(storage.write_masked({1, 2, 508}, &new_word, 8, 0b00001111), ModelError)
      << "whatever the mask leaves of it";
  EXPECT_THROW(storage.write_masked({1, 2, 508}, &new_word, 8, 0xff), ModelError);
}

TEST_F(DramStorageTest, AMaskSaysNothingAboutBytesBehindTheBurst) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  std::array<std::uint64_t, 8> ones{}, words{};
  ones.fill(kAll);
  for (const bool whole : {true, false}) {
    storage.clear();
    storage.write_masked({1, 2, 64}, ones.data(), 16, whole ? kAll : kAll - 1);
    storage.read({1, 2, 64}, words.data(), 64);
    EXPECT_EQ(words, (std::array<std::uint64_t, 8>{whole ? kAll : kAll << 8, kAll}));
  }
}

TEST_F(DramStorageTest, AMaskHasABitForEachOfUpTo64Bytes) {
  std::array<std::uint8_t, 64> ones{}, bytes{};
  ones.fill(0xff);
  for (const unsigned size : {1u, 16u, 31u, 63u, 64u}) {
    storage.clear();
    storage.write_masked({1, 2, 64}, ones.data(), size, ~std::uint64_t{1});
    storage.read({1, 2, 64}, bytes.data(), 64);
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(bytes[i], i > 0 && i < size ? 0xff : 0) << i << " of " << size;
  }
}

TEST_F(DramStorageTest, CountsWritesThatChangeSomething) {
  const std::array<std::uint64_t, 2> words = {0x1111111111111111, 0x2222222222222222};
  storage.write({1, 2, 64}, words.data(), 16);
  storage.write_masked({1, 2, 64}, words.data(), 16, 0xffff);
  storage.write_masked({1, 2, 64}, &words[1], 8, 0);
  storage.write_masked({1, 2, 72}, &words[1], 8, 0x10);
  EXPECT_EQ(storage.changes(), 0u);
  storage.write_masked({1, 2, 64}, &words[1], 8, 0x80);
  EXPECT_EQ(storage.changes(), 1u);
  storage.write_masked({1, 2, 64}, words.data(), 16, 0xffff);
  EXPECT_EQ(storage.changes(), 2u);
  std::array<std::uint64_t, 3> wide = {words[0], words[1], 0x3333333333333333};
  storage.write({1, 2, 64}, wide.data(), 24);
  wide[2] ^= 1;
  storage.write_masked({1, 2, 64}, wide.data(), 24, 0xffffff);
  EXPECT_EQ(storage.changes(), 3u);
}

TEST_F(DramStorageTest, CellsThatAreNotThereAreRefused) {
  std::uint64_t word = 0;
  storage.write({1, 2, 504}, &word, 8);
  storage.read({1, 2, 504}, &word, 8);
  EXPECT_THROW(storage.write({1, 2, 505}, &word, 8), ModelError);
  EXPECT_THROW(storage.read({1, 2, 505}, &word, 8), ModelError);
  EXPECT_THROW(storage.read({2, 0, 0}, &word, 8), ModelError);
  EXPECT_THROW(storage.read({0, 3, 0}, &word, 8), ModelError);
}

TEST_F(DramStorageTest, EveryRowOfEveryBankHasCellsOfItsOwn) {
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (std::uint32_t row = 0; row < 3; ++row) {
      const std::uint64_t word = bank * 3 + row;
      for (std::uint32_t column = 0; column < 512; column += 8) storage.write({bank, row, column}, &word, 8);
    }
  }
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (std::uint32_t row = 0; row < 3; ++row) {
      std::uint64_t word = 0;
      storage.read({bank, row, 504}, &word, 8);
      EXPECT_EQ(word, bank * 3 + row);
    }
  }
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The address divider in SystemVerilog against its stages in C++, for each number of partitions.
#include "hw/mem/address_divider.h"

#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"

#include "Vaddress_dividers.h"

namespace g80 {
namespace {

constexpr unsigned kMost = 8, kInterleaveLog = 8, kRowLog = 12;  // as in address_dividers.sv

AddressMap map_of(unsigned partitions, PartitionHash hash) {
  Config config = load_config("tiny");
  config.gpu.num_partitions = partitions;
  config.partition.hash = hash;
  config.partition.interleave_bytes = 1u << kInterleaveLog;
  config.dram.row_bytes = 1u << kRowLog;
  return AddressMap(config);
}

TEST(AddressDividerTwin, GivesWhatTheStagesInCppGive) {
  std::mt19937 random(random_seed());
  std::array<std::vector<AddressMap>, 2> maps;
  for (unsigned i = 0; i < kMost; ++i) {
    maps[0].push_back(map_of(i + 1, PartitionHash::kPlain));
    maps[1].push_back(map_of(i + 1, PartitionHash::kXor));
  }
  Vaddress_dividers model;
  std::vector<std::uint32_t> sent;
  for (unsigned edge = 0; edge < 20'000; ++edge) {
    const auto drawn = static_cast<std::uint32_t>(random());
    const unsigned kind = edge % 4;
    sent.push_back(kind == 0 ? drawn & 0xffff : kind == 1 ? 0 - (drawn & 0xffff) : drawn);
    model.address_i = sent.back();
    model.clk_i = 0;
    model.eval();
    for (unsigned hash = 0; hash < 2; ++hash) {
      for (unsigned i = 0; i < kMost; ++i) {
        const unsigned stages = divider_stages(i + 1);
        if (edge < stages) continue;
        const std::uint32_t address = sent[edge - stages];
        const PartitionAddress expected = divide_address(maps[hash][i], address);
        const unsigned place = hash * kMost + i;
        const std::uint64_t partitions = model.partition_o;
        ASSERT_EQ(partitions >> (3 * place) & 7, expected.partition) << address << " of " << i + 1 << ", hash " << hash;
        ASSERT_EQ(model.local_o[place], expected.local) << address << " of " << i + 1 << ", hash " << hash;
      }
    }
    model.clk_i = 1;
    model.eval();
  }
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The TLB lookup in SystemVerilog against the functions of the tags in C++.
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/cache/cache_tags.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/twins/clock_edge.h"
#include "tests/twins/packed_array.h"

#include "Vtlb_lookups.h"

namespace g80 {
namespace {

constexpr unsigned kMost = 16, kFew = 3, kTagBits = 13;  // as in tlb_lookups.sv

struct Decision {
  bool hit;
  unsigned slot;
};

/// What the machine finds: it notes a use first.
template <std::size_t kWays>
Decision expected(std::array<CacheWay, kWays> set, std::uint32_t line, bool used, unsigned used_slot) {
  if (used) make_youngest<&CacheWay::use_age>(set.data(), kWays, used_slot);
  const unsigned way = matching_way(set.data(), kWays, line);
  return {way != kWays, way != kWays ? way : victim_way(ReplacementPolicy::kLru, set.data(), kWays, 0)};
}

template <std::size_t kWays>
void draw_ages(std::array<CacheWay, kWays>& set, std::mt19937& random) {
  std::array<std::uint8_t, kWays> ages;
  for (unsigned i = 0; i < kWays; ++i) ages[i] = static_cast<std::uint8_t>(i);
  std::shuffle(ages.begin(), ages.end(), random);
  for (unsigned i = 0; i < kWays; ++i) set[i].use_age = ages[i];
}

TEST(TlbLookupTwin, FindsTheEntryThatTheTagsInCppFind) {
  std::mt19937 random(random_seed());
  Vtlb_lookups model;
  std::array<unsigned, 3> seen{};  // hits, empty entries, entries that leave
  for (unsigned edge = 0; edge < 20'000; ++edge) {
    std::array<CacheWay, kMost> most;
    std::array<CacheWay, kFew> few;
    draw_ages(most, random);
    draw_ages(few, random);
    const unsigned empty_one_in = 1 + static_cast<unsigned>(random() % 40);
    for (CacheWay& way : most) {
      way.valid = random() % empty_one_in != 0 || empty_one_in > 30;
      way.line = static_cast<std::uint32_t>(random()) % (random() % 2 ? 40 : 1u << kTagBits);
    }
    for (unsigned i = 0; i < kFew; ++i) {
      few[i].valid = most[i].valid;
      few[i].line = most[i].line;
    }
    const auto line = static_cast<std::uint32_t>(random() % 40);
    const bool used = random() % 2 != 0;
    const auto slot = static_cast<unsigned>(random() % kMost), few_slot = static_cast<unsigned>(random() % kFew);

    model.line_i = static_cast<std::uint16_t>(line);
    model.used_i = used;
    model.used_slot_i = static_cast<std::uint8_t>(slot);
    model.few_used_slot_i = static_cast<std::uint8_t>(few_slot);
    model.valid_i = 0;
    model.age_i = 0;
    model.few_age_i = 0;
    for (unsigned i = 0; i < kMost; ++i) {
      model.valid_i = static_cast<std::uint16_t>(model.valid_i | most[i].valid << i);
      model.age_i |= std::uint64_t{most[i].use_age} << (4 * i);
      testing::put(model.tag_i, kTagBits, i, most[i].line);
    }
    for (unsigned i = 0; i < kFew; ++i)
      model.few_age_i = static_cast<std::uint8_t>(model.few_age_i | few[i].use_age << (2 * i));
    testing::clock_edge(model);

    const Decision of_most = expected(most, line, used, slot), of_few = expected(few, line, used, few_slot);
    ASSERT_EQ(model.hit_o != 0, of_most.hit) << edge;
    ASSERT_EQ(model.slot_o, of_most.slot) << edge;
    ASSERT_EQ(model.few_hit_o != 0, of_few.hit) << edge;
    ASSERT_EQ(model.few_slot_o, of_few.slot) << edge;
    ++seen[of_most.hit ? 0 : most[of_most.slot].valid ? 2 : 1];
  }
  for (const unsigned count : seen) EXPECT_GT(count, 500u);
}

}  // namespace
}  // namespace g80

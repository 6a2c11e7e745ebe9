// SPDX-License-Identifier: Apache-2.0
// The table of a partition's atomics: what it blocks is what overlaps the burst of an atomic that has not been written.
#include "hw/mem/pending_atomics.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tests/support/random_seed.h"

namespace g80 {
namespace {

TEST(PendingAtomics, BlockWhatOverlapsTheirBursts) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (const unsigned burst_bytes : {32u, 64u}) {
    PendingAtomics table;
    struct Plain {
      std::uint32_t burst;
      bool written;
    };
    std::map<unsigned, Plain> plain;  // by place
    unsigned blocked = 0, passed = 0, most = 0;
    for (int step = 0; step < 50'000; ++step) {
      const unsigned bytes = 32u << random() % 3;
      const auto address = static_cast<std::uint32_t>(random() % 8192 / bytes * bytes);
      bool overlaps = false;
      for (const auto& [place, atomic] : plain) {
        overlaps |= !atomic.written && address < atomic.burst + burst_bytes && atomic.burst < address + bytes;
      }
      ASSERT_EQ(table.blocks(address, bytes, burst_bytes), overlaps) << bytes << " bytes at " << address;
      ++(overlaps ? blocked : passed);
      ASSERT_EQ(table.full(), plain.size() == PendingAtomics::kPlaces);
      if (bytes == 32 && !overlaps && !table.full()) {
        const std::uint32_t burst = address & ~(burst_bytes - 1);
        const unsigned place = table.enter(burst);
        ASSERT_TRUE(plain.insert({place, {burst, false}}).second) << "place " << place << " is taken";
      }
      most = std::max<unsigned>(most, static_cast<unsigned>(plain.size()));
      if (plain.empty() || random() % (step % 10'000 < 5000 ? 5 : 2) != 0) continue;
      const auto any = std::next(plain.begin(), static_cast<long>(random() % plain.size()));
      if (any->second.written) {
        table.leave(any->first);
        plain.erase(any);
      } else {
        table.written_back(any->first);
        any->second.written = true;
      }
    }
    EXPECT_GT(blocked, 1000u);
    EXPECT_GT(passed, 1000u);
    EXPECT_EQ(most, PendingAtomics::kPlaces);
  }
}

}  // namespace
}  // namespace g80

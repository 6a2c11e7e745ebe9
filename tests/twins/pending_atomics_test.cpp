// SPDX-License-Identifier: Apache-2.0
// The table of a partition's atomics in SystemVerilog against the one in C++.
#include "hw/mem/pending_atomics.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"

#include "Vpending_atomics.h"

namespace g80 {
namespace {

TEST(PendingAtomicsTwin, BlocksAndPlacesAsInCpp) {
  std::mt19937 random(random_seed());
  Vpending_atomics model;
  model.clk_i = 0;
  model.rst_ni = 0;
  model.eval();
  model.rst_ni = 1;
  PendingAtomics table;
  std::vector<unsigned> reading, replying;  // places: before and behind the write-back
  const auto take = [&random](std::vector<unsigned>& places) {
    std::swap(places[random() % places.size()], places.back());
    const unsigned place = places.back();
    places.pop_back();
    return static_cast<std::uint8_t>(place);
  };
  unsigned blocked = 0, full = 0;
  for (unsigned step = 0; step < 50'000; ++step) {
    const unsigned size = random() % 3, bytes = 32u << size, busy = step % 8000 < 4000 ? 2 : 5;
    const auto address = static_cast<std::uint32_t>(random() % 8192 / bytes * bytes);
    model.leave_i = !replying.empty() && random() % busy == 0;
    model.leave_place_i = model.leave_i != 0 ? take(replying) : 0;
    model.written_i = !reading.empty() && random() % busy == 0;
    model.written_place_i = model.written_i != 0 ? take(reading) : 0;
    model.address_i = address >> 5;
    model.size_i = static_cast<std::uint8_t>(size);
    model.enter_i = 0;
    model.clk_i = 0;
    model.eval();
    // The partition starts nothing at an edge at which an atomic is written back.
    if (model.leave_i != 0) table.leave(model.leave_place_i);
    ASSERT_EQ(model.blocked_o, table.blocks(address, bytes, 32)) << step;
    ASSERT_EQ(model.full_o, table.full()) << step;
    blocked += model.blocked_o;
    full += model.full_o;
    if (model.written_i != 0) {
      table.written_back(model.written_place_i);
      replying.push_back(model.written_place_i);
    } else if (model.full_o == 0 && model.blocked_o == 0 && bytes == 32) {
      model.enter_i = 1;
      model.eval();
      const unsigned place = table.enter(address);
      ASSERT_EQ(model.place_o, place) << step;
      reading.push_back(place);
    }
    model.clk_i = 1;
    model.eval();
  }
  EXPECT_GT(blocked, 1000u);
  EXPECT_GT(full, 1000u);
}

}  // namespace
}  // namespace g80

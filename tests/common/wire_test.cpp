// SPDX-License-Identifier: Apache-2.0
// A wire tells its readers of every change of its bundle, whatever part of it changes.
#include "hw/common/wire.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/support/systemc_test.h"

namespace g80 {

template <std::size_t N>
struct Bytes {
  std::array<std::uint8_t, N> byte{};
  G80_FIELDS(byte);
};

namespace {

using WireTest = testing::SystemCTest;

template <std::size_t N>
void expect_every_byte_counts() {
  Bytes<N> before;
  for (std::size_t i = 0; i < N; ++i) {
    Bytes<N> after = before;
    after.byte[i] ^= 0x10;
    EXPECT_FALSE(wire_detail::same_bytes<N>(&before, &after)) << "byte " << i << " of " << N;
    EXPECT_TRUE(wire_detail::same_bytes<N>(&after, &after));
    before = after;
  }
}

TEST_F(WireTest, AChangeOfAnyByteIsAChange) {
  expect_every_byte_counts<3>();
  expect_every_byte_counts<8>();
  expect_every_byte_counts<9>();
  expect_every_byte_counts<16>();
  expect_every_byte_counts<29>();
  expect_every_byte_counts<64>();
  expect_every_byte_counts<100>();
}

TEST_F(WireTest, ASinkThatIsTakenAwayLeavesTheOther) {
  struct Sink final : TraceSink {
    unsigned told = 0;
    void changed(std::uint32_t) override { ++told; }
  } stays, leaves;
  Wire<Bytes<4>> wire("wire");
  wire.attach_trace(stays, 0);
  wire.attach_trace(leaves, 1);
  wire.detach_trace(leaves);
  wire.write({{1}});
  EXPECT_EQ(stays.told, 1u);
  EXPECT_EQ(leaves.told, 0u);
}

TEST(TraceSinks, EachIsToldAndOneMayTakeItselfOutMeanwhile) {
  struct Sink final : TraceSink {
    unsigned told = 0;
    void changed(std::uint32_t) override { ++told; }
  };
  for (const std::size_t number : {1u, 2u, 3u}) {
    std::vector<Sink> sinks(number);
    TraceWatches watches;
    for (std::uint32_t i = 0; i < number; ++i) watches.add(sinks[i], i);
    const auto tell = [](const TraceWatch& watch) { watch.sink->changed(watch.slot); };
    watches.call_each(tell);
    for (const Sink& sink : sinks) EXPECT_EQ(sink.told, 1u) << number;
    watches.call_each([&](const TraceWatch& watch) {
      tell(watch);
      if (watch.slot == 0) watches.remove(*watch.sink);
    });
    for (const Sink& sink : sinks) EXPECT_EQ(sink.told, 2u) << number;
  }
}

}  // namespace
}  // namespace g80

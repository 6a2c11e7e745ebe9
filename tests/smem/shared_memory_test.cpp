// SPDX-License-Identifier: Apache-2.0
// The banks: words, halves and bytes, sign extension, and one reply per half-warp after its last pass.
#include "hw/smem/shared_memory.h"

#include <numeric>

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using SharedMemoryTest = testing::SystemCTest;

struct SharedMemoryBench {
  explicit SharedMemoryBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), domain("shader", 0, 1000, 1, false), memory("memory", config) {
    memory.pass_i(pass);
    memory.reply_o(reply);
    memory.stored_o(stored);
    memory.start_i(start);
    memory.ended_i(ended);
    domain.add(memory, Rate::kHalf);
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
  }
  void cycle() { sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS)); }
  /// Up to a row of the banks, as the head of a block is written.
  void put_words(unsigned first, const std::vector<std::uint32_t>& words) {
    SmemRequest in;
    in.valid = in.write = in.header = true;
    in.lanes = static_cast<HalfMask>((1u << words.size()) - 1);
    for (unsigned l = 0; l < words.size(); ++l) in.address[l] = static_cast<std::uint16_t>(4 * (first + l));
    std::copy(words.begin(), words.end(), in.data.begin());
    put(in, in.lanes, true);
  }
  void put(const SmemRequest& request, HalfMask lanes, bool last) {
    SmemPass in;
    in.valid = true;
    in.last = last;
    in.lanes = lanes;
    in.request = request;
    pass.write(in);
    cycle();
    pass.write(SmemPass{});
  }
  bool wait() {
    for (unsigned i = 0; i < 40 && !reply.read().valid; ++i) cycle();
    return reply.read().valid;
  }
  Config config;
  Domain domain;
  SharedMemory memory;
  Wire<SmemStart> start{"start"};
  Wire<SmemPass> pass{"pass"};
  Wire<SmemReply> reply{"reply"};
  Wire<bool> stored{"stored"};
  Wire<WarpMask> ended{"ended"};
};

TEST_F(SharedMemoryTest, BytesAndHalvesKeepTheirNeighbours) {
  SharedMemoryBench bench;
  bench.put_words(3, {0x11223344u});
  SmemRequest store;
  store.valid = store.write = true;
  store.bytes = 1;
  store.lanes = 1;
  store.address[0] = 13;
  store.data[0] = 0xabcdef5a;
  bench.put(store, 1, true);
  EXPECT_EQ(bench.memory.read_word(3), 0x11225a44u);
}

TEST_F(SharedMemoryTest, TheWordsOfANewBlockAreUnwritten) {
  SharedMemoryBench bench({"sm.init=poison"});
  bench.put_words(8, {1, 2, 3, 4});
  bench.start.write({true, 9, 2});
  bench.cycle();
  bench.start.write(SmemStart{});
  const std::uint32_t expected[] = {1, 0xdeadbeefu, 0xdeadbeefu, 4};
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bench.memory.read_word(8 + i), expected[i]);
}

TEST_F(SharedMemoryTest, TheFirstWriteToAWordFillsItsOtherBytes) {
  SharedMemoryBench bench({"sm.init=random"});
  const std::uint32_t initial = InitialWords(bench.config).of_shared(9);
  bench.put_words(9, {5});
  SmemRequest store;
  store.valid = store.write = true;
  store.bytes = 1;
  store.lanes = 1;
  store.address[0] = 4 * 9 + 2;
  store.data[0] = 0x5a;
  for (const unsigned count : {1u, 2u}) {  // a new block does not see what the old one wrote
    bench.start.write({true, static_cast<std::uint16_t>(10 - count), static_cast<std::uint16_t>(count)});
    bench.cycle();
    bench.start.write(SmemStart{});
    EXPECT_EQ(bench.memory.read_word(9), initial);
    bench.put(store, 1, true);
    EXPECT_EQ(bench.memory.read_word(9), (initial & 0xff00ffffu) | 0x5a0000u);
  }
}

TEST_F(SharedMemoryTest, EveryWordOfTheBanksIsAmongTheFields) {
  SharedMemoryBench bench;
  bench.put_words(0, {5, 6, 7});
  struct Words final : FieldVisitor {
    Words() : FieldVisitor(true) {}
    std::vector<std::uint64_t> values;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override {
      if (std::string(name) == "word") values.push_back(value);
    }
  } words;
  bench.memory.trace_fields(words);
  ASSERT_GE(words.values.size(), bench.config.sm.shared_bytes / 4);
  EXPECT_EQ(words.values[1], 6u);
}

TEST_F(SharedMemoryTest, TheLastPassOfAStoreIsReportedOnce) {
  SharedMemoryBench bench;
  SmemRequest access;
  access.valid = access.write = true;
  access.lanes = 3;
  access.address[1] = 64;
  bench.put(access, 1, false);
  EXPECT_FALSE(bench.stored.read());
  bench.put(access, 2, true);
  EXPECT_TRUE(bench.stored.read());
  bench.cycle();
  EXPECT_FALSE(bench.stored.read());
  access.write = false;
  bench.put(access, 3, true);
  EXPECT_FALSE(bench.stored.read());
}

TEST_F(SharedMemoryTest, AReplyComesAfterTheLastPassWithEveryLane) {
  SharedMemoryBench bench;
  for (unsigned w = 0; w < 32; w += 16) {
    std::vector<std::uint32_t> row(16);
    std::iota(row.begin(), row.end(), 1000 + w);
    bench.put_words(w, row);
  }
  SmemRequest load;
  load.valid = true;
  load.unit = 5;
  load.lanes = 0xffff;
  for (unsigned l = 0; l < kHalfWarp; ++l) load.address[l] = static_cast<std::uint16_t>(8 * l);
  bench.put(load, 0x00ff, false);
  EXPECT_FALSE(bench.reply.read().valid);
  bench.put(load, 0xff00, true);
  ASSERT_TRUE(bench.wait());
  EXPECT_EQ(bench.reply.read().unit, 5u);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(bench.reply.read().data[l], 1000 + 2 * l);
}

TEST_F(SharedMemoryTest, SignedHalvesAreExtended) {
  SharedMemoryBench bench;
  bench.put_words(0, {0x8001fffeu});
  SmemRequest load;
  load.valid = load.sign_extend = true;
  load.bytes = 2;
  load.lanes = 3;
  load.address[1] = 2;
  bench.put(load, 3, true);
  ASSERT_TRUE(bench.wait());
  EXPECT_EQ(bench.reply.read().data[0], 0xfffffffeu);
  EXPECT_EQ(bench.reply.read().data[1], 0xffff8001u);
}

TEST_F(SharedMemoryTest, ALockingReadTellsWhoGotTheLockUntilAStoreOrTheEndOfTheBlockGivesItBack) {
  SharedMemoryBench bench;
  const auto locked_by = [&](unsigned warp) {
    SmemRequest load;
    load.valid = load.lock = true;
    load.lanes = 3;
    load.address[0] = load.address[1] = 8;
    load.warp = static_cast<std::uint8_t>(warp);
    bench.put(load, 3, true);
    EXPECT_TRUE(bench.wait());
    const HalfMask granted = bench.reply.read().granted;
    bench.cycle();
    return granted;
  };
  EXPECT_EQ(locked_by(0), 1u);
  EXPECT_EQ(locked_by(1), 0u);
  SmemRequest store;
  store.valid = store.write = true;
  store.lanes = 1;
  store.address[0] = 8;
  store.data[0] = 77;
  bench.put(store, 1, true);
  EXPECT_EQ(locked_by(1), 0u) << "a plain store unlocks nothing";
  store.lock = true;
  bench.put(store, 1, true);
  EXPECT_EQ(locked_by(1), 1u);
  EXPECT_EQ(bench.memory.counters().granted[0], 1u);
  EXPECT_EQ(bench.memory.counters().granted[1], 1u);
  EXPECT_EQ(bench.memory.read_word(2), 77u);
  bench.ended.write(WarpMask{1} << 1);
  bench.cycle();
  bench.ended.write(0);
  EXPECT_EQ(locked_by(0), 1u);
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The coalescing rules on hand-made half-warps, against a byte-for-byte check on random ones, and the clocked block.
#include "hw/mem/coalescer.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "tb/check/sleep_check.h"
#include "tb/machine/random_state.h"
#include "tests/support/random_seed.h"
#include "tests/support/reset_check.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

HalfWarpAccess access_of(unsigned bytes, std::uint32_t base, std::uint32_t stride, HalfMask lanes = 0xffff) {
  HalfWarpAccess access;
  access.valid = true;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.lanes = lanes;
  for (unsigned lane = 0; lane < kHalfWarp; ++lane) access.address[lane] = base + lane * stride;
  return access;
}

std::vector<Transaction> all(const HalfWarpAccess& access, bool segment_rule, bool share_words = true) {
  std::vector<Transaction> list;
  for (HalfMask pending = access.lanes; pending != 0;) {
    list.push_back(coalesce(access, pending, segment_rule, share_words));
    pending = static_cast<HalfMask>(pending & ~list.back().lanes);
  }
  return list;
}

void expect_one(const HalfWarpAccess& access, bool segment_rule, std::uint32_t address, unsigned bytes) {
  const auto list = all(access, segment_rule);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].address, address);
  EXPECT_EQ(list[0].bytes, bytes);
  EXPECT_EQ(list[0].lanes, access.lanes);
}

TEST(StrictRule, AlignedConsecutiveWordsAreOneTransaction) {
  expect_one(access_of(4, 0x1000, 4), false, 0x1000, 64);
  expect_one(access_of(8, 0x1080, 8), false, 0x1080, 128);
}
TEST(StrictRule, SixteenByteWordsTakeTwo) {
  const auto list = all(access_of(16, 0x1000, 16), false);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].address, 0x1000u);
  EXPECT_EQ(list[0].lanes, 0x00ff);
  EXPECT_EQ(list[1].address, 0x1080u);
  EXPECT_EQ(list[1].bytes, 128);
  EXPECT_EQ(list[1].lanes, 0xff00);
}
TEST(StrictRule, MissingLanesStillCoalesceToTheWholeSegment) {
  expect_one(access_of(4, 0x1000, 4, 0x8421), false, 0x1000, 64);
  expect_one(access_of(4, 0x1000, 4, 0x0100), false, 0x1000, 64);
}
TEST(StrictRule, AMisalignedHalfWarpSendsOneSectorPerLane) {
  const auto list = all(access_of(4, 0x1004, 4), false);
  ASSERT_EQ(list.size(), 16u);
  for (unsigned lane = 0; lane < 16; ++lane) {
    EXPECT_EQ(list[lane].lanes, 1u << lane);
    EXPECT_EQ(list[lane].bytes, 32);
    EXPECT_EQ(list[lane].address, (0x1004 + 4 * lane) & ~31u);
  }
}
TEST(StrictRule, PermutedLanesAreNotCoalesced) {
  HalfWarpAccess access = access_of(4, 0x1000, 4);
  std::swap(access.address[3], access.address[4]);
  EXPECT_EQ(all(access, false).size(), 16u);
}
TEST(StrictRule, LanesThatReadOneWordShareASector) {
  expect_one(access_of(4, 0x64, 0), false, 0x60, 32);
  EXPECT_EQ(all(access_of(4, 0x64, 0), false, false).size(), 16u) << "not shared";
  HalfWarpAccess access = access_of(4, 0x40, 0, 0xfffe);
  for (const unsigned lane : {2u, 7u, 15u}) access.address[lane] = 0x44;  // the same sector
  const auto list = all(access, false);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].lanes, 0x7f7a);
  EXPECT_EQ(list[1].lanes, 0x8084);
  EXPECT_EQ(list[1].address, 0x40u);
  EXPECT_EQ(list[1].bytes, 32);
}
TEST(StrictRule, WritesAndAtomicsToOneWordAreNotShared) {
  for (const MemOp op : {MemOp::kWrite, MemOp::kReduce, MemOp::kAtomic}) {
    HalfWarpAccess access = access_of(4, 0x40, 0);
    access.op = op;
    EXPECT_EQ(all(access, false).size(), 16u);
  }
}
TEST(StrictRule, BytesAndHalvesNeverCoalesce) {
  EXPECT_EQ(all(access_of(1, 0x1000, 1), false).size(), 16u);
  EXPECT_EQ(all(access_of(2, 0x1000, 2), false).size(), 16u);
}
TEST(StrictRule, AlignmentIsToSixteenWords) {
  EXPECT_TRUE(is_coalesced(access_of(8, 0x1080, 8)));
  EXPECT_FALSE(is_coalesced(access_of(8, 0x1040, 8)));
  EXPECT_FALSE(is_coalesced(access_of(16, 0x1080, 16)));
}
TEST(StrictRule, ALaneAloneIsCoalescedWhereItStands) {
  EXPECT_TRUE(is_coalesced(access_of(4, 0x1000, 4, 0x0001)));
  EXPECT_TRUE(is_coalesced(access_of(4, 0x1000, 4, 0x8000)));
  EXPECT_FALSE(is_coalesced(access_of(4, 0x1000, 4, 0)));
}
TEST(MakeRequest, ARequestIsThatOfItsAccess) {
  HalfWarpAccess access = access_of(4, 0x1000, 4);
  access.op = MemOp::kReduce;
  access.client = MemClient::kLocal;
  access.id = 37;
  access.half = 1;
  access.atom_op = 5;
  access.atom_signed = true;
  access.origin.tag.bits = 0x1234567;
  access.origin.pc = 0x88;
  MemRequest request;
  request.address = 77;
  make_request(access, coalesce(access, 0x0010, false, true), request);
  EXPECT_TRUE(request.valid);
  EXPECT_EQ(request.op, MemOp::kReduce);
  EXPECT_EQ(request.client, MemClient::kLocal);
  EXPECT_EQ(request.id, 37);
  EXPECT_EQ(request.half, 1);
  EXPECT_EQ(request.lanes, 0x0010);
  EXPECT_EQ(request.bytes, 32);
  EXPECT_EQ(request.atom_op, 5);
  EXPECT_TRUE(request.atom_signed);
  EXPECT_EQ(request.atom_bytes, 4);
  EXPECT_EQ(request.origin, access.origin);
  EXPECT_EQ(request.virtual_address, 0x1000u);
  EXPECT_EQ(request.address, 0u) << "before translation";
}
TEST(SegmentRule, OrderDoesNotMatter) {
  HalfWarpAccess access = access_of(4, 0x1000, 4);
  std::reverse(access.address.begin(), access.address.end());
  expect_one(access, true, 0x1000, 64);
}
TEST(SegmentRule, MisalignedInsideASegmentIsOne128) { expect_one(access_of(4, 0x1004, 4), true, 0x1000, 128); }
TEST(SegmentRule, MisalignedAcrossSegmentsIs64And32) {
  const auto list = all(access_of(4, 0x1044, 4), true);  // 0x1044 .. 0x1083
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].address, 0x1040u);
  EXPECT_EQ(list[0].bytes, 64);
  EXPECT_EQ(list[1].address, 0x1080u);
  EXPECT_EQ(list[1].bytes, 32);
}
TEST(SegmentRule, OneWordForAllLanesIsOneSector) { expect_one(access_of(4, 0x1064, 0), true, 0x1060, 32); }
TEST(SegmentRule, SegmentSizeFollowsTheWord) {
  expect_one(access_of(1, 0x1000, 1), true, 0x1000, 32);
  EXPECT_EQ(all(access_of(1, 0x1000, 4), true).size(), 2u);
  expect_one(access_of(2, 0x1000, 4), true, 0x1000, 64);
  EXPECT_EQ(all(access_of(2, 0x1000, 8), true).size(), 2u);
}
TEST(Atomics, EveryLaneIsATransaction) {
  HalfWarpAccess access = access_of(4, 0x1000, 4, 0x0f0f);
  for (const MemOp op : {MemOp::kAtomic, MemOp::kReduce}) {
    access.op = op;
    EXPECT_EQ(all(access, false).size(), 8u);
    EXPECT_EQ(all(access, true).size(), 8u);
  }
}
TEST(Atomics, OperandsAndWordTravel) {
  HalfWarpAccess access = access_of(8, 0x1008, 8);
  access.op = MemOp::kAtomic;
  access.data[2] = {1, 2, 3, 4};
  MemRequest request;
  make_request(access, coalesce(access, 0xfffc, false, true), request);
  EXPECT_EQ(request.virtual_address, 0x1000u);
  EXPECT_EQ(request.byte_enable[0], 0xffull << 24);
  EXPECT_EQ(request.atom_bytes, 8);
  EXPECT_EQ(request.data[0], 1u);
  EXPECT_EQ(request.data[3], 4u);
}

/// The rules of the programming guide in its own words: a transaction, and what is left.
Transaction by_the_guide(const HalfWarpAccess& access, HalfMask pending, bool segment_rule) {
  std::vector<unsigned> waiting;
  for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
    if ((pending >> lane & 1) != 0) waiting.push_back(lane);
  }
  std::uint32_t size = 32;
  if (segment_rule) size = std::min(32u * access.bytes, 128u);
  if (!segment_rule && is_coalesced(access)) size = std::min(16u * access.bytes, 128u);
  std::uint32_t low = access.address[waiting[0]] / size * size, high = low + size;
  HalfMask lanes = 0;
  std::uint32_t first = high, end = low;
  for (const unsigned lane : waiting) {
    const std::uint32_t address = access.address[lane];
    if (address < low || address >= high) continue;
    if (!segment_rule && !is_coalesced(access)) {  // lane by lane; those that read the very word of the first share it
      if (lane != waiting[0] && (address != access.address[waiting[0]] || access.op != MemOp::kRead)) continue;
    }
    lanes = static_cast<HalfMask>(lanes | 1u << lane);
    first = std::min(first, address);
    end = std::max(end, address + access.bytes);
  }
  while (segment_rule && high - low > 32) {  // reduced to the half that is used alone
    const std::uint32_t middle = (low + high) / 2;
    if (first < middle && end > middle) break;
    (end <= middle ? high : low) = middle;
  }
  return {low, static_cast<std::uint8_t>(high - low), lanes};
}

TEST(Coalesce, RandomAccessesMakeTheTransactionsOfTheGuide) {
  const unsigned seed = random_seed() + 2;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 40'000; ++trial) {
    const bool segment_rule = trial % 2 != 0;
    HalfWarpAccess access;
    access.op = trial % 4 < 2 ? MemOp::kWrite : MemOp::kRead;
    access.bytes = static_cast<std::uint8_t>(1u << random() % 5);
    access.lanes = static_cast<HalfMask>(random() % 3 == 0 ? 0xffff : random());
    const std::uint32_t span = 1u << (2 + random() % 10),
                        base = static_cast<std::uint32_t>(random() % 64) * access.bytes;
    for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
      access.address[lane] = base + static_cast<std::uint32_t>(random() % span) * access.bytes;
      if (trial % 5 == 0) access.address[lane] = 0x400 + lane * access.bytes;
      if (trial % 5 == 1) access.address[lane] = base + lane * access.bytes;
    }
    for (HalfMask pending = access.lanes; pending != 0;) {
      const Transaction is = coalesce(access, pending, segment_rule, true);
      const Transaction wanted = by_the_guide(access, pending, segment_rule);
      ASSERT_EQ(is.address, wanted.address) << trial;
      ASSERT_EQ(is.bytes, wanted.bytes) << trial;
      ASSERT_EQ(is.lanes, wanted.lanes) << trial;
      pending = static_cast<HalfMask>(pending & ~is.lanes);
      MemRequest request;
      make_request(access, is, request);
      ASSERT_EQ(request.atom_bytes, 4) << "of what is no atomic";
      MemRequest used;  // the place of another request
      used.byte_enable.fill(~std::uint64_t{0});
      used.data.fill(~0u);
      make_request(access, is, used);
      ASSERT_EQ(used.byte_enable, request.byte_enable);
      ASSERT_EQ(used.data, request.data);
    }
  }
}

// A half-warp's bytes after its transactions must be what its lanes asked for, whatever the rule.
TEST(Coalesce, RandomAccessesServeEveryLaneOnceAndMoveTheRightBytes) {
  const unsigned seed = random_seed() + 1;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 20'000; ++trial) {
    const bool segment_rule = trial % 2 != 0;
    HalfWarpAccess access;
    access.op = MemOp::kWrite;
    access.bytes = static_cast<std::uint8_t>(1u << random() % 5);
    access.lanes = static_cast<HalfMask>(random() % 3 == 0 ? 0xffff : random());
    const std::uint32_t span = 1u << (4 + random() % 8);
    std::map<std::uint32_t, std::uint8_t> wanted, sent;
    for (unsigned lane = 0; lane < kHalfWarp; ++lane) {
      access.address[lane] = static_cast<std::uint32_t>(random() % span) * access.bytes;
      if (trial % 5 == 0) access.address[lane] = 0x400 + lane * access.bytes;
      for (auto& word : access.data[lane]) word = static_cast<std::uint32_t>(random());
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(access.data[lane].data());
      for (unsigned i = 0; i < access.bytes && (access.lanes >> lane & 1) != 0; ++i) {
        wanted[access.address[lane] + i] = bytes[i];
      }
    }
    unsigned served = 0;
    for (const Transaction& transaction : all(access, segment_rule)) {
      ASSERT_EQ(served & transaction.lanes, 0u);
      served |= transaction.lanes;
      ASSERT_EQ(transaction.address % transaction.bytes, 0u);
      MemRequest request;
      make_request(access, transaction, request);
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(request.data.data());
      for (unsigned i = 0; i < kMaxTransactionBytes; ++i) {
        if ((request.byte_enable[i / 64] >> i % 64 & 1) == 0) continue;
        ASSERT_LT(i, request.bytes);
        sent[request.virtual_address + i] = bytes[i];
      }
    }
    ASSERT_EQ(served, access.lanes);
    ASSERT_EQ(sent.size(), wanted.size());
    // Lanes that share a byte race when they are in different transactions; then any of their values may win last.
    if (segment_rule || is_coalesced(access)) {
      ASSERT_EQ(sent, wanted);
    }
  }
}

TEST(Coalesce, TheLastByteOfABlockIsEnabledThere) {
  for (const std::uint32_t offset : {63u, 64u, 127u}) {
    HalfWarpAccess access;
    access.op = MemOp::kWrite;
    access.bytes = 1;
    access.lanes = 1;
    access.address[0] = 0x1000 + offset;
    Transaction transaction;
    transaction.address = 0x1000;
    transaction.bytes = 128;
    transaction.lanes = 1;
    MemRequest request;
    make_request(access, transaction, request);
    EXPECT_EQ(request.byte_enable[offset / 64], std::uint64_t{1} << offset % 64);
    EXPECT_EQ(request.byte_enable[1 - offset / 64], 0u);
  }
}

struct CoalescerTest : testing::SystemCTest {
  Config config = load_config("tiny");
  Domain core{"core", 0, 1000, 2, false};
  CrossingFifo<HalfWarpAccess> accesses{"accesses", nullptr, &core, 16, 1};
  Wire<MemRequest> request{"request"};
  Wire<bool> ready{"ready"}, idle{"idle"};
  std::unique_ptr<Coalescer> coalescer;
  std::vector<std::pair<Cycle, MemRequest>> sent;

  std::unique_ptr<RandomState> random_state;
  std::unique_ptr<SleepCheck> sleep_check;

  void build(bool checked = true) {
    coalescer = std::make_unique<Coalescer>("coalescer", config, 3, 1);
    coalescer->access_i(accesses);
    coalescer->request_o(request);
    coalescer->request_ready_i(ready);
    coalescer->idle_o(idle);
    core.add(*coalescer);
    random_state =
        std::make_unique<RandomState>(std::vector<Domain*>{&core}, 7, false);  // what holds nothing holds any bits
    if (checked) sleep_check = std::make_unique<SleepCheck>(std::vector<Domain*>{&core});
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  // Between edges: what the next edge will transfer is what the wires show now.
  void run(unsigned edges) {
    for (unsigned i = 0; i < edges; ++i) {
      if (request.read().valid && ready.read())
        sent.emplace_back(++now, request.read());
      else
        ++now;
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    }
  }
  Cycle now = 0;
};

TEST_F(CoalescerTest, AResetInTheMiddleLeavesNothing) {
  build(false);
  const testing::ResetCheck check({coalescer.get()});
  ready.write(true);
  for (unsigned i = 0; i < 8; ++i) accesses.push(access_of(4, 0x1004, 4));
  run(10);
  ready.write(false);
  run(2);
  EXPECT_FALSE(idle.read());
  EXPECT_GT(coalescer->counters().transactions, 0u);
  check.expect_fresh();
  EXPECT_TRUE(idle.read());
  testing::expect_none_counted(coalescer->counters());
}

TEST_F(CoalescerTest, AProfileIsToldOfEachTransaction) {
  struct Profile final : TransactionObserver {
    void transaction(std::uint32_t pc) override { pcs.push_back(pc); }
    std::vector<std::uint32_t> pcs;
  } profile;
  build();
  coalescer->attach_profile(&profile);
  ready.write(true);
  HalfWarpAccess access = access_of(4, 0x1004, 4);
  access.origin.pc = 0x48;
  accesses.push(access);
  run(30);
  EXPECT_EQ(profile.pcs, std::vector<std::uint32_t>(16, 0x48));
}

TEST_F(CoalescerTest, UncoalescedLanesLeaveOnePerCycleInLaneOrder) {
  build();
  run(5);
  ready.write(true);
  HalfWarpAccess access = access_of(4, 0x1004, 4);
  access.origin.pc = 0x48;
  accesses.push(access);
  run(30);
  ASSERT_EQ(sent.size(), 16u);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(sent[i].first, sent[0].first + i);
    EXPECT_EQ(sent[i].second.lanes, 1u << i);
    EXPECT_EQ(sent[i].second.op, MemOp::kRead);
    EXPECT_EQ(sent[i].second.origin.pc, 0x48u);
    EXPECT_EQ(sent[i].second.port, 3);
    EXPECT_EQ(sent[i].second.sm_in_tpc, 1);
  }
  EXPECT_EQ(coalescer->counters().gld_incoherent, 1u);
  EXPECT_EQ(coalescer->counters().gld_32b, 16u);
  EXPECT_EQ(coalescer->counters().bytes, 512u);
  EXPECT_TRUE(idle.read());
}
TEST_F(CoalescerTest, TheConfiguredRateSpacesTransactions) {
  config.coalescer.cycles_per_transaction = 3;
  build();
  run(5);
  ready.write(true);
  accesses.push(access_of(4, 0x1004, 4));
  run(80);
  ASSERT_EQ(sent.size(), 16u);
  EXPECT_EQ(sent[15].first - sent[0].first, 45u);
}
TEST_F(CoalescerTest, ABlockedOutputLosesNothing) {
  build();
  run(5);
  for (int i = 0; i < 4; ++i) accesses.push(access_of(4, 0x1004 + 0x100 * i, 4));
  run(50);
  EXPECT_TRUE(sent.empty());
  EXPECT_FALSE(idle.read());
  for (int i = 0; i < 40; ++i) {
    ready.write(i % 3 == 0);
    run(4);
  }
  ready.write(true);
  run(100);
  ASSERT_EQ(sent.size(), 64u);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(sent[i].second.virtual_address, (0x1004 + i / 16 * 0x100 + i % 16 * 4) & ~31u);
}
TEST_F(CoalescerTest, CountersTellLoadsStoresLocalAndAtomicsApart) {
  build();
  run(5);
  ready.write(true);
  HalfWarpAccess access = access_of(4, 0x1000, 4);
  accesses.push(access);
  access.op = MemOp::kWrite;
  accesses.push(access);
  access.client = MemClient::kLocal;
  accesses.push(access);
  access.op = MemOp::kRead;
  accesses.push(access);
  access.client = MemClient::kGlobal;
  access.op = MemOp::kReduce;
  accesses.push(access);
  run(60);
  const auto& counters = coalescer->counters();
  EXPECT_EQ(counters.half_warps, 5u);
  EXPECT_EQ(counters.gld_coherent, 1u);
  EXPECT_EQ(counters.gld_64b, 1u);
  EXPECT_EQ(counters.gst_coherent, 1u);
  EXPECT_EQ(counters.gst_64b, 1u);
  EXPECT_EQ(counters.local_store, 1u);
  EXPECT_EQ(counters.local_load, 1u);
  EXPECT_EQ(counters.local_load_transactions, 1u);
  EXPECT_EQ(counters.atomics, 1u);
  EXPECT_EQ(counters.atomic_transactions, 16u);
  EXPECT_EQ(counters.transactions, 20u);
  access.op = MemOp::kRead;
  access.bytes = 8;
  for (unsigned lane = 0; lane < kHalfWarp; ++lane) access.address[lane] = 0x2000 + 8 * lane;
  accesses.push(access);
  run(20);
  EXPECT_EQ(counters.gld_128b, 1u);
}
TEST_F(CoalescerTest, BySegmentsAHalfWarpOfOneTransactionIsCoherentAndOneOfTwoIfItsWordsHave16Bytes) {
  config = load_config("gtx280");
  build();
  run(5);
  ready.write(true);
  const auto& counters = coalescer->counters();
  struct Case {
    unsigned bytes, stride;
    bool coherent;
  };
  for (const Case& one : {Case{4, 4, true}, Case{4, 16, false}, Case{8, 8, true}, Case{8, 16, false},
                          Case{16, 16, true}, Case{16, 32, false}}) {
    const auto before = counters;
    accesses.push(access_of(one.bytes, 0x1000, one.stride));
    run(20);
    EXPECT_EQ(counters.gld_coherent - before.gld_coherent, one.coherent ? 1u : 0u) << one.bytes << " " << one.stride;
    EXPECT_EQ(counters.gld_incoherent - before.gld_incoherent, one.coherent ? 0u : 1u);
  }
  const std::uint64_t before = counters.gld_incoherent, transactions = counters.transactions;
  accesses.push(access_of(16, 0x1040, 16));
  run(20);
  EXPECT_EQ(counters.transactions - transactions, 3u);
  EXPECT_EQ(counters.gld_incoherent - before, 1u);
}
TEST_F(CoalescerTest, SleepsWhenItHasNothingToDo) {
  build(false);
  run(5);
  ready.write(true);
  accesses.push(access_of(4, 0x1004, 4));
  run(30);
  const std::uint64_t before = core.activations();
  run(100);
  EXPECT_EQ(core.activations(), before);
}
TEST_F(CoalescerTest, IsBusyWhileARequestWaitsOrAnAccessComes) {
  build();
  run(5);
  EXPECT_TRUE(idle.read());
  accesses.push(access_of(4, 0x1000, 4));
  run(20);
  EXPECT_FALSE(idle.read()) << "its only request is not taken";
  ready.write(true);
  run(5);
  EXPECT_TRUE(idle.read());
  accesses.push(access_of(4, 0x1000, 4, 0));
  unsigned busy = 0;
  for (int i = 0; i < 10; ++i) run(1), busy += !idle.read();
  EXPECT_EQ(busy, 1u) << "an access without lanes";
}
TEST_F(CoalescerTest, CountersKeepControlStacksApart) {
  build();
  run(5);
  ready.write(true);
  HalfWarpAccess access = access_of(8, 0x1008, 0, 1);
  access.client = MemClient::kStack;
  accesses.push(access);
  access.op = MemOp::kWrite;
  accesses.push(access);
  run(60);
  const auto& counters = coalescer->counters();
  EXPECT_EQ(counters.half_warps, 2u);
  EXPECT_EQ(counters.transactions, 2u);
  EXPECT_EQ(counters.stack_transactions, 2u);
  EXPECT_EQ(counters.bytes, 64u);
  EXPECT_EQ(counters.gld_coherent + counters.gld_incoherent + counters.gst_coherent + counters.gst_incoherent, 0u);
  EXPECT_EQ(counters.gld_32b + counters.gst_32b + counters.local_load + counters.local_store, 0u);
}
TEST_F(CoalescerTest, AnAccessWithoutLanesVanishes) {
  build();
  run(5);
  ready.write(true);
  accesses.push(access_of(4, 0x1000, 4, 0));
  accesses.push(access_of(4, 0x2000, 4));
  run(20);
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].second.virtual_address, 0x2000u);
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Addresses of memory operands: offset, $a, post-increment, 16-bit wrap, and whose $a it is. And the clocked block:
// what each instruction sends where, what it reports, and which addresses fault.
#include "hw/exec/address_unit.h"

#include "tb/golden/semantics.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/reset_check.h"
#include "tests/support/step_count.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

struct Formed {
  AddressLanes lanes;
  std::array<std::uint32_t, kHalfWarp> address{};
  Formed(const std::string& text, isa::OperandKind kind, std::uint32_t a0, std::uint32_t step) {
    const FetchedInstruction fetched = test::fetched(text);
    for (unsigned l = 0; l < kHalfWarp; ++l) lanes.addr[l] = lanes.base[l] = a0 + step * l;
    for (const isa::Operand& operand : fetched.decoded().insn.src) {
      if (operand.kind == kind) lane_addresses(operand, fetched.decoded().insn, lanes, address.data());
    }
  }
};

TEST(LaneAddresses, AddTheOffsetToTheAddressRegister) {
  const Formed f("mov b32 $r1 b32 s[$a2+0x24]", isa::OperandKind::kShared, 0x100, 8);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], 0x124 + 8 * l);
}
TEST(LaneAddresses, WithoutAnAddressRegisterAreTheSameInAllLanes) {
  const Formed f("mov b32 $r1 b32 s[0x24]", isa::OperandKind::kShared, 0x100, 8);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], 0x24u);
}
TEST(LaneAddresses, OfAPostIncrementAreTheOldAddressRegister) {
  const Formed f("mov b32 $r1 b32 s[$a2++0x4]", isa::OperandKind::kShared, 0x100, 8);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], 0x100 + 8 * l);
}
TEST(LaneAddresses, WrapAtSixteenBits) {
  const Formed f("ld $r1 b32 s[$a1+0x20]", isa::OperandKind::kShared, 0xfff0, 4);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], (0x10010 + 4 * l) & 0xffff);
}
TEST(LaneAddresses, OfAConstantBesideASharedOperandAreDirect) {
  const Formed f("add b32 $r1 b32 s[$a1+0x10] c1[0x40]", isa::OperandKind::kConst, 0x100, 8);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], 0x40u);
}
TEST(LaneAddresses, OfGlobalMemoryAreTheRegister) {
  const Formed f("ld b32 $r1 g14[$r2]", isa::OperandKind::kReg, 0xfffffff0, 4);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(f.address[l], 0xfffffff0 + 4 * l);
}

/// The block as SM 5, the second of its TPC, with wires in the place of its neighbours. Warp 3 has s[] from 0x400 on.
struct AddressBench {
  Config config;
  Domain domain{"shader", 0, 1000, 1, false};
  AddressUnit unit;
  Wire<LaunchState> launch{"launch"};
  Wire<WarpStart> start{"start"};
  Wire<AddressDispatch> dispatch{"dispatch"};
  Wire<AddressLanes> operands{"operands"};
  Wire<SmemFill> fill{"fill"};
  Wire<bool> fill_ready{"fill_ready"}, busy{"busy"};
  Wire<StackAccess> stack{"stack"};
  Wire<bool> stack_ready{"stack_ready"}, smem_ready{"smem_ready"}, const_ready{"const_ready"}, stored{"stored"};
  Wire<LoadFreed> load_freed{"load_freed"};
  Wire<SmemRequest> smem{"smem"};
  Wire<ConstRequest> constant{"constant"};
  Wire<LoadOpen> open{"open"};
  Wire<LoadLanes> lanes{"lanes"};
  Wire<AddrIncrement> increment{"increment"};
  Wire<StoreDone> done{"done"};
  Wire<WarpMask> freed{"freed"}, answered{"answered"};
  Wire<Credits> credit{"credit"};
  Wire<KernelFault> fault{"fault"};
  CrossingFifo<HalfWarpAccess> access{"access", &domain, nullptr, 16, 1};
  CrossingFifo<TexRequest> tex{"tex", &domain, nullptr, 4, 1};
  LaunchState state;

  explicit AddressBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), unit("unit", config, 5, 1) {
    unit.launch_i(launch);
    unit.start_i(start);
    unit.dispatch_i(dispatch);
    unit.operands_i(operands);
    unit.fill_i(fill);
    unit.fill_ready_o(fill_ready);
    unit.stack_i(stack);
    unit.stack_ready_o(stack_ready);
    unit.smem_ready_i(smem_ready);
    unit.const_ready_i(const_ready);
    unit.load_freed_i(load_freed);
    unit.smem_stored_i(stored);
    unit.smem_o(smem);
    unit.const_o(constant);
    unit.open_o(open);
    unit.lanes_o(lanes);
    unit.increment_o(increment);
    unit.done_o(done);
    unit.freed_o(freed);
    unit.answered_o(answered);
    unit.credit_o(credit);
    unit.fault_o(fault);
    unit.busy_o(busy);
    unit.access_o(access);
    unit.tex_o(tex);
    domain.add(unit, Rate::kHalf);
    state.global[14] = {true, 0x10000, 0xfff};
    state.const_bank[1] = {true, 0x20000, 0x100};
    state.local_bytes = 64;
    state.local_base = 0x800000;
    state.stack_base = 0x900000;
    state.stack_depth = 32;
  }
  void begin() {
    sc_core::sc_start(sc_core::sc_time(4500, sc_core::SC_PS));
    launch.write(state);
    smem_ready.write(true);
    const_ready.write(true);
    WarpStart warp;
    warp.valid = true;
    warp.warp = 3;
    warp.shared_base = 0x400;
    warp.shared_bytes = 0x200;
    start.write(warp);
    cycle();
    start.write(WarpStart{});
  }
  void cycle(unsigned count = 1) { sc_core::sc_start(sc_core::sc_time(2 * count, sc_core::SC_NS)); }
  /// A dispatch with the operands of all lanes.
  struct Order : AddressDispatch {
    LaneWords base{}, data[4]{};  // `base` is $a too
  };
  /// Lane l has `first` + l * `step` as its $a and its address register, and words that tell lane and number as data.
  static Order order(const std::string& text, std::uint32_t first, std::uint32_t step, LaneMask lanes = ~LaneMask{0}) {
    Order out;
    out.valid = true;
    out.warp = 3;
    out.unit = 6;
    out.operands = true;
    out.fetched = test::fetched(text, 0x48);
    out.tag.bits = 0x1234567;
    out.lanes = lanes;
    for (unsigned l = 0; l < kWarpSize; ++l) {
      out.base[l] = first + l * step;
      for (unsigned i = 0; i < 4; ++i) out.data[i][l] = 0x1000 * i + l;
    }
    return out;
  }
  void show(const Order& what, unsigned half) {
    AddressLanes out;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      const unsigned lane = kHalfWarp * half + l;
      out.base[l] = what.base[lane];
      out.addr[l] = what.base[lane] & 0xffff;
      for (unsigned i = 0; i < 4; ++i) out.data[i][l] = what.data[i][lane];
    }
    operands.write(out);
  }
  /// The first half-warp with lanes comes with the dispatch; after this, the other one is on the port.
  void send(const Order& what) {
    dispatch.write(what);
    show(what, (what.lanes & 0xffffu) != 0 ? 0 : 1);
    cycle();
    dispatch.write(AddressDispatch{});
    show(what, 1);
  }
  /// An access whose address is in the instruction.
  void send_direct(const std::string& text, LaneMask mask, bool is_constant = false) {
    Order out = order(text, 0x1234, 0, mask);
    out.operands = false;
    out.constant = is_constant;
    send(out);
  }
  HalfWarpAccess next_access() {
    for (int i = 0; i < 40 && !access.available(); ++i) cycle();
    EXPECT_TRUE(access.available());
    if (!access.available()) return {};
    const HalfWarpAccess out = access.front();
    access.pop();
    return out;
  }
  void expect_origin(const Origin& origin) const {
    EXPECT_EQ(origin.tag.bits, 0x1234567u);
    EXPECT_EQ(origin.sm, 5);
    EXPECT_EQ(origin.warp, 3);
    EXPECT_EQ(origin.pc, 0x48u);
  }
};

using AddressUnitTest = testing::SystemCTest;

TEST_F(AddressUnitTest, AStoreToGlobalMemoryLeavesAsTwoHalfWarpsAndIsDone) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 g14[$r2] $r3", 0x40, 8));
  const std::uint8_t credit = bench.credit.read().memory;
  for (unsigned half = 0; half < 2; ++half) {
    const HalfWarpAccess out = bench.next_access();
    EXPECT_TRUE(out.valid);
    EXPECT_EQ(out.op, MemOp::kWrite);
    EXPECT_EQ(out.client, MemClient::kGlobal);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.lanes, 0xffff);
    EXPECT_EQ(out.bytes, 4);
    bench.expect_origin(out.origin);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      EXPECT_EQ(out.address[l], 0x10040 + 8 * (kHalfWarp * half + l));
      EXPECT_EQ(out.data[l][0], kHalfWarp * half + l);
    }
  }
  EXPECT_TRUE(bench.done.read().valid);
  EXPECT_EQ(bench.done.read().warp, 3);
  EXPECT_EQ(bench.done.read().lanes, ~LaneMask{0});
  EXPECT_EQ(bench.done.read().tag.bits, 0x1234567u);
  EXPECT_EQ(bench.freed.read(), WarpMask{1} << 6);
  EXPECT_EQ(static_cast<std::uint8_t>(bench.credit.read().memory - credit), 1);
  EXPECT_FALSE(bench.open.read().valid);
  EXPECT_EQ(bench.unit.counters().accesses, 1u);
  bench.cycle(4);
  EXPECT_FALSE(bench.done.read().valid);
  EXPECT_FALSE(bench.access.available());
  EXPECT_TRUE(bench.unit.idle());
}

/// Scheduler cycles between the two half-warps of a load: the lower one has no lanes but the first, the upper one
/// `lanes` with addresses `step` apart from `first` on.
unsigned distance_of_halves(const std::string& set, std::uint32_t first, std::uint32_t step, LaneMask lanes,
                            const char* text = "ld b32 $r3 g14[$r2]") {
  AddressBench bench({set});
  bench.begin();
  AddressBench::Order order = AddressBench::order(text, first - kHalfWarp * step, step, lanes << kHalfWarp | 1);
  order.base[0] = 0;
  bench.send(order);
  bench.next_access();
  unsigned cycles = 0;
  for (; cycles < 200 && !bench.access.available(); ++cycles) bench.cycle();
  EXPECT_EQ(bench.next_access().half, 1);
  return cycles;
}

TEST_F(AddressUnitTest, TheAddressesOfAHalfWarpOutOfOrderLeaveOneByOne) {
  struct Case {
    std::uint32_t first, step;
    LaneMask lanes;
    unsigned addresses;
  };
  const unsigned base = [] {
    testing::SystemCTest::renew_context();
    return distance_of_halves("sm.address_cycles=4", 0x80, 4, 0xffff);
  }();
  for (const Case& one : {Case{0x80, 4, 0x0f31, 1},     // in order, lanes missing
                          Case{0x84, 4, 0xffff, 16},    // from a word on that begins no segment
                          Case{0x84, 4, 0x8421, 4},     //
                          Case{0x80, 8, 0xffff, 16},    // too far apart
                          Case{0x80, 0, 0xffff, 16},    // one word
                          Case{0x84, 4, 0x0010, 1}}) {  // one lane
    for (const unsigned cycles : {0u, 2u, 4u, 8u}) {
      testing::SystemCTest::renew_context();
      EXPECT_EQ(distance_of_halves(fmt::format("sm.address_cycles={}", cycles), one.first, one.step, one.lanes),
                base + cycles / 2 * (one.addresses - 1))
          << one.first << " " << one.step << " " << one.lanes << " " << cycles;
    }
  }
  // Elements of 8 and 16 bytes have segments of 128 and 256 bytes.
  for (const auto& [text, step] : {std::pair{"ld b64 $r4d g14[$r2]", 8u}, {"ld b128 $r4q g14[$r2]", 16u}}) {
    testing::SystemCTest::renew_context();
    EXPECT_EQ(distance_of_halves("sm.address_cycles=4", 0x200, step, 0xffff, text), base);
    testing::SystemCTest::renew_context();
    EXPECT_EQ(distance_of_halves("sm.address_cycles=4", 0x200 + step, step, 0xffff, text), base + 30);
  }
}

TEST_F(AddressUnitTest, ALoadOpensAnEntryAndAHalfWarpWithoutLanesSendsNothing) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0x84, 4, 0xff000000));
  EXPECT_TRUE(bench.open.read().valid);
  EXPECT_EQ(bench.open.read().id, 0);
  EXPECT_EQ(bench.open.read().warp, 3);
  EXPECT_EQ(bench.open.read().lanes, 0xff000000u);
  EXPECT_EQ(bench.open.read().tag.bits, 0x1234567u);
  EXPECT_EQ(bench.open.read().fetched.pc, 0x48u);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().id, 0);
  EXPECT_EQ(bench.lanes.read().half, 1);
  for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(bench.lanes.read().offset[l], (0x84 + 4 * (kHalfWarp + l)) % 128);
  const HalfWarpAccess out = bench.next_access();
  EXPECT_EQ(out.op, MemOp::kRead);
  EXPECT_EQ(out.half, 1);
  EXPECT_EQ(out.lanes, 0xff00);
  EXPECT_EQ(out.id, 0);
  EXPECT_EQ(out.data[15][0], 0u);
  bench.cycle(4);
  EXPECT_FALSE(bench.access.available());
  EXPECT_FALSE(bench.done.read().valid);
  // The entry stays taken until it is freed.
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4, 1));
  EXPECT_EQ(bench.open.read().id, 1);
  bench.load_freed.write({true, 0});
  bench.cycle();
  bench.load_freed.write(LoadFreed{});
  bench.cycle(4);
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4, 1));
  EXPECT_EQ(bench.open.read().id, 0);
}

TEST_F(AddressUnitTest, AtomicsCarryOperationSignAndBothOperands) {
  struct Case {
    const char* text;
    MemOp op;
    isa::AtomOp operation;
    bool is_signed;
  };
  for (const Case& one : {Case{"red add u32 g14[$r2] $r3", MemOp::kReduce, isa::AtomOp::kAdd, false},
                          {"red max s32 g14[$r2] $r3", MemOp::kReduce, isa::AtomOp::kMax, true},
                          {"cas b32 $r7 g14[$r2] $r3 $r4", MemOp::kAtomic, isa::AtomOp::kCas, false}}) {
    renew_context();
    AddressBench bench;
    bench.begin();
    bench.send(AddressBench::order(one.text, 0x40, 4, 0x30));
    EXPECT_EQ(bench.open.read().valid, one.op == MemOp::kAtomic) << one.text;
    const HalfWarpAccess out = bench.next_access();
    EXPECT_EQ(out.op, one.op) << one.text;
    EXPECT_EQ(out.atom_op, static_cast<unsigned>(one.operation)) << one.text;
    EXPECT_EQ(out.atom_signed, one.is_signed) << one.text;
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(out.data[5][i], 0x1000 * i + 5);
  }
}

TEST_F(AddressUnitTest, SharedMemoryGetsItsWarpsPartHalfByHalf) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld $r3 s16 s[$a1+0x20]", 0, 2));
  for (unsigned half = 0; half < 2; ++half) {
    const SmemRequest out = bench.smem.read();
    ASSERT_TRUE(out.valid) << half;
    EXPECT_FALSE(out.write);
    EXPECT_FALSE(out.lock);
    EXPECT_EQ(out.warp, 3);
    EXPECT_EQ(out.unit, 6);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.bytes, 2);
    EXPECT_TRUE(out.sign_extend);
    EXPECT_EQ(out.lanes, 0xffff);
    bench.expect_origin(out.origin);
    for (unsigned l = 0; l < kHalfWarp; ++l) EXPECT_EQ(out.address[l], 0x420 + 2 * (kHalfWarp * half + l));
    bench.cycle();
  }
  EXPECT_FALSE(bench.smem.read().valid);
  EXPECT_EQ(bench.unit.counters().accesses, 0u) << "not to device memory";
}

TEST_F(AddressUnitTest, AStoreToSharedMemoryIsDoneWhenTheBanksHavePerformedIt) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1+0x100] $r3", 0, 4, 0x00010001));
  EXPECT_TRUE(bench.smem.read().write);
  EXPECT_EQ(bench.smem.read().data[0], 0u);
  bench.cycle();
  EXPECT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().data[0], 16u);
  EXPECT_EQ(bench.freed.read(), WarpMask{1} << 6) << "its operands are no longer needed";
  bench.cycle(5);
  EXPECT_FALSE(bench.done.read().valid);
  for (unsigned half = 0; half < 2; ++half) {
    bench.stored.write(true);
    bench.cycle();
    bench.stored.write(false);
    EXPECT_EQ(bench.done.read().valid, half == 1);
    if (half == 0) bench.cycle(3);
  }
  EXPECT_EQ(bench.done.read().lanes, 0x00010001u);
}

TEST_F(AddressUnitTest, AStoreToSharedMemoryWithoutLanesIsDoneOnceAndSendsNothing) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1+0x100] $r3", 0, 4, 0));
  unsigned done = 0;
  for (unsigned i = 0; i < 10; ++i) {
    done += bench.done.read().valid;
    EXPECT_FALSE(bench.smem.read().valid);
    bench.cycle();
  }
  EXPECT_EQ(done, 1u);
}

TEST_F(AddressUnitTest, ConstantsOutsideTheirBankAreLeftOutAndAnswerAtOnceIfAllAre) {
  AddressBench bench;
  bench.begin();
  AddressBench::Order read = AddressBench::order("ld $r3 b32 c1[$a1+0xf0]", 0, 4);  // four words lie in the bank
  read.constant = true;
  bench.send(read);
  ASSERT_TRUE(bench.constant.read().valid);
  EXPECT_EQ(bench.constant.read().id, 6);
  EXPECT_EQ(bench.constant.read().warp, 3);
  EXPECT_EQ(bench.constant.read().bytes, 4);
  EXPECT_FALSE(bench.constant.read().direct);
  EXPECT_EQ(bench.constant.read().lanes, 0xfu);
  bench.expect_origin(bench.constant.read().origin);
  for (unsigned l = 0; l < 4; ++l) EXPECT_EQ(bench.constant.read().address_of(l), 0x200f0 + 4 * l);
  EXPECT_EQ(bench.answered.read(), 0u);
  bench.cycle();
  EXPECT_FALSE(bench.constant.read().valid);
  EXPECT_EQ(bench.answered.read(), WarpMask{1} << 6) << "of the upper half-warp all lie outside";
  bench.cycle(2);
  for (const char* text : {"ld $r3 b32 c1[$a1+0x100]", "ld $r3 b32 c2[$a1]"}) {
    read = AddressBench::order(text, 0, 4);
    read.constant = true;
    bench.send(read);
    for (unsigned half = 0; half < 2; ++half) {
      EXPECT_FALSE(bench.constant.read().valid) << text;
      EXPECT_EQ(bench.answered.read(), WarpMask{1} << 6) << text;
      bench.cycle();
    }
    EXPECT_EQ(bench.answered.read(), 0u) << text;
  }
  bench.send_direct("ld $r3 b32 c1[0x10]", 0xffff00ff, true);
  ASSERT_TRUE(bench.constant.read().valid);
  EXPECT_TRUE(bench.constant.read().direct);
  EXPECT_EQ(bench.constant.read().lanes, 0xffff00ffu);
  EXPECT_EQ(bench.constant.read().address_of(30), 0x20010u);
  bench.cycle();
  EXPECT_FALSE(bench.constant.read().valid);
  EXPECT_FALSE(bench.fault.read().valid) << "such words read 0";
}

TEST_F(AddressUnitTest, APostIncrementWritesTheNewAddressRegisterAHalfWarpACycle) {
  AddressBench bench;
  bench.begin();
  for (const char* text : {"st b32 s[$a1++0x8] $r3", "add b32 $r3 b32 s[$a1++0x8] $r2"}) {
    bench.send(AddressBench::order(text, 0xfffc, 4, 0x80010002));
    for (unsigned half = 0; half < 2; ++half) {
      const AddrIncrement& seen = bench.increment.read();
      ASSERT_TRUE(seen.valid) << text;
      EXPECT_EQ(seen.warp, 3);
      EXPECT_EQ(seen.index, 1);
      EXPECT_EQ(seen.half, half);
      EXPECT_EQ(seen.lanes, half == 0 ? 0x0002 : 0x8001);
      for (unsigned l = 0; l < kHalfWarp; ++l)
        EXPECT_EQ(seen.value[l], (0xfffc + 4 * (kHalfWarp * half + l) + 8) & 0xffff) << text;
      bench.cycle();
    }
    EXPECT_FALSE(bench.increment.read().valid);
    bench.cycle(20);
  }
  bench.send(AddressBench::order("st b32 s[$a1+0x8] $r3", 0xfffc, 4, 0x2));
  EXPECT_FALSE(bench.increment.read().valid) << "nothing increments";
}

TEST_F(AddressUnitTest, TexturesGetCoordinatesOffsetsAndNumbers) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5", 0, 0, 0x0001ffff));
  EXPECT_TRUE(bench.open.read().valid);
  for (unsigned half = 0; half < 2; ++half) {
    for (int i = 0; i < 10 && !bench.tex.available(); ++i) bench.cycle();
    ASSERT_TRUE(bench.tex.available());
    const TexRequest out = bench.tex.front();
    bench.tex.pop();
    EXPECT_TRUE(out.valid);
    EXPECT_EQ(out.op, TexOp::kFetch);
    EXPECT_EQ(out.sm_in_tpc, 1);
    EXPECT_EQ(out.half, half);
    EXPECT_EQ(out.lanes, half == 0 ? 0xffff : 1);
    EXPECT_EQ(out.texture, 9);
    EXPECT_EQ(out.sampler, 2);
    bench.expect_origin(out.origin);
    EXPECT_EQ(out.coord[0][0], kHalfWarp * half);
    EXPECT_EQ(out.coord[0][1], 0x1000 + kHalfWarp * half);
    EXPECT_EQ(out.coord[0][2], 0u) << "not a coordinate of this instruction";
  }
  EXPECT_EQ(bench.unit.counters().accesses, 1u);
}

TEST_F(AddressUnitTest, ATextureAccessCarriesTheOffsetOfEachAxis) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5:$r6 0x1 -0x2 0x3", 0, 0, 1));
  bench.cycle(4);
  ASSERT_TRUE(bench.tex.available());
  EXPECT_EQ(bench.tex.front().offset, (std::array<std::int8_t, 3>{1, -2, 3}));
}

TEST_F(AddressUnitTest, IsBusyUntilTheTextureUnitHasTakenItsRequests) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("texfetch live $r4:$r5:$r6:$r7 $t9 $s2 $r4:$r5", 0, 0, 1));
  bench.cycle(10);
  ASSERT_EQ(bench.tex.size(), 1u);
  EXPECT_TRUE(bench.busy.read());
  bench.tex.pop();
  bench.cycle(2);
  EXPECT_FALSE(bench.busy.read());
}

// The $a of such an instruction belongs to s[]; c[] is addressed by the instruction alone and comes without operands.
TEST_F(AddressUnitTest, AConstantBesideASharedOperandDoesNotIncrementItsAddressRegister) {
  AddressBench bench;
  bench.begin();
  AddressBench::Order order = AddressBench::order("mul rz f32 $r1 b32 s[$a1++0x4] c1[0x40]", 0x10, 4);
  bench.send(order);
  ASSERT_TRUE(bench.increment.read().valid);
  EXPECT_EQ(bench.increment.read().value[3], 0x10 + 4 * 3 + 4);
  bench.cycle(4);
  order.constant = true;
  order.operands = false;
  bench.send(order);
  for (unsigned i = 0; i < 4; ++i, bench.cycle()) EXPECT_FALSE(bench.increment.read().valid);
}

TEST_F(AddressUnitTest, LocalMemoryIsAddressedByWarpAndThreadAndWideWordsGoOneByOne) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b64 l[$a1] $r2d", 8, 0));
  for (unsigned word = 0; word < 2; ++word) {
    for (unsigned half = 0; half < 2; ++half) {
      const HalfWarpAccess out = bench.next_access();
      EXPECT_EQ(out.client, MemClient::kLocal);
      EXPECT_EQ(out.half, half);
      EXPECT_EQ(out.bytes, 4);
      const std::uint32_t warp = 5 * bench.config.sm.max_warps + 3;
      for (unsigned l = 0; l < kHalfWarp; ++l) {
        const unsigned lane = kHalfWarp * half + l;
        EXPECT_EQ(out.address[l], local_address(bench.state, warp, lane, 8) + word * 4 * kWarpSize);
        EXPECT_EQ(out.data[l][0], 0x1000 * word + lane);
      }
    }
  }
  EXPECT_TRUE(bench.done.read().valid);
}

TEST_F(AddressUnitTest, ControlStackEntriesGoFirstAndNameTheirInstruction) {
  AddressBench bench;
  bench.begin();
  StackAccess entry;
  entry.valid = entry.write = true;
  entry.warp = 3;
  entry.number = 2;
  entry.entry = {0x120, StackEntryType::kCall, 0x0ff0};
  entry.pc = 0x48;
  entry.tag.bits = 0x1234567;
  bench.stack.write(entry);
  bench.cycle();
  bench.stack.write(StackAccess{});
  const HalfWarpAccess out = bench.next_access();
  EXPECT_EQ(out.op, MemOp::kWrite);
  EXPECT_EQ(out.client, MemClient::kStack);
  EXPECT_EQ(out.lanes, 1);
  EXPECT_EQ(out.bytes, 8);
  EXPECT_EQ(out.id, stack_id(entry));
  EXPECT_EQ(out.address[0], stack_address(bench.state, 5 * bench.config.sm.max_warps + 3, 2));
  EXPECT_EQ(out.data[0][0], 0x0ff0u);
  EXPECT_EQ(out.data[0][1], static_cast<std::uint32_t>(StackEntryType::kCall) << 24 | 0x120u);
  bench.expect_origin(out.origin);
  EXPECT_EQ(bench.unit.counters().accesses, 0u);
}

struct BadAddress {
  const char* text;
  std::uint32_t first, step;
  FaultKind kind;
  unsigned lane;
  std::uint32_t address;
};

TEST_F(AddressUnitTest, ABadAddressFaultsInItsLowestLaneAndTheEdgeOfEachSpaceDoesNot) {
  for (const BadAddress& bad : {
           BadAddress{"ld b32 $r3 g14[$r2]", 2, 4, FaultKind::kMisalignedAddress, 0, 2},
           {"ld b32 $r3 g14[$r2]", 0xf84, 4, FaultKind::kGlobalLimit, 31, 0x1000},
           {"ld b32 $r3 g13[$r2]", 0, 4, FaultKind::kGlobalLimit, 0, 0},
           {"st b64 g14[$r2] $r4d", 0xf08, 8, FaultKind::kGlobalLimit, 31, 0x1000},
           {"ld $r3 b32 s[$a1]", 0x184, 4, FaultKind::kSharedLimit, 31, 0x200},
           {"ld $r3 u16 s[$a1]", 0x1f1, 1, FaultKind::kMisalignedAddress, 0, 0x1f1},
           {"st b32 l[$a1] $r3", 36, 1, FaultKind::kMisalignedAddress, 1, 37},
           {"st b32 l[$a1] $r3", 60, 4, FaultKind::kLocalLimit, 1, 64},
       }) {
    SCOPED_TRACE(bad.text);
    renew_context();
    AddressBench bench;
    bench.begin();
    bench.send(AddressBench::order(bad.text, bad.first, bad.step));
    const KernelFault& fault = bench.fault.read();
    EXPECT_EQ(fault.valid, bad.lane < kHalfWarp);
    if (bad.lane >= kHalfWarp) bench.cycle();  // its operands come
    ASSERT_TRUE(fault.valid);
    EXPECT_EQ(fault.kind, bad.kind);
    EXPECT_EQ(fault.lane, bad.lane);
    EXPECT_EQ(fault.address, bad.address);
    const FetchedInstruction insn = test::fetched(bad.text, 0x48);
    EXPECT_EQ(fault.words[0], insn.w0());
    EXPECT_EQ(fault.words[1], insn.w1());
    bench.expect_origin(fault.origin);
    bench.cycle(6);
    const bool off_chip = bench.access.available();
    EXPECT_LE(bench.access.size(), 1u) << "at most the half-warp without a fault is sent";
    EXPECT_TRUE(!off_chip || bad.lane >= kHalfWarp) << "nothing of its own half-warp";
    EXPECT_FALSE(bench.done.read().valid);
    EXPECT_EQ(bench.credit.read().memory, 0u) << "the instruction does not complete";
    // The lanes below it, alone, are all right.
    if (bad.lane == 0) continue;
    renew_context();
    AddressBench good;
    good.begin();
    good.send(AddressBench::order(bad.text, bad.first, bad.step, (LaneMask{1} << bad.lane) - 1));
    good.cycle(6);
    EXPECT_FALSE(good.fault.read().valid);
  }
}

TEST_F(AddressUnitTest, WithoutWorkItSleepsAndHoldsWhatItsNeighboursDoNotTake) {
  AddressBench bench;
  bench.begin();
  testing::StepCount steps({&bench.unit});
  bench.cycle(5);
  steps.restart();
  bench.cycle(100);
  steps.expect_none("without work");
  bench.smem_ready.write(false);
  bench.send(AddressBench::order("ld $r3 b32 s[$a1]", 0, 4));
  const SmemRequest offered = bench.smem.read();
  bench.cycle(20);
  EXPECT_EQ(bench.smem.read(), offered);
  EXPECT_EQ(bench.smem.read().half, 0);
  bench.smem_ready.write(true);
  bench.cycle();
  EXPECT_EQ(bench.smem.read().half, 1);
  bench.cycle(20);
  steps.restart();
  bench.send(AddressBench::order("st b32 g14[$r2] $r3", 0, 4));
  bench.cycle(100);
  steps.expect_at_most(5, "sends two half-warps");
}

TEST_F(AddressUnitTest, AHalfWarpLeavesInTheCycleInWhichItsOperandsCome) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4));
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().half, 0);
  EXPECT_EQ(bench.smem.read().address[7], 0x400 + 4 * 7);
  bench.cycle();
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().half, 1);
  EXPECT_EQ(bench.smem.read().address[7], 0x400 + 4 * 23);
  EXPECT_EQ(bench.smem.read().data[7], 23u);
  bench.cycle(2);
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4, 0x00010000));
  ASSERT_TRUE(bench.smem.read().valid) << "an upper half-warp alone comes with the dispatch";
  EXPECT_EQ(bench.smem.read().half, 1);
  EXPECT_EQ(bench.smem.read().address[0], 0x440);
}

// The second half-warp of a load travels while a dispatch without operands is shown.
TEST_F(AddressUnitTest, ADispatchMayStandBesideTheSecondHalfWarpOfTheOneBeforeIt) {
  AddressBench bench;
  bench.begin();
  const AddressBench::Order load = AddressBench::order("ld b32 $r3 g14[$r2]", 0x40, 4);
  bench.send(load);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().half, 0);
  EXPECT_TRUE(bench.busy.read());
  AddressBench::Order direct = AddressBench::order("mov b32 $r1 b32 s[0x24]", 0, 0, 1);
  direct.operands = false;
  bench.dispatch.write(direct);
  bench.cycle();
  bench.dispatch.write(AddressDispatch{});
  ASSERT_TRUE(bench.smem.read().valid);
  EXPECT_EQ(bench.smem.read().address[0], 0x424);
  EXPECT_FALSE(bench.open.read().valid);
  ASSERT_TRUE(bench.lanes.read().valid);
  EXPECT_EQ(bench.lanes.read().half, 1);
  EXPECT_EQ(bench.lanes.read().offset[0], (0x40 + 64) % 128);
  ASSERT_EQ(bench.access.size(), 2u);
  EXPECT_EQ(bench.access.newest().half, 1);
  EXPECT_EQ(bench.access.newest().address[3], 0x10040u + 64 + 12);
  bench.cycle();
  EXPECT_FALSE(bench.lanes.read().valid);
  EXPECT_TRUE(bench.busy.read());
  bench.access.pop(), bench.access.pop();
  bench.cycle(2);
  EXPECT_FALSE(bench.busy.read()) << "both have been taken out of the queue";
}

// Two rows wait for the banks, and so do two accesses: the rows go first, though one comes later.
TEST_F(AddressUnitTest, TheHeadOfABlockGoesAheadOfAllAccesses) {
  AddressBench bench;
  bench.begin();
  bench.smem_ready.write(false);
  AddressBench::Order direct = AddressBench::order("mov b32 $r1 b32 s[0x24]", 0, 0);
  direct.operands = false;
  bench.dispatch.write(direct);
  for (unsigned row = 0; row < 2; ++row) {
    SmemFill words;
    words.valid = true;
    words.first = static_cast<std::uint16_t>(0x40 + 16 * row);
    words.count = 16;
    words.data[3] = 7 + row;
    bench.fill.write(words);
    bench.cycle();
    bench.dispatch.write(AddressDispatch{});
  }
  bench.fill.write(SmemFill{});
  bench.cycle();
  bench.smem_ready.write(true);
  std::vector<SmemRequest> seen;
  for (unsigned i = 0; i < 6; ++i) {
    if (bench.smem.read().valid) seen.push_back(bench.smem.read());
    bench.cycle();
  }
  ASSERT_EQ(seen.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(seen[i].header, i < 2) << i;
  EXPECT_EQ(seen[1].address[3], 4 * (0x50 + 3));
  EXPECT_EQ(seen[1].data[3], 8u);
  EXPECT_EQ(seen[1].lanes, 0xffff);
}

TEST_F(AddressUnitTest, AFaultOfTheLowerHalfWarpDropsTheUpperOneAndOthersGoOn) {
  AddressBench bench;
  bench.begin();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 2, 4));
  EXPECT_TRUE(bench.fault.read().valid);
  bench.cycle(3);
  EXPECT_EQ(bench.access.size(), 0u);
  bench.send(AddressBench::order("st b32 s[$a1] $r1", 0, 4, 1));
  EXPECT_TRUE(bench.smem.read().valid);
}

TEST_F(AddressUnitTest, AResetInTheMiddleLeavesNothing) {
  AddressBench bench;
  const testing::ResetCheck check({&bench.unit});
  bench.begin();
  bench.smem_ready.write(false);
  for (int i = 0; i < 3; ++i) {
    bench.send(AddressBench::order("st b32 s[$a1] $r3", 0, 4));
    bench.cycle();  // the operands of its second half-warp
  }
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 0, 4));
  bench.cycle();
  bench.send(AddressBench::order("ld b32 $r3 g14[$r2]", 2, 4));  // faults
  EXPECT_FALSE(bench.unit.idle());
  check.expect_fresh();
  EXPECT_TRUE(bench.unit.idle());
}

}  // namespace
}  // namespace g80

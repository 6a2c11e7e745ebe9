// SPDX-License-Identifier: Apache-2.0
// The address unit with wires in the place of its neighbours, and accesses for it.
#pragma once
#include "hw/exec/address_unit.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80::test {

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
    out.fetched = fetched(text, 0x48);
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

}  // namespace g80::test

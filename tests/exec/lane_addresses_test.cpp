// SPDX-License-Identifier: Apache-2.0
// Addresses of memory operands: offset, $a, post-increment, 16-bit wrap, and whose $a it is.
#include "hw/exec/address_unit.h"

#include "tests/support/fetched_instruction.h"

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

}  // namespace
}  // namespace g80

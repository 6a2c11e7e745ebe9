// SPDX-License-Identifier: Apache-2.0
// Compares the operands with which an instruction leaves the collector.
#include <fmt/format.h>

#include <algorithm>

#include "tb/check/lockstep_state.h"

namespace g80 {

using isa::OperandKind;

void LockStep::operand_differs(const Sm& sm, const SmLog::Issue& issue, unsigned lane, std::uint32_t seen,
                               std::uint32_t expected, const std::string& name, const char* block,
                               const char* reason) const {
  differ(where_of(sm, issue),
         fmt::format("lane {}: operand {} is 0x{:08x}, expected 0x{:08x}", lane, name, seen, expected), sm.block(block),
         reason);
}

// Compares the sources of arithmetic instructions; compare_access_operands() compares those of memory accesses.
void LockStep::compare_operands(const Sm& sm, const SmLog::Issue& issue, const golden::StepRecord& record,
                                const OperandView& operands) {
  const DecodedInstruction& decoded = issue.fetched.decoded();
  if (operands.count == 0 || record.lanes == 0) return;
  ++counters_.operands;
  if (decoded.unit == isa::Unit::kMemory) {
    if (record.access != nullptr && record.access->space == golden::Space::kLocal)
      compare_access_operands(sm, issue, *record.access, operands);
    return;
  }
  if (record.decoded->action != golden::Action::kAlu) return;  // ld from s[] and c[]: their result is compared
  const golden::AluInput& in = sm.executor->operands();
  unsigned next = 0;
  const auto compare = [&](const isa::Operand& source, const LaneWords& expected, unsigned reg) {
    const LaneWords& seen = operands.words[next++];
    const LaneMask wrong = differing_lanes(seen, expected, ~0u) & record.lanes;
    if (wrong == 0) return;
    const auto lane = static_cast<unsigned>(__builtin_ctz(wrong));
    const auto fail = [&](const std::string& name, const char* block, const char* reason) {
      operand_differs(sm, issue, lane, seen[lane], expected[lane], name, block, reason);
    };
    if (source.kind == OperandKind::kShared) {
      fail(fmt::format("s[0x{:x}]", source.offset), "operand_collector",
           "the banks of shared memory delivered the correct value");
    } else if (source.kind == OperandKind::kConst) {
      fail(fmt::format("c{}[0x{:x}]", source.bank, source.offset), "constant_cache",
           "this cache, a later one or the collector delivered another word");
    } else if (operands.as_stored && source.kind == OperandKind::kReg) {
      fail(fmt::format("$r{}", reg), "register_file",
           "writeback wrote the correct value, but the register holds this one");
    } else {
      fail(fmt::format("$r{}", reg), "operand_collector", "the collector read the register wrongly or not at all");
    }
  };
  for (unsigned slot = 0; slot < 3 && next < operands.count; ++slot) {
    const isa::Operand& source = decoded.insn.src[slot];
    switch (source.kind) {
      case OperandKind::kReg:
      case OperandKind::kShared:
      case OperandKind::kConst: compare(source, in.s[slot], source.index); break;
      case OperandKind::kHalf: compare(source, in.s[slot], source.index / 2u); break;
      case OperandKind::kPair:
        compare(source, in.s[slot], source.index);
        if (next < operands.count) compare(source, in.hi[slot], source.index + 1u);
        break;
      default: break;
    }
  }
}

// Compares the address register of a g[] access and the registers of the store data.
void LockStep::compare_access_operands(const Sm& sm, const SmLog::Issue& issue, const golden::MemoryAccess& access,
                                       const OperandView& operands) {
  const isa::Instruction& insn = issue.fetched.decoded().insn;
  unsigned next = 0;
  if (insn.src[0].kind == OperandKind::kReg && next < operands.count) {
    const LaneWords& seen = operands.words[next++];
    LaneWords expected = access.address;
    for (std::uint32_t& word : expected.lane) word -= launch_.global[insn.space].base;
    if (const LaneMask wrong = differing_lanes(seen, expected, ~0u) & access.lanes; wrong != 0) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(wrong));
      operand_differs(sm, issue, lane, seen[lane], expected[lane], fmt::format("$r{} (address)", insn.src[0].index),
                      operands.as_stored ? "register_file" : "operand_collector",
                      operands.as_stored ? "writeback wrote the correct value, but the register holds this one"
                                         : "the collector read the register wrongly or not at all");
    }
  }
  const bool store = access.kind == golden::AccessKind::kStore || access.kind == golden::AccessKind::kUnlock;
  if (!store && access.kind != golden::AccessKind::kReduce && access.kind != golden::AccessKind::kAtomic) return;
  const std::uint32_t mask = mask_of(std::min<unsigned>(access.bytes, 4));
  const unsigned words = std::min(access.words(), store ? 4u : 2u);
  for (unsigned i = 0; i < words && next < operands.count; ++i) {
    const LaneWords& seen = operands.words[next++];
    const LaneWords& expected = store ? access.data[i] : access.b[i];
    const LaneMask wrong = differing_lanes(seen, expected, mask) & access.lanes;
    if (wrong == 0) continue;
    const auto lane = static_cast<unsigned>(__builtin_ctz(wrong));
    operand_differs(sm, issue, lane, seen[lane] & mask, expected[lane] & mask, fmt::format("data (word {})", i),
                    "operand_collector", "the collector read the data registers wrongly or not at all");
  }
}

}  // namespace g80

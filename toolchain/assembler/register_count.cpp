// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/register_count.h"

#include <algorithm>

namespace g80 {
namespace {

constexpr unsigned kFirstZeroRegister = 124;

unsigned end_of(const isa::Operand& op) {
  switch (op.kind) {
    case isa::OperandKind::kReg: return op.index + 1u;
    case isa::OperandKind::kHalf: return op.index / 2u + 1;
    case isa::OperandKind::kPair: return op.index + 2u;
    case isa::OperandKind::kQuad: return op.index + 4u;
    default: return 0;
  }
}

}  // namespace

unsigned registers_named(const isa::Instruction& insn) {
  unsigned count = end_of(insn.dst);
  for (const isa::Operand& source : insn.src)
    if (const unsigned end = end_of(source); end <= kFirstZeroRegister) count = std::max(count, end);
  if (insn.unit == isa::Unit::kTexture) {
    unsigned results = 0;
    for (unsigned i = 0; i < 4; ++i) results += insn.tex_mask >> i & 1u;
    count = insn.dst.index + std::max<unsigned>(results, insn.tex_sources);
  }
  return count;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Selects the values that are kept in half a register.
//
// A value is a half if the instruction that computes it can write 16 bits and every reader can read them: 16-bit
// arithmetic reads no other bits; comparisons, minima and right shifts read the known width of the value; narrow
// stores their own width. So a half costs no instruction, and two of them share a register. Values that happen to be
// small stay words unless they have to do with narrow loads and stores or extensions.
#pragma once
#include <cstdint>
#include <vector>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/optimize/ranges.h"

namespace g80::codegen {

/// How 16 bits stand for a word.
enum class HalfKind : std::uint8_t { kNone, kUnsigned, kSigned };

class HalfValues {
 public:
  explicit HalfValues(const ir::Function& function);

  /// By root value (through copies).
  bool operator[](ir::ValueId value) const { return is_half_[value] != 0; }
  bool any() const { return any_; }
  /// The kind of half both values, or one, can be read as without being another number; kUnsigned if both kinds.
  HalfKind kind(ir::ValueId a, ir::ValueId b);
  HalfKind kind(ir::ValueId a) { return kind(a, a); }
  /// How 16 bits of them compare as the words do. Below 2^16 the sign makes no difference; sign-extended numbers
  /// compare alike at either width.
  HalfKind order(ir::ValueId a, ir::ValueId b, bool is_signed) {
    return is_signed && kind(a, b) == HalfKind::kSigned ? HalfKind::kSigned : HalfKind::kUnsigned;
  }

 private:
  bool can_be_made(const ir::Inst& inst);
  bool can_read(const ir::Inst& inst, std::size_t operand);
  void find_masks(const std::vector<ir::InstId>& insts);
  void drop_unrelated(const std::vector<ir::InstId>& insts);
  bool is_product(ir::ValueId value) const;
  ir::ValueId root(ir::ValueId value) const;
  bool half(ir::ValueId value) const { return is_half_[root(value)] != 0; }

  const ir::Function& f_;
  ir::Ranges ranges_;
  std::vector<std::uint8_t> is_half_;
  std::vector<std::uint8_t> is_mask_;  // predicates that somebody needs as a word
  bool any_ = false;
};

}  // namespace g80::codegen

// SPDX-License-Identifier: Apache-2.0
// The memory spaces to which a value may point.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

/// Evidence that a value is a pointer, the weakest first.
enum class Evidence : std::uint8_t {
  kNone,
  kRead,       // it is as wide as a pointer and was read from memory, where pointers are to global memory
  kParameter,  // it is a parameter of the kernel, which may be a number as well
  kSure,       // a variable or a conversion
};

struct Origin {
  std::uint8_t spaces = 0;  // a bit each
  Evidence evidence = Evidence::kNone;
  bool operator==(const Origin& other) const { return spaces == other.spaces && evidence == other.evidence; }
};

constexpr std::uint8_t space_bit(Space space) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(space)); }
inline Origin sure_origin(Space space) { return {space_bit(space), Evidence::kSure}; }
Origin either(Origin a, Origin b);
/// In the order in which messages and branches name them.
std::vector<Space> spaces_of(Origin origin);

/// The origins of a function's values.
class Origins {
 public:
  Origins(const Function& function, const Module& module) : f_(function), module_(module), origins_(f_.values.size()) {}

  Origin of(ValueId v) const { return v < origins_.size() ? origins_[v] : Origin(); }
  /// True if that was not known.
  bool set(ValueId v, Origin origin);

  /// The operand with the pointer that the instruction passes on or adds to; kNone if there is none, or several may be.
  std::uint32_t pointer_operand(const Inst& inst) const;
  /// Of the results, as far as the operands say.
  Origin computed(const Inst& inst) const;

 private:
  const Function& f_;
  const Module& module_;
  std::vector<Origin> origins_;
};

}  // namespace g80::ir

// SPDX-License-Identifier: Apache-2.0
// The plain members of Instruction by Role, so that table rows can name them.
#include <type_traits>

#include "hw/isa/opcode_table.h"

namespace g80::isa {

namespace {

/// Calls `use` with the member of `insn` that `role` names. Not for operands: they are structs.
template <class Insn, class Use>
void with_role(Insn& insn, Role role, Use use) {
  switch (role) {
    // clang-format off
#define G80_ROLE(name, member, bits, values) case Role::k##name: return use(insn.member);
#include "hw/isa/roles.def"
    // clang-format on
    default: return;
  }
}

}  // namespace

std::int64_t get_role(const Instruction& insn, Role role) {
  std::int64_t value = 0;
  // NOLINTNEXTLINE(bugprone-signed-char-misuse): the signed members are numbers, not characters
  with_role(insn, role, [&value](const auto& member) { value = static_cast<std::int64_t>(member); });
  return value;
}

void set_role(Instruction& insn, Role role, std::int64_t value) {
  with_role(insn, role,
            [value](auto& member) { member = static_cast<std::remove_reference_t<decltype(member)>>(value); });
}

}  // namespace g80::isa

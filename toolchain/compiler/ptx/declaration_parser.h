// SPDX-License-Identifier: Apache-2.0
// Declarations: variables with their initialisers, and registers.
#pragma once
#include <optional>
#include <vector>

#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/scope.h"
#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// The state space a declaration begins with (.global, .const, .shared, .local, .param, .tex), or nothing.
std::optional<StateSpace> declared_space(const Token& token);

/// After .const: the number of a bank in brackets, if there is one; else 0.
std::uint64_t skip_constant_bank(Cursor& cursor);

/// After the state space: [bank] [.align n] [.v2|.v4] .type [.ptr ..] name [dims] [= initialiser]. One variable.
Variable parse_variable(Cursor& cursor, StateSpace space, bool is_extern);

/// After .reg: [.v2|.v4] .type name [<n>] {, name [<n>]} ;   New registers go to `registers`, names to `scope`.
void parse_registers(Cursor& cursor, Scope& scope, std::vector<Register>& registers);

}  // namespace g80::ptx

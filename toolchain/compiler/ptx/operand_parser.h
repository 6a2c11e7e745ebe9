// SPDX-License-Identifier: Apache-2.0
// Parses the operands of an instruction.
#pragma once
#include <optional>
#include <string_view>

#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/scope.h"
#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

class OperandParser {
 public:
  OperandParser(Cursor& cursor, const Module& module, const ScopeStack& scopes)
      : cursor_(cursor), module_(module), scopes_(scopes) {}

  /// One operand. A name that is no register, variable or function becomes a kLabel with id kNoId.
  Operand parse();
  /// (a, b, ..) of a call.
  Operand list();

 private:
  Operand name();
  Operand address();
  Operand vector();
  std::int64_t signed_offset();

  Cursor& cursor_;
  const Module& module_;
  const ScopeStack& scopes_;
  unsigned depth_ = 0;
};

}  // namespace g80::ptx

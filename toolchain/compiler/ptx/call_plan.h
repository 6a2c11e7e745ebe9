// SPDX-License-Identifier: Apache-2.0
// Decides which functions of a kernel are called and which are inlined.
//
// A call costs the call, the return, moves of arguments and results, and registers on both sides. Inlining costs code
// size. So a function is called if it is large and would occur in the kernel at least twice, or if it is
// `.noinline`.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "toolchain/compiler/ptx/syntax.h"

namespace g80::ptx {

/// A part of at most 4 bytes of a .param variable: what goes into one register.
struct ParameterPiece {
  std::uint32_t offset = 0, bytes = 4;
  bool may_point = false;  // it may be the low word of an address
};
std::vector<ParameterPiece> parameter_pieces(const Variable& variable, unsigned address_bits);

struct CallPlan {
  std::vector<std::uint32_t> functions;  // by number in the module; each behind those that it calls
  /// Index into `functions`; kNoId: it is inlined.
  std::uint32_t index_of(std::uint32_t function) const;
};

/// `inlined`: functions that must not be called. A kernel whose calls are faulty gets an empty plan: lowering says why.
CallPlan plan_calls(const Module& module, const Function& entry, const std::set<std::uint32_t>& inlined);

}  // namespace g80::ptx

// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/opaque_operations.h"

#include <algorithm>
#include <array>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kKnown = "@llvm.", kHidden = "@g80.";
// LLVM unrolls no loop for the sake of constants if it calls a function, except some whose names it takes for those of
// an instruction each. With this one a barrier does not count as a call.
constexpr std::string_view kBarrier = "@llvm.nvvm.barrier0()", kHiddenBarrier = "@ffsl()";
constexpr std::string_view kWiden = "double @g80.widened(float ";
constexpr std::string_view kDeclaration =
    "declare double @g80.widened(float) nofree nosync nounwind readnone speculatable willreturn\n";

/// True for LLVM's functions that compute a number from numbers, and for barriers and fences: of a function of its own
/// LLVM believes that no other thread writes a variable there whose address is never taken. The other functions access
/// memory or read registers whose range LLVM knows. fabs and copysign are left out: they only change the sign bit, on
/// every chip.
bool is_hidden(std::string_view name) {
  constexpr std::string_view kTarget = "nvvm.";
  if (starts_with(name, kTarget)) {
    name.remove_prefix(kTarget.size());
    constexpr std::array kOthers = {"read.", "atomic.",  "ptr.",    "ldg.",       "ldu.",
                                    "tex.",  "texsurf.", "reflect", "annotations"};
    return std::none_of(kOthers.begin(), kOthers.end(),
                        [&](std::string_view other) { return starts_with(name, other); });
  }
  constexpr std::array kFunctions = {"ceil.",   "floor.", "trunc.", "rint.",  "nearbyint.", "round.",  "minnum.",
                                     "maxnum.", "sqrt.",  "fma.",   "lrint.", "llrint.",    "lround.", "llround."};
  return std::any_of(kFunctions.begin(), kFunctions.end(),
                     [&](std::string_view function) { return starts_with(name, function); });
}

/// Appends the line. In names that `wanted` chooses, replaces the prefix `from` by `to`.
template <class Wanted>
void append_renamed(std::string& out, std::string_view line, std::string_view from, std::string_view to,
                    Wanted wanted) {
  for (std::size_t at; (at = line.find(from)) != std::string_view::npos;) {
    const std::size_t name = at + from.size();
    out += line.substr(0, at);
    out += wanted(line.substr(name)) ? to : from;
    line.remove_prefix(name);
  }
  out += line;
}

/// Appends the line with another name for the barrier, if it has one.
bool append_barrier(std::string& out, std::string_view line, std::string_view from, std::string_view to) {
  const std::size_t at = line.find(from);
  if (at == std::string_view::npos) return false;
  out += line.substr(0, at);
  out += to;
  out += line.substr(at + from.size());
  return true;
}

/// Replaces `%2 = fpext float %1 to double` by a call.
bool append_hidden_widening(std::string& out, std::string_view line) {
  constexpr std::string_view kOperation = " = fpext float ", kTo = " to double";
  const std::size_t at = line.find(kOperation), to = line.find(kTo);
  if (at == std::string_view::npos || to == std::string_view::npos || !starts_with(line, "  %")) return false;
  const std::size_t value = at + kOperation.size();
  out += line.substr(0, at);
  out += " = call ";
  out += kWiden;
  out += line.substr(value, to - value);
  out += ")";
  out += line.substr(to + kTo.size());
  return true;
}

/// Replaces the call by the operation again. The call may have become a `tail call` and may have attributes.
bool append_shown_widening(std::string& out, std::string_view line) {
  const std::size_t call = line.find(kWiden);
  if (call == std::string_view::npos) return false;
  if (starts_with(line, "declare ")) return true;
  const std::size_t value = call + kWiden.size(), end = next_comma(line, value), equals = line.find(" = ");
  const std::size_t behind = std::min(line.find(", !", end), line.size() - 1);
  out += line.substr(0, equals);
  out += " = fpext float ";
  out += line.substr(value, end - value);
  out += " to double";
  out += line.substr(behind);
  return true;
}

}  // namespace

std::string hide_operations(std::string_view ir, bool has_double) {
  std::string out;
  out.reserve(ir.size() + kDeclaration.size());
  bool widens = false;
  for_each_line(ir, [&](std::string_view line) {
    if (append_barrier(out, line, kBarrier, kHiddenBarrier)) return;
    const bool is_widening = has_double && append_hidden_widening(out, line);
    if (!is_widening) append_renamed(out, line, kKnown, kHidden, is_hidden);
    widens |= is_widening;
  });
  if (widens) out += kDeclaration;
  return out;
}

std::string show_operations(std::string_view ir) {
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    if (append_barrier(out, line, kHiddenBarrier, kBarrier)) return;
    if (!append_shown_widening(out, line)) append_renamed(out, line, kHidden, kKnown, is_hidden);
  });
  return out;
}

}  // namespace g80::cuda

// SPDX-License-Identifier: Apache-2.0
// Included before each source of a tree with mutants: all of them are compiled, and the environment variable
// G80_MUTANT chooses the one that is active in a run. 0 or nothing: none. With G80_MUTANT=reached the program writes
// the numbers of the mutants whose code ran into the file that G80_MUTANT_REACHED names.
#pragma once
#pragma GCC system_header  // compares whatever the sources compare
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace g80_mutant {

constexpr int kMost = 1 << 16;

struct Switch {
  int active = 0;  // -1: none, but what runs is noted
  bool reached[kMost] = {};
  Switch() {
    const char* const text = std::getenv("G80_MUTANT");
    if (text != nullptr) active = std::strcmp(text, "reached") == 0 ? -1 : std::atoi(text);
  }
  ~Switch() {
    const char* const name = active < 0 ? std::getenv("G80_MUTANT_REACHED") : nullptr;
    std::FILE* const file = name != nullptr ? std::fopen(name, "w") : nullptr;
    if (file == nullptr) return;
    for (int n = 0; n < kMost; ++n) {
      if (reached[n]) std::fprintf(file, "%d\n", n);
    }
    std::fclose(file);
  }
};
inline Switch mutant_switch;

/// Mutant N is active. Never where the compiler needs a constant.
template <int N>
constexpr bool on() {
  static_assert(N > 0 && N < kMost);
  if (__builtin_is_constant_evaluated()) return false;
  if (mutant_switch.active < 0) mutant_switch.reached[N] = true;
  return mutant_switch.active == N;
}

/// A condition, negated by mutant N.
template <int N, class T>
constexpr bool flip(const T& condition) {
  return static_cast<bool>(condition) != on<N>();
}

/// A number, changed by mutant N.
template <int N, int Change, class T>
constexpr T number(T value) {
  return on<N>() ? static_cast<T>(value + static_cast<T>(Change)) : value;
}

// `a + b` is written `a + Add<N>() + b`: no operand has to be found, and precedence stays as it is.
#define G80_MUTANT_INFIX(Name, OP, BY)                                               \
  template <int N>                                                                   \
  struct Name {};                                                                    \
  template <class T, int N>                                                          \
  struct Name##Left {                                                                \
    const T& left;                                                                   \
  };                                                                                 \
  template <class T, int N>                                                          \
  constexpr Name##Left<T, N> operator OP(const T& left, Name<N>) {                   \
    return {left};                                                                   \
  }                                                                                  \
  template <class T, int N, class U>                                                 \
  constexpr auto operator OP(Name##Left<T, N> a, const U& right) {                   \
    using Result = std::decay_t<decltype(a.left OP right)>;                          \
    return on<N>() ? static_cast<Result>(a.left BY right) : Result(a.left OP right); \
  }
G80_MUTANT_INFIX(Less, <, <=)
G80_MUTANT_INFIX(LessEqual, <=, <)
G80_MUTANT_INFIX(Greater, >, >=)
G80_MUTANT_INFIX(GreaterEqual, >=, >)
G80_MUTANT_INFIX(Equal, ==, !=)
G80_MUTANT_INFIX(NotEqual, !=, ==)
G80_MUTANT_INFIX(Plus, +, -)
G80_MUTANT_INFIX(Minus, -, +)
G80_MUTANT_INFIX(Times, *, +)
G80_MUTANT_INFIX(Divide, /, *)
G80_MUTANT_INFIX(Modulo, %, *)
G80_MUTANT_INFIX(ShiftLeft, <<, >>)
G80_MUTANT_INFIX(ShiftRight, >>, <<)
G80_MUTANT_INFIX(And, &, |)
G80_MUTANT_INFIX(Or, |, &)
G80_MUTANT_INFIX(ExclusiveOr, ^, |)
#undef G80_MUTANT_INFIX

}  // namespace g80_mutant

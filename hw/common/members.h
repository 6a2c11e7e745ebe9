// SPDX-License-Identifier: Apache-2.0
// The members of a plain struct, counted and found by the compiler: what visit() of hw/common/fields.h is checked with.
#pragma once
#include <cstddef>
#include <type_traits>

namespace g80 {

namespace members_detail {

/// Where a member lies in its struct. The last place is the end of the struct.
struct Place {
  const void* at = nullptr;
  std::size_t bytes = 0;
};
template <unsigned kCount>
struct Places {
  Place of[kCount + 1];
};
template <class T, class... M>
constexpr Places<sizeof...(M)> places(const T& object, const M&... member) {
  return {{Place{&member, sizeof member}..., Place{&object + 1, 0}}};  // NOLINT(bugprone-sizeof-expression)
}

// Row n says two things. A struct of n or more members can be initialised with n empty braces; an empty brace fits a
// number, a struct and an array, so an array is one member. A struct of exactly n members can be bound to n names.
template <unsigned kN>
using Count = std::integral_constant<unsigned, kN>;
template <class T>
constexpr bool takes(...) {
  return false;
}
template <class T>
constexpr Places<0> find(const T& object, Count<0>) {
  return places(object);
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // clang counts those after the braces
// clang-format off
#define G80_ROW(n, names, ...)                                                                       \
  template <class T> constexpr auto takes(Count<n>) -> decltype(T{__VA_ARGS__}, true) { return true; } \
  template <class T> constexpr auto find(const T& object, Count<n>) {                                \
    const auto& [G80_UNPACK names] = object;                                                         \
    return places(object, G80_UNPACK names);                                                         \
  }
#define G80_UNPACK(...) __VA_ARGS__
#define G80_ROWS(n, m, names, braces)                                                           \
  G80_ROW(n + 1, (names m##1), braces {})                                                       \
  G80_ROW(n + 2, (names m##1, m##2), braces {}, {})                                             \
  G80_ROW(n + 3, (names m##1, m##2, m##3), braces {}, {}, {})                                   \
  G80_ROW(n + 4, (names m##1, m##2, m##3, m##4), braces {}, {}, {}, {})                         \
  G80_ROW(n + 5, (names m##1, m##2, m##3, m##4, m##5), braces {}, {}, {}, {}, {})               \
  G80_ROW(n + 6, (names m##1, m##2, m##3, m##4, m##5, m##6), braces {}, {}, {}, {}, {}, {})     \
  G80_ROW(n + 7, (names m##1, m##2, m##3, m##4, m##5, m##6, m##7), braces {}, {}, {}, {}, {}, {}, {}) \
  G80_ROW(n + 8, (names m##1, m##2, m##3, m##4, m##5, m##6, m##7, m##8), braces {}, {}, {}, {}, {}, {}, {}, {})
#define G80_8_NAMES(m) m##1, m##2, m##3, m##4, m##5, m##6, m##7, m##8,
#define G80_8_BRACES {}, {}, {}, {}, {}, {}, {}, {},
G80_ROWS(0, a, , )
G80_ROWS(8, b, G80_8_NAMES(a), G80_8_BRACES)
G80_ROWS(16, c, G80_8_NAMES(a) G80_8_NAMES(b), G80_8_BRACES G80_8_BRACES)
G80_ROWS(24, d, G80_8_NAMES(a) G80_8_NAMES(b) G80_8_NAMES(c), G80_8_BRACES G80_8_BRACES G80_8_BRACES)
G80_ROWS(32, e, G80_8_NAMES(a) G80_8_NAMES(b) G80_8_NAMES(c) G80_8_NAMES(d),
         G80_8_BRACES G80_8_BRACES G80_8_BRACES G80_8_BRACES)
#undef G80_8_NAMES
#undef G80_8_BRACES
#undef G80_ROWS
#undef G80_UNPACK
#undef G80_ROW
// clang-format on
#pragma GCC diagnostic pop

/// The number of members, which is at least kFrom and less than kFrom + kStep * 2.
template <class T, unsigned kFrom = 0, unsigned kStep = 32>
constexpr unsigned count() {
  constexpr unsigned kFound = takes<T>(Count<kFrom + kStep>{}) ? kFrom + kStep : kFrom;
  if constexpr (kStep > 1) {
    return count<T, kFound, kStep / 2>();
  } else {
    return kFound;
  }
}

/// The visitor of the check. Adds up how many bytes of each member visit() names.
template <unsigned kCount>
struct Tally {
  Places<kCount> place;
  std::size_t named[kCount + 1] = {};

  template <class T>
  constexpr void operator()(const char*, const T& member, unsigned = 0) {
    const void* at = &member;
    for (unsigned i = 0; i < kCount; ++i) {
      if (!(at < place.of[i].at) && at < place.of[i + 1].at)
        named[i] += sizeof member;  // NOLINT(bugprone-sizeof-expression)
    }
  }
  template <class T>
  constexpr void stored(const char* name, const T& member, unsigned = 0) {
    (*this)(name, member);
  }
  template <class T>
  constexpr void unseen(const char* name, const T& member) {
    (*this)(name, member);
  }
  template <class T>
  constexpr void countdown(const char* name, const T& end, unsigned) {
    (*this)(name, end);
  }
  template <class T>
  constexpr void stored_countdown(const char* name, const T& end, unsigned) {
    (*this)(name, end);
  }
  template <class T>
  constexpr void shown(const char*, const T&, unsigned = 0) {}
  template <class F>
  constexpr void implied(const char*, unsigned, const F&) {}
  constexpr bool complete() const {
    for (unsigned i = 0; i < kCount; ++i) {
      if (named[i] != place.of[i].bytes) return false;
    }
    return true;
  }
};
template <class T, unsigned kCount>
constexpr void visit_fields(T& object, Tally<kCount>& tally) {  // all fields of a member, without a name for it
  tally("", object);
}

template <class T>
constexpr bool visited() {
  constexpr unsigned kCount = count<T>();
  const T object{};
  Tally<kCount> tally{find(object, Count<kCount>{})};
  T::visit(object, tally);
  return tally.complete();
}

}  // namespace members_detail

/// True if T::visit() names every member of T once. A class with a constructor or private members lists what it has
/// itself and is not looked into. g++ compares the addresses of members at compile time; clang, which the project uses
/// for clang-tidy only, does not: there nothing is checked.
template <class T>
constexpr bool every_member_is_visited() {
#ifdef __clang__
  return true;
#endif
  if constexpr (std::is_aggregate_v<T>) {
    static_assert(!members_detail::takes<T>(members_detail::Count<40>{}), "more than 39 members: add rows above");
    return members_detail::visited<T>();
  } else {
    return true;
  }
}

}  // namespace g80

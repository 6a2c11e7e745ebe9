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
#define G80_NAMES_8 m1, m2, m3, m4, m5, m6, m7, m8
#define G80_BRACES_8 {}, {}, {}, {}, {}, {}, {}, {}
#define G80_NAMES_16 G80_NAMES_8, m9, m10, m11, m12, m13, m14, m15, m16
#define G80_BRACES_16 G80_BRACES_8, {}, {}, {}, {}, {}, {}, {}, {}
#define G80_NAMES_24 G80_NAMES_16, m17, m18, m19, m20, m21, m22, m23, m24
#define G80_BRACES_24 G80_BRACES_16, {}, {}, {}, {}, {}, {}, {}, {}
#define G80_NAMES_32 G80_NAMES_24, m25, m26, m27, m28, m29, m30, m31, m32
#define G80_BRACES_32 G80_BRACES_24, {}, {}, {}, {}, {}, {}, {}, {}
G80_ROW(1, (m1), {})
G80_ROW(2, (m1, m2), {}, {})
G80_ROW(3, (m1, m2, m3), {}, {}, {})
G80_ROW(4, (m1, m2, m3, m4), {}, {}, {}, {})
G80_ROW(5, (m1, m2, m3, m4, m5), {}, {}, {}, {}, {})
G80_ROW(6, (m1, m2, m3, m4, m5, m6), {}, {}, {}, {}, {}, {})
G80_ROW(7, (m1, m2, m3, m4, m5, m6, m7), {}, {}, {}, {}, {}, {}, {})
G80_ROW(8, (G80_NAMES_8), G80_BRACES_8)
G80_ROW(9, (G80_NAMES_8, m9), G80_BRACES_8, {})
G80_ROW(10, (G80_NAMES_8, m9, m10), G80_BRACES_8, {}, {})
G80_ROW(11, (G80_NAMES_8, m9, m10, m11), G80_BRACES_8, {}, {}, {})
G80_ROW(12, (G80_NAMES_8, m9, m10, m11, m12), G80_BRACES_8, {}, {}, {}, {})
G80_ROW(13, (G80_NAMES_8, m9, m10, m11, m12, m13), G80_BRACES_8, {}, {}, {}, {}, {})
G80_ROW(14, (G80_NAMES_8, m9, m10, m11, m12, m13, m14), G80_BRACES_8, {}, {}, {}, {}, {}, {})
G80_ROW(15, (G80_NAMES_8, m9, m10, m11, m12, m13, m14, m15), G80_BRACES_8, {}, {}, {}, {}, {}, {}, {})
G80_ROW(16, (G80_NAMES_16), G80_BRACES_16)
G80_ROW(17, (G80_NAMES_16, m17), G80_BRACES_16, {})
G80_ROW(18, (G80_NAMES_16, m17, m18), G80_BRACES_16, {}, {})
G80_ROW(19, (G80_NAMES_16, m17, m18, m19), G80_BRACES_16, {}, {}, {})
G80_ROW(20, (G80_NAMES_16, m17, m18, m19, m20), G80_BRACES_16, {}, {}, {}, {})
G80_ROW(21, (G80_NAMES_16, m17, m18, m19, m20, m21), G80_BRACES_16, {}, {}, {}, {}, {})
G80_ROW(22, (G80_NAMES_16, m17, m18, m19, m20, m21, m22), G80_BRACES_16, {}, {}, {}, {}, {}, {})
G80_ROW(23, (G80_NAMES_16, m17, m18, m19, m20, m21, m22, m23), G80_BRACES_16, {}, {}, {}, {}, {}, {}, {})
G80_ROW(24, (G80_NAMES_24), G80_BRACES_24)
G80_ROW(25, (G80_NAMES_24, m25), G80_BRACES_24, {})
G80_ROW(26, (G80_NAMES_24, m25, m26), G80_BRACES_24, {}, {})
G80_ROW(27, (G80_NAMES_24, m25, m26, m27), G80_BRACES_24, {}, {}, {})
G80_ROW(28, (G80_NAMES_24, m25, m26, m27, m28), G80_BRACES_24, {}, {}, {}, {})
G80_ROW(29, (G80_NAMES_24, m25, m26, m27, m28, m29), G80_BRACES_24, {}, {}, {}, {}, {})
G80_ROW(30, (G80_NAMES_24, m25, m26, m27, m28, m29, m30), G80_BRACES_24, {}, {}, {}, {}, {}, {})
G80_ROW(31, (G80_NAMES_24, m25, m26, m27, m28, m29, m30, m31), G80_BRACES_24, {}, {}, {}, {}, {}, {}, {})
G80_ROW(32, (G80_NAMES_32), G80_BRACES_32)
#undef G80_NAMES_8
#undef G80_BRACES_8
#undef G80_NAMES_16
#undef G80_BRACES_16
#undef G80_NAMES_24
#undef G80_BRACES_24
#undef G80_NAMES_32
#undef G80_BRACES_32
#undef G80_UNPACK
#undef G80_ROW
// clang-format on
#pragma GCC diagnostic pop

/// The number of members, which is at least kFrom and less than kFrom + kStep * 2.
template <class T, unsigned kFrom = 0, unsigned kStep = 16>
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
  constexpr void shown(const char*, const T&, unsigned = 0) {}
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
    static_assert(!members_detail::takes<T>(members_detail::Count<32>{}), "more than 31 members: add rows above");
    return members_detail::visited<T>();
  } else {
    return true;
  }
}

}  // namespace g80

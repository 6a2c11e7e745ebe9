// SPDX-License-Identifier: Apache-2.0
// G80_FIELDS(valid, (warp, 5), (uid, tag.bits, 0)) declares visit() of a struct (hw/common/fields.h): its fields in
// their packed order, the most significant one first. A field is the name of a member; or (member, width), where it has
// fewer bits than its type; or (name, member, width), where it is shown under another name. Width 0 is that of the
// type.
#pragma once

#define G80_FIELDS(...)                                    \
  template <class S, class V>                              \
  static constexpr void visit(S& s, V& v) {                \
    G80_SCAN(G80_SCAN(G80_SCAN(G80_FIELD_1(__VA_ARGS__)))) \
  }

// Eight fields, then again: a macro does not expand itself, but the next scan of the text expands what is left.
#define G80_SCAN(...) __VA_ARGS__
#define G80_FIELD_1(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_2(__VA_ARGS__))
#define G80_FIELD_2(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_3(__VA_ARGS__))
#define G80_FIELD_3(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_4(__VA_ARGS__))
#define G80_FIELD_4(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_5(__VA_ARGS__))
#define G80_FIELD_5(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_6(__VA_ARGS__))
#define G80_FIELD_6(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_7(__VA_ARGS__))
#define G80_FIELD_7(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_8(__VA_ARGS__))
#define G80_FIELD_8(x, ...) G80_ONE_FIELD(x) __VA_OPT__(G80_FIELD_AGAIN G80_NOTHING()(__VA_ARGS__))
#define G80_FIELD_AGAIN() G80_FIELD_1
#define G80_NOTHING

#define G80_ONE_FIELD(x) G80_CHOOSE(G80_OPEN x, G80_NAMED, G80_WIDE, , G80_PLAIN, )(x)
#define G80_OPEN(...) , __VA_ARGS__
#define G80_CHOOSE(...) G80_CHOOSE_FIFTH(__VA_ARGS__)
#define G80_CHOOSE_FIFTH(a, b, c, d, chosen, ...) chosen
#define G80_PLAIN(x) v(#x, s.x);
#define G80_WIDE(x) G80_WIDE_OF x
#define G80_WIDE_OF(x, width) v(#x, s.x, width);
#define G80_NAMED(x) G80_NAMED_OF x
#define G80_NAMED_OF(name, x, width) v(#name, s.x, width);

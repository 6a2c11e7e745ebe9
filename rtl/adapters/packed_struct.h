// SPDX-License-Identifier: Apache-2.0
// Bundles as SystemVerilog's packed structs: their bits, in the order that rtl/write_package.cpp declares.
//
// The first field of visit() is the most significant. Element i of an array is element i of the packed array, so the
// last element is the most significant. A field is as wide as visit() says, or as its C++ type; an enumeration with
// names is as wide as its number of values needs.
#pragma once
#include <cstring>
#include <iterator>

#include "hw/common/check.h"
#include "hw/common/fields.h"
#include "rtl/adapters/decoded_fields.h"
#include "tb/twins/twins.h"

namespace g80 {

constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 1;
  while (1u << bits < values) ++bits;
  return bits;
}

/// Bits of a field that is no array and no bundle; `width` is what visit() says, 0 for nothing.
template <class T>
unsigned packed_field_width(unsigned width) {
  if constexpr (fields_detail::has_text<T>::value) {
    return bits_for(enum_text(T{}).count);
  } else {
    return fields_detail::leaf_width<T>(width);
  }
}

namespace packed_detail {

class WidthCounter {
 public:
  unsigned bits = 0;
  template <class T>
  void operator()(const char*, const T& value, unsigned width = 0) {
    if constexpr (fields_detail::is_leaf<T>) {
      bits += packed_field_width<T>(width);
    } else if constexpr (fields_detail::is_array<T>::value) {
      for (const auto& element : value) (*this)("", element, width);
    } else {
      visit_fields(value, *this);
    }
  }
  template <class T>
  void stored(const char* name, const T& value, unsigned width = 0) {
    (*this)(name, value, width);
  }
  template <class T>
  void shown(const char* name, const T& value, unsigned width = 0) {
    (*this)(name, value, width);
  }
  template <class T>
  void unseen(const char*, const T&) {}
  template <class F>
  void implied(const char* name, unsigned width, const F& compute) {
    const unsigned before = bits;
    (*this)(name, compute());
    CHECK(bits - before == width, "{}: {} bits are {}", name, width, bits - before);
  }
};

/// Adds fields to words that are zero, from the most significant bit down.
class Packer {
 public:
  Packer(std::uint32_t* words, unsigned bits) : words_(words), at_(bits) {}
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    if constexpr (fields_detail::is_leaf<T>) {
      put(name, static_cast<std::uint64_t>(value), packed_field_width<T>(width), std::is_signed_v<T>);
    } else if constexpr (fields_detail::is_array<T>::value) {
      for (std::size_t i = std::size(value); i-- > 0;) (*this)(name, value[i], width);
    } else {
      visit_fields(value, *this);
    }
  }
  template <class T>
  void stored(const char* name, const T& value, unsigned width = 0) {
    (*this)(name, value, width);
  }
  template <class T>
  void shown(const char* name, const T& value, unsigned width = 0) {
    (*this)(name, value, width);
  }
  template <class T>
  void unseen(const char*, const T&) {}
  template <class F>
  void implied(const char* name, unsigned, const F& compute) {
    (*this)(name, compute());
  }

 private:
  void put(const char* name, std::uint64_t value, unsigned width, bool is_signed) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
    CHECK(is_signed || (value & ~mask) == 0, "field {}: {:#x} has more than its {} bits", name, value, width);
    value &= mask;
    at_ -= width;
    const unsigned word = at_ / 32, shift = at_ % 32;
    words_[word] |= static_cast<std::uint32_t>(value << shift);
    if (shift + width > 32) words_[word + 1] |= static_cast<std::uint32_t>(value >> (32 - shift));
    if (shift + width > 64) words_[word + 2] |= static_cast<std::uint32_t>(value >> (64 - shift));
  }
  std::uint32_t* const words_;
  unsigned at_;
};

class Unpacker {
 public:
  Unpacker(const std::uint32_t* words, unsigned bits) : words_(words), at_(bits) {}
  template <class T>
  void operator()(const char* name, T& value, unsigned width = 0) {
    static_assert(!std::is_const_v<T>, "a field that is computed for display cannot be set");
    if constexpr (fields_detail::is_leaf<T>) {
      const unsigned bits = packed_field_width<T>(width);
      std::uint64_t found = take(bits);
      if (std::is_signed_v<T> && bits < 64 && (found >> (bits - 1) & 1) != 0) found |= ~std::uint64_t{0} << bits;
      value = static_cast<T>(found);
    } else if constexpr (fields_detail::is_array<T>::value) {
      for (std::size_t i = std::size(value); i-- > 0;) (*this)(name, value[i], width);
    } else {
      visit_fields(value, *this);
    }
  }
  template <class T>
  void stored(const char* name, T& value, unsigned width = 0) {
    (*this)(name, value, width);
  }
  template <class T>
  void shown(const char*, const T&, unsigned = 0) {
    static_assert(!is_bundle<T> && is_bundle<T>, "a field that is computed for display cannot be set");
  }
  /// The RTL makes it by itself: it must be what the other fields imply, but for the random bits of a start.
  template <class F>
  void implied(const char* name, unsigned, const F& compute) {
    auto found = compute();
    const auto expected = found;
    (*this)(name, found);
    CHECK(found == expected || model_seed() != 0, "{}: what the RTL says does not follow from the fields before", name);
  }
  /// The next bits, from the most significant one down.
  std::uint64_t take(unsigned width) {
    at_ -= width;
    const unsigned word = at_ / 32, shift = at_ % 32;
    std::uint64_t value = words_[word] >> shift;
    if (shift + width > 32) value |= std::uint64_t{words_[word + 1]} << (32 - shift);
    if (shift + width > 64) value |= std::uint64_t{words_[word + 2]} << (64 - shift);
    return value & ~std::uint64_t{0} >> (64 - width);
  }

 private:
  const std::uint32_t* const words_;
  unsigned at_;
};

}  // namespace packed_detail

/// Bits of a bundle's packed struct.
template <class Bundle>
unsigned packed_width() {
  static const unsigned width = [] {
    const Bundle bundle{};
    packed_detail::WidthCounter counter;
    visit_fields(bundle, counter);
    return counter.bits;
  }();
  return width;
}

/// The bits of a bundle; word 0 has the least significant ones.
template <class Bundle>
void pack(const Bundle& bundle, std::uint32_t* words) {
  const unsigned width = packed_width<Bundle>();
  std::memset(words, 0, (width + 31) / 32 * 4);
  packed_detail::Packer packer(words, width);
  visit_fields(bundle, packer);
}
template <class Bundle>
void unpack(const std::uint32_t* words, Bundle& bundle) {
  packed_detail::Unpacker unpacker(words, packed_width<Bundle>());
  visit_fields(bundle, unpacker);
}

namespace packed_detail {

/// Hands element `lane` of every array to another visitor.
template <class Visitor>
struct LaneFields {
  Visitor& visitor;
  unsigned lane;
  template <class T>
  void operator()(const char* name, T& value, unsigned width = 0) {
    if constexpr (fields_detail::is_array<std::remove_const_t<T>>::value) visitor(name, value[lane], width);
  }
};

}  // namespace packed_detail

/// Bits of the packed struct of one lane: see LANES in bundles.def.
template <class Stage>
unsigned packed_lane_width() {
  static const unsigned width = [] {
    const Stage stage{};
    packed_detail::WidthCounter counter;
    packed_detail::LaneFields<packed_detail::WidthCounter> fields{counter, 0};
    visit_fields(stage, fields);
    return counter.bits;
  }();
  return width;
}
/// Fills the fields of one lane; the others stay.
template <class Stage>
void unpack_lane(const std::uint32_t* words, unsigned lane, Stage& stage) {
  packed_detail::Unpacker unpacker(words, packed_lane_width<Stage>());
  packed_detail::LaneFields<packed_detail::Unpacker> fields{unpacker, lane};
  visit_fields(stage, fields);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A hash over the fields of a bundle, without padding: equal values have equal hashes.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hw/common/fields.h"

namespace g80 {

class FieldHash {
 public:
  template <class T>
  void operator()(const char*, const T& value, unsigned = 0) {
    item(value);
  }
  template <class T>
  void stored(const char*, const T& value, unsigned = 0) {
    item(value);
  }
  template <class T>
  void shown(const char*, const T&, unsigned = 0) {}
  template <class T>
  void unseen(const char*, const T&) {}
  template <class F>
  void implied(const char*, unsigned, const F&) {}

  template <class... T>
  static std::uint64_t of(const T&... values) {
    FieldHash hash;
    (hash.item(values), ...);
    return hash.hash_;
  }

 private:
  template <class T>
  void item(const T& value) {
    if constexpr (fields_detail::is_leaf<T>) {
      hash_ = (hash_ ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
      hash_ ^= hash_ >> 32;
    } else if constexpr (fields_detail::is_array<T>::value) {
      using Element = std::decay_t<decltype(*std::begin(value))>;
      if constexpr (std::is_integral_v<Element> && sizeof(value) % sizeof(std::uint64_t) == 0) {
        std::array<std::uint64_t, sizeof(T) / 8> together;
        std::memcpy(together.data(), std::data(value), sizeof value);
        for (const std::uint64_t elements : together) item(elements);
      } else {
        for (const auto& element : value) item(element);
      }
    } else {
      visit_fields(value, *this);
    }
  }
  std::uint64_t hash_ = 0;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A hash over the fields of a bundle, without padding: equal values have equal hashes.
#pragma once
#include <cstdint>

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
      for (const auto& element : value) item(element);
    } else {
      visit_fields(value, *this);
    }
  }
  std::uint64_t hash_ = 0;
};

}  // namespace g80

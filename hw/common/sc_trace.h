// SPDX-License-Identifier: Apache-2.0
// SystemC's sc_trace for bundles: every field is traced by itself, as `pass.request.address(3)`, with its width; an
// enumeration as its number. (Parentheses, because SystemC's VCD writer warns of brackets.) For a block on sc_clock and
// sc_signal, as in tb/examples/one_block.cpp; the waves of the whole machine come from tb/waves.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <systemc>
#include <type_traits>

#include "hw/common/fields.h"

namespace g80 {

/// A trace file keeps a reference to each value and reads it whenever time goes on. So only what lies in the bundle can
/// be traced: a value that visit() computes, or finds behind a pointer, is left out.
class FieldTracer {
 public:
  FieldTracer(sc_core::sc_trace_file* file, std::string name, const void* bundle, std::size_t bytes)
      : file_(file), name_(std::move(name)), begin_(static_cast<const char*>(bundle)), end_(begin_ + bytes) {}

  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    item(name_ + "." + name, value, width);
  }
  template <class T>
  void stored(const char* name, const T& value, unsigned width = 0) {
    item(name_ + "." + name, value, width);
  }
  template <class T>
  void shown(const char*, const T&, unsigned = 0) {}
  template <class T>
  void unseen(const char*, const T&) {}
  template <class F>
  void implied(const char*, unsigned, const F&) {}

 private:
  template <class T>
  void item(const std::string& name, const T& value, unsigned width) {
    if constexpr (fields_detail::is_leaf<T>) {
      if (lies_in_bundle(&value)) leaf(name, value, static_cast<int>(fields_detail::leaf_width<T>(width)));
    } else if constexpr (fields_detail::is_array<T>::value) {
      unsigned i = 0;
      for (const auto& element : value) item(name + "(" + std::to_string(i++) + ")", element, width);
    } else {
      FieldTracer fields(file_, name, begin_, static_cast<std::size_t>(end_ - begin_));
      visit_fields(value, fields);
    }
  }
  template <class T>
  void leaf(const std::string& name, const T& value, int width) {
    if constexpr (std::is_same_v<T, bool>) {
      sc_core::sc_trace(file_, value, name);
    } else if constexpr (std::is_enum_v<T>) {
      static_assert(sizeof(T) == 1, "a byte may be read as what it is not");
      sc_core::sc_trace(file_, reinterpret_cast<const unsigned char&>(value), name, width);
    } else {
      sc_core::sc_trace(file_, value, name, width);
    }
  }
  bool lies_in_bundle(const void* value) const {
    const std::less<const void*> before;
    return !before(value, begin_) && before(value, end_);
  }

  sc_core::sc_trace_file* const file_;
  const std::string name_;
  const char *const begin_, *const end_;
};

template <class T, class = std::enable_if_t<is_bundle<T>>>
void sc_trace(sc_core::sc_trace_file* file, const T& bundle, const std::string& name) {
  FieldTracer fields(file, name, &bundle, sizeof bundle);
  visit_fields(bundle, fields);
}

}  // namespace g80

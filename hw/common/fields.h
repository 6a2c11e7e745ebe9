// One visitor for all state: waves, twin comparison, snapshots and the shell all see a bundle's fields through visit().
//
// A bundle or register struct S declares
//     template <class S, class V> static void visit(S& s, V& v) { v("valid", s.valid); v("lanes", s.lanes, 16); }
// The optional third argument is the width in bits where it is narrower than the C++ type.
// An enum gets readable text with a function found by argument-dependent lookup: const EnumText& enum_text(E).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

namespace g80 {

/// Names of an enumeration's values 0, 1, 2, ...
struct EnumText {
  const char* type;
  const char* const* names;
  unsigned count;
};

namespace fields_detail {
template <class T, class = void>
struct has_visit : std::false_type {};
struct AnyVisitor {
  template <class T>
  void operator()(const char*, T&&, unsigned = 0) {}
};
template <class T>
struct has_visit<T, std::void_t<decltype(T::visit(std::declval<T&>(), std::declval<AnyVisitor&>()))>> : std::true_type {};
template <class T, class = void>
struct has_text : std::false_type {};
template <class T>
struct has_text<T, std::void_t<decltype(enum_text(T{}))>> : std::true_type {};
template <class T>
struct is_array : std::is_array<T> {};
template <class T, std::size_t N>
struct is_array<std::array<T, N>> : std::true_type {};
}  // namespace fields_detail

template <class T>
inline constexpr bool is_bundle = fields_detail::has_visit<T>::value;

/// Type-erased visitor: sees every leaf in declaration order, with the path by enter()/leave().
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  virtual void enter(const char* name, int index) = 0;  // index -1: not an array element
  virtual void leave() = 0;
  virtual void leaf(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) = 0;

  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    item(name, -1, value, width);
  }

 private:
  template <class T>
  void item(const char* name, int index, const T& value, unsigned width) {
    if constexpr (std::is_same_v<T, bool>) {
      leaf(name, index, value, 1, nullptr);
    } else if constexpr (std::is_enum_v<T>) {
      const EnumText* text = nullptr;
      if constexpr (fields_detail::has_text<T>::value) text = &enum_text(value);
      leaf(name, index, static_cast<std::uint64_t>(value), width ? width : unsigned(8 * sizeof(T)), text);
    } else if constexpr (std::is_integral_v<T>) {
      leaf(name, index, static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value)),
           width ? width : unsigned(8 * sizeof(T)), nullptr);
    } else if constexpr (fields_detail::is_array<T>::value) {
      int i = 0;
      if (index < 0) {
        for (const auto& element : value) item(name, i++, element, width);
      } else {  // a row of a two-dimensional array: coord[3].at[0]
        enter(name, index);
        for (const auto& element : value) item("at", i++, element, width);
        leave();
      }
    } else {
      enter(name, index);
      T::visit(value, *this);
      leave();
    }
  }
};

// What sc_signal<Bundle> needs, so that a module can be tested on plain SystemC signals. Compares fields, not padding.
template <class T, class = std::enable_if_t<is_bundle<T>>>
bool operator==(const T& a, const T& b) {
  struct Digest final : FieldVisitor {
    std::vector<std::uint64_t> leaves;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char*, int, std::uint64_t value, unsigned, const EnumText*) override { leaves.push_back(value); }
  } of_a, of_b;
  T::visit(a, of_a);
  T::visit(b, of_b);
  return of_a.leaves == of_b.leaves;
}
template <class T, class = std::enable_if_t<is_bundle<T>>>
std::ostream& operator<<(std::ostream& out, const T& bundle) {
  struct Printer final : FieldVisitor {
    std::ostream* out = nullptr;
    void enter(const char* name, int) override { *out << name << "{ "; }
    void leave() override { *out << "} "; }
    void leaf(const char* name, int, std::uint64_t value, unsigned, const EnumText*) override {
      *out << name << '=' << value << ' ';
    }
  } printer;
  printer.out = &out;
  T::visit(bundle, printer);
  return out;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// One visitor for all state: waves, twin comparison, fault injection and the shell all see a bundle's fields through
// visit().
//
// A bundle or register struct S declares
//     template <class S, class V>
//     static constexpr void visit(S& s, V& v) { v("valid", s.valid); v("lanes", s.lanes, 16); }
// The optional third argument is the width in bits where it is narrower than the C++ type. A member that visit() leaves
// out, or names twice, does not compile (hw/common/members.h). So each member is one of these:
//     v(name, member)         a signal in waves, a target of faults, compared with the RTL twin
//     v.stored(name, member)  contents that waves leave out (words of a memory); fault injection reaches them
//     v.unseen(name, member)  no state of its own: how this program refers to what another field says; say which
// and v.shown(name, value) shows a value computed from members: no fault can change it.
// Code that hands a struct to a visitor calls visit_fields(), which makes the check.
// An enum gets readable text with a function found by argument-dependent lookup: const EnumText& enum_text(E).
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "hw/common/members.h"

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
struct AnyVisitor {};
template <class T>
struct has_visit<T, std::void_t<decltype(T::visit(std::declval<T&>(), std::declval<AnyVisitor&>()))>> : std::true_type {
};
template <class T, class = void>
struct has_text : std::false_type {};
template <class T>
struct has_text<T, std::void_t<decltype(enum_text(T{}))>> : std::true_type {};
template <class T>
struct is_array : std::is_array<T> {};
template <class T, std::size_t N>
struct is_array<std::array<T, N>> : std::true_type {};
template <class T>
struct is_array<std::vector<T>> : std::true_type {};
template <class T>
inline constexpr bool is_leaf = std::is_integral_v<T> || std::is_enum_v<T>;
/// Struct or array that is compared as a whole before its leaves are: not a small one, and not a large one, of which
/// waves show a part, such as the front of a queue.
template <class T>
inline constexpr bool is_compared = std::is_trivially_copyable_v<T> && sizeof(T) >= 16 && sizeof(T) <= 256;
template <class T>
constexpr unsigned leaf_width(unsigned width) {
  return width != 0 ? width : std::is_same_v<T, bool> ? 1 : unsigned(8 * sizeof(T));
}
/// memcmp, without a call.
template <class T>
bool same_bytes(const std::uint64_t* copy, const T& value) {
  std::uint64_t words[(sizeof(T) + 7) / 8] = {}, differing = 0;
  std::memcpy(words, &value, sizeof value);
  for (std::size_t i = 0; i < std::size(words); ++i) differing |= words[i] ^ copy[i];
  return differing == 0;
}
template <class T>
constexpr std::uint64_t leaf_bits(T value) {
  if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}
}  // namespace fields_detail

template <class T>
inline constexpr bool is_bundle = fields_detail::has_visit<T>::value;

/// Hands every field of a struct to a visitor. Nothing else calls visit().
template <class T, class V>
constexpr void visit_fields(T& object, V& visitor) {
  using Struct = std::remove_const_t<T>;
  static_assert(every_member_is_visited<Struct>(),
                "visit() of this struct leaves a member out or names one twice: hw/common/fields.h says how to declare "
                "a member that is no signal");
  Struct::visit(object, visitor);
}

/// What is known of an object from the last visit: the value of each leaf, and copies of its structs and arrays. Behind
/// each copy are those of what is in it.
struct KnownFields {
  std::uint64_t* leaf = nullptr;      // of the next one
  std::vector<std::uint64_t> copies;  // each: its leaves and, times 2^32, its words with those in it; its bytes
  std::size_t copy = 0;               // where the next one is
};

/// Type-erased visitor: sees every leaf in declaration order, with the path by enter()/leave(). With `known` it sees
/// only the leaves that changed since the last visit of the same object, without the path. Structs and arrays with the
/// same bytes as then are passed over: visit() reads nothing but members, so their leaves are the same.
class FieldVisitor {
 public:
  explicit FieldVisitor(bool with_stored = false) : with_stored_(with_stored) {}
  explicit FieldVisitor(KnownFields& known) : with_stored_(false), known_(&known) {}
  virtual ~FieldVisitor() = default;
  virtual void enter(const char* name, int index) = 0;  // index -1: not an array element
  virtual void leave() = 0;
  virtual void leaf(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) = 0;

  /// Hands over one leaf, unless it is known.
  [[gnu::always_inline]] void see(const char* name, int index, std::uint64_t value, unsigned width,
                                  const EnumText* text) {
    if (known_ != nullptr) {
      std::uint64_t& last = *known_->leaf++;
      value &= ~std::uint64_t{0} >> (64 - width);
      if (last == value) return;
      last = value;
    }
    leaf(name, index, value, width, text);
  }
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    item(name, -1, value, width);
  }
  template <class T>
  void stored(const char* name, const T& value, unsigned width = 0) {
    if (with_stored_) item(name, -1, value, width);
  }
  template <class T>
  void shown(const char* name, const T& value, unsigned width = 0) {
    item(name, -1, value, width);
  }
  template <class T>
  void unseen(const char*, const T&) {}

 private:
  const bool with_stored_;
  KnownFields* const known_ = nullptr;

  template <class T>
  void item(const char* name, int index, const T& value, unsigned width) {
    if constexpr (fields_detail::is_leaf<T>) {
      const EnumText* text = nullptr;
      if constexpr (fields_detail::has_text<T>::value) text = &enum_text(value);
      see(name, index, fields_detail::leaf_bits(value), fields_detail::leaf_width<T>(width), text);
    } else if constexpr (fields_detail::is_compared<T>) {
      if (known_ == nullptr) return inside(name, index, value, width);
      constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
      KnownFields& known = *known_;
      const std::size_t head = known.copy, end = head + 1 + kWords;
      if (known.copies.size() < end) {
        known.copies.resize(end);
      } else if (fields_detail::same_bytes(&known.copies[head + 1], value)) {
        known.leaf += static_cast<std::uint32_t>(known.copies[head]);
        known.copy += known.copies[head] >> 32;
        return;
      }
      std::memcpy(&known.copies[head + 1], &value, sizeof value);
      known.copy = end;
      const std::uint64_t* const first = known.leaf;
      inside(name, index, value, width);
      known.copies[head] = static_cast<std::uint64_t>(known.copy - head) << 32 | (known.leaf - first);
    } else {
      inside(name, index, value, width);
    }
  }
  template <class T>
  void inside(const char* name, int index, const T& value, unsigned width) {
    if constexpr (fields_detail::is_array<T>::value) {
      int i = 0;
      if (index < 0) {
        for (const auto& element : value) item(name, i++, element, width);
      } else {  // a row of a two-dimensional array: coord[3].at[0]
        if (known_ == nullptr) enter(name, index);
        for (const auto& element : value) item("at", i++, element, width);
        if (known_ == nullptr) leave();
      }
    } else {
      if (known_ == nullptr) enter(name, index);
      visit_fields(value, *this);
      if (known_ == nullptr) leave();
    }
  }
};

/// An edit of a field: set it, or invert bits of it.
struct FieldEdit {
  bool invert = false;
  std::uint64_t value = 0;
};

/// Sees every leaf that a FieldVisitor with stored fields sees, in the same order, and edits those numbered
/// first .. first + count - 1: for fault injection. One made of a seed edits none of them: queues and caches hand it
/// the places that hold nothing, and it fills them with random bits.
class FieldEditor {
 public:
  FieldEditor(std::uint32_t first, std::uint32_t count, const FieldEdit& edit)
      : first_(first), end_(first + count), edit_(edit) {}
  explicit FieldEditor(std::uint64_t seed) : first_(0), end_(0), fills_(true), bits_(seed) {}

  template <class T>
  void operator()(const char*, T& value, unsigned width = 0) {
    item(value, width);
  }
  template <class T>
  void stored(const char*, T& value, unsigned width = 0) {
    item(value, width);
  }
  template <class T>
  void shown(const char*, const T& value, unsigned width = 0) {
    item(value, width);
  }
  template <class T>
  void unseen(const char*, const T&) {}
  bool fills() const { return fills_; }
  /// Gives random bits to a place without an entry, where fills().
  template <class T>
  void fill(T& value, unsigned width = 0) {
    filling_ = true;
    item(value, width);
    filling_ = false;
  }
  /// Leaves that could be edited; a value computed for display cannot.
  std::uint32_t editable() const { return editable_; }
  /// Number of leaves whose value changed.
  std::uint32_t changed() const { return changed_; }

 private:
  template <class T>
  void item(T& value, unsigned width) {
    using Plain = std::remove_const_t<T>;
    if constexpr (fields_detail::is_leaf<Plain>) {
      if (filling_) return draw(value, fields_detail::leaf_width<Plain>(width));
      if (next_ >= first_ && next_ < end_) edit(value, fields_detail::leaf_width<Plain>(width));
      ++next_;
    } else if constexpr (fields_detail::is_array<Plain>::value) {
      using Element = std::remove_const_t<std::remove_reference_t<decltype(*std::begin(value))>>;
      const auto size = static_cast<std::uint32_t>(std::size(value));
      if (!filling_ && fields_detail::is_leaf<Element> && (next_ >= end_ || next_ + size <= first_)) {
        next_ += size;
        return;
      }
      for (auto& element : value) item(element, width);
    } else {
      visit_fields(value, *this);
    }
  }
  template <class T>
  void draw(T& value, unsigned width) {
    if constexpr (!std::is_const_v<T>) {
      bits_ += 0x9e3779b97f4a7c15u;
      std::uint64_t bits = (bits_ ^ bits_ >> 30) * 0xbf58476d1ce4e5b9u;
      bits = (bits ^ bits >> 27) & ~std::uint64_t{0} >> (64 - width);
      if constexpr (fields_detail::has_text<T>::value) {
        bits %= enum_text(value).count;
      } else if constexpr (std::is_enum_v<T>) {
        return;  // which values it has is not known
      }
      value = static_cast<T>(bits);
      ++changed_;
    }
  }
  template <class T>
  void edit(T& value, unsigned width) {
    if constexpr (!std::is_const_v<T>) {
      ++editable_;
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
      const auto old = static_cast<std::uint64_t>(value);
      const std::uint64_t wanted = ((edit_.invert ? old ^ edit_.value : edit_.value) & mask) | (old & ~mask);
      if constexpr (fields_detail::has_text<T>::value) {
        if (wanted >= enum_text(value).count) return;  // no such value: the fault has no effect
      }
      if (wanted == old) return;
      value = static_cast<T>(wanted);
      ++changed_;
    }
  }

  const std::uint32_t first_, end_;
  const FieldEdit edit_{};
  const bool fills_ = false;
  bool filling_ = false;
  std::uint64_t bits_ = 0;
  std::uint32_t next_ = 0, editable_ = 0, changed_ = 0;
};

// What sc_signal<Bundle> needs, so that a module can be tested on plain SystemC signals. Compares fields, those that
// waves leave out too, and no padding.
template <class T, class = std::enable_if_t<is_bundle<T>>>
bool operator==(const T& a, const T& b) {
  struct Digest final : FieldVisitor {
    Digest() : FieldVisitor(true) {}
    std::vector<std::uint64_t> leaves;
    void enter(const char*, int) override {}
    void leave() override {}
    void leaf(const char*, int, std::uint64_t value, unsigned, const EnumText*) override { leaves.push_back(value); }
  } of_a, of_b;
  visit_fields(a, of_a);
  visit_fields(b, of_b);
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
  visit_fields(bundle, printer);
  return out;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// One visitor for all state: waves, twin comparison, fault injection and the shell all see a bundle's fields through
// visit().
//
// A bundle or register struct declares its fields in their packed order, with the width in bits of those that are
// narrower than their C++ type:
//     G80_FIELDS(valid, (lanes, 16));
// This is visit() (hw/common/field_list.h). A struct that has more to say than names and widths writes it itself:
//     template <class S, class V>
//     static constexpr void visit(S& s, V& v) { v("valid", s.valid); v("lanes", s.lanes, 16); }
// A member that visit() leaves out, or names twice, does not compile (hw/common/members.h). So each member is one of:
//     v(name, member)         a signal in waves, a target of faults, compared with the RTL twin
//     v.stored(name, member)  contents that waves leave out (words of a memory); fault injection reaches them
//     v.unseen(name, member)  no state of its own: how this program refers to what another field says; say which
//     v.countdown(name, member, width)  a counter that stops at zero, kept as the edge of its clock at which it is zero
//                             (or an array of them); also v.stored_countdown
// and v.shown(name, value) shows a value computed from members: no fault can change it.
// v.implied(name, width, compute) is a value that follows from the members before it, and that the wires of RTL twins
// carry beside them: only packed structs have it (rtl/adapters/packed_struct.h).
// v.of_queue(name, value, width) is what a queue has of its own, beside the entry that it shows.
// v.index(name, member, size) is stored, and v.count(name, member, most, width) is drawn: faults that would make an
// index `size` or more, or a count more than `most`, have no effect, because hardware has no such place.
// Code that hands a struct to a visitor calls visit_fields(), which makes the check.
// An enum gets readable text with a function found by argument-dependent lookup: const EnumText& enum_text(E).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hw/common/field_list.h"
#include "hw/common/members.h"
#include "hw/common/types.h"

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
/// Kept as it was at some edge, and counts at each: count_to() brings it up to an edge.
template <class T, class = void>
struct counts : std::false_type {};
template <class T>
struct counts<T, std::void_t<decltype(std::declval<T&>().count_to(Cycle{}))>> : std::true_type {};
/// Leaves and arrays and aggregates of them: by hw/common/members.h, visit() hands over what lies in them, and nothing
/// else. A class with a constructor or private members may decide what it shows.
template <class T, class = void>
struct is_plain : std::bool_constant<is_leaf<T> || (std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>)> {};
template <class T, std::size_t N>
struct is_plain<T[N]> : is_plain<T> {};
template <class T, std::size_t N>
struct is_plain<std::array<T, N>> : is_plain<T> {};
template <class T>
struct is_plain<std::vector<T>> : is_plain<T> {};
template <>
struct is_plain<std::vector<bool>> : std::false_type {};
/// Smaller ones are compared leaf by leaf.
inline constexpr std::size_t kLeastToCompare = 16;  // bytes
struct Memory {
  const void* at;
  std::size_t bytes;
};
template <class T>
Memory memory_of(const T& value) {
  return {&value, sizeof value};
}
template <class T>
Memory memory_of(const std::vector<T>& value) {
  return {value.data(), value.size() * sizeof(T)};
}
template <class T>
constexpr unsigned leaf_width(unsigned width) {
  return width != 0 ? width : std::is_same_v<T, bool> ? 1 : unsigned(8 * sizeof(T));
}
/// What a counter holds behind an edge, if the block at edge `end` is the first to find it zero.
constexpr Cycle left_of(Cycle end, Cycle edge) { return end > edge + 1 ? end - edge - 1 : 0; }
/// Of a number less than `size`.
constexpr unsigned bits_below(unsigned size) { return 32u - static_cast<unsigned>(__builtin_clz((size - 1) | 1)); }
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

/// A leaf and what it became.
struct LeafChange {
  std::uint64_t value;
  std::uint32_t leaf;
};

/// What is known of an object from the last visit: the value of each leaf, and the bytes of its plain structs and
/// arrays. Where a byte differs from the one known, the leaf that it belongs to is looked up; what has the same bytes
/// is passed over.
class KnownFields {
 public:
  /// Of a byte of a plain struct or array: the leaf there.
  struct Place {
    static constexpr std::uint16_t kPadding = 0xffff;
    std::uint16_t leaf = kPadding;  // its number among those of the struct
    std::uint8_t low = 0;           // in the 64-bit word of the byte
    std::uint8_t bits = 0, width = 0;
    bool operator<(const Place& other) const {
      return std::tie(leaf, low, bits, width) < std::tie(other.leaf, other.low, other.bits, other.width);
    }
  };
  using Layouts = std::set<std::vector<Place>>;  // those that occur, of several objects

  explicit KnownFields(Layouts& layouts) : layouts_(&layouts) {}

  /// A visit begins. The values of the leaves are in `values`, the first one's in values[first]; changes are noted
  /// there and in `changes`, under the same number.
  void begin(std::vector<std::uint64_t>& values, std::uint32_t first, std::vector<LeafChange>& changes) {
    values_ = values.data();
    leaf_ = first;
    changes_ = &changes;
    next_ = 0;
  }
  /// The number of the next leaf.
  std::uint32_t leaf() const { return leaf_; }

 private:
  friend class FieldVisitor;
  struct Block {                       // a struct or array that is_plain
    const std::vector<Place>* layout;  // null: it is looked into
    std::size_t copy, bytes;
    std::uint32_t leaves;
  };
  enum class Way { kPassed, kInside, kLearn };

  [[gnu::always_inline]] void see(fields_detail::Memory from, std::uint64_t value, unsigned width) {
    value &= ~std::uint64_t{0} >> (64 - width);
    if (__builtin_expect(learning_, 0)) learn(from, width);
    if (values_[leaf_] != value) change(leaf_, value);
    ++leaf_;
  }
  /// What to do with the next plain struct or array.
  Way meet(fields_detail::Memory block) {
    if (next_ == blocks_.size() || learning_) return meet_first(block);
    const Block& known = blocks_[next_++];
    if (known.layout == nullptr) return Way::kInside;
    compare(known, block);
    leaf_ += known.leaves;
    return Way::kPassed;
  }
  Way meet_first(fields_detail::Memory block);
  Way learnt();
  void learn(fields_detail::Memory leaf, unsigned width);
  /// What is visited now does not just lie there.
  void meet_computed() { plain_ = false; }
  void compare(const Block& block, fields_detail::Memory now);
  void change(std::uint32_t leaf, std::uint64_t value);

  Layouts* layouts_;
  std::uint64_t* values_ = nullptr;
  std::uint32_t leaf_ = 0;
  std::vector<LeafChange>* changes_ = nullptr;
  std::vector<Block> blocks_;  // in the order in which they are visited
  std::size_t next_ = 0;
  std::vector<std::uint64_t> copies_;
  // At the first visit, inside a block that is no part of another:
  bool learning_ = false, plain_ = false;
  fields_detail::Memory block_{};
  std::uint32_t first_ = 0;  // leaf
  std::vector<Place> places_;
};

/// Type-erased visitor: sees every leaf in declaration order, with the path by enter()/leave(). With `known` it calls
/// nothing, but notes the leaves that changed since the last visit of the same object.
class FieldVisitor {
 public:
  explicit FieldVisitor(bool with_stored = false) : with_stored_(with_stored) {}
  FieldVisitor(KnownFields& known, bool with_stored) : with_stored_(with_stored), known_(&known) {}
  virtual ~FieldVisitor() = default;
  virtual void enter(const char* name, int index) = 0;  // index -1: not an array element
  virtual void leave() = 0;
  virtual void leaf(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) = 0;
  virtual void pass(unsigned) {}  // bits of an implied value

  /// Hands over one leaf that does not lie in the object.
  void see(const char* name, int index, std::uint64_t value, unsigned width, const EnumText* text) {
    if (known_ != nullptr) {
      known_->meet_computed();
      known_->see({}, value, width);
    } else {
      leaf(name, index, value, width, text);
    }
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
    if (known_ != nullptr) known_->meet_computed();
    item(name, -1, value, width);
  }
  template <class T>
  void of_queue(const char* name, const T& value, unsigned width) {
    of_queue_ = true;
    shown(name, value, width);
    of_queue_ = false;
  }
  bool is_of_queue() const { return of_queue_; }
  /// Objects are shown as they are at this moment of the past, at which no block ran; 0: the present.
  Picoseconds moment() const { return moment_; }
  void show_at(Picoseconds moment) { moment_ = moment; }
  template <class T>
  void unseen(const char*, const T&) {}
  /// The last edge of the clock at which what counts has counted.
  void clock_at(Cycle edge) { clock_ = edge; }
  void countdown(const char* name, const Cycle& end, unsigned width) {
    shown(name, fields_detail::left_of(end, clock_), width);
  }
  template <std::size_t kN>
  void countdown(const char* name, std::array<Cycle, kN> ends, unsigned width) {
    for (Cycle& end : ends) end = fields_detail::left_of(end, clock_);
    shown(name, ends, width);
  }
  void stored_countdown(const char* name, const Cycle& end, unsigned width) {
    if (with_stored_) countdown(name, end, width);
  }
  template <class F>
  void implied(const char*, unsigned width, const F&) {
    if (known_ == nullptr) pass(width);
  }
  template <class T>
  void index(const char* name, const T& value, unsigned size) {
    stored(name, value, fields_detail::bits_below(size));
  }
  template <class T>
  void count(const char* name, const T& value, unsigned, unsigned width) {
    shown(name, value, width);
  }
  /// The fields of an object that has no name of its own.
  template <class T>
  void fields_of(const T& object) {
    look(object, [&] { visit_fields(object, *this); });
  }

 private:
  const bool with_stored_;
  KnownFields* const known_ = nullptr;
  bool of_queue_ = false;
  Picoseconds moment_ = 0;
  Cycle clock_ = 0;

  template <class T>
  void item(const char* name, int index, const T& value, unsigned width) {
    if constexpr (fields_detail::is_leaf<T>) {
      width = fields_detail::leaf_width<T>(width);
      if (known_ != nullptr) return known_->see({&value, sizeof value}, fields_detail::leaf_bits(value), width);
      const EnumText* text = nullptr;
      if constexpr (fields_detail::has_text<T>::value) text = &enum_text(value);
      leaf(name, index, fields_detail::leaf_bits(value), width, text);
    } else if constexpr (fields_detail::counts<T>::value) {
      T now = value;
      now.count_to(clock_);
      look(now, [&] { inside(name, index, now, width); });
    } else {
      look(value, [&] { inside(name, index, value, width); });
    }
  }
  /// `visit` sees the leaves of `value`. They are seen without it where they are known.
  template <class T, class Visit>
  void look(const T& value, const Visit& visit) {
    if constexpr (!fields_detail::is_plain<T>::value) {
      if (known_ != nullptr) known_->meet_computed();
      visit();
    } else if constexpr (sizeof(T) < fields_detail::kLeastToCompare) {
      visit();
    } else {
      using Way = KnownFields::Way;
      Way way = known_ != nullptr ? known_->meet(fields_detail::memory_of(value)) : Way::kInside;
      while (way != Way::kPassed) {
        visit();
        way = way == Way::kLearn ? known_->learnt() : Way::kPassed;
      }
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

struct FieldEdit {
  bool invert = false;
  std::uint64_t value = 0;
};

/// The same edit of the leaves first .. first + count - 1.
struct LeafEdit {
  std::uint32_t first = 0, count = 0;
  FieldEdit edit;
};

/// The state of blocks, wires and queues, as bytes in the order of the visit.
struct StateImage {
  std::vector<unsigned char> bytes;
  std::size_t at = 0;  // of the next field
};

/// Sees every leaf that a FieldVisitor with stored fields sees, in the same order, and edits those numbered
/// first .. first + count - 1: for fault injection. One made of a seed edits none of them: queues and caches hand it
/// the places that hold nothing, and it fills them with random bits. One made of an image moves all state there, or
/// from there: what visit() names, and what it hands to state() because it is the model's, not the hardware's.
class FieldEditor {
 public:
  FieldEditor(std::uint32_t first, std::uint32_t count, const FieldEdit& edit) : now_{first, count, edit} {}
  /// The edits are sorted by their leaves and overlap nowhere; they live as long as this.
  explicit FieldEditor(const std::vector<LeafEdit>& edits) : next_edit_(edits.data()), edits_left_(edits.size()) {
    take_edit();
  }
  explicit FieldEditor(std::uint64_t seed) : fills_(true), bits_(seed) {}
  FieldEditor(StateImage& image, bool loads) : image_(&image), loads_(loads), changed_(loads ? 1 : 0) {}

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
    if (!moves()) item(value, width);
  }
  template <class T>
  void of_queue(const char*, T& value, unsigned width) {
    edits_queue_ |= next_ >= now_.first && next_ < end();
    item(value, width);
  }
  template <class T>
  void unseen(const char*, T& value) {
    if constexpr (!std::is_pointer_v<T>) state(value);
  }
  void clock_at(Cycle edge) { clock_ = edge; }
  void countdown(const char*, Cycle& end, unsigned width) {
    if (moves()) return move(end);
    const Cycle before = fields_detail::left_of(end, clock_);
    Cycle left = before;
    item(left, width);
    if (left != before) end = clock_ + 1 + left;
  }
  template <std::size_t kN>
  void countdown(const char* name, std::array<Cycle, kN>& ends, unsigned width) {
    for (Cycle& end : ends) countdown(name, end, width);
  }
  void stored_countdown(const char* name, Cycle& end, unsigned width) { countdown(name, end, width); }
  template <class F>
  void implied(const char*, unsigned, const F&) {}
  template <class T>
  void index(const char*, T& value, unsigned size) {
    below(value, size, fields_detail::bits_below(size));
  }
  template <class T>
  void count(const char*, T& value, unsigned most, unsigned width) {
    below(value, most + 1, width);
  }
  bool fills() const { return fills_; }
  bool moves() const { return image_ != nullptr; }
  template <class... T>
  void state(T&... values) {
    if (moves()) (item(values, 0), ...);
  }
  /// Gives random bits to a place without an entry, where fills().
  template <class T>
  void fill(T& value, unsigned width = 0) {
    if (!fills_) return;
    filling_ = true;
    item(value, width);
    filling_ = false;
  }
  /// Leaves that could be edited; a value computed for display cannot.
  std::uint32_t editable() const { return editable_; }
  /// A leaf that is to be edited is the queue's own.
  bool edits_queue() const { return edits_queue_; }
  /// Number of leaves whose value changed.
  std::uint32_t changed() const { return changed_; }

 private:
  template <class T>
  void item(T& value, unsigned width) {
    using Plain = std::remove_const_t<T>;
    if constexpr (fields_detail::is_leaf<Plain>) {
      if (moves()) return move(value);
      if (filling_) return draw(value, fields_detail::leaf_width<Plain>(width));
      if (next_ >= now_.first && next_ < end()) edit(value, fields_detail::leaf_width<Plain>(width));
      if (++next_ == end()) take_edit();
    } else if constexpr (fields_detail::is_array<Plain>::value) {
      using Element = std::remove_const_t<std::remove_reference_t<decltype(*std::begin(value))>>;
      const auto size = static_cast<std::uint32_t>(std::size(value));
      if (!filling_ && !moves() && fields_detail::is_leaf<Element> && (next_ >= end() || next_ + size <= now_.first)) {
        next_ += size;
        return;
      }
      for (auto& element : value) item(element, width);
    } else {
      if constexpr (fields_detail::counts<T>::value) {
        if (!moves()) value.count_to(clock_);
      }
      visit_fields(value, *this);
    }
  }
  std::uint32_t end() const { return now_.first + now_.count; }
  void take_edit() {
    if (edits_left_ == 0) return;
    now_ = *next_edit_++;
    --edits_left_;
  }
  template <class T>
  void below(T& value, unsigned limit, unsigned width) {
    limit_ = limit;
    item(value, width);
    limit_ = ~std::uint64_t{0};
  }
  template <class T>
  void move(T& value) {
    if constexpr (!std::is_const_v<T>) {
      std::vector<unsigned char>& bytes = image_->bytes;
      if (!loads_) bytes.resize(std::max(bytes.size(), image_->at + sizeof value));
      unsigned char* const there = &bytes.at(image_->at + sizeof value - 1) + 1 - sizeof value;
      loads_ ? std::memcpy(&value, there, sizeof value) : std::memcpy(there, &value, sizeof value);
      image_->at += sizeof value;
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
      const std::uint64_t wanted =
          ((now_.edit.invert ? old ^ now_.edit.value : now_.edit.value) & mask) | (old & ~mask);
      if constexpr (fields_detail::has_text<T>::value) {
        if (wanted >= enum_text(value).count) return;  // no such value: the fault has no effect
      }
      if (wanted == old || wanted >= limit_) return;
      value = static_cast<T>(wanted);
      ++changed_;
    }
  }

  LeafEdit now_;
  const LeafEdit* next_edit_ = nullptr;
  std::size_t edits_left_ = 0;
  const bool fills_ = false;
  StateImage* const image_ = nullptr;
  const bool loads_ = false;
  bool filling_ = false, edits_queue_ = false;
  std::uint64_t bits_ = 0;
  Cycle clock_ = 0;
  std::uint64_t limit_ = ~std::uint64_t{0};  // of the values that a fault may set
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

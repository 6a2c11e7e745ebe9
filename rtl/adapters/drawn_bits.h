// SPDX-License-Identifier: Apache-2.0
// Shows what a block draws with values from somewhere else: names and widths come from the block, values from bits that
// its twin packed in the order in which the block draws, the first in the most significant place.
#pragma once
#include <algorithm>
#include <vector>

#include "rtl/adapters/packed_struct.h"
#include "tb/twins/verilated_time.h"

#include <verilated.h>

namespace g80 {

/// The bits of a signal of a Verilated model; word 0 has the least significant ones.
struct PackedBits {
  PackedBits() = default;
  template <std::size_t kWords>
  PackedBits(const VlWide<kWords>& signal) : words(signal.data(), signal.data() + kWords) {}
  template <class Word, class = std::enable_if_t<std::is_integral_v<Word>>>
  PackedBits(Word signal) {
    for (std::size_t at = 0; at < sizeof signal; at += 4)
      words.push_back(static_cast<std::uint32_t>(std::uint64_t{signal} >> 8 * at));
  }
  std::vector<std::uint32_t> words;
};

/// `width` bits of a signal from bit `low` on: an element of a packed array.
inline PackedBits bits_of(const std::uint32_t* signal, std::size_t num_words, unsigned low, unsigned width) {
  PackedBits bits;
  for (unsigned at = low; at < low + width; at += 32) {
    const std::uint64_t above = at / 32 + 1 < num_words ? signal[at / 32 + 1] : 0;
    bits.words.push_back(static_cast<std::uint32_t>((above << 32 | signal[at / 32]) >> (at % 32)));
  }
  return bits;
}
template <std::size_t kWords>
PackedBits bits_of(const VlWide<kWords>& signal, unsigned low, unsigned width) {
  return bits_of(signal.data(), kWords, low, width);
}

/// Writes element `i` of a packed array of structs.
template <class T>
void to_element(const T& value, unsigned i, std::uint32_t* array) {
  const unsigned all = packed_width<T>();
  std::array<std::uint32_t, sizeof(T) / 4 + 2> words{};  // a field could lie in two
  pack(value, words.data());
  for (unsigned from = 0; from < all; from += 32) {
    const unsigned low = i * all + from, width = std::min(32u, all - from);
    const std::uint64_t mask = ((std::uint64_t{1} << width) - 1) << (low % 32);
    const std::uint64_t bits = std::uint64_t{words[from / 32]} << (low % 32);
    std::uint32_t* const at = &array[low / 32];
    at[0] = static_cast<std::uint32_t>((at[0] & ~mask) | bits);
    if (mask >> 32 != 0) at[1] = static_cast<std::uint32_t>((at[1] & ~(mask >> 32)) | bits >> 32);
  }
}

/// The block visits this in place of `to`. Leaves are kept until finish(), when the places of all are known. With
/// `all` false the signal has the fields of the largest chip, and the block only draws the last of them.
class DrawnBits final : public FieldVisitor {
 public:
  DrawnBits(FieldVisitor& to, PackedBits bits, const char* block, bool all)
      : to_(to), bits_(std::move(bits)), block_(block), all_(all) {}

  void enter(const char* name, int index) override { steps_.push_back({Step::kEnter, name, index}); }
  void leave() override { steps_.push_back({Step::kLeave}); }
  void leaf(const char* name, int index, std::uint64_t, unsigned width, const EnumText* text) override {
    steps_.push_back({Step::kLeaf, name, index, width, text});
  }
  void pass(unsigned width) override { steps_.push_back({Step::kPassed, "", -1, width}); }
  void finish() {
    const unsigned width = width_of(0, steps_.size());
    CHECK(bits_.words.size() == (width + 31) / 32 || (!all_ && bits_.words.size() > (width + 31) / 32),
          "{}: the block draws {} bits besides its registers, and its twin shows {} words", block_, width,
          bits_.words.size());
    place(0, steps_.size(), width);
    bits_.words.resize(bits_.words.size() + 2);  // a field may be read from three words
    for (const Step& step : steps_) {
      switch (step.kind) {
        case Step::kEnter: to_.enter(step.name, step.index); break;
        case Step::kLeave: to_.leave(); break;
        case Step::kPassed: break;
        case Step::kLeaf: {
          packed_detail::Unpacker at(bits_.words.data(), step.low + packed(step));
          to_.see(step.name, step.index, at.take(packed(step)), step.width, step.text);
        }
      }
    }
  }

 private:
  struct Step {
    enum Kind { kEnter, kLeave, kLeaf, kPassed } kind;
    const char* name = "";
    int index = -1;
    unsigned width = 0;
    const EnumText* text = nullptr;
    unsigned low = 0;  // place of its least significant bit
  };
  static unsigned packed(const Step& leaf) { return leaf.text != nullptr ? bits_for(leaf.text->count) : leaf.width; }

  unsigned width_of(std::size_t from, std::size_t to) const {
    unsigned width = 0;
    for (; from < to; ++from) width += packed(steps_[from]);
    return width;
  }
  /// The step behind a leaf, or behind the end of a struct.
  std::size_t behind(std::size_t at) const {
    unsigned depth = 0;
    do {
      if (steps_[at].kind == Step::kEnter) ++depth;
      if (steps_[at].kind == Step::kLeave) --depth;
      ++at;
    } while (depth != 0);
    return at;
  }
  /// Puts the fields of one struct below bit `top`: the first is the most significant, of an array the last element.
  void place(std::size_t from, std::size_t to, unsigned top) {
    while (from < to) {
      std::vector<std::size_t> elements = {from, behind(from)};
      for (std::size_t next = elements.back(); next < to && steps_[next].index > 0; next = elements.back())
        elements.push_back(behind(next));
      from = elements.back();
      for (; elements.size() > 1; elements.pop_back()) {
        const std::size_t first = elements[elements.size() - 2], end = elements.back();
        const unsigned width = width_of(first, end);
        if (end - first > 1) place(first + 1, end - 1, top);
        top -= width;
        steps_[first].low = top;
      }
    }
  }

  FieldVisitor& to_;
  PackedBits bits_;
  const char* const block_;
  const bool all_;
  std::vector<Step> steps_;
};

}  // namespace g80

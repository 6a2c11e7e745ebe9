// SPDX-License-Identifier: Apache-2.0
// A memory that only delays: what goes in at a step of the block comes out `stages` steps later.
//
// It makes up what a latency key asks for beyond the structure, where bundles are wide. A word stays where it is: the
// place of the next one moves on, while any holds something. The bundle's own field `valid` says whether something goes
// in. Without stages a bundle comes out at the step at which it goes in.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/common/store.h"

namespace g80 {

template <class Bundle>
class DelayWords {
 public:
  explicit DelayWords(unsigned stages) : filled_(stages), word_(stages) {}

  bool empty() const { return count_ == 0; }
  unsigned stages() const { return static_cast<unsigned>(word_.size()); }
  /// `in` takes the place of what went in `stages()` steps ago, which leaves.
  Bundle shift(const Bundle& in) {
    if (word_.empty()) return in;
    Bundle out;
    if (count_ == 0 && !in.valid) return out;
    Bundle& word = word_[next_];
    std::uint8_t& filled = filled_[next_];
    if (filled != 0) {
      out = word;
      out.valid = true;
    }
    if (in.valid) word = in;
    count_ = count_ + in.valid - filled;
    filled = in.valid;
    next_ = next_ + 1 == stages() ? 0 : next_ + 1;
    return out;
  }
  void clear() {
    std::fill(filled_.begin(), filled_.end(), std::uint8_t{0});
    next_ = count_ = 0;
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("filled", s.filled_, 1);
    v.index("next", s.next_, std::max(1u, s.stages()));
    v.stored("word", s.word_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (std::size_t i = 0; v.fills() && i < s.word_.size(); ++i) {
        if (s.filled_[i] == 0) v.fill(s.word_[i]);
      }
      s.count_ = static_cast<unsigned>(std::count(s.filled_.begin(), s.filled_.end(), std::uint8_t{1}));
    }
  }

 private:
  std::vector<std::uint8_t> filled_;  // of each word: 1 if it holds something
  std::vector<Bundle> word_;
  unsigned next_ = 0;   // the word that leaves with the next step
  unsigned count_ = 0;  // words that hold something
};

template <class Bundle>
using DelayMemory = Stored<DelayWords<Bundle>>;

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Registers in a row that only delay: what goes in at a step of the block comes out `stages` steps later.
//
// They make up what a latency key asks for beyond the structure. The bundle's own field `valid` says which hold
// something. Without stages a bundle comes out at the step at which it goes in.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/store.h"

namespace g80 {

/// The registers that a latency leaves beyond the stages of the structure.
inline unsigned registers_beyond(unsigned latency, unsigned stages) {
  CHECK(latency >= stages, "a latency of {} edges, but the stages alone take {}", latency, stages);
  return latency - stages;
}

template <class Bundle>
class RegisterRow {
 public:
  explicit RegisterRow(unsigned stages) : stage_(stages) {}

  bool empty() const { return count_ == 0; }
  unsigned stages() const { return static_cast<unsigned>(stage_.size()); }
  /// Each register takes what the one before it held, the first one `in`. Returns what leaves the last one.
  Bundle shift(const Bundle& in) {
    if (stage_.empty()) return in;
    const Bundle out = stage_.back();
    for (std::size_t i = stage_.size() - 1; i > 0; --i) {
      if (stage_[i].valid || stage_[i - 1].valid) stage_[i] = stage_[i - 1];
    }
    if (stage_[0].valid || in.valid) stage_[0] = in;
    count_ = count_ + in.valid - out.valid;
    return out;
  }
  void clear() {
    std::fill(stage_.begin(), stage_.end(), Bundle{});
    count_ = 0;
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("stage", s.stage_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      const auto holds = [](const Bundle& bundle) { return bundle.valid; };
      s.count_ = static_cast<unsigned>(std::count_if(s.stage_.begin(), s.stage_.end(), holds));
    }
  }

 private:
  std::vector<Bundle> stage_;
  unsigned count_ = 0;  // of registers that hold something
};

template <class Bundle>
using DelayRegisters = Stored<RegisterRow<Bundle>>;

}  // namespace g80

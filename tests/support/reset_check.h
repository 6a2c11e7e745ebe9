// SPDX-License-Identifier: Apache-2.0
// A reset leaves nothing behind: neither of traffic nor of any field.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hw/common/clocked.h"
#include "hw/common/field_values.h"

namespace g80::testing {

/// Compares what blocks show after a reset with what they show after one that found them new.
class ResetCheck {
 public:
  /// Before anything has run. Each field becomes 1: at the end of traffic many are as a reset leaves them.
  /// `stored`: fields beside those in waves that a reset has to renew, too.
  explicit ResetCheck(std::vector<ClockedBase*> blocks, std::vector<std::string> stored = {})
      : blocks_(std::move(blocks)), stored_(std::move(stored)) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (ClockedBase* block : blocks_) fresh_.push_back(reset(*block));
    for (ClockedBase* block : blocks_) {
      FieldEditor one(0, ~0u, {false, 1});
      block->edit_fields(one);
      EXPECT_GT(one.changed(), 0u) << block->name();
    }
    expect_fresh();
  }
  /// In the middle of traffic. The blocks are of no use afterwards.
  void expect_fresh() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const FieldValues now = reset(*blocks_[i]);
      ASSERT_EQ(now.values.size(), fresh_[i].values.size());
      for (std::size_t k = 0; k < now.values.size(); ++k)
        EXPECT_EQ(now.values[k], fresh_[i].values[k]) << blocks_[i]->name() << "." << now.names[k];
    }
  }

 private:
  FieldValues reset(ClockedBase& block) const {
    block.hold_reset();
    block.commit();
    FieldValues leaves(true), stored(true, true);
    block.trace_fields(leaves);
    block.trace_fields(stored);
    for (std::size_t k = 0; k < stored.names.size(); ++k) {  // queues that are not drawn are empty, too
      const std::string& name = stored.names[k];
      const bool of_queue = name.size() > 6 && name.compare(name.size() - 6, 6, ".count") == 0;
      const bool asked = std::find(stored_.begin(), stored_.end(), name) != stored_.end();
      if (!asked && (!of_queue || name.find('[') != std::string::npos)) continue;
      leaves.names.push_back(name);
      leaves.values.push_back(stored.values[k]);
    }
    return leaves;
  }
  const std::vector<ClockedBase*> blocks_;
  const std::vector<std::string> stored_;
  std::vector<FieldValues> fresh_;
};

/// After a reset: nothing has been counted.
template <class Counters>
void expect_none_counted(const Counters& counters) {
  FieldValues now(true), none(false);
  now.fields_of(counters);
  none.fields_of(Counters{});
  ASSERT_EQ(now.values.size(), none.values.size());
  for (std::size_t k = 0; k < now.values.size(); ++k) EXPECT_EQ(now.values[k], none.values[k]) << now.names[k];
}

}  // namespace g80::testing

// SPDX-License-Identifier: Apache-2.0
// A block without work sleeps: it is not stepped.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/clocked.h"

namespace g80::testing {

class StepCount {
 public:
  explicit StepCount(const std::vector<ClockedBase*>& blocks) {
    for (ClockedBase* block : blocks) counts_.push_back(std::make_unique<Count>(*block));
  }
  /// None has been stepped since the last call, or since the beginning.
  void expect_none(const std::string& while_what) {
    for (const auto& count : counts_)
      EXPECT_EQ(count->steps, 0u) << count->block.name() << " is stepped " << while_what;
    restart();
  }
  /// No block has been stepped more often than this since the last call.
  void expect_at_most(std::uint64_t most, const std::string& while_what) {
    for (const auto& count : counts_) EXPECT_LE(count->steps, most) << count->block.name() << ' ' << while_what;
    restart();
  }
  /// So often has each block been stepped since the last call. Of one stimulus: neither results nor cycles tell when a
  /// block stays awake for nothing, or longer than it has to.
  void expect(const std::vector<std::uint64_t>& recorded) {
    std::vector<std::uint64_t> steps;
    for (const auto& count : counts_) steps.push_back(count->steps);
    EXPECT_EQ(steps, recorded);
    restart();
  }
  void restart() {
    for (const auto& count : counts_) count->steps = 0;
  }
  std::uint64_t of(unsigned block) const { return counts_[block]->steps; }

 private:
  struct Count final : TraceSink {  // a block marks itself as changed each time it commits
    explicit Count(ClockedBase& watched) : block(watched) { block.attach_trace(*this, 0); }
    ~Count() override { block.detach_trace(*this); }
    Count(const Count&) = delete;
    Count& operator=(const Count&) = delete;
    void changed(std::uint32_t) override { ++steps; }
    ClockedBase& block;
    std::uint64_t steps = 0;
  };
  std::vector<std::unique_ptr<Count>> counts_;
};

}  // namespace g80::testing

// SPDX-License-Identifier: Apache-2.0
// What the warps of an SM do that they or others may notice later, beyond their own registers: counts that only grow.
//
// Reads the retirement port, and only while it exists: no other run pays for it.
#pragma once
#include <cstdint>
#include <vector>

#include "hw/config/config.h"
#include "hw/sm/sm_pins.h"
#include "tb/golden/deciding_registers.h"

namespace g80 {

class WarpEffects final : public SmObserver {
 public:
  WarpEffects(SmPins& sm, const Config& config);
  ~WarpEffects() override { sm_.detach(*this); }
  WarpEffects(const WarpEffects&) = delete;
  WarpEffects& operator=(const WarpEffects&) = delete;

  /// Takes in what has happened up to now.
  void update() { sm_.flush_reports(); }
  /// Stores to s[] that changed a word, or may have: the value before it is not known.
  std::uint64_t shared_changes() const { return shared_changes_; }
  /// Instructions that read $clock.
  std::uint64_t clock_reads() const { return clock_reads_; }
  /// `bar` instructions.
  std::uint64_t barriers() const { return barriers_; }
  /// The registers that decide what the warps do next.
  golden::DecidingRegisters& deciding() { return deciding_; }

 private:
  static constexpr std::int16_t kUnknown = -1;
  void observe(const SmReport& report) override;
  bool store(const SmReport::Smem& pass);

  SmPins& sm_;
  std::vector<std::int16_t> bytes_;  // of the SM's shared memory, as far as they are known
  golden::DecidingRegisters deciding_;
  std::uint64_t shared_changes_ = 0, clock_reads_ = 0, barriers_ = 0;
};

}  // namespace g80

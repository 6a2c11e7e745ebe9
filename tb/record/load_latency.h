// SPDX-License-Identifier: Apache-2.0
// The latency of loads: from the issue of the warp instruction to the cycle in which its result can be read.
#pragma once
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/isa/encoding.h"
#include "tb/record/machine_event.h"
#include "tb/scenario/run_result.h"

namespace g80 {

class LoadLatency final : public EventSink {
 public:
  explicit LoadLatency(isa::Arch arch) : arch_(arch) {}
  void event(const MachineEvent& event) override;

  /// A launch begins: different code may be at the same addresses.
  void begin();
  /// Latencies of the launch; without kinds of loads that it did not have.
  std::vector<LatencyHistogram> histograms() const;

 private:
  enum Kind : std::uint8_t { kUnknown, kNoLoad, kGlobal, kAtomic, kLocal, kTexture, kShared, kConstant, kNumKinds };
  struct Pending {
    Cycle issued;
    Kind kind;
  };
  Kind kind_of(const MachineEvent& event);
  Kind decoded_kind(const MachineEvent& event) const;

  const isa::Arch arch_;
  std::vector<Kind> kinds_;                             // by word of the code
  std::unordered_map<std::uint32_t, Pending> pending_;  // by uid
  std::array<std::map<std::uint64_t, std::uint64_t>, kNumKinds> count_;
};

}  // namespace g80

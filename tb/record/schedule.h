// SPDX-License-Identifier: Apache-2.0
// The order of issues of each SM, recorded to compare it with another run.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/isa/encoding.h"
#include "tb/record/machine_event.h"

namespace g80 {

class Schedule final : public EventSink {
 public:
  static constexpr std::size_t kMostIssues = 20'000'000;

  void event(const MachineEvent& event) override;

  struct Issue {
    std::uint32_t cycle;  // since the first event of the machine
    std::uint32_t pc, w0, w1;
    std::uint8_t warp;
    bool operator==(const Issue& other) const { return cycle == other.cycle && pc == other.pc && warp == other.warp; }
  };
  /// By SM, in the order of time.
  const std::vector<std::vector<Issue>>& sms() const { return sms_; }
  /// True if there were more issues than recorded.
  bool cut() const { return cut_; }

 private:
  std::vector<std::vector<Issue>> sms_;
  std::optional<Cycle> begin_;
  std::size_t issues_ = 0;
  bool cut_ = false;
};

/// The first difference of two schedules: the earliest issue that only one of them has.
struct Parting {
  unsigned sm = 0;
  std::size_t index = 0;  // of the issue, in the schedule of that SM
  std::uint32_t cycle = 0;
};
std::optional<Parting> first_parting(const Schedule& a, const Schedule& b);

/// The issues around the first difference, A on the left, B on the right.
std::string parting_text(const Parting& parting, const Schedule& a, const Schedule& b, isa::Arch arch);

}  // namespace g80

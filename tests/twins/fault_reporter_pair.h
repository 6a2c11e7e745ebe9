// SPDX-License-Identifier: Apache-2.0
// fault_reporter and a twin of it side by side: warps that start, and faults of all sources at random times.
#pragma once
#include "hw/sm/fault_reporter.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class FaultReporterPair final : public Pair<FaultReporter, FaultReporter, unsigned> {
 public:
  FaultReporterPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, load_config("tiny"), {kDepth}, random() % kMaxSms) {
    pass(500);
  }
  std::string configuration() const { return "any SM"; }

 private:
  static constexpr unsigned kDepth = 2;

  bool is_reset_now() override { return rarely(60); }
  void note_cases() override {}
  KernelFault random_fault() {
    KernelFault fault;
    fault.valid = true;
    fault.kind = static_cast<FaultKind>(random_() % enum_text(FaultKind{}).count);
    fault.lane = random_() % kWarpSize;
    fault.warp_in_cta = random_() % kMaxWarpsPerCta;
    fault.cta_x = static_cast<std::uint16_t>(random_());
    fault.cta_y = static_cast<std::uint16_t>(random_());
    fault.address = static_cast<std::uint32_t>(random_());
    for (auto& word : fault.words) word = static_cast<std::uint32_t>(random_());
    fault.origin = random_origin(random_);
    fault.origin.warp = random_() % kMaxWarps;
    return fault;
  }
  void stimulate() override {
    if (rarely(100)) faults_one_in_ = 1 + random_() % 60;
    if (quiet_ > 0) --quiet_;
    WarpStart start;
    if (quiet_ == 0 && rarely(3)) {
      start.valid = true;
      start.warp = random_() % kMaxWarps;
      start.warp_in_cta = random_() % kMaxWarpsPerCta;
      start.cta_x = static_cast<std::uint16_t>(random_());
      start.cta_y = static_cast<std::uint16_t>(random_());
      started_ |= WarpMask{1} << start.warp;
    }
    start_.write(start);
    unsigned valid = 0;
    unsigned i = 0;
    for (const In<KernelFault>* port : {&block_.stack_i, &block_.address_i, &block_.load_i, &block_.collector_i}) {
      const unsigned source = i++;
      KernelFault fault = rarely(faults_one_in_) ? random_fault() : KernelFault{};
      if (fault.valid && start.valid && rarely(2)) fault.origin.warp = start.warp;
      if ((started_ >> fault.origin.warp & 1) == 0) fault = {};  // only a warp that runs faults
      wire(*port).write(fault);
      if (!fault.valid) continue;
      const bool first = valid++ == 0 && !block_.registers().reported;
      if (first && queue(block_.fault_o).size() < kDepth) ++cases_[fmt::format("fault of source {}", source)];
      if (first && queue(block_.fault_o).size() == kDepth) ++cases_["no room"];
      if (first && start.valid && start.warp == fault.origin.warp) ++cases_["fault beside the start of its warp"];
    }
    if (valid > 1 && !block_.registers().reported) ++cases_["two faults at once"];
    if (valid > 0 && block_.registers().reported) ++cases_["fault after the first"];
    if (rarely(80) && queue(block_.fault_o).available() && queue(twin_.fault_o).available()) {
      queue(block_.fault_o).pop();
      queue(twin_.fault_o).pop();
    }
  }

  Wire<WarpStart>& start_ = wire(block_.start_i);
  WarpMask started_ = 0;
  unsigned faults_one_in_ = 20;
  unsigned quiet_ = 4;  // the launcher is in reset, too
};

}  // namespace g80::testing

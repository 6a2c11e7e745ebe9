// SPDX-License-Identifier: Apache-2.0
// fault_reporter and a twin of it side by side: warps that start, and faults of all sources at random times.
#pragma once
#include "hw/sm/fault_reporter.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class FaultReporterPair {
 public:
  using MakeTwin = std::unique_ptr<FaultReporter> (*)(const char* name, unsigned sm_id);

  FaultReporterPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        sm_id_(random() % kMaxSms),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", sm_id_),
        made_twin_(make("twin", sm_id_)),
        twin_(*made_twin_) {
    connect(block_, of_block_);
    connect(twin_, of_twin_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const { return fmt::format("SM {}", sm_id_); }

  std::optional<std::string> cycle() {
    if (random_() % 60 == 0) {
      reset_both(block_, twin_);
      ++cases_["reset"];
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    if (auto found = difference("faults sent", of_block_.size(), of_twin_.size())) return found;
    if (of_block_.size() > 0) {
      if (auto found = difference("fault_o", of_block_.newest(), of_twin_.newest())) return found;
    }
    return drawn_difference(block_, twin_);
  }

 private:
  static constexpr unsigned kDepth = 2;

  void connect(FaultReporter& each, CrossingFifo<KernelFault>& queue) {
    each.start_i(start_);
    for (unsigned i = 0; i < std::size(sources_); ++i) port(each, i)(sources_[i]);
    each.fault_o(queue);
    shader_.add(each);
  }
  static In<KernelFault>& port(FaultReporter& each, unsigned source) {
    In<KernelFault>* const ports[] = {&each.stack_i, &each.address_i, &each.load_i, &each.collector_i};
    return *ports[source];
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
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
  void stimulate() {
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
    for (unsigned i = 0; i < std::size(sources_); ++i) {
      KernelFault fault = rarely(faults_one_in_) ? random_fault() : KernelFault{};
      if (fault.valid && start.valid && rarely(2)) fault.origin.warp = start.warp;
      if ((started_ >> fault.origin.warp & 1) == 0) fault = {};  // only a warp that runs faults
      sources_[i].write(fault);
      if (!fault.valid) continue;
      const bool first = valid++ == 0 && !block_.registers().reported;
      if (first && of_block_.size() < kDepth) ++cases_[fmt::format("fault of source {}", i)];
      if (first && of_block_.size() == kDepth) ++cases_["no room"];
      if (first && start.valid && start.warp == fault.origin.warp) ++cases_["fault beside the start of its warp"];
    }
    if (valid > 1 && !block_.registers().reported) ++cases_["two faults at once"];
    if (valid > 0 && block_.registers().reported) ++cases_["fault after the first"];
    if (rarely(80) && of_block_.available() && of_twin_.available()) {
      of_block_.pop();
      of_twin_.pop();
    }
  }

  std::mt19937& random_;
  Cases& cases_;
  const unsigned sm_id_;
  Domain shader_;
  Wire<WarpStart> start_{"start"};
  std::array<Wire<KernelFault>, 4> sources_{{Wire<KernelFault>("stack"), Wire<KernelFault>("address"),
                                             Wire<KernelFault>("load"), Wire<KernelFault>("collector")}};
  CrossingFifo<KernelFault> of_block_{"of_block", &shader_, nullptr, kDepth, 1};
  CrossingFifo<KernelFault> of_twin_{"of_twin", &shader_, nullptr, kDepth, 1};
  FaultReporter block_;
  const std::unique_ptr<FaultReporter> made_twin_;
  FaultReporter& twin_;
  WarpMask started_ = 0;
  unsigned faults_one_in_ = 20;
  unsigned quiet_ = 4;  // the launcher is in reset, too
};

}  // namespace g80::testing

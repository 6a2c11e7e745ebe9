// SPDX-License-Identifier: Apache-2.0
// Ends a run when an event happens: --until, and the search for the cycle of an event.
#pragma once
#include <memory>

#include "tb/events/event.h"
#include "tb/machine/debugger.h"

namespace g80 {

class UntilStop final : public Debugger {
 public:
  /// `option`: name of the option that gave the event, for messages.
  UntilStop(const Event& event, const char* option) : event_(event), option_(option) {}

  void built(GpuBackend& machine) override;
  void launched(const Launch& launch, std::uint64_t number) override;
  void closing() override { trigger_.reset(); }
  const Event* until() const override { return &event_; }
  bool missed() const override { return !wanted_; }
  Picoseconds next_halt() const override { return kNever; }
  bool halt_wanted() const override { return wanted_; }
  /// Throws EventReached, which says what has happened and where each warp is.
  void halted() override;

 private:
  const Event event_;
  const char* const option_;
  GpuBackend* machine_ = nullptr;
  std::unique_ptr<EventTrigger> trigger_;
  std::string where_;
  bool wanted_ = false;
};

}  // namespace g80

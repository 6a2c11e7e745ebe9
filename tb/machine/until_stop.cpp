// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/until_stop.h"

#include <fmt/format.h>

#include "hw/gpu/gpu.h"
#include "tb/machine/gpu_backend.h"

namespace g80 {

void UntilStop::built(GpuBackend& machine) {
  machine_ = &machine;
  trigger_ = trigger_for(option_, event_, machine.gpu().shader, [this](const std::string& where) {
    where_ = where;
    wanted_ = true;
    if (event_.kind != Event::Kind::kLaunch) sc_core::sc_pause();  // the host stops at launches
  });
}

void UntilStop::launched(const Launch& launch, std::uint64_t number) {
  trigger_->launched(launch.kernel->name, number);
  if (wanted_) halted();
}

void UntilStop::halted() {
  trigger_->check();
  const Cycle cycle = machine_->shader_cycle();
  std::string text = fmt::format("{} happened at shader cycle {}", event_.text, cycle);
  if (!where_.empty()) text += fmt::format(" in {}", where_);
  const std::string warps = machine_->describe_warps();
  text += warps.empty() ? "; no warp is resident" : "\n" + warps;
  if (text.back() == '\n') text.pop_back();
  throw EventReached(text, cycle);
}

}  // namespace g80

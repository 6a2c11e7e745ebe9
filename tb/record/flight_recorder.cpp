// SPDX-License-Identifier: Apache-2.0
#include "tb/record/flight_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "hw/common/version.h"
#include "hw/isa/disassembler.h"
#include "tb/record/warp_state.h"

namespace g80 {

std::uint64_t FlightRecorder::events() const {
  std::uint64_t sum = 0;
  for (const Sm& sm : sms_) sum += sm.count();
  return sum;
}

std::vector<MachineEvent> FlightRecorder::kept() const {
  std::vector<MachineEvent> events;
  for (const Sm& sm : sms_) {
    const std::size_t size = sm.ring.size();
    for (std::size_t i = sm.rounds != 0 ? 0 : size - sm.next; i < size; ++i)
      events.push_back(sm.ring[(sm.next + i) % size]);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const MachineEvent& a, const MachineEvent& b) { return a.cycle < b.cycle; });
  return events;
}

void FlightRecorder::started(const MachineEvent& event) {
  Tenants& slot = sms_[event.unit].tenants[event.warp];
  slot.before = slot.last;
  slot.last = {static_cast<std::uint16_t>(event.w0), static_cast<std::uint16_t>(event.w1), event.detail};
  slot.issued = false;
}

FlightRecorder::Place FlightRecorder::place_of(unsigned sm, unsigned warp, std::uint32_t uid) const {
  const Tenants& slot = sms_[sm].tenants[warp];
  // The instruction numbers of an SM have 24 bits and may have begun again.
  const bool older = ((uid - slot.first_uid) & 0x800000u) != 0;
  return slot.issued && !older ? slot.last : slot.before;
}

std::string event_text(const MachineEvent& event, isa::Arch arch) {
  const auto line = [&event](const std::string& what) {
    return fmt::format("{:>12}  {:>3}  {:>4}  {}", event.cycle, event.unit, event.warp, what);
  };
  switch (event.kind) {
    case EventKind::kWarpStart:
      return line(fmt::format("starts as warp {} of block ({},{}), pc 0x{:x}, lanes {:08x}", event.detail, event.w0,
                              event.w1, event.pc, event.lanes));
    case EventKind::kWarpEnd: return line("has ended");
    case EventKind::kIssue:
      return line(fmt::format("issues uid 0x{:x} pc 0x{:x} `{}`", event.uid, event.pc,
                              isa::disassemble(event.w0, event.w1, arch)));
    case EventKind::kRelease: return line(fmt::format("finishes uid 0x{:x}", event.uid));
    case EventKind::kBarrierOpen:
      return fmt::format("{:>12}  {:>3}        a barrier releases warps {:08x}", event.cycle, event.unit, event.lanes);
    case EventKind::kWaits: return line(fmt::format("waits: {}", enum_text(WarpState{}).names[event.detail]));
    case EventKind::kDramRequest:
      return fmt::format("{:>12}  DRAM {} gets a burst of uid 0x{:x}", event.cycle, event.unit, event.uid);
    case EventKind::kDramReply:
      return fmt::format("{:>12}  DRAM {} has done a burst of uid 0x{:x}", event.cycle, event.unit, event.uid);
    case EventKind::kStage: break;  // not recorded
  }
  return {};
}

std::string flight_text(const FlightRecorder& recorder, isa::Arch arch) {
  const std::vector<MachineEvent> events = recorder.kept();
  if (events.empty()) return "no warp ran\n";
  std::string text = fmt::format(
      "g80 {}: the last {} of {} events, shader cycles {} to {}, oldest first\n{:>12}  {:>3}  {:>4}  {}\n", kVersion,
      events.size(), recorder.events(), events.front().cycle, events.back().cycle, "cycle", "sm", "warp", "event");
  for (const MachineEvent& event : events) fmt::format_to(std::back_inserter(text), "{}\n", event_text(event, arch));
  return text;
}

}  // namespace g80

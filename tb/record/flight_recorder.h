// SPDX-License-Identifier: Apache-2.0
// The last events of a machine, always recorded, to explain a failure without a wave.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "hw/common/limits.h"
#include "hw/isa/encoding.h"
#include "tb/record/machine_event.h"

namespace g80 {

class FlightRecorder final : public EventSink {
 public:
  static constexpr std::size_t kEvents = 1 << 14;  // of all SMs, shared out: some thousand cycles of each

  /// A warp, by block and number in the block.
  struct Place {
    std::uint16_t x = 0, y = 0;
    std::uint8_t warp_in_block = 0;
  };

  explicit FlightRecorder(unsigned num_sms) : sms_(num_sms) {
    for (Sm& sm : sms_) sm.ring.resize(kEvents / num_sms);
  }
  bool takes_sms_apart() const override { return true; }
  void event(const MachineEvent& event) override {
    Sm& sm = sms_[event.unit];
    sm.ring[sm.next] = event;
    if (++sm.next == sm.ring.size()) sm.next = 0, ++sm.rounds;
    __builtin_prefetch(&sm.ring[sm.next] + 1);  // no longer in the host's cache since the last round
    if (event.kind == EventKind::kIssue) {
      Tenants& slot = sm.tenants[event.warp];
      if (!slot.issued) slot.first_uid = event.uid, slot.issued = true;
    } else if (event.kind == EventKind::kWarpStart) {
      started(event);
    }
  }

  /// Since the machine was built.
  std::uint64_t events() const;
  /// The events kept, oldest first, and those of a cycle by SM.
  std::vector<MachineEvent> kept() const;
  /// The warp of an instruction: a store may be in flight after its warp has ended and another warp uses the slot.
  /// Works for the slot's last two warps.
  Place place_of(unsigned sm, unsigned warp, std::uint32_t uid) const;

 private:
  /// The last two warps of a slot, and the first instruction of the last.
  struct Tenants {
    Place last, before;
    std::uint32_t first_uid = 0;
    bool issued = false;
  };
  struct Sm {
    std::vector<MachineEvent> ring;
    std::size_t next = 0;      // where the next one goes
    std::uint64_t rounds = 0;  // so often the ring was filled
    std::uint64_t count() const { return rounds * ring.size() + next; }
    std::array<Tenants, kMaxWarps> tenants{};  // by slot
  };
  void started(const MachineEvent& event);

  std::vector<Sm> sms_;
};

/// One line: cycle, SM, warp, what happened. Addresses are relative to the code base, as in waves.
std::string event_text(const MachineEvent& event, isa::Arch arch);

/// The recorded events as lines, below a heading with their range of cycles.
std::string flight_text(const FlightRecorder& recorder, isa::Arch arch);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Injects faults into a machine: sets a field to a value or inverts bits of it, at one clock edge or for a time.
//
// A register or memory word changes after its block has taken its new state; the block's outputs follow. A wire
// changes after its driver has driven it: a fault of the driver. An entry of a queue between clock domains changes
// when it is pushed, a pointer or flop of the queue at an edge of its writer. A block with a fault does not sleep while
// the fault lasts. Without faults nothing is attached, and the cost is one branch per clock edge.
#pragma once
#include <string>
#include <vector>

#include "hw/common/clocked.h"
#include "tb/check/fault_target.h"
#include "tb/check/fault_text.h"
#include "tb/scenario/run_result.h"

namespace g80 {

class FaultInjector final : private FaultHook {
 public:
  /// Call after the machine is built and before it runs. `domains`: its clocks; the first, the shader clock, counts
  /// cycles. Throws InputError.
  FaultInjector(const std::vector<std::string>& faults, std::vector<Domain*> domains);
  ~FaultInjector() override;
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// The requested faults, and how often each changed a value.
  std::vector<InjectedFault> report() const;

 private:
  struct Fault {
    FaultText text;
    Field target;
    FieldEdit edit;
    bool queue = false;
    Picoseconds from_time = 0, to_time = 0;
    bool done = false;
    std::uint64_t changes = 0;
    // Set at the first edge, when all ports are bound:
    ClockedBase* driver = nullptr;
    Domain* domain = nullptr;
    Cycle first_edge = 0, last_edge = 0;
  };

  void edge_committed(Domain& domain) override;
  void item_pushed(Traceable& queue) override;
  void arm();
  static void apply(Fault& fault);

  std::vector<Domain*> domains_;
  std::vector<Fault> faults_;
  bool armed_ = false;
};

}  // namespace g80

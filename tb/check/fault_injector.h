// SPDX-License-Identifier: Apache-2.0
// Plants faults in a machine: a field is forced to a value, or bits of it are inverted, at a clock edge or from one on.
//
// A register or memory word is edited after its block has taken its new state, and the block's outputs follow. A wire
// is edited after its driver has driven it: that is a fault of the driver. An item of a queue between clock domains is
// edited when it is pushed. A block with a fault in it does not sleep while the fault lasts. Without faults nothing of
// this is attached, and a domain's edge costs one branch.
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
  /// The machine is built and has not run. `domains`: its clocks, the shader clock first; it counts the cycles. Throws
  /// InputError.
  FaultInjector(const std::vector<std::string>& faults, std::vector<Domain*> domains);
  ~FaultInjector() override;
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// What was asked for, and how often a value became another one by it.
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
    // Known from the first edge on, when all ports are bound:
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

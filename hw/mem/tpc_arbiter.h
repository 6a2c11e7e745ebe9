// SPDX-License-Identifier: Apache-2.0
// Merges the transactions of a TPC's SMs and of its texture unit into one stream, which goes to the TLB.
//
// Requesters take turns by transaction. Latency: one core cycle. Rate: one transaction a cycle.
#pragma once
#include <systemc>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// Which of the requesters (bit k: requester k has a transaction) goes next. This is where the TPC's turn is decided.
unsigned pick_requester(std::uint32_t requests, unsigned last);

struct TpcArbiterRegs {
  std::uint8_t ready = 0;  // bit k: requester k may send
  bool offered = false;
  bool idle = true;
  std::uint8_t picked = 0;  // whose transaction is on request_o, or was last
  G80_FIELDS((ready, kMaxSmsPerTpc + 1), offered, idle, (picked, 3));
};

class TpcArbiter : public Clocked<TpcArbiterRegs> {
 public:
  TpcArbiter(const sc_core::sc_module_name& name, const Config& config);

  // From the coalescers (SM 0, 1, ...) and, last, from the texture unit
  Ports<In<MemRequest>> requester_i;
  Ports<Out<bool>> requester_ready_o;
  // To the TLB
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  // To wait-for-idle
  Out<bool> idle_o{"idle_o"};

  unsigned texture_requester() const { return num_requesters_ - 1; }
  struct Counters {
    std::array<std::uint64_t, kMaxSmsPerTpc + 1> granted{};
    G80_FIELDS(granted);
  };
  const Counters& counters() const { return counters_; }

 protected:
  static constexpr unsigned kQueue = 2;  // ready cannot see this cycle's pop, so full rate needs two entries

  void next() override;
  void drive() override;
  void reset() override;

  const unsigned num_requesters_;
  Stored<std::array<Ring<MemRequest, kQueue>, kMaxSmsPerTpc + 1>> queue_{*this, "queue"};
  bool renewed_ = false;  // request_o changes
  std::uint8_t driven_ready_ = 0;
  Counters counters_;
};

}  // namespace g80

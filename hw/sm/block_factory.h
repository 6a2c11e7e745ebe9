// SPDX-License-Identifier: Apache-2.0
// Makes the blocks that have an RTL twin. This one makes the SystemC blocks; the testbench passes another to get twins.
// The machine does not know Verilated code.
#pragma once
#include <memory>

#include "hw/config/config.h"
#include "hw/mem/coalescer.h"
#include "hw/sm/warp_scheduler.h"
#include "hw/smem/bank_conflict.h"

namespace g80 {

class BlockFactory {
 public:
  virtual ~BlockFactory() = default;
  virtual std::unique_ptr<BankConflictPorts> bank_conflict(const char* name, const Config& config) const {
    return std::make_unique<BankConflict>(name, config);
  }
  virtual std::unique_ptr<CoalescerPorts> coalescer(const char* name, const Config& config, unsigned tpc,
                                                    unsigned sm_in_tpc) const {
    return std::make_unique<Coalescer>(name, config, tpc, sm_in_tpc);
  }
  virtual std::unique_ptr<WarpSchedulerPorts> warp_scheduler(const char* name, const Config& config) const {
    return std::make_unique<WarpScheduler>(name, config);
  }
};

inline const BlockFactory systemc_blocks{};

}  // namespace g80

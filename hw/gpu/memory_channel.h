// SPDX-License-Identifier: Apache-2.0
// A memory partition with its DRAM: partition, controller, cells and the crossings between them. Wiring only.
#pragma once
#include <systemc>

#include "hw/bundles/signals.h"
#include "hw/common/blocks.h"
#include "hw/dram/dram_controller.h"
#include "hw/gpu/connector.h"
#include "hw/mem/memory_partition.h"

namespace g80 {

class MemoryChannel final : public sc_core::sc_module {
 public:
  /// `log` is null when checking is off.
  MemoryChannel(const sc_core::sc_module_name& name, const Config& config, unsigned index, Domain& core, Domain& dram,
                PartitionLog* log, const TwinTable& twins = {})
      : sc_module(name),
        storage(AddressMap(config).partition_bytes()),
        blocks_(twins),
        edges_(config.clock.crossing_edges),
        partition(blocks_.make<MemoryPartition>("partition", config, index, log)),
        controller(blocks_.make<DramController>("controller", config, storage)),
        to_dram("to_dram", &core, &dram, full_rate_depth(edges_), edges_, edges_),
        from_dram("from_dram", &dram, &core, full_rate_depth(edges_), edges_, edges_),
        command_("command") {
    partition.dram_o(to_dram);
    partition.dram_i(from_dram);
    controller.request_i(to_dram);
    controller.reply_o(from_dram);
    controller.command_o(command_);
    core.add(partition);
    dram.add(controller);
  }

  DramStorage storage;

 private:
  Blocks blocks_;
  const unsigned edges_;

 public:
  MemoryPartition& partition;  // its crossbar side is bound outside
  DramController& controller;
  CrossingFifo<DramRequest> to_dram;
  CrossingFifo<DramReply> from_dram;
  Wire<DramCommand>& command() { return command_; }

 private:
  Wire<DramCommand> command_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A memory partition with its DRAM: partition, controller, chips and the crossings and pins between them. Wiring only.
#pragma once
#include <systemc>

#include "hw/bundles/signals.h"
#include "hw/common/blocks.h"
#include "hw/dram/dram_controller.h"
#include "hw/dram/dram_device.h"
#include "hw/gpu/connector.h"
#include "hw/mem/memory_partition.h"

namespace g80 {

class MemoryChannel final : public sc_core::sc_module {
 public:
  /// `log` is null when checking is off.
  MemoryChannel(const sc_core::sc_module_name& name, const Config& config, Domain& core, Domain& dram,
                PartitionLog* log, const TwinTable& twins = {})
      : sc_module(name),
        blocks_(twins),
        edges_(config.clock.crossing_edges),
        partition(blocks_.make<MemoryPartition>("partition", config, log)),
        controller(blocks_.make<DramController>("controller", config)),
        device(blocks_.make<DramDevice>("device", config, AddressMap(config).rows())),
        to_dram("to_dram", &core, &dram, full_rate_depth(edges_, core, dram), edges_, edges_),
        from_dram("from_dram", &dram, &core, full_rate_depth(edges_, core, dram), edges_, edges_),
        command_("command"),
        dq_to_device_("dq_to_device"),
        dq_from_device_("dq_from_device") {
    partition.dram_o(to_dram);
    partition.dram_i(from_dram);
    controller.request_i(to_dram);
    controller.reply_o(from_dram);
    controller.command_o(command_);
    controller.dq_o(dq_to_device_);
    controller.dq_i(dq_from_device_);
    device.command_i(command_);
    device.dq_i(dq_to_device_);
    device.dq_o(dq_from_device_);
    core.add(partition);
    dram.add(controller);
    dram.add(device);
  }

 private:
  Blocks blocks_;
  const unsigned edges_;

 public:
  MemoryPartition& partition;  // its crossbar side is bound outside
  DramController& controller;
  DramDevice& device;
  CrossingFifo<DramRequest> to_dram;
  CrossingFifo<DramReply> from_dram;
  Wire<DramCommand>& command() { return command_; }

 private:
  Wire<DramCommand> command_;
  Wire<DramBeat> dq_to_device_, dq_from_device_;
};

}  // namespace g80

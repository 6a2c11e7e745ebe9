// SPDX-License-Identifier: Apache-2.0
// The parts of a machine that the driver uses: the host ends of its queues, its records and its clocks.
#pragma once
#include "hw/bundles/host_bundles.h"
#include "hw/common/crossing_fifo.h"
#include "hw/host/command_processor.h"
#include "hw/host/copy_engine.h"

namespace g80 {

struct DeviceLink {
  CrossingWriteIf<PushWords>& push;
  CrossingWriteIf<CopyOrder>& orders;
  CrossingReadIf<HostEvent>& fences;  // from the command processor
  CrossingReadIf<HostEvent>& copies;  // from the copy engine
  const CommandProcessor& processor;
  const CopyEngine& copy_engine;
  HostMemory& host_memory;  // what the copy engine reaches
  const Domain& shader;
  const Domain& core;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/architecture_level.h"

#include "hw/gpu/gpu.h"

namespace g80 {

std::vector<const Traceable*> architecture_of(Gpu& gpu) {
  std::vector<const Traceable*> items{&gpu.command_processor, &gpu.cta_scheduler};
  for (unsigned i = 0; i < gpu.num_sms(); ++i) {
    const SmPins& wires = gpu.sm(i);
    items.insert(items.end(), {&wires.warp_start, &wires.ready, &wires.issue, &wires.release, &wires.resolve,
                               &wires.barrier_opened});
  }
  return items;
}

}  // namespace g80

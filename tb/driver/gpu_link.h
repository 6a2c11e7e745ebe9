// SPDX-License-Identifier: Apache-2.0
// Connects a driver to the chip.
#pragma once
#include "hw/gpu/gpu.h"
#include "tb/driver/device_link.h"

namespace g80 {

inline DeviceLink link_to(Gpu& gpu) {
  return {gpu.push,        gpu.copy_orders, gpu.fences, gpu.copies_done, gpu.command_processor,
          gpu.copy_engine, gpu.host_memory, gpu.shader, gpu.core};
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Text about the end of a launch: a fault in one sentence, errors of the kernel, the occupancy.
#pragma once
#include <string>

#include "hw/config/config.h"
#include "hw/isa/encoding.h"
#include "tb/driver/driver.h"
#include "tb/record/flight_recorder.h"
#include "tb/scenario/backend.h"

namespace g80 {

/// A fault of the driver's last launch: kind, block, warp, lane, pc, instruction, source line, address. `place`: the
/// block and warp of the instruction; the fault itself only names the warp slot.
std::string fault_sentence(const Driver& driver, const KernelFault& fault, const FlightRecorder::Place& place,
                           isa::Arch arch);

/// Wrong barriers of the kernel that did not stop the launch. Empty if there are none.
std::string barrier_defects(const LaunchResult& result);

LaunchOccupancy launch_occupancy(const Config& config, const LaunchShape& shape);

}  // namespace g80

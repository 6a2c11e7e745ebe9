// SPDX-License-Identifier: Apache-2.0
// What a launch's end is told with: a fault in one sentence, defects of the kernel, the occupancy it had.
#pragma once
#include <string>

#include "hw/config/config.h"
#include "hw/isa/encoding.h"
#include "tb/driver/driver.h"
#include "tb/record/flight_recorder.h"
#include "tb/scenario/backend.h"

namespace g80 {

/// A fault of the driver's last launch: kind, block, warp, lane, pc, instruction, source line, address. `place`: whose
/// instruction it was; the fault itself knows only a warp that still runs.
std::string fault_sentence(const Driver& driver, const KernelFault& fault, const FlightRecorder::Place& place,
                           isa::Arch arch);

/// Barriers that a correct kernel does not have; the launch went on all the same. Empty if there are none.
std::string barrier_defects(const LaunchResult& result);

LaunchOccupancy launch_occupancy(const Config& config, const LaunchRequest& request);

}  // namespace g80

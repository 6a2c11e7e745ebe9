// SPDX-License-Identifier: Apache-2.0
// Bundles between command processor and CTA scheduler: a grid to run, and how the last one ended.
#pragma once
#include <cstdint>

#include "hw/bundles/cta_bundles.h"
#include "hw/common/fields.h"

namespace g80 {

/// Held while the grid runs. The launch state of kernel `kernel` lies in the TPCs from the edge before.
struct GridStart {
  bool valid = false;
  bool abort = false;            // no more CTAs are placed, the grid ends as it is
  std::uint32_t kernel = 0;      // number of the launch, from 1
  std::uint8_t ctas_per_sm = 0;  // that fit
  std::uint16_t grid_x = 1, grid_y = 1;
  G80_FIELDS(valid, abort, kernel, (ctas_per_sm, 4), grid_x, grid_y);
};

struct GridStatus {
  std::uint32_t finished = 0;  // number of the last launch that ended
  bool complete = false;       // it ended with its last CTA
  KernelFault fault;           // what ended it otherwise; not valid if it was aborted
  bool sms_idle = true;        // each SM has said so since its last block ended
  G80_FIELDS(finished, complete, fault, sms_idle);
};

}  // namespace g80

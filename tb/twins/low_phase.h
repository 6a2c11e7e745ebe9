// SPDX-License-Identifier: Apache-2.0
// Interface for RTL in a wave: a traced object that changes twice in a clock cycle, not only at the rising edge.
//
// A Verilated block takes its inputs while its clock is low, and its logic settles. At the rising edge its registers
// change, and its logic with them. The wave shows both at their times, as an RTL simulator does. Other objects
// of the machine do not change between edges.
#pragma once
#include "hw/common/domain.h"

namespace g80 {

class LowPhase {
 public:
  virtual ~LowPhase() = default;
  /// The clock is low, and `edge` of its domain comes next: takes the inputs that edge will see. False if the block
  /// sleeps: its clock is gated, and nothing moves.
  virtual bool clock_low(Cycle edge) = 0;
  virtual const Domain* clock() const = 0;
};

}  // namespace g80

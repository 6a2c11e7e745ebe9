// SPDX-License-Identifier: Apache-2.0
// RTL in a wave: a traced object that moves twice in a clock cycle, not at the rising edge alone.
//
// A Verilated block takes its inputs while its clock is low, and its logic settles; at the rising edge its registers
// move, and its logic with them. The wave shows both, each at its time, as a simulator of the RTL would. Other objects
// of the machine have nothing to show between edges.
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

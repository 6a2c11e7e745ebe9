// SPDX-License-Identifier: Apache-2.0
// The CTAs of a grid, one after the other: by counters with a carry or by a shift register. Nothing is divided.
//
// gpu.cta_order linear: x counts, and y when x wraps; a CTA at each step.
// shuffled: 0 and then the states of a shift register with as many bits as x and y have together, each once. Its
// feedback is a primitive polynomial. gpu.seed chooses its first state and which bits are turned before they are taken
// as x and y. A step whose x or y lies outside the grid gives no CTA; at most three of four do.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/field_list.h"
#include "hw/config/config.h"

namespace g80 {

/// Galois feedback of a shift register of n bits, that shifts to the right: row n - 1. Polynomials: Xilinx, XAPP 052.
extern const std::array<std::uint32_t, 32> kCtaFeedback;

/// Where a grid stands.
struct CtaSequence {
  bool valid = false;  // x and y are the CTA that is placed next
  bool ended = true;   // nothing follows
  std::uint16_t x = 0, y = 0;
  std::uint32_t state = 0;  // of the shift register
  G80_FIELDS(valid, ended, x, y, state);
};

/// The counters or the shift register behind it, for a grid of grid_x times grid_y CTAs.
class CtaOrderUnit {
 public:
  explicit CtaOrderUnit(const Config& config);
  CtaSequence first(std::uint32_t grid_x, std::uint32_t grid_y) const;
  /// Goes on by a step. Not behind the end.
  void advance(CtaSequence& at, std::uint32_t grid_x, std::uint32_t grid_y) const;

 private:
  const CtaOrder order_;
  const std::uint32_t start_, turned_;  // as many low bits as the register has
};

}  // namespace g80

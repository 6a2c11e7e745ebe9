// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/cta_sequence.h"

#include "hw/common/check.h"
#include "hw/config/initial_word.h"

namespace g80 {
namespace {

/// Bits that hold the numbers below `count`.
unsigned bits_of(std::uint32_t count) {
  unsigned bits = 0;
  while ((count - 1) >> bits != 0) ++bits;
  return bits;
}

std::uint32_t taps() { return 0; }
template <class... More>
std::uint32_t taps(unsigned tap, More... more) {
  return 1u << (tap - 1) | taps(more...);
}

/// The shift register for one grid.
struct ShiftRegister {
  ShiftRegister(std::uint32_t grid_x_in, std::uint32_t grid_y_in, std::uint32_t start_bits, std::uint32_t turned_bits)
      : grid_x(grid_x_in), grid_y(grid_y_in), bits_x(bits_of(grid_x)), bits(bits_x + bits_of(grid_y)) {
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    start = (start_bits & mask) != 0 ? start_bits & mask : 1;
    turned = turned_bits & mask;
  }
  std::uint32_t next(std::uint32_t state) const {
    if (state == 0) return start;
    return state >> 1 ^ ((state & 1) != 0 ? kCtaFeedback[bits - 1] : 0);
  }
  CtaSequence at(std::uint32_t state) const {
    const std::uint32_t number = state ^ turned;
    const std::uint32_t x = number & ((1u << bits_x) - 1), y = number >> bits_x;
    const bool last = bits == 0 || (state != 0 && next(state) == start);
    return {x < grid_x && y < grid_y, last, static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), state};
  }

  std::uint32_t grid_x, grid_y;
  unsigned bits_x, bits;
  std::uint32_t start = 0, turned = 0;
};

}  // namespace

const std::array<std::uint32_t, 32> kCtaFeedback = {
    taps(1),           taps(2, 1),        taps(3, 2),        taps(4, 3),          taps(5, 3),   taps(6, 5),
    taps(7, 6),        taps(8, 6, 5, 4),  taps(9, 5),        taps(10, 7),         taps(11, 9),  taps(12, 6, 4, 1),
    taps(13, 4, 3, 1), taps(14, 5, 3, 1), taps(15, 14),      taps(16, 15, 13, 4), taps(17, 14), taps(18, 11),
    taps(19, 6, 2, 1), taps(20, 17),      taps(21, 19),      taps(22, 21),        taps(23, 18), taps(24, 23, 22, 17),
    taps(25, 22),      taps(26, 6, 2, 1), taps(27, 5, 2, 1), taps(28, 25),        taps(29, 27), taps(30, 6, 4, 1),
    taps(31, 28),      taps(32, 22, 2, 1)};

CtaOrderUnit::CtaOrderUnit(const Config& config)
    : order_(config.gpu.cta_order), start_(random_word(config.gpu.seed, 0)), turned_(random_word(config.gpu.seed, 1)) {}

CtaSequence CtaOrderUnit::first(std::uint32_t grid_x, std::uint32_t grid_y) const {
  if (order_ == CtaOrder::kShuffled) return ShiftRegister(grid_x, grid_y, start_, turned_).at(0);
  return {true, grid_x == 1 && grid_y == 1};
}

void CtaOrderUnit::advance(CtaSequence& at, std::uint32_t grid_x, std::uint32_t grid_y) const {
  CHECK(!at.ended, "a step behind the last CTA of a grid of {} x {}", grid_x, grid_y);
  if (order_ == CtaOrder::kShuffled) {
    const ShiftRegister walk(grid_x, grid_y, start_, turned_);
    at = walk.at(walk.next(at.state));
    return;
  }
  const bool wraps = at.x + 1u == grid_x;
  at.x = wraps ? 0 : static_cast<std::uint16_t>(at.x + 1);
  if (wraps) ++at.y;
  at.ended = at.x + 1u == grid_x && at.y + 1u == grid_y;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The registers of an execution unit as its block draws them: what its lanes' observers show, put together.
#pragma once
#include <vector>

#include "rtl/adapters/model_pins.h"

namespace g80 {

/// The control bits of each stage, from a packed array.
template <class Header, std::size_t kStages>
void unpack_controls(const Pin& controls, Header* const (&headers)[kStages]) {
  using Control = decltype(Header::control);
  for (unsigned i = 0; i < kStages; ++i) from_element(controls, i, static_cast<Control&>(headers[i]->control));
}
/// What a lane adds to each header, from a packed array.
template <class Header, std::size_t kStages, class Signal>
void unpack_headers(const Signal& of_lane, unsigned lane, Header* const (&headers)[kStages]) {
  const unsigned width = packed_lane_width<Header>();
  for (unsigned i = 0; i < kStages; ++i)
    unpack_lane(bits_of(of_lane, width * i, width).words.data(), lane, *headers[i]);
}
/// All stages, and behind them the results that are only delayed; `results` has the last stage and these.
template <class Datapath>
PackedBits staged_bits(Datapath& datapath, const Pin& results, unsigned stages) {
  using Result = decltype(Datapath::result);
  const unsigned result_bits = packed_lane_width<Result>();
  std::vector<Result> kept(stages + 2 - Datapath::kStages);
  for (unsigned i = 0; i < kept.size(); ++i) {
    for (unsigned l = 0; l < Datapath::kMaxLanes; ++l) {
      const unsigned low = (i * Datapath::kMaxLanes + l) * result_bits;
      unpack_lane(bits_of(results, low, result_bits).words.data(), l, kept[i]);
    }
  }
  datapath.result = kept[0];
  const unsigned delays = static_cast<unsigned>(kept.size()) - 1;
  const unsigned width = packed_width<Datapath>() + delays * packed_width<Result>();
  PackedBits bits;
  bits.words.resize((width + 31) / 32);
  packed_detail::Packer at(bits.words.data(), width);
  visit_fields(datapath, at);
  for (unsigned i = delays; i > 0; --i) visit_fields(kept[i], at);
  return bits;
}

}  // namespace g80

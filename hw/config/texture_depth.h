// SPDX-License-Identifier: Apache-2.0
// The stages of the texture unit, and what is left of tex.pipeline_latency and tex.filter_latency for padding.
//
// A half-warp of all lanes whose texels are in the cache, in core cycles from the edge that takes it:
//   0 request | 1 bindings | 2 descriptors | 3 lanes | 4..7 coordinates | 8, 9 addresses | 10 ports | 11 tags |
//   padding | row read | data read, filter | reply
// Its last lanes follow the first ones by as many edges as the narrower of address and filter lanes needs.
#pragma once
#include <algorithm>

#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

inline constexpr unsigned kLaneStages = 1, kCoordinateStages = 4, kTexelAddressStages = 2;
inline constexpr unsigned kAddressStages = kLaneStages + kCoordinateStages + kTexelAddressStages;
// Of the filter: data read, format conversion, two of the weighted product, two of each of three sums.
inline constexpr unsigned kConvertStage = 2, kProductStage = 4, kStagesOfSum = 2;
inline constexpr unsigned kFilterStages = kProductStage + 3 * kStagesOfSum;
inline constexpr unsigned kSecondSliceStages = 4 * kStagesOfSum;  // a filtered 3D sample has four taps more

/// Edges that the lanes of a half-warp take behind one another.
inline unsigned half_warp_edges(const Config& config) {
  const unsigned lanes = std::min(config.tex.address_lanes, kHalfWarp);
  const auto groups = (kHalfWarp + lanes - 1) / lanes,
             edges = (lanes + config.tex.filter_lanes - 1) / config.tex.filter_lanes;
  return groups * edges;
}

/// The least tex.pipeline_latency. What the key has more is padding between tags and data.
inline unsigned least_texture_latency(const Config& config) {
  constexpr unsigned kFront = 2 + kAddressStages + 3;
  return kFront + half_warp_edges(config) + config.tex.filter_latency + 1;
}

}  // namespace g80

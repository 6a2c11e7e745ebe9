// SPDX-License-Identifier: Apache-2.0
// The texture filter alone: from the texels of a group of lanes to its results.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/tex/filter_pipe.h"

namespace g80::testing {

class FilterBench {
 public:
  FilterBench(unsigned lanes, unsigned filter_lanes)
      : filter_lanes_(filter_lanes), pipe_(kFilterStages, lanes, filter_lanes) {}

  struct Group {
    TextureHeader header;
    TextureSampler sampler;
    bool linear = true, bordered = false;
    std::vector<ReadLane> lanes;
    unsigned share_bits() const {
      return share_bits_of((linear ? 1u << header.dimensions : 1) * header.layout.bytes(), slices());
    }
    bool slices() const { return linear && header.dimensions == 3; }
  };
  /// Of each lane.
  std::vector<TexelWords> results(const Group& group) {
    const auto lanes = static_cast<unsigned>(group.lanes.size());
    for (unsigned i = 0; i < lanes; ++i) {
      pipe_.texels(i) = group.lanes[i];
      pipe_.texels(i).lane = static_cast<std::uint8_t>(i);
    }
    std::vector<TexelWords> results(lanes);
    const unsigned shares = lanes << group.share_bits();
    unsigned entered = 0;
    for (edges_ = 0; entered < shares || !pipe_.empty(); ++edges_) {
      if (entered < shares) {
        FilterBeat& beat = pipe_.enter();
        beat.first = static_cast<std::uint8_t>(entered);
        beat.count = static_cast<std::uint8_t>(std::min(shares - entered, filter_lanes_));
        beat.share_bits = static_cast<std::uint8_t>(group.share_bits());
        beat.linear = group.linear;
        beat.bordered = group.bordered;
        beat.slices = group.slices();
        entered += beat.count;
      }
      pipe_.step(Only<TextureHeader>{group.header}, Only<TextureSampler>{group.sampler});
      if (!pipe_.arrived()) continue;
      pipe_.front().each_lane(pipe_.shares(), [&](const FilterShare& lane) { results[lane.lane] = lane.sum; });
      pipe_.pop();
    }
    return results;
  }
  /// From the first shares to the last results.
  unsigned edges() const { return edges_; }

 private:
  template <class Descriptor>
  struct Only {
    const Descriptor& it;
    const Descriptor& descriptor(unsigned) const { return it; }
  };
  unsigned filter_lanes_, edges_ = 0;
  FilterPipe pipe_;
};

}  // namespace g80::testing

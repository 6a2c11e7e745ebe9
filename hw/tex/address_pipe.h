// SPDX-License-Identifier: Apache-2.0
// The stages from texture coordinates to texel addresses, and the queue in front of the ports of the tags.
//
// A group is the lanes of a request that the address lanes take at one edge. It never stops in the stages: it enters
// when the queue behind them has room for it and for all that are on their way.
//   1 coord: its lanes are found, and their coordinates read | 2 scaled | 3 fixed | 4 placed | 5 taps
//   (texture_coordinate.h) | 6 z times height plus y | 7 times pitch, plus base and x. Of blocks: 6 takes the upper
//   bits of y and z, and 7 puts the others between those of x.
// The registers of a stage are rows of `row` and `lane`: a group keeps its row, and the number of its stage moves on.
// Not a module: texture_unit gives it ports.
#pragma once
#include <vector>

#include "hw/common/queue.h"
#include "hw/config/texture_depth.h"
#include "hw/tex/texture_address.h"

namespace g80 {

struct AddressGroup {
  std::uint8_t stage = 0;
  std::uint8_t count = 0;   // of lanes
  std::uint8_t header = 0;  // entry of the header cache
  std::uint8_t axes = 0;    // of the texture; 0: there are no texels to read
  bool last = false;        // of its request
  Origin origin;            // its request's
  std::array<AxisSetup, 3> axis;
  G80_FIELDS((stage, 4), (count, 5), (header, 4), (axes, 2), last, origin, axis);
};

/// The lanes that enter together: the first `most` of those that have not entered. Twin: rtl/tex/texture_lanes.sv.
inline HalfMask lanes_of_group(HalfMask lanes, unsigned most) {
  unsigned rest = lanes;
  for (; rest != 0 && most != 0; --most) rest &= rest - 1;
  return static_cast<HalfMask>(lanes & ~rest);
}

/// What the stages have found for one lane.
struct AddressLane {
  std::array<std::uint32_t, 3> coord{};  // register bits
  std::array<ScaledCoordinate, 3> scaled;
  std::array<std::int64_t, 3> fixed{};
  std::array<PlacedCoordinate, 3> placed;
  std::array<AxisTaps, 3> taps;
  TapRows row{};
  LaneTexels texels;
  G80_FIELDS(coord, scaled, (fixed, 41), placed, taps, row, texels);
};

class AddressPipe {
 public:
  static constexpr unsigned kStages = kAddressStages;
  static constexpr unsigned kQueued = 2;  // groups behind the stages at full rate: one leaves while one comes
  static constexpr unsigned kGroups = kStages + kQueued;

  explicit AddressPipe(unsigned lanes) : width_(lanes), group_(kGroups), lane_(kGroups * lanes) {}

  void reset() {
    group_ = SizedRing<AddressGroup>(group_.capacity());
    lane_.assign(lane_.size(), AddressLane{});
  }
  bool empty() const { return group_.empty(); }
  bool full() const { return group_.full(); }
  /// Lanes of a group at most.
  unsigned width() const { return width_; }

  /// A group enters; its lanes follow, by add_lane().
  AddressGroup& enter() {
    AddressGroup& group = group_.place();
    group.stage = 1;
    group.count = 0;
    return group;
  }
  void add_lane(AddressGroup& group, unsigned lane, const std::array<std::uint32_t, 4>& coord) {
    AddressLane& row = lane_[group_.row(group_.size() - 1) * width_ + group.count++];
    row.texels.lane = static_cast<std::uint8_t>(lane);
    std::copy_n(coord.begin(), row.coord.size(), row.coord.begin());
  }
  /// Each group goes on by a stage.
  template <class Headers>
  void step(const Headers& headers) {
    for (unsigned i = 0; i < group_.size(); ++i) {
      AddressGroup& group = group_.at(i);
      if (group.stage == kStages) continue;
      ++group.stage;
      CHECK(group.count <= width_ && group.axes <= 3, "a group of {} lanes in a pipe of {}", group.count, width_);
      AddressLane* const first = &lane_[group_.row(i) * width_];
      const auto each_axis = [&group, first](const auto& stage) {
        for (AddressLane* lane = first; lane != first + group.count; ++lane) {
          for (unsigned a = 0; a < group.axes; ++a) stage(*lane, group.axis[a], a);
        }
      };
      if (group.stage == 2) {
        each_axis([](AddressLane& l, const AxisSetup& axis, unsigned a) {
          l.scaled[a] = scale_coordinate(axis, l.coord[a]);
        });
      } else if (group.stage == 3) {
        each_axis(
            [](AddressLane& l, const AxisSetup& axis, unsigned a) { l.fixed[a] = fix_coordinate(axis, l.scaled[a]); });
      } else if (group.stage == 4) {
        each_axis([](AddressLane& l, const AxisSetup& axis, unsigned a) {
          l.placed[a] = place_coordinate(axis, l.fixed[a]);
        });
      } else if (group.stage == 5) {
        each_axis([](AddressLane& l, const AxisSetup& axis, unsigned a) { l.taps[a] = axis_taps(axis, l.placed[a]); });
      } else {
        const TextureHeader& header = headers.descriptor(group.header);
        for (AddressLane* lane = first; lane != first + group.count; ++lane) {
          if (group.stage == kStages) {
            address_texels(header, lane->taps.data(), lane->row, lane->texels);
          } else {
            find_rows(header, lane->taps.data(), lane->row);
          }
        }
      }
    }
  }
  /// The oldest group has its addresses.
  bool arrived() const { return !group_.empty() && group_.front().stage == kStages; }
  const AddressGroup& front() const { return group_.front(); }
  const AddressLane* lanes() const {
    CHECK(front().count <= width_, "a group of {} lanes in a pipe of {}", front().count, width_);
    return &lane_[group_.row(0) * width_];
  }
  void pop() { group_.pop(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    SizedRing<AddressGroup>::visit_rows(s.group_, v);
    v("lane", s.lane_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) v.fill(s.lane_);
    }
  }

 private:
  unsigned width_;
  SizedRing<AddressGroup> group_;
  std::vector<AddressLane> lane_;
};

}  // namespace g80

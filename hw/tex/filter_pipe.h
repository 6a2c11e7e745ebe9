// SPDX-License-Identifier: Apache-2.0
// The stages from texels to filtered results (docs/texture.md, sections 4 and 5).
//
// Of a group of lanes, in core cycles:
//   1 data read | 2 format conversion, weights | 3 products | 4 rounded | 5 tap 1 is aligned | 6 and added |
//   7, 8 tap 2 | 9, 10 tap 3 | padding: what tex.filter_latency has beyond | results
// A filtered 3D sample has eight stages more, for taps 4 to 7: the second of a pair of lanes goes on with the sum of
// the first. Sums go in the order of the taps, each rounded, so a lane has its adders in a row for each component. A
// tap without weight passes its adder. A group never stops in the stages, and leaves them in order: behind a 3D sample
// others enter as many edges later as it takes longer.
// The registers of a stage are rows of `row` and `lane`: a group keeps its row, and the number of its stage moves on.
// Not a module: texture_unit gives it ports.
#pragma once
#include <vector>

#include "hw/common/queue.h"
#include "hw/config/texture_depth.h"
#include "hw/tex/texture_address.h"
#include "hw/tex/texture_filter.h"

namespace g80 {

/// What a request's reply is made of.
enum class TexAnswer : std::uint8_t { kTexels, kSize, kZeros };
inline const EnumText& enum_text(TexAnswer) {
  static const char* const names[] = {"TEXELS", "SIZE", "ZEROS"};
  static const EnumText text{"TexAnswer", names, 3};
  return text;
}

struct FilterGroup {
  std::uint16_t stage = 0;  // 0: its rows are still read
  std::uint8_t count = 0;   // of lanes
  std::uint8_t header = 0, sampler = 0;
  bool linear = false, bordered = false;
  bool slices = false;  // it is filtered between slices of a 3D texture
  bool last = false;    // of its request
  TexAnswer answer = TexAnswer::kZeros;
  G80_FIELDS((stage, 11), (count, 5), (header, 5), (sampler, 5), linear, bordered, slices, last, (answer, 2));
};

class FilterPipe {
 public:
  FilterPipe(unsigned latency, unsigned lanes)
      : latency_(latency), width_(lanes), group_(most_stages(latency) + 2), lane_((most_stages(latency) + 2) * lanes) {}
  /// Of any group.
  static unsigned most_stages(unsigned latency) { return latency + kSecondSliceStages; }

  void reset() {
    group_ = SizedRing<FilterGroup>(group_.capacity());
    lane_.assign(lane_.size(), FilterLane{});
  }
  /// Nothing is in the stages; a group may be being read.
  bool still() const { return group_.empty() || group_.front().stage == 0; }
  bool empty() const { return group_.empty(); }

  /// The group whose rows are read, and its lanes.
  bool reading() const { return !group_.empty() && group_.back().stage == 0; }
  FilterGroup& begin() {
    FilterGroup& group = group_.place();
    group.stage = 0;
    return group;
  }
  FilterLane* read_lanes() { return &lane_[group_.row(group_.size() - 1) * width_]; }
  FilterGroup& end() {
    group_.back().stage = 1;
    return group_.back();
  }

  /// Each group goes on by a stage.
  template <class Headers, class Samplers>
  void step(const Headers& headers, const Samplers& samplers) {
    for (unsigned i = 0; i < group_.size(); ++i) {
      FilterGroup& group = group_.at(i);
      if (group.stage == 0) continue;
      const unsigned stage = ++group.stage;
      const unsigned computes = group.linear ? kFilterStages + more_stages(group) : kConvertStage;
      if (stage > computes) continue;
      CHECK(group.count <= width_, "a group of {} lanes in a filter of {}", group.count, width_);
      FilterLane* const first = &lane_[group_.row(i) * width_];
      const TextureHeader& header = headers.descriptor(group.header);
      for (FilterLane* lane = first; lane != first + group.count; ++lane) {
        if (stage == kConvertStage) {
          lane->convert(header, group.bordered ? samplers.descriptor(group.sampler).border : kNoBorder);
          lane->find_weights(header.dimensions);
        } else if (stage < kProductStage) {
          lane->multiply();
        } else if (stage == kProductStage) {
          lane->weigh(header.dimensions);
        } else if (const unsigned tap = (stage - kProductStage + 1) / kStagesOfSum; stage % kStagesOfSum != 0) {
          lane->align(tap);
        } else {
          lane->add(tap);
        }
      }
    }
  }
  /// The oldest group has passed all stages.
  bool arrived() const { return !group_.empty() && group_.front().stage > latency_ + more_stages(group_.front()); }
  const FilterGroup& front() const { return group_.front(); }
  const FilterLane* lanes() const {
    CHECK(front().count <= width_, "a group of {} lanes in a filter of {}", front().count, width_);
    return &lane_[group_.row(0) * width_];
  }
  void pop() { group_.pop(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    SizedRing<FilterGroup>::visit_rows(s.group_, v);
    v("lane", s.lane_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) v.fill(s.lane_);
    }
  }

 private:
  static constexpr std::array<std::uint32_t, 4> kNoBorder{};
  static unsigned more_stages(const FilterGroup& group) { return group.slices ? kSecondSliceStages : 0; }
  unsigned latency_, width_;
  SizedRing<FilterGroup> group_;
  std::vector<FilterLane> lane_;
};

}  // namespace g80

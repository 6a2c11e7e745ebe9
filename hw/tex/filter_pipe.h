// SPDX-License-Identifier: Apache-2.0
// The stages from texels to filtered results (docs/texture.md, sections 4 and 5).
//
// Of a share of each filter lane, in core cycles:
//   1 data read | 2 format conversion, weights | 3 products | 4 rounded | 5 tap 1 is aligned | 6 and added |
//   7, 8 tap 2 | 9, 10 tap 3 | padding: what tex.filter_latency has beyond | results
// Each stage has registers for as many shares as there are filter lanes. The texels of a group of lanes wait in
// `texels`, behind the data, and enter share by share: what enters at one edge is a beat. The weighted taps of a lane,
// behind stage 4, come together at the place of its last share; if that comes in a later beat, `open` keeps them. There
// is one such lane at most, because shares enter in order.
// From stage 5 on there is a lane where its last share is. Sums go in the order of the taps, each rounded, so a lane
// has its adders in a row for each component. A tap without weight passes its adder.
// A filtered 3D sample has eight stages more, for taps 4 to 7: the second of a pair of filter lanes goes on with the
// sum of the first. A beat never stops in the stages, and leaves them in order: behind a 3D sample others enter as many
// edges later as it takes longer.
// The registers of a stage are rows of `row` and `share`: a beat keeps its row, and the number of its stage moves on.
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

/// The shares that entered at one edge.
struct FilterBeat {
  std::uint16_t stage = 1;
  std::uint8_t first = 0;  // share of its group: lane by lane
  std::uint8_t count = 0;
  std::uint8_t share_bits = 0;  // log2 of the shares of a lane
  std::uint8_t header = 0, sampler = 0;
  bool linear = false, bordered = false;
  bool slices = false;  // it is filtered between slices of a 3D texture
  bool last = false;    // of its request
  TexAnswer answer = TexAnswer::kZeros;
  G80_FIELDS((stage, 11), (first, 7), (count, 6), (share_bits, 2), (header, 5), (sampler, 5), linear, bordered, slices,
             last, (answer, 2));

  /// A share's number among those of its lane.
  unsigned of_lane(unsigned share) const { return (first + share) & (shares_of_lane() - 1); }
  unsigned shares_of_lane() const { return 1u << share_bits; }
  /// The first share that is the last one of its lane.
  unsigned first_end() const { return shares_of_lane() - 1 - of_lane(0); }
  /// Each lane whose last share is in the beat, there.
  template <class Share, class Do>
  void each_lane(Share* share, const Do& act) const {
    const unsigned end = count, shares = shares_of_lane();
    for (unsigned j = first_end(); j < end; j += shares) act(share[j]);
  }
};

class FilterPipe {
 public:
  FilterPipe(unsigned latency, unsigned lanes, unsigned filter_lanes)
      : latency_(latency),
        width_(filter_lanes),
        texels_(lanes),
        read_(lanes),
        beat_(most_stages(latency) + 2),
        share_(beat_.capacity() * filter_lanes) {}
  /// Of any beat.
  static unsigned most_stages(unsigned latency) { return latency + kSecondSliceStages; }

  void reset() {
    texels_.assign(texels_.size(), {});
    read_.assign(read_.size(), 0);
    beat_ = SizedRing<FilterBeat>(beat_.capacity());
    share_.assign(share_.size(), {});
  }
  bool empty() const { return beat_.empty(); }

  /// Of the group that is read. The texels of the next one come behind the edge at which its last share enters.
  ReadLane& texels(unsigned lane) { return texels_[lane]; }
  /// What has been read of a lane; behind the last texels of its group nothing of the next one.
  void note_read(unsigned lane, unsigned taps, bool end) {
    read_[lane] = static_cast<std::uint8_t>(end ? 0 : read_[lane] | taps);
  }
  /// Whether all texels of the shares have been read.
  bool was_read(unsigned first, unsigned count, unsigned axes, unsigned share_bits) const {
    check_shares(first + count, share_bits);
    unsigned missing = 0;
    for (unsigned share = first; share < first + count; ++share) {
      const unsigned i = share >> share_bits, of_lane = share & ((1u << share_bits) - 1);
      missing |= texels_[i].present & ~(texels_[i].outside | read_[i]) & share_taps(axes, share_bits, of_lane);
    }
    return missing == 0;
  }

  /// A beat enters. It is filled in by the caller.
  FilterBeat& enter() {
    FilterBeat& beat = beat_.place();
    beat.stage = 1;
    return beat;
  }
  /// Each beat goes on by a stage.
  template <class Headers, class Samplers>
  void step(const Headers& headers, const Samplers& samplers) {
    for (unsigned i = 0; i < beat_.size(); ++i) {
      FilterBeat& beat = beat_.at(i);
      const unsigned stage = ++beat.stage;
      const unsigned computes = beat.linear ? kFilterStages + more_stages(beat) : kConvertStage;
      if (stage > computes) continue;
      CHECK(beat.count <= width_, "{} shares in a filter of {} lanes", beat.count, width_);
      FilterShare* const share = &share_[beat_.row(i) * width_];
      const TextureHeader& header = headers.descriptor(beat.header);
      if (stage == kConvertStage) {
        convert(beat, header, beat.bordered ? samplers.descriptor(beat.sampler).border : kNoBorder, share);
      } else if (stage < kProductStage) {
        for (unsigned j = 0; j < beat.count; ++j) share[j].multiply();
      } else if (stage == kProductStage) {
        for (unsigned j = 0; j < beat.count; ++j) share[j].weigh(header.dimensions);
        gather(beat, header.dimensions, share);
      } else {
        const unsigned tap = (stage - kProductStage + 1) / kStagesOfSum;
        if (stage % kStagesOfSum != 0) {
          beat.each_lane(share, [tap](FilterShare& lane) { lane.align(tap); });
        } else {
          beat.each_lane(share, [tap](FilterShare& lane) { lane.add(tap); });
        }
      }
    }
  }
  /// The oldest beat has passed all stages.
  bool arrived() const { return !beat_.empty() && beat_.front().stage > latency_ + more_stages(beat_.front()); }
  const FilterBeat& front() const { return beat_.front(); }
  const FilterShare* shares() const {
    CHECK(front().count <= width_, "{} shares in a filter of {} lanes", front().count, width_);
    return &share_[beat_.row(0) * width_];
  }
  void pop() { beat_.pop(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v.stored("texels", s.texels_);
    v("read", s.read_);
    SizedRing<FilterBeat>::visit_rows(s.beat_, v);
    v("share", s.share_);
    v.stored("open", s.open_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (!v.fills()) return;
      v.fill(s.texels_);
      v.fill(s.share_);
      v.fill(s.open_);
    }
  }

 private:
  static constexpr TexelWords kNoBorder{};
  void check_shares(unsigned end, unsigned share_bits) const {
    CHECK(end <= texels_.size() << share_bits, "{} shares of {} lanes", end, texels_.size());
  }
  static unsigned more_stages(const FilterBeat& beat) { return beat.slices ? kSecondSliceStages : 0; }

  void convert(const FilterBeat& beat, const TextureHeader& header, const TexelWords& border,
               FilterShare* share) const {
    check_shares(beat.first + beat.count, beat.share_bits);
    for (unsigned j = 0; j < beat.count; ++j) {
      const ReadLane& lane = texels_[(beat.first + j) >> beat.share_bits];
      share[j].convert(lane, share_taps(header.dimensions, beat.share_bits, beat.of_lane(j)), header, border);
      if (beat.linear) share[j].find_weights(lane.fraction, header.dimensions);
    }
  }
  /// The weighted taps of each lane come together at its last share, and the sums begin.
  void gather(const FilterBeat& beat, unsigned axes, FilterShare* share) {
    const auto place_of = [&](unsigned j) -> std::array<TexelWords, kMaxTaps>& {
      const unsigned end = j + beat.shares_of_lane() - 1 - beat.of_lane(j);
      return end < beat.count ? share[end].texel : open_;
    };
    for (unsigned k = 0; k < beat.of_lane(0); ++k) {  // the first lane's from earlier beats
      for (const unsigned t : set_bits(share_taps(axes, beat.share_bits, k))) place_of(0)[t] = open_[t];
    }
    for (unsigned j = 0; j < beat.count; ++j) {
      for (const unsigned t : set_bits(share[j].taps)) place_of(j)[t] = share[j].texel[t];
    }
    beat.each_lane(share, [](FilterShare& lane) { lane.sum = lane.texel[0]; });
  }

  unsigned latency_, width_;
  std::vector<ReadLane> texels_;
  std::vector<std::uint8_t> read_;  // of each of these lanes: bit t: tap t has been read
  SizedRing<FilterBeat> beat_;
  std::vector<FilterShare> share_;
  std::array<TexelWords, kMaxTaps> open_{};  // weighted taps of a lane that continues in the next beat
};

}  // namespace g80

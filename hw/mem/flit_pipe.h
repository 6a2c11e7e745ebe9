// SPDX-License-Identifier: Apache-2.0
// Flits of the crossbar, and the registers through which they travel from the crossbar to an output.
//
// A packet is a head flit with all its fields but the data, and data flits with xbar.flit_bytes each; the last one is
// the tail. FlitPipe is an elastic pipeline: each stage holds the flits that crossed in one cycle, and hands them on as
// soon as the next stage is free or becomes free. At its end the flits leave one by one; those that find no place stay
// in the last stage, and the stages behind it fill up.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/common/check.h"
#include "hw/common/queue.h"

namespace g80 {

template <class Packet>
struct Flit {
  bool head = false, tail = false;
  std::uint8_t first = 0, words = 0;  // of the packet's data, in a data flit
  Packet part;                        // in a head flit all but the data, in a data flit these words alone
  G80_FIELDS(head, tail, (first, 5), (words, 6), part);
};

/// Flit `number` of a packet with `data_words` words of data, of `flits` flits.
template <class Packet>
void cut_flit(const Packet& packet, unsigned number, unsigned flits, unsigned data_words, unsigned flit_bytes,
              Flit<Packet>& flit) {
  flit.head = number == 0;
  flit.tail = number + 1 == flits;
  flit.first = flit.words = 0;
  if (flit.head) {
    flit.part = packet;
    flit.part.data.fill(0);
    return;
  }
  const unsigned per_flit = flit_bytes / 4, first = (number - 1) * per_flit;
  CHECK(first < data_words && data_words <= packet.data.size(), "flit {} of a packet with {} words of data", number,
        data_words);
  flit.first = static_cast<std::uint8_t>(first);
  flit.words = static_cast<std::uint8_t>(std::min(per_flit, data_words - first));
  std::copy_n(packet.data.begin() + first, flit.words, flit.part.data.begin() + first);
}

/// Adds a flit to the packet that it belongs to.
template <class Packet>
void add_flit(const Flit<Packet>& flit, Packet& packet) {
  if (flit.head) {
    packet = flit.part;
    return;
  }
  CHECK(flit.first + flit.words <= packet.data.size(), "a flit with words {} to {} of a packet", flit.first,
        flit.first + flit.words);
  std::copy_n(flit.part.data.begin() + flit.first, flit.words, packet.data.begin() + flit.first);
}

template <class Packet>
class FlitPipe {
 public:
  FlitPipe(unsigned stages, unsigned flits_per_cycle)
      : flits_(std::max(1u, stages * flits_per_cycle)),
        groups_(std::max(1u, stages)),
        stages_(stages),
        width_(flits_per_cycle) {}

  unsigned stages() const { return stages_; }
  bool empty() const { return groups_.empty(); }
  void clear() {
    flits_.clear();
    groups_.clear();
    left_ = 0;
  }

  // At each edge first flits leave, then every stage in front of a free one moves up, then flits enter. The model moves
  // nothing: where a flit is follows from when it entered, and a block may leave out edges.
  /// The edge that begins with a flit in the last stage. Not for an empty pipe.
  Cycle next_arrival() const { return std::max(groups_.front().entered + stages_, left_ + 1); }
  bool arrived(Cycle edge) const { return !empty() && next_arrival() <= edge; }
  const Flit<Packet>& front() const { return flits_.front(); }
  void leave(Cycle edge) {
    flits_.pop();
    if (--groups_.front().flits != 0) return;
    groups_.pop();
    left_ = edge;
  }
  /// The first stage takes flits at this edge.
  bool has_room(Cycle edge) const { return empty() || (groups_.back().entered < edge && groups_.size() < stages_); }
  /// Makes room for one more flit, to be filled in.
  Flit<Packet>& enter(Cycle edge) {
    if (empty() || groups_.back().entered != edge) groups_.push({edge, 0});
    CHECK(groups_.back().flits < width_, "{} flits cross in one cycle", groups_.back().flits + 1);
    ++groups_.back().flits;
    return flits_.place();
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("flits", s.flits_);
  }

 private:
  /// The flits of a stage, which stay together.
  struct Group {
    Cycle entered = 0;
    unsigned flits = 0;
  };

  SizedRing<Flit<Packet>> flits_;  // of all stages, the oldest first
  SizedRing<Group> groups_;        // likewise
  unsigned stages_, width_;
  Cycle left_ = 0;  // edge at which the last stage became free
};

}  // namespace g80

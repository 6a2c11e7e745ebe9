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
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("head", s.head);
    v("tail", s.tail);
    v("first", s.first, 5);
    v("words", s.words, 6);
    v("part", s.part);
  }
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
      : flits_(std::max(1u, stages * flits_per_cycle)), count_(stages), width_(flits_per_cycle) {}

  unsigned stages() const { return static_cast<unsigned>(count_.size()); }
  bool empty() const { return flits_.empty(); }
  void clear() {
    flits_.clear();
    std::fill(count_.begin(), count_.end(), std::uint8_t{0});
  }

  // At each edge, in this order, front() and leave(), advance_to() that edge, enter(). A block may leave out edges at
  // which no flit leaves or enters: advance_to() the last of them makes up for all.
  /// A flit is in the last stage.
  bool arrived() const { return !count_.empty() && count_.back() != 0; }
  const Flit<Packet>& front() const { return flits_.front(); }
  void leave() {
    flits_.pop();
    --count_.back();
  }
  /// At each edge up to this one, every stage in front of a free one moves up.
  void advance_to(Cycle edge) {
    while (edge_ < edge && !empty() && advance()) ++edge_;
    edge_ = edge;
  }
  /// Edges after this one until a flit is in the last stage: 0 if one is there. Not for an empty pipe.
  unsigned edges_to_end() const {
    unsigned edges = 0;
    while (*(count_.rbegin() + edges) == 0) ++edges;
    return edges;
  }
  /// The first stage takes flits at this edge.
  bool has_room() const { return count_.front() == 0; }
  /// Makes room for one more flit at `edge`, to be filled in.
  Flit<Packet>& enter(Cycle edge) {
    CHECK(count_.front() < width_, "{} flits cross in one cycle", count_.front() + 1);
    edge_ = edge;
    ++count_.front();
    return flits_.place();
  }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("stage", s.count_, 5);
    v("flits", s.flits_);
  }

 private:
  /// False: no stage is free.
  bool advance() {
    std::size_t to = count_.size();  // the stages from here on are occupied, and none is free behind them
    while (to > 0 && count_[to - 1] != 0) --to;
    if (to == 0) return false;
    std::copy_backward(count_.begin(), count_.begin() + static_cast<std::ptrdiff_t>(to) - 1,
                       count_.begin() + static_cast<std::ptrdiff_t>(to));
    count_.front() = 0;
    return true;
  }

  SizedRing<Flit<Packet>> flits_;    // of all stages, the oldest first
  std::vector<std::uint8_t> count_;  // of each stage
  unsigned width_;
  Cycle edge_ = 0;  // up to which it has advanced
};

}  // namespace g80

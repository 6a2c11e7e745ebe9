// SPDX-License-Identifier: Apache-2.0
// The stage in front of the tags: texels of one line share a port, and lines get ports in the order of their first
// texels. Those of a group that get none are left for another edge.
//
// Behind it stand registers for two rows: one is written while the tags look the lines of the other one up, at one edge
// if none of them must wait.
// Not a module: texture_unit gives it ports.
#pragma once
#include <vector>

#include "hw/common/queue.h"
#include "hw/common/set_bits.h"
#include "hw/tex/address_pipe.h"

namespace g80 {

inline constexpr unsigned kMaxTexturePorts = 16;  // 32 filter lanes, 32 bytes a line

/// The lines that an edge gives ports to.
struct PortLines {
  std::uint8_t lanes = 0;  // of the group
  std::uint8_t ports = 0;  // that have a line
  bool end = false;        // the last row of its group
  bool last = false;       // and of its request
  Origin origin;
  std::array<std::uint32_t, kMaxTexturePorts> line{};  // address / bytes of a line
  G80_FIELDS((lanes, 5), (ports, 5), end, last, origin, (line, 27));
};
/// One lane's texels in the row, and what goes past the data to the filter.
struct PortTexels {
  std::uint8_t lane = 0, present = 0, outside = 0;
  std::array<std::uint8_t, 3> fraction{};
  std::uint8_t taps = 0;                        // bit t: tap t is read by this row
  std::array<std::uint8_t, kMaxTaps> offset{};  // bytes in the longest line
  std::array<std::uint8_t, kMaxTaps> port{};
  G80_FIELDS((lane, 4), present, outside, fraction, taps, (offset, 7), (port, 4));
};

class TexelPorts {
 public:
  static constexpr unsigned kRows = 2;

  TexelPorts(unsigned ports, unsigned lanes, unsigned line_bytes)
      : num_ports_(ports),
        width_(lanes),
        line_bits_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
        row_(kRows),
        texels_(kRows * lanes),
        given_(lanes) {}

  void reset() {
    row_ = SizedRing<PortLines>(kRows);
    texels_.assign(texels_.size(), {});
    given_.assign(width_, 0);
  }
  bool empty() const { return row_.empty(); }
  bool full() const { return row_.full(); }

  /// The texels of the group that have no port yet get one each, as far as ports go. Returns whether all have one now.
  bool give(const AddressGroup& group, const AddressLane* lanes) {
    PortLines& row = row_.place();
    PortTexels* const texels = &texels_[row_.row(row_.size() - 1) * width_];
    row.lanes = group.count;
    row.ports = 0;
    row.last = group.last;
    row.origin = group.origin;
    row.end = true;
    for (unsigned i = 0; i < group.count; ++i) {
      const LaneTexels& lane = lanes[i].texels;
      PortTexels& to = texels[i];
      to.lane = lane.lane;
      to.present = lane.present;
      to.outside = lane.outside;
      to.fraction = lane.fraction;
      to.taps = 0;
      const unsigned wanted = lane.present & ~(lane.outside | given_[i]) & 0xffu;
      for (const unsigned t : set_bits(wanted)) {
        const unsigned port = port_of(row, lane.address[t] >> line_bits_);
        if (port == num_ports_) continue;
        to.taps = static_cast<std::uint8_t>(to.taps | 1u << t);
        to.port[t] = static_cast<std::uint8_t>(port);
        to.offset[t] = static_cast<std::uint8_t>(lane.address[t] % kMaxTransactionBytes);
      }
      row.end &= to.taps == wanted;
      given_[i] = static_cast<std::uint8_t>(given_[i] | to.taps);
    }
    if (row.end) given_.assign(width_, 0);
    return row.end;
  }

  const PortLines& front() const { return row_.front(); }
  const PortTexels* texels() const {
    CHECK(front().lanes <= width_, "a row of {} lanes in ports for {}", front().lanes, width_);
    return &texels_[row_.row(0) * width_];
  }
  void pop() { row_.pop(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    SizedRing<PortLines>::visit_rows(s.row_, v);
    v("texels", s.texels_);
    v("given", s.given_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (v.fills()) v.fill(s.texels_);
    }
  }

 private:
  /// The port of the line, given now if it has none; num_ports_ if there is none left.
  unsigned port_of(PortLines& row, std::uint32_t line) const {
    for (unsigned p = 0; p < row.ports; ++p) {
      if (row.line[p] == line) return p;
    }
    if (row.ports == num_ports_) return num_ports_;
    row.line[row.ports] = line;
    return row.ports++;
  }

  unsigned num_ports_, width_, line_bits_;
  SizedRing<PortLines> row_;
  std::vector<PortTexels> texels_;
  std::vector<std::uint8_t> given_;  // of each lane of the group in front: bit t: tap t has had a port
};

}  // namespace g80

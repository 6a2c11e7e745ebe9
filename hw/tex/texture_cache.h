// SPDX-License-Identifier: Apache-2.0
// First-level texture cache of a TPC, built to hide latency: tags run ahead of the data.
//
// The tags are looked up when a texel's address is made. A miss gives the line its slot at once, takes the next row of
// `arriving` and asks memory; the line comes into that row. What reads the slots stands in the queue behind the tags,
// in order; when the texel that missed comes to its front, the line goes from its row into the slot. So a slot is
// overwritten only after all earlier lookups of its old line have read it, and an outstanding line is a hit for later
// lookups (Igehy, Eldridge, Proudfoot, Prefetching in a Texture Cache Architecture, 1998).
//
// Ports: the filters take 2 x 2 texels of 4 bytes for each of their lanes at an edge, and the data memory is as wide as
// that, in lines, but brings the four lines of one lane at least. The tags have as many ports (texel_ports.h). At an
// edge one lookup misses at most, and all of them see the tags as earlier edges left them; a line that was looked up at
// an edge is not evicted at it. The data are there once for each port, in a memory with one read port; a fill is
// written into all of them. A line has its fault beside it; the first word of one that could not be read is its
// address.
// Not a module: texture_unit gives it ports.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/common/store.h"
#include "hw/config/config.h"
#include "hw/tex/texel_ports.h"

namespace g80 {

class TextureCache {
 public:
  static constexpr unsigned kMaxMisses = 128;  // largest tex.mshrs

  explicit TextureCache(const Config& config)
      : shape_{config.tex.l1_bytes, config.tex.l1_ways, config.tex.line_bytes, config.tex.l1_replacement},
        line_bytes_(config.tex.line_bytes),
        tags_(shape_),
        arriving_(config.tex.mshrs),
        arrived_data_(config.tex.mshrs * line_bytes_ / 4),
        fault_(tags_.num_slots()),
        data_(config.tex.l1_bytes / 4) {}

  void reset() {
    tags_ = CacheTags(shape_);
    arriving_.assign(arriving_.size(), {});
    oldest_ = count_ = unsent_ = 0;
  }
  static unsigned num_ports(const Config& config) {
    return std::max(4u, config.tex.filter_lanes * 16 / config.tex.line_bytes);
  }
  /// Lines of earlier lookups still arrive and serve these lookups; later lookups miss.
  void flush() { tags_.invalidate_all(); }
  unsigned line_bytes() const { return line_bytes_; }

  // --- tags
  static constexpr unsigned kNoPort = kMaxTexturePorts;
  struct Lookups {
    unsigned end = 0;         // the ports before this one are served; the others try again at the next edge
    unsigned miss = kNoPort;  // whose line is brought in
  };
  /// Looks the lines of the ports from `first` on up, and finds their slots. A port is not served that is the second to
  /// miss, finds no row of `arriving` free or its slot in use at this edge; nor are those behind it.
  Lookups look_up(const PortLines& row, unsigned first, std::array<std::uint16_t, kMaxTexturePorts>& slots) {
    Lookups found{first};
    for (; found.end < row.ports; ++found.end) {
      const std::uint32_t address = row.line[found.end] * line_bytes_;
      unsigned slot = tags_.find(address);
      if (slot == CacheTags::kMiss) {
        if (found.miss != kNoPort || count_ == arriving_.size()) break;
        slot = tags_.slot_for(address);
        if (std::find(slots.begin() + first, slots.begin() + found.end, slot) != slots.begin() + found.end) break;
        bring(slot, address, row.origin);
        found.miss = found.end;
      } else {
        tags_.touch(address, slot);
      }
      slots[found.end] = static_cast<std::uint16_t>(slot);
    }
    return found;
  }

  // --- memory
  bool has_read() const { return unsent_ != 0; }
  /// The next line to ask for, and its row, which comes back with it.
  struct Read {
    std::uint32_t address;
    std::uint8_t row;
    const Origin& origin;
  };
  Read take_read() {
    const unsigned row = wrap(oldest_ + count_ - unsent_--);
    return {arriving_[row].address, static_cast<std::uint8_t>(row), arriving_[row].origin};
  }
  void arrive(const MemReply& reply) {
    const auto rows = static_cast<unsigned>(arriving_.size());
    const unsigned sent = count_ - unsent_;
    CHECK(reply.id < rows && wrap(reply.id + rows - oldest_) < sent && !arriving_[reply.id].arrived,
          "a texture line arrived for miss {}, which is not outstanding", reply.id);
    arriving_[reply.id].arrived = true;
    arriving_[reply.id].fault = reply.fault;
    std::uint32_t* const line = &arrived_data_[reply.id * (line_bytes_ / 4)];
    std::copy_n(reply.data.begin(), line_bytes_ / 4, line);
    if (reply.fault != MemFault::kNone) line[0] = reply.virtual_address;
  }

  // --- data, in the order of the lookups
  /// While a row waits for it.
  bool can_fill() const { return arriving_[oldest_].arrived; }
  /// The oldest line goes into its slot.
  void fill(unsigned slot) {
    check_slot(slot);
    std::copy_n(arrived_data_.begin() + oldest_ * (line_bytes_ / 4), line_bytes_ / 4,
                data_.begin() + slot * (line_bytes_ / 4));
    fault_[slot] = arriving_[oldest_].fault;
    oldest_ = static_cast<std::uint8_t>(wrap(oldest_ + 1u));
    --count_;
  }
  const std::uint32_t* line(unsigned slot) const {
    check_slot(slot);
    return &data_[slot * (line_bytes_ / 4)];
  }
  MemFault fault(unsigned slot) const { return fault_[slot]; }

  /// Lines asked of memory.
  std::uint64_t misses() const { return misses_; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("tags", s.tags_);
    v("arriving", s.arriving_);
    v("oldest", s.oldest_);
    v("outstanding", s.count_);
    v("unsent", s.unsent_);
    v.stored("fault", s.fault_, 2);
    v.stored("arrived_data", s.arrived_data_);
    v.stored("data", s.data_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      if (!v.fills()) return;  // no line is there yet
      v.fill(s.data_);
      v.fill(s.arrived_data_);
    }
  }

 private:
  struct Arriving {
    bool arrived = false;
    MemFault fault = MemFault::kNone;
    std::uint32_t address = 0;  // virtual
    Origin origin;              // of the request that missed
    G80_FIELDS(arrived, (fault, 2), address, origin);
  };
  void bring(unsigned slot, std::uint32_t address, const Origin& origin) {
    tags_.put(slot, address);
    tags_.note_fill(address, slot);
    arriving_[wrap(oldest_ + count_++)] = {false, MemFault::kNone, address, origin};
    ++unsent_;
    ++misses_;
  }
  void check_slot(unsigned slot) const {
    CHECK(slot < fault_.size(), "slot {} of a texture cache of {} lines", slot, fault_.size());
  }
  unsigned wrap(unsigned i) const {
    const auto rows = static_cast<unsigned>(arriving_.size());
    return i >= rows ? i - rows : i;
  }

  const CacheShape shape_;
  const unsigned line_bytes_;
  CacheTags tags_;
  std::vector<Arriving> arriving_;
  std::vector<std::uint32_t> arrived_data_;
  std::vector<MemFault> fault_;  // of the line in each slot
  std::vector<std::uint32_t> data_;
  std::uint8_t oldest_ = 0, count_ = 0, unsent_ = 0;  // rows of `arriving`
  std::uint64_t misses_ = 0;
};

}  // namespace g80

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
// that, in lines, but brings the four lines of one lane at least. The tags have as many ports. Texels of one line share
// a port. At an edge one lookup misses at most, and all of them see the tags as earlier edges left them; a line that
// was looked up at an edge is not evicted at it.
// Not a module: texture_unit gives it ports.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/common/store.h"
#include "hw/config/config.h"

namespace g80 {

class TextureCache {
 public:
  static constexpr unsigned kMaxMisses = 128;  // largest tex.mshrs
  static constexpr unsigned kMaxPorts = 16;    // 32 lanes, 32 bytes a line

  explicit TextureCache(const Config& config)
      : shape_{config.tex.l1_bytes, config.tex.l1_ways, config.tex.line_bytes, config.tex.l1_replacement},
        line_bytes_(config.tex.line_bytes),
        num_ports_(std::max(4u, config.tex.filter_lanes * 16 / config.tex.line_bytes)),
        tags_(shape_),
        arriving_(config.tex.mshrs),
        arrived_data_(config.tex.mshrs * line_bytes_ / 4),
        slot_(tags_.num_slots()),
        data_(config.tex.l1_bytes / 4) {}

  void reset() {
    tags_ = CacheTags(shape_);
    arriving_.assign(arriving_.size(), {});
    oldest_ = count_ = unsent_ = 0;
  }
  /// Frees the ports.
  void begin_edge() {
    num_taken_ = 0;
    missed_ = false;
  }
  /// Lines of earlier lookups still arrive and serve these lookups; later lookups miss.
  void flush() { tags_.invalidate_all(); }
  unsigned line_bytes() const { return line_bytes_; }

  // --- tags
  struct Lookup {
    bool served = true;  // false: no port or row is free, or the line to evict is in use: try again at the next edge
    bool miss = false;   // this texel brings its line in
    std::uint16_t slot = 0;
  };
  Lookup look_up(std::uint32_t address, const Origin& origin) {
    const std::uint32_t line = tags_.line_of(address);
    for (unsigned p = num_taken_; p-- != 0;) {
      if (taken_[p].line != line) continue;
      ++counters_.hits;
      return {true, false, taken_[p].slot};
    }
    if (num_taken_ == num_ports_) return {false};
    unsigned slot = tags_.find(address);
    const bool miss = slot == CacheTags::kMiss;
    if (!miss) {
      ++counters_.hits;
      tags_.touch(address, slot);
    } else {
      if (missed_ || count_ == arriving_.size()) return {false};
      slot = tags_.slot_for(address);
      for (unsigned p = 0; p < num_taken_; ++p) {
        if (taken_[p].slot == slot) return {false};
      }
      ++counters_.misses;
      missed_ = true;
      tags_.put(slot, address);
      tags_.note_fill(address, slot);
      arriving_[wrap(oldest_ + count_++)] = {false, MemFault::kNone, line * line_bytes_, origin};
      ++unsent_;
    }
    taken_[num_taken_++] = {line, static_cast<std::uint16_t>(slot)};
    return {true, miss, static_cast<std::uint16_t>(slot)};
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
    std::copy_n(reply.data.begin(), line_bytes_ / 4, arrived_data_.begin() + reply.id * (line_bytes_ / 4));
  }

  // --- data, in the order of the lookups
  /// While a row waits for it.
  bool can_fill() const { return arriving_[oldest_].arrived; }
  /// The oldest line goes into its slot.
  void fill(unsigned slot) {
    check_slot(slot);
    const Arriving& line = arriving_[oldest_];
    std::copy_n(arrived_data_.begin() + oldest_ * (line_bytes_ / 4), line_bytes_ / 4,
                data_.begin() + slot * (line_bytes_ / 4));
    slot_[slot] = {line.fault, line.address};
    oldest_ = static_cast<std::uint8_t>(wrap(oldest_ + 1u));
    --count_;
  }
  const std::uint32_t* line(unsigned slot) const {
    check_slot(slot);
    return &data_[slot * (line_bytes_ / 4)];
  }
  /// That of the line in the slot, and its address.
  struct LineFault {
    MemFault fault = MemFault::kNone;
    std::uint32_t address = 0;
    G80_FIELDS((fault, 2), address);
  };
  const LineFault& fault(unsigned slot) const { return slot_[slot]; }

  struct Counters {
    std::uint64_t hits = 0;    // texels, lines on their way included
    std::uint64_t misses = 0;  // lines asked of memory
    G80_FIELDS(hits, misses);
  };
  const Counters& counters() const { return counters_; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("tags", s.tags_);
    v("arriving", s.arriving_);
    v("oldest", s.oldest_);
    v("outstanding", s.count_);
    v("unsent", s.unsent_);
    v.stored("line", s.slot_);
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
  struct TakenPort {
    std::uint32_t line;
    std::uint16_t slot;
  };
  void check_slot(unsigned slot) const {
    CHECK(slot < slot_.size(), "slot {} of a texture cache of {} lines", slot, slot_.size());
  }
  unsigned wrap(unsigned i) const {
    const auto rows = static_cast<unsigned>(arriving_.size());
    return i >= rows ? i - rows : i;
  }

  const CacheShape shape_;
  const unsigned line_bytes_, num_ports_;
  CacheTags tags_;
  std::vector<Arriving> arriving_;
  std::vector<std::uint32_t> arrived_data_;
  std::vector<LineFault> slot_;
  std::vector<std::uint32_t> data_;
  std::uint8_t oldest_ = 0, count_ = 0, unsent_ = 0;  // rows of `arriving`
  // Wires of this edge, not registers
  unsigned num_taken_ = 0;
  TakenPort taken_[kMaxPorts];
  bool missed_ = false;
  Counters counters_;
};

}  // namespace g80

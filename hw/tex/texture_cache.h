// SPDX-License-Identifier: Apache-2.0
// First-level texture cache of a TPC, built to hide latency: tags run ahead of the data.
//
// The address side looks a texel's line up when its address is made; a miss gives the line its slot at once, takes the
// next place of a reorder buffer and asks memory. The data side works through the same texels in the same order, a
// pipeline and a memory latency later; when it comes to the texel that missed, it moves the line from the reorder
// buffer into the slot. So a slot is overwritten only after all lookups of its old line have read it, and an
// outstanding line is a hit for later lookups (Igehy, Eldridge, Proudfoot, Prefetching in a Texture Cache Architecture,
// 1998). Not a module: texture_unit gives it ports.
//
// Ports: the filters take 2 x 2 texels of 4 bytes for each of their lanes at an edge, and the data memory is as wide as
// that, in lines, but brings the four lines of one lane at least. The tags have as many ports, and a second slice of a
// 3D texture has the same again, as its lanes take two turns. Texels of one line share a port. At an edge at most one
// lookup misses and at most one line is moved from the reorder buffer into the data memory.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/common/fifo.h"
#include "hw/config/config.h"

namespace g80 {

/// The ports of a memory that are taken at this edge: wires, not registers.
template <class Access>
class TakenPorts {
 public:
  static constexpr unsigned kMax = 16;  // 32 lanes, 32 bytes a line
  explicit TakenPorts(unsigned ports) : num_ports_(ports) {}
  bool full() const { return count_ == num_ports_; }
  void push(const Access& access) { access_[count_++] = access; }
  void clear() { count_ = 0; }
  Access* begin() { return access_.data(); }
  Access* end() { return begin() + count_; }
  const Access* begin() const { return access_.data(); }
  const Access* end() const { return begin() + count_; }

 private:
  const unsigned num_ports_;
  unsigned count_ = 0;
  std::array<Access, kMax> access_{};
};

class TextureCache {
 public:
  static constexpr unsigned kMaxMisses = 64;  // largest tex.mshrs

  TextureCache(StoreOwner& block, const Config& config)
      : line_bytes_(config.tex.line_bytes),
        num_misses_(config.tex.mshrs),
        tags_({config.tex.l1_bytes, config.tex.l1_ways, config.tex.line_bytes, config.tex.l1_replacement}),
        data_(config.tex.l1_bytes / 4),
        fault_(tags_.num_slots(), MemFault::kNone),
        reads_(block, "reads"),
        tag_ports_{TakenPorts<TagPort>(num_ports(config)), TakenPorts<TagPort>(num_ports(config))},
        data_ports_{TakenPorts<std::uint32_t>(num_ports(config)), TakenPorts<std::uint32_t>(num_ports(config))},
        unwritten_(block, [this](FieldEditor& filler) {
          tags_.fill_unused(filler);
          filler.fill(data_);  // no line is there yet
          for (Arriving& line : arriving_) filler.fill(line.data);
        }) {}

  void reset() {
    tags_.invalidate_all();
    oldest_ = count_ = 0;
    reads_.clear();
    begin_edge();
  }
  /// Frees the ports.
  void begin_edge() {
    for (auto& ports : tag_ports_) ports.clear();
    for (auto& ports : data_ports_) ports.clear();
    missed_ = filled_ = false;
  }
  /// Lines of earlier lookups still arrive and serve these lookups; later lookups miss.
  void flush() { tags_.invalidate_all(); }
  unsigned line_bytes() const { return line_bytes_; }

  // --- address side
  struct Lookup {
    bool found_place = true;  // false: no port is free or the reorder buffer is full, try again
    bool fill = false;        // this texel brings its line in
    std::uint32_t slot = 0;
  };
  Lookup look_up(std::uint32_t address, bool second_slice, const Origin& origin) {
    const std::uint32_t line = tags_.line_of(address);
    TakenPorts<TagPort>& ports = tag_ports_[second_slice];
    for (const TagPort& port : ports) {
      if (port.line != line) continue;
      ++counters_.hits;
      return {true, false, port.slot};
    }
    if (ports.full()) return {false, false, 0};
    unsigned slot = tags_.find(address);
    const bool miss = slot == CacheTags::kMiss;
    if (!miss) {
      ++counters_.hits;
      tags_.touch(slot);
    } else if (missed_ || count_ == num_misses_) {
      return {false, false, 0};
    } else {
      ++counters_.misses;
      missed_ = true;
      slot = tags_.insert(address);
      for (TakenPorts<TagPort>& each : tag_ports_) {
        for (TagPort& port : each) {
          if (port.slot == slot) port.line = kNoLine;  // this line makes room
        }
      }
      const unsigned place = wrap(oldest_ + count_++);
      arriving_[place].arrived = false;
      reads_.push({line * line_bytes_, static_cast<std::uint8_t>(place), origin});
    }
    ports.push({line, slot});
    return {true, miss, slot};
  }

  // --- memory side
  struct Read {
    std::uint32_t address = 0;  // virtual, of the line
    std::uint8_t id = 0;        // comes back with the line
    Origin origin;              // of the request that missed
    G80_FIELDS(address, id, origin);
  };
  bool has_read() const { return !reads_.empty(); }
  Read take_read() {
    const Read read = reads_.front();
    reads_.pop();
    return read;
  }
  void arrive(const MemReply& reply) {
    CHECK(reply.id < num_misses_ && wrap(reply.id + num_misses_ - oldest_) < count_ && !arriving_[reply.id].arrived,
          "a texture line arrived for miss {}, which is not outstanding", reply.id);
    Arriving& line = arriving_[reply.id];
    line.arrived = true;
    line.fault = reply.fault;
    std::copy_n(reply.data.begin(), line_bytes_ / 4, line.data.begin());
  }

  // --- data side, in the order of the lookups
  /// Whether the next line of the reorder buffer can go into `slot` at this edge.
  bool can_fill(std::uint32_t slot) const { return arriving_[oldest_].arrived && !filled_ && !opened(slot); }
  /// Gives the line in `slot` a port of the data memory for this edge. False: none is free.
  bool open(std::uint32_t slot, bool second_slice) {
    TakenPorts<std::uint32_t>& ports = data_ports_[second_slice];
    if (std::find(ports.begin(), ports.end(), slot) != ports.end()) return true;
    if (ports.full()) return false;
    ports.push(slot);
    return true;
  }
  void fill(std::uint32_t slot) {
    const Arriving& line = arriving_[oldest_];
    std::copy_n(line.data.begin(), line_bytes_ / 4, data_.begin() + slot * (line_bytes_ / 4));
    fault_[slot] = line.fault;
    filled_ = true;
    oldest_ = wrap(oldest_ + 1);
    --count_;
  }
  const std::uint32_t* line(std::uint32_t slot) const { return &data_[slot * (line_bytes_ / 4)]; }
  MemFault fault(std::uint32_t slot) const { return fault_[slot]; }
  bool nothing_on_its_way() const { return count_ == 0; }

  struct Counters {
    std::uint64_t hits = 0;    // texels, lines on their way included
    std::uint64_t misses = 0;  // lines asked of memory
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Arriving {
    bool arrived = false;
    MemFault fault = MemFault::kNone;
    std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};
  };
  static constexpr std::uint32_t kNoLine = ~0u;
  struct TagPort {
    std::uint32_t line = kNoLine, slot = 0;
  };
  static unsigned num_ports(const Config& config) {
    return std::max(4u, config.tex.filter_lanes * 16 / config.tex.line_bytes);
  }
  bool opened(std::uint32_t slot) const {
    return std::any_of(data_ports_.begin(), data_ports_.end(), [slot](const TakenPorts<std::uint32_t>& ports) {
      return std::find(ports.begin(), ports.end(), slot) != ports.end();
    });
  }
  unsigned wrap(unsigned i) const { return i >= num_misses_ ? i - num_misses_ : i; }

  const unsigned line_bytes_, num_misses_;
  CacheTags tags_;
  std::vector<std::uint32_t> data_;
  std::vector<MemFault> fault_;  // of each slot's line
  std::array<Arriving, kMaxMisses> arriving_{};
  unsigned oldest_ = 0, count_ = 0;
  Fifo<Read, kMaxMisses> reads_;                         // not sent yet
  std::array<TakenPorts<TagPort>, 2> tag_ports_;         // of each slice
  std::array<TakenPorts<std::uint32_t>, 2> data_ports_;  // slots
  bool missed_ = false, filled_ = false;                 // at this edge
  Unwritten unwritten_;
  Counters counters_;
};

}  // namespace g80

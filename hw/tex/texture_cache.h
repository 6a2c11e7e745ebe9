// SPDX-License-Identifier: Apache-2.0
// First-level texture cache of a TPC, built to hide latency: tags run ahead of the data.
//
// The address side looks a texel's line up when its address is made; a miss gives the line its slot at once, takes the
// next place of a reorder buffer and asks memory. The data side works through the same texels in the same order, a
// pipeline and a memory latency later; when it comes to the texel that missed, it moves the line from the reorder
// buffer into the slot. So a slot is overwritten only after all lookups of its old line have read it, and an
// outstanding line is a hit for later lookups (Igehy, Eldridge, Proudfoot, Prefetching in a Texture Cache Architecture,
// 1998). Not a module: texture_unit gives it ports. Bank conflicts of the tags and of the data are not modelled.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/common/fifo.h"
#include "hw/config/config.h"

namespace g80 {

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
        unwritten_(block, [this](FieldEditor& filler) {
          tags_.fill_unused(filler);
          filler.fill(data_);  // no line is there yet
          filler.fill(last_line_);
          for (Arriving& line : arriving_) filler.fill(line.data);
        }) {}

  void reset() {
    tags_.invalidate_all();
    oldest_ = count_ = 0;
    reads_.clear();
    last_slot_ = CacheTags::kMiss;
  }
  /// Lines of earlier lookups still arrive and serve these lookups; later lookups miss.
  void flush() {
    tags_.invalidate_all();
    last_slot_ = CacheTags::kMiss;
  }
  unsigned line_bytes() const { return line_bytes_; }

  // --- address side
  struct Lookup {
    bool found_place = true;  // false: the reorder buffer is full, try again
    bool fill = false;        // this texel brings its line in
    std::uint32_t slot = 0;
  };
  Lookup look_up(std::uint32_t address, const Origin& origin) {
    Lookup result;
    const std::uint32_t line = tags_.line_of(address);
    if (last_slot_ != CacheTags::kMiss && line == last_line_) {
      ++counters_.hits;
      result.slot = last_slot_;
      return result;
    }
    unsigned slot = tags_.find(address);
    if (slot != CacheTags::kMiss) {
      ++counters_.hits;
      tags_.touch(slot);
    } else if (count_ == num_misses_) {
      return {false, false, 0};
    } else {
      ++counters_.misses;
      slot = tags_.insert(address);
      const unsigned place = wrap(oldest_ + count_++);
      arriving_[place].arrived = false;
      reads_.push({line * line_bytes_, static_cast<std::uint8_t>(place), origin});
      result.fill = true;
    }
    last_line_ = line;
    last_slot_ = slot;
    result.slot = slot;
    return result;
  }

  // --- memory side
  struct Read {
    std::uint32_t address = 0;  // virtual, of the line
    std::uint8_t id = 0;        // comes back with the line
    Origin origin;              // of the request that missed
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("address", s.address);
      v("id", s.id);
      v("origin", s.origin);
    }
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
  bool next_line_arrived() const { return arriving_[oldest_].arrived; }
  void fill(std::uint32_t slot) {
    const Arriving& line = arriving_[oldest_];
    std::copy_n(line.data.begin(), line_bytes_ / 4, data_.begin() + slot * (line_bytes_ / 4));
    fault_[slot] = line.fault;
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
  unsigned wrap(unsigned i) const { return i >= num_misses_ ? i - num_misses_ : i; }

  const unsigned line_bytes_, num_misses_;
  CacheTags tags_;
  std::vector<std::uint32_t> data_;
  std::vector<MemFault> fault_;  // of each slot's line
  std::array<Arriving, kMaxMisses> arriving_{};
  unsigned oldest_ = 0, count_ = 0;
  Fifo<Read, kMaxMisses> reads_;                                // not sent yet
  std::uint32_t last_line_ = 0, last_slot_ = CacheTags::kMiss;  // of the previous texel: neighbours share lines
  Unwritten unwritten_;
  Counters counters_;
};

}  // namespace g80

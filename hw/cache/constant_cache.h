// SPDX-License-Identifier: Apache-2.0
// First-level constant cache of an SM: serves reads of c[], one distinct word of a half-warp per pass.
//
// A request is a half-warp's, each lane with its address, or a whole warp's that reads the address in the instruction.
// Runs at scheduler rate in the SM (every second shader edge). A pass comes at every edge, or at every second one with
// sm.const_addresses_per_4_cycles = 1. A pass takes the word of the lowest pending lane of a half-warp and serves every
// lane of that half-warp that reads the same word; the lower half goes first. So the cost grows with the number of
// distinct words per half-warp, and a warp that reads one word takes two passes. A pass that misses parks all lanes of
// the half-warp that read the line and costs a pass too; the cache requests the line or, if it is outstanding, merges
// with the miss, and continues with the next half or request. When the fill arrives, the parked lanes are served first,
// again in passes. Without a free miss register the request stalls, and so do those behind it.
//
// Latency: a request transferred at edge k that hits with p passes is on reply_o for edge k + (p - 1) * interval + 1 if
// the unit is free; interval is 1 or 2, see above, and sm.const_latency is made up by the SM. Replies of different
// requests may overtake each other.
// A new number on kernel_i empties the cache. Outstanding fills then still serve their waiters but are not cached.
#pragma once
#include "hw/bundles/fetch_bundles.h"
#include "hw/cache/line_store.h"
#include "hw/common/clocked.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

/// The pending lanes of a half-warp that a pass serves: those that read the word of the lowest pending lane.
/// This is where the broadcast of a constant is decided. `address` points to the half-warp's first lane.
inline HalfMask select_broadcast(HalfMask pending, const std::uint32_t* address) {
  if (pending == 0) return 0;
  const std::uint32_t word = address[__builtin_ctz(pending)] / 4;
  unsigned same = 0;
  for (unsigned l = 0; l < kHalfWarp; ++l) same |= static_cast<unsigned>(address[l] / 4 == word) << l;
  return static_cast<HalfMask>(pending & same);
}

struct ConstantCacheRegs {
  bool request_ready = true;
  bool fill_ready = true;
  ConstReply reply;
  LineRequest line;
  std::uint32_t kernel = 0;
  G80_FIELDS(request_ready, fill_ready, reply, line, kernel);
};

class ConstantCache : public Clocked<ConstantCacheRegs> {
 public:
  ConstantCache(const sc_core::sc_module_name& name, const Config& config);

  // From the SM; the reply has no ready: the SM always takes it
  In<ConstRequest> request_i{"request_i"};
  Out<bool> request_ready_o{"request_ready_o"};
  Out<ConstReply> reply_o{"reply_o"};
  // Number of the running kernel
  In<std::uint32_t> kernel_i{"kernel_i"};
  // To and from line_port
  Out<LineRequest> line_o{"line_o"};
  In<bool> line_ready_i{"line_ready_i"};
  In<LineReply> fill_i{"fill_i"};
  Out<bool> fill_ready_o{"fill_ready_o"};

  struct Counters {
    std::uint64_t passes = 0;  // each a hit, a miss or a merge
    std::uint64_t hits = 0;    // passes that served their lanes
    std::uint64_t misses = 0;  // lines asked of the second level
    std::uint64_t merges = 0;  // passes that found their line on its way
    std::uint64_t invalidations = 0;
    G80_FIELDS(passes, hits, misses, merges, invalidations);
  };
  const Counters& counters() const { return counters_; }
  /// No request inside and no fill outstanding.
  bool idle() const { return idle_; }

 protected:
  static constexpr unsigned kEntries = kMaxWarps;  // requests inside
  static constexpr unsigned kMaxMshrs = 32;        // largest ccache.mshrs

  /// A request inside the cache. Pending, parked and served lanes are disjoint; together they are the request's lanes.
  struct Entry {
    ConstRequest request;
    LaneMask pending = 0;  // wait for a pass
    LaneMask parked = 0;   // wait for a line
    ConstReply reply;
    G80_FIELDS(request, pending, parked, reply);
  };
  /// Lanes of an entry that wait for a line.
  struct Waiter {
    std::uint8_t entry = 0;
    LaneMask lanes = 0;
    G80_FIELDS((entry, 5), lanes);
  };

  void next() override;
  void drive() override;
  void reset() override;
  void take_request();
  void take_fill();
  void pass();
  void fill_pass();
  bool request_pass(unsigned index);
  bool park(unsigned index, LaneMask lanes);
  void send_miss();
  void serve(Entry& entry, LaneMask lanes, const std::uint32_t* line_data);
  void answer_if_served(unsigned index);
  template <class S, class V>
  static void members(S& s, V& v) {
    v.stored("entry", s.entry_);
    v.stored("used", s.used_, kEntries);
    v.stored("lines", s.store_);
    v.stored("fill_lanes", s.fill_lanes_);
    v.stored("pauses", s.pauses_);
    v.stored("idle", s.idle_);
  }
  void visit_members(FieldVisitor& visitor) const override { members(*this, visitor); }
  void visit_members(FieldEditor& editor) override { members(*this, editor); }

  const unsigned line_bytes_;
  const bool half_rate_;  // after each pass is an edge without one
  std::array<Entry, kEntries> entry_{};
  Unwritten unwritten_{*this, [this](FieldEditor& filler) {
                         for (Entry& entry : entry_) {
                           filler.fill(entry.request);
                           filler.fill(entry.pending);
                           filler.fill(entry.parked);
                           filler.fill(entry.reply);
                         }
                       }};
  std::uint32_t used_ = 0;                              // entries in use
  LineStore<Waiter, kMaxMshrs, 2 * kEntries> store_;    // as many waiters as half-warps can be inside
  Fifo<std::uint8_t, kEntries> order_{*this, "order"};  // entries whose lanes have not all had their pass, oldest first
  LaneMask fill_lanes_ = 0;  // of the waiter for the line that came: lanes still to be served
  bool pauses_ = false;      // no pass at the coming edge
  bool idle_ = true;
  Counters counters_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// First-level instruction cache of an SM.
//
// Runs at scheduler rate (every second shader edge). One lookup a scheduler cycle: a fetch that was answered by a fill
// goes first, then requests in order. Hits pass misses; a request that finds no miss register waits and holds up those
// behind it. Replies of different fetches may overtake each other; a fetch knows its own by warp, epoch and address.
//
// Latency: a request transferred at scheduler cycle k that hits is on reply_o for cycle k + icache.l1_latency, so is
// one whose line arrives at cycle k. Rate: one fetch a cycle. A new number on kernel_i empties the cache. Outstanding
// fills then still answer their waiters but are not cached.
#pragma once
#include "hw/bundles/fetch_bundles.h"
#include "hw/cache/line_store.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct InstructionCacheRegs {
  bool fetch_ready = true;
  bool fill_ready = true;
  FetchReply reply;
  LineRequest line;
  std::uint32_t kernel = 0;
  G80_FIELDS(fetch_ready, fill_ready, reply, line, kernel);
};

class InstructionCache : public Clocked<InstructionCacheRegs> {
 public:
  InstructionCache(const sc_core::sc_module_name& name, const Config& config);

  // From fetch; the reply has no ready: fetch always takes it
  In<FetchRequest> fetch_i{"fetch_i"};
  Out<bool> fetch_ready_o{"fetch_ready_o"};
  Out<FetchReply> reply_o{"reply_o"};
  // Number of the running kernel
  In<std::uint32_t> kernel_i{"kernel_i"};
  // To and from line_port
  Out<LineRequest> line_o{"line_o"};
  In<bool> line_ready_i{"line_ready_i"};
  In<LineReply> fill_i{"fill_i"};
  Out<bool> fill_ready_o{"fill_ready_o"};
  // To cta_launcher: a fetch waits for a line
  Out<bool> waits_o{"waits_o"};

  struct Counters {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;  // lines asked of the second level
    std::uint64_t merges = 0;  // fetches that joined a line on its way
    std::uint64_t invalidations = 0;
    G80_FIELDS(hits, misses, merges, invalidations);
  };
  const Counters& counters() const { return counters_; }
  /// No fetch inside and no fill outstanding, so the next levels hold no request of this cache.
  bool idle() const { return idle_; }

 protected:
  static constexpr unsigned kMaxMshrs = 32;    // largest ccache.mshrs
  static constexpr unsigned kMaxLatency = 64;  // largest icache.l1_latency

  void next() override;
  void drive() override;
  void reset() override;
  bool look_up(const FetchRequest& request);
  void send_miss();
  void answer(const FetchRequest& request, const std::uint32_t* line, MemFault fault);
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("lines", store_); }
  void visit_members(FieldEditor& editor) override { editor.stored("lines", store_); }

  const unsigned line_bytes_;
  // A warp waits once; and for lines that it asked for before a redirect.
  LineStore<FetchRequest, kMaxMshrs, 2 * kMaxWarps> store_;
  Fifo<FetchRequest, 2> queue_{*this, "queue"};       // requests not looked up yet
  DelayedFifo<FetchReply, kMaxLatency + 1> replies_;  // between the lookup and the output register
  bool idle_ = true;
  Counters counters_;
};

}  // namespace g80

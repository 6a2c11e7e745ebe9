// SPDX-License-Identifier: Apache-2.0
// Third-level cache of the chip: constants and instructions of all TPCs. Misses are reads of memory, one line each.
//
// Core clock. One lookup an edge; TPCs take turns. A request comes over way() registers into the queue of its TPC, and
// a line goes back over as many, which are the last ones in front of the reply. Both ends always have room: a second
// level has asked for no more lines than it has miss registers. A request on request_i at edge k that hits is on
// reply_o for edge k + ccache.l3_latency + 1; one that misses is on memory_o for edge k + way() + 4. Lines that come
// from memory at edge k are handed out one TPC an edge from edge k + ccache.l3_latency - way() on. A new count on
// flush_i empties the cache.
#pragma once
#include <algorithm>
#include <array>

#include "hw/bundles/launch_beat.h"
#include "hw/cache/line_cache.h"
#include "hw/common/clocked.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/limits.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct ThirdLevelCacheRegs {
  bool memory_ready = true;
  std::uint8_t last_tpc = 0;
  std::uint32_t flush = 0;
  G80_FIELDS(memory_ready, (last_tpc, 4), flush);
};

class ThirdLevelCache : public Clocked<ThirdLevelCacheRegs> {
 public:
  ThirdLevelCache(const sc_core::sc_module_name& name, const Config& config);

  // From and to the second level of each TPC, always taken
  Ports<In<LineRequest>> request_i;
  Ports<Out<LineReply>> reply_o;
  // To memory (through a TLB: virtual addresses) and back
  Out<MemRequest> memory_o{"memory_o"};
  In<bool> memory_ready_i{"memory_ready_i"};
  In<MemReply> memory_i{"memory_i"};
  Out<bool> memory_ready_o{"memory_ready_o"};
  // Flushes so far
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  using Counters = LineCacheCounters;
  const Counters& counters() const { return cache_.counters(); }
  bool idle() const { return cache_.idle() && way_.empty() && !replies(); }
  /// Registers of the ways from and to a second level.
  unsigned way() const { return registers_; }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldVisitor& visitor) const override { visitor.stored("reply", reply_); }
  void visit_members(FieldEditor& editor) override { editor.stored("reply", reply_); }
  /// One is on its wire.
  bool replies() const {
    return std::any_of(reply_.begin(), reply_.end(), [](const auto& reply) { return reply->valid; });
  }

  static constexpr unsigned kStages = 1 + LineCache::kStages;  // a request waits for its turn in front of the cache's

  const unsigned num_tpcs_, registers_;
  LineCache cache_;
  Stored<std::vector<SizedRing<LineRequest>>> queue_;      // of each TPC
  Stored<DelayLines> way_;                                 // to these queues
  std::array<LoadedRegister<LineReply>, kMaxTpcs> reply_;  // to each TPC
  OutputRegister<MemRequest> memory_{*this, "memory"};
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Second-level cache of a TPC: constants and instructions of its SMs.
//
// Core clock. One lookup an edge; SMs take turns. A request popped at edge k that hits is pushed back at edge k +
// ccache.l2_latency; lines that come from the third level are handed out one SM an edge with the same latency. One
// that misses is on miss_o for edge k + 3. A line that comes has a place: there is one for each miss register. A new
// count on flush_i empties the cache.
#pragma once
#include "hw/cache/line_cache.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"

namespace g80 {

struct SecondLevelCacheRegs {
  std::uint8_t last_sm = 0;
  LineRequest miss;
  std::uint32_t flush = 0;
  G80_FIELDS((last_sm, 2), miss, flush);
};

class SecondLevelCache : public Clocked<SecondLevelCacheRegs> {
 public:
  SecondLevelCache(const sc_core::sc_module_name& name, const Config& config, unsigned tpc);

  // From and to the line_port of each SM
  Ports<CrossingIn<LineRequest>> sm_i;
  Ports<CrossingOut<LineReply>> sm_o;
  // To and from the third level, always taken
  Out<LineRequest> miss_o{"miss_o"};
  In<LineReply> line_i{"line_i"};
  // Flushes so far
  In<std::uint32_t> flush_i{"flush_i"};
  // To the idle detector
  Out<bool> idle_o{"idle_o"};

  using Counters = LineCacheCounters;
  const Counters& counters() const { return cache_.counters(); }
  bool idle() const { return cache_.idle(); }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  std::uint32_t wanting() const;

  const unsigned num_sms_;
  const std::uint8_t tpc_;
  LineCache cache_;
  Queue<LineReply> lines_;  // that have come
};

}  // namespace g80

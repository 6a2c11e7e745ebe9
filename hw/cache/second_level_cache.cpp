// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/second_level_cache.h"

#include "hw/common/round_robin.h"

namespace g80 {

SecondLevelCache::SecondLevelCache(const sc_core::sc_module_name& name, const Config& config, unsigned tpc)
    : Clocked(name),
      sm_i("sm_i", config.gpu.sms_per_tpc),
      sm_o("sm_o", config.gpu.sms_per_tpc),
      num_sms_(config.gpu.sms_per_tpc),
      tpc_(static_cast<std::uint8_t>(tpc)),
      cache_(*this,
             {config.ccache.l2_bytes, config.ccache.l2_ways, config.ccache.line_bytes, config.ccache.l2_replacement},
             config.ccache.l2_latency, config.ccache.mshrs),
      lines_(*this, "come", config.ccache.mshrs) {}

void SecondLevelCache::reset() {
  cache_.reset();
  lines_.clear();
}

/// SMs with a request.
std::uint32_t SecondLevelCache::wanting() const {
  std::uint32_t wanting = 0;
  for (unsigned sm = 0; sm < num_sms_; ++sm) wanting |= static_cast<std::uint32_t>(sm_i[sm]->available()) << sm;
  return wanting;
}

void SecondLevelCache::next() {
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    cache_.flush();
  }
  d_.miss.valid = false;
  if (cache_.has_miss()) d_.miss = cache_.take_miss();
  const bool fills = cache_.ready_for_fill();
  cache_.work(edge());
  if (line_i.read().valid) lines_.push(line_i.read());
  if (fills && !lines_.empty()) {
    const LineReply& line = lines_.front();
    cache_.take_fill(line.id, line.fault, line.data.data());
    lines_.pop();
  }
  const std::uint32_t waiting = wanting();
  if (waiting != 0 && cache_.can_pick()) {
    const unsigned sm = pick_round_robin(waiting, q_.last_sm);
    LineRequest request = sm_i[sm]->front();
    sm_i[sm]->pop();
    request.sm_in_tpc = static_cast<std::uint8_t>(sm);
    request.tpc = tpc_;
    cache_.pick(request);
    d_.last_sm = static_cast<std::uint8_t>(sm);
  }
  if (cache_.has_reply()) {
    const LineReply& reply = cache_.reply();
    CHECK(reply.sm_in_tpc < num_sms_, "{}: a line goes to SM {}, but the TPC has {} SMs", name(), reply.sm_in_tpc,
          num_sms_);
    if (sm_o[reply.sm_in_tpc]->can_push()) {
      sm_o[reply.sm_in_tpc]->push(reply);
      cache_.pop_reply();
    }
  }
  // What waits is behind a request or a line in the cache, which is not quiet then.
  if (cache_.quiet() && !d_.miss.valid) sleep();
}

void SecondLevelCache::drive() {
  idle_o.write(idle());
  miss_o.write(q_.miss);
}

}  // namespace g80

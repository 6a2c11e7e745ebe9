// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/third_level_cache.h"

#include "hw/common/round_robin.h"

namespace g80 {

ThirdLevelCache::ThirdLevelCache(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      request_i("request_i", config.gpu.num_tpcs),
      reply_o("reply_o", config.gpu.num_tpcs),
      num_tpcs_(config.gpu.num_tpcs),
      registers_(way_within(config.ccache.l3_latency, kStages)),
      cache_(*this,
             {config.ccache.l3_bytes, config.ccache.l3_ways, config.ccache.line_bytes, config.ccache.l3_replacement},
             registers_beyond(config.ccache.l3_latency, registers_ + 1), config.ccache.mshrs),
      queue_(*this, "queue", num_tpcs_, SizedRing<LineRequest>(config.ccache.mshrs)),
      way_(*this, "way", num_tpcs_, registers_ + 1) {}  // into the queue, whose turn is at the next edge

void ThirdLevelCache::reset() {
  cache_.reset();
  for (auto& queue : queue_) queue.clear();
  way_.clear();
  for (auto& reply : reply_) reply.reset();
  memory_.reset();
}

void ThirdLevelCache::next() {
  way_.step_to(edge());
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    cache_.flush();
  }
  memory_.hand_over(memory_ready_i.read());
  for (auto& reply : reply_) reply.hand_over(true);
  if (!memory_->valid && cache_.has_miss()) {
    const LineRequest miss = cache_.take_miss();
    MemRequest read;
    read.valid = true;
    read.client = miss.client;
    read.port = static_cast<std::uint8_t>(num_tpcs_);
    read.id = miss.id;
    read.bytes = miss.bytes;
    read.origin = miss.origin;
    read.virtual_address = miss.address;
    memory_.load(read);
  }
  cache_.work(edge());
  if (q_.memory_ready && memory_i.read().valid) {
    const MemReply& reply = memory_i.read();
    cache_.take_fill(reply.id, reply.fault, reply.data.data());
  }
  if (way_.arrived() != 0 && cache_.can_pick()) {
    const unsigned tpc = pick_round_robin(way_.arrived(), q_.last_tpc);
    LineRequest request = queue_[tpc].front();
    request.tpc = static_cast<std::uint8_t>(tpc);
    cache_.pick(request);
    queue_[tpc].pop();
    way_.leave(tpc);
    d_.last_tpc = static_cast<std::uint8_t>(tpc);
  }
  for (unsigned tpc = 0; tpc < num_tpcs_; ++tpc) {
    const LineRequest& request = request_i[tpc].read();
    if (!request.valid) continue;
    queue_[tpc].push(request);
    way_.enter(tpc);
  }
  if (cache_.has_reply()) {
    reply_[cache_.reply().tpc].load(cache_.reply());
    cache_.pop_reply();
  }
  d_.memory_ready = cache_.ready_for_fill();
  // It is not quiet while a request or a line that has arrived waits.
  if (!cache_.quiet() || replies() || memory_->valid) return;
  if (way_.moving()) wake_at(way_.next_arrival(edge()));
  sleep();
}

void ThirdLevelCache::drive() {
  idle_o.write(idle());
  for (unsigned tpc = 0; tpc < num_tpcs_; ++tpc) reply_[tpc].drive(reply_o[tpc]);
  memory_.drive(memory_o);
  memory_ready_o.write(q_.memory_ready);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The second and third level of constant and instruction caches without their ports: a line store and a pipeline of
// replies.
//
// Not a module: second_level_cache and third_level_cache give it ports. One action an edge: a waiter of a line that
// arrived is answered, or a request is looked up. The answer passes through `latency` stages: that of edge k may leave
// at edge k + latency. Answers leave in order.
#pragma once
#include <algorithm>

#include "hw/bundles/transaction.h"
#include "hw/cache/line_store.h"
#include "hw/common/delayed_fifo.h"
#include "hw/common/limits.h"

namespace g80 {

struct LineCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  // lines asked of the next level
  std::uint64_t merges = 0;  // requests that joined a line on its way
  std::uint64_t flushes = 0;
  G80_FIELDS(hits, misses, merges, flushes);
};

class LineCache {
 public:
  LineCache(StoreOwner& block, const CacheShape& shape, unsigned latency, unsigned mshrs)
      : line_bytes_(shape.line_bytes), store_(block, shape, mshrs), replies_(block, "replies", latency) {}

  void reset() {
    store_.reset();
    replies_.clear();
  }
  /// Empties the cache. Outstanding lines answer their waiters but are not cached.
  void flush() {
    store_.invalidate();
    ++counters_.flushes;
  }

  /// First of all at each edge.
  void step() { replies_.step(); }
  bool filling() const { return store_.filling(); }
  /// A line came for miss register `fill.id`. Only when not filling.
  void take_fill(const LineReply& fill) { store_.take_fill(fill.id, fill.data.data(), fill.fault); }
  /// Answers one waiter of the line that came.
  void answer_waiter() {
    if (replies_.full()) return;
    answer(store_.waiter(), store_.fill_data(), store_.fill_fault());
    store_.next_waiter();
  }
  /// Looks a request up. False if it must wait (no miss register, or the answers are held up).
  bool look_up(const LineRequest& request) {
    if (replies_.full()) return false;
    CHECK(request.address % line_bytes_ == 0 && request.bytes == line_bytes_,
          "a request of {} bytes at {:#x} is not one whole line", request.bytes, request.address);
    if (const std::uint32_t* line = store_.find(request.address)) {
      ++counters_.hits;
      answer(request, line, MemFault::kNone);
      return true;
    }
    const MissAction action = store_.wait(request.address, request);
    if (action == MissAction::kStall) return false;
    ++(action == MissAction::kMerge ? counters_.merges : counters_.misses);
    return true;
  }

  bool has_miss() const { return store_.has_miss(); }
  LineRequest take_miss() {
    const auto miss = store_.take_miss();
    LineRequest request = miss.first;
    request.id = miss.id;
    return request;
  }
  bool has_reply() const { return replies_.arrived(); }
  const LineReply& reply() const { return replies_.front(); }
  void pop_reply() { replies_.pop(); }

  /// Nothing to do before the next request or line.
  bool quiet() const { return !filling() && !has_miss() && replies_.empty(); }
  bool idle() const { return quiet() && store_.no_misses(); }
  const LineCacheCounters& counters() const { return counters_; }

 private:
  static constexpr unsigned kMaxMshrs = 32;     // largest ccache.mshrs
  static constexpr unsigned kMaxLatency = 255;  // largest ccache.l2_latency and l3_latency
  static constexpr unsigned kWaiters = 64;      // more than the requesters below have miss registers in any preset

  void answer(const LineRequest& request, const std::uint32_t* line, MemFault fault) {
    LineReply reply;
    reply.valid = true;
    reply.client = request.client;
    reply.fault = fault;
    reply.sm_in_tpc = request.sm_in_tpc;
    reply.tpc = request.tpc;
    reply.id = request.id;
    reply.bytes = request.bytes;
    reply.address = request.address;
    reply.origin = request.origin;
    if (fault == MemFault::kNone) std::copy_n(line, line_bytes_ / 4, reply.data.begin());
    replies_.push(reply);
  }

  const unsigned line_bytes_;
  LineStore<LineRequest, kMaxMshrs, kWaiters> store_;
  DelayedFifo<LineReply, kMaxLatency + 1> replies_;
  LineCacheCounters counters_;
};

}  // namespace g80

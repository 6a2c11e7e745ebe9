// The store of a second- or third-level cache: constant and instruction lines, misses on their way, answers in the
// pipe.
//
// Not a module: second_level_cache and third_level_cache give it ports. One action an edge: a waiter of a line that
// came is answered, or a request is looked up. A hit at edge k is due at edge k + latency, and so is the answer to a
// waiter served at edge k; answers leave in order.
#pragma once
#include <algorithm>
#include <vector>

#include "hw/cache/cache_tags.h"
#include "hw/cache/mshr.h"
#include "hw/common/fifo.h"
#include "hw/common/limits.h"
#include "hw/mem/transaction.h"

namespace g80 {

struct LineCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  // lines asked of the next level
  std::uint64_t merges = 0;  // requests that joined a line on its way
  std::uint64_t flushes = 0;
};

class LineCache {
 public:
  LineCache(unsigned bytes, unsigned ways, unsigned line_bytes, unsigned latency, unsigned mshrs)
      : line_bytes_(line_bytes), latency_(latency), tags_(bytes, ways, line_bytes), data_(bytes / 4), mshr_(mshrs) {}

  void reset() {
    tags_.invalidate_all();
    mshr_.clear();
    misses_.clear();
    replies_.clear();
    filling_ = false;
  }
  /// Empties the cache; lines on their way will answer those who wait and not be kept.
  void flush() {
    tags_.invalidate_all();
    mshr_.mark_stale();
    ++counters_.flushes;
  }

  bool filling() const { return filling_; }
  /// A line came for miss register `fill.id`. Only when not filling.
  void take_fill(const LineReply& fill) {
    CHECK(!filling_, "a line came while another one was being handed out");
    mshr_.check_used(fill.id);
    fill_ = fill;
    fill_next_ = 0;
    filling_ = true;
    if (fill.fault != MemFault::kNone || mshr_.is_stale(fill.id)) return;
    const unsigned slot = tags_.insert(mshr_.line(fill.id) * line_bytes_);
    std::copy_n(fill.data.begin(), line_bytes_ / 4, data_.begin() + slot * (line_bytes_ / 4));
  }
  /// Answers one waiter of the line that came.
  void answer_waiter(Cycle now) {
    if (replies_.full()) return;
    answer(mshr_.waiter(fill_.id, fill_next_), fill_.data.data(), fill_.fault, now);
    if (++fill_next_ < mshr_.num_waiters(fill_.id)) return;
    mshr_.release(fill_.id);
    filling_ = false;
  }
  /// Looks a request up. False if it must wait (no miss register, or the answers are held up).
  bool look_up(const LineRequest& request, Cycle now) {
    if (replies_.full()) return false;
    CHECK(request.address % line_bytes_ == 0 && request.bytes == line_bytes_, "{} bytes at {:#x} are not a line",
          request.bytes, request.address);
    const unsigned slot = tags_.find(request.address);
    if (slot != CacheTags::kMiss) {
      tags_.touch(slot);
      ++counters_.hits;
      answer(request, &data_[slot * (line_bytes_ / 4)], MemFault::kNone, now);
      return true;
    }
    const std::uint32_t line = tags_.line_of(request.address);
    const MissDecision miss = mshr_.lookup(line);
    if (miss.action == MissAction::kStall) return false;
    if (miss.action == MissAction::kMerge) {
      ++counters_.merges;
      mshr_.merge(miss.entry, request);
      return true;
    }
    ++counters_.misses;
    mshr_.allocate(miss.entry, line, request);
    LineRequest wanted = request;
    wanted.id = miss.entry;
    misses_.push(wanted);
    return true;
  }

  bool has_miss() const { return !misses_.empty(); }
  LineRequest take_miss() {
    const LineRequest miss = misses_.front();
    misses_.pop();
    return miss;
  }
  bool reply_due(Cycle now) const { return !replies_.empty() && replies_.front().due <= now; }
  const LineReply& reply() const { return replies_.front().reply; }
  void pop_reply() { replies_.pop(); }

  /// Nothing to do before the next request or line.
  bool quiet() const { return !filling_ && misses_.empty() && replies_.empty(); }
  bool idle() const { return quiet() && mshr_.empty(); }
  const LineCacheCounters& counters() const { return counters_; }

 private:
  static constexpr unsigned kMaxMshrs = 32;     // largest ccache.mshrs
  static constexpr unsigned kMaxLatency = 255;  // largest ccache.l2_latency and l3_latency
  // Each requester has a line on its way once, and once more for each client; the caches below merge.
  static constexpr unsigned kWaiters = 2 * kMaxTpcs;
  struct Pending {
    LineReply reply;
    Cycle due = 0;
  };

  void answer(const LineRequest& request, const std::uint32_t* line, MemFault fault, Cycle now) {
    Pending pending;
    pending.due = now + latency_;
    LineReply& reply = pending.reply;
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
    replies_.push(pending);
  }

  const unsigned line_bytes_, latency_;
  CacheTags tags_;
  std::vector<std::uint32_t> data_;
  Mshr<LineRequest, kMaxMshrs, kWaiters> mshr_;
  Fifo<LineRequest, kMaxMshrs> misses_;     // not sent yet
  Fifo<Pending, kMaxLatency + 1> replies_;  // in the pipe
  LineReply fill_;                          // the line whose waiters are being answered
  unsigned fill_next_ = 0;
  bool filling_ = false;
  LineCacheCounters counters_;
};

}  // namespace g80

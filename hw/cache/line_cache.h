// SPDX-License-Identifier: Apache-2.0
// The second and third level of constant and instruction caches without their ports: tags and lines, miss registers,
// and registers in front of the replies.
//
// Not a module: second_level_cache and third_level_cache give it ports. Stages, each one edge:
//   pick      the owner takes a request; the row of its tags is read
//   compare   the tags and the miss registers are compared with it. A miss waits in a register, with others of its
//             line; without a free one the request waits here, and the others behind it
//   access    the words of the line are read and go into the registers in front of the replies
// Tags and lines have one port. A line that comes takes that of the tags when it comes and at the next edge, when it
// gets its slot, and behind it that of the words. Then the requests that wait for it are answered, one an edge; until
// the last one nothing is picked.
//
// A miss register is FREE, or its line is to be asked for (ASK), or it is on its way (LINE_COMES). Lines on their way
// when the cache is flushed are stale: they answer those that wait, and are not kept.
#pragma once
#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/cache/cache_tags.h"
#include "hw/cache/mshr.h"
#include "hw/common/delay_registers.h"
#include "hw/common/delayed_fifo.h"

namespace g80 {

struct LineCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  // lines asked of the next level
  std::uint64_t merges = 0;  // requests that joined a line on its way
  std::uint64_t flushes = 0;
  G80_FIELDS(hits, misses, merges, flushes);
};

enum class MissState : std::uint8_t { kFree, kAsk, kLineComes };
inline const EnumText& enum_text(MissState) {
  static const char* const names[] = {"FREE", "ASK", "LINE_COMES"};
  static const EnumText text{"MissState", names, 3};
  return text;
}

/// Tags and words.
struct LineArray {
  explicit LineArray(const CacheShape& shape) : tags(shape), line_words(shape.line_bytes / 4), words(shape.bytes / 4) {}

  CacheTags tags;
  unsigned line_words;
  std::vector<std::uint32_t> words;

  void reset() { tags.reset(); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    CacheTags::visit(s.tags, v);
    v.stored("words", s.words);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (unsigned i = 0; v.fills() && i < s.words.size(); ++i) {
        if (!s.tags.is_valid(i / s.line_words)) v.fill(s.words[i]);
      }
    }
  }
};

inline constexpr unsigned kLineMisses = 32;   // largest ccache.mshrs
inline constexpr unsigned kLineWaiters = 64;  // more than the requesters below have miss registers in any preset

/// The miss registers.
struct LineMisses : Mshr<LineRequest, kLineMisses, kLineWaiters> {
  using Mshr::Mshr;

  std::uint32_t asks = 0;  // a bit for each register: its line is to be asked for

  std::array<MissState, kLineMisses> states() const {
    std::array<MissState, kLineMisses> states{};
    for (unsigned i = 0; i < kLineMisses; ++i) {
      if (is_used(i)) states[i] = asks >> i & 1 ? MissState::kAsk : MissState::kLineComes;
    }
    return states;
  }
  template <class S, class V>
  static void visit(S& s, V& v) {
    v.shown("state", s.states());
    v("asks", s.asks);
    Mshr::visit(s, v);
  }
};

struct LineStages {
  /// Behind the comparison: a line's words are read for a request, or written.
  struct Access {
    bool fill = false;
    std::uint16_t slot = 0;
    LineRequest request;  // its `valid` is that of the access
    G80_FIELDS(fill, slot, request);
  };
  /// The line that came.
  struct Fill {
    bool valid = false;
    bool placed = false;  // it has its slot, if it is kept
    std::uint8_t id = 0;  // of the miss register
    MemFault fault = MemFault::kNone;
    std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v("valid", s.valid);
      v("placed", s.placed);
      v("id", s.id, 5);
      v("fault", s.fault, 2);
      v("data", s.data);
      if constexpr (std::is_same_v<V, FieldEditor>) {
        if (v.fills() && !s.valid) v.fill(s.data);
      }
    }
  };
  LineRequest picked;
  Access access;
  Fill fill;
  G80_FIELDS(picked, access, fill);
};

class LineCache {
 public:
  static constexpr unsigned kStages = 2;  // from the pick of a request on

  /// `latency`: from the pick of a request that hits to its reply.
  LineCache(StoreOwner& block, const CacheShape& shape, unsigned latency, unsigned mshrs)
      : line_bytes_(shape.line_bytes),
        lines_(block, "lines", shape),
        misses_(block, "misses", mshrs),
        stages_(block, "stages"),
        replies_(block, "replies", registers_beyond(latency, kStages)) {
    CHECK(latency <= kMaxLatency, "a cache answers after {} edges, but the model is built for {}", latency,
          kMaxLatency);
  }

  void reset() {
    lines_.reset();
    misses_.clear();
    misses_.asks = 0;
    stages_ = LineStages{};
    replies_.clear();
  }
  /// Empties the cache.
  void flush() {
    lines_.tags.invalidate_all();
    misses_.mark_stale();
    ++counters_.flushes;
  }

  // At each edge in this order; what a call leaves is seen by those before it at the next edge.
  /// A line is to be asked for.
  bool has_miss() const { return misses_.asks != 0; }
  LineRequest take_miss() {
    const auto id = static_cast<unsigned>(__builtin_ctz(misses_.asks));
    misses_.check_used(id);
    misses_.asks &= misses_.asks - 1;
    LineRequest request = misses_.waiter(id);
    request.id = static_cast<std::uint8_t>(id);
    return request;
  }
  /// The stages behind the pick.
  void work(Cycle step) {
    replies_.step_to(step);
    access();
    if (stages_.access.request.valid) return;  // the replies are held up
    if (!stages_.fill.valid) {
      if (stages_.picked.valid) compare();
    } else if (!stages_.fill.placed) {
      place_fill();
    } else if (!replies_.full()) {
      answer_waiter();
    }
  }
  /// No line came whose requests are not all answered.
  bool ready_for_fill() const { return !stages_.fill.valid; }
  void take_fill(unsigned id, MemFault fault, const std::uint32_t* data) {
    CHECK(!stages_.fill.valid, "a line came while the one before was answering those that waited for it");
    misses_.check_used(id);
    stages_.fill.valid = true;
    stages_.fill.placed = false;
    stages_.fill.id = static_cast<std::uint8_t>(id);
    stages_.fill.fault = fault;
    std::copy_n(data, lines_.line_words, stages_.fill.data.begin());
  }
  bool can_pick() const { return !stages_.fill.valid && !stages_.picked.valid; }
  void pick(const LineRequest& request) { stages_.picked = request; }
  bool has_reply() const { return replies_.arrived(); }
  const LineReply& reply() const { return replies_.front(); }
  void pop_reply() { replies_.pop(); }

  /// Nothing to do before the next request or line.
  bool quiet() const {
    return !stages_.fill.valid && !stages_.picked.valid && !stages_.access.request.valid && !has_miss() &&
           replies_.empty();
  }
  bool idle() const { return quiet() && misses_.empty(); }
  const LineCacheCounters& counters() const { return counters_; }

 private:
  static constexpr unsigned kMaxLatency = 255;  // largest ccache.l2_latency and l3_latency

  /// Reads or writes the words of the slot.
  void access() {
    LineStages::Access& access = stages_.access;
    if (!access.request.valid || (!access.fill && replies_.full())) return;
    CHECK(access.slot < lines_.tags.num_slots(), "slot {} of a cache of {}", access.slot, lines_.tags.num_slots());
    std::uint32_t* words = &lines_.words[access.slot * lines_.line_words];
    access.request.valid = false;
    if (access.fill) {
      lines_.tags.note_fill(access.request.address, access.slot);
      std::copy_n(stages_.fill.data.begin(), lines_.line_words, words);
    } else {
      lines_.tags.touch(access.request.address, access.slot);
      answer(access.request, words, MemFault::kNone);
    }
  }
  /// Gives the line that came its slot. One that is stale or could not be read is not kept.
  void place_fill() {
    LineStages::Fill& fill = stages_.fill;
    fill.placed = true;
    if (fill.fault != MemFault::kNone || misses_.is_stale(fill.id)) return;
    const std::uint32_t address = misses_.line(fill.id) * line_bytes_;
    stages_.access.fill = stages_.access.request.valid = true;
    stages_.access.request.address = address;
    stages_.access.slot = static_cast<std::uint16_t>(lines_.tags.slot_for(address));
    lines_.tags.put(stages_.access.slot, address);
  }
  void answer_waiter() {
    LineStages::Fill& fill = stages_.fill;
    answer(misses_.waiter(fill.id), fill.data.data(), fill.fault);
    misses_.pop_waiter(fill.id);
    fill.valid = misses_.is_used(fill.id);
  }
  /// Looks the request up, unless it misses and must wait for a miss register.
  void compare() {
    LineRequest& request = stages_.picked;
    CHECK(request.address % line_bytes_ == 0 && request.bytes == line_bytes_,
          "a request of {} bytes at {:#x} is not one whole line", request.bytes, request.address);
    const unsigned slot = lines_.tags.find(request.address);
    if (slot != CacheTags::kMiss) {
      ++counters_.hits;
      stages_.access = {false, static_cast<std::uint16_t>(slot), request};
    } else {
      const std::uint32_t line = lines_.tags.line_of(request.address);
      const MissDecision decision = misses_.lookup(line);
      switch (decision.action) {
        case MissAction::kStall: return;
        case MissAction::kMerge:
          ++counters_.merges;
          misses_.merge(decision.entry, request);
          break;
        case MissAction::kAllocate:
          ++counters_.misses;
          misses_.allocate(decision.entry, line, request);
          misses_.asks |= 1u << decision.entry;
          break;
      }
    }
    request.valid = false;
  }
  void answer(const LineRequest& request, const std::uint32_t* line, MemFault fault) {
    LineReply reply;
    reply.valid = true;
    reply.client = request.client;
    reply.fault = fault;
    reply.sm_in_tpc = request.sm_in_tpc;
    reply.tpc = request.tpc;
    reply.id = request.id;
    reply.address = request.address;
    reply.origin = request.origin;
    if (fault == MemFault::kNone) std::copy_n(line, lines_.line_words, reply.data.begin());
    replies_.push(reply);
  }

  const unsigned line_bytes_;
  Stored<LineArray> lines_;
  Stored<LineMisses> misses_;
  Stored<LineStages> stages_;
  DelayedFifo<LineReply, kMaxLatency + 1> replies_;
  LineCacheCounters counters_;
};

}  // namespace g80

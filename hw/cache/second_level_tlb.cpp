// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/second_level_tlb.h"

#include <algorithm>

#include "hw/common/delay_registers.h"
#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {

/// Entries to build: an absent level keeps one unused set.
unsigned built_entries(const Config& config) { return std::max(config.tlb.l2_entries, config.tlb.l2_ways); }

}  // namespace

SecondLevelTlb::SecondLevelTlb(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      question_i("question_i", config.gpu.num_tpcs + 1),
      question_ready_o("question_ready_o", config.gpu.num_tpcs + 1),
      answer_o("answer_o", config.gpu.num_tpcs + 1),
      num_requesters_(config.gpu.num_tpcs + 1),
      registers_(way_within(config.tlb.l2_latency, kStages)),
      entries_(*this, "entries",
               CacheShape{built_entries(config) * config.tlb.reach_bytes, config.tlb.l2_ways, config.tlb.reach_bytes,
                          config.tlb.l2_replacement}),
      way_(*this, "way", num_requesters_, registers_ + 1),  // into the queue, whose turn is at the next edge
      place_way_(*this, "place_way", num_requesters_, registers_),
      pipe_(*this, "pipe", registers_beyond(config.tlb.l2_latency, registers_ + kStages)) {
  CHECK(config.tlb.l2_latency <= kMaxLatency, "{}: tlb.l2_latency = {} is more than {}", this->name(),
        config.tlb.l2_latency, kMaxLatency);
}

void SecondLevelTlb::reset() {
  entries_.reset();
  for (auto& queue : queue_) queue.clear();
  way_.clear();
  place_way_.clear();
  fill_ = TlbReach{};
  pipe_.clear();
  for (auto& answer : answer_) answer.reset();
}

/// Drops the fills in the stages: their translations were read before the flush.
void SecondLevelTlb::forget_fills() {
  for (TlbLookup* stage : {&d_.picked, &d_.row, &d_.compared}) stage->valid &= !stage->fill;
}

/// True if a requester offers something.
bool SecondLevelTlb::take_questions() {
  bool offered = false;
  for (unsigned requester = 0; requester < num_requesters_; ++requester) {
    const TlbQuestion& question = question_i[requester].read();
    if (!question.valid) continue;
    offered = true;
    if (!q_.ready[requester]) continue;
    queue_[requester].push(question);
    way_.enter(requester);
    ++d_.held[requester];
  }
  return offered;
}

/// Takes what the next requester in round-robin order has in front. A fill needs the port of the tags a second time.
void SecondLevelTlb::pick() {
  d_.picked.valid = false;
  if (way_.arrived() == 0 || (q_.picked.valid && q_.picked.fill) || (q_.row.valid && q_.row.fill)) return;
  const unsigned requester = pick_round_robin(way_.arrived(), q_.last);
  d_.last = static_cast<std::uint8_t>(requester);
  auto& queue = queue_[requester];
  const TlbQuestion& question = queue.front();
  const bool stale = question.fill && question.flush != static_cast<std::uint8_t>(d_.flush);
  d_.picked = {!stale,
               question.fill,
               false,
               0,
               question.walker,
               static_cast<std::uint8_t>(requester),
               question.virtual_address,
               question.origin};
  if (question.fill) fill_ = question.reach;
  queue.pop();
  way_.leave(requester);
  place_way_.enter(requester);
}

void SecondLevelTlb::compare() {
  if (!d_.compared.valid) return;
  const std::uint32_t address = d_.compared.virtual_address;
  const unsigned slot = entries_.tags.find(address);
  d_.compared.hit = slot != CacheTags::kMiss;
  if (d_.compared.hit) {
    d_.compared.slot = static_cast<std::uint16_t>(slot);
  } else if (d_.compared.fill) {
    d_.compared.slot = static_cast<std::uint16_t>(entries_.tags.slot_for(address));
  }
}

void SecondLevelTlb::access(const TlbLookup& lookup) {
  if (!lookup.valid) return;
  CHECK(lookup.slot < entries_.reach.size(), "{}: slot {} is looked up", name(), lookup.slot);
  if (lookup.fill) {
    entries_.tags.put(lookup.slot, lookup.virtual_address);
    entries_.tags.note_fill(lookup.virtual_address, lookup.slot);
    entries_.reach[lookup.slot] = fill_;
    ++counters_.fills;
    return;
  }
  Pending pending;
  pending.requester = lookup.requester;
  TlbAnswer& answer = pending.answer;
  answer.valid = true;
  answer.hit = lookup.hit;
  answer.walker = lookup.walker;
  answer.virtual_address = lookup.virtual_address;
  answer.origin = lookup.origin;
  if (lookup.hit) {
    answer.reach = entries_.reach[lookup.slot];
    entries_.tags.touch(lookup.virtual_address, lookup.slot);
  }
  ++(lookup.hit ? counters_.hits : counters_.misses);
  pipe_.push(pending);
}

/// Withdraws the answer that was driven at the previous edge, and drives the one that is due now.
void SecondLevelTlb::answer() {
  for (const unsigned requester : set_bits(answered())) answer_[requester].drop();
  if (!pipe_.arrived()) return;
  const unsigned requester = pipe_.front().requester;
  CHECK(requester < num_requesters_, "{}: an answer goes to requester {}, but there are {}", name(), requester,
        num_requesters_);
  answer_[requester].load(pipe_.front().answer);
  pipe_.pop();
}

void SecondLevelTlb::next() {
  way_.step_to(edge());
  place_way_.step_to(edge());
  pipe_.step_to(edge());
  const bool flushed = flush_i.read() != q_.flush;
  if (flushed) {
    d_.flush = flush_i.read();
    entries_.tags.invalidate_all();
    forget_fills();
  }
  const auto move_on = [](const TlbLookup& from, TlbLookup& to) {
    if (from.valid) to = from;
    to.valid = from.valid;
  };
  access(d_.compared);
  move_on(d_.row, d_.compared);
  compare();
  move_on(d_.picked, d_.row);
  pick();
  const bool offered = take_questions(), withdrawn = answered() != 0;
  answer();
  for (const unsigned requester : set_bits(place_way_.arrived())) {
    CHECK(d_.held[requester] != 0, "{}: a place of requester {} becomes free, but none is held", name(), requester);
    --d_.held[requester];
    place_way_.leave(requester);
  }
  for (unsigned requester = 0; requester < num_requesters_; ++requester)
    d_.ready[requester] = d_.held[requester] < kQueue;
  if (offered || way_.arrived() != 0 || withdrawn || answered() != 0) return;
  if (d_.picked.valid || d_.row.valid || d_.compared.valid) return;
  const auto wake_behind = [this](const auto& registers) {
    if (registers.moving()) wake_at(registers.next_arrival(edge()));
  };
  wake_behind(way_);
  wake_behind(place_way_);
  wake_behind(pipe_);
  sleep();
}

void SecondLevelTlb::drive() {
  idle_o.write(idle());
  for (unsigned requester = 0; requester < num_requesters_; ++requester) {
    question_ready_o[requester].write(q_.ready[requester]);
    answer_[requester].drive(answer_o[requester]);
  }
}

}  // namespace g80

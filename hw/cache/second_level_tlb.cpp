// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/second_level_tlb.h"

#include <algorithm>
#include <utility>

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
      tags_({built_entries(config) * config.tlb.reach_bytes, config.tlb.l2_ways, config.tlb.reach_bytes,
             config.tlb.l2_replacement}),
      reach_(built_entries(config)),
      pipe_(*this, "pipe", config.tlb.l2_latency - 1) {
  CHECK(config.tlb.l2_latency >= 1 && config.tlb.l2_latency <= kMaxLatency, "{}: tlb.l2_latency = {} is not 1 to {}",
        this->name(), config.tlb.l2_latency, kMaxLatency);
}

void SecondLevelTlb::reset() {
  tags_.invalidate_all();
  for (auto& queue : queue_) queue.clear();
  queued_ = 0;
  pipe_.clear();
  answer_.fill(TlbAnswer{});
  answer_changed_ = (1u << num_requesters_) - 1;
}

/// Drops the queued fills: their translations were read before the flush.
void SecondLevelTlb::forget_fills() {
  for (const unsigned requester : set_bits(queued_)) {
    drop_fills(queue_[requester]);
    if (queue_[requester].empty()) queued_ &= ~(1u << requester);
  }
}

/// True if a requester offers something.
bool SecondLevelTlb::take_questions(bool flushed) {
  bool offered = false;
  for (unsigned requester = 0; requester < num_requesters_; ++requester) {
    const TlbQuestion& question = question_i[requester].read();
    if (!question.valid) continue;
    offered = true;
    if (!q_.ready[requester] || (flushed && question.fill)) continue;
    queue_[requester].push(question);
    queued_ |= 1u << requester;
  }
  return offered;
}

/// Looks up one question or stores one fill, of the next requester in round-robin order.
void SecondLevelTlb::look_up() {
  if (queued_ == 0) return;
  const unsigned requester = pick_round_robin(queued_, q_.last);
  d_.last = static_cast<std::uint8_t>(requester);
  auto& queue = queue_[requester];
  const TlbQuestion question = queue.front();
  queue.pop();
  if (queue.empty()) queued_ &= ~(1u << requester);
  if (question.fill) {
    reach_[tags_.insert(question.virtual_address)] = question.reach;
    ++counters_.fills;
    return;
  }
  Pending pending;
  pending.requester = static_cast<std::uint8_t>(requester);
  TlbAnswer& answer = pending.answer;
  answer.valid = true;
  answer.walker = question.walker;
  answer.virtual_address = question.virtual_address;
  answer.origin = question.origin;
  const unsigned slot = tags_.find(question.virtual_address);
  answer.hit = slot != CacheTags::kMiss;
  if (answer.hit) {
    answer.reach = reach_[slot];
    tags_.touch(slot);
    ++counters_.hits;
  } else {
    ++counters_.misses;
  }
  pipe_.push(pending);
}

/// Withdraws the answer that was driven at the previous edge, and drives the one that is due now.
void SecondLevelTlb::answer() {
  for (const unsigned requester : set_bits(q_.answered)) answer_[requester].valid = false;
  answer_changed_ |= q_.answered;
  d_.answered = 0;
  if (!pipe_.arrived()) return;
  const unsigned requester = pipe_.front().requester;
  CHECK(requester < num_requesters_, "{}: an answer goes to requester {}, but there are {}", name(), requester,
        num_requesters_);
  answer_[requester] = pipe_.front().answer;
  pipe_.pop();
  d_.answered = 1u << requester;
  answer_changed_ |= d_.answered;
}

void SecondLevelTlb::next() {
  pipe_.step_to(edge());
  const bool flushed = flush_i.read() != q_.flush;
  if (flushed) {
    d_.flush = flush_i.read();
    tags_.invalidate_all();
    forget_fills();
  }
  const bool offered = take_questions(flushed);
  look_up();
  answer();
  bool ready_same = true;
  for (unsigned requester = 0; requester < num_requesters_; ++requester) {
    d_.ready[requester] = !queue_[requester].full();
    ready_same &= d_.ready[requester] == q_.ready[requester];
  }
  if (offered || queued_ != 0 || q_.answered != 0 || d_.answered != 0 || !ready_same) return;
  if (pipe_.moving()) wake_at(pipe_.next_arrival());
  sleep();
}

void SecondLevelTlb::drive() {
  idle_o.write(idle());
  for (unsigned requester = 0; requester < num_requesters_; ++requester)
    question_ready_o[requester].write(q_.ready[requester]);
  for (const unsigned requester : set_bits(std::exchange(answer_changed_, 0))) {
    answer_o[requester].write(answer_[requester]);
  }
}

}  // namespace g80

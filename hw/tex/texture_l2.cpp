// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_l2.h"

#include <algorithm>

namespace g80 {

namespace {

/// The client kTexture only reads.
bool is_texture_read(const MemRequest& request) { return request.client == MemClient::kTexture; }

}  // namespace

TextureL2::TextureL2(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.tex.line_bytes),
      tags_(*this, "tags",
            CacheShape{config.tex.l2_bytes, config.tex.l2_ways, config.tex.line_bytes, config.tex.l2_replacement}),
      words_(*this, "words", tags_.num_slots(), config.tex.l2_bytes / 4),
      misses_(*this, "misses", config.tex.l2_mshrs),
      replies_(*this, "replies", std::max(config.tex.l2_latency, kLeastLatency) - kStages, config.tex.l2_latency + 2) {}

void TextureL2::reset() {
  tags_.invalidate_all();
  misses_.clear();
  ways_ = Ways{};
  look_up_ = LookUp{};
  access_ = Access{};
  fill_ = Fill{};
  queue_.clear();
  from_partition_.clear();
  flush_way_.clear();
  replies_.clear();
  request_.reset();
  reply_.reset();
}

// The lines that are outstanding answer their waiters but are not kept.
void TextureL2::flush() {
  tags_.invalidate_all();
  misses_.mark_stale();
  ++counters_.flushes;
}

void TextureL2::push_reply(const Read& read, const std::uint32_t* line, MemFault fault) {
  MemReply reply;
  set_header(reply, read.header);
  reply.fault = fault;
  if (fault == MemFault::kNone) {
    std::copy_n(line + read.address % line_bytes_ / 4, reply.bytes / 4, reply.data.begin());
  }
  replies_.push(reply);
}

/// A line that came is written; at that edge its first waiter, and not the access, is answered, so the port is free.
void TextureL2::answer() {
  if (fill_.writes) {
    std::copy_n(fill_.data.begin(), line_bytes_ / 4, &words_.word[fill_.slot * line_bytes_ / 4]);
    words_.come[fill_.slot] = true;
    fill_.writes = false;
  }
  if (replies_.full()) return;
  if (fill_.answers) {
    push_reply(misses_.waiter(fill_.entry), fill_.data.data(), fill_.fault);
    misses_.pop_waiter(fill_.entry);
    fill_.answers = misses_.is_used(fill_.entry);
  } else if (access_.valid) {
    push_reply(access_.read, &words_.word[access_.slot * line_bytes_ / 4], MemFault::kNone);
    access_.valid = false;
  }
}

void TextureL2::look_up() {
  if (!look_up_.valid || access_.valid) return;
  const Read& read = look_up_.read;
  CHECK(read.address / line_bytes_ == (read.address + read.header.bytes - 1) / line_bytes_,
        "{}: {} bytes at {:#x} do not lie in a line", name(), read.header.bytes, read.address);
  const unsigned slot = tags_.find(read.address);
  if (slot == CacheTags::kMiss || words_.come[slot] == 0) {
    if (miss()) look_up_.valid = false;
    return;
  }
  ++counters_.hits;
  tags_.touch(read.address, slot);
  access_ = Access{true, static_cast<std::uint16_t>(slot), read};
  look_up_.valid = false;
}

/// True if the read waits for its line.
bool TextureL2::miss() {
  const Read& read = look_up_.read;
  const std::uint32_t line = tags_.line_of(read.address);
  const MissDecision decision = misses_.lookup(line);
  if (decision.action == MissAction::kStall) return false;
  if (decision.action == MissAction::kMerge) {
    misses_.merge(decision.entry, read);
    ++counters_.merges;
    return true;
  }
  if (request_->valid) return false;
  const auto slot = static_cast<std::uint16_t>(tags_.insert(read.address));
  words_.come[slot] = false;
  misses_.forget_if([&](unsigned entry) { return ways_.slot[entry] == slot; });
  misses_.allocate(decision.entry, line, read);
  ways_.slot[decision.entry] = slot;
  ++counters_.misses;
  MemRequest& request = request_.edit();
  request = {};
  request.valid = true;
  request.client = MemClient::kTexture;
  request.port = read.header.port;
  request.sm_in_tpc = read.header.sm_in_tpc;
  request.id = decision.entry;
  request.half = read.header.half;
  request.lanes = read.header.lanes;
  request.bytes = static_cast<std::uint8_t>(line_bytes_);
  request.origin = read.header.origin;
  request.virtual_address = read.header.virtual_address / line_bytes_ * line_bytes_;
  request.address = read.address / line_bytes_ * line_bytes_;
  return true;
}

/// A line that came goes into `fill` when the one before has answered its waiters.
G80_INLINE void TextureL2::take_fill() {
  if (from_partition_.empty() || from_partition_.front().client != MemClient::kTexture || fill_.answers) return;
  const MemReply& line = from_partition_.front();
  misses_.check_used(line.id);
  fill_.answers = true;
  fill_.entry = line.id;
  fill_.slot = ways_.slot[line.id];
  fill_.fault = line.fault;
  fill_.writes = line.fault == MemFault::kNone && !misses_.is_stale(line.id);
  std::copy_n(line.data.begin(), line_bytes_ / 4, fill_.data.begin());
  from_partition_.pop();
}

G80_INLINE void TextureL2::take_request() {
  if (queue_.empty()) return;
  const MemRequest& front = queue_.front();
  if (is_texture_read(front)) {
    if (look_up_.valid) return;
    look_up_.valid = true;
    look_up_.read = {header_of(front), front.address};
  } else {
    if (request_->valid) return;
    request_.load(front);
  }
  queue_.pop();
}

G80_INLINE void TextureL2::send_reply() {
  const bool cached = replies_.arrived();
  const bool passing = !from_partition_.empty() && from_partition_.front().client != MemClient::kTexture;
  if (!cached && !passing) return;
  const bool cached_goes = cached && !(passing && q_.cached_went_last);
  if (cached_goes) {
    reply_.load(replies_.front());
    replies_.pop();
  } else {
    reply_.load(from_partition_.front());
    from_partition_.pop();
  }
  d_.cached_went_last = cached_goes;
}

void TextureL2::next() {
  replies_.step_to(edge());
  flush_way_.step_to(edge());
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    flush_way_.enter();
  }
  if (flush_way_.arrived()) {
    flush_way_.leave();
    flush();
  }
  request_.hand_over(partition_ready_i.read());
  reply_.hand_over(reply_ready_i.read());
  if (q_.partition_ready && partition_i.read().valid) from_partition_.push(partition_i.read());
  if (q_.request_ready && request_i.read().valid) queue_.push(request_i.read());
  if (!reply_->valid) send_reply();
  answer();
  look_up();
  take_fill();
  take_request();

  d_.request_ready = !queue_.full();
  d_.partition_ready = !from_partition_.full();
  if (!quiet() || !replies_.empty()) return;
  if (flush_way_.moving()) wake_at(flush_way_.next_arrival(edge()));
  sleep();
}

void TextureL2::drive() {
  idle_o.write(idle());
  request_ready_o.write(q_.request_ready);
  partition_ready_o.write(q_.partition_ready);
  request_.drive(partition_o);
  reply_.drive(reply_o);
}

}  // namespace g80

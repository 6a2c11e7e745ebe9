// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_l2.h"

#include <algorithm>

namespace g80 {

namespace {

bool is_texture_read(const MemRequest& request) {
  return request.client == MemClient::kTexture && request.op == MemOp::kRead;
}

}  // namespace

TextureL2::TextureL2(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.tex.line_bytes),
      tags_(*this, "tags",
            CacheShape{config.tex.l2_bytes, config.tex.l2_ways, config.tex.line_bytes, config.tex.l2_replacement}),
      words_(*this, "words", config.tex.l2_bytes / 4),
      misses_(*this, "misses", config.tex.l2_mshrs),
      replies_(*this, "replies", std::max(config.tex.l2_latency, kLeastLatency) - kStages, config.tex.l2_latency + 2) {}

void TextureL2::reset() {
  tags_.invalidate_all();
  misses_.clear();
  look_up_ = LookUp{};
  access_ = Access{};
  fill_ = Fill{};
  queue_.clear();
  from_partition_.clear();
  replies_.clear();
  request_.reset();
  reply_.reset();
}

// The lines that are outstanding answer their waiters but are not cached.
void TextureL2::flush() {
  tags_.invalidate_all();
  misses_.mark_stale();
  fill_.tags = false;
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

/// The waiters of a line that came go first; then the access to the memory of words.
void TextureL2::answer() {
  const bool room = !replies_.full();
  if (fill_.answers && room) {
    push_reply(misses_.waiter(fill_.entry), fill_.data.data(), fill_.fault);
    misses_.pop_waiter(fill_.entry);
    fill_.answers = misses_.is_used(fill_.entry);
    if (!access_.fill) return;
  }
  if (!access_.valid) return;
  std::uint32_t* line = &words_.word[access_.slot * line_bytes_ / 4];
  if (access_.fill) {
    std::copy_n(fill_.data.begin(), line_bytes_ / 4, line);
  } else {
    if (!room) return;
    push_reply(access_.read, line, MemFault::kNone);
  }
  access_.valid = false;
}

/// The line that came gets a way, and its tag is written. True while it has the tags' port.
bool TextureL2::place_fill() {
  if (!fill_.tags) return false;
  if (access_.valid) return true;
  access_.valid = access_.fill = true;
  access_.slot = static_cast<std::uint16_t>(tags_.insert(fill_.address));
  fill_.tags = false;
  return true;
}

void TextureL2::look_up() {
  if (!look_up_.valid || !look_up_.tags || access_.valid) return;
  const Read& read = look_up_.read;
  CHECK(read.address / line_bytes_ == (read.address + read.header.bytes - 1) / line_bytes_,
        "{}: {} bytes at {:#x} do not lie in a line", name(), read.header.bytes, read.address);
  const unsigned slot = tags_.find(read.address);
  if (slot == CacheTags::kMiss) {
    if (miss()) look_up_.valid = false;
    return;
  }
  ++counters_.hits;
  tags_.touch(slot);
  access_ = Access{true, false, static_cast<std::uint16_t>(slot), read};
  look_up_.valid = false;
}

/// True if the read waits for its line.
bool TextureL2::miss() {
  const Read& read = look_up_.read;
  const MissDecision decision = misses_.lookup(tags_.line_of(read.address));
  if (decision.action == MissAction::kStall) return false;
  if (decision.action == MissAction::kMerge) {
    misses_.merge(decision.entry, read);
    ++counters_.merges;
    return true;
  }
  if (request_->valid) return false;
  misses_.allocate(decision.entry, tags_.line_of(read.address), read);
  ++counters_.misses;
  MemRequest& line = request_.edit();
  line = {};
  line.valid = true;
  line.client = MemClient::kTexture;
  line.port = read.header.port;
  line.sm_in_tpc = read.header.sm_in_tpc;
  line.id = decision.entry;
  line.half = read.header.half;
  line.lanes = read.header.lanes;
  line.bytes = static_cast<std::uint8_t>(line_bytes_);
  line.origin = read.header.origin;
  line.virtual_address = read.header.virtual_address / line_bytes_ * line_bytes_;
  line.address = read.address / line_bytes_ * line_bytes_;
  return true;
}

/// A line that came goes into `fill` when the one before has left it. True if it takes the tags' port.
bool TextureL2::take_fill() {
  if (from_partition_.empty() || from_partition_.front().client != MemClient::kTexture) return false;
  if (fill_.answers) return false;
  const MemReply& line = from_partition_.front();
  misses_.check_used(line.id);
  fill_.answers = true;
  fill_.entry = line.id;
  fill_.fault = line.fault;
  fill_.address = misses_.line(line.id) * line_bytes_;
  fill_.tags = line.fault == MemFault::kNone && !misses_.is_stale(line.id);
  std::copy_n(line.data.begin(), line_bytes_ / 4, fill_.data.begin());
  from_partition_.pop();
  if (fill_.tags) look_up_.tags = false;
  return fill_.tags;
}

void TextureL2::take_request(bool may_look_up) {
  if (may_look_up) look_up_.tags = true;  // of a read that has waited, or of one that comes now
  if (queue_.empty()) return;
  const MemRequest& front = queue_.front();
  if (is_texture_read(front)) {
    if (look_up_.valid || !may_look_up) return;
    look_up_.valid = true;
    look_up_.read = {header_of(front), front.address};
  } else {
    if (request_->valid) return;
    request_.load(front);
  }
  queue_.pop();
}

void TextureL2::send_reply() {
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
  replies_.step();
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    flush();
  }
  if (request_->valid && partition_ready_i.read()) request_.drop();
  if (reply_->valid && reply_ready_i.read()) reply_.drop();
  if (q_.partition_ready && partition_i.read().valid) from_partition_.push(partition_i.read());
  if (q_.request_ready && request_i.read().valid) queue_.push(request_i.read());
  if (!reply_->valid) send_reply();
  answer();
  const bool placing = place_fill();
  look_up();
  take_request(!placing && !take_fill());

  d_.request_ready = !queue_.full();
  d_.partition_ready = !from_partition_.full();
  if (quiet() && queue_.empty() && from_partition_.empty() && replies_.empty() && !request_i.read().valid &&
      !partition_i.read().valid) {
    sleep();
  }
}

void TextureL2::drive() {
  idle_o.write(idle());
  request_ready_o.write(q_.request_ready);
  partition_ready_o.write(q_.partition_ready);
  request_.drive(partition_o);
  reply_.drive(reply_o);
}

}  // namespace g80

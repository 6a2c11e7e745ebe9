#include "hw/tex/texture_l2.h"

#include <algorithm>

namespace g80 {

namespace {

bool is_texture_read(const MemRequest& request) {
  return request.client == MemClient::kTexture && request.op == MemOp::kRead;
}

MemReply reply_to(const MemRequest& request) {
  MemReply reply;
  reply.valid = true;
  reply.op = request.op;
  reply.client = request.client;
  reply.port = request.port;
  reply.sm_in_tpc = request.sm_in_tpc;
  reply.id = request.id;
  reply.half = request.half;
  reply.lanes = request.lanes;
  reply.bytes = request.bytes;
  reply.origin = request.origin;
  reply.virtual_address = request.virtual_address;
  return reply;
}

}  // namespace

TextureL2::TextureL2(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.tex.line_bytes),
      latency_(config.tex.l2_latency),
      tags_(config.tex.l2_bytes, config.tex.l2_ways, config.tex.line_bytes),
      data_(config.tex.l2_bytes / 4),
      mshr_(config.tex.l2_mshrs) {}

void TextureL2::reset() {
  tags_.invalidate_all();
  mshr_.clear();
  queue_.clear();
  from_partition_.clear();
  replies_.clear();
  filling_ = false;
  request_ = MemRequest{};
  reply_ = MemReply{};
  request_changed_ = reply_changed_ = true;
}

void TextureL2::answer(const Waiter& waiter, const std::uint32_t* line, MemFault fault) {
  Pending pending{waiter.reply, edge() + latency_};
  pending.reply.fault = fault;
  if (fault == MemFault::kNone) {
    std::copy_n(line + waiter.address % line_bytes_ / 4, pending.reply.bytes / 4, pending.reply.data.begin());
  }
  replies_.push(pending);
}

/// True if the read was answered or waits for its line.
bool TextureL2::look_up(const MemRequest& request) {
  CHECK(request.address / line_bytes_ == (request.address + request.bytes - 1) / line_bytes_,
        "{}: {} bytes at {:#x} do not lie in a line", name(), request.bytes, request.address);
  if (filling_ || replies_.full()) return false;
  const Waiter waiter{reply_to(request), request.address};
  const unsigned slot = tags_.find(request.address);
  if (slot != CacheTags::kMiss) {
    tags_.touch(slot);
    ++counters_.hits;
    answer(waiter, &data_[slot * (line_bytes_ / 4)], MemFault::kNone);
    return true;
  }
  const std::uint32_t line = tags_.line_of(request.address);
  const MissDecision miss = mshr_.lookup(line);
  if (miss.action == MissAction::kStall) return false;
  if (miss.action == MissAction::kMerge) {
    ++counters_.merges;
    mshr_.merge(miss.entry, waiter);
    return true;
  }
  if (request_.valid) return false;  // its read cannot leave now
  ++counters_.misses;
  mshr_.allocate(miss.entry, line, waiter);
  request_ = request;
  request_.id = miss.entry;
  request_.bytes = static_cast<std::uint8_t>(line_bytes_);
  request_.address = line * line_bytes_;
  request_.virtual_address = request.virtual_address / line_bytes_ * line_bytes_;
  request_changed_ = true;
  return true;
}

void TextureL2::front_request() {
  if (queue_.empty()) return;
  const MemRequest& front = queue_.front();
  if (is_texture_read(front)) {
    if (look_up(front)) queue_.pop();
  } else if (!request_.valid) {
    request_ = front;
    request_changed_ = true;
    queue_.pop();
  }
}

/// A line for texture reads that wait goes in; one waiter an edge is answered.
void TextureL2::front_reply() {
  if (!filling_ && !from_partition_.empty() && from_partition_.front().client == MemClient::kTexture) {
    fill_ = from_partition_.front();
    from_partition_.pop();
    mshr_.check_used(fill_.id);
    filling_ = true;
    fill_next_ = 0;
    if (fill_.fault == MemFault::kNone && !mshr_.is_stale(fill_.id)) {
      const unsigned slot = tags_.insert(mshr_.line(fill_.id) * line_bytes_);
      std::copy_n(fill_.data.begin(), line_bytes_ / 4, data_.begin() + slot * (line_bytes_ / 4));
    }
  }
  if (!filling_ || replies_.full()) return;
  answer(mshr_.waiter(fill_.id, fill_next_), fill_.data.data(), fill_.fault);
  if (++fill_next_ < mshr_.num_waiters(fill_.id)) return;
  mshr_.release(fill_.id);
  filling_ = false;
}

void TextureL2::send_reply() {
  const bool cached = !replies_.empty() && replies_.front().due <= edge();
  const bool passing = !from_partition_.empty() && from_partition_.front().client != MemClient::kTexture;
  if (!cached && !passing) return;
  const bool cached_goes = cached && !(passing && q_.cached_went_last);
  if (cached_goes) {
    reply_ = replies_.front().reply;
    replies_.pop();
  } else {
    reply_ = from_partition_.front();
    from_partition_.pop();
  }
  d_.cached_went_last = cached_goes;
  reply_changed_ = true;
}

void TextureL2::next() {
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    tags_.invalidate_all();
    mshr_.mark_stale();
    ++counters_.flushes;
  }
  if (request_.valid && partition_ready_i.read()) {
    request_.valid = false;
    request_changed_ = true;
  }
  if (reply_.valid && reply_ready_i.read()) {
    reply_.valid = false;
    reply_changed_ = true;
  }
  if (q_.partition_ready && partition_i.read().valid) from_partition_.push(partition_i.read());
  if (q_.request_ready && request_i.read().valid) queue_.push(request_i.read());
  if (!reply_.valid) send_reply();
  front_reply();
  front_request();

  d_.request_ready = !queue_.full();
  d_.partition_ready = !from_partition_.full();
  d_.request_valid = request_.valid;
  d_.reply_valid = reply_.valid;
  if (queue_.empty() && from_partition_.empty() && replies_.empty() && !filling_ && !request_.valid && !reply_.valid &&
      !request_i.read().valid && !partition_i.read().valid) {
    sleep();
  }
}

void TextureL2::drive() {
  request_ready_o.write(q_.request_ready);
  partition_ready_o.write(q_.partition_ready);
  if (request_changed_) partition_o.write(request_);
  if (reply_changed_) reply_o.write(reply_);
  request_changed_ = reply_changed_ = false;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_l2.h"

#include <algorithm>

#include "hw/bundles/reply_to.h"

namespace g80 {

namespace {

bool is_texture_read(const MemRequest& request) {
  return request.client == MemClient::kTexture && request.op == MemOp::kRead;
}

}  // namespace

TextureL2::TextureL2(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.tex.line_bytes),
      store_(*this, {config.tex.l2_bytes, config.tex.l2_ways, config.tex.line_bytes, config.tex.l2_replacement},
             config.tex.l2_mshrs),
      replies_(*this, "replies", config.tex.l2_latency) {}

void TextureL2::reset() {
  store_.reset();
  queue_.clear();
  from_partition_.clear();
  replies_.clear();
  request_.reset();
  reply_.reset();
}

void TextureL2::answer(const Waiter& waiter, const std::uint32_t* line, MemFault fault) {
  MemReply reply = waiter.reply;
  reply.fault = fault;
  if (fault == MemFault::kNone) {
    std::copy_n(line + waiter.address % line_bytes_ / 4, reply.bytes / 4, reply.data.begin());
  }
  replies_.push(reply);
}

/// True if the read was answered or waits for its line.
bool TextureL2::look_up(const MemRequest& request, bool answered) {
  CHECK(request.address / line_bytes_ == (request.address + request.bytes - 1) / line_bytes_,
        "{}: {} bytes at {:#x} do not lie in a line", name(), request.bytes, request.address);
  if (store_.filling() || replies_.full()) return false;
  const Waiter waiter{reply_to(request), request.address};
  if (const std::uint32_t* line = store_.find(request.address)) {
    if (answered) return false;  // the stages take one answer an edge
    ++counters_.hits;
    answer(waiter, line, MemFault::kNone);
    return true;
  }
  if (request_->valid && !store_.can_merge(request.address)) return false;  // a new miss needs the output register
  const MissAction action = store_.wait(request.address, waiter);
  if (action == MissAction::kStall) return false;
  if (action == MissAction::kMerge) {
    ++counters_.merges;
    return true;
  }
  ++counters_.misses;
  MemRequest& miss = request_.edit();
  miss = request;
  miss.id = store_.take_miss().id;
  miss.bytes = static_cast<std::uint8_t>(line_bytes_);
  miss.address = request.address / line_bytes_ * line_bytes_;
  miss.virtual_address = request.virtual_address / line_bytes_ * line_bytes_;
  return true;
}

void TextureL2::front_request(bool answered) {
  if (queue_.empty()) return;
  const MemRequest& front = queue_.front();
  if (is_texture_read(front)) {
    if (look_up(front, answered)) queue_.pop();
  } else if (!request_->valid) {
    request_.load(front);
    queue_.pop();
  }
}

/// Takes a fill from the partition, and answers one of its waiters at each edge. True if it answered one.
bool TextureL2::front_reply() {
  if (!store_.filling() && !from_partition_.empty() && from_partition_.front().client == MemClient::kTexture) {
    const MemReply& fill = from_partition_.front();
    store_.take_fill(fill.id, fill.data.data(), fill.fault);
    from_partition_.pop();
  }
  if (!store_.filling() || replies_.full()) return false;
  answer(store_.waiter(), store_.fill_data(), store_.fill_fault());
  store_.next_waiter();
  return true;
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
    store_.invalidate();
    ++counters_.flushes;
  }
  if (request_->valid && partition_ready_i.read()) request_.drop();
  if (reply_->valid && reply_ready_i.read()) reply_.drop();
  if (q_.partition_ready && partition_i.read().valid) from_partition_.push(partition_i.read());
  if (q_.request_ready && request_i.read().valid) queue_.push(request_i.read());
  if (!reply_->valid) send_reply();
  front_request(front_reply());

  d_.request_ready = !queue_.full();
  d_.partition_ready = !from_partition_.full();
  if (queue_.empty() && from_partition_.empty() && replies_.empty() && !store_.filling() && !request_->valid &&
      !reply_->valid && !request_i.read().valid && !partition_i.read().valid) {
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

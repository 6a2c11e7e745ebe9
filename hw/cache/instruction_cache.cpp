// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/instruction_cache.h"

#include <algorithm>

#include "hw/common/copy_usual.h"

namespace g80 {

InstructionCache::InstructionCache(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.icache.line_bytes),
      store_(*this,
             {config.icache.l1_bytes, config.icache.l1_ways, config.icache.line_bytes, config.icache.l1_replacement},
             config.ccache.mshrs),
      replies_(*this, "replies", config.icache.l1_latency - 1) {}

void InstructionCache::reset() {
  store_.reset();
  queue_.clear();
  replies_.clear();
  idle_ = true;
  counters_ = {};
}

void InstructionCache::answer(const FetchRequest& request, const std::uint32_t* line, MemFault fault) {
  FetchReply reply{true, request.warp, request.epoch, request.bytes, fault, request.address, {}};
  if (fault == MemFault::kNone) {
    const unsigned first = request.address % line_bytes_ / 4;
    copy_usual<kMaxFetchBytes / 4>(line + first, request.bytes / 4, reply.data.begin());
  }
  replies_.push(reply);
}

/// False if the request must wait for a miss register.
bool InstructionCache::look_up(const FetchRequest& request) {
  CHECK(request.bytes != 0 && request.bytes % 4 == 0 && request.address % request.bytes == 0 &&
            request.bytes <= std::min(line_bytes_, kMaxFetchBytes),
        "{}: fetch of {} bytes at {:#x} does not lie in a line", name(), request.bytes, request.address);
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

void InstructionCache::send_miss() {
  const auto miss = store_.take_miss();
  d_.line.valid = true;
  d_.line.client = MemClient::kInstruction;
  d_.line.id = miss.id;
  d_.line.bytes = static_cast<std::uint8_t>(line_bytes_);
  d_.line.address = miss.address;
  d_.line.origin.warp = miss.first.warp;
  d_.line.origin.pc = miss.first.address & 0xffffff;  // the bits that the field has
}

void InstructionCache::next() {
  replies_.step_to(edge() / kSchedulerPeriod);
  if (kernel_i.read() != q_.kernel) {
    d_.kernel = kernel_i.read();
    store_.invalidate();
    ++counters_.invalidations;
  }
  if (line_ready_i.read()) d_.line.valid = false;
  if (q_.fill_ready && fill_i.read().valid)
    store_.take_fill(fill_i.read().id, fill_i.read().data.data(), fill_i.read().fault);
  if (q_.fetch_ready && fetch_i.read().valid) queue_.push(fetch_i.read());

  if (store_.filling()) {
    answer(store_.waiter(), store_.fill_data(), store_.fill_fault());
    store_.next_waiter();
  } else if (!queue_.empty() && look_up(queue_.front())) {
    queue_.pop();
  }
  if (!d_.line.valid && store_.has_miss()) send_miss();
  d_.reply.valid = false;
  if (replies_.arrived()) {
    d_.reply = replies_.front();
    replies_.pop();
  }
  d_.fetch_ready = !queue_.full();
  d_.fill_ready = !store_.filling();
  idle_ = replies_.empty() && store_.no_misses() && !d_.reply.valid;  // a fetch waits for a line or behind a reply
  if (!fetch_i.read().valid && !fill_i.read().valid && queue_.empty() && !store_.filling() && !store_.has_miss() &&
      !d_.line.valid && replies_.empty() && !d_.reply.valid) {
    sleep();
  }
}

void InstructionCache::drive() {
  fetch_ready_o.write(q_.fetch_ready);
  reply_o.write(q_.reply);
  line_o.write(q_.line);
  fill_ready_o.write(q_.fill_ready);
  waits_o.write(!queue_.empty() || !store_.no_misses());
}

}  // namespace g80

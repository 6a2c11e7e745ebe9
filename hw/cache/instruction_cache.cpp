#include "hw/cache/instruction_cache.h"

#include <algorithm>

namespace g80 {

namespace {
constexpr unsigned kEdgesPerCycle = 2;  // shader edges of a scheduler cycle
}

InstructionCache::InstructionCache(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.icache.line_bytes),
      latency_(config.icache.l1_latency),
      tags_(config.icache.l1_bytes, config.icache.l1_ways, config.icache.line_bytes),
      data_(config.icache.l1_bytes / 4),
      mshr_(config.ccache.mshrs) {}

void InstructionCache::reset() {
  tags_.invalidate_all();
  mshr_.clear();
  queue_.clear();
  misses_.clear();
  replies_.clear();
  filling_ = false;
}

void InstructionCache::invalidate() {
  tags_.invalidate_all();
  mshr_.mark_stale();
  ++counters_.invalidations;
}

void InstructionCache::answer(const FetchRequest& request, const std::uint32_t* line, MemFault fault) {
  Pending pending;
  pending.due = edge() + kEdgesPerCycle * (latency_ - 1);
  FetchReply& reply = pending.reply;
  reply = {true, request.warp, request.epoch, request.bytes, fault, request.address, {}};
  if (fault == MemFault::kNone) {
    const unsigned first = request.address % line_bytes_ / 4;
    std::copy_n(line + first, request.bytes / 4, reply.data.begin());
  }
  replies_.push(pending);
}

void InstructionCache::take_fill() {
  fill_ = fill_i.read();
  fill_entry_ = fill_.id;
  fill_next_ = 0;
  filling_ = true;
  mshr_.check_used(fill_entry_);
  if (fill_.fault != MemFault::kNone || mshr_.is_stale(fill_entry_)) return;
  const unsigned slot = tags_.insert(fill_.address);
  std::copy_n(fill_.data.begin(), line_bytes_ / 4, data_.begin() + slot * (line_bytes_ / 4));
}

/// False if the request must wait for a miss register.
bool InstructionCache::look_up(const FetchRequest& request) {
  CHECK(request.bytes != 0 && request.bytes % 4 == 0 && request.address % request.bytes == 0 &&
            request.bytes <= std::min(line_bytes_, kMaxFetchBytes),
        "{}: fetch of {} bytes at {:#x} does not lie in a line", name(), request.bytes, request.address);
  const unsigned slot = tags_.find(request.address);
  if (slot != CacheTags::kMiss) {
    tags_.touch(slot);
    ++counters_.hits;
    answer(request, &data_[slot * (line_bytes_ / 4)], MemFault::kNone);
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
  LineRequest wanted;
  wanted.valid = true;
  wanted.client = MemClient::kInstruction;
  wanted.id = miss.entry;
  wanted.bytes = static_cast<std::uint8_t>(line_bytes_);
  wanted.address = line * line_bytes_;
  wanted.origin.warp = request.warp;
  wanted.origin.pc = request.address;
  misses_.push(wanted);
  return true;
}

void InstructionCache::next() {
  if (kernel_i.read() != q_.kernel) {
    d_.kernel = kernel_i.read();
    invalidate();
  }
  if (q_.line.valid && line_ready_i.read()) d_.line.valid = false;
  if (q_.fill_ready && fill_i.read().valid) take_fill();
  if (q_.fetch_ready && fetch_i.read().valid) queue_.push(fetch_i.read());

  if (filling_) {
    answer(mshr_.waiter(fill_entry_, fill_next_), fill_.data.data(), fill_.fault);
    if (++fill_next_ == mshr_.num_waiters(fill_entry_)) {
      mshr_.release(fill_entry_);
      filling_ = false;
    }
  } else if (!queue_.empty() && look_up(queue_.front())) {
    queue_.pop();
  }
  if (!d_.line.valid && !misses_.empty()) {
    d_.line = misses_.front();
    misses_.pop();
  }
  d_.reply.valid = false;
  if (!replies_.empty() && replies_.front().due <= edge()) {
    d_.reply = replies_.front().reply;
    replies_.pop();
  }
  d_.fetch_ready = !queue_.full();
  d_.fill_ready = !filling_;
  if (!fetch_i.read().valid && !fill_i.read().valid && queue_.empty() && !filling_ && misses_.empty() &&
      !d_.line.valid && replies_.empty() && !d_.reply.valid) {
    sleep();
  }
}

void InstructionCache::drive() {
  fetch_ready_o.write(q_.fetch_ready);
  reply_o.write(q_.reply);
  line_o.write(q_.line);
  fill_ready_o.write(q_.fill_ready);
}

}  // namespace g80

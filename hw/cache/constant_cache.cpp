// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/constant_cache.h"

#include "hw/common/set_bits.h"

namespace g80 {

namespace {

/// The lower half-warp's lanes if it has any, else the upper's: halves never share a pass.
LaneMask first_half(LaneMask lanes) { return (lanes & 0xffffu) != 0 ? lanes & 0xffffu : lanes; }

/// The lanes of one half-warp (`lanes`) that the next pass serves.
LaneMask broadcast_lanes(LaneMask lanes, const ConstRequest& request) {
  if (request.direct) return lanes;
  const unsigned shift = (lanes & 0xffffu) != 0 ? 0 : kHalfWarp;
  const HalfMask served = select_broadcast(static_cast<HalfMask>(lanes >> shift), request.address.data());
  return LaneMask{served} << shift;
}

}  // namespace

ConstantCache::ConstantCache(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      line_bytes_(config.ccache.line_bytes),
      half_rate_(config.sm.const_addresses_per_4_cycles == 1),
      store_(*this,
             {config.ccache.l1_bytes, config.ccache.l1_ways, config.ccache.line_bytes, config.ccache.l1_replacement},
             config.ccache.mshrs) {}

void ConstantCache::reset() {
  store_.reset();
  order_.clear();
  used_ = 0;
  pauses_ = false;
  idle_ = true;
  counters_ = {};
}

void ConstantCache::take_request() {
  const unsigned index = static_cast<unsigned>(__builtin_ctz(~used_));
  Entry& entry = entry_[index];
  entry.request = request_i.read();
  const LaneMask lanes = entry.request.lanes;
  CHECK(lanes != 0, "{}: request {} has no active lane", name(), entry.request.id);
  CHECK(entry.request.direct || lanes == first_half(lanes), "{}: request {} has lanes of both half-warps", name(),
        entry.request.id);
  used_ |= 1u << index;
  entry.pending = entry.request.lanes;
  entry.parked = 0;
  entry.reply = ConstReply{};
  entry.reply.id = entry.request.id;
  entry.reply.warp = entry.request.warp;
  entry.reply.direct = entry.request.direct;
  entry.reply.lanes = entry.request.lanes;
  entry.reply.origin = entry.request.origin;
  order_.push(static_cast<std::uint8_t>(index));
}

void ConstantCache::take_fill() {
  const LineReply& fill = fill_i.read();
  store_.take_fill(fill.id, fill.data.data(), fill.fault);
  fill_lanes_ = store_.waiter().lanes;
}

void ConstantCache::answer_if_served(unsigned index) {
  if ((entry_[index].pending | entry_[index].parked) != 0) return;
  d_.reply = entry_[index].reply;
  d_.reply.valid = true;
  used_ &= ~(1u << index);
}

/// Writes the line's data for `lanes` into the reply.
void ConstantCache::serve(Entry& entry, LaneMask lanes, const std::uint32_t* line_data) {
  const unsigned bits = entry.request.bytes * 8u;
  for (const unsigned l : set_bits(lanes)) {
    const std::uint32_t address = entry.request.address_of(l);
    const std::uint32_t word = line_data[address % line_bytes_ / 4] >> (address % 4 * 8);
    entry.reply.data[entry.request.direct ? 0 : l % kHalfWarp] = bits == 32 ? word : word & ((1u << bits) - 1);
  }
}

/// Finds the first of `lanes` and all lanes that need the same line, and makes them a waiter of that line. False if no
/// miss register or waiter is free.
bool ConstantCache::park(unsigned index, LaneMask lanes) {
  Entry& entry = entry_[index];
  const std::uint32_t address = entry.request.address_of(static_cast<unsigned>(__builtin_ctz(lanes)));
  LaneMask same_line = 0;
  for (const unsigned l : set_bits(lanes)) {
    if (store_.line_of(entry.request.address_of(l)) == store_.line_of(address)) same_line |= 1u << l;
  }
  const MissAction action = store_.wait(address, Waiter{static_cast<std::uint8_t>(index), same_line});
  if (action == MissAction::kStall) return false;
  entry.pending &= ~same_line;
  entry.parked |= same_line;
  ++(action == MissAction::kMerge ? counters_.merges : counters_.misses);
  return true;
}

/// One pass of the oldest request: serves lanes from the cache, or parks them on a miss. False if the request stalls.
bool ConstantCache::request_pass(unsigned index) {
  Entry& entry = entry_[index];
  const LaneMask half = first_half(entry.pending);
  if (const std::uint32_t* line = store_.find(entry.request.address_of(static_cast<unsigned>(__builtin_ctz(half))))) {
    const LaneMask lanes = broadcast_lanes(half, entry.request);
    ++counters_.hits;
    serve(entry, lanes, line);
    entry.pending &= ~lanes;
  } else if (!park(index, half)) {
    return false;
  }
  if (entry.pending == 0) order_.pop();
  return true;
}

/// One pass for the fill's current waiter. If the line could not be read, the pass ends all lanes of the waiter.
void ConstantCache::fill_pass() {
  const unsigned index = store_.waiter().entry;
  Entry& entry = entry_[index];
  LaneMask lanes = fill_lanes_;
  if (store_.fill_fault() != MemFault::kNone) {
    entry.reply.fault = store_.fill_fault();
    entry.reply.fault_lanes |= lanes;
  } else {
    lanes = broadcast_lanes(fill_lanes_, entry.request);
    serve(entry, lanes, store_.fill_data());
    ++counters_.hits;
  }
  entry.parked &= ~lanes;
  fill_lanes_ &= ~lanes;
  answer_if_served(index);
  if (fill_lanes_ != 0) return;
  store_.next_waiter();
  if (store_.filling()) fill_lanes_ = store_.waiter().lanes;
}

void ConstantCache::pass() {
  if (store_.filling()) {
    fill_pass();
  } else if (!order_.empty()) {
    const unsigned index = order_.front();
    CHECK(index < kEntries, "{}: the oldest request has entry {} of {}", name(), index, kEntries);
    if (!request_pass(index)) return;
    answer_if_served(index);
  } else {
    return;
  }
  ++counters_.passes;
  pauses_ = half_rate_;
}

void ConstantCache::send_miss() {
  const auto miss = store_.take_miss();
  d_.line.valid = true;
  d_.line.client = MemClient::kConstant;
  d_.line.id = miss.id;
  d_.line.bytes = static_cast<std::uint8_t>(line_bytes_);
  d_.line.address = miss.address;
  d_.line.origin = entry_[miss.first.entry].request.origin;
}

void ConstantCache::next() {
  if (kernel_i.read() != q_.kernel) {
    d_.kernel = kernel_i.read();
    store_.invalidate();
    ++counters_.invalidations;
  }
  if (line_ready_i.read()) d_.line.valid = false;
  if (q_.fill_ready && fill_i.read().valid) take_fill();
  if (q_.request_ready && request_i.read().valid) take_request();
  d_.reply.valid = false;
  if (pauses_) {
    pauses_ = false;
  } else {
    pass();
  }
  if (!d_.line.valid && store_.has_miss()) send_miss();
  d_.request_ready = ~used_ != 0;
  d_.fill_ready = !store_.filling();
  idle_ = used_ == 0 && store_.no_misses();
  if (!request_i.read().valid && !fill_i.read().valid && order_.empty() && !store_.filling() && !d_.line.valid &&
      !d_.reply.valid && !pauses_) {
    sleep();
  }
}

void ConstantCache::drive() {
  request_ready_o.write(q_.request_ready);
  reply_o.write(q_.reply);
  line_o.write(q_.line);
  fill_ready_o.write(q_.fill_ready);
}

}  // namespace g80

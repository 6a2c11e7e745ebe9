// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/coalescer.h"

namespace g80 {
Coalescer::Coalescer(const sc_core::sc_module_name& name, const Config& config, unsigned tpc, unsigned sm_in_tpc)
    : Clocked(name),
      segment_rule_(config.coalescer.segment_rule),
      share_words_(config.coalescer.share_words),
      cycles_per_transaction_(config.coalescer.cycles_per_transaction),
      tpc_(static_cast<std::uint8_t>(tpc)),
      sm_in_tpc_(static_cast<std::uint8_t>(sm_in_tpc)),
      queue_(config.coalescer.queue) {}

void Coalescer::reset() {
  queue_.clear();
  counters_ = {};
}

void Coalescer::next() {
  const bool taken = q_.offered && request_ready_i.read();
  if (taken) queue_.pop();
  const bool visible = access_i->available();
  const bool waiting = visible && !queue_.full();
  if (q_.wait > 0) d_.wait = static_cast<std::uint8_t>(q_.wait - 1);
  const bool sent = waiting && q_.wait == 0 && send_transaction();
  d_.offered = !queue_.empty();
  d_.idle = queue_.empty() && !visible;
  redrive_ |= taken || d_.offered != q_.offered;
  if (!taken && !waiting && !sent && d_.wait == 0 && d_.offered == q_.offered && d_.idle == q_.idle) sleep();
}

// Makes the next transaction of the front access. An access without active lanes makes none.
G80_INLINE bool Coalescer::send_transaction() {
  const HalfWarpAccess& access = access_i->front();
  if (!q_.busy) {
    d_.pending = access.lanes;
    d_.made = 0;
  }
  Transaction transaction{};
  if (d_.pending != 0) {
    transaction = coalesce(access, d_.pending, segment_rule_, share_words_);
    MemRequest& request = queue_.place();
    make_request(access, transaction, request);
    request.port = tpc_;
    request.sm_in_tpc = sm_in_tpc_;
    d_.pending = static_cast<HalfMask>(d_.pending & ~transaction.lanes);
    ++d_.made;
    d_.wait = static_cast<std::uint8_t>(cycles_per_transaction_ - 1);
    count_transaction(access, transaction);
  }
  d_.busy = d_.pending != 0;
  if (!d_.busy) {
    count_half_warp(access, d_.made, transaction);
    access_i->pop();
  }
  return true;
}

G80_INLINE void Coalescer::count_transaction(const HalfWarpAccess& access, const Transaction& transaction) {
  ++counters_.transactions;
  if (profile_ != nullptr) profile_->transaction(access.origin.pc);
  counters_.bytes += transaction.bytes;
  const bool read = access.op == MemOp::kRead;
  if (is_atomic(access.op)) {
    ++counters_.atomic_transactions;
  } else if (access.client == MemClient::kStack) {
    ++counters_.stack_transactions;
  } else if (access.client == MemClient::kLocal) {
    ++(read ? counters_.local_load_transactions : counters_.local_store_transactions);
  } else if (transaction.bytes == 32) {
    ++(read ? counters_.gld_32b : counters_.gst_32b);
  } else if (transaction.bytes == 64) {
    ++(read ? counters_.gld_64b : counters_.gst_64b);
  } else {
    ++(read ? counters_.gld_128b : counters_.gst_128b);
  }
}

void Coalescer::count_half_warp(const HalfWarpAccess& access, unsigned transactions, const Transaction& last) {
  ++counters_.half_warps;
  const bool read = access.op == MemOp::kRead;
  if (is_atomic(access.op)) {
    ++counters_.atomics;
    return;
  }
  if (access.client == MemClient::kStack) return;
  if (access.client == MemClient::kLocal) {
    ++(read ? counters_.local_load : counters_.local_store);
    return;
  }
  // By the strict rule a transaction of lanes in order is larger than a sector, and any other one is a sector.
  const bool coherent = segment_rule_ ? transactions <= (access.bytes == 16 ? 2u : 1u) : last.bytes > kSectorBytes;
  if (read) {
    ++(coherent ? counters_.gld_coherent : counters_.gld_incoherent);
  } else {
    ++(coherent ? counters_.gst_coherent : counters_.gst_incoherent);
  }
}

void Coalescer::drive() {
  if (redrive_) request_o.offer(q_.offered, queue_.front());
  redrive_ = false;
  idle_o.write(q_.idle);
}

}  // namespace g80

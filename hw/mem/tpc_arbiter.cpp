// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/tpc_arbiter.h"

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {
unsigned pick_requester(std::uint32_t requests, unsigned last) { return pick_round_robin(requests, last); }

TpcArbiter::TpcArbiter(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      requester_i("requester_i", config.gpu.sms_per_tpc + 1),
      requester_ready_o("requester_ready_o", config.gpu.sms_per_tpc + 1),
      num_requesters_(config.gpu.sms_per_tpc + 1) {}

void TpcArbiter::reset() {
  for (auto& queue : queue_) queue.clear();
  counters_ = {};
}

void TpcArbiter::next() {
  bool acted = false;
  renewed_ = false;
  if (q_.offered && request_ready_i.read()) {
    queue_[q_.picked].pop();
    d_.offered = false;
    acted = renewed_ = true;
  }
  std::uint32_t waiting = 0;
  d_.ready = 0;
  for (unsigned k = 0; k < num_requesters_; ++k) {
    auto& queue = queue_[k];
    if (!queue.empty()) waiting |= 1u << k;
    const MemRequest& request = requester_i[k].read();
    if (request.valid && (q_.ready >> k & 1) != 0) {
      queue.push(request);
      waiting |= 1u << k;
      acted = true;
    }
    if (!queue.full()) d_.ready = static_cast<std::uint8_t>(d_.ready | 1u << k);
  }
  if (!d_.offered && waiting != 0) {
    d_.picked = static_cast<std::uint8_t>(pick_requester(waiting, q_.picked));
    d_.offered = renewed_ = true;
    ++counters_.granted[d_.picked];
  }
  d_.idle = waiting == 0;
  if (!acted) sleep();
}

void TpcArbiter::drive() {
  if (renewed_ || redrive_) request_o.offer(q_.offered, queue_[q_.picked].front());
  idle_o.write(q_.idle);
  const std::uint32_t changed = redrive_ ? (1u << num_requesters_) - 1 : q_.ready ^ driven_ready_;
  for (const unsigned k : set_bits(changed)) requester_ready_o[k].write((q_.ready >> k & 1) != 0);
  driven_ready_ = q_.ready;
  redrive_ = false;
}

}  // namespace g80

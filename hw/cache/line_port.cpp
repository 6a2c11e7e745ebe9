// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/line_port.h"

namespace g80 {

LinePort::LinePort(const sc_core::sc_module_name& name, unsigned tpc, unsigned sm_in_tpc)
    : Clocked(name), tpc_(static_cast<std::uint8_t>(tpc)), sm_in_tpc_(static_cast<std::uint8_t>(sm_in_tpc)) {}

void LinePort::reset() {
  instruction_.clear();
  constant_.clear();
}

void LinePort::send(Fifo<LineRequest, 2>& queue) {
  LineRequest request = queue.front();
  queue.pop();
  request.tpc = tpc_;
  request.sm_in_tpc = sm_in_tpc_;
  line_o->push(request);
}

void LinePort::next() {
  const bool room = line_o->can_push();
  if (room && (!instruction_.empty() || !constant_.empty())) {
    const bool constant_goes = !constant_.empty() && (instruction_.empty() || q_.constant_first);
    send(constant_goes ? constant_ : instruction_);
    d_.constant_first = !constant_goes;
  }
  if (q_.instruction_ready && instruction_i.read().valid) instruction_.push(instruction_i.read());
  if (q_.constant_ready && constant_i.read().valid) constant_.push(constant_i.read());
  d_.instruction_ready = !instruction_.full();
  d_.constant_ready = !constant_.full();

  if (instruction_fill_ready_i.read()) d_.instruction_fill.valid = false;
  if (constant_fill_ready_i.read()) d_.constant_fill.valid = false;
  if (line_i->available()) {
    LineReply& fill = line_i->front().client == MemClient::kInstruction ? d_.instruction_fill : d_.constant_fill;
    if (!fill.valid) {
      fill = line_i->front();
      fill.valid = true;
      line_i->pop();
    }
  }
  // What a cache offers is in a queue, or waits for room in a full one.
  if (instruction_.empty() && constant_.empty() && !d_.instruction_fill.valid && !d_.constant_fill.valid &&
      !line_i->available()) {
    sleep();
  }
}

void LinePort::drive() {
  instruction_ready_o.write(q_.instruction_ready);
  instruction_fill_o.write(q_.instruction_fill);
  constant_ready_o.write(q_.constant_ready);
  constant_fill_o.write(q_.constant_fill);
}

}  // namespace g80

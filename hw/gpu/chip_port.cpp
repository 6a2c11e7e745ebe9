// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/chip_port.h"

namespace g80 {
namespace {

template <class Bundle, class Queue>
G80_INLINE void accept(const In<Bundle>& port, bool ready, Queue& queue) {
  if (ready && port.read().valid) queue.push(port.read());
}

/// Moves the front of a queue to a free output register.
template <class Bundle, class Queue>
void move_front(Queue& queue, OutputRegister<Bundle>& output) {
  output.load(queue.front());
  queue.pop();
}

}  // namespace

void ChipPort::reset() {
  command_.clear();
  line_.clear();
  translated_.clear();
  copy_.clear();
  replies_.clear();
  refusals_.clear();
  to_tlb_.reset();
  to_crossbar_.reset();
  to_copy_.reset();
  to_line_.reset();
  to_walker_.reset();
  counters_ = {};
}

void ChipPort::next() {
  to_tlb_.hand_over(tlb_ready_i.read());
  to_crossbar_.hand_over(request_ready_i.read());
  to_line_.hand_over(line_reply_ready_i.read());
  to_walker_.hand_over(walk_reply_ready_i.read());
  to_copy_.hand_over(true);

  send_to_tlb();
  send_to_crossbar();
  route_replies();
  take_inputs();

  d_.command_ready = !command_.full();
  d_.line_ready = !line_.full();
  d_.translated_ready = !translated_.full();
  d_.copy_ready = !copy_.full();
  d_.reply_ready = !replies_.full();
  d_.refusal_ready = !refusals_.full();
  const bool queued = !command_.empty() || !line_.empty() || !translated_.empty() || !copy_.empty() ||
                      !replies_.empty() || !refusals_.empty();
  const bool outputs = to_tlb_->valid || to_crossbar_->valid || to_line_->valid || to_walker_->valid || to_copy_->valid;
  d_.idle = !queued && !outputs;
  if (d_.idle) sleep();
}

G80_INLINE void ChipPort::take_inputs() {
  accept(command_i, q_.command_ready, command_);
  accept(line_i, q_.line_ready, line_);
  accept(translated_i, q_.translated_ready, translated_);
  accept(copy_i, q_.copy_ready, copy_);
  accept(reply_i, q_.reply_ready, replies_);
  accept(refusal_i, q_.refusal_ready, refusals_);
}

G80_INLINE void ChipPort::send_to_tlb() {
  if (to_tlb_->valid) return;
  const Contender goes = take_turns(!command_.empty(), !line_.empty(), q_.command_went_last);
  if (goes == Contender::kNone) return;
  d_.command_went_last = goes == Contender::kFirst;
  move_front(d_.command_went_last ? command_ : line_, to_tlb_);
}

G80_INLINE void ChipPort::send_to_crossbar() {
  if (to_crossbar_->valid) return;
  const Contender goes = take_turns(!copy_.empty(), !translated_.empty(), q_.copy_went_last);
  if (goes == Contender::kNone) return;
  d_.copy_went_last = goes == Contender::kFirst;
  move_front(d_.copy_went_last ? copy_ : translated_, to_crossbar_);
  ++counters_.requests;
}

G80_INLINE void ChipPort::route_replies() {
  if (!replies_.empty() && route(replies_.front())) {
    replies_.pop();
    ++counters_.replies;
  }
  if (!refusals_.empty() && route(refusals_.front())) refusals_.pop();
}

bool ChipPort::route(const MemReply& reply) {
  const bool refused_write = reply.op == MemOp::kWrite;
  if (refused_write) {
    ++counters_.refused_writes;
    counters_.last_refused_address = reply.virtual_address;
    return true;
  }
  OutputRegister<MemReply>* output = nullptr;
  switch (reply.client) {
    case MemClient::kCopy: output = &to_copy_; break;
    case MemClient::kPageTable: output = &to_walker_; break;
    case MemClient::kConstant:
    case MemClient::kInstruction: output = &to_line_; break;
    default: CHECK(false, "{}: a reply came for client {}", name(), static_cast<int>(reply.client));
  }
  if ((*output)->valid) return false;
  output->load(reply);
  return true;
}

void ChipPort::drive() {
  command_ready_o.write(q_.command_ready);
  line_ready_o.write(q_.line_ready);
  translated_ready_o.write(q_.translated_ready);
  copy_ready_o.write(q_.copy_ready);
  reply_ready_o.write(q_.reply_ready);
  refusal_ready_o.write(q_.refusal_ready);
  to_tlb_.drive(tlb_o);
  to_crossbar_.drive(request_o);
  to_copy_.drive(copy_reply_o);
  to_line_.drive(line_reply_o);
  to_walker_.drive(walk_reply_o);
  idle_o.write(q_.idle);
}

}  // namespace g80

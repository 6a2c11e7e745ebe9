// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/crossbar.h"

#include <algorithm>

#include "hw/common/round_robin.h"

namespace g80 {
namespace {

constexpr unsigned kOperandBytes = 16;  // operands b and c of an atomic, 8 bytes each
constexpr unsigned kOldValueBytes = 8;

unsigned flits_of(unsigned bytes, unsigned flit_bytes) { return (bytes + flit_bytes - 1) / flit_bytes; }

template <class Visit>
void for_each_bit(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

}  // namespace

unsigned request_flits(const MemRequest& request, unsigned flit_bytes) {
  switch (request.op) {
    case MemOp::kRead: return 1;
    case MemOp::kWrite: return 1 + flits_of(request.bytes, flit_bytes);
    case MemOp::kReduce:
    case MemOp::kAtomic: return 1 + flits_of(kOperandBytes, flit_bytes);
  }
  return 1;
}

unsigned reply_flits(const MemReply& reply, unsigned flit_bytes) {
  if (reply.fault != MemFault::kNone) return 1;
  return 1 + flits_of(reply.op == MemOp::kRead ? reply.bytes : kOldValueBytes, flit_bytes);
}

unsigned pick_input(std::uint32_t asking, unsigned last) { return pick_round_robin(asking, last); }

template <class Packet>
CrossbarNetwork<Packet>::CrossbarNetwork(const sc_core::sc_module_name& name, const Shape& shape)
    : Clocked(name),
      in_i("in_i", shape.inputs),
      in_ready_o("in_ready_o", shape.inputs),
      out_o("out_o", shape.outputs),
      out_ready_i("out_ready_i", shape.outputs),
      shape_(shape),
      queues_(*this, "queue", shape.inputs, SizedRing<Packet>(shape.queue)),
      pipes_(*this, "pipe", shape.outputs, SizedRing<Travelling>(shape.latency + shape.queue)) {
  CHECK(shape.inputs <= kMaxXbarPorts && shape.outputs <= kMaxXbarPorts,
        "{}: {} x {} ports, but the model is built for {}", this->name(), shape.inputs, shape.outputs, kMaxXbarPorts);
}

template <class Packet>
void CrossbarNetwork<Packet>::reset() {
  for (auto& queue : queues_) queue.clear();
  for (auto& pipe : pipes_) pipe.clear();
  asking_ = {};
  input_busy_ = output_busy_ = {};
  fronts_ = travelling_ = 0;
  redrive_ = driven_ready_ = ~0u;
  counters_ = {};
}

template <class Packet>
void CrossbarNetwork<Packet>::next() {
  redrive_ = 0;
  bool acted = pop_delivered();
  acted |= grant();
  acted |= accept();
  Cycle arrival = ~Cycle{0};
  d_.offered = 0;
  for_each_bit(travelling_, [&](unsigned output) {
    const Cycle arrives = pipes_[output].front().arrives;
    if (arrives <= edge()) {
      d_.offered |= 1u << output;
    } else {
      arrival = std::min(arrival, arrives);
    }
  });
  redrive_ |= d_.offered ^ q_.offered;
  d_.idle = fronts_ == 0 && travelling_ == 0;
  if (acted || fronts_ != 0 || d_.ready != q_.ready || d_.offered != q_.offered || d_.idle != q_.idle) return;
  if (arrival != ~Cycle{0}) wake_at(arrival);
  sleep();
}

// Removes the packets that the receivers accepted at this edge.
template <class Packet>
bool CrossbarNetwork<Packet>::pop_delivered() {
  bool acted = false;
  for_each_bit(q_.offered, [&](unsigned output) {
    if (!out_ready_i[output].read()) return;
    pipes_[output].pop();
    if (pipes_[output].empty()) travelling_ &= ~(1u << output);
    redrive_ |= 1u << output;
    acted = true;
  });
  return acted;
}

template <class Packet>
bool CrossbarNetwork<Packet>::grant() {
  const std::uint32_t waiting = fronts_;
  if (waiting == 0) return false;
  const Cycle cycle_end = (edge() + 1) * shape_.flits_per_cycle;
  std::uint32_t free_inputs = 0, granted = 0;
  for_each_bit(waiting, [&](unsigned input) {
    if (input_busy_[input] < cycle_end) free_inputs |= 1u << input;
  });
  for (unsigned output = 0; output < shape_.outputs; ++output) {
    const std::uint32_t asking = asking_[output] & free_inputs;
    if (asking == 0 || output_busy_[output] >= cycle_end || pipes_[output].full()) continue;
    const unsigned input = pick_input(asking, q_.last[output]);
    d_.last[output] = static_cast<std::uint8_t>(input);
    free_inputs &= ~(1u << input);  // one packet per input and cycle, even if its next packet goes to another output
    granted |= 1u << input;
    move(input, output);
  }
  for_each_bit(waiting & ~granted, [&](unsigned input) { ++counters_.stalls[input]; });
  return granted != 0;
}

template <class Packet>
void CrossbarNetwork<Packet>::move(unsigned input, unsigned output) {
  SizedRing<Packet>& queue = queues_[input];
  const unsigned count = flits(queue.front());
  const Cycle cycle_start = edge() * shape_.flits_per_cycle;
  input_busy_[input] = std::max(input_busy_[input], cycle_start) + count;
  output_busy_[output] = std::max(output_busy_[output], cycle_start) + count;
  const Cycle last_flit = std::max(input_busy_[input], output_busy_[output]) - 1;
  Travelling& entry = pipes_[output].place();
  // Two edges of the latency (kLeastLatency) are spent outside the pipe: from accept to grant, and on the output wire.
  entry.arrives = last_flit / shape_.flits_per_cycle + std::max(shape_.latency, kLeastLatency) - kLeastLatency;
  entry.packet = queue.front();
  travelling_ |= 1u << output;
  queue.pop();
  asking_[output] &= ~(1u << input);
  if (queue.empty()) {
    fronts_ &= ~(1u << input);
  } else {
    ask(input);
  }
  ++counters_.packets;
  counters_.flits += count;
  ++counters_.input_packets[input];
  ++counters_.output_packets[output];
  counters_.input_flits[input] += count;
  counters_.output_flits[output] += count;
}

template <class Packet>
bool CrossbarNetwork<Packet>::accept() {
  bool acted = false;
  d_.ready = 0;
  for (unsigned input = 0; input < shape_.inputs; ++input) {
    SizedRing<Packet>& queue = queues_[input];
    const Packet& packet = in_i[input].read();
    if (packet.valid && (q_.ready >> input & 1) != 0) {
      queue.push(packet);
      if (queue.size() == 1) ask(input);
      acted = true;
    }
    if (!queue.full()) d_.ready |= 1u << input;
  }
  return acted;
}

// Enters the front packet of `input` as a request for its output.
template <class Packet>
void CrossbarNetwork<Packet>::ask(unsigned input) {
  const unsigned output = destination(queues_[input].front());
  CHECK(output < shape_.outputs, "{}: a packet of input {} goes to output {}, but there are {}", name(), input, output,
        shape_.outputs);
  asking_[output] |= 1u << input;
  fronts_ |= 1u << input;
}

template <class Packet>
void CrossbarNetwork<Packet>::drive() {
  static const Packet nothing{};
  for_each_bit(redrive_ & ((1u << shape_.outputs) - 1), [&](unsigned output) {
    const bool offered = (q_.offered >> output & 1) != 0;
    out_o[output].write(offered ? pipes_[output].front().packet : nothing);
  });
  for_each_bit((q_.ready ^ driven_ready_) & ((1u << shape_.inputs) - 1),
               [&](unsigned input) { in_ready_o[input].write((q_.ready >> input & 1) != 0); });
  driven_ready_ = q_.ready;
  idle_o.write(q_.idle);
}

template class CrossbarNetwork<MemRequest>;
template class CrossbarNetwork<MemReply>;

RequestCrossbar::RequestCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(name, {config.gpu.num_tpcs + 1, config.gpu.num_partitions, config.xbar.request_flits_per_cycle,
                             config.xbar.request_latency, config.xbar.queue, config.xbar.flit_bytes}),
      map_(config) {}

ReplyCrossbar::ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(name, {config.gpu.num_partitions, config.gpu.num_tpcs + 1, config.xbar.reply_flits_per_cycle,
                             config.xbar.reply_latency, config.xbar.queue, config.xbar.flit_bytes}) {}

}  // namespace g80

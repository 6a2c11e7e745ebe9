// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/crossbar.h"

#include <algorithm>
#include <utility>

#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

constexpr unsigned kOperandWords = 4;  // operands b and c of an atomic, 8 bytes each
constexpr unsigned kOldValueWords = 2;

unsigned flits_of(unsigned words, unsigned flit_bytes) { return (4 * words + flit_bytes - 1) / flit_bytes; }

std::uint32_t ports(unsigned count) { return (1u << count) - 1; }

}  // namespace

unsigned request_data_words(const MemRequest& request) {
  switch (request.op) {
    case MemOp::kRead: return 0;
    case MemOp::kWrite: return request.bytes / 4u;
    case MemOp::kReduce:
    case MemOp::kAtomic: return kOperandWords;
  }
  return 0;
}

unsigned reply_data_words(const MemReply& reply) {
  if (reply.fault != MemFault::kNone) return 0;
  return reply.op == MemOp::kRead ? reply.bytes / 4u : kOldValueWords;
}

unsigned request_flits(const MemRequest& request, unsigned flit_bytes) {
  return 1 + flits_of(request_data_words(request), flit_bytes);
}

unsigned reply_flits(const MemReply& reply, unsigned flit_bytes) {
  return 1 + flits_of(reply_data_words(reply), flit_bytes);
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
      queues_(*this, "queue", shape.inputs, SizedRing<Packet>(shape.queue + 1)),
      // Two edges of the latency (kLeastLatency) pass outside the pipe: from accept to grant, and on the output's wire.
      pipes_(*this, "pipe", shape.outputs,
             FlitPipe<Packet>(std::max(shape.latency, kLeastLatency) - kLeastLatency, shape.flits_per_cycle)),
      arrived_(*this, "arrived", shape.outputs, Arrived(shape.queue)) {
  CHECK(shape.inputs <= kMaxXbarPorts && shape.outputs <= kMaxXbarPorts,
        "{}: {} x {} ports, but the model is built for {}", this->name(), shape.inputs, shape.outputs, kMaxXbarPorts);
}

template <class Packet>
void CrossbarNetwork<Packet>::reset() {
  for (auto& queue : queues_) queue.clear();
  for (auto& pipe : pipes_) pipe.clear();
  for (auto& arrived : arrived_) {
    arrived.packets.clear();
    arrived.begun = false;
  }
  asking_ = {};
  fronts_ = travelling_ = 0;
  redrive_ = driven_ready_ = requeued_ = ~0u;
  counters_ = {};
}

template <class Packet>
void CrossbarNetwork<Packet>::next() {
  redrive_ = 0;
  pop_delivered();
  travel();
  cross();
  accept();
  d_.offered = 0;
  bool goes = false;  // a packet leaves at the next edge
  const Cycle following = this->edge() + 1;
  Cycle next_arrival = kNever;  // of a flit that finds a place
  for (const unsigned output : set_bits(travelling_)) {
    const Arrived& arrived = arrived_[output];
    const FlitPipe<Packet>& pipe = pipes_[output];
    if (!arrived.packets.empty()) {
      d_.offered |= 1u << output;
      goes |= out_ready_i[output].read();
    }
    if (!pipe.empty()) {
      const bool held = pipe.arrived(following) && pipe.front().head && !arrived.room();
      if (!held) next_arrival = std::min(next_arrival, std::max(pipe.next_arrival(), following));
    } else if (arrived.packets.empty() && !arrived.begun) {
      travelling_ &= ~(1u << output);
    }
  }
  redrive_ |= d_.offered ^ q_.offered;
  d_.idle = fronts_ == 0 && travelling_ == 0 && d_.sending == 0;
  const bool crosses = fronts_ != 0 || d_.sending != 0;
  if (goes || crosses || d_.ready != q_.ready || next_arrival == following) return;
  if (next_arrival != kNever) this->wake_at(next_arrival);
  sleep();
}

// Removes the packets that the receivers accepted at this edge.
template <class Packet>
void CrossbarNetwork<Packet>::pop_delivered() {
  for (const unsigned output : set_bits(q_.offered & ports(shape_.outputs))) {
    if (!out_ready_i[output].read()) continue;
    arrived_[output].packets.pop();
    redrive_ |= 1u << output;
  }
}

// Flits leave the pipes one by one while there is a place for them.
template <class Packet>
void CrossbarNetwork<Packet>::travel() {
  for (const unsigned output : set_bits(travelling_)) {
    FlitPipe<Packet>& pipe = pipes_[output];
    while (pipe.arrived(this->edge()) && (!pipe.front().head || arrived_[output].room())) {
      take(output, pipe.front());
      pipe.leave(this->edge());
    }
  }
}

template <class Packet>
void CrossbarNetwork<Packet>::take(unsigned output, const Flit<Packet>& flit) {
  Arrived& arrived = arrived_[output];
  CHECK(flit.head != arrived.begun, "{}: output {} received a flit out of order", name(), output);
  add_flit(flit, arrived.partial);
  arrived.begun = !flit.tail;
  if (flit.tail) arrived.packets.push(arrived.partial);
}

// Moves flits: those of packets under way first, then those of packets that win their output.
template <class Packet>
void CrossbarNetwork<Packet>::cross() {
  const std::uint32_t waiting = fronts_;
  if (waiting == 0 && q_.sending == 0) return;
  const auto most = static_cast<std::uint8_t>(shape_.flits_per_cycle);
  const auto room = [&](unsigned output) {
    return pipes_[output].stages() == 0 || pipes_[output].has_room(this->edge()) ? most : std::uint8_t{0};
  };
  input_flits_.fill(most);
  for (const unsigned output : set_bits(q_.taken & ports(shape_.outputs))) {
    output_flits_[output] = room(output);
    send(q_.last[output], output);
  }
  std::uint32_t granted = 0;
  for (unsigned output = 0; output < shape_.outputs; ++output) {
    std::uint32_t asking = asking_[output] & ~d_.sending & ~granted;
    if (asking == 0 || (d_.taken >> output & 1) != 0) continue;
    if ((q_.taken >> output & 1) == 0) output_flits_[output] = room(output);
    if (output_flits_[output] == 0) continue;
    if (pipes_[output].stages() == 0 && !arrived_[output].room()) continue;
    for (const unsigned input : set_bits(asking)) {
      if (input_flits_[input] == 0) asking &= ~(1u << input);
    }
    if (asking == 0) continue;
    const unsigned input = pick_input(asking, q_.last[output]);
    granted |= 1u << input;  // one packet per input and cycle, even if its next packet goes to another output
    start(input, output);
    send(input, output);
  }
  for (const unsigned input : set_bits(waiting & ~granted)) ++counters_.stalls[input];
}

// The front packet of `input` begins to cross to `output`.
template <class Packet>
void CrossbarNetwork<Packet>::start(unsigned input, unsigned output) {
  d_.last[output] = static_cast<std::uint8_t>(input);
  d_.sending |= 1u << input;
  requeued_ |= 1u << input;
  d_.taken |= 1u << output;
  d_.sent[input] = 0;
  asking_[output] &= ~(1u << input);
  if (queues_[input].size() == 1) fronts_ &= ~(1u << input);
  const unsigned count = flits(queues_[input].front());
  ++counters_.packets;
  counters_.flits += count;
  ++counters_.input_packets[input];
  ++counters_.output_packets[output];
  counters_.input_flits[input] += count;
  counters_.output_flits[output] += count;
}

// Moves flits of the front packet of `input` to `output`, as many as cross at this edge.
template <class Packet>
void CrossbarNetwork<Packet>::send(unsigned input, unsigned output) {
  CHECK(input < shape_.inputs && !queues_[input].empty(), "{}: output {} takes a packet of input {}, which has none",
        name(), output, input);
  SizedRing<Packet>& queue = queues_[input];
  const unsigned count = flits(queue.front()), words = data_words(queue.front());
  while (d_.sent[input] < count && input_flits_[input] != 0 && output_flits_[output] != 0) {
    const bool direct = pipes_[output].stages() == 0;
    Flit<Packet>& flit = direct ? crossing_ : pipes_[output].enter(this->edge());
    cut_flit(queue.front(), d_.sent[input], count, words, shape_.flit_bytes, flit);
    if (direct) take(output, flit);
    ++d_.sent[input];
    --input_flits_[input];
    --output_flits_[output];
    travelling_ |= 1u << output;
  }
  if (d_.sent[input] < count) return;
  d_.sending &= ~(1u << input);
  requeued_ |= 1u << input;
  d_.taken &= ~(1u << output);
  queue.pop();
  if (!queue.empty()) ask(input);
}

template <class Packet>
void CrossbarNetwork<Packet>::accept() {
  for (const unsigned input : set_bits(q_.ready & ports(shape_.inputs))) {
    const Packet& packet = in_i[input].read();
    if (!packet.valid) continue;
    SizedRing<Packet>& queue = queues_[input];
    queue.push(packet);
    fronts_ |= 1u << input;
    requeued_ |= 1u << input;
    if (queue.size() == 1) ask(input);
  }
  for (const unsigned input : set_bits(std::exchange(requeued_, 0) & ports(shape_.inputs))) {
    const std::uint32_t here = 1u << input;
    d_.ready = waiting(input) < shape_.queue ? d_.ready | here : d_.ready & ~here;
  }
}

// Enters the front packet of `input` as a request for its output.
template <class Packet>
void CrossbarNetwork<Packet>::ask(unsigned input) {
  const unsigned output = destination(queues_[input].front());
  CHECK(output < shape_.outputs, "{}: a packet of input {} goes to output {}, but there are {}", name(), input, output,
        shape_.outputs);
  asking_[output] |= 1u << input;
}

template <class Packet>
void CrossbarNetwork<Packet>::drive() {
  for (const unsigned output : set_bits(redrive_ & ports(shape_.outputs))) {
    out_o[output].offer((q_.offered >> output & 1) != 0, arrived_[output].packets.front());
  }
  for (const unsigned input : set_bits((q_.ready ^ driven_ready_) & ports(shape_.inputs)))
    in_ready_o[input].write((q_.ready >> input & 1) != 0);
  driven_ready_ = q_.ready;
  idle_o.write(q_.idle);
}

template class CrossbarNetwork<MemRequest>;
template class CrossbarNetwork<MemReply>;

RequestCrossbar::RequestCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(name,
                      {config.gpu.num_tpcs + 1, config.gpu.num_partitions + 1, config.xbar.request_flits_per_cycle,
                       config.xbar.request_latency, config.xbar.queue, config.xbar.flit_bytes}),
      map_(config) {}

ReplyCrossbar::ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(name, {config.gpu.num_partitions + 1, config.gpu.num_tpcs + 1, config.xbar.reply_flits_per_cycle,
                             config.xbar.reply_latency, config.xbar.queue, config.xbar.flit_bytes}) {}

}  // namespace g80

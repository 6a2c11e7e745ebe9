// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/crossbar.h"

#include <algorithm>
#include <utility>

#include "hw/bundles/launch_beat.h"
#include "hw/common/round_robin.h"
#include "hw/common/set_bits.h"

namespace g80 {
namespace {

constexpr unsigned kOperandWords = 4;  // operands b and c of an atomic, 8 bytes each
constexpr unsigned kOldValueWords = 2;

/// The bytes of a flit are a power of two and a constant of the chip: a shift by wires.
unsigned flits_of(unsigned words, unsigned flit_bytes) {
  return (4 * words + flit_bytes - 1) >> __builtin_ctz(flit_bytes);
}

unsigned data_words(const MemRequest& request) {
  switch (request.op) {
    case MemOp::kRead: return 0;
    case MemOp::kWrite: return request.bytes / 4u;
    case MemOp::kReduce:
    case MemOp::kAtomic: return kOperandWords;
  }
  return 0;
}

unsigned data_words(const MemReply& reply) {
  if (reply.fault != MemFault::kNone) return 0;
  return reply.op == MemOp::kRead ? reply.bytes / 4u : kOldValueWords;
}

std::uint32_t ports(unsigned count) { return (1u << count) - 1; }

}  // namespace

unsigned request_flits(const MemRequest& request, unsigned flit_bytes) {
  return 1 + flits_of(data_words(request), flit_bytes);
}

unsigned reply_flits(const MemReply& reply, unsigned flit_bytes) { return 1 + flits_of(data_words(reply), flit_bytes); }

unsigned pick_input(std::uint32_t asking, unsigned last) { return pick_round_robin(asking, last); }

CrossbarWord crossbar_word(const CrossbarRegs& now, const CrossbarRules& rules) {
  CrossbarWord word;
  std::array<std::uint8_t, kMaxXbarPorts> input_room, output_room;  // flits that the words have left
  input_room.fill(static_cast<std::uint8_t>(rules.flits_per_cycle));
  output_room.fill(static_cast<std::uint8_t>(rules.flits_per_cycle));
  for (const unsigned output : set_bits(now.taken & ports(rules.outputs))) {
    const unsigned left = now.flits_left[output], input = now.last[output];
    CHECK(input < rules.inputs, "a crossbar output takes a packet of input {}, but there are {}", input, rules.inputs);
    output_room[output] = input_room[input] =
        static_cast<std::uint8_t>(rules.flits_per_cycle - std::min(left, rules.flits_per_cycle));
    if (left <= rules.flits_per_cycle) word.ended |= 1u << output;
  }
  std::array<std::uint32_t, kMaxXbarPorts> asking;
  std::uint32_t asked = 0;
  for (const unsigned input : set_bits(now.asking & ports(rules.inputs))) {
    if (input_room[input] == 0) continue;
    const unsigned output = now.wanted[input];
    CHECK(output < rules.outputs, "a packet of crossbar input {} goes to output {}, but there are {}", input, output,
          rules.outputs);
    word.waiting |= 1u << input;
    if ((asked >> output & 1) == 0) asking[output] = 0;
    asking[output] |= 1u << input;
    asked |= 1u << output;
  }
  for (const unsigned output : set_bits(asked & (~now.taken | word.ended))) {
    if (output_room[output] == 0 || now.credits[output] < rules.largest) continue;
    const unsigned input = pick_input(asking[output], now.last[output]);
    const unsigned begun = std::min<unsigned>({now.flits[input], input_room[input], output_room[output]});
    if (begun == now.flits[input] && (word.ended >> output & 1) != 0) continue;  // a second tail
    word.granted |= 1u << output;
    word.waiting &= ~(1u << input);
    word.input[output] = static_cast<std::uint8_t>(input);
    word.begun[output] = static_cast<std::uint8_t>(begun);
  }
  return word;
}

template <class Packet>
CrossbarNetwork<Packet>::CrossbarNetwork(const sc_core::sc_module_name& name, const Shape& shape)
    : Clocked(name),
      in_i("in_i", shape.inputs),
      in_ready_o("in_ready_o", shape.inputs),
      out_o("out_o", shape.outputs),
      out_ready_i("out_ready_i", shape.outputs),
      shape_(shape),
      largest_(1 + flits_of(kMaxTransactionBytes / 4, shape.flit_bytes)),
      places_(shape.input_way == 0 ? shape.queue : std::max(shape.queue, 2 * shape.input_way + 2)),
      way_registers_(std::clamp(registers_behind(kLeastLatency), 1u, kWayRegisters - shape.input_way)),
      padding_stages_(registers_behind(kLeastLatency + way_registers_)),
      far_flits_((2 * way_registers_ + 1) * shape.flits_per_cycle + 2 * largest_),
      inputs_(*this, "input", shape.inputs, Input(places_)),
      divided_(*this, "divided", shape.inputs, shape.input_way + shape.address_stages),
      divider_(*this, "divider", shape.address_stages == 0 ? 0 : shape.inputs),
      place_way_(*this, "place_way", shape.inputs, shape.input_way),
      outputs_(*this, "output", shape.outputs, Output(far_flits_ + padding_stages_ + shape.queue, way_registers_)),
      way_(*this, "way", shape.outputs, way_registers_),
      padding_(*this, "padding", shape.outputs, padding_stages_),
      credit_way_(*this, "credit_way", shape.outputs, way_registers_) {
  CHECK(shape.inputs <= kMaxXbarPorts && shape.outputs <= kMaxXbarPorts,
        "{}: {} x {} ports, but the model is built for {}", this->name(), shape.inputs, shape.outputs, kMaxXbarPorts);
}

template <class Packet>
void CrossbarNetwork<Packet>::reset() {
  for (Input& input : inputs_) {
    input.packets.clear();
    input.asked.clear();
    input.held = 0;
  }
  for (Output& output : outputs_) {
    output.packets.clear();
    output.padded = 0;
    output.flits.clear();
    output.returning.clear();
  }
  for (DelayLines* line : lines()) line->clear();
  divider_.assign(divider_.size(), {});
  d_.credits.fill(static_cast<std::uint16_t>(far_flits_));
  occupied_ = Occupied{};
  counters_ = {};
}

template <class Packet>
void CrossbarNetwork<Packet>::next() {
  renewed_ = 0;
  const Cycle now = this->edge();
  if (shape_.address_stages != 0) divide_up_to(now - 1);
  divided_.step_to(now);
  place_way_.step_to(now);
  way_.step_to(now);
  padding_.step_to(now);
  credit_way_.step_to(now);
  pop_delivered();
  cross();
  travel();
  const bool came = accept();
  renewed_ |= d_.offered ^ q_.offered;
  d_.idle = occupied_.filled == 0 && d_.sending == 0 && occupied_.holding == 0;
  if (came || d_.asking != 0 || d_.sending != 0 || d_.ready != q_.ready) return;
  for (const unsigned output : set_bits(d_.offered)) {
    if (out_ready_i[output].read()) return;
  }
  const bool looked_at = this->traced() || (this->domain() != nullptr && this->domain()->is_watched());
  if (looked_at && shape_.address_stages != 0 && divided_.moving()) return;
  const Cycle again = next_arrival();
  if (again == this->edge() + 1) return;
  if (again != kNever) this->run_at(again);
  sleep();
}

/// The next edge at which something has come through registers, without what the receivers' words may bring.
template <class Packet>
Cycle CrossbarNetwork<Packet>::next_arrival() {
  for (const unsigned output : set_bits(way_.arrived() & ports(shape_.outputs))) {
    if (has_room(outputs_[output])) return this->edge() + 1;
  }
  Cycle next = kNever;
  for (const DelayLines* line : lines()) {
    if (line->moving()) next = std::min(next, line->next_arrival(this->edge()));
  }
  return next;
}

// Removes the packets that the receivers accepted at this edge.
template <class Packet>
void CrossbarNetwork<Packet>::pop_delivered() {
  for (const unsigned output : set_bits(q_.offered & ports(shape_.outputs))) {
    if (!out_ready_i[output].read()) continue;
    Output& out = outputs_[output];
    out.packets.pop();
    padding_.leave(output);
    --out.padded;
    renewed_ |= 1u << output;
    if (out.packets.empty()) occupied_.holding &= ~(1u << output);
  }
}

// Packets that are crossing go on; then outputs that take none grant.
template <class Packet>
void CrossbarNetwork<Packet>::cross() {
  if (q_.asking == 0 && q_.taken == 0) return;
  const CrossbarWord word = crossbar_word(q_, {shape_.inputs, shape_.outputs, shape_.flits_per_cycle, largest_});
  for (const unsigned output : set_bits(q_.taken & ports(shape_.outputs))) {
    if ((word.ended >> output & 1) != 0) {
      finish(q_.last[output], output);
    } else {
      d_.flits_left[output] = static_cast<std::uint8_t>(q_.flits_left[output] - shape_.flits_per_cycle);
    }
  }
  for (const unsigned output : set_bits(word.granted)) grant(word.input[output], output, word.begun[output]);
  for (const unsigned input : set_bits(word.waiting)) ++counters_.stalls[input];
}

// A packet begins to cross, with as many flits as this word has room for.
template <class Packet>
void CrossbarNetwork<Packet>::grant(unsigned input, unsigned output, unsigned begun) {
  Input& in = inputs_[input];
  CHECK(!in.packets.empty(), "{}: output {} takes a packet of input {}, which has none", name(), output, input);
  const unsigned count = q_.flits[input];
  divided_.leave(input);
  d_.asking &= ~(1u << input);
  d_.last[output] = static_cast<std::uint8_t>(input);
  d_.credits[output] = static_cast<std::uint16_t>(d_.credits[output] - count);
  d_.sending |= 1u << input;
  d_.taken |= 1u << output;
  d_.flits_left[output] = static_cast<std::uint8_t>(count - begun);
  place_way_.enter(input);
  if (in.packets.size() == 1) occupied_.filled &= ~(1u << input);
  ++counters_.packets;
  counters_.flits += count;
  ++counters_.input_packets[input];
  ++counters_.output_packets[output];
  counters_.input_flits[input] += count;
  counters_.output_flits[output] += count;
  if (begun == count) finish(input, output);
}

// The tail of the front packet of `input` crosses.
template <class Packet>
void CrossbarNetwork<Packet>::finish(unsigned input, unsigned output) {
  CHECK(!inputs_[input].packets.empty(), "{}: output {} takes a packet of input {}, which has none", name(), output,
        input);
  Input& in = inputs_[input];
  Output& out = outputs_[output];
  out.packets.push(in.packets.front());
  out.flits.push(in.asked.front().flits);
  way_.enter(output);
  in.packets.pop();
  in.asked.pop();
  d_.sending &= ~(1u << input);
  d_.taken &= ~(1u << output);
  occupied_.holding |= 1u << output;
}

// Registers behind the crossing, and those of the credits.
template <class Packet>
void CrossbarNetwork<Packet>::travel() {
  for (const unsigned input : set_bits(place_way_.arrived() & ports(shape_.inputs))) {
    CHECK(inputs_[input].held != 0, "{}: a place of input {} becomes free, but none is held", name(), input);
    --inputs_[input].held;
    place_way_.leave(input);
  }
  for (const unsigned output : set_bits(way_.arrived() & ports(shape_.outputs))) {
    Output& out = outputs_[output];
    if (!has_room(out)) continue;
    CHECK(out.padded < out.packets.size(), "{}: output {} has {} packets, but {} have left its far queue", name(),
          output, out.packets.size(), out.padded);
    out.returning.push(out.flits.front());
    out.flits.pop();
    credit_way_.enter(output);
    way_.leave(output);
    ++out.padded;
    padding_.enter(output);
  }
  for (const unsigned output : set_bits(credit_way_.arrived() & ports(shape_.outputs))) {
    SizedRing<std::uint8_t>& returning = outputs_[output].returning;
    d_.credits[output] = static_cast<std::uint16_t>(d_.credits[output] + returning.front());
    CHECK(d_.credits[output] <= far_flits_, "{}: output {} has {} credits for a queue of {} flits", name(), output,
          d_.credits[output], far_flits_);
    returning.pop();
    credit_way_.leave(output);
  }
  d_.offered = padding_.arrived();
}

// Packets come into the inputs' queues; those at the front whose output is known ask for it. True if one came: behind
// it may come one of the same bits, which wakes nobody.
template <class Packet>
bool CrossbarNetwork<Packet>::accept() {
  std::uint32_t valid = 0;
  for (unsigned input = 0; input < shape_.inputs; ++input) valid |= std::uint32_t{in_i[input].read().valid} << input;
  const bool came = (valid & q_.ready) != 0;
  for (const unsigned input : set_bits(valid & q_.ready)) {
    const Packet& packet = in_i[input].read();
    Input& in = inputs_[input];
    in.packets.push(packet);
    ++in.held;
    divided_.enter(input);
    occupied_.filled |= 1u << input;
  }
  for (const unsigned input : set_bits(divided_.arrived() & ports(shape_.inputs))) divide(input);
  for (const unsigned input : set_bits(occupied_.filled & divided_.arrived() & ~d_.asking)) {
    Input& in = inputs_[input];
    const unsigned behind = d_.sending >> input & 1;  // the packet that crosses, to the output that was wanted last
    if (behind != 0 && d_.flits_left[d_.wanted[input] % kMaxXbarPorts] > shape_.flits_per_cycle) continue;
    CHECK(behind < in.asked.size(), "{}: input {} asks for a packet that it does not have", name(), input);
    const Asked& next = in.asked.at(behind);
    d_.asking |= 1u << input;
    d_.wanted[input] = next.output;
    d_.flits[input] = next.flits;
  }
  for (const unsigned input : set_bits((std::exchange(changed_, 0) | valid | ~q_.ready) & ports(shape_.inputs))) {
    const std::uint32_t here = 1u << input;
    d_.ready = inputs_[input].held < places_ ? d_.ready | here : d_.ready & ~here;
  }
  return came;
}

// What has come through the stages of the divider at this edge, one packet at most.
template <class Packet>
void CrossbarNetwork<Packet>::divide(unsigned input) {
  Input& in = inputs_[input];
  const unsigned divided = divided_.num_arrived(input) + (d_.sending >> input & 1);
  while (in.asked.size() < divided) {
    CHECK(in.asked.size() < in.packets.size(), "{}: input {} has {} packets, but {} came through its divider", name(),
          input, in.packets.size(), divided);
    Packet& packet = in.packets.at(in.asked.size());
    Asked& asked = in.asked.place();
    asked.output = static_cast<std::uint8_t>(destination(packet, divider_.empty() ? nullptr : &divider_[input]));
    asked.flits = static_cast<std::uint8_t>(flits(packet));
  }
}

// The stages of the divider up to the registers behind `edge`. Where nobody looks the block sleeps through edges at
// which packets only go from stage to stage; it runs at all at which one leaves the last.
template <class Packet>
void CrossbarNetwork<Packet>::divide_up_to(Cycle edge) {
  if (!divided_.moving()) {
    divided_to_ = std::max(divided_to_, edge);
    return;
  }
  while (divided_to_ < edge) {
    const Cycle now = ++divided_to_;
    for (unsigned stage = shape_.address_stages; stage-- > 0;) {
      for (const unsigned input : set_bits(divided_.leaving(now + shape_.address_stages - stage))) {
        Input& in = inputs_[input];
        unsigned place = in.asked.size();  // of a packet that the first stage takes
        for (unsigned ahead = 1; ahead < shape_.address_stages; ++ahead)
          place += divided_.leaving(now + ahead) >> input & 1;
        divide_stage(stage, in.packets.at(std::min(place, in.packets.capacity() - 1)), divider_[input]);
      }
    }
  }
}

// For who looks, or changes them: behind the last edge up to this moment that is not still to run.
template <class Packet>
void CrossbarNetwork<Packet>::show_stages() {
  if (!divided_.moving()) return;
  const Domain& clock = *this->domain();
  const bool has_run = clock.next_time() > clock.edge_time(clock.last_edge());
  divide_up_to(clock.runs() ? this->edge() : has_run ? std::max(clock.edge(), clock.last_edge()) : clock.edge());
}

template <class Packet>
void CrossbarNetwork<Packet>::drive() {
  const std::uint32_t all = std::exchange(this->redrive_, false) ? ~0u : 0;
  for (const unsigned output : set_bits((renewed_ | all) & ports(shape_.outputs))) {
    out_o[output].offer((q_.offered >> output & 1) != 0, outputs_[output].packets.front());
  }
  for (const unsigned input : set_bits(((q_.ready ^ driven_ready_) | all) & ports(shape_.inputs)))
    in_ready_o[input].write((q_.ready >> input & 1) != 0);
  driven_ready_ = q_.ready;
  idle_o.write(q_.idle);
}

template class CrossbarNetwork<MemRequest>;
template class CrossbarNetwork<MemReply>;

RequestCrossbar::RequestCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(
          name, {config.gpu.num_tpcs + 1, config.gpu.num_partitions + 1, config.xbar.request_flits_per_cycle,
                 config.xbar.request_latency, config.xbar.queue, config.xbar.flit_bytes,
                 divider_stages(config.gpu.num_partitions),
                 way_within(config.xbar.request_latency, kLeastLatency + divider_stages(config.gpu.num_partitions))}),
      map_(config) {}

unsigned RequestCrossbar::destination(MemRequest& request, const DividerRegisters* divider) const {
  if (divider != nullptr) request.address = divider->quotient.address;
  if (page_table::is_host(request.address)) return map_.num_partitions;
  const PartitionAddress at =
      divider != nullptr ? place_quotient(map_, divider->quotient) : divide_address(map_, request.address);
  request.address = at.local;
  return at.partition;
}

void RequestCrossbar::divide_stage(unsigned stage, const MemRequest& request, DividerRegisters& divider) const {
  switch (stage) {
    case 0: divider.rest = find_rest(map_, request.address); break;
    case 1: divider.product = begin_quotient(map_, divider.rest); break;
    default: divider.quotient = end_quotient(map_, divider.product); break;
  }
}

ReplyCrossbar::ReplyCrossbar(const sc_core::sc_module_name& name, const Config& config)
    : CrossbarNetwork(name, {config.gpu.num_partitions + 1, config.gpu.num_tpcs + 1, config.xbar.reply_flits_per_cycle,
                             config.xbar.reply_latency, config.xbar.queue, config.xbar.flit_bytes, 0, 0}) {}

}  // namespace g80

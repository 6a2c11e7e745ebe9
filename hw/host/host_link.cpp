// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host_link.h"

#include <algorithm>
#include <cmath>

#include "hw/common/round_robin.h"

namespace g80 {
namespace {

constexpr unsigned kFraming = 1 + 2 + 4 + 1, kRequestHeader = 16, kCompletionHeader = 12;
constexpr unsigned kCompletionBoundary = 64;

}  // namespace

unsigned bytes_on_link(const LinkPacket& packet) {
  const unsigned payload =
      packet.op == LinkOp::kRead ? 0 : (static_cast<unsigned>(packet.address % 4) + packet.count + 3) / 4 * 4;
  return kFraming + (packet.op == LinkOp::kCompletion ? kCompletionHeader : kRequestHeader) + payload;
}

HostLink::HostLink(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      cycle_(std::uint64_t{config.host.link_mb_per_s} * 10'000),
      byte_(ClockTimes(config.clock.core_mhz).frequency()),
      latency_(static_cast<unsigned>(std::llround(config.host.link_latency_ns * config.clock.core_mhz / 1000))),
      flying_up_(*this, "flying_up", latency_, latency_ + 1),
      flying_down_(*this, "flying_down", latency_, latency_ + 1) {}

void HostLink::reset() {
  counters_ = {};
  flying_up_.clear();
  flying_down_.clear();
  reads_.clear();
  waiting_.fill({});
  up_ = down_ = LinkDirection{};
  for (auto& arrived : arrived_) arrived.reset();
}

void HostLink::next() {
  flying_up_.step_to(edge());
  flying_down_.step_to(edge());
  for (auto& arrived : arrived_) arrived.hand_over(true);
  const std::uint64_t credit_up = leave(up_, flying_up_), credit_down = leave(down_, flying_down_);
  reach_host();
  reach_chip();
  complete_read(credit_down);
  send_up(credit_up);
  const bool arrives = arrived_[0]->valid || arrived_[1]->valid;
  const bool completes = !down_.packet.valid && !reads_.empty();
  if (arrives || completes || sends_at_next_edge()) return;
  sleep();
  for (const LinkDirection* direction : {&up_, &down_}) {
    if (direction->packet.valid) wake_at(std::max(direction->time.end(), edge() + 1));
  }
  if (flying_up_.moving()) wake_at(flying_up_.next_arrival(edge()));
  if (flying_down_.moving()) wake_at(flying_down_.next_arrival(edge()));
}

/// A packet leaves its register with its last byte. Returns what the cycle has left for the next one.
std::uint64_t HostLink::leave(LinkDirection& direction, Flight& flight) const {
  if (!direction.packet.valid || !direction.time.over(edge())) return cycle_;
  flight.push(direction.packet);
  direction.packet.valid = false;
  return std::min(direction.time.beyond(edge()), cycle_);
}

void HostLink::send(LinkDirection& direction, const LinkPacket& packet, std::uint64_t credit) const {
  direction.packet = packet;
  direction.time.load(std::max(bytes_on_link(packet) * byte_, credit) - credit, edge(), cycle_);
}

// Memory is read and written in the order of arrival.
void HostLink::reach_host() {
  if (!flying_up_.arrived()) return;
  LinkPacket packet = flying_up_.front();
  flying_up_.pop();
  if (packet.op == LinkOp::kWrite) {
    host_memory->write(packet.address, packet.data.data(), packet.count);
    --d_.writes[static_cast<unsigned>(packet.client)];
  } else {
    host_memory->read(packet.address, packet.data.data(), packet.count);
    reads_.push(packet);
  }
}

void HostLink::reach_chip() {
  if (!flying_down_.arrived()) return;
  const LinkPacket& packet = flying_down_.front();
  arrived_[static_cast<unsigned>(packet.client)].load(packet);
  flying_down_.pop();
}

void HostLink::complete_read(std::uint64_t credit) {
  if (down_.packet.valid || reads_.empty()) return;
  LinkPacket& read = reads_.front();
  const auto room = static_cast<unsigned>(kCompletionBoundary - read.address % kCompletionBoundary);
  LinkPacket packet = read;
  packet.op = LinkOp::kCompletion;
  packet.count = static_cast<std::uint8_t>(std::min<unsigned>(read.count, room));
  packet.last = packet.count == read.count;
  std::copy_n(read.data.begin() + read.first, packet.count, packet.data.begin());
  read.address += packet.count;
  read.first = static_cast<std::uint8_t>(read.first + packet.count);
  read.count = static_cast<std::uint8_t>(read.count - packet.count);
  if (packet.last) reads_.pop();
  send(down_, packet, credit);
  ++counters_.packets_down;
  counters_.bytes_down += bytes_on_link(packet);
}

void HostLink::send_up(std::uint64_t credit) {
  const unsigned waiting = (waiting_[0].valid ? 1u : 0) | (waiting_[1].valid ? 2u : 0);
  if (!up_.packet.valid && waiting != 0) {
    const unsigned next = pick_round_robin(waiting, static_cast<unsigned>(q_.last));
    send(up_, waiting_[next], credit);
    waiting_[next].valid = false;
    d_.last = static_cast<LinkClient>(next);
    ++counters_.packets_up;
    counters_.bytes_up += bytes_on_link(waiting_[next]);
  }
  for (unsigned client = 0; client < kLinkClients; ++client) {
    if ((waiting >> client & 1) != 0 || !packet_i[client].read().valid) continue;
    waiting_[client] = packet_i[client].read();
    if (waiting_[client].op == LinkOp::kWrite) ++d_.writes[client];
  }
}

bool HostLink::sends_at_next_edge() const {
  bool sends = false;
  for (unsigned client = 0; client < kLinkClients; ++client)
    sends |= waiting_[client].valid ? !up_.packet.valid : packet_i[client].read().valid;
  return sends;
}

void HostLink::drive() {
  for (unsigned client = 0; client < kLinkClients; ++client) {
    packet_ready_o[client].write(!waiting_[client].valid);
    sent_o[client].write(q_.writes[client] == 0);
    arrived_[client].drive(completion_o[client]);
  }
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host_port.h"

#include <algorithm>

#include "hw/bundles/page_table.h"
#include "hw/bundles/reply_to.h"

namespace g80 {
namespace {

constexpr bool enabled(const std::array<std::uint64_t, 2>& mask, unsigned byte) {
  return (mask[byte / 64] >> byte % 64 & 1) != 0;
}

}  // namespace

ByteRun first_run(const std::array<std::uint64_t, 2>& byte_enable) {
  ByteRun run;
  while (run.first < kMaxTransactionBytes && !enabled(byte_enable, run.first)) ++run.first;
  while (run.first + run.count < kMaxTransactionBytes && enabled(byte_enable, run.first + run.count)) ++run.count;
  return run;
}

HostPort::HostPort(const sc_core::sc_module_name& name, const Config& config, PartitionLog* log)
    : Clocked(name), num_reads_(config.host.mapped_reads), log_(log) {
  CHECK(num_reads_ <= kMaxReads, "{}: {} reads in flight, but the model is built for {}", this->name(), num_reads_,
        kMaxReads);
}

void HostPort::reset() {
  done_.clear();
  counters_ = {};
}

void HostPort::next() {
  bool acted = false;
  if (q_.packet.valid && packet_ready_i.read()) {
    d_.packet.valid = false;
    d_.posted |= q_.packet.op == LinkOp::kWrite;
    acted = true;
  }
  if (sent_i.read() && !q_.packet.valid) d_.posted = false;
  if (q_.reply_offered && reply_ready_i.read()) {
    d_.reads_pending &= ~(std::uint64_t{1} << done_.front());
    done_.pop();
    acted = true;
  }
  acted |= take_completion();
  acted |= serve();
  if (!q_.request.valid && request_i.read().valid) {
    d_.request = request_i.read();
    acted = true;
  }
  d_.reply_offered = !done_.empty();
  d_.idle = !d_.request.valid && !d_.packet.valid && !d_.posted && d_.reads_pending == 0;
  if (!acted && d_.posted == q_.posted) sleep();
}

bool HostPort::take_completion() {
  const LinkPacket& packet = completion_i.read();
  if (!packet.valid) return false;
  CHECK(packet.tag < num_reads_ && (q_.reads_pending >> packet.tag & 1) != 0,
        "{}: a completion for read {}, which is not in flight", name(), packet.tag);
  MemReply& reply = replies_.reply[packet.tag];
  std::copy_n(packet.data.begin(), packet.count, reinterpret_cast<std::uint8_t*>(reply.data.data()) + packet.first);
  if (!packet.last) return true;
  if (log_ != nullptr) log_->give_back(packet.tag, reply.data.data(), reply.bytes);
  done_.push(packet.tag);
  return true;
}

// The next step of the transaction at hand. False if it must wait.
bool HostPort::serve() {
  if (!q_.request.valid) return false;
  if (q_.request.op == MemOp::kWrite) return post_run();
  const auto free = static_cast<unsigned>(~q_.reads_pending == 0 ? num_reads_ : __builtin_ctzll(~q_.reads_pending));
  if (free >= num_reads_) return false;
  return is_atomic(q_.request.op) ? refuse(free) : start_read(free);
}

bool HostPort::start_read(unsigned tag) {
  if (d_.packet.valid) return false;
  const MemRequest& request = q_.request;
  d_.packet = {true,
               LinkOp::kRead,
               LinkClient::kPort,
               static_cast<std::uint8_t>(tag),
               0,
               request.bytes,
               false,
               page_table::bus_address(request.address),
               {}};
  replies_.reply[tag] = reply_to(request);
  d_.reads_pending |= std::uint64_t{1} << tag;
  d_.request.valid = false;
  ++counters_.reads;
  counters_.bytes_read += request.bytes;
  if (log_ != nullptr) log_->perform(request, edge(), tag);
  return true;
}

bool HostPort::refuse(unsigned tag) {
  replies_.reply[tag] = reply_to(q_.request);
  replies_.reply[tag].fault = MemFault::kBeyondMemory;
  d_.reads_pending |= std::uint64_t{1} << tag;
  done_.push(static_cast<std::uint8_t>(tag));
  d_.request.valid = false;
  ++counters_.refused;
  return true;
}

bool HostPort::post_run() {
  if (d_.packet.valid) return false;
  MemRequest& left = d_.request;
  const ByteRun run = first_run(left.byte_enable);
  if (!q_.begun) {
    ++counters_.writes;
    if (log_ != nullptr) log_->perform(q_.request, edge());
  }
  if (run.count != 0) {
    LinkPacket& packet = d_.packet;
    packet = {true,
              LinkOp::kWrite,
              LinkClient::kPort,
              0,
              0,
              static_cast<std::uint8_t>(run.count),
              false,
              page_table::bus_address(left.address) + run.first,
              {}};
    std::copy_n(reinterpret_cast<const std::uint8_t*>(left.data.data()) + run.first, run.count, packet.data.begin());
    counters_.bytes_written += run.count;
    for (unsigned i = run.first; i < run.first + run.count; ++i)
      left.byte_enable[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
  left.valid = (left.byte_enable[0] | left.byte_enable[1]) != 0;
  d_.begun = left.valid;
  return true;
}

void HostPort::drive() {
  request_ready_o.write(!q_.request.valid);
  reply_o.offer(q_.reply_offered, replies_.reply[q_.reply_offered ? done_.front() : 0]);
  packet_o.write(q_.packet);
  idle_o.write(q_.idle);
}

}  // namespace g80

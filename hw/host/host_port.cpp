// SPDX-License-Identifier: Apache-2.0
#include "hw/host/host_port.h"

#include <algorithm>

#include "hw/bundles/page_table.h"
#include "hw/host/byte_mask.h"

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
  reply_.reset();
  counters_ = {};
}

void HostPort::next() {
  bool acted = reply_.hand_over(reply_ready_i.read());
  if (q_.packet.valid && packet_ready_i.read()) {
    d_.packet.valid = false;
    d_.posted |= q_.packet.op == LinkOp::kWrite;
    acted = true;
  }
  if (sent_i.read() && !q_.packet.valid) d_.posted = false;
  acted |= load_reply();
  acted |= take_completion();
  acted |= serve();
  if (!q_.request.valid && request_i.read().valid) {
    d_.request = request_i.read();
    acted = true;
  }
  d_.idle = !d_.request.valid && !d_.packet.valid && !d_.posted && d_.reads_pending == 0 && !reply_->valid;
  if (!acted && d_.posted == q_.posted) sleep();
}

/// The row of the oldest complete reply goes into the output register, and its tag is free.
bool HostPort::load_reply() {
  if (reply_->valid || done_.empty()) return false;
  const unsigned tag = done_.front();
  MemReply& reply = reply_.edit();
  set_header(reply, replies_.header[tag]);
  reply.data = replies_.data[tag];
  if (is_atomic(reply.op)) {
    reply.fault = MemFault::kBeyondMemory;
  } else if (log_ != nullptr) {
    log_->give_back(tag, reply.data.data(), reply.bytes);
  }
  d_.reads_pending &= ~(std::uint64_t{1} << tag);
  done_.pop();
  return true;
}

bool HostPort::take_completion() {
  const LinkPacket& packet = completion_i.read();
  if (!packet.valid) return false;
  CHECK(packet.tag < num_reads_ && (q_.reads_pending >> packet.tag & 1) != 0,
        "{}: a completion for read {}, which is not in flight", name(), packet.tag);
  std::copy_n(packet.data.begin(), packet.count,
              reinterpret_cast<std::uint8_t*>(replies_.data[packet.tag].data()) + packet.first);
  if (packet.last) done_.push(packet.tag);
  return true;
}

// The next step of the transaction at hand. False if it must wait.
bool HostPort::serve() {
  if (!q_.request.valid) return false;
  if (q_.request.op == MemOp::kWrite) return serve_write();
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
  replies_.header[tag] = header_of(request);
  d_.reads_pending |= std::uint64_t{1} << tag;
  d_.request.valid = false;
  ++counters_.reads;
  counters_.bytes_read += request.bytes;
  if (log_ != nullptr) log_->perform(request, edge(), tag);
  return true;
}

bool HostPort::refuse(unsigned tag) {
  replies_.header[tag] = header_of(q_.request);
  d_.reads_pending |= std::uint64_t{1} << tag;
  done_.push(static_cast<std::uint8_t>(tag));
  d_.request.valid = false;
  ++counters_.refused;
  return true;
}

bool HostPort::serve_write() {
  if (q_.run.count != 0) {
    if (d_.packet.valid) return false;
    post_run();
    return true;
  }
  d_.run = first_run(q_.request.byte_enable);
  if (!q_.begun) {
    ++counters_.writes;
    if (log_ != nullptr) log_->perform(q_.request, edge());
  }
  d_.request.valid = d_.begun = d_.run.count != 0;
  return true;
}

/// The bytes of the run become those of a packet, from its first one on, and are no longer left.
void HostPort::post_run() {
  const auto [first, count] = q_.run;
  MemRequest& left = d_.request;
  d_.packet = {
      true, LinkOp::kWrite, LinkClient::kPort, 0, 0, count, false, page_table::bus_address(left.address) + first, {}};
  std::copy_n(reinterpret_cast<const std::uint8_t*>(left.data.data()) + first, count, d_.packet.data.begin());
  counters_.bytes_written += count;
  const std::array<std::uint64_t, 2> sent = byte_mask(first, count);
  for (unsigned half = 0; half < 2; ++half) left.byte_enable[half] &= ~sent[half];
  left.valid = d_.begun = (left.byte_enable[0] | left.byte_enable[1]) != 0;
  d_.run = {};
}

void HostPort::drive() {
  request_ready_o.write(!q_.request.valid);
  reply_.drive(reply_o);
  packet_o.write(q_.packet);
  idle_o.write(q_.idle);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/host/copy_engine.h"

#include <algorithm>
#include <cstring>

#include "hw/host/byte_mask.h"

namespace g80 {
CopyPiece first_piece(std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t room = kMaxTransactionBytes - address % kMaxTransactionBytes;
  const std::uint32_t count = std::min(bytes, room);
  std::uint32_t block = kSectorBytes;
  while (address / block != (address + count - 1) / block) block *= 2;
  return {address & ~(block - 1), static_cast<std::uint8_t>(block), static_cast<std::uint8_t>(address % block),
          static_cast<std::uint8_t>(count)};
}

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      bytes_per_cycle_(config.host.copy_bytes_per_cycle),
      num_reads_(config.host.copy_reads),
      chip_port_(static_cast<std::uint8_t>(config.gpu.num_tpcs)) {
  CHECK(num_reads_ <= kMaxReads, "{}: {} reads in flight, but the model is built for {}", this->name(), num_reads_,
        kMaxReads);
}

void CopyEngine::reset() { counters_ = {}; }

void CopyEngine::next() {
  take_reply();
  if (q_.request.valid && request_ready_i.read()) d_.request.valid = false;
  if (!q_.busy) {
    take_order();
  } else if (q_.order.bytes != 0) {
    if (!d_.request.valid) send_piece();
  } else if (!d_.request.valid && d_.reads_pending == 0 && event_o->can_push()) {
    event_o->push({HostEventKind::kCopyDone, q_.order.id});
    d_.busy = false;
    ++counters_.orders;
  }
  d_.idle = !d_.busy && !order_i->available();
  const bool can_take = !d_.busy && order_i->available();
  const bool settled = d_.busy == q_.busy && d_.order.bytes == q_.order.bytes && d_.request.valid == q_.request.valid &&
                       d_.reads_pending == q_.reads_pending && d_.idle == q_.idle;
  if (settled && !can_take) sleep();
}

void CopyEngine::take_reply() {
  const MemReply& reply = reply_i.read();
  if (!reply.valid) return;
  if (reply.fault != MemFault::kNone) ++counters_.faults;
  if (reply.op == MemOp::kWrite) return;  // writes are answered only when they fail
  CHECK(reply.id < kMaxReads && (q_.reads_pending >> reply.id & 1) != 0,
        "{}: a reply for read {}, which is not in flight", name(), reply.id);
  const Read& read = reads_[reply.id];
  host_memory->write(read.host_address, reinterpret_cast<const std::uint8_t*>(reply.data.data()) + read.first,
                     read.count);
  d_.reads_pending &= ~(std::uint64_t{1} << reply.id);
}

void CopyEngine::take_order() {
  if (!order_i->available()) return;
  d_.order = order_i->front();
  d_.busy = true;
  if (d_.order.op == CopyOp::kSetPageDirectory) {
    d_.page_directory = d_.order.device_address;
    ++d_.tlb_flush_orders;
    d_.order.bytes = 0;
  }
  order_i->pop();
}

bool CopyEngine::link_free() const { return q_.link_bytes <= edge() * bytes_per_cycle_; }

void CopyEngine::send_piece() {
  const CopyOrder& order = q_.order;
  const bool uses_link = order.op != CopyOp::kFill;
  if (uses_link && !link_free()) {
    wake_at((q_.link_bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_);
    return;
  }
  const unsigned id = static_cast<unsigned>(__builtin_ctzll(~d_.reads_pending | std::uint64_t{1} << (kMaxReads - 1)));
  const bool read = order.op == CopyOp::kFromDevice;
  if (read && (id >= num_reads_ || (d_.reads_pending >> id & 1) != 0)) return;

  const CopyPiece piece = first_piece(order.device_address, order.bytes);
  MemRequest& request = d_.request;
  request = {};
  request.valid = true;
  request.op = read ? MemOp::kRead : MemOp::kWrite;
  request.client = MemClient::kCopy;
  request.port = chip_port_;
  request.id = static_cast<std::uint8_t>(read ? id : 0);
  request.bytes = piece.bytes;
  request.origin.sm = kNoSm;
  request.virtual_address = request.address = piece.address;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(request.data.data());
  switch (order.op) {
    case CopyOp::kFromDevice:
      reads_[id] = {order.host_address, piece.first, piece.count};
      d_.reads_pending |= std::uint64_t{1} << id;
      counters_.bytes_from_device += piece.count;
      break;
    case CopyOp::kToDevice:
      request.byte_enable = byte_mask(piece.first, piece.count);
      host_memory->read(order.host_address, bytes + piece.first, piece.count);
      counters_.bytes_to_device += piece.count;
      break;
    case CopyOp::kSetPageDirectory: break;  // moves no bytes
    case CopyOp::kFill:
      request.byte_enable = byte_mask(piece.first, piece.count);
      for (unsigned w = 0; w < piece.bytes / 4u; ++w) request.data[w] = order.fill_word;
      counters_.bytes_filled += piece.count;
      break;
  }
  if (uses_link) d_.link_bytes = std::max(q_.link_bytes, edge() * bytes_per_cycle_) + piece.count;
  d_.order.device_address += piece.count;
  d_.order.host_address += piece.count;
  d_.order.bytes -= piece.count;
  ++counters_.transactions;
}

void CopyEngine::drive() {
  request_o.write(q_.request);
  idle_o.write(q_.idle);
  tlb_flush_orders_o.write(q_.tlb_flush_orders);
  page_directory_o.write(q_.page_directory);
}

}  // namespace g80

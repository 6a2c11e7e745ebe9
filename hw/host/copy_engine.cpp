// SPDX-License-Identifier: Apache-2.0
#include "hw/host/copy_engine.h"

#include <algorithm>

#include "hw/host/byte_mask.h"

namespace g80 {
namespace {

constexpr std::uint32_t kHostPage = 4096;  // no packet crosses its end

std::uint32_t address_in(const CopySurface& surface, std::uint32_t address) {
  return surface.block_linear ? address + surface.block.offset_in_row(surface.x, surface.y, surface.z) : address;
}

void advance(CopySurface& surface, std::uint32_t& address, std::uint32_t count) {
  (surface.block_linear ? surface.x : address) += count;
}

/// From behind the end of a line to the beginning of the next one.
void next_line(CopySurface& surface, std::uint32_t& address, std::uint32_t pitch, std::uint32_t line_bytes) {
  if (!surface.block_linear) {
    address += pitch - line_bytes;
    return;
  }
  surface.x -= line_bytes;
  ++surface.y;
  if ((surface.y & BlockShape::low(surface.block.line_bits())) == 0) address += pitch;
}

}  // namespace

CopyPiece first_piece(std::uint32_t address, std::uint32_t bytes) {
  const std::uint32_t room = kMaxTransactionBytes - address % kMaxTransactionBytes;
  const std::uint32_t count = std::min(bytes, room);
  std::uint32_t block = kSectorBytes;
  while (address / block != (address + count - 1) / block) block *= 2;
  return {address & ~(block - 1), static_cast<std::uint8_t>(block), static_cast<std::uint8_t>(address % block),
          static_cast<std::uint8_t>(count)};
}

std::uint32_t bytes_together(const CopySurface& surface) {
  constexpr std::uint32_t kGobWidth = 1u << BlockShape::kGobWidthBits;
  return surface.block_linear ? kGobWidth - surface.x % kGobWidth : kMaxTransactionBytes;
}

CopyPiece first_link_piece(std::uint32_t address, std::uint64_t host_address, std::uint32_t bytes) {
  return first_piece(address, std::min(bytes, static_cast<std::uint32_t>(kHostPage - host_address % kHostPage)));
}

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      num_reads_(config.host.copy_reads),
      chip_port_(static_cast<std::uint8_t>(config.gpu.num_tpcs)),
      timer_(*this, "timer", ClockTimes(config.clock.core_mhz).frequency()) {
  CHECK(num_reads_ <= kMaxReads, "{}: {} reads in flight, but the model is built for {}", this->name(), num_reads_,
        kMaxReads);
}

void CopyEngine::reset() {
  request_.reset();
  packet_.reset();
  timer_.forget_reads();
  counters_ = {};
}

void CopyEngine::next() {
  take_reply();
  take_completion();
  const bool requested = request_->valid, sent = packet_->valid;
  request_.hand_over(request_ready_i.read());
  packet_.hand_over(packet_ready_i.read());
  if (!q_.busy) {
    take_order();
  } else if (q_.placing != 0) {
    place_surfaces();
  } else if (q_.order.bytes != 0 || q_.writes_ready != 0) {
    if (!hold_i.read()) send();
  } else if (!request_->valid && !sent && sent_i.read() && d_.reads_pending == 0 && event_o->can_push()) {
    event_o->push({HostEventKind::kCopyDone, q_.order.id, timer_.nanoseconds(edge())});
    d_.busy = false;
    ++counters_.orders;
  }
  d_.idle = !d_.busy && !order_i->available();
  const bool settled = d_.busy == q_.busy && d_.placing == q_.placing && d_.order.bytes == q_.order.bytes &&
                       d_.order.lines == q_.order.lines && request_->valid == requested && packet_->valid == sent &&
                       d_.writes_ready == q_.writes_ready;
  if (settled) sleep();
}

void CopyEngine::take_reply() {
  const MemReply& reply = reply_i.read();
  if (!reply.valid) return;
  if (reply.fault != MemFault::kNone) ++counters_.faults;
  if (reply.op == MemOp::kWrite) return;  // writes are answered only when they fail
  CHECK(reply.id < kMaxReads && (q_.reads_pending >> reply.id & 1) != 0,
        "{}: a reply for read {}, which is not in flight", name(), reply.id);
  Read& read = buffers_.read[reply.id];
  std::copy_n(reinterpret_cast<const std::uint8_t*>(reply.data.data()) + read.first, read.count, read.bytes.begin());
  d_.writes_ready |= std::uint64_t{1} << reply.id;
}

void CopyEngine::take_completion() {
  const LinkPacket& packet = completion_i.read();
  if (!packet.valid) return;
  CHECK(packet.tag < kMaxReads && (q_.reads_pending >> packet.tag & 1) != 0,
        "{}: a completion for read {}, which is not in flight", name(), packet.tag);
  std::copy_n(packet.data.begin(), packet.count, buffers_.read[packet.tag].bytes.begin() + packet.first);
  if (packet.last) d_.writes_ready |= std::uint64_t{1} << packet.tag;
}

void CopyEngine::take_order() {
  if (!order_i->available()) return;
  d_.order = order_i->front();
  d_.line_bytes = d_.order.bytes;
  d_.busy = true;
  d_.placing = d_.order.surface.block_linear || d_.order.source_surface.block_linear ? 2 : 0;
  if (d_.order.op == CopyOp::kSetPageDirectory) {
    d_.page_directory = d_.order.device_address;
    ++d_.tlb_flush_orders;
    d_.order.bytes = 0;
  }
  order_i->pop();
}

/// The row of blocks at one edge, its address at the next one. The pitch becomes that of rows of blocks.
void CopyEngine::place_surfaces() {
  const auto place = [this](const CopySurface& surface, std::uint32_t& row, std::uint32_t& address,
                            std::uint32_t& pitch) {
    if (!surface.block_linear) return;
    const BlockShape block = surface.block;
    if (q_.placing == 2) {
      row = block.row_of(surface.y, surface.z, block.rows(surface.height));
      pitch = block.row_bytes(surface.width);
    } else {
      address += row * pitch;
    }
  };
  place(q_.order.surface, d_.row, d_.order.device_address, d_.order.pitch);
  place(q_.order.source_surface, d_.source_row, d_.order.source_address, d_.order.source_pitch);
  --d_.placing;
}

std::uint32_t CopyEngine::target() const { return address_in(q_.order.surface, q_.order.device_address); }
std::uint32_t CopyEngine::source() const { return address_in(q_.order.source_surface, q_.order.source_address); }

std::optional<unsigned> CopyEngine::free_read() const {
  if (~d_.reads_pending == 0) return std::nullopt;
  const auto id = static_cast<unsigned>(__builtin_ctzll(~d_.reads_pending));
  return id < num_reads_ ? std::optional(id) : std::nullopt;
}

// Device memory is reached by requests, the host by packets.
void CopyEngine::send() {
  const bool to_host = q_.order.op == CopyOp::kFromDevice, from_host = q_.order.op == CopyOp::kToDevice;
  bool can_request = !request_->valid, can_send = !packet_->valid;
  if (q_.writes_ready != 0 && (to_host ? can_send : can_request)) {
    to_host ? post_piece() : write_piece();
    (to_host ? can_send : can_request) = false;
  }
  if (q_.order.bytes == 0 || !(from_host ? can_send : can_request)) return;
  if (q_.order.op == CopyOp::kFill) {
    fill_piece();
  } else if (free_read()) {
    from_host ? fetch_piece() : read_piece();
  }
}

void CopyEngine::fill_piece() {
  const CopyPiece piece = first_piece(target(), std::min(q_.order.bytes, bytes_together(q_.order.surface)));
  begin_request(MemOp::kWrite, piece);
  for (unsigned w = 0; w < piece.bytes / 4u; ++w) request_.edit().data[w] = q_.order.fill_word;
  counters_.bytes_filled += piece.count;
  advance_order(piece.count);
}

void CopyEngine::read_piece() {
  const CopyOrder& order = q_.order;
  const unsigned id = *free_read();
  const bool on_device = order.op == CopyOp::kOnDevice;
  std::uint32_t bytes = std::min(order.bytes, bytes_together(order.surface));
  if (on_device) bytes = std::min(bytes, bytes_together(order.source_surface));
  const CopyPiece piece = on_device ? first_piece(source(), first_piece(target(), bytes).count)
                                    : first_link_piece(target(), order.host_address, bytes);
  begin_request(MemOp::kRead, piece, id);
  buffers_.read[id].host_address = order.host_address;
  buffers_.read[id].target = target();
  buffers_.read[id].first = piece.first;
  buffers_.read[id].count = piece.count;
  d_.reads_pending |= std::uint64_t{1} << id;
  (on_device ? counters_.bytes_on_device : counters_.bytes_from_device) += piece.count;
  advance_order(piece.count);
}

void CopyEngine::fetch_piece() {
  const CopyOrder& order = q_.order;
  const unsigned id = *free_read();
  const std::uint32_t bytes = std::min(order.bytes, bytes_together(order.surface));
  const std::uint8_t count = first_link_piece(target(), order.host_address, bytes).count;
  packet_.load(
      {true, LinkOp::kRead, LinkClient::kCopy, static_cast<std::uint8_t>(id), 0, count, false, order.host_address, {}});
  buffers_.read[id].target = target();
  buffers_.read[id].count = count;
  d_.reads_pending |= std::uint64_t{1} << id;
  counters_.bytes_to_device += count;
  advance_order(count);
}

/// A buffer whose bytes are complete; it is free from now on.
unsigned CopyEngine::give_buffer() {
  const auto id = static_cast<unsigned>(__builtin_ctzll(q_.writes_ready));
  d_.reads_pending &= ~(std::uint64_t{1} << id);
  d_.writes_ready &= ~(std::uint64_t{1} << id);
  return id;
}

void CopyEngine::write_piece() {
  const Read& read = buffers_.read[give_buffer()];
  const CopyPiece piece = first_piece(read.target, read.count);
  begin_request(MemOp::kWrite, piece);
  std::copy_n(read.bytes.begin(), piece.count,
              reinterpret_cast<std::uint8_t*>(request_.edit().data.data()) + piece.first);
}

void CopyEngine::post_piece() {
  const Read& read = buffers_.read[give_buffer()];
  packet_.load({true, LinkOp::kWrite, LinkClient::kCopy, 0, 0, read.count, false, read.host_address, read.bytes});
}

void CopyEngine::begin_request(MemOp op, const CopyPiece& piece, unsigned read) {
  MemRequest& request = request_.edit();
  request = {};
  request.valid = true;
  request.op = op;
  request.client = MemClient::kCopy;
  request.port = chip_port_;
  request.id = static_cast<std::uint8_t>(read);
  request.bytes = piece.bytes;
  request.origin.sm = kNoSm;
  request.origin.tag = Tag::make(kNoSm, q_.order.id);
  request.virtual_address = request.address = piece.address;
  if (op == MemOp::kWrite) request.byte_enable = byte_mask(piece.first, piece.count);
  ++counters_.transactions;
}

/// The order without its next `count` bytes; at the end of a line the next one begins.
void CopyEngine::advance_order(std::uint32_t count) {
  CopyOrder& order = d_.order;
  advance(order.surface, order.device_address, count);
  advance(order.source_surface, order.source_address, count);
  order.host_address += count;
  order.bytes -= count;
  if (order.bytes != 0 || --order.lines == 0) return;
  next_line(order.surface, order.device_address, order.pitch, q_.line_bytes);
  next_line(order.source_surface, order.source_address, order.source_pitch, q_.line_bytes);
  order.host_address += order.host_pitch - q_.line_bytes;
  order.bytes = q_.line_bytes;
}

void CopyEngine::drive() {
  request_.drive(request_o);
  packet_.drive(packet_o);
  idle_o.write(q_.idle);
  tlb_flush_orders_o.write(q_.tlb_flush_orders);
  page_directory_o.write(q_.page_directory);
}

}  // namespace g80

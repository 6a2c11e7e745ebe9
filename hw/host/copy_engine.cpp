// SPDX-License-Identifier: Apache-2.0
#include "hw/host/copy_engine.h"

#include <algorithm>
#include <cstring>

#include "hw/host/byte_mask.h"

namespace g80 {
namespace {

constexpr std::uint32_t kHostPage = 4096;  // no packet crosses its end

std::uint32_t address_in(const CopySurface& surface, std::uint32_t address) {
  return surface.block_linear ? address + surface.block.offset_in_row(surface.x, surface.y, surface.z) : address;
}

/// Bytes from a place on that lie in one block of 128; of a surface, in the line of a GOB too.
std::uint32_t bytes_together(const CopySurface& surface, std::uint32_t place) {
  constexpr std::uint32_t kGobWidth = 1u << BlockShape::kGobWidthBits;
  const std::uint32_t in_block = kMaxTransactionBytes - place % kMaxTransactionBytes;
  return surface.block_linear ? std::min(in_block, kGobWidth - surface.x % kGobWidth) : in_block;
}
std::uint32_t bytes_in_page(std::uint64_t host_address) {
  return kHostPage - static_cast<std::uint32_t>(host_address % kHostPage);
}

/// Goes on by `count` bytes. `line`: bytes of the line that ends with them, and the next one begins; 0 if none does.
void advance(CopySurface& surface, std::uint32_t& address, std::uint32_t count, std::uint32_t pitch,
             std::uint32_t line) {
  if (!surface.block_linear) {
    address += count + (line != 0 ? pitch : 0);
    return;
  }
  surface.x += count - line;
  if (line == 0) return;
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

CopyPiece first_link_piece(std::uint32_t address, std::uint64_t host_address, std::uint32_t bytes) {
  return first_piece(address, std::min(bytes, bytes_in_page(host_address)));
}

// Each number is one sum of what the registers hold, with or without the step to the next line.
CutPiece cut_piece(CopyOrder& order, std::uint32_t line_bytes) {
  const std::uint32_t target = address_in(order.surface, order.device_address);
  std::uint32_t from = target, together = bytes_together(order.surface, target);
  if (order.op == CopyOp::kOnDevice) {
    from = address_in(order.source_surface, order.source_address);
    together = std::min(together, bytes_together(order.source_surface, from));
  } else if (order.op != CopyOp::kFill) {
    together = std::min(together, bytes_in_page(order.host_address));
  }
  const bool ends = order.bytes <= together;
  const std::uint32_t count = ends ? order.bytes : together, line = ends ? line_bytes : 0;
  advance(order.surface, order.device_address, count, order.pitch, line);
  advance(order.source_surface, order.source_address, count, order.source_pitch, line);
  order.host_address += std::uint64_t{count} + (ends ? order.host_pitch : 0);
  order.bytes = !ends ? order.bytes - count : order.lines == 1 ? 0 : line_bytes;
  order.lines -= ends ? 1 : 0;
  return {first_piece(from, count), target};
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
  complete_.clear();
  row_ = Row{};
  request_.reset();
  packet_.reset();
  timer_.forget_reads();
  counters_ = {};
}

void CopyEngine::next() {
  const bool requested = request_->valid, sent = packet_->valid;
  bool acted = false;
  request_.hand_over(request_ready_i.read());
  packet_.hand_over(packet_ready_i.read());
  if (!q_.busy) {
    take_order();
  } else if (q_.placing != 0) {
    place_surfaces();
  } else if (q_.order.bytes != 0 || !complete_.empty() || row_.valid) {
    acted = !hold_i.read() && send();
  } else if (!request_->valid && !sent && sent_i.read() && d_.reads_pending == 0 && event_o->can_push()) {
    event_o->push({HostEventKind::kCopyDone, q_.order.id, timer_.nanoseconds(edge())});
    d_.busy = false;
    ++counters_.orders;
  }
  const MemReply& reply = reply_i.read();
  const LinkPacket& completion = completion_i.read();
  if (reply.valid) acted |= take_reply(reply);
  if (completion.valid) acted |= take_completion(completion);
  d_.idle = !d_.busy && !order_i->available();
  const bool settled = d_.busy == q_.busy && d_.placing == q_.placing && d_.order.bytes == q_.order.bytes &&
                       request_->valid == requested && packet_->valid == sent;
  if (settled && !acted) sleep();
}

G80_INLINE bool CopyEngine::take_reply(const MemReply& reply) {
  if (reply.fault != MemFault::kNone) ++counters_.faults;
  if (reply.op == MemOp::kWrite) return false;  // writes are answered only when they fail
  CHECK(reply.id < kMaxReads && (q_.reads_pending >> reply.id & 1) != 0,
        "{}: a reply for read {}, which is not in flight", name(), reply.id);
  std::memcpy(buffers_.block[reply.id].data(), reply.data.data(), sizeof reply.data);
  complete_.push(reply.id);
  return true;
}

bool CopyEngine::take_completion(const LinkPacket& packet) {
  CHECK(packet.tag < kMaxReads && (q_.reads_pending >> packet.tag & 1) != 0,
        "{}: a completion for read {}, which is not in flight", name(), packet.tag);
  std::copy_n(packet.data.begin(), packet.count, buffers_.block[packet.tag].begin() + packet.first);
  if (packet.last) complete_.push(packet.tag);
  return packet.last;
}

void CopyEngine::take_order() {
  if (!order_i->available()) return;
  d_.order = order_i->front();
  d_.line_bytes = d_.order.bytes;
  for (std::uint32_t* const pitch : {&d_.order.pitch, &d_.order.source_pitch, &d_.order.host_pitch})
    *pitch -= d_.line_bytes;  // from the end of a line on
  d_.busy = true;
  d_.placing = d_.order.surface.block_linear || d_.order.source_surface.block_linear ? 2 : 0;
  if (d_.order.op == CopyOp::kSetPageDirectory) {
    d_.page_directory = d_.order.device_address;
    ++d_.tlb_flush_orders;
    d_.order.bytes = 0;
  }
  order_i->pop();
}

/// The row of blocks at one edge, its address at the next one. The pitch becomes that of rows of blocks. Twin:
/// rtl/host/surface_row.sv.
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

std::optional<unsigned> CopyEngine::free_read() const {
  if (~d_.reads_pending == 0) return std::nullopt;
  const auto id = static_cast<unsigned>(__builtin_ctzll(~d_.reads_pending));
  return id < num_reads_ ? std::optional(id) : std::nullopt;
}

// Device memory is reached by requests, the host by packets.
G80_INLINE bool CopyEngine::send() {
  const bool to_host = q_.order.op == CopyOp::kFromDevice, from_host = q_.order.op == CopyOp::kToDevice;
  bool can_request = !request_->valid, can_send = !packet_->valid;
  bool acted = false;
  if (row_.valid && (to_host ? can_send : can_request)) {
    to_host ? post_piece() : write_piece();
    row_.valid = false;
    (to_host ? can_send : can_request) = false;
    acted = true;
  }
  if (!row_.valid && !complete_.empty()) {
    load_row();
    acted = true;
  }
  if (q_.order.bytes == 0 || !(from_host ? can_send : can_request)) return acted;
  if (q_.order.op == CopyOp::kFill) {
    fill_piece();
  } else if (free_read()) {
    from_host ? fetch_piece() : read_piece();
  } else {
    return acted;
  }
  return true;
}

void CopyEngine::fill_piece() {
  const CopyPiece piece = cut_piece(d_.order, q_.line_bytes).piece;
  begin_request(MemOp::kWrite, piece);
  for (unsigned w = 0; w < piece.bytes / 4u; ++w) request_.edit().data[w] = q_.order.fill_word;
  counters_.bytes_filled += piece.count;
}

G80_INLINE void CopyEngine::read_piece() {
  const unsigned id = *free_read();
  const auto [piece, target] = cut_piece(d_.order, q_.line_bytes);
  begin_request(MemOp::kRead, piece, id);
  buffers_.read[id] = {q_.order.host_address, target, piece.first, piece.count};
  d_.reads_pending |= std::uint64_t{1} << id;
  (q_.order.op == CopyOp::kOnDevice ? counters_.bytes_on_device : counters_.bytes_from_device) += piece.count;
}

void CopyEngine::fetch_piece() {
  const unsigned id = *free_read();
  const auto [piece, target] = cut_piece(d_.order, q_.line_bytes);
  begin_packet(LinkOp::kRead, piece.count, q_.order.host_address, id);
  buffers_.read[id] = {q_.order.host_address, target, 0, piece.count};
  d_.reads_pending |= std::uint64_t{1} << id;
  counters_.bytes_to_device += piece.count;
}

/// The buffer that was complete first is read; it is free from now on.
void CopyEngine::load_row() {
  const unsigned id = complete_.front();
  complete_.pop();
  d_.reads_pending &= ~(std::uint64_t{1} << id);
  row_.valid = true;
  row_.read = buffers_.read[id];
  row_.block = buffers_.block[id];
}

// Byte `first` of the block that was read is byte `first` of the block that is written: a rotation.
G80_INLINE void CopyEngine::write_piece() {
  const Read& read = row_.read;
  const CopyPiece piece = first_piece(read.target, read.count);
  begin_request(MemOp::kWrite, piece);
  std::copy_n(row_.block.begin() + read.first, piece.count,
              reinterpret_cast<std::uint8_t*>(request_.edit().data.data()) + piece.first);
}

void CopyEngine::post_piece() {
  const Read& read = row_.read;
  LinkPacket& packet = begin_packet(LinkOp::kWrite, read.count, read.host_address);
  std::copy_n(row_.block.begin() + read.first, read.count, packet.data.begin());
}

/// All but its bytes: those of the register stay.
LinkPacket& CopyEngine::begin_packet(LinkOp op, std::uint8_t count, std::uint64_t address, unsigned read) {
  LinkPacket& packet = packet_.edit();
  packet.valid = true;
  packet.op = op;
  packet.client = LinkClient::kCopy;
  packet.tag = static_cast<std::uint8_t>(read);
  packet.first = 0;
  packet.count = count;
  packet.address = address;
  return packet;
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

void CopyEngine::drive() {
  request_.drive(request_o);
  packet_.drive(packet_o);
  idle_o.write(q_.idle);
  tlb_flush_orders_o.write(q_.tlb_flush_orders);
  page_directory_o.write(q_.page_directory);
}

}  // namespace g80

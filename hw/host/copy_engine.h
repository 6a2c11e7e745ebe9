// SPDX-License-Identifier: Apache-2.0
// Moves bytes between host memory and device memory and inside device memory: the chip's bus master for copies and
// fills.
//
// An order is cut into transactions of up to 128 aligned bytes at physical addresses, at most one each cycle. A copy
// keeps each piece in the buffer of its read, at most host.copy_reads of them, until it moves into the register in
// front of the output: one edge reads the buffer, the next one rotates its bytes to their place in the write. Writes go
// before further reads, so the buffers drain, in the order in which they are complete. Over the host link
// (hw/host/host_link.h) one side of a piece is a packet: a read that its completions answer, or a posted write, within
// a page of 4096 bytes. A copy on the device cuts its pieces so that they lie in one block of 128 bytes on both sides;
// different alignment needs two pieces a block. Where the two sides overlap, the bytes are undefined. Fills and copies
// on the device need no link. Orders run one after the other; the host gets an event when the last write of an order
// has left, and over the link has arrived. While hold_i is high nothing further leaves: the command processor waits for
// an idle memory system, or a grid has the only channel.
//
// A side may be a block-linear surface (docs/texture.md, section 2). Before the first piece its address becomes that of
// the row of blocks where the first line lies: two edges, a product at each. From then on the place of a piece is made
// of bits of its coordinates, and a line at the end of its block goes to the next row of blocks. A piece lies in one
// line of a GOB: 64 bytes.
#pragma once
#include <array>
#include <optional>
#include <systemc>

#include "hw/bundles/host_bundles.h"
#include "hw/bundles/link_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/output_register.h"
#include "hw/common/queue.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/host/timer.h"

namespace g80 {

/// One transaction of a copy: bytes [first, first + count) of the aligned block at `address`.
struct CopyPiece {
  std::uint32_t address = 0;
  std::uint8_t bytes = 0;  // 32, 64 or 128: the smallest aligned block that holds the piece
  std::uint8_t first = 0;
  std::uint8_t count = 0;
};
/// The first transaction of a copy of `bytes` > 0 bytes at `address`.
CopyPiece first_piece(std::uint32_t address, std::uint32_t bytes);
/// That of a copy between the device and the host: no packet crosses the end of the host's page.
CopyPiece first_link_piece(std::uint32_t address, std::uint64_t host_address, std::uint32_t bytes);
/// Cuts the next piece off an order: of what a copy on the device reads, else of the one side on the device. At the end
/// of a line, of `line_bytes`, the next one begins. This is where a copy is cut; its twin is rtl/host/cut_piece.sv.
struct CutPiece {
  CopyPiece piece;
  std::uint32_t target;  // address of what the order writes on the device, or of its one side there
};
CutPiece cut_piece(CopyOrder& order, std::uint32_t line_bytes);

struct CopyEngineRegs {
  bool busy = false;
  CopyOrder order;                        // what is left of it; bytes: of its first line
  std::uint32_t line_bytes = 0;           // of a whole line
  std::uint8_t placing = 0;               // edges before the addresses are those of the rows of blocks
  std::uint32_t row = 0, source_row = 0;  // of blocks, where the first line lies
  std::uint64_t reads_pending = 0;        // bit i: buffer i has a read in flight, or the bytes of a write to come
  bool idle = true;
  std::uint32_t page_directory = 0;
  std::uint32_t tlb_flush_orders = 0;
  G80_FIELDS(busy, order, line_bytes, (placing, 2), row, source_row, reads_pending, idle, page_directory,
             tlb_flush_orders);
};

class CopyEngine : public Clocked<CopyEngineRegs> {
 public:
  CopyEngine(const sc_core::sc_module_name& name, const Config& config);

  // From and to the host
  CrossingIn<CopyOrder> order_i{"order_i"};
  CrossingOut<HostEvent> event_o{"event_o"};
  // To and from the host link
  Out<LinkPacket> packet_o{"packet_o"};
  In<bool> packet_ready_i{"packet_ready_i"};
  In<LinkPacket> completion_i{"completion_i"};  // always taken
  In<bool> sent_i{"sent_i"};                    // its writes have reached the host
  // To and from the chip port
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  In<MemReply> reply_i{"reply_i"};  // always taken
  // From and to the command processor, which flushes the TLBs when the machine is idle
  In<bool> hold_i{"hold_i"};
  Out<bool> idle_o{"idle_o"};
  Out<std::uint32_t> tlb_flush_orders_o{"tlb_flush_orders_o"};
  // To the TLBs
  Out<std::uint32_t> page_directory_o{"page_directory_o"};

  struct Counters {
    std::uint64_t orders = 0;
    std::uint64_t bytes_to_device = 0, bytes_from_device = 0, bytes_filled = 0, bytes_on_device = 0;
    std::uint64_t transactions = 0;
    std::uint64_t faults = 0;  // transactions the memory system refused
    std::uint64_t bytes() const { return bytes_to_device + bytes_from_device + bytes_filled + bytes_on_device; }
    G80_FIELDS(orders, bytes_to_device, bytes_from_device, bytes_filled, bytes_on_device, transactions, faults);
  };
  const Counters& counters() const { return counters_; }

 protected:
  static constexpr unsigned kMaxReads = 64;
  struct Read {
    std::uint64_t host_address = 0;
    std::uint32_t target = 0;           // in device memory
    std::uint8_t first = 0, count = 0;  // the bytes wanted of the block read
    G80_FIELDS(host_address, target, (first, 7), count);
  };
  using Block = std::array<std::uint8_t, kMaxTransactionBytes>;
  /// Two memories, each with a write port and a read port: what a read asks for is written when it leaves, its bytes
  /// when they come; a row of both is read once, into the register.
  struct Buffers {
    std::array<Read, kMaxReads> read{};
    std::array<Block, kMaxReads> block{};
    template <class S, class V>
    static constexpr void visit(S& s, V& v) {
      v.stored("read", s.read);
      v.stored("block", s.block);
      if constexpr (std::is_same_v<V, FieldEditor>) {
        v.fill(s.read);
        v.fill(s.block);
      }
    }
  };
  /// The register of a piece whose write leaves next.
  struct Row {
    bool valid = false;
    Read read;
    Block block{};
    G80_FIELDS(valid, read, block);
  };

  void next() override;
  void drive() override;
  void reset() override;
  bool take_reply(const MemReply& reply);
  bool take_completion(const LinkPacket& packet);
  void take_order();
  void place_surfaces();
  bool send();
  void fill_piece();
  void read_piece();
  void fetch_piece();
  void write_piece();
  void post_piece();
  void load_row();
  LinkPacket& begin_packet(LinkOp op, std::uint8_t count, std::uint64_t address, unsigned read = 0);
  void begin_request(MemOp op, const CopyPiece& piece, unsigned read = 0);
  std::optional<unsigned> free_read() const;

  const unsigned num_reads_;
  const std::uint8_t chip_port_;
  Stored<Buffers> buffers_{*this, "buffers"};
  Queue<std::uint8_t> complete_{*this, "complete", kMaxReads};  // buffers that have the bytes of a write
  Stored<Row> row_{*this, "row"};
  Timer timer_;
  OutputRegister<MemRequest> request_{*this, "request"};
  OutputRegister<LinkPacket> packet_{*this, "packet"};
  Counters counters_;
};

}  // namespace g80

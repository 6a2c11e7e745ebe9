// SPDX-License-Identifier: Apache-2.0
// The bundles of the memory path between SM, coalescer, crossbar and partition, and back.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

enum class MemOp : std::uint8_t { kRead, kWrite, kReduce, kAtomic };  // kReduce returns nothing, kAtomic the old value
inline bool is_atomic(MemOp op) { return op == MemOp::kReduce || op == MemOp::kAtomic; }
inline const EnumText& enum_text(MemOp) {
  static const char* const names[] = {"READ", "WRITE", "REDUCE", "ATOMIC"};
  static const EnumText text{"MemOp", names, 4};
  return text;
}

/// The requester. It routes replies; besides that, only statistics and the texture L2 use it.
enum class MemClient : std::uint8_t { kGlobal, kLocal, kTexture, kConstant, kInstruction, kPageTable, kCopy, kStack };
inline const EnumText& enum_text(MemClient) {
  static const char* const names[] = {"GLOBAL",      "LOCAL",      "TEXTURE", "CONSTANT",
                                      "INSTRUCTION", "PAGE_TABLE", "COPY",    "STACK"};
  static const EnumText text{"MemClient", names, 8};
  return text;
}

/// Why the memory system refuses an access.
enum class MemFault : std::uint8_t { kNone, kPageNotPresent, kBeyondMemory };
inline const EnumText& enum_text(MemFault) {
  static const char* const names[] = {"-", "PAGE_NOT_PRESENT", "BEYOND_MEMORY"};
  static const EnumText text{"MemFault", names, 3};
  return text;
}

/// The SM number of a request that no SM made.
inline constexpr std::uint8_t kNoSm = 0xff;

/// Debug identity in every request and reply, so waves and logs can follow it. It never affects behaviour.
struct Origin {
  Tag tag;
  std::uint8_t sm = 0;    // global SM number, or kNoSm
  std::uint8_t warp = 0;  // warp slot
  std::uint32_t pc = 0;
  G80_FIELDS((uid, tag.bits, 0), sm, warp, (pc, 24));
};

/// A half-warp's access to g[], l[] or a control stack on its way to the coalescer: one address per lane, data of up to
/// 16 bytes per lane.
struct HalfWarpAccess {
  bool valid = false;
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kGlobal;
  std::uint8_t half = 0;  // which half of the warp
  HalfMask lanes = 0;
  std::uint8_t bytes = 4;    // per lane: 1, 2, 4, 8, 16
  std::uint8_t atom_op = 0;  // encoded operation, for kReduce and kAtomic
  bool atom_signed = false;
  std::uint8_t id = 0;  // load_table entry
  Origin origin;
  std::array<std::uint32_t, kHalfWarp> address{};
  std::array<std::array<std::uint32_t, 4>, kHalfWarp>
      data{};  // store data; atomics: [0..1] operand b, [2..3] operand c
  G80_FIELDS(valid, (op, 2), (client, 3), (half, 1), lanes, (bytes, 5), (atom_op, 4), atom_signed, id, origin, address,
             data);
};

/// One transaction: up to 128 aligned bytes that lie in one partition.
struct MemRequest {
  bool valid = false;
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kGlobal;
  std::uint8_t port = 0;  // crossbar port the reply returns to: TPC number, or num_tpcs for the chip-level port
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t id = 0;  // the client's handle (load_table entry, MSHR), returned with the reply
  std::uint8_t half = 0;
  HalfMask lanes = 0;       // lanes of the half-warp this transaction serves
  std::uint8_t bytes = 32;  // 32, 64 or 128, address aligned to it
  std::uint8_t atom_op = 0;
  bool atom_signed = false;
  std::uint8_t atom_bytes = 4;  // 4 or 8
  Origin origin;
  std::uint32_t virtual_address = 0;  // of the first byte
  // Behind the translation physical; behind the request crossbar, if not of the host, inside its partition.
  std::uint32_t address = 0;
  std::array<std::uint64_t, 2> byte_enable{};                  // writes: bit i = byte i; atomics: the bytes of the word
  std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};  // writes: in place; atomics: [0..1] b, [2..3] c
  G80_FIELDS(valid, (op, 2), (client, 3), (port, 5), (sm_in_tpc, 2), id, (half, 1), lanes, bytes, (atom_op, 4),
             atom_signed, (atom_bytes, 4), origin, virtual_address, address, byte_enable, data);
};

/// Data of a read, old value of an atomic (data[0..1]), or a fault of any request. Writes and reductions have no reply.
struct MemReply {
  bool valid = false;
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kGlobal;
  MemFault fault = MemFault::kNone;
  std::uint8_t port = 0;
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t id = 0;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::uint8_t bytes = 32;
  Origin origin;
  std::uint32_t virtual_address = 0;
  std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};
  G80_FIELDS(valid, (op, 2), (client, 3), (fault, 2), (port, 5), (sm_in_tpc, 2), id, (half, 1), lanes, bytes, origin,
             virtual_address, data);
};

/// A line that a constant or instruction cache requests from the next level (virtual address, aligned to `bytes`).
struct LineRequest {
  bool valid = false;
  MemClient client = MemClient::kInstruction;  // kInstruction or kConstant
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t tpc = 0;
  std::uint8_t id = 0;  // requester's MSHR
  std::uint8_t bytes = 64;
  std::uint32_t address = 0;
  Origin origin;
  G80_FIELDS(valid, (client, 3), (sm_in_tpc, 2), (tpc, 4), id, bytes, address, origin);
};
struct LineReply {
  bool valid = false;
  MemClient client = MemClient::kInstruction;
  MemFault fault = MemFault::kNone;
  std::uint8_t sm_in_tpc = 0;
  std::uint8_t tpc = 0;
  std::uint8_t id = 0;
  std::uint32_t address = 0;
  Origin origin;
  std::array<std::uint32_t, kMaxTransactionBytes / 4> data{};
  G80_FIELDS(valid, (client, 3), (fault, 2), (sm_in_tpc, 2), (tpc, 4), id, address, origin, data);
};

}  // namespace g80

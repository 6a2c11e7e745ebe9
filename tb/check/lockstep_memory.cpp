// SPDX-License-Identifier: Apache-2.0
// Device memory: accesses that leave an SM, their transactions, and the bytes that partitions read and write.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/common/set_bits.h"
#include "hw/host/copy_engine.h"
#include "tb/check/lockstep_state.h"

namespace g80 {

using golden::AccessKind;
using golden::MemoryAccess;
using golden::PortStatus;

namespace {

/// A key that is unique among the transactions of all partitions and the host port.
std::uint64_t reading_key(std::uint64_t number, unsigned partition) {
  return number * (kMaxPartitions + 1) + partition;
}

constexpr unsigned kTexelBlock = 256;  // bytes: no two allocations share one
constexpr unsigned kEnables = 64;      // bytes that a word of byte enables is for

/// `count` bits, at most 64.
std::uint64_t ones(unsigned count) { return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0}; }

/// Calls f(first, bits) for each 64 bytes of a transaction with the enables of those that belong to it.
template <class F>
void for_enables(const PerformEvent& event, F&& f) {
  for (unsigned first = 0; first < event.bytes; first += kEnables) {
    f(first, event.byte_enable[first / kEnables] & ones(event.bytes - first));
  }
}

}  // namespace

PortStatus LockStep::Port::global(MemoryAccess& access, unsigned& /*fault_lane*/) {
  const std::uint32_t tag = issue_.tag.bits;
  auto found = owner_.expected_.find(tag);
  if (found == owner_.expected_.end()) {
    owner_.compare_access_operands(sm_, issue_, access, operands_);
    if (access.lanes == 0) return PortStatus::kDone;
    owner_.settle(tag, owner_.expect(sm_, issue_, access));
    found = owner_.expected_.find(tag);
  }
  Expected& expected = found->second;
  if (!expected.reads()) {
    if (expected.is_done()) owner_.expected_.erase(found);
    return PortStatus::kDone;
  }
  if (!expected.is_done()) return PortStatus::kNotReady;
  for (unsigned word = 0; word < access.words(); ++word) access.data[word] = expected.access.data[word];
  owner_.expected_.erase(found);
  return PortStatus::kDone;
}

bool LockStep::Port::texture_read(std::uint32_t address, unsigned bytes, void* out) {
  std::memcpy(out, owner_.image_.at(address), bytes);
  owner_.texels_.insert({address / kTexelBlock, (address + bytes - 1) / kTexelBlock});
  return true;
}

/// Texture caches do not see what the launch writes: a fetch gives the bytes before or behind.
bool LockStep::may_texels_be_stale() const {
  return std::any_of(rewritten_.begin(), rewritten_.end(), [this](std::uint32_t b) { return texels_.count(b) != 0; });
}

LockStep::Expected& LockStep::expect(Sm& sm, const SmLog::Issue& issue, const MemoryAccess& access) {
  Expected& expected = expected_[issue.tag.bits];
  expected.access = access;
  expected.unsent = expected.remaining = access.lanes;
  expected.where = where_of(sm, issue);
  if (expected.reads()) {
    for (unsigned word = 0; word < access.words(); ++word) expected.access.data[word] = {};
  }
  return expected;
}

// Checks what the model did for the instruction before the reference executed it.
void LockStep::settle(std::uint32_t tag, Expected& expected) {
  if (const auto early = sent_.find(tag); early != sent_.end()) {
    for (const SmLog::Access& access : early->second) check_sent(expected, access);
    sent_.erase(early);
  }
  if (const auto early = performed_.find(tag); early != performed_.end()) {
    for (const Transaction& transaction : early->second)
      check_transaction(expected, transaction.event, transaction.image);
    performed_.erase(early);
  }
}

// --- From the address unit

void LockStep::sent(Sm& sm, const SmLog::Access& access) {
  const auto found = expected_.find(access.tag.bits);
  if (found == expected_.end()) {
    sent_[access.tag.bits].push_back(access);
    return;
  }
  Expected& expected = found->second;
  check_sent(expected, access);
  if (expected.is_done()) finish_access(sm, access.tag.bits, expected);
}

/// The model has done all of an access: the reference may go on with what it read.
void LockStep::finish_access(Sm& sm, std::uint32_t tag, const Expected& expected) {
  if (expected.reads()) {
    advance(sm, expected.where.warp);
  } else {
    expected_.erase(tag);
  }
}

void LockStep::check_sent(Expected& expected, const SmLog::Access& access) {
  Where where = expected.where;
  where.cycle = access.cycle;
  const auto fail = [&](const std::string& what, const char* reason) {
    differ(where, what, sms_[where.sm]->block("address_unit"), reason);
  };
  const LaneMask lanes = LaneMask{access.lanes} << (kHalfWarp * access.half);
  if ((lanes & ~expected.unsent) != 0) {
    fail(fmt::format("lanes {:08x} leave the SM, expected {:08x}", lanes,
                     expected.unsent & 0xffffu << (kHalfWarp * access.half)),
         "inactive lanes, or lanes that already accessed");
  }
  const bool store = expected.access.kind == AccessKind::kStore;
  const std::uint32_t mask = mask_of(std::min<unsigned>(expected.access.bytes, 4));
  for (const unsigned lane : set_bits(lanes)) {
    const unsigned l = lane % kHalfWarp;
    if (access.address[l] != expected.access.address[lane]) {
      fail(fmt::format("lane {}: the SM sends address 0x{:x}, expected 0x{:x}", lane, access.address[l],
                       expected.access.address[lane]),
           "the address operand is correct");
    }
    if (store && ((access.data[l] ^ expected.access.data[0][lane]) & mask) != 0) {
      fail(fmt::format("lane {}: the SM sends data 0x{:x}, expected 0x{:x}", lane, access.data[l] & mask,
                       expected.access.data[0][lane] & mask),
           "the data operand is correct");
    }
  }
  expected.unsent &= ~lanes;
}

// --- At the partitions

void LockStep::apply_atomic(const PerformEvent& event) {
  const unsigned at = event.byte_enable[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(event.byte_enable[0])) : 0;
  std::uint8_t* const memory = image_.at(event.virtual_address + at);
  if (event.atom_bytes == 8) {
    std::uint64_t old_value;
    std::memcpy(&old_value, memory, 8);
    const std::uint64_t value = golden::atomic64(event.atom_op, old_value, event.b, event.c);
    std::memcpy(memory, &value, 8);
  } else {
    std::uint32_t old_value;
    std::memcpy(&old_value, memory, 4);
    const std::uint32_t value =
        golden::atomic32(event.atom_op, event.atom_signed, old_value, static_cast<std::uint32_t>(event.b),
                         static_cast<std::uint32_t>(event.c));
    std::memcpy(memory, &value, 4);
  }
}

// Requires that DRAM returns the bytes that the earlier transactions wrote.
void LockStep::check_bytes_read(const ReturnEvent& returned, unsigned partition) {
  const auto found = being_read_.find(reading_key(returned.number, partition));
  if (found == being_read_.end()) return;  // not checked: see perform()
  const PerformEvent& event = found->second.event;
  const std::uint8_t* const image = found->second.image;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(returned.data);
  const bool atomic = event.op != MemOp::kRead;
  const unsigned at =
      atomic && event.byte_enable[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(event.byte_enable[0])) : 0;
  const unsigned bytes = atomic ? event.atom_bytes : event.bytes;
  if (std::memcmp(data, image + at, bytes) == 0) {
    being_read_.erase(found);
    return;
  }
  unsigned wrong = 0;
  while (data[wrong] == image[at + wrong]) ++wrong;
  const Where where{
      event.origin.sm, event.origin.warp, shader_cycle(gpu_.core.edge_time(event.edge)), event.origin.pc, 0, 0};
  differ(
      where,
      fmt::format("partition {}: byte 0x{:x} of a transaction of {} bytes at 0x{:x} ({}) was read as 0x{:02x}, "
                  "expected 0x{:02x}",
                  partition, event.virtual_address + at + wrong, event.bytes, event.virtual_address,
                  enum_text(event.client).names[static_cast<unsigned>(event.client)], data[wrong], image[at + wrong]),
      partition < gpu_.channels.size() ? gpu_.channels[partition]->controller.name() : gpu_.host_port.name(),
      "data path: the last written value does not come back");
}

void LockStep::write_image(const PerformEvent& event) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(event.data);
  std::uint8_t* memory = image_.at(event.virtual_address);
  for_enables(event, [&](unsigned first, std::uint64_t enables) {
    const unsigned count = std::min(event.bytes - first, kEnables);
    if (enables == ones(count)) {
      std::memcpy(memory + first, data + first, count);
    } else {
      for (const unsigned byte : set_bits(enables)) memory[first + byte] = data[first + byte];
    }
  });
}

void LockStep::begin_copy(std::uint32_t number, std::uint32_t physical, std::uint32_t address, std::uint32_t bytes) {
  Copy& copy = copies_[Tag::make(kNoSm, number).bits] = {address - physical, 0};
  // The host's side begins at a page: HostMemory::pin().
  for (std::uint32_t done = 0; done < bytes; ++copy.pieces) {
    done += first_link_piece(physical + done, done, bytes - done).count;
  }
}

// The driver mirrors the other copies into the image, because they run on an idle machine.
void LockStep::perform_copy(const PerformEvent& event, unsigned partition) {
  const auto found = copies_.find(event.origin.tag.bits);
  if (found == copies_.end()) return;
  PerformEvent piece = event;
  piece.virtual_address += found->second.to_virtual;
  if (piece.op == MemOp::kWrite) {
    write_image(piece);
  } else {
    begin_read(piece, partition);
  }
  if (--found->second.pieces == 0) copies_.erase(found);
}

// The bytes that a transaction reads must come back. Returns them.
const std::uint8_t* LockStep::begin_read(const PerformEvent& event, unsigned partition) {
  Transaction& read = being_read_[reading_key(event.number, partition)];
  read.event = event;
  std::memcpy(read.image, image_.at(event.virtual_address), event.bytes);
  return read.image;
}

void LockStep::perform(const PerformEvent& event, unsigned partition) {
  // The image has no l[] and no control stacks, because they are private to a thread or warp: loads from l[] are
  // compared when they retire, stack entries when lanes return with them. Page walks have physical addresses.
  switch (event.client) {
    case MemClient::kLocal:
    case MemClient::kStack:
    case MemClient::kPageTable: return;
    case MemClient::kCopy: return perform_copy(event, partition);
    default: break;
  }
  const bool writes = event.op == MemOp::kWrite;
  const std::uint8_t* const image = writes ? image_.at(event.virtual_address) : begin_read(event, partition);
  if (event.client != MemClient::kGlobal) return;
  ++counters_.transactions;
  if (event.op != MemOp::kRead && !texels_.empty()) rewritten_.insert(event.virtual_address / kTexelBlock);
  if (writes) {
    write_image(event);
  } else if (event.op != MemOp::kRead) {
    apply_atomic(event);
  }
  const auto found = expected_.find(event.origin.tag.bits);
  if (found == expected_.end()) {
    Transaction& early = performed_[event.origin.tag.bits].emplace_back();
    early.event = event;
    std::memcpy(early.image, image, event.bytes);
    return;
  }
  Expected& expected = found->second;
  check_transaction(expected, event, image);
  if (expected.is_done()) finish_access(*sms_[expected.where.sm], event.origin.tag.bits, expected);
}

// Requires that each lane of a transaction accesses bytes inside it, and that no earlier transaction served the lane.
// Gives loads and atomics their data, from `image`: the reference's bytes before the transaction, if it reads.
void LockStep::check_transaction(Expected& expected, const PerformEvent& event, const std::uint8_t* image) {
  MemoryAccess& access = expected.access;
  Where where = expected.where;
  where.cycle = shader_cycle(gpu_.core.edge_time(event.edge));
  const std::string& coalescer = sms_[where.sm]->coalescer;
  const bool atomic = access.kind == AccessKind::kReduce || access.kind == AccessKind::kAtomic;
  for (const unsigned lane : set_bits(LaneMask{event.lanes} << (kHalfWarp * event.half))) {
    if ((expected.remaining >> lane & 1) == 0) {
      differ(where,
             fmt::format("lane {} was served at 0x{:x}, expected {}", lane, event.virtual_address,
                         (access.lanes >> lane & 1) != 0 ? "one service" : "no access of this lane"),
             coalescer, "lanes of the transaction");
    }
    const std::uint32_t at = access.address[lane] - event.virtual_address;
    if (at >= event.bytes || event.bytes - at < access.bytes) {
      differ(where,
             fmt::format("lane {} was served from 0x{:x}..0x{:x}, its address is 0x{:x}", lane, event.virtual_address,
                         event.virtual_address + event.bytes - 1, access.address[lane]),
             coalescer, "the SM sent the correct address; the transaction does not cover it");
    }
    if (atomic) {
      const std::uint64_t b = access.b[0][lane] | std::uint64_t{access.b[1][lane]} << 32;
      const std::uint64_t mask = access.bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
      if ((event.b & mask) != (b & mask) || event.atom_op != access.atom_op) {
        differ(where,
               fmt::format("lane {}: the partition performed operation {} with operand 0x{:x}, expected {} with 0x{:x}",
                           lane, event.atom_op, event.b & mask, access.atom_op, b & mask),
               coalescer, "or the path from there to the partition");
      }
    } else if (access.kind == AccessKind::kStore) {
      check_store(where, expected, event, lane);
    }
    if (expected.reads()) {
      for (unsigned byte = 0; byte < access.bytes; byte += 4) {
        access.data[byte / 4][lane] = word_of(&image[at + byte], std::min(4u, access.bytes - byte));
      }
    }
    expected.remaining &= ~(LaneMask{1} << lane);
  }
  if (access.kind == AccessKind::kStore) check_stray_bytes(where, expected, event);
}

void LockStep::check_store(const Where& where, Expected& expected, const PerformEvent& event, unsigned lane) {
  const MemoryAccess& access = expected.access;
  const std::uint32_t at = access.address[lane] - event.virtual_address;  // aligned: in one word of the enables
  const std::uint64_t missing = ~(event.byte_enable[at / kEnables] >> at % kEnables) & ones(access.bytes);
  if (missing == 0) return;
  differ(where, fmt::format("lane {}: byte {} was not stored", lane, __builtin_ctzll(missing)),
         sms_[where.sm]->coalescer, "byte enables of the transaction");
}

// Requires that each stored byte comes from a lane of the transaction. If several lanes store to a byte, any may win.
void LockStep::check_stray_bytes(const Where& where, const Expected& expected, const PerformEvent& event) {
  const MemoryAccess& access = expected.access;
  const auto* data = reinterpret_cast<const std::uint8_t*>(event.data);
  std::uint64_t explained[2] = {0, 0};
  for (const unsigned lane : set_bits(LaneMask{event.lanes} << (kHalfWarp * event.half))) {
    const std::uint32_t at = access.address[lane] - event.virtual_address;
    for (unsigned byte = 0; byte < access.bytes; byte += 4) {
      const unsigned i = at + byte, count = std::min(4u, access.bytes - byte);
      const std::uint32_t wrong = (word_of(&data[i], count) ^ access.data[byte / 4][lane]) & mask_of(count);
      std::uint64_t right = ones(count);
      for (unsigned k = 0; wrong != 0 && k < count; ++k) {
        if ((wrong >> (8 * k) & 0xff) != 0) right &= ~(std::uint64_t{1} << k);
      }
      explained[i / kEnables] |= right << i % kEnables;
    }
  }
  for_enables(event, [&](unsigned first, std::uint64_t enables) {
    const std::uint64_t stray = enables & ~explained[first / kEnables];
    if (stray == 0) return;
    const unsigned byte = first + static_cast<unsigned>(__builtin_ctzll(stray));
    differ(where,
           fmt::format("0x{:02x} was stored at 0x{:x}, but no lane stores there", data[byte],
                       event.virtual_address + byte),
           sms_[where.sm]->coalescer, "the SM sent the correct data");
  });
}

}  // namespace g80

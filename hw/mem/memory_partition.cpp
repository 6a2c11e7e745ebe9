// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/memory_partition.h"

#include <algorithm>
#include <cstring>

#include "hw/common/copy_usual.h"
#include "hw/mem/address_map.h"

namespace g80 {
namespace {

// `count` bits (32 or 64) of a 128-bit byte enable, from bit `first` on, a multiple of `count`.
std::uint64_t enables(const std::array<std::uint64_t, 2>& mask, unsigned first, unsigned count) {
  const std::uint64_t bits = mask[first / 64] >> first % 64;
  return count == 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
}

template <class Words>
const std::uint8_t* bytes_of(const Words& words) {
  return reinterpret_cast<const std::uint8_t*>(words.data());
}
template <class Words>
std::uint8_t* bytes_of(Words& words) {
  return reinterpret_cast<std::uint8_t*>(words.data());
}

}  // namespace

MemoryPartition::MemoryPartition(const sc_core::sc_module_name& name, const Config& config, PartitionLog* log)
    : Clocked(name),
      bytes_(AddressMap(config).partition_bytes()),
      burst_bytes_(config.dram.burst_bytes),
      cycles_per_transaction_(config.partition.cycles_per_transaction),
      // One slot for each transaction that the controller can reorder, one for each register on the way of the replies,
      // and `queue` more for those in transit.
      num_slots_(std::min(kMaxSlots, config.dram.window + config.partition.queue + config.partition.reply_latency)),
      log_(log),
      // What comes at an edge may start at the next one, plus one for each register.
      queue_(*this, "queue", config.partition.request_latency + 1,
             config.partition.queue + config.partition.request_latency),
      slots_(*this, "slots", num_slots_),
      free_slots_(*this, "free_slots", num_slots_),
      done_slots_(*this, "done_slots", std::max(1u, config.partition.reply_latency), num_slots_) {
  dram_o.wake_for_room(RoomWake::kNever);
}

void MemoryPartition::reset() {
  queue_.clear();
  free_slots_.clear();
  for (unsigned i = 0; i < num_slots_; ++i) free_slots_.push(static_cast<std::uint8_t>(i));
  slots_.awaited.assign(num_slots_, {});
  rop_ = AtomicUnit{};
  done_slots_.clear();
  counters_ = {};
}

void MemoryPartition::fill_free_slots(FieldEditor& filler) {
  for (unsigned i = 0; i < free_slots_.size(); ++i) {
    filler.fill(slots_.headers[free_slots_.at(i)]);
    filler.fill(slots_.data[free_slots_.at(i)]);
  }
}

void MemoryPartition::next() {
  queue_.step_to(edge());
  done_slots_.step_to(edge());
  if (q_.start_wait != 0) --d_.start_wait;
  if (q_.reply_offered && reply_ready_i.read()) take_reply();
  const bool wrote_back = run_rop();
  read_row();
  const bool came = dram_i->available();
  if (came) collect();
  if (!wrote_back && queue_.arrived()) dispatch();  // one burst a cycle to DRAM
  const MemRequest& request = request_i.read();
  if (request.valid && q_.ready) {
    CHECK((request.bytes == 32 || request.bytes == 64 || request.bytes == 128) && request.address % request.bytes == 0,
          "{}: a transaction of {} bytes at 0x{:x} has a wrong size or alignment", name(), request.bytes,
          request.address);
    queue_.push(request);
  }
  d_.ready = !queue_.full();
  d_.idle = queue_.empty() && free_slots_.size() == num_slots_ && rop_.empty() && d_.writing == 0;
  const bool replies = d_.reply_offered ? reply_ready_i.read() : done_slots_.arrived();
  const bool comes = came && dram_i->available();
  if (replies || d_.start_wait != 0 || rop_.works() || comes || queue_.arrived() || d_.ready != q_.ready) return;
  sleep();
  Cycle again = kNever;
  if (queue_.moving()) again = queue_.next_arrival(edge());
  if (done_slots_.moving()) again = std::min(again, done_slots_.next_arrival(edge()));
  if (again != kNever) run_at(again);
}

void MemoryPartition::drive() {
  request_ready_o.write(q_.ready);
  idle_o.write(q_.idle);
  if (!redrive_) return;
  redrive_ = false;
  reply_o.renew_by([this](MemReply& reply) {
    reply.valid = q_.reply_offered;
    if (!q_.reply_offered || q_.reply_slot >= slots_.headers.size()) return;
    const Slots::Header& header = slots_.headers[q_.reply_slot];
    set_header(reply, header.reply);
    if (is_atomic(header.reply.op)) reply.data[1] = 0;
    const unsigned bytes = std::min<unsigned>(header.bytes, sizeof(Row) - header.place);
    copy_usual<kSectorBytes>(bytes_of(slots_.data[q_.reply_slot]) + header.place, bytes, bytes_of(reply.data));
  });
}

G80_INLINE void MemoryPartition::take_reply() {
  free(q_.reply_slot);
  d_.reply_offered = false;
  redrive_ = true;
}

// The read port of `headers` and `data`. A reply stays at the outputs until it is taken.
G80_INLINE void MemoryPartition::read_row() {
  if (d_.reply_offered || !done_slots_.arrived()) return;
  const std::uint8_t slot = done_slots_.front();
  done_slots_.pop();
  if (rop_.stage == AtomicStage::kWaits && slot == rop_.slot) {
    rop_.stage = AtomicStage::kTakes;
    if (!rop_.replies) return;
  }
  d_.reply_offered = true;
  d_.reply_slot = slot;
  redrive_ = true;
}

// Accepts one reply of DRAM: the data of a read burst or the end of a written one.
G80_INLINE void MemoryPartition::collect() {
  const DramReply& burst = dram_i->front();
  if (burst.write) {
    CHECK(d_.writing != 0, "{}: DRAM ended a write, but none was sent", name());
    --d_.writing;
    if (burst.slot == kAtomicSlot) rop_.stage = AtomicStage::kEmpty;
    dram_i->pop();
    return;
  }
  CHECK(burst.slot < slots_.awaited.size() && (slots_.awaited[burst.slot] >> burst.burst & 1) != 0,
        "{}: DRAM sent burst {} for slot {}, which does not wait for it", name(), burst.burst, burst.slot);
  std::uint8_t* to = bytes_of(slots_.data[burst.slot]) + burst.burst * burst_bytes_;
  std::memcpy(to, burst.data.data(), kSectorBytes);
  if (burst_bytes_ != kSectorBytes)
    std::memcpy(to + kSectorBytes, bytes_of(burst.data) + kSectorBytes, kMaxBurstBytes - kSectorBytes);
  slots_.awaited[burst.slot] &= static_cast<std::uint8_t>(~(1u << burst.burst));
  if (slots_.awaited[burst.slot] == 0) {
    done_slots_.push(burst.slot);
    const bool is_of_atomic = rop_.stage == AtomicStage::kWaits && burst.slot == rop_.slot;
    if (log_ != nullptr && !is_of_atomic) {
      const Slots::Header& header = slots_.headers[burst.slot];
      log_->give_back(burst.slot, bytes_of(slots_.data[burst.slot]) + header.place, header.bytes);
    }
  }
  dram_i->pop();
}

void MemoryPartition::free(std::uint8_t slot) {
  CHECK(slot < num_slots_, "{}: slot {} of {} ended", name(), slot, num_slots_);
  free_slots_.push(slot);
}

// A stage of the atomic unit. True if a burst went to DRAM.
G80_INLINE bool MemoryPartition::run_rop() {
  switch (rop_.stage) {
    case AtomicStage::kEmpty:
    case AtomicStage::kWaits:
    case AtomicStage::kEnds: return false;
    case AtomicStage::kTakes:
      take_word();
      rop_.stage = AtomicStage::kAdds;
      return false;
    case AtomicStage::kAdds:
      rop_.sums = atomic_sums(rop_.atomic, rop_.old_value);
      rop_.stage = AtomicStage::kWrites;
      return false;
    case AtomicStage::kWrites: break;
  }
  if (!dram_o->can_push()) return false;
  write_back();
  rop_.stage = AtomicStage::kEnds;
  return true;
}

// From the outputs of the memory.
void MemoryPartition::take_word() {
  const unsigned bytes = rop_.atomic.wide ? 8 : 4;
  CHECK(rop_.slot < slots_.data.size() && rop_.place + bytes <= kMaxBurstBytes,
        "{}: an atomic on byte {} of the burst in slot {}", name(), rop_.place, rop_.slot);
  std::memcpy(&rop_.old_value, bytes_of(slots_.data[rop_.slot]) + rop_.place, bytes);
  if (log_ != nullptr) log_->give_back(rop_.slot, &rop_.old_value, bytes);
  if (!rop_.replies) free(rop_.slot);
}

void MemoryPartition::write_back() {
  CHECK(rop_.stage == AtomicStage::kWrites, "{}: the atomic unit wrote back in stage {}", name(),
        static_cast<unsigned>(rop_.stage));
  const std::uint64_t new_value = atomic_result(rop_.atomic, rop_.old_value, rop_.sums);
  const unsigned bytes = rop_.atomic.wide ? 8 : 4;
  DramRequest write;
  write.write = true;
  write.slot = kAtomicSlot;
  write.tag = rop_.tag;
  write.local = rop_.burst;
  write.byte_enable = ((std::uint64_t{1} << bytes) - 1) << rop_.place;
  std::memcpy(bytes_of(write.data) + rop_.place, &new_value, bytes);
  dram_o->push(write);
  ++d_.writing;
}

// Sends the next burst of the front transaction if it need not wait.
G80_INLINE void MemoryPartition::dispatch() {
  const MemRequest& request = queue_.front();
  if (q_.sent == 0 && !may_start(request)) return;
  if (!dram_o->can_push()) {
    ++counters_.dram_stalls;
    return;
  }
  if (q_.sent == 0) start(request);
  send_burst(request);
}

G80_INLINE bool MemoryPartition::may_start(const MemRequest& request) {
  if (q_.start_wait != 0) return false;
  CHECK(request.address < bytes_, "{}: address {:#x} of a partition of {} bytes", name(), request.address, bytes_);
  if (is_atomic(request.op) ? !rop_.empty() : rop_.holds(request.address, request.bytes, burst_bytes_)) {
    ++counters_.atomic_stalls;
    return false;
  }
  if (request.op != MemOp::kWrite && free_slots_.empty()) {
    ++counters_.slot_stalls;
    return false;
  }
  return true;
}

// Starts a transaction. This fixes its place in the order in which the partition performs accesses.
G80_INLINE void MemoryPartition::start(const MemRequest& request) {
  d_.start_wait = static_cast<std::uint8_t>(cycles_per_transaction_ - 1);
  if (request.op == MemOp::kWrite) {
    if (log_ != nullptr) log_->perform(request, edge());
    ++counters_.writes;
    counters_.bytes_written += request.bytes;
    return;
  }
  d_.slot = free_slots_.front();
  free_slots_.pop();
  const unsigned offset = request.address & (burst_bytes_ - 1);
  unsigned place = offset;
  if (request.op == MemOp::kRead) {
    ++counters_.reads;
    counters_.bytes_read += request.bytes;
  } else {
    CHECK(request.bytes == kSectorBytes && request.byte_enable[0] != 0,
          "{}: an atomic of {} bytes with byte enables {:#x} is not one sector", name(), request.bytes,
          request.byte_enable[0]);
    place += static_cast<unsigned>(__builtin_ctzll(request.byte_enable[0]));
    start_atomic(request, place);
  }
  Slots::Header& header = slots_.headers[d_.slot];
  header.reply = header_of(request);
  header.place = static_cast<std::uint8_t>(place);
  header.bytes = request.op == MemOp::kRead ? request.bytes : request.atom_bytes;
  const unsigned bursts = std::max(1u, request.bytes / burst_bytes_);
  slots_.awaited[d_.slot] = static_cast<std::uint8_t>((1u << bursts) - 1);
  if (log_ != nullptr) log_->perform(request, edge(), d_.slot);
}

void MemoryPartition::start_atomic(const MemRequest& request, unsigned place) {
  ++(request.op == MemOp::kAtomic ? counters_.atomics : counters_.reductions);
  CHECK(request.atom_bytes == 4 || request.atom_bytes == 8, "{}: an atomic on {} bytes, not 4 or 8", name(),
        request.atom_bytes);
  rop_.stage = AtomicStage::kWaits;
  rop_.replies = request.op == MemOp::kAtomic;
  rop_.slot = d_.slot;
  rop_.place = static_cast<std::uint8_t>(place);
  rop_.burst = request.address & ~(burst_bytes_ - 1);
  rop_.tag = request.origin.tag;
  rop_.atomic = {request.atom_op, request.atom_signed, request.atom_bytes == 8,
                 request.data[0] | std::uint64_t{request.data[1]} << 32,
                 request.data[2] | std::uint64_t{request.data[3]} << 32};
}

G80_INLINE void MemoryPartition::send_burst(const MemRequest& request) {
  const bool write = request.op == MemOp::kWrite;
  const std::uint32_t first_burst = request.address & ~(burst_bytes_ - 1);
  dram_o->push_by([&](DramRequest& burst) {
    burst = {};
    burst.write = write;
    burst.slot = write ? kWriteSlot : d_.slot;
    burst.burst = q_.sent;
    burst.tag = request.origin.tag;
    burst.local = first_burst + q_.sent * burst_bytes_;
    if (!write) return;
    // A transaction is aligned to its size: it is a part of one burst or so many whole ones.
    const unsigned from = q_.sent * burst_bytes_, count = std::min<unsigned>(burst_bytes_, request.bytes);
    const unsigned offset = request.address & (burst_bytes_ - count);
    copy_usual<kSectorBytes>(bytes_of(request.data) + from, count, bytes_of(burst.data) + offset);
    burst.byte_enable = enables(request.byte_enable, from, count) << offset;
  });
  d_.writing = static_cast<std::uint16_t>(d_.writing + write);
  d_.sent = static_cast<std::uint8_t>(q_.sent + 1);
  if (d_.sent * burst_bytes_ >= request.bytes) {
    d_.sent = 0;
    queue_.pop();
  }
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/mem/memory_partition.h"

#include <algorithm>
#include <cstring>

#include "hw/bundles/reply_to.h"
#include "hw/mem/address_map.h"
#include "hw/mem/atomic_unit.h"

namespace g80 {
namespace {

// `count` (at most 64) bits of a 128-bit byte enable, from bit `first` on.
std::uint64_t enables(const std::array<std::uint64_t, 2>& mask, unsigned first, unsigned count) {
  std::uint64_t bits = mask[first / 64] >> first % 64;
  if (first % 64 != 0 && first < 64) bits |= mask[1] << (64 - first % 64);
  return count == 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

MemoryPartition::MemoryPartition(const sc_core::sc_module_name& name, const Config& config, PartitionLog* log)
    : Clocked(name),
      bytes_(AddressMap(config).partition_bytes()),
      burst_bytes_(config.dram.burst_bytes),
      cycles_per_transaction_(config.partition.cycles_per_transaction),
      atomic_cycles_(config.partition.atomic_cycles),
      // One slot for each transaction that the controller can reorder, one for each register on the way of the replies,
      // and `queue` more for those in transit.
      num_slots_(std::min(kMaxSlots, config.dram.window + config.partition.queue + config.partition.reply_latency)),
      log_(log),
      // What comes at an edge may start at the next one, plus one for each register.
      queue_(*this, "queue", config.partition.request_latency + 1,
             config.partition.queue + config.partition.request_latency),
      slots_(num_slots_),
      free_slots_(*this, "free_slots", num_slots_),
      rop_queue_(*this, "rop_queue", num_slots_),
      done_slots_(*this, "done_slots", config.partition.reply_latency, num_slots_) {
  dram_o.wake_for_room(RoomWake::kNever);
}

void MemoryPartition::reset() {
  queue_.clear();
  free_slots_.clear();
  for (unsigned slot = 0; slot < num_slots_; ++slot) free_slots_.push(static_cast<std::uint8_t>(slot));
  done_slots_.clear();
  rop_queue_.clear();
  num_atomics_ = 0;
  writes_under_way_ = 0;
  logged_ = 0;
  counters_ = {};
}

void MemoryPartition::next() {
  queue_.step_to(edge());
  done_slots_.step_to(edge());
  done_ = false;
  if (q_.reply_offered && reply_ready_i.read()) take_reply();
  collect();
  if (!run_rop()) dispatch();  // one burst a cycle to DRAM
  const MemRequest& request = request_i.read();
  if (request.valid && q_.ready) {
    CHECK((request.bytes == 32 || request.bytes == 64 || request.bytes == 128) && request.address % request.bytes == 0,
          "{}: a transaction of {} bytes at 0x{:x} has a wrong size or alignment", name(), request.bytes,
          request.address);
    queue_.push(request);
  }
  d_.ready = !queue_.full();
  d_.queued = static_cast<std::uint8_t>(queue_.size());
  d_.reply_offered = done_slots_.arrived();
  d_.idle = queue_.empty() && free_slots_.size() == num_slots_ && writes_under_way_ == 0;
  const bool replies = (d_.reply_offered && reply_ready_i.read()) || dram_i->available();
  const bool in_turn = queue_.arrived() && (d_.sent != 0 || d_.start_from <= edge() + 1);
  if (replies || in_turn || d_.rop_busy || !rop_queue_.empty() || d_.ready != q_.ready) return;
  sleep();
  Cycle again = kNever;
  if (queue_.arrived()) again = d_.start_from;
  if (queue_.moving()) again = std::min(again, queue_.next_arrival());
  if (done_slots_.moving()) again = std::min(again, done_slots_.next_arrival());
  if (again != kNever) wake_at(again);
}

void MemoryPartition::drive() {
  request_ready_o.write(q_.ready);
  reply_o.offer(q_.reply_offered, slots_.at(q_.reply_offered ? done_slots_.front() : 0).reply);
  idle_o.write(q_.idle);
}

void MemoryPartition::take_reply() {
  free_slots_.push(done_slots_.front());
  done_slots_.pop();
}

// Accepts one reply of DRAM: the data of a read burst or the end of a written one.
void MemoryPartition::collect() {
  if (!dram_i->available()) return;
  const DramReply& burst = dram_i->front();
  if (burst.write) {
    CHECK(writes_under_way_ != 0, "{}: DRAM ended a write, but none was sent", name());
    --writes_under_way_;
    dram_i->pop();
    return;
  }
  CHECK(burst.slot < num_slots_ && slots_[burst.slot].bursts_left != 0,
        "{}: DRAM sent data for slot {}, which waits for none", name(), burst.slot);
  Slot& slot = slots_[burst.slot];
  CHECK(burst.burst == 0 ||
            (burst.burst * burst_bytes_ > slot.offset && burst.burst * burst_bytes_ - slot.offset < slot.reply.bytes),
        "{}: DRAM sent burst {} of a transaction of {} bytes", name(), burst.burst, slot.reply.bytes);
  const unsigned from = burst.burst == 0 ? slot.offset : 0;                             // inside the burst
  const unsigned to = burst.burst == 0 ? 0 : burst.burst * burst_bytes_ - slot.offset;  // inside the transaction
  const unsigned count = std::min<unsigned>(burst_bytes_ - from, slot.reply.bytes - to);
  std::memcpy(reinterpret_cast<std::uint8_t*>(slot.reply.data.data()) + to,
              reinterpret_cast<const std::uint8_t*>(burst.data.data()) + from, count);
  if (--slot.bursts_left == 0) {
    if (is_atomic(slot.reply.op)) {
      rop_queue_.push(burst.slot);
    } else {
      if (log_ != nullptr) log_data(slot, slot.reply.bytes / 4u);
      finish(burst.slot);
    }
  }
  dram_i->pop();
}

// The atomic unit (ROP): finishes its atomic and takes the next. True if it sent a burst to DRAM.
bool MemoryPartition::run_rop() {
  bool wrote_back = false;
  if (q_.rop_busy && edge() >= q_.rop_done && dram_o->can_push() && !done_) {
    finish_atomic(q_.rop_slot);
    d_.rop_busy = false;
    wrote_back = true;
  }
  if (!d_.rop_busy && !rop_queue_.empty()) {
    d_.rop_busy = true;
    d_.rop_slot = rop_queue_.front();
    d_.rop_done = edge() + atomic_cycles_;
    rop_queue_.pop();
  }
  return wrote_back;
}

void MemoryPartition::finish_atomic(unsigned number) {
  CHECK(number < num_slots_, "{}: the atomic unit works on slot {}, but there are {}", name(), number, num_slots_);
  Slot& slot = slots_[number];
  auto* word = reinterpret_cast<std::uint8_t*>(slot.reply.data.data()) + slot.word;
  std::uint64_t old_value = 0;
  std::memcpy(&old_value, word, slot.atom_bytes);
  const std::uint64_t new_value =
      perform_atomic(slot.atom_op, slot.atom_signed, slot.atom_bytes, old_value, slot.b, slot.c);

  DramRequest write;
  write.write = true;
  write.tag = slot.reply.origin.tag;
  write.local = slot.first_burst;
  const unsigned in_burst = slot.offset + slot.word;
  write.byte_enable = ((std::uint64_t{1} << slot.atom_bytes) - 1) << in_burst;
  std::memcpy(reinterpret_cast<std::uint8_t*>(write.data.data()) + in_burst, &new_value, slot.atom_bytes);
  dram_o->push(write);
  ++writes_under_way_;

  slot.reply.data = {};
  std::memcpy(slot.reply.data.data(), &old_value, slot.atom_bytes);
  if (log_ != nullptr) log_data(slot, 2);
  const auto id = static_cast<std::uint8_t>(number);
  const auto end = atomics_.begin() + num_atomics_;
  const auto atomic = std::find(atomics_.begin(), end, id);
  CHECK(atomic != end, "{}: the atomic unit finished slot {}, which holds no atomic", name(), number);
  *atomic = atomics_[--num_atomics_];
  if (slot.reply.op == MemOp::kAtomic) {
    finish(id);
  } else {
    free_slots_.push(id);
  }
}

void MemoryPartition::finish(std::uint8_t slot) {
  done_slots_.push(slot);
  done_ = true;
}

// Sends the next burst of the front transaction if it need not wait.
void MemoryPartition::dispatch() {
  if (!queue_.arrived()) return;
  const MemRequest& request = queue_.front();
  if (q_.sent == 0 && !may_start(request)) return;
  if (!dram_o->can_push()) {
    ++counters_.dram_stalls;
    return;
  }
  if (q_.sent == 0) start(request);
  send_burst(request);
}

bool MemoryPartition::may_start(const MemRequest& request) {
  if (edge() < q_.start_from) return false;
  CHECK(request.address < bytes_, "{}: address {:#x} of a partition of {} bytes", name(), request.address, bytes_);
  if (num_atomics_ != 0) {
    for (unsigned byte = 0; byte < request.bytes; byte += kSectorBytes) {
      if (!sector_has_atomic(request.address + byte)) continue;
      ++counters_.atomic_stalls;
      return false;
    }
  }
  if (request.op != MemOp::kWrite && free_slots_.empty()) {
    ++counters_.slot_stalls;
    return false;
  }
  return true;
}

bool MemoryPartition::sector_has_atomic(std::uint32_t local) const {
  const std::uint32_t burst = local & ~(burst_bytes_ - 1);
  return std::any_of(atomics_.begin(), atomics_.begin() + num_atomics_,
                     [&](std::uint8_t slot) { return slots_[slot].first_burst == burst; });
}

// Starts a transaction. This fixes its place in the order in which the partition performs accesses.
void MemoryPartition::start(const MemRequest& request) {
  d_.start_from = edge() + cycles_per_transaction_;
  if (log_ != nullptr) log_start(request);
  if (request.op == MemOp::kWrite) {
    ++counters_.writes;
    counters_.bytes_written += request.bytes;
    return;
  }
  d_.slot = free_slots_.front();
  free_slots_.pop();
  Slot& slot = slots_[d_.slot];
  slot.reply = reply_to(request);
  slot.first_burst = request.address & ~(burst_bytes_ - 1);
  slot.offset = static_cast<std::uint8_t>(request.address - slot.first_burst);
  slot.bursts_left = static_cast<std::uint8_t>((slot.offset + request.bytes + burst_bytes_ - 1) / burst_bytes_);
  slot.log_number = logged_;
  if (request.op == MemOp::kRead) {
    ++counters_.reads;
    counters_.bytes_read += request.bytes;
    return;
  }
  ++(request.op == MemOp::kAtomic ? counters_.atomics : counters_.reductions);
  CHECK(request.bytes == kSectorBytes && request.byte_enable[0] != 0,
        "{}: an atomic of {} bytes with byte enables {:#x} is not one sector", name(), request.bytes,
        request.byte_enable[0]);
  CHECK(request.atom_bytes == 4 || request.atom_bytes == 8, "{}: an atomic on {} bytes, not 4 or 8", name(),
        request.atom_bytes);
  slot.word = static_cast<std::uint8_t>(__builtin_ctzll(request.byte_enable[0]));
  slot.atom_op = request.atom_op;
  slot.atom_bytes = request.atom_bytes;
  slot.atom_signed = request.atom_signed;
  slot.b = request.data[0] | std::uint64_t{request.data[1]} << 32;
  slot.c = request.data[2] | std::uint64_t{request.data[3]} << 32;
  CHECK(num_atomics_ < kMaxSlots, "{}: more than {} atomics", name(), kMaxSlots);
  atomics_[num_atomics_++] = d_.slot;
}

void MemoryPartition::send_burst(const MemRequest& request) {
  const bool write = request.op == MemOp::kWrite;
  const std::uint32_t first_burst = request.address & ~(burst_bytes_ - 1);
  const unsigned offset = request.address - first_burst;
  DramRequest burst;
  burst.write = write;
  burst.slot = d_.slot;
  burst.burst = q_.sent;
  burst.tag = request.origin.tag;
  burst.local = first_burst + q_.sent * burst_bytes_;
  if (write) {
    const unsigned to = q_.sent == 0 ? offset : 0;                             // inside the burst
    const unsigned from = q_.sent == 0 ? 0 : q_.sent * burst_bytes_ - offset;  // inside the transaction
    const unsigned count = std::min<unsigned>(burst_bytes_ - to, request.bytes - from);
    std::memcpy(reinterpret_cast<std::uint8_t*>(burst.data.data()) + to,
                reinterpret_cast<const std::uint8_t*>(request.data.data()) + from, count);
    burst.byte_enable = enables(request.byte_enable, from, count) << to;
    ++writes_under_way_;
  }
  dram_o->push(burst);
  d_.sent = static_cast<std::uint8_t>(q_.sent + 1);
  if ((q_.sent + 1) * burst_bytes_ >= offset + request.bytes) {
    d_.sent = 0;
    queue_.pop();
  }
}

void MemoryPartition::log_start(const MemRequest& request) {
  log_->performed.push_back(perform_event(request, ++logged_, sc_core::sc_time_stamp().value()));
}

void MemoryPartition::log_data(const Slot& slot, unsigned words) {
  ReturnEvent& event = log_->returned.emplace_back();
  event.number = slot.log_number;
  std::copy_n(slot.reply.data.begin(), words, event.data);
}

}  // namespace g80

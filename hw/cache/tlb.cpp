// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/tlb.h"

#include <algorithm>

#include "hw/bundles/reply_to.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {

std::uint64_t entry_at(const MemReply& reply, unsigned byte) {
  return reply.data[byte / 4] | std::uint64_t{reply.data[byte / 4 + 1]} << 32;
}

}  // namespace

Tlb::Tlb(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      reach_bytes_(config.tlb.reach_bytes),
      depth_(config.tlb.hit_latency + 2),
      num_walkers_(config.tlb.walkers),
      chunk_bytes_(std::max(kSectorBytes, config.tlb.reach_bytes / page_table::kPageBytes * page_table::kEntryBytes)),
      has_second_level_(config.tlb.l2_entries != 0),
      tags_({config.tlb.entries * config.tlb.reach_bytes, config.tlb.entries, config.tlb.reach_bytes,
             config.tlb.replacement}),
      reach_(config.tlb.entries),
      stages_(*this, "stages", config.tlb.hit_latency - 1) {
  CHECK(reach_bytes_ >= page_table::kPageBytes && reach_bytes_ <= TlbReach::kMaxPages * page_table::kPageBytes,
        "{}: a reach of {} bytes is not 1 to {} pages", this->name(), reach_bytes_, TlbReach::kMaxPages);
  CHECK(config.tlb.hit_latency >= 1 && config.tlb.hit_latency <= kMaxHitLatency,
        "{}: tlb.hit_latency = {} is not 1 to {}", this->name(), config.tlb.hit_latency, kMaxHitLatency);
}

void Tlb::reset() {
  tags_.invalidate_all();
  queue_.clear();
  stages_.clear();
  examined_ = 0;
  busy_ = to_send_ = 0;
  to_second_.clear();
  request_.reset();
  fault_.reset();
  question_.reset();
}

void Tlb::flush() {
  tags_.invalidate_all();
  for (const unsigned i : set_bits(busy_)) {
    if (to_send_ >> i & 1) {
      walker_[i].step = WalkStep::kReadDirectory;
    } else {
      walker_[i].restart = true;
    }
  }
  // The fills queued for the second level are stale. The second level itself drops one that it accepts at this edge.
  drop_fills(to_second_);
  if (question_->valid && question_->fill) question_.drop();
}

void Tlb::read_directory(unsigned walker) {
  walker_[walker].step = WalkStep::kReadDirectory;
  to_send_ |= 1u << walker;
}

/// Stores a walker's translations in the TLB and frees the walker.
void Tlb::keep(unsigned walker, const TlbReach& reach) {
  reach_[tags_.insert(walker_[walker].virtual_address)] = reach;
  busy_ &= ~(1u << walker);
}

/// Ends a page walk: both TLB levels store its translations.
void Tlb::finish_walk(unsigned walker, const TlbReach& reach) {
  keep(walker, reach);
  if (!has_second_level_) return;
  TlbQuestion fill;
  fill.valid = fill.fill = true;
  fill.virtual_address = walker_[walker].virtual_address;
  fill.origin = walker_[walker].origin;
  fill.reach = reach;
  to_second_.push(fill);
}

/// True if the second level answered.
bool Tlb::take_answer() {
  const TlbAnswer& answer = answer_i.read();
  if (!answer.valid) return false;
  CHECK(answer.walker < num_walkers_ && busy_ >> answer.walker & 1 &&
            walker_[answer.walker].step == WalkStep::kAnswerComes,
        "{}: the second level answered walker {}, which asked nothing", name(), answer.walker);
  Walker& walker = walker_[answer.walker];
  if (answer.hit && !walker.restart) {
    keep(answer.walker, answer.reach);
    return true;
  }
  // After a flush the second level is empty too.
  walker.restart = false;
  read_directory(answer.walker);
  ++counters_.walks;
  return true;
}

/// True if a reply came.
bool Tlb::take_walk_reply() {
  const MemReply& reply = walk_i.read();
  if (!reply.valid) return false;
  CHECK(reply.id < num_walkers_ && (busy_ & ~to_send_) >> reply.id & 1 &&
            walker_[reply.id].step != WalkStep::kAnswerComes,
        "{}: page table data came for walker {}, which reads nothing", name(), reply.id);
  Walker& walker = walker_[reply.id];
  TlbReach reach;
  if (walker.restart) {
    walker.restart = false;
    read_directory(reply.id);
  } else if (reply.fault != MemFault::kNone) {
    reach.unreadable = reply.fault;
    finish_walk(reply.id, reach);
  } else if (walker.step == WalkStep::kDirectoryComes) {
    const page_table::Entry table = page_table::decode_directory_entry(
        entry_at(reply, page_table::directory_offset(walker.virtual_address) % kSectorBytes));
    if (!table.present || table.address >= page_table::kHostBit) {
      if (table.present) reach.unreadable = MemFault::kBeyondMemory;
      finish_walk(reply.id, reach);
    } else {
      walker.table = static_cast<std::uint32_t>(table.address);
      walker.step = WalkStep::kReadTable;
      to_send_ |= 1u << reply.id;
    }
  } else {
    const std::uint32_t first = page_table::table_offset(walker.virtual_address / reach_bytes_ * reach_bytes_);
    for (unsigned i = 0; i < reach_bytes_ / page_table::kPageBytes; ++i) {
      reach.page[i] =
          page_table::decode_page_entry(entry_at(reply, first % chunk_bytes_ + i * page_table::kEntryBytes));
    }
    finish_walk(reply.id, reach);
  }
  return true;
}

/// Finds or starts a walker for the pages of `request`. False if no walker is free.
bool Tlb::walk_for(const MemRequest& request) {
  for (const unsigned i : set_bits(busy_)) {
    const Walker& walker = walker_[i];
    if (walker.virtual_address / reach_bytes_ == request.virtual_address / reach_bytes_) return true;
  }
  const unsigned free = static_cast<unsigned>(__builtin_ctz(~busy_));
  if (free >= num_walkers_) return false;
  walker_[free] = {WalkStep::kAnswerComes, false, request.virtual_address, 0, request.port, request.origin};
  busy_ |= 1u << free;
  if (!has_second_level_) {
    read_directory(free);
    ++counters_.walks;
    return true;
  }
  TlbQuestion question;
  question.valid = true;
  question.walker = static_cast<std::uint8_t>(free);
  question.virtual_address = request.virtual_address;
  question.origin = request.origin;
  to_second_.push(question);
  return true;
}

/// Looks up the oldest request that was not looked up yet, and starts a walk on a miss. False if it must wait.
bool Tlb::examine() {
  if (examined_ == queue_.size()) return false;
  const MemRequest& request = queue_.at(examined_);
  if (tags_.find(request.virtual_address) != CacheTags::kMiss) {
    ++counters_.hits;
  } else {
    if (!walk_for(request)) return false;
    ++counters_.misses;
  }
  ++examined_;
  return true;
}

/// Moves the oldest question or fill into the output register if that is free.
bool Tlb::send_question() {
  if (question_->valid || to_second_.empty()) return false;
  question_.load(to_second_.front());
  to_second_.pop();
  return true;
}

bool Tlb::send_walk_read() {
  if (to_send_ == 0) return false;
  const unsigned i = static_cast<unsigned>(__builtin_ctz(to_send_));
  Walker& walker = walker_[i];
  const bool directory = walker.step == WalkStep::kReadDirectory;
  const unsigned bytes = directory ? kSectorBytes : chunk_bytes_;
  const std::uint32_t entry = directory ? page_directory_i.read() + page_table::directory_offset(walker.virtual_address)
                                        : walker.table + page_table::table_offset(walker.virtual_address);
  MemRequest read;
  read.valid = true;
  read.client = MemClient::kPageTable;
  read.port = walker.port;
  read.id = static_cast<std::uint8_t>(i);
  read.bytes = static_cast<std::uint8_t>(bytes);
  read.origin = walker.origin;
  read.virtual_address = walker.virtual_address;
  read.address = entry / bytes * bytes;
  request_.load(read);
  walker.step = directory ? WalkStep::kDirectoryComes : WalkStep::kTableComes;
  to_send_ &= ~(1u << i);
  return true;
}

/// Moves the oldest request into the free output register, or its fault into the fault register.
bool Tlb::send_front() {
  if (examined_ == 0 || !stages_.arrived()) return false;
  MemRequest& front = queue_.front();
  const unsigned slot = tags_.find(front.virtual_address);
  if (slot == CacheTags::kMiss) {
    // The walk is not done yet, or the walk of a younger request evicted the entry.
    const std::uint32_t before = busy_;
    walk_for(front);
    return busy_ != before;
  }
  const Translation translation = translate(reach_[slot], front.virtual_address, reach_bytes_);
  if (translation.fault != MemFault::kNone) {
    if (fault_->valid) return false;
    fault_.load(reply_to(front));
    fault_.edit().fault = translation.fault;
    ++counters_.faults;
  } else {
    request_.load(front);
    request_.edit().address = translation.address;
  }
  tags_.touch(slot);
  queue_.pop();
  stages_.leave();
  --examined_;
  return true;
}

void Tlb::next() {
  stages_.step();
  bool changed = false;
  if (flush_i.read() != q_.flush) {
    d_.flush = flush_i.read();
    flush();
    changed = true;
  }
  const auto leave = [&changed](auto& output, bool ready) {
    if (!output->valid || !ready) return;
    output.drop();
    changed = true;
  };
  leave(request_, ready_i.read());
  leave(fault_, fault_ready_i.read());
  leave(question_, question_ready_i.read());
  changed |= take_walk_reply();
  changed |= take_answer();
  if (q_.ready && request_i.read().valid) {
    queue_.push(request_i.read());
    stages_.enter();
    changed = true;
  }
  changed |= examine();
  if (!request_->valid) changed |= send_walk_read() || send_front();
  changed |= send_question();
  d_.ready = queue_.size() < depth_;
  if (!changed && d_.ready == q_.ready && !stages_.moving() && !request_i.read().valid) sleep();
}

void Tlb::drive() {
  idle_o.write(idle());
  ready_o.write(q_.ready);
  walk_ready_o.write(true);
  request_.drive(request_o);
  fault_.drive(fault_o);
  question_.drive(question_o);
}

}  // namespace g80

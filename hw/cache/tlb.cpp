// SPDX-License-Identifier: Apache-2.0
#include "hw/cache/tlb.h"

#include <algorithm>

#include "hw/bundles/reply_to.h"
#include "hw/common/delay_registers.h"

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
      chunk_bytes_(std::max(kSectorBytes, config.tlb.reach_bytes / page_table::kPageBytes * page_table::kEntryBytes)),
      has_second_level_(config.tlb.l2_entries != 0),
      past_read_(config.tlb.hit_latency < kStages),
      entries_(*this, "entries",
               CacheShape{config.tlb.entries * config.tlb.reach_bytes, config.tlb.entries, config.tlb.reach_bytes,
                          config.tlb.replacement}),
      stages_(*this, "stages", past_read_ ? 0 : registers_beyond(config.tlb.hit_latency, kStages)),
      walker_(*this, "walker", config.tlb.walkers) {
  CHECK(reach_bytes_ >= page_table::kPageBytes && reach_bytes_ <= TlbReach::kMaxPages * page_table::kPageBytes,
        "{}: a reach of {} bytes is not 1 to {} pages", this->name(), reach_bytes_, TlbReach::kMaxPages);
  CHECK(config.tlb.hit_latency <= kMaxHitLatency, "{}: tlb.hit_latency = {} is more than {}", this->name(),
        config.tlb.hit_latency, kMaxHitLatency);
}

void Tlb::reset() {
  entries_.reset();
  queue_.clear();
  addresses_.clear();
  stages_.clear();
  std::fill(walker_.begin(), walker_.end(), Walker{});
  request_.reset();
  fault_.reset();
  question_.reset();
  counted_ = 0;
}

// The request that missed, and that a walker works for, waits in the queue; what a walker tells afterwards follows the
// question in front of it at once.
bool Tlb::idle() const { return queue_.empty() && !request_->valid && !fault_->valid && !question_->valid; }

void Tlb::flush() {
  entries_.tags.invalidate_all();
  d_.found.valid = false;
  d_.ahead = 0;
  for (Walker& walker : walker_) {
    switch (walker.state) {
      case WalkerState::kIdle:
      case WalkerState::kAsk: break;
      case WalkerState::kReadDirectory:
      case WalkerState::kReadTable:
      case WalkerState::kFill: walk(walker); break;
      case WalkerState::kAnswerComes:
      case WalkerState::kDirectoryComes:
      case WalkerState::kTableComes: walker.restart = true; break;
      case WalkerState::kTell: walker.state = WalkerState::kIdle; break;
    }
  }
  // A fill on the way to the second level goes on: it names the flush before, and is dropped there.
}

/// The walker begins with the page directory.
void Tlb::walk(Walker& walker) {
  walker.state = WalkerState::kReadDirectory;
  if (!walker.walked) ++counters_.walks;
  walker.walked = true;
}

/// Moves a walker's question, or what it learnt, into the free register to the second level.
G80_INLINE bool Tlb::send_question() {
  if (question_->valid) return false;
  for (unsigned i = 0; i < walker_.size(); ++i) {
    Walker& walker = walker_[i];
    const bool fill = walker.state == WalkerState::kTell;
    if (!fill && walker.state != WalkerState::kAsk) continue;
    TlbQuestion& question = question_.edit();
    question.valid = true;
    question.fill = fill;
    question.flush = static_cast<std::uint8_t>(d_.flush);
    question.walker = static_cast<std::uint8_t>(i);
    question.virtual_address = walker.virtual_address;
    question.origin = walker.origin;
    if (fill) question.reach = walker.reach;
    walker.state = fill ? WalkerState::kIdle : WalkerState::kAnswerComes;
    return true;
  }
  return false;
}

G80_INLINE bool Tlb::send_walk_read() {
  for (unsigned i = 0; i < walker_.size(); ++i) {
    Walker& walker = walker_[i];
    const bool directory = walker.state == WalkerState::kReadDirectory;
    if (!directory && walker.state != WalkerState::kReadTable) continue;
    const unsigned bytes = directory ? kSectorBytes : chunk_bytes_;
    const std::uint32_t entry = directory
                                    ? page_directory_i.read() + page_table::directory_offset(walker.virtual_address)
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
    walker.state = directory ? WalkerState::kDirectoryComes : WalkerState::kTableComes;
    return true;
  }
  return false;
}

/// Moves the request in front into the free output register, or its fault into the fault register.
G80_INLINE bool Tlb::translate_front() {
  if (!d_.found.valid) return false;
  CHECK(d_.found.slot < entries_.reach.size() && !queue_.empty(), "{}: slot {} is found for no request", name(),
        d_.found.slot);
  const MemRequest& front = queue_.front();
  const Translation translation = translate(entries_.reach[d_.found.slot], front.virtual_address, reach_bytes_);
  if (translation.fault != MemFault::kNone) {
    if (fault_->valid) return false;
    fault_.load(reply_to(front));
    fault_.edit().fault = translation.fault;
    ++counters_.faults;
  } else {
    request_.load(front);
    request_.edit().address = translation.address;
  }
  queue_.pop();
  addresses_.pop();
  stages_.leave();
  --counted_;
  d_.found.valid = false;
  return true;
}

/// The address that missed gets a walker, or needs none. False if it waits for one.
G80_INLINE bool Tlb::start_walk() {
  if (!q_.miss.valid) return false;
  Walker* idle = nullptr;
  for (Walker& walker : walker_) {
    if (walker.state == WalkerState::kIdle) {
      if (idle == nullptr) idle = &walker;
    } else if (walker.state != WalkerState::kTell &&
               walker.virtual_address / reach_bytes_ == q_.miss.virtual_address / reach_bytes_) {
      d_.miss.valid = false;
      return true;
    }
  }
  if (idle == nullptr) return false;
  idle->state = WalkerState::kAsk;
  idle->restart = idle->walked = false;
  idle->port = q_.miss.port;
  idle->virtual_address = q_.miss.virtual_address;
  idle->origin = q_.miss.origin;
  if (!has_second_level_) walk(*idle);
  d_.miss.valid = false;
  return true;
}

/// Whose fill takes the port, unless a slot is found.
G80_INLINE Tlb::Walker* Tlb::filling_walker() {
  if (q_.filled) return nullptr;
  for (Walker& walker : walker_) {
    if (walker.state == WalkerState::kFill) return &walker;
  }
  return nullptr;
}

/// That of the request in front, or the one behind the address in `sought`, if it has come.
G80_INLINE TlbWanted Tlb::read_address(bool front) const {
  const unsigned at = front ? 0 : (q_.found.valid ? 1u : q_.ahead) + q_.sought.valid;
  if (at < stages_.num_arrived()) {
    const TlbAddress& address = addresses_.at(at);
    return {true, address.port, address.virtual_address, address.origin};
  }
  if (stages_.stages() != 0 || !takes()) return {};
  const MemRequest& request = request_i.read();
  return {true, request.port, request.virtual_address, request.origin};
}

void Tlb::fill_from(Walker& walker) {
  const unsigned slot = entries_.tags.slot_for(walker.virtual_address);
  entries_.tags.put(slot, walker.virtual_address);
  entries_.reach[slot] = walker.reach;
  d_.used = {true, true, static_cast<std::uint8_t>(slot)};
  walker.state = has_second_level_ && walker.walked ? WalkerState::kTell : WalkerState::kIdle;
  d_.filled = true;
  d_.ahead = 0;
}

/// False if nothing changes: the request missed, and another waits for a walker.
G80_INLINE bool Tlb::look_up(const TlbWanted& request) {
  CHECK(d_.ahead < addresses_.size(), "{}: looks up request {} of {}", name(), d_.ahead, addresses_.size());
  const unsigned slot = entries_.tags.find(request.virtual_address);
  const bool hit = slot != CacheTags::kMiss;
  if (d_.ahead >= counted_) {
    ++(hit ? counters_.hits : counters_.misses);
    counted_ = d_.ahead + 1u;
  }
  if (hit && d_.ahead == 0) {
    d_.found = {true, static_cast<std::uint8_t>(slot)};
    d_.used = {true, false, static_cast<std::uint8_t>(slot)};
    return true;
  }
  if (!hit) {
    if (d_.miss.valid) return false;
    d_.miss = request;
  }
  ++d_.ahead;
  return true;
}

/// True if the second level answered.
G80_INLINE bool Tlb::take_answer() {
  const TlbAnswer& answer = answer_i.read();
  if (!answer.valid) return false;
  CHECK(answer.walker < walker_.size() && walker_[answer.walker].state == WalkerState::kAnswerComes,
        "{}: the second level answered walker {}, which asked nothing", name(), answer.walker);
  Walker& walker = walker_[answer.walker];
  if (answer.hit && !walker.restart) {
    walker.reach = answer.reach;
    walker.state = WalkerState::kFill;
  } else {
    // After a flush the second level is empty too.
    walker.restart = false;
    walk(walker);
  }
  return true;
}

/// True if a reply came.
G80_INLINE bool Tlb::take_walk_reply() {
  const MemReply& reply = walk_i.read();
  if (!reply.valid) return false;
  CHECK(reply.id < walker_.size() && (walker_[reply.id].state == WalkerState::kDirectoryComes ||
                                      walker_[reply.id].state == WalkerState::kTableComes),
        "{}: page table data came for walker {}, which reads nothing", name(), reply.id);
  Walker& walker = walker_[reply.id];
  const auto learn = [&walker](MemFault unreadable) {
    walker.reach = {unreadable, {}};
    walker.state = WalkerState::kFill;
  };
  if (walker.restart) {
    walker.restart = false;
    walk(walker);
  } else if (reply.fault != MemFault::kNone) {
    learn(reply.fault);
  } else if (walker.state == WalkerState::kDirectoryComes) {
    const page_table::Entry table = page_table::decode_directory_entry(
        entry_at(reply, page_table::directory_offset(walker.virtual_address) % kSectorBytes));
    if (table.present && table.address < page_table::kHostBit) {
      walker.table = static_cast<std::uint32_t>(table.address);
      walker.state = WalkerState::kReadTable;
    } else {
      learn(table.present ? MemFault::kBeyondMemory : MemFault::kNone);
    }
  } else {
    learn(MemFault::kNone);
    const std::uint32_t first = page_table::table_offset(walker.virtual_address / reach_bytes_ * reach_bytes_);
    for (unsigned i = 0; i < reach_bytes_ / page_table::kPageBytes; ++i) {
      walker.reach.page[i] =
          page_table::decode_page_entry(entry_at(reply, first % chunk_bytes_ + i * page_table::kEntryBytes));
    }
  }
  return true;
}

// What a stage gives to the one behind it comes after that one, so that it is seen at the next edge.
void Tlb::next() {
  stages_.step_to(edge());
  d_.filled = false;
  bool changed = q_.filled;
  const bool flushed = flush_i.read() != q_.flush;
  if (flushed) {
    d_.flush = flush_i.read();
    flush();
    changed = true;
  }
  Walker* filling = filling_walker();
  const bool to_front = flushed || (filling != nullptr && !q_.found.valid);
  const TlbWanted read = read_address(to_front);
  changed |= request_.hand_over(ready_i.read());
  changed |= fault_.hand_over(fault_ready_i.read());
  changed |= question_.hand_over(question_ready_i.read());
  changed |= send_question();
  if (!request_->valid) changed |= send_walk_read() || translate_front();
  changed |= start_walk();
  if (takes()) {
    const MemRequest& request = request_i.read();
    queue_.push(request);
    addresses_.push({request.port, request.virtual_address, request.origin});
    stages_.enter();
    changed = true;
  }
  if (q_.used.valid) {
    CHECK(q_.used.slot < entries_.reach.size(), "{}: slot {} was used", name(), q_.used.slot);
    const std::uint32_t any = 0;  // all entries are one set
    q_.used.fill ? entries_.tags.note_fill(any, q_.used.slot) : entries_.tags.touch(any, q_.used.slot);
    d_.used.valid = false;
  }
  // The port serves a fill or a lookup.
  const TlbWanted& wanted = past_read_ && !q_.sought.valid ? read : q_.sought;
  bool looked_up = false;
  if (filling != nullptr && !d_.found.valid) {
    fill_from(*filling);
    changed = true;
  } else if (wanted.valid && !d_.found.valid && !flushed) {
    looked_up = look_up(wanted);
  }
  changed |= looked_up;
  const bool went_past = looked_up && !q_.sought.valid;
  if (!went_past && (to_front || looked_up || !q_.sought.valid)) {
    d_.sought = read;
    changed |= read.valid;
  }
  changed |= take_answer();
  changed |= take_walk_reply();
  d_.ready = queue_.size() < depth_;
  if (changed) return;
  sleep();
  if (stages_.moving()) run_at(stages_.next_arrival(edge()));
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

// SPDX-License-Identifier: Apache-2.0
#include "hw/dram/dram_controller.h"

#include <algorithm>

#include "hw/common/set_bits.h"
#include "hw/config/config_rules.h"
#include "hw/dram/burst_beats.h"
#include "hw/dram/dram_policies.h"

namespace g80 {

DramController::DramController(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      map_(config),
      timing_(config),
      policy_(kDramPolicies[static_cast<std::size_t>(config.dram.policy)]),
      num_banks_(config.dram.num_banks),
      window_size_(config.dram.window),
      write_high_(config.dram.write_high),
      write_low_(config.dram.write_low),
      bypass_limit_(config.dram.row_bytes / config.dram.burst_bytes),
      opens_late_(config.dram.t_refi > config.dram.t_rfc + 2 * longest_row_use(config)),
      window_(*this, "window", map_.row_log + map_.bank_log),
      reading_(*this, "reading", timing_.cl + 1),
      writing_(*this, "writing", timing_.wl) {
  CHECK(window_size_ <= kWindowSlots, "{}: dram.window = {} exceeds {}", this->name(), window_size_, kWindowSlots);
  CHECK(2 * window_size_ * (bypass_limit_ + 2) < 1u << (kOrderBits - 1), "{}: a burst may wait for {} others, too many",
        this->name(), 2 * window_size_ * (bypass_limit_ + 2));
  reply_o.wake_for_room(RoomWake::kNever);
}

void DramController::reset() {
  banks_ = DramBanks{};
  rank_ = DramRank{};
  window_.clear();
  choices_ = Choices{};
  write_data_.taken = {};
  replies_.clear();
  reading_.clear();
  writing_.clear();
  to_write_.clear();
  read_.clear();
  d_.refresh_at = timing_.t_refi;
  pick_from_ = refresh_armed_ = 0;
  moved_data_ = wrote_last_ = false;
  counters_ = {};
}

void DramController::drive() {
  constexpr DramCommandKind kNone = DramCommandKind::kNone;
  const bool commands = q_.command.kind != kNone;
  if (commands || command_o.read().kind != kNone) command_o.write_event(commands, q_.command);
  if (q_.dq.valid || dq_o.read().valid) dq_o.write_event(q_.dq.valid, q_.dq);
}

void DramController::next() {
  reading_.step_to(edge());
  writing_.step_to(edge());
  take_beat();
  if (q_.sent_last) ++d_.written;
  if (d_.written != 0 || !read_.empty()) send_reply();
  d_.command = {};
  const bool moves = !only_data_move() && decide();
  send_beat();
  const bool reply_waits = !read_.empty() || d_.written != 0;
  const bool data_move = d_.dq.valid || d_.sent_last || d_.to_take != 0;
  if (moves || reply_waits || data_move) return;
  const Cycle again = std::min(pick_from_, next_data());
  if (again != kNever) run_at(again);
  sleep();
}

G80_INLINE bool DramController::only_data_move() const {
  return !q_.arrived.valid && !follows(q_) && pick_from_ > edge() && (banks_of_[0].stale | banks_of_[1].stale) == 0 &&
         d_.refresh_at > edge() && choose_direction() == q_.draining && !request_i->available();
}

G80_INLINE bool DramController::decide() {
  if (follows(q_))
    follow_oldest(q_.issued, choices_.reads, choices_.writes, bypass_limit_, d_.oldest, d_.alone, d_.bypassed);
  if (q_.issued.valid) {
    note_header();
    window_.leave(q_.issued.write, q_.issued.slot, q_.issued.next);
  }
  compare_rows();
  DramPick pick;
  if (edge() >= d_.refresh_at) {
    d_.refresh_at += timing_.t_refi;
    CHECK(d_.refreshes + 1u < 1u << DramControllerRegs::kRefreshesBits, "{}: {} more refreshes are due", name(),
          d_.refreshes);
    ++d_.refreshes;
  }
  const bool refresh = d_.refreshes != 0;
  if (refresh || pick_from_ <= edge()) {
    if (refresh) {
      pick = pick_for_refresh();
    } else if (!window_.empty() && !waits_for_bus(pick)) {
      pick = pick_burst();
    }
    pick_from_ = pick.command == DramCommandKind::kNone ? pick.retry : edge();
  }
  d_.draining = choose_direction();
  if (d_.draining != q_.draining) pick_from_ = edge();
  if ((banks_of_[0].stale | banks_of_[1].stale) != 0) choose();
  if (q_.arrived.valid) enter();
  if (pick.command != DramCommandKind::kNone) issue(pick);
  d_.arrived.valid = false;
  const bool arrived = request_i->available() && arrive();
  if (refresh_armed_ != d_.refresh_at) {
    refresh_armed_ = d_.refresh_at;
    wake_at(refresh_armed_);
  }
  return q_.arrived.valid || arrived || pick_from_ <= edge() || follows(d_);
}

G80_INLINE void DramController::take_beat() {
  const bool moves = beat_moves(reading_, d_.to_take, timing_.burst_cycles);
  const DramBeat& dq = dq_i.read();
  CHECK(dq.valid == moves, "{}: a beat of a read {} at edge {}", name(),
        dq.valid ? "that nobody asked for" : "is missing", edge());
  if (!moves) return;
  const unsigned beat = timing_.burst_cycles - d_.to_take--;
  BurstData& burst = beat == 0 ? read_.place() : read_.back();
  std::copy_n(dq.data.begin(), dq.data.size(), burst.begin() + beat * dq.data.size());
}

G80_INLINE void DramController::send_beat() {
  const bool sends = beat_moves(writing_, d_.to_send, timing_.burst_cycles);
  d_.sent_last = false;
  if (!sends) {
    if (d_.dq.valid) d_.dq = {};
    return;
  }
  const unsigned row = to_write_.front(), beat = timing_.burst_cycles - d_.to_send;
  d_.dq.valid = true;
  d_.dq.enable = static_cast<std::uint16_t>(write_data_.byte_enable[row] >> beat * kDramBeatBytes);
  std::copy_n(write_data_.data[row].begin() + beat * d_.dq.data.size(), d_.dq.data.size(), d_.dq.data.begin());
  if (--d_.to_send != 0) return;
  write_data_.taken[row / 64] &= ~(std::uint64_t{1} << row % 64);
  to_write_.pop();
  d_.sent_last = true;
}

G80_INLINE void DramController::send_reply() {
  const Header& header = replies_.front();
  const bool read_is_there = read_.size() > (d_.to_take != 0 ? 1 : 0);
  if ((header.write ? d_.written == 0 : !read_is_there) || !reply_o->can_push()) return;
  reply_o->push_by([&](DramReply& reply) {
    reply = {};
    reply.write = header.write;
    reply.slot = header.slot;
    reply.burst = header.burst;
    reply.tag = header.tag;
    if (!header.write) reply.data = read_.front();
  });
  if (header.write) {
    --d_.written;
  } else {
    read_.pop();
  }
  replies_.pop();
}

G80_INLINE Cycle DramController::next_data() const {
  return std::min(reading_.moving() ? reading_.next_arrival(edge()) : kNever,
                  writing_.moving() ? writing_.next_arrival(edge()) : kNever);
}

G80_INLINE void DramController::note_header() {
  const WindowSide& side = window_.side(q_.issued.write);
  const unsigned slot = q_.issued.slot;
  replies_.push({q_.issued.write, side.slot[slot], side.burst[slot], q_.command.tag});
  if (q_.issued.write) to_write_.push(side.data[slot]);
  d_.issued.valid = false;
}

G80_INLINE bool DramController::arrive() {
  const DramRequest& request = request_i->front();
  const unsigned held = request.write ? q_.writes : q_.waiting - q_.writes;
  const bool one_enters = q_.arrived.valid && q_.arrived.write == request.write;
  if (held + one_enters >= window_size_) return false;
  EnteringBurst& burst = d_.arrived;
  if (request.write) {
    const unsigned half = ~write_data_.taken[0] == 0;
    const std::uint64_t free = ~write_data_.taken[half];
    CHECK(free != 0, "{}: more writes wait than their data have rows", name());
    const auto row = 64 * half + static_cast<unsigned>(__builtin_ctzll(free));
    write_data_.taken[half] |= free & -free;
    write_data_.byte_enable[row] = request.byte_enable;
    write_data_.data[row] = request.data;
    burst.data = static_cast<std::uint8_t>(row);
  }
  burst.valid = true;
  burst.write = request.write;
  burst.slot = request.slot;
  burst.burst = request.burst;
  burst.bank = static_cast<std::uint8_t>(bank_of(map_, request.local));
  burst.local = request.local;
  burst.tag = request.tag;
  request_i->pop();
  return true;
}

G80_INLINE void DramController::enter() {
  const EnteringBurst& burst = q_.arrived;
  const DramBank& bank = banks_[burst.bank];
  const bool row_hit = bank.open && bank.row == burst.local >> (map_.row_log + map_.bank_log);
  window_.enter(burst, row_hit);
  // The youngest burst goes first only where none does, or as the only one whose row is open.
  const BankChoice& first = choices_.of(burst.write).first[burst.bank];
  if (!first.valid || (row_hit && !first.row_hit)) renew_choice(burst.write, burst.bank);
  ++d_.waiting;
  d_.writes += burst.write;
}

G80_INLINE void DramController::compare_rows() {
  const DramCommand& command = q_.command;
  if (command.kind == DramCommandKind::kActivate) {
    window_.row_opened(command.bank, command.address);
  } else if (command.kind == DramCommandKind::kPrecharge) {
    window_.row_closed(command.bank);
  } else {
    return;
  }
  renew_choice(false, command.bank);
  renew_choice(true, command.bank);
}

G80_INLINE void DramController::choose_in(bool write) {
  BanksOf& banks = banks_of_[write];
  if (banks.stale == 0) return;
  BankChoices& choices = choices_.of(write);
  const WindowSide& side = window_.side(write);
  unsigned wanting = 0, closed = 0;
  for (const unsigned bank : set_bits(banks.stale)) {
    choose_of_bank(side, bank, choices);
    const BankChoice& first = choices.first[bank];
    wanting |= unsigned{first.valid} << bank;
    closed |= unsigned{first.valid && !first.row_hit} << bank;
  }
  banks.wanting = (banks.wanting & ~banks.stale) | wanting;
  banks.closed = (banks.closed & ~banks.stale) | closed;
  banks.stale = 0;
}

G80_INLINE void DramController::choose() {
  choose_in(false);
  choose_in(true);
  if (!window_.empty()) pick_from_ = edge();  // else what was picked, or waits for its time, stands
}

G80_INLINE bool DramController::choose_direction() const {
  const bool reads = window_.side(false).ordered != 0, writes = window_.side(true).ordered != 0;
  if (!reads) return writes || q_.draining;
  return writes && q_.writes > (q_.draining ? write_low_ : write_high_ - 1);
}

bool DramController::waits_behind(Cycle edge) const {
  Cycle last = std::max({rank_.activate_from, rank_.read_from, rank_.write_from});
  for (const Cycle end : rank_.window_end) last = std::max(last, end);
  for (const DramBank& bank : banks_)
    last = std::max({last, bank.activate_from, bank.column_from, bank.precharge_from});
  return last > edge + 1;
}

DramPick DramController::pick_for_refresh() const {
  DramPick pick;
  Cycle refresh_from = 0;
  bool all_closed = true;
  for (unsigned b = 0; b < num_banks_; ++b) {
    const DramBank& bank = banks_[b];
    refresh_from = std::max(refresh_from, earliest(DramCommandKind::kRefresh, bank, rank_));
    if (!bank.open) continue;
    all_closed = false;
    const Cycle legal_from = earliest(DramCommandKind::kPrecharge, bank, rank_);
    pick.retry = std::min(pick.retry, legal_from);
    if (legal_from > edge()) continue;
    pick.command = DramCommandKind::kPrecharge;
    pick.bank = static_cast<std::uint8_t>(b);
    return pick;
  }
  if (!all_closed) return pick;
  pick.retry = refresh_from;
  if (refresh_from <= edge()) pick.command = DramCommandKind::kRefresh;
  return pick;
}

// Most often the rows that bursts want are open, and the next one waits for the data bus: so nothing can be legal.
inline bool DramController::waits_for_bus(DramPick& pick) const {
  if (banks_of_[q_.draining].closed != 0 || policy_.oldest_only || q_.alone) return false;
  pick.retry = q_.draining ? rank_.write_from : rank_.read_from;
  return pick.retry > edge();
}

G80_INLINE DramPick DramController::pick_burst() const {
  DramPick pick;
  pick.retry = edge();                                                  // anew at the next one
  if (replies_.size() + q_.issued.valid == kReplyEntries) return pick;  // no room for another burst's reply
  const bool to_bank = q_.command.kind != DramCommandKind::kNone && q_.command.kind != DramCommandKind::kRefresh;
  const unsigned busy = to_bank ? q_.command.bank : kMaxDramBanks;
  const bool may_open = opens_late_ || edge() + std::max(timing_.t_rcd, kBankCommandClocks) < d_.refresh_at;
  bool write = q_.draining;
  unsigned banks = banks_of_[write].wanting;
  const std::array<BankChoice, kMaxDramBanks>* choices = &choices_.of(write).first;
  if (policy_.oldest_only || q_.alone) {
    if (!q_.oldest.valid) return pick;
    write = q_.oldest.write;
    banks = 1u << q_.oldest.bank;
    choices = &choices_.of(write).oldest;
  }
  return pick_request(*choices, write, busy, banks_, rank_, edge(), policy_.goes_before, may_open, banks);
}

G80_INLINE void DramController::issue(const DramPick& pick) {
  d_.command.kind = pick.command;
  if (pick.command == DramCommandKind::kRefresh) {
    for (unsigned b = 0; b < num_banks_; ++b) apply(timing_, pick.command, edge(), 0, banks_[b], rank_);
    --d_.refreshes;
    ++counters_.refreshes;
    return;
  }
  d_.command.bank = pick.bank;
  const bool for_burst = pick.slot < kWindowSlots;
  std::uint32_t local = 0;
  if (for_burst) {
    const WindowSide& side = window_.side(pick.write);
    local = side.local[pick.slot];
    d_.command.tag.bits = side.uid[pick.slot];
  }
  const std::uint32_t row = local >> (map_.row_log + map_.bank_log);
  const auto bank_bit = static_cast<std::uint8_t>(1u << pick.bank);
  if (pick.command == DramCommandKind::kActivate) {
    d_.command.address = row;
    d_.open_banks |= bank_bit;
    window_.note_activate(pick.write, pick.slot);
    ++counters_.activates;
  } else if (pick.command == DramCommandKind::kPrecharge) {
    d_.open_banks &= static_cast<std::uint8_t>(~bank_bit);
    // The first one of a burst counts when the burst moves.
    if (!for_burst || (window_.side(pick.write).precharged >> pick.slot & 1) != 0) ++counters_.precharges;
    if (for_burst) window_.note_precharge(pick.write, pick.slot);
  } else {
    d_.command.address = local & ((1u << map_.row_log) - 1);
    issue_column(pick);
  }
  apply(timing_, pick.command, edge(), row, banks_[pick.bank], rank_);
}

G80_INLINE void DramController::issue_column(const DramPick& pick) {
  const WindowSide& side = window_.side(pick.write);
  const auto has = [&](std::uint64_t mask) { return (mask >> pick.slot & 1) != 0; };
  const unsigned next = window_.next_of_sector(pick.write, pick.slot);
  d_.issued = {true, pick.write, pick.slot, static_cast<std::uint8_t>(next)};
  if (pick.write) {
    writing_.enter();
    ++counters_.writes;
  } else {
    reading_.enter();
    ++counters_.reads;
  }

  if (has(side.precharged)) {
    ++counters_.row_conflicts;
    ++counters_.precharges;
  } else if (has(side.activated)) {
    ++counters_.row_misses;
  } else {
    ++counters_.row_hits;
  }
  if (moved_data_ && wrote_last_ != pick.write) ++counters_.turnarounds;
  moved_data_ = true;
  wrote_last_ = pick.write;
  counters_.data_bus_cycles += timing_.burst_cycles;

  renew_choice(pick.write, pick.bank);
  if (next < BurstWindow::kNone) renew_choice(!pick.write, pick.bank);  // it may be the turn of `next` there
  --d_.waiting;
  d_.writes -= pick.write;
}

}  // namespace g80

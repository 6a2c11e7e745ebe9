// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/writeback.h"

#include <algorithm>
#include <cstring>

#include "hw/common/set_bits.h"

namespace g80 {

using isa::OperandKind;

namespace {

/// No instruction of the SPs writes a pair of registers, and a load's come one by one.
WritePort port_of(ValueSource from, unsigned word) {
  if (from == ValueSource::kSp) return WritePort::kSp;
  if (from == ValueSource::kLoad) return WritePort::kLoad;
  return word == 0 ? WritePort::kWaited : WritePort::kWaitedHigh;
}

}  // namespace

Writeback::Writeback(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      ahead_i("ahead_i", kExecUnits),
      result_i("result_i", kExecUnits),
      write_o("write_o", kWritePorts),
      flag_write_o("flag_write_o", kFlagWrites),
      unit_lanes_{kPortLanes, 2 * config.sm.num_sfus,
                  config.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config) : 0, 2 * config.sm.num_dps},
      num_banks_(config.sm.register_banks) {}

// A run ends with a slot in which none of its banks is written.
G80_INLINE void Writeback::count_run() {
  const std::uint32_t still = q_.run_banks & q_.busy_banks;
  CHECK(still == 0 || q_.run < kLongRun + 4, "{}: banks {:08x} are written for ever", name(), still);
  d_.run_banks = still != 0 ? still : q_.busy_banks;
  d_.run = still != 0 ? static_cast<std::uint8_t>(q_.run + 1) : 0;
}

/// Banks that were written for so long that values from there do not go to them now.
std::uint32_t Writeback::spared_banks(ValueSource from) const {
  if (from == ValueSource::kSp) return 0;
  return q_.run >= (from == ValueSource::kLoad ? kLongRun + 2 : kLongRun) ? q_.run_banks : 0;
}

bool Writeback::write_registers(unsigned warp, unsigned first, unsigned count, Halves halves, LaneMask lanes,
                                ValueSource from, std::uint8_t& written) {
  const unsigned end = std::min<unsigned>(count, written + num_banks_);
  std::uint32_t banks = 0;
  for (unsigned i = written; i < end; ++i) banks |= 1u << register_bank(warp, first + i, num_banks_);
  if ((banks & (d_.busy_banks | spared_banks(from))) != 0) {
    ++counters_.bank_conflicts;
    return false;
  }
  d_.busy_banks |= banks;
  for (unsigned i = written; i < end; ++i) {
    const unsigned port = static_cast<unsigned>(port_of(from, i));
    d_.next_ports |= static_cast<std::uint8_t>(1u << port);
    next_writes_[port] = {static_cast<std::uint8_t>(register_bank(warp, first + i, num_banks_)),
                          static_cast<std::uint8_t>(warp),
                          static_cast<std::uint8_t>(first + i),
                          halves.low,
                          halves.high,
                          lanes,
                          from,
                          i == 0 ? LateLanes::Word::kLow : LateLanes::Word::kHigh};
  }
  written = static_cast<std::uint8_t>(end == count ? 0 : end);
  return end == count;
}

const ResultRow& Writeback::row_from(ValueSource from) const {
  return from == ValueSource::kWaited ? waited_ : rows_[static_cast<unsigned>(from)];
}

const LaneWords& Writeback::word_of(const SlotWrite& write) const {
  if (write.from == ValueSource::kLoad) return loaded_;
  const ResultRow& row = row_from(write.from);
  return write.word == LateLanes::Word::kLow ? row.low : row.high;
}

/// The last lanes of a write leave their unit in this cycle.
bool Writeback::is_late(const SlotWrite& write) const {
  return write.from <= ValueSource::kDp && !row_from(write.from).whole;
}

LateLanes Writeback::late_lanes(const ShownWrite& write) {
  if (write.slot.from > ValueSource::kDp) return {};
  return {write.late, static_cast<ExecUnit>(write.slot.from), write.slot.word};
}

// The writes that got their slots in the last cycle come to the ports.
G80_INLINE void Writeback::show_writes() {
  d_.written_ports = q_.next_ports;
  d_.flag_writes = q_.next_flag_writes;
  d_.addr_write = q_.next_addr_write;
  d_.busy_banks = 0;
  d_.next_ports = 0;
  d_.next_flag_writes = 0;
  d_.next_addr_write = false;
  bool waited = false, loaded = false;  // words of a memory are wanted
  const auto show = [&](const SlotWrite& next, ShownWrite& write) {
    write = {next, is_late(next)};
    waited |= next.from == ValueSource::kWaited;
    loaded |= next.from == ValueSource::kLoad;
  };
  for (const unsigned port : set_bits(d_.written_ports)) show(next_writes_[port], writes_[port]);
  for (unsigned i = 0; i < d_.flag_writes; ++i) show(next_flag_writes_[i], flag_writes_[i]);
  if (d_.addr_write) show(next_addr_write_, addr_write_);
  if (waited) waited_ = kept_[q_.waited_place];
  if (loaded) loaded_ = load_words_[q_.loaded_place];
}

void Writeback::retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, const Retired::Entry& more) {
  CHECK(num_released_ < d_.release.entry.size(), "{}: more than {} instructions retire in one cycle", name(),
        d_.release.entry.size());
  Release::Entry& released = d_.release.entry[num_released_];
  released.valid = true;
  released.warp = static_cast<std::uint8_t>(warp);
  released.fetched = fetched;
  released.tag = tag;
  retired_.entry[num_released_++] = more;
  ++counters_.instructions;
  const unsigned num_lanes = count_lanes(more.lanes);
  counters_.thread_instructions += num_lanes;
  ++counters_.active_lanes[4 - num_lanes / 8];
}

void Writeback::observe() {
  if (d_.release.entry[0].valid) last_retirement_ = edge();
  if (reports_ == nullptr) return;
  const bool values = reports_->reports_values();
  const auto take_result = [&](SmReport::Retire& entry, const ResultRow& row) {
    const isa::Instruction& insn = entry.fetched.decoded().insn;
    if (entry.num_registers > 0) entry.value[0] = row.low;
    if (entry.num_registers > 1) entry.value[1] = row.high;
    if (insn.writes_flags) entry.flags = row.flags;
    if (insn.dst.kind == OperandKind::kAddr) entry.addr = row.low;
  };
  if (d_.load_rows != q_.load_rows) load_values_[retired_.load_word] = load_words_[d_.loaded_place];
  for (Retiring& each : retiring_) {
    for (unsigned i = 0; i < each.count; ++i) {
      if (each.from[i] > ValueSource::kDp || !row_from(each.from[i]).whole) continue;
      take_result(each.entry[i], row_from(each.from[i]));
      each.from[i] = ValueSource::kNone;
    }
  }
  Retiring& retiring = retiring_[edge() / kSchedulerPeriod % 2];
  for (unsigned i = 0; i < retiring.count; ++i) {
    CHECK(retiring.from[i] > ValueSource::kDp, "{}: an instruction of warp {} finished without its result", name(),
          retiring.entry[i].warp);
    reports_->at(edge()).retire.add().take(retiring.entry[i]);
  }
  retiring.count = 0;
  for (unsigned i = 0; i < d_.release.entry.size() && d_.release.entry[i].valid; ++i) {
    const Release::Entry& released = d_.release.entry[i];
    const ValueSource from = retired_.entry[i].from;
    retiring.from[retiring.count] = from;
    SmReport::Retire& entry = retiring.entry[retiring.count++];
    entry.tag = released.tag;
    entry.warp = released.warp;
    entry.fetched = released.fetched;
    entry.lanes = retired_.entry[i].lanes;
    entry.first_register = entry.num_registers = 0;
    entry.loaded = 0;
    if (!values) continue;
    const DecodedInstruction& decoded = released.fetched.decoded();
    const isa::Instruction& insn = decoded.insn;
    const RegisterSet& written = decoded.writes.registers;
    if (from != ValueSource::kNone && !written.empty()) {
      const unsigned first = written.bits[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(written.bits[0]))
                                                  : 64 + static_cast<unsigned>(__builtin_ctzll(written.bits[1]));
      entry.first_register = static_cast<std::uint8_t>(first);
      entry.num_registers = static_cast<std::uint8_t>(written.count());
      entry.loaded = retired_.entry[i].loaded;
    }
    if (insn.post_increment && insn.addr_reg != 0) entry.addr = reports_->incremented(released.warp, insn.addr_reg);
    if (from == ValueSource::kWaited) take_result(entry, kept_[d_.waited_place]);
    if (from == ValueSource::kLoad) std::copy_n(load_values_.begin(), entry.num_registers, std::begin(entry.value));
  }
}

// Keeps the lanes that left a unit. The last ones complete the row, and with it the unit's result that waits: it has
// only one whose lanes are missing, as it announces the next one later.
G80_INLINE void Writeback::collect(ExecUnit unit) {
  const ExecResult& part = result_i[unit_number(unit)].read();
  ResultRow& row = rows_[unit_number(unit)];
  const unsigned count = unit_lanes_[unit_number(unit)];
  CHECK(part.first < kWarpSize && (part.first & (count - 1)) == 0, "{}: {} lanes arrived from lane {} on", name(),
        count, part.first);
  const auto copy_lanes = [&](const auto& from, auto& to) {
    if (count == kPortLanes) {  // the SPs' lanes, the usual case
      std::memcpy(&to.lane[part.first], from.data(), sizeof from);
    } else {
      std::copy_n(from.begin(), count, &to.lane[part.first]);
    }
  };
  copy_lanes(part.low, row.low);
  copy_lanes(part.high, row.high);
  copy_lanes(part.flags, row.flags);
  row.whole = part.last;
  for (unsigned i = 0; part.last && i < waiting_.size(); ++i) {
    WaitingResult& result = waiting_.at(i);
    if (result.unit != unit || result.whole) continue;
    result.whole = true;
    kept_[waiting_.place(i)] = row;
  }
}

// Gives the result of an execution unit its slots. False if it has not all of them in this cycle.
bool Writeback::write(const ResultAhead& result, ValueSource from, std::uint8_t& written) {
  const isa::Instruction& insn = result.fetched.decoded().insn;
  const unsigned dst = insn.dst.index;
  switch (insn.dst.kind) {
    case OperandKind::kReg:
      if (!write_registers(result.warp, dst, 1, kBothHalves, result.loaded, from, written)) return false;
      break;
    case OperandKind::kHalf:
      if (!write_registers(result.warp, dst / 2, 1, {dst % 2 == 0, dst % 2 != 0}, result.loaded, from, written))
        return false;
      break;
    case OperandKind::kPair:
      CHECK(from != ValueSource::kSp, "{}: the SPs' result is a pair of registers", name());
      if (!write_registers(result.warp, dst, 2, kBothHalves, result.lanes, from, written)) return false;
      break;
    case OperandKind::kAddr:
      CHECK(from == ValueSource::kSp, "{}: another unit than the SPs writes $a", name());
      d_.next_addr_write = true;
      next_addr_write_ = {0, result.warp, insn.dst.index, false, false, result.lanes, from, LateLanes::Word::kLow};
      break;
    default: break;
  }
  if (insn.writes_flags) {
    CHECK(d_.next_flag_writes < kFlagWrites, "{}: more than {} writes of $c in one cycle", name(), kFlagWrites);
    next_flag_writes_[d_.next_flag_writes++] = {0,     result.warp,  insn.flag_dst, false,
                                                false, result.lanes, from,          LateLanes::Word::kLow};
  }
  retire(result.warp, result.fetched, result.tag, {result.lanes, result.loaded, from});
  return true;
}

// The halves of a load's register come one after the other; the second completes it.
void Writeback::take_load(const LoadResult& load) {
  LaneWords& words = load_words_[loads_.place(loads_.size())];
  std::copy(load.data.begin(), load.data.end(), &words.lane[kHalfWarp * load.half]);
  if (load.half == 0) {
    load_half_lanes_ = load.lanes;
    return;
  }
  LoadRow row;
  row.warp = load.warp;
  row.fetched = load.fetched;
  row.tag = load.tag;
  row.word = load.word;
  row.last = load.last;
  row.lanes = LaneMask{load.lanes} << kHalfWarp | load_half_lanes_;
  loads_.push(row);
}

// Gives a load's register its slot, and releases the load with the last one. False if its bank is busy.
bool Writeback::write_load(const LoadRow& row) {
  const DecodedInstruction& decoded = row.fetched.decoded();
  std::uint8_t written = 0;
  if (!decoded.writes.registers.empty() && !write_registers(row.warp, decoded.insn.dst.index + row.word, 1, kBothHalves,
                                                            row.lanes, ValueSource::kLoad, written))
    return false;
  ++d_.load_rows;
  retired_.load_word = row.word;
  if (row.last) retire(row.warp, row.fetched, row.tag, {row.lanes, row.lanes, ValueSource::kLoad});
  return true;
}

void Writeback::next() {
  d_.release = {};
  num_released_ = 0;
  for (const ExecUnit unit : {ExecUnit::kSp, ExecUnit::kSfu, ExecUnit::kMultiply, ExecUnit::kDp}) {
    if (result_i[unit_number(unit)].read().valid) collect(unit);
  }
  show_writes();
  count_run();
  // SP results come first, so their banks are always free.
  if (const ResultAhead& result = ahead_i[unit_number(ExecUnit::kSp)].read(); result.valid) {
    std::uint8_t written = 0;
    CHECK(write(result, ValueSource::kSp, written), "{}: an SP result of warp {} could not be written: bank busy",
          name(), result.warp);
  }
  for (const ExecUnit unit : {ExecUnit::kSfu, ExecUnit::kMultiply, ExecUnit::kDp}) {
    const ResultAhead& result = ahead_i[unit_number(unit)].read();
    if (result.valid) waiting_.push({result, unit, false});
  }
  if (!waiting_.empty()) {
    const WaitingResult& oldest = waiting_.front();
    d_.waited_place = static_cast<std::uint8_t>(waiting_.place(0));
    const ValueSource from = oldest.whole ? ValueSource::kWaited : static_cast<ValueSource>(oldest.unit);
    if (write(oldest.ahead, from, d_.waiting_written)) {
      waiting_.pop();
      ++d_.sfu_dp_results;
    }
  }
  const LoadResult& load = load_i.read();
  if (load.valid) take_load(load);
  if (!loads_.empty()) {
    d_.loaded_place = static_cast<std::uint8_t>(loads_.place(0));
    if (write_load(loads_.front())) loads_.pop();
  }
  if (const StoreDone& store = store_i.read(); store.valid)
    retire(store.warp, store.fetched, store.tag, {store.lanes, 0, ValueSource::kNone});
  const ControlEvent& control = control_i.read();
  if (control.valid && control.fetched.decoded().unit == isa::Unit::kControl)
    retire(control.warp, control.fetched, control.tag, {control.taken, 0, ValueSource::kNone});
  observe();
  // What was released in the last cycle has its last lanes, and is reported, in the next one.
  const bool releases = d_.release.entry[0].valid || q_.release.entry[0].valid;
  const bool writes = (d_.next_ports | d_.written_ports) != 0 || d_.next_flag_writes != 0 || d_.flag_writes != 0 ||
                      d_.next_addr_write || d_.addr_write;
  if (!releases && waiting_.empty() && !load.valid && loads_.empty() && !writes) sleep();
}

void Writeback::drive() {
  const bool releases = q_.release.entry[0].valid;
  if (releases || release_o.read().entry[0].valid) release_o.write_event(releases, q_.release);
  load_rows_o.write(q_.load_rows);
  sfu_dp_results_o.write(q_.sfu_dp_results);
  busy_banks_o.write(q_.busy_banks);
  CHECK(q_.written_ports < 1u << kWritePorts, "{}: ports {:02x} write", name(), q_.written_ports);
  written_ports_o.write(q_.written_ports);
  // A port that is not in use keeps what it showed; nobody looks at it.
  for (const unsigned port : set_bits(q_.written_ports)) {
    const ShownWrite& write = writes_[port];
    write_o[port].renew_by([&](RegisterWrite& out) {
      out.bank = write.slot.bank;
      out.warp = write.slot.warp;
      out.reg = write.slot.index;
      out.low = write.slot.low;
      out.high = write.slot.high;
      out.lanes = write.slot.lanes;
      out.value = word_of(write.slot);
      out.late = late_lanes(write);
    });
  }
  for (unsigned i = 0; i < kFlagWrites; ++i) {
    flag_write_o[i].offer_by(i < q_.flag_writes, [&](FlagWrite& out) {
      const SlotWrite& slot = flag_writes_[i].slot;
      out = {true, slot.warp, slot.index, slot.lanes, row_from(slot.from).flags, late_lanes(flag_writes_[i])};
    });
  }
  addr_write_o.offer_by(q_.addr_write, [this](AddrWrite& out) {
    const SlotWrite& slot = addr_write_.slot;
    out = {true, slot.warp, slot.index, slot.lanes, word_of(slot), late_lanes(addr_write_)};
  });
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/writeback.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hw/config/pipeline_depth.h"

namespace g80 {

using isa::OperandKind;

Writeback::Writeback(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      ahead_i("ahead_i", kExecUnits),
      result_i("result_i", kExecUnits),
      write_o("write_o", config.sm.register_banks),
      flag_write_o("flag_write_o", kFlagWrites),
      unit_lanes_{kPortLanes, 2 * config.sm.num_sfus,
                  config.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config) : 0, 2 * config.sm.num_dps},
      num_banks_(config.sm.register_banks) {}

bool Writeback::write_registers(unsigned warp, unsigned first, unsigned count, Halves halves, LaneMask lanes,
                                const LaneWords* values, ExecUnit unit, std::uint8_t& written) {
  const unsigned end = std::min<unsigned>(count, written + num_banks_);
  std::uint32_t banks = 0;
  for (unsigned i = written; i < end; ++i) banks |= 1u << register_bank(warp, first + i, num_banks_);
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return false;
  }
  d_.busy_banks |= banks;
  for (unsigned i = written; i < end; ++i) {
    RegisterWrite& port = next_writes_[register_bank(warp, first + i, num_banks_)];
    port.warp = static_cast<std::uint8_t>(warp);
    port.reg = static_cast<std::uint8_t>(first + i);
    port.low = halves.low;
    port.high = halves.high;
    port.lanes = lanes;
    port.late = {values == nullptr, unit, i == 0 ? LateLanes::Word::kLow : LateLanes::Word::kHigh};
    if (values != nullptr) port.value = values[i];
  }
  written = static_cast<std::uint8_t>(end == count ? 0 : end);
  return end == count;
}

void Writeback::write_addr(unsigned warp, unsigned index, LaneMask lanes, const LaneWords* value,
                           const LateLanes& late) {
  CHECK(!d_.next_addr_write, "{}: two writes of $a in one cycle", name());
  d_.next_addr_write = true;
  AddrWrite& port = next_addr_write_;
  port.valid = true;
  port.warp = static_cast<std::uint8_t>(warp);
  port.index = static_cast<std::uint8_t>(index);
  port.lanes = lanes;
  port.late = late;
  if (value != nullptr) port.value = *value;
}

// Puts the lanes that have arrived into a write. `late` remains if the last ones leave their unit in this cycle.
void Writeback::show_values(LateLanes& late, LaneWords& value) const {
  if (!late.valid) return;
  const ResultRow& row = row_of(late.unit);
  value = late.word == LateLanes::Word::kLow ? row.low : row.high;
  late.valid = !row.whole;
}

// The writes that got their slots in the last cycle come to the ports.
void Writeback::show_writes() {
  d_.written_banks = q_.busy_banks;
  d_.flag_writes = q_.next_flag_writes;
  d_.addr_write = q_.next_addr_write;
  d_.busy_banks = 0;
  d_.next_flag_writes = 0;
  d_.next_addr_write = false;
  for (std::uint32_t rest = d_.written_banks; rest != 0; rest &= rest - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
    writes_[bank] = next_writes_[bank];
    show_values(writes_[bank].late, writes_[bank].value);
  }
  for (unsigned i = 0; i < kFlagWrites; ++i) {
    if (i >= d_.flag_writes) {
      flag_writes_[i].valid = false;
      continue;
    }
    FlagWrite& port = flag_writes_[i] = next_flag_writes_[i];
    if (!port.late.valid) continue;
    port.value = row_of(port.late.unit).flags;
    port.late.valid = !row_of(port.late.unit).whole;
  }
  addr_write_.valid = false;
  if (!d_.addr_write) return;
  addr_write_ = next_addr_write_;
  show_values(addr_write_.late, addr_write_.value);
}

void Writeback::retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, LaneMask lanes,
                       const LaneWords* values, unsigned count, LaneMask loaded, const LaneFlags* flags,
                       const LaneWords* addr, std::optional<ExecUnit> unit) {
  CHECK(num_released_ < d_.release.entry.size(), "{}: more than {} instructions retire in one cycle", name(),
        d_.release.entry.size());
  d_.release.entry[num_released_++] = {true, static_cast<std::uint8_t>(warp), fetched, tag};
  ++counters_.instructions;
  last_retirement_ = edge();
  const unsigned num_lanes = static_cast<unsigned>(__builtin_popcount(lanes));
  counters_.thread_instructions += num_lanes;
  ++counters_.active_lanes[4 - num_lanes / 8];
  if (reports_ == nullptr) return;
  retiring_.push_back({});
  Retiring& retiring = retiring_.back();
  retiring.due = edge() + kResultAheadCycles;
  retiring.unit = unit;
  SmReport::Retire& entry = retiring.entry;
  entry.tag = tag;
  entry.warp = static_cast<std::uint8_t>(warp);
  entry.fetched = fetched;
  entry.lanes = lanes;
  entry.first_register = entry.num_registers = 0;
  entry.loaded = 0;
  if (!reports_->reports_values()) return;
  const isa::Instruction& insn = fetched.decoded().insn;
  const RegisterSet& written = fetched.decoded().writes.registers;
  if (count != 0 && !written.empty()) {
    const unsigned first = written.bits[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(written.bits[0]))
                                                : 64 + static_cast<unsigned>(__builtin_ctzll(written.bits[1]));
    entry.first_register = static_cast<std::uint8_t>(first);
    entry.num_registers = static_cast<std::uint8_t>(std::min(written.count(), count));
    entry.loaded = loaded;
    for (unsigned i = 0; values != nullptr && i < entry.num_registers; ++i) entry.value[i] = values[i];
  }
  if (flags != nullptr) entry.flags = *flags;
  if (insn.post_increment && insn.addr_reg != 0) {
    entry.addr = reports_->incremented(warp, insn.addr_reg);
  } else if (addr != nullptr) {
    entry.addr = *addr;
  }
}

// Reports the instructions whose results are in the register banks from this cycle on.
void Writeback::report_retired() {
  for (Retiring& retiring : retiring_) {
    if (!retiring.unit || !row_of(*retiring.unit).whole) continue;
    const ResultRow& row = row_of(*retiring.unit);
    const isa::Instruction& insn = retiring.entry.fetched.decoded().insn;
    SmReport::Retire& entry = retiring.entry;
    if (entry.num_registers > 0) entry.value[0] = row.low;
    if (entry.num_registers > 1) entry.value[1] = row.high;
    if (insn.writes_flags) entry.flags = row.flags;
    if (insn.dst.kind == OperandKind::kAddr) entry.addr = row.low;
    retiring.unit.reset();
  }
  while (!retiring_.empty() && retiring_.front().due <= edge()) {
    CHECK(!retiring_.front().unit, "{}: an instruction of warp {} finished without its result", name(),
          retiring_.front().entry.warp);
    reports_->at(edge()).retire.add() = retiring_.front().entry;
    retiring_.erase(retiring_.begin());
  }
}

// Keeps the lanes that left a unit. The last ones complete the row, and with it the oldest of the unit's results that
// wait.
void Writeback::collect(ExecUnit unit) {
  const ExecResult& part = result_i[unit_number(unit)].read();
  if (!part.valid) return;
  ResultRow& row = row_of(unit);
  const unsigned count = unit_lanes_[unit_number(unit)];
  CHECK(part.first + count <= kWarpSize, "{}: {} lanes arrived from lane {} on", name(), count, part.first);
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
    if (result.unit != unit || result.row.whole) continue;
    result.row = row;
    break;
  }
}

// Gives the result of an execution unit its slots. False if it has not all of them in this cycle. Without a row the
// values are on the way.
bool Writeback::write(const ResultAhead& result, ExecUnit unit, const ResultRow* row, std::uint8_t& written) {
  const isa::Instruction& insn = result.fetched.decoded().insn;
  const unsigned dst = insn.dst.index;
  static_assert(offsetof(ResultRow, high) == offsetof(ResultRow, low) + sizeof(LaneWords),
                "both words are read as an array");
  using Word = LateLanes::Word;
  const bool late = row == nullptr;
  const LaneWords* const values = late ? nullptr : &row->low;
  switch (insn.dst.kind) {
    case OperandKind::kReg:
      if (!write_registers(result.warp, dst, 1, kBothHalves, result.loaded, values, unit, written)) return false;
      break;
    case OperandKind::kHalf:
      if (!write_registers(result.warp, dst / 2, 1, {dst % 2 == 0, dst % 2 != 0}, result.loaded, values, unit, written))
        return false;
      break;
    case OperandKind::kPair:
      if (!write_registers(result.warp, dst, 2, kBothHalves, result.lanes, values, unit, written)) return false;
      break;
    case OperandKind::kAddr: write_addr(result.warp, dst, result.lanes, values, {late, unit, Word::kLow}); break;
    default: break;
  }
  if (insn.writes_flags) {
    CHECK(d_.next_flag_writes < kFlagWrites, "{}: more than {} writes of $c in one cycle", name(), kFlagWrites);
    FlagWrite& port = next_flag_writes_[d_.next_flag_writes++];
    port = {true, result.warp, insn.flag_dst, result.lanes, late ? LaneFlags{} : row->flags, {late, unit, Word::kLow}};
  }
  if (late) {
    retire(result.warp, result.fetched, result.tag, result.lanes, nullptr, 2, result.loaded, nullptr, nullptr, unit);
  } else {
    retire(result.warp, result.fetched, result.tag, result.lanes, values, 2, result.loaded,
           insn.writes_flags ? &row->flags : nullptr, &row->low);
  }
  return true;
}

// The halves of a load's register come one after the other; the second completes it.
void Writeback::take_load(const LoadResult& load) {
  if (load.half == 0) {
    load_half_ = load.data;
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
  std::copy(load_half_.begin(), load_half_.end(), &row.value.lane[0]);
  std::copy(load.data.begin(), load.data.end(), &row.value.lane[kHalfWarp]);
  loads_.push(row);
}

// Gives a load's register its slot, and releases the load with the last one. False if its bank is busy.
bool Writeback::write_load(const LoadRow& row) {
  const DecodedInstruction& decoded = row.fetched.decoded();
  std::uint8_t written = 0;
  if (!decoded.writes.registers.empty() && !write_registers(row.warp, decoded.insn.dst.index + row.word, 1, kBothHalves,
                                                            row.lanes, &row.value, ExecUnit::kSp, written))
    return false;
  ++d_.load_rows;
  if (reports_ != nullptr) loaded_[row.word] = row.value;
  if (row.last) retire(row.warp, row.fetched, row.tag, row.lanes, loaded_.data(), 4, row.lanes, nullptr, nullptr);
  return true;
}

void Writeback::next() {
  d_.release = {};
  num_released_ = 0;
  for (const ExecUnit unit : {ExecUnit::kSp, ExecUnit::kSfu, ExecUnit::kMultiply, ExecUnit::kDp}) collect(unit);
  show_writes();
  if (reports_ != nullptr) report_retired();
  // SP results come first, so their banks are always free.
  if (const ResultAhead& result = ahead_i[unit_number(ExecUnit::kSp)].read(); result.valid) {
    std::uint8_t written = 0;
    CHECK(write(result, ExecUnit::kSp, nullptr, written), "{}: an SP result of warp {} could not be written: bank busy",
          name(), result.warp);
  }
  for (const ExecUnit unit : {ExecUnit::kSfu, ExecUnit::kMultiply, ExecUnit::kDp}) {
    const ResultAhead& result = ahead_i[unit_number(unit)].read();
    if (result.valid) waiting_.push({result, unit, {}});
  }
  if (!waiting_.empty()) {
    const WaitingResult& oldest = waiting_.front();
    const ResultRow* const row = oldest.row.whole ? &oldest.row : nullptr;
    if (write(oldest.ahead, oldest.unit, row, d_.waiting_written)) waiting_.pop();
  }
  const LoadResult& load = load_i.read();
  if (load.valid) take_load(load);
  if (!loads_.empty() && write_load(loads_.front())) loads_.pop();
  if (const StoreDone& store = store_i.read(); store.valid) {
    retire(store.warp, store.fetched, store.tag, store.lanes, nullptr, 0, 0, nullptr, nullptr);
  }
  const ControlEvent& control = control_i.read();
  if (control.valid && control.fetched.decoded().unit == isa::Unit::kControl) {
    retire(control.warp, control.fetched, control.tag, control.taken, nullptr, 0, 0, nullptr, nullptr);
  }
  const bool writes = (d_.busy_banks | d_.written_banks) != 0 || d_.next_flag_writes != 0 || d_.flag_writes != 0 ||
                      d_.next_addr_write || d_.addr_write;
  if (num_released_ == 0 && waiting_.empty() && !load.valid && loads_.empty() && !writes && retiring_.empty()) sleep();
}

void Writeback::drive() {
  if (q_.release.entry[0].valid || release_o.read().entry[0].valid) release_o.write(q_.release);
  load_rows_o.write(q_.load_rows);
  busy_banks_o.write(q_.busy_banks);
  CHECK(q_.written_banks >> (num_banks_ - 1) <= 1, "{}: banks {:08x} are written, but there are {}", name(),
        q_.written_banks, num_banks_);
  written_banks_o.write(q_.written_banks);
  for (std::uint32_t rest = q_.written_banks; rest != 0; rest &= rest - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
    write_o[bank].write(writes_[bank]);
  }
  for (unsigned i = 0; i < kFlagWrites; ++i) {
    if (i < q_.flag_writes || flag_write_o[i].read().valid) flag_write_o[i].write(flag_writes_[i]);
  }
  if (q_.addr_write || addr_write_o.read().valid) addr_write_o.write(addr_write_);
}

}  // namespace g80

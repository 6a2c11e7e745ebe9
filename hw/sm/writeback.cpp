// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/writeback.h"

#include <algorithm>
#include <cstddef>

#include "hw/config/pipeline_depth.h"

namespace g80 {

using isa::OperandKind;

Writeback::Writeback(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      write_o("write_o", config.sm.register_banks),
      flag_write_o("flag_write_o", kFlagWrites),
      addr_write_o("addr_write_o", kAddrWrites),
      sfu_lanes_(2 * config.sm.num_sfus),
      multiply_lanes_(config.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config) : 0),
      dp_lanes_(2 * config.sm.num_dps),
      num_banks_(config.sm.register_banks) {}

bool Writeback::write_registers(unsigned warp, unsigned first, unsigned count, Halves halves, LaneMask lanes,
                                const LaneWords* values, std::uint8_t& written) {
  const unsigned end = std::min<unsigned>(count, written + num_banks_);
  std::uint32_t banks = 0;
  for (unsigned i = written; i < end; ++i) banks |= 1u << register_bank(warp, first + i, num_banks_);
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return false;
  }
  d_.busy_banks |= banks;
  for (unsigned i = written; i < end; ++i) {
    writes_[register_bank(warp, first + i, num_banks_)] = {static_cast<std::uint8_t>(warp),
                                                           static_cast<std::uint8_t>(first + i),
                                                           halves.low,
                                                           halves.high,
                                                           lanes,
                                                           values[i]};
  }
  written = static_cast<std::uint8_t>(end == count ? 0 : end);
  return end == count;
}

void Writeback::write_addr(unsigned warp, unsigned index, LaneMask lanes, const LaneWords& value) {
  CHECK(d_.addr_writes < kAddrWrites, "{}: more than {} writes of $a in one cycle", name(), kAddrWrites);
  addr_writes_[d_.addr_writes++] = {true, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(index), lanes,
                                    value};
}

void Writeback::retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, LaneMask lanes,
                       const LaneWords* values, unsigned count, LaneMask loaded, const LaneFlags* flags,
                       const LaneWords* addr) {
  CHECK(num_released_ < d_.release.entry.size(), "{}: more than {} instructions retire in one cycle", name(),
        d_.release.entry.size());
  d_.release.entry[num_released_++] = {true, static_cast<std::uint8_t>(warp), fetched, tag};
  ++counters_.instructions;
  last_retirement_ = edge();
  const unsigned num_lanes = static_cast<unsigned>(__builtin_popcount(lanes));
  counters_.thread_instructions += num_lanes;
  ++counters_.active_lanes[4 - num_lanes / 8];
  if (reports_ == nullptr) return;
  SmReport::Retire& entry = reports_->at(edge()).retire.add();
  entry.tag = tag;
  entry.warp = static_cast<std::uint8_t>(warp);
  entry.fetched = fetched;
  entry.lanes = lanes;
  entry.first_register = entry.num_registers = 0;
  entry.loaded = 0;
  if (!reports_->reports_values()) return;
  const RegisterSet& written = fetched.decoded().writes.registers;
  if (count != 0 && !written.empty()) {
    const unsigned first = written.bits[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(written.bits[0]))
                                                : 64 + static_cast<unsigned>(__builtin_ctzll(written.bits[1]));
    entry.first_register = static_cast<std::uint8_t>(first);
    entry.num_registers = static_cast<std::uint8_t>(std::min(written.count(), count));
    entry.loaded = loaded;
    for (unsigned i = 0; i < entry.num_registers; ++i) entry.value[i] = values[i];
  }
  if (flags != nullptr) entry.flags = *flags;
  if (addr != nullptr) entry.addr = *addr;
}

// Keeps the lanes that arrived. True if they complete the instruction.
bool Writeback::collect(const ExecResult& part, unsigned count, ResultRow& row) {
  if (!part.valid) return false;
  row.warp = part.warp;
  row.fetched = part.fetched;
  row.tag = part.tag;
  row.lanes = part.lanes;
  row.loaded = part.loaded;
  CHECK(part.first + count <= kWarpSize, "{}: {} lanes arrived from lane {} on", name(), count, part.first);
  std::copy_n(part.low.begin(), count, &row.low.lane[part.first]);
  std::copy_n(part.high.begin(), count, &row.high.lane[part.first]);
  std::copy_n(part.flags.begin(), count, &row.flags.lane[part.first]);
  std::copy_n(part.new_addr.begin(), count, &row.new_addr.lane[part.first]);
  return part.last;
}

// Writes the result of an execution unit. False if it is not written whole in this cycle.
bool Writeback::write(const ResultRow& row, std::uint8_t& written) {
  const isa::Instruction& insn = row.fetched.decoded().insn;
  const unsigned dst = insn.dst.index;
  static_assert(offsetof(ResultRow, high) == offsetof(ResultRow, low) + sizeof(LaneWords),
                "both words are read as an array");
  switch (insn.dst.kind) {
    case OperandKind::kReg:
      if (!write_registers(row.warp, dst, 1, kBothHalves, row.loaded, &row.low, written)) return false;
      break;
    case OperandKind::kHalf:
      if (!write_registers(row.warp, dst / 2, 1, {dst % 2 == 0, dst % 2 != 0}, row.loaded, &row.low, written))
        return false;
      break;
    case OperandKind::kPair:
      if (!write_registers(row.warp, dst, 2, kBothHalves, row.lanes, &row.low, written)) return false;
      break;
    case OperandKind::kAddr: write_addr(row.warp, dst, row.lanes, row.low); break;
    default: break;
  }
  if (insn.writes_flags) {
    CHECK(d_.flag_writes < kFlagWrites, "{}: more than {} writes of $c in one cycle", name(), kFlagWrites);
    flag_writes_[d_.flag_writes++] = {true, row.warp, insn.flag_dst, row.lanes, row.flags};
  }
  const bool increments = insn.post_increment && insn.addr_reg != 0;
  if (increments) write_addr(row.warp, insn.addr_reg, row.lanes, row.new_addr);
  retire(row.warp, row.fetched, row.tag, row.lanes, &row.low, 2, row.loaded, insn.writes_flags ? &row.flags : nullptr,
         increments ? &row.new_addr : &row.low);
  return true;
}

void Writeback::write_load(const LoadResult& load) {
  const DecodedInstruction& decoded = load.fetched.decoded();
  const isa::Instruction& insn = decoded.insn;
  const unsigned count = decoded.writes.registers.count();
  CHECK(count <= load.data.size(), "{}: a load of warp {} writes {} registers", name(), load.warp, count);
  if (!write_registers(load.warp, insn.dst.index, count, kBothHalves, load.lanes, load.data.data(), d_.load_written))
    return;
  if (insn.post_increment && insn.addr_reg != 0) write_addr(load.warp, insn.addr_reg, load.lanes, load.new_addr);
  d_.taken = {true, load.id};
  retire(load.warp, load.fetched, load.tag, load.lanes, load.data.data(), 4, load.lanes, nullptr, &load.new_addr);
}

void Writeback::next() {
  d_.release = {};
  d_.taken = {};
  d_.busy_banks = 0;
  for (unsigned i = 0; i < q_.flag_writes; ++i) flag_writes_[i].valid = false;
  for (unsigned i = 0; i < q_.addr_writes; ++i) addr_writes_[i].valid = false;
  d_.flag_writes = d_.addr_writes = 0;
  num_released_ = 0;
  // SP results come first, so their banks are always free.
  if (collect(sp_i.read(), kPortLanes, sp_row_)) {
    std::uint8_t written = 0;
    CHECK(write(sp_row_, written), "{}: an SP result of warp {} could not be written: bank busy", name(), sp_row_.warp);
  }
  if (collect(sfu_i.read(), sfu_lanes_, sfu_row_)) waiting_.push(sfu_row_);
  if (collect(multiply_i.read(), multiply_lanes_, multiply_row_)) waiting_.push(multiply_row_);
  if (collect(dp_i.read(), dp_lanes_, dp_row_)) waiting_.push(dp_row_);
  if (!waiting_.empty() && write(waiting_.front(), d_.waiting_written)) waiting_.pop();
  // A result taken last cycle is still on the wire.
  const LoadResult& load = load_i.read();
  if (load.valid && !(q_.taken.valid && q_.taken.id == load.id)) write_load(load);
  if (const StoreDone& store = store_i.read(); store.valid) {
    const isa::Instruction& insn = store.fetched.decoded().insn;
    if (insn.post_increment && insn.addr_reg != 0) write_addr(store.warp, insn.addr_reg, store.lanes, store.new_addr);
    retire(store.warp, store.fetched, store.tag, store.lanes, nullptr, 0, 0, nullptr, &store.new_addr);
  }
  const ControlEvent& control = control_i.read();
  if (control.valid && control.fetched.decoded().unit == isa::Unit::kControl) {
    retire(control.warp, control.fetched, control.tag, control.taken, nullptr, 0, 0, nullptr, nullptr);
  }
  if (num_released_ == 0 && waiting_.empty() && !load.valid && q_.busy_banks == 0 && q_.flag_writes == 0 &&
      q_.addr_writes == 0 && !q_.taken.valid && !q_.release.entry[0].valid) {
    sleep();
  }
}

void Writeback::drive() {
  release_o.write(q_.release);
  taken_o.write(q_.taken);
  busy_banks_o.write(q_.busy_banks);
  for (std::uint32_t rest = q_.busy_banks; rest != 0; rest &= rest - 1) {
    const auto bank = static_cast<unsigned>(__builtin_ctz(rest));
    write_o[bank].write(writes_[bank]);
  }
  for (unsigned i = 0; i < kFlagWrites; ++i) {
    if (i < q_.flag_writes || flag_write_o[i]->read().valid) flag_write_o[i].write(flag_writes_[i]);
  }
  for (unsigned i = 0; i < kAddrWrites; ++i) {
    if (i < q_.addr_writes || addr_write_o[i]->read().valid) addr_write_o[i].write(addr_writes_[i]);
  }
}

}  // namespace g80

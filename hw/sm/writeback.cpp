// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/writeback.h"

#include <algorithm>
#include <cstddef>

#include "hw/config/pipeline_depth.h"

namespace g80 {

using isa::OperandKind;

Writeback::Writeback(const sc_core::sc_module_name& name, const Config& config, RegisterFile& registers)
    : Clocked(name),
      sfu_lanes_(2 * config.sm.num_sfus),
      multiply_lanes_(config.sm.sfu_mul ? 2 * kWarpSize / multiply_occupancy(config) : 0),
      dp_lanes_(2 * config.sm.num_dps),
      registers_(registers) {}

std::uint32_t Writeback::banks_of(unsigned warp, const DecodedInstruction& decoded) const {
  std::uint32_t banks = 0;
  for (unsigned i = 0; i < 2; ++i) {
    for (std::uint64_t rest = decoded.writes.registers.bits[i]; rest != 0; rest &= rest - 1) {
      banks |= 1u << registers_.bank(warp, i * 64 + static_cast<unsigned>(__builtin_ctzll(rest)));
    }
  }
  return banks;
}

void Writeback::retire(unsigned warp, const FetchedInstruction& fetched, Tag tag, LaneMask lanes,
                       const LaneWords* delivered, LaneMask loaded) {
  CHECK(num_released_ < d_.release.entry.size(), "{}: more than {} instructions retire in one cycle", name(),
        d_.release.entry.size());
  d_.release.entry[num_released_++] = {true, static_cast<std::uint8_t>(warp), fetched, tag};
  ++counters_.instructions;
  const unsigned num_lanes = static_cast<unsigned>(__builtin_popcount(lanes));
  counters_.thread_instructions += num_lanes;
  if (profile_ != nullptr) profile_->retired(fetched.pc, num_lanes);
  ++counters_.active_lanes[4 - num_lanes / 8];
  if (log_ == nullptr) return;
  SmLog::Retire& entry = log_->retire.emplace_back();
  log_->order.push_back(SmLog::Kind::kRetire);
  entry.tag = tag;
  entry.warp = static_cast<std::uint8_t>(warp);
  entry.fetched = fetched;
  entry.lanes = lanes;
  entry.cycle = edge();
  const RegisterSet& written = fetched.decoded().writes.registers;
  if (!written.empty()) {
    const unsigned first = written.bits[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(written.bits[0]))
                                                : 64 + static_cast<unsigned>(__builtin_ctzll(written.bits[1]));
    entry.first_register = static_cast<std::uint8_t>(first);
    entry.num_registers =
        static_cast<std::uint8_t>(__builtin_popcountll(written.bits[0]) + __builtin_popcountll(written.bits[1]));
    entry.half = fetched.decoded().insn.dst.kind == OperandKind::kHalf;
    for (unsigned i = 0; i < entry.num_registers; ++i) {
      entry.value[i] = registers_.read(warp, first + i);
      if (delivered == nullptr || entry.half || first + i >= registers_.registers(warp)) continue;
      LaneMask differ = 0;
      for (unsigned l = 0; l < kWarpSize; ++l) differ |= LaneMask{entry.value[i][l] != delivered[i][l]} << l;
      entry.lost |= differ & loaded;
    }
  }
  if (fetched.decoded().insn.writes_flags) entry.flags = registers_.flags(warp, fetched.decoded().insn.flag_dst);
  if (fetched.decoded().writes.addrs != 0) {
    entry.addr = registers_.addr(warp, static_cast<unsigned>(__builtin_ctz(fetched.decoded().writes.addrs)));
  }
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

// Writes the result of an execution unit. False if one of its register banks is busy.
bool Writeback::write(const ResultRow& row) {
  const isa::Instruction& insn = row.fetched.decoded().insn;
  const std::uint32_t banks = banks_of(row.warp, row.fetched.decoded());
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return false;
  }
  d_.busy_banks |= banks;
  switch (insn.dst.kind) {
    case OperandKind::kReg: registers_.write(row.warp, insn.dst.index, row.loaded, row.low); break;
    case OperandKind::kHalf: registers_.write_half(row.warp, insn.dst.index, row.loaded, row.low); break;
    case OperandKind::kPair:
      registers_.write(row.warp, insn.dst.index, row.lanes, row.low);
      registers_.write(row.warp, insn.dst.index + 1u, row.lanes, row.high);
      break;
    case OperandKind::kAddr: registers_.write_addr(row.warp, insn.dst.index, row.lanes, row.low); break;
    default: break;
  }
  if (insn.writes_flags) registers_.write_flags(row.warp, insn.flag_dst, row.lanes, row.flags);
  if (insn.post_increment && insn.addr_reg != 0)
    registers_.write_addr(row.warp, insn.addr_reg, row.lanes, row.new_addr);
  static_assert(offsetof(ResultRow, high) == offsetof(ResultRow, low) + sizeof(LaneWords),
                "retire() reads both words as an array");
  retire(row.warp, row.fetched, row.tag, row.lanes, &row.low, row.loaded);
  return true;
}

void Writeback::write_load(const LoadResult& load) {
  const std::uint32_t banks = banks_of(load.warp, load.fetched.decoded());
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return;
  }
  d_.busy_banks |= banks;
  const isa::Operand& dst = load.fetched.decoded().insn.dst;
  const unsigned count = static_cast<unsigned>(__builtin_popcountll(load.fetched.decoded().writes.registers.bits[0]) +
                                               __builtin_popcountll(load.fetched.decoded().writes.registers.bits[1]));
  for (unsigned i = 0; i < count; ++i) registers_.write(load.warp, dst.index + i, load.lanes, load.data[i]);
  const isa::Instruction& insn = load.fetched.decoded().insn;
  if (insn.post_increment && insn.addr_reg != 0)
    registers_.write_addr(load.warp, insn.addr_reg, load.lanes, load.new_addr);
  d_.taken = {true, load.id};
  retire(load.warp, load.fetched, load.tag, load.lanes, load.data.data(), load.lanes);
}

void Writeback::next() {
  d_.release = {};
  d_.taken = {};
  d_.busy_banks = 0;
  num_released_ = 0;
  // SP results come first, so their banks are always free.
  if (collect(sp_i.read(), kPortLanes, sp_row_)) {
    CHECK(write(sp_row_), "{}: an SP result of warp {} could not be written: bank busy", name(), sp_row_.warp);
  }
  if (collect(sfu_i.read(), sfu_lanes_, sfu_row_)) waiting_.push(sfu_row_);
  if (collect(multiply_i.read(), multiply_lanes_, multiply_row_)) waiting_.push(multiply_row_);
  if (collect(dp_i.read(), dp_lanes_, dp_row_)) waiting_.push(dp_row_);
  if (!waiting_.empty() && write(waiting_.front())) waiting_.pop();
  // A result taken last cycle is still on the wire.
  const LoadResult& load = load_i.read();
  if (load.valid && !(q_.taken.valid && q_.taken.id == load.id)) write_load(load);
  if (const StoreDone& store = store_i.read(); store.valid) {
    const isa::Instruction& insn = store.fetched.decoded().insn;
    if (insn.post_increment && insn.addr_reg != 0)
      registers_.write_addr(store.warp, insn.addr_reg, store.lanes, store.new_addr);
    retire(store.warp, store.fetched, store.tag, store.lanes);
  }
  const ControlEvent& control = control_i.read();
  if (control.valid && control.fetched.decoded().unit == isa::Unit::kControl) {
    retire(control.warp, control.fetched, control.tag, control.taken);
  }
  if (num_released_ == 0 && waiting_.empty() && !load.valid && q_.busy_banks == 0 && !q_.taken.valid &&
      !q_.release.entry[0].valid) {
    sleep();
  }
}

void Writeback::drive() {
  release_o.write(q_.release);
  taken_o.write(q_.taken);
  busy_banks_o.write(q_.busy_banks);
}

}  // namespace g80

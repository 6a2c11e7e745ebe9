// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/writeback.h"

#include <cstddef>

namespace g80 {

using isa::OperandKind;

Writeback::Writeback(const sc_core::sc_module_name& name, const Config&, RegisterFile& registers)
    : Clocked(name), registers_(registers) {}

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

// Writes the result of an execution unit. False if one of its register banks is busy.
bool Writeback::write(const ExecSlot& slot) {
  const isa::Instruction& insn = slot.fetched.decoded().insn;
  const std::uint32_t banks = banks_of(slot.warp, slot.fetched.decoded());
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return false;
  }
  d_.busy_banks |= banks;
  switch (insn.dst.kind) {
    case OperandKind::kReg: registers_.write(slot.warp, insn.dst.index, slot.loaded, slot.out.lo); break;
    case OperandKind::kHalf: registers_.write_half(slot.warp, insn.dst.index, slot.loaded, slot.out.lo); break;
    case OperandKind::kPair:
      registers_.write(slot.warp, insn.dst.index, slot.lanes, slot.out.lo);
      registers_.write(slot.warp, insn.dst.index + 1u, slot.lanes, slot.out.hi);
      break;
    case OperandKind::kAddr: registers_.write_addr(slot.warp, insn.dst.index, slot.lanes, slot.out.lo); break;
    default: break;
  }
  if (insn.writes_flags) registers_.write_flags(slot.warp, insn.flag_dst, slot.lanes, slot.out.flags);
  if (insn.post_increment && insn.addr_reg != 0)
    registers_.write_addr(slot.warp, insn.addr_reg, slot.lanes, slot.new_addr);
  static_assert(offsetof(isa::AluOutput, hi) == sizeof(LaneWords), "retire() reads lo and hi as an array");
  retire(slot.warp, slot.fetched, slot.tag, slot.lanes, &slot.out.lo, slot.loaded);
  return true;
}

void Writeback::write_load(const LoadEntry& entry) {
  const std::uint32_t banks = banks_of(entry.warp, entry.fetched.decoded());
  if ((banks & d_.busy_banks) != 0) {
    ++counters_.bank_conflicts;
    return;
  }
  d_.busy_banks |= banks;
  const isa::Operand& dst = entry.fetched.decoded().insn.dst;
  const unsigned count = static_cast<unsigned>(__builtin_popcountll(entry.fetched.decoded().writes.registers.bits[0]) +
                                               __builtin_popcountll(entry.fetched.decoded().writes.registers.bits[1]));
  for (unsigned i = 0; i < count; ++i) registers_.write(entry.warp, dst.index + i, entry.lanes, entry.data[i]);
  const isa::Instruction& insn = entry.fetched.decoded().insn;
  if (insn.post_increment && insn.addr_reg != 0)
    registers_.write_addr(entry.warp, insn.addr_reg, entry.lanes, entry.new_addr);
  d_.taken = {true, load_i.read().id};
  retire(entry.warp, entry.fetched, entry.tag, entry.lanes, entry.data.data(), entry.lanes);
}

void Writeback::next() {
  d_.release = {};
  d_.taken = {};
  d_.busy_banks = 0;
  num_released_ = 0;
  const ExecResult& sp = sp_i.read();
  for (const ExecResult* result : {&sp, &sfu_i.read(), &multiply_i.read(), &dp_i.read()}) {
    CHECK(!result->valid || result->slot != nullptr, "{}: a result of warp {} has no values", name(), result->warp);
  }
  // SP results come first, so their banks are always free.
  if (sp.valid) CHECK(write(*sp.slot), "{}: an SP result of warp {} could not be written: bank busy", name(), sp.warp);
  if (sfu_i.read().valid) waiting_.push(sfu_i.read());
  if (multiply_i.read().valid) waiting_.push(multiply_i.read());
  if (dp_i.read().valid) waiting_.push(dp_i.read());
  if (!waiting_.empty() && write(*waiting_.front().slot)) waiting_.pop();
  // A result taken last cycle is still on the wire.
  const LoadResult& load = load_i.read();
  CHECK(!load.valid || load.entry != nullptr, "{}: a load result of warp {} has no values", name(), load.warp);
  if (load.valid && !(q_.taken.valid && q_.taken.id == load.id)) write_load(*load.entry);
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

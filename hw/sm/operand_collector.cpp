// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/operand_collector.h"

#include <algorithm>
#include <cstring>

#include "hw/config/pipeline_depth.h"
#include "hw/sm/guard_condition.h"

namespace g80 {
namespace {

using isa::MemType;
using isa::Op;
using isa::OperandKind;

/// Instructions that ignore their guard and execute for all active lanes.
bool ignores_guard(Op op) {
  switch (op) {
    case Op::kCall:
    case Op::kBreakaddr:
    case Op::kJoinat:
    case Op::kBar:
    case Op::kQuadon:
    case Op::kQuadpop:
    case Op::kTrap:
    case Op::kVote: return true;
    default: return false;
  }
}

std::uint32_t extend(MemType type, std::uint32_t value) {
  if (type == MemType::kS16) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  if (type == MemType::kS8) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  return value;
}

inline constexpr Cycle kSpCycles = kWarpSize / kNumSpLanes;

// Numbers of the operand words, for reads on their way.
inline constexpr unsigned kHigh = 3, kData = 6;
LaneWords& word_of(OperandSet& operands, unsigned number) {
  CHECK(number < kData + 4, "an operand word has number {}", number);
  return number < kHigh   ? operands.source[number]
         : number < kData ? operands.high[number - kHigh]
                          : operands.data[number - kData];
}

/// Lanes of one part of the operands: the first of the port's words.
void copy_part(PortWords& to, const LaneWords& from, unsigned part, unsigned lanes) {
  std::copy_n(&from.lane[part * lanes], lanes, to.begin());
}

/// The next part, or none. A unit of an odd number of parts does not exist.
void advance(PortState& port, Cycle cycles) {
  if (port.sending && ++port.part == cycles / 2) port = {};
}

}  // namespace

OperandCollector::OperandCollector(const sc_core::sc_module_name& name, const Config& config, unsigned tpc,
                                   unsigned sm_in_tpc, const RegisterFile& registers)
    : Clocked(name),
      tpc_(tpc),
      sm_in_tpc_(sm_in_tpc),
      num_units_(config.sm.collector_units),
      sfu_cycles_(kWarpSize / config.sm.num_sfus),
      dp_cycles_(dp_occupancy(config)),
      multiply_cycles_(multiply_occupancy(config)),
      shared_operand_cycles_(config.sm.shared_operand_cycles),
      registers_(registers),
      const_way_(*this, "const_way", const_extra_cycles(config) / kSchedulerPeriod) {}

void OperandCollector::reset() {
  num_ordered_ = 0;
  address_order_.clear();
  const_way_.clear();
  leaving_ = 0;
}

void OperandCollector::add_read(Unit& unit, unsigned reg, unsigned to, int half) {
  unit.read[unit.num_reads++] = {static_cast<std::uint8_t>(reg), static_cast<std::int8_t>(half),
                                 static_cast<std::uint8_t>(to)};
}

// Adds the register reads of operand `slot` to the unit's list. Copies immediates, $a and special registers at once.
void OperandCollector::gather(Unit& unit, const isa::Operand& operand, unsigned slot) {
  OperandSet& ops = unit.operands;
  const isa::Instruction& insn = unit.fetched.decoded().insn;
  const bool memory = unit.fetched.decoded().unit == isa::Unit::kMemory;
  // Memory instructions: src[0] is the address, src[1] data or operand b, src[2] operand c.
  const unsigned low = memory && slot > 0 ? kData + 2 * (slot - 1) : slot;
  const unsigned high = memory && slot > 0 ? low + 1 : kHigh + slot;
  switch (operand.kind) {
    case OperandKind::kReg: add_read(unit, operand.index, low); break;
    case OperandKind::kHalf: add_read(unit, operand.index / 2u, low, operand.index % 2); break;
    case OperandKind::kPair:
      add_read(unit, operand.index, low);
      add_read(unit, operand.index + 1u, high);
      break;
    case OperandKind::kQuad:
      for (unsigned i = 0; i < 4; ++i) add_read(unit, operand.index + i, kData + i);
      break;
    case OperandKind::kImm: {
      LaneWords& to = word_of(ops, low);
      std::fill(std::begin(to.lane), std::end(to.lane), insn.immediate);
      break;
    }
    case OperandKind::kAddr: word_of(ops, low) = registers_.addr(unit.warp, operand.index); break;
    case OperandKind::kSpecial:
      for (unsigned l = 0; l < kWarpSize; ++l) {
        word_of(ops, low)[l] = operand.index == 0 ? (tpc_ << 20 | sm_in_tpc_ << 16 | std::uint32_t{unit.warp} << 8 | l)
                               : operand.index == 1 ? static_cast<std::uint32_t>(edge())
                                                    : 0;
      }
      break;
    default: break;
  }
}

void OperandCollector::accept(const Issue& issue) {
  CHECK(num_ordered_ < num_units_, "{}: warp {} issued, but no collector unit is free", name(), issue.warp);
  const unsigned index = d_.occupied == ~0u ? kMaxCollectorUnits : static_cast<unsigned>(__builtin_ctz(~d_.occupied));
  CHECK(index < kMaxCollectorUnits, "{}: no collector unit is free: {:08x} are occupied", name(), d_.occupied);
  Unit& unit = units_[index];
  const DecodedInstruction& decoded = issue.fetched.decoded();
  const isa::Instruction& insn = decoded.insn;
  unit.warp = issue.warp;
  unit.fetched = issue.fetched;
  unit.tag = issue.tag;
  unit.to_multipliers = issue.to_multipliers;
  unit.num_reads = unit.next_read = unit.waiting_halves = 0;
  unit.waiting_const = unit.control_sent = unit.sent = false;

  OperandSet& ops = unit.operands;
  ops.active = masks_i.read().mask[issue.warp];
  ops.condition =
      insn.cond == isa::kAlways ? ~LaneMask{0} : guard_lanes(insn.cond, registers_.flags(issue.warp, insn.flag_src));
  ops.lanes = ignores_guard(insn.op) ? ops.active : ops.active & ops.condition;
  if (insn.lane_mask != 0xf) ops.lanes &= 0x11111111u * insn.lane_mask;
  ops.granted = 0;
  ops.flags = registers_.flags(issue.warp, insn.flag_src);
  if (insn.addr_reg != 0) ops.addr = registers_.addr(issue.warp, insn.addr_reg);

  if (decoded.unit == isa::Unit::kMemory) {
    std::fill(std::begin(ops.data), std::end(ops.data), LaneWords{});  // unused data words are 0
  }
  if (decoded.unit == isa::Unit::kTexture) {
    for (unsigned i = 0; i < insn.tex_sources; ++i) add_read(unit, insn.dst.index + i, kData + i);
    address_order_.push({static_cast<std::uint8_t>(index), false});
  } else if (decoded.error == isa::DecodeError::kNone) {
    for (unsigned slot = 0; slot < 3; ++slot) gather(unit, insn.src[slot], slot);
  }
  if (decoded.unit == isa::Unit::kMemory) address_order_.push({static_cast<std::uint8_t>(index), false});
  if (decoded.reads_shared_operand && ops.lanes != 0) {
    unit.waiting_halves = static_cast<std::uint8_t>(((ops.lanes & 0xffffu) != 0) + ((ops.lanes >> kHalfWarp) != 0));
    address_order_.push({static_cast<std::uint8_t>(index), false});
  }
  if (decoded.reads_const_operand) {
    for (unsigned slot = 0; slot < 3; ++slot) {
      if (insn.src[slot].kind == OperandKind::kConst) ops.source[slot] = {};  // lanes outside the c[] bank read 0
    }
    if (ops.lanes != 0) {
      unit.waiting_const = true;
      address_order_.push({static_cast<std::uint8_t>(index), true});
    }
  }
  d_.occupied |= 1u << index;
  order_[num_ordered_++] = static_cast<std::uint8_t>(index);
  if (unit.num_reads != 0) d_.reading |= 1u << index;

  if (reports_ != nullptr) {
    reports_->at(edge()).issue.add() = {issue.tag,
                                        issue.warp,
                                        issue.fetched,
                                        ops.active,
                                        ops.lanes,
                                        static_cast<std::uint32_t>(edge()),
                                        tpc_ << 20 | sm_in_tpc_ << 16 | std::uint32_t{issue.warp} << 8};
  }
}

// Reads one register from each bank, for the oldest unit first. A second read of a bank waits. This is where register
// bank conflicts are decided.
void OperandCollector::read_banks() {
  std::uint32_t busy = busy_banks_i.read();
  for (unsigned i = 0; i < num_ordered_; ++i) {
    const unsigned index = order_[i];
    if ((d_.reading >> index & 1) == 0) continue;
    Unit& unit = units_[index];
    CHECK(unit.num_reads <= unit.read.size(), "{}: unit {} has {} register reads, at most {} are possible", name(),
          index, unit.num_reads, unit.read.size());
    // read[next_read .. num_reads) are the reads not yet granted.
    for (unsigned r = unit.next_read; r < unit.num_reads; ++r) {
      const Read read = unit.read[r];
      const std::uint32_t bank = 1u << registers_.bank(unit.warp, read.reg);
      if ((busy & bank) != 0) {
        ++counters_.bank_conflicts;
        continue;
      }
      busy |= bank;
      const LaneWords& value = registers_.read(unit.warp, read.reg);
      LaneWords& to = word_of(unit.operands, read.to);
      if (read.half < 0) {
        to = value;
      } else {
        for (unsigned l = 0; l < kWarpSize; ++l) to[l] = value[l] >> (16 * read.half) & 0xffffu;
      }
      unit.read[r] = unit.read[unit.next_read];
      ++unit.next_read;
    }
    if (unit.next_read == unit.num_reads) d_.reading &= ~(1u << index);
  }
}

void OperandCollector::take_replies() {
  if (const SmemReply& reply = smem_i.read(); reply.valid) {
    Unit& unit = units_[reply.unit];
    CHECK(unit.waiting_halves != 0, "{}: unit {} received an s[] operand, but waits for none", name(), reply.unit);
    for (unsigned slot = 0; slot < 3; ++slot) {
      if (unit.fetched.decoded().insn.src[slot].kind != OperandKind::kShared) continue;
      for (unsigned l = 0; l < kHalfWarp; ++l) unit.operands.source[slot][reply.half * kHalfWarp + l] = reply.data[l];
    }
    unit.operands.granted |= LaneMask{reply.granted} << (kHalfWarp * reply.half);
    --unit.waiting_halves;
  }
  if (const ConstReply reply = const_way_.shift(const_i.read()); reply.valid) take(reply);
  for (WarpMask rest = answered_i.read(); rest != 0; rest &= rest - 1) {
    units_[static_cast<unsigned>(__builtin_ctz(rest))].waiting_const = false;
  }
}

void OperandCollector::take(const ConstReply& reply) {
  CHECK(reply.id < kMaxCollectorUnits && units_[reply.id].waiting_const,
        "{}: unit {} received a c[] operand, but waits for none", name(), reply.id);
  Unit& unit = units_[reply.id];
  for (unsigned slot = 0; slot < 3; ++slot) {
    const isa::Operand& operand = unit.fetched.decoded().insn.src[slot];
    if (operand.kind != OperandKind::kConst) continue;
    for (LaneMask rest = reply.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      unit.operands.source[slot][l] = extend(operand.type, reply.data[l]);
    }
  }
  unit.waiting_const = false;
  if (reply.fault == MemFault::kNone || q_.fault.valid) return;
  d_.fault.valid = true;
  d_.fault.kind = FaultKind::kPageNotPresent;
  d_.fault.lane = static_cast<std::uint8_t>(__builtin_ctz(reply.fault_lanes));
  d_.fault.words[0] = unit.fetched.w0();
  d_.fault.words[1] = unit.fetched.w1();
  d_.fault.origin = {unit.tag, 0, unit.warp, unit.fetched.pc};
}

Dispatch OperandCollector::dispatch_of(const Unit& unit) {
  const OperandSet& ops = unit.operands;
  Dispatch out;
  out.valid = true;
  out.warp = unit.warp;
  out.fetched = unit.fetched;
  out.tag = unit.tag;
  out.lanes = ops.lanes;
  out.granted = ops.granted;
  if (const isa::Instruction& insn = unit.fetched.decoded().insn; insn.op == Op::kVote) {
    // Only active lanes vote; all of them get the result.
    const LaneMask votes = ops.condition & ops.active;
    out.vote = insn.vote_all ? votes == ops.active : votes != 0;
  }
  return out;
}

void OperandCollector::dispatch_address(const AddressJob& job) {
  const Unit& unit = units_[job.unit];
  d_.address = true;
  address_latch_.valid = true;
  address_latch_.warp = unit.warp;
  address_latch_.unit = job.unit;
  address_latch_.constant = job.constant;
  address_latch_.fetched = unit.fetched;
  address_latch_.tag = unit.tag;
  address_latch_.lanes = unit.operands.lanes;
  address_latch_.base = unit.operands.source[0];
  address_latch_.addr = unit.operands.addr;
  std::copy(unit.operands.data.begin(), unit.operands.data.end(), address_latch_.data);
}

void OperandCollector::free_unit(unsigned index) {
  d_.occupied &= ~(1u << index);
  ++d_.credit.collector;
  const auto end = order_.begin() + num_ordered_;
  const auto place = std::find(order_.begin(), end, index);
  CHECK(place != end, "{}: unit {} was freed, but it is empty", name(), index);
  std::copy(place + 1, end, place);
  --num_ordered_;
}

// Warps with an instruction that is older than the one in unit `index` and still reads registers.
WarpMask OperandCollector::warps_reading_before(unsigned index) const {
  WarpMask warps = 0;
  for (unsigned i = 0; d_.reading != 0 && i < num_ordered_ && order_[i] != index; ++i) {
    if ((d_.reading >> order_[i] & 1) != 0) warps |= WarpMask{1} << units_[order_[i]].warp;
  }
  return warps;
}

void OperandCollector::report_operands(const Unit& unit) {
  if (!reports_->reports_values()) return;
  const isa::Instruction& insn = unit.fetched.decoded().insn;
  const OperandSet& ops = unit.operands;
  SmReport::Operands& entry = reports_->at(edge()).operands.add();
  entry.tag = unit.tag;
  entry.warp = unit.warp;
  entry.as_stored = true;
  entry.count = 0;
  const auto add = [&](const LaneWords& words) { entry.words[entry.count++] = words; };
  if (unit.fetched.decoded().unit == isa::Unit::kMemory) {
    if (insn.src[0].kind == OperandKind::kReg) {
      entry.as_stored =
          std::memcmp(&registers_.read(unit.warp, insn.src[0].index), &ops.source[0], sizeof(LaneWords)) == 0;
      add(ops.source[0]);
    }
    const OperandKind data = insn.src[1].kind;
    const unsigned words = data == OperandKind::kQuad   ? 4
                           : data == OperandKind::kPair ? 2
                           : data != OperandKind::kNone ? 1
                                                        : 0;
    for (unsigned i = 0; i < words; ++i) add(ops.data[i]);
  } else if (unit.fetched.decoded().unit != isa::Unit::kTexture) {
    for (unsigned slot = 0; slot < 3; ++slot) {
      switch (insn.src[slot].kind) {
        case OperandKind::kReg:
          entry.as_stored &=
              std::memcmp(&registers_.read(unit.warp, insn.src[slot].index), &ops.source[slot], sizeof(LaneWords)) == 0;
          add(ops.source[slot]);
          break;
        case OperandKind::kHalf:
        case OperandKind::kShared:
        case OperandKind::kConst: add(ops.source[slot]); break;
        case OperandKind::kPair: add(ops.source[slot]), add(ops.high[slot]); break;
        default: break;
      }
    }
  }
}

// Dispatches to each execution unit the oldest instruction with complete operands. An instruction waits while an older
// one of its warp still reads registers: otherwise its result could overwrite a source of the older one. This is where
// write-after-read hazards are decided.
void OperandCollector::send() {
  WarpMask reading_warps = 0;  // warps with an older instruction that still reads registers
  if (!address_order_.empty()) {
    const AddressJob job = address_order_.front();
    const DecodedInstruction& decoded = units_[job.unit].fetched.decoded();
    const bool operand_fetch = decoded.unit != isa::Unit::kMemory && decoded.unit != isa::Unit::kTexture;
    const bool overtakes = (warps_reading_before(job.unit) >> units_[job.unit].warp & 1) != 0;
    if (operand_fetch || ((d_.reading >> job.unit & 1) == 0 && !overtakes)) {
      dispatch_address(job);
      if (!operand_fetch) {
        units_[job.unit].sent = true;
        if (reports_ != nullptr) report_operands(units_[job.unit]);
      }
      address_order_.pop();
    }
  }
  const Cycle now = edge();
  for (unsigned i = 0; i < num_ordered_; ++i) {
    const unsigned index = order_[i];
    Unit& unit = units_[index];
    const DecodedInstruction& decoded = unit.fetched.decoded();
    // A control instruction needs only the flags, which accept() has read.
    if (decoded.control && !unit.control_sent && !d_.control.valid) {
      d_.control = {true, unit.warp, unit.operands.lanes, unit.fetched, unit.tag};
      unit.control_sent = true;
      if (decoded.unit == isa::Unit::kControl) {
        unit.sent = true;
        leaving_ |= 1u << index;
      }
    }
    const WarpMask warp = WarpMask{1} << unit.warp;
    const bool overtakes = (reading_warps & warp) != 0;
    if ((d_.reading >> index & 1) != 0) reading_warps |= warp;
    if (unit.sent || (d_.reading >> index & 1) != 0 || unit.waiting_halves != 0 || unit.waiting_const || overtakes)
      continue;
    if (decoded.control && !unit.control_sent) continue;
    Dispatch* to = nullptr;
    PortState* port = nullptr;
    PortLatch* latch = nullptr;
    switch (decoded.unit) {
      case isa::Unit::kSp:
        if (unit.to_multipliers) {
          if (d_.multiply.valid || now < d_.sfu_free) continue;
          to = &d_.multiply, port = &d_.multiply_port, latch = &multiply_latch_;
          d_.sfu_free = now + multiply_cycles_;
          break;
        }
        if (d_.sp.valid || now < d_.sp_free) continue;
        to = &d_.sp, port = &d_.sp_port, latch = &sp_latch_;
        d_.sp_free =
            now + (decoded.reads_shared_operand && decoded.insn.op != Op::kMov ? shared_operand_cycles_ : kSpCycles);
        break;
      case isa::Unit::kSfu:
        if (d_.sfu.valid || now < d_.sfu_free) continue;
        to = &d_.sfu, port = &d_.sfu_port, latch = &sfu_latch_;
        d_.sfu_free = now + sfu_cycles_;
        break;
      case isa::Unit::kDp:
        if (d_.dp.valid || now < d_.dp_free) continue;
        to = &d_.dp, port = &d_.dp_port, latch = &dp_latch_;
        d_.dp_free = now + dp_cycles_;
        break;
      default: continue;
    }
    *to = dispatch_of(unit);
    *port = {true, 0};
    latch->source = unit.operands.source;
    if (decoded.unit == isa::Unit::kDp) {
      latch->high = unit.operands.high;
    } else {
      latch->flags = unit.operands.flags;
      latch->addr = unit.operands.addr;
    }
    unit.sent = true;
    if (reports_ != nullptr) report_operands(unit);
    leaving_ |= 1u << index;
  }
}

void OperandCollector::next() {
  d_.sp = d_.sfu = d_.multiply = d_.dp = {};
  d_.address = false;
  advance(d_.sp_port, kSpCycles);
  advance(d_.sfu_port, sfu_cycles_);
  advance(d_.multiply_port, multiply_cycles_);
  advance(d_.dp_port, dp_cycles_);
  d_.control = {};
  for (std::uint32_t gone = leaving_ | freed_i.read(); gone != 0; gone &= gone - 1) {
    free_unit(static_cast<unsigned>(__builtin_ctz(gone)));
  }
  leaving_ = 0;
  take_replies();
  if (num_ordered_ != 0) send();
  if (const Issue& issue = issue_i.read(); issue.valid) accept(issue);
  if (d_.reading != 0) read_banks();
  const bool sent = d_.sp.valid || d_.sfu.valid || d_.multiply.valid || d_.dp.valid || d_.address || d_.control.valid;
  const bool was_sent =
      q_.sp.valid || q_.sfu.valid || q_.multiply.valid || q_.dp.valid || q_.address || q_.control.valid;
  const bool sending = d_.sp_port.sending || d_.sfu_port.sending || d_.multiply_port.sending || d_.dp_port.sending;
  if (num_ordered_ == 0 && const_way_.empty() && !sent && !was_sent && !sending &&
      d_.credit.collector == q_.credit.collector)
    sleep();
}

void OperandCollector::drive_operands() {
  const auto drive_sp = [](const PortState& port, const PortLatch& ops, Cycle cycles, auto& port_o) {
    const unsigned lanes = 2 * kWarpSize / static_cast<unsigned>(cycles);
    SpLanes out;
    copy_part(out.a, ops.source[0], port.part, lanes);
    copy_part(out.b, ops.source[1], port.part, lanes);
    copy_part(out.c, ops.source[2], port.part, lanes);
    std::copy_n(&ops.flags.lane[port.part * lanes], lanes, out.flags.begin());
    copy_part(out.addr, ops.addr, port.part, lanes);
    port_o.write(out);
  };
  if (q_.sp_port.sending) drive_sp(q_.sp_port, sp_latch_, kSpCycles, sp_operands_o);
  if (q_.multiply_port.sending) drive_sp(q_.multiply_port, multiply_latch_, multiply_cycles_, multiply_operands_o);
  if (q_.sfu_port.sending) {
    SfuLanes out;
    copy_part(out.a, sfu_latch_.source[0], q_.sfu_port.part, 2 * kWarpSize / static_cast<unsigned>(sfu_cycles_));
    sfu_operands_o.write(out);
  }
  if (q_.dp_port.sending) {
    const unsigned part = q_.dp_port.part, lanes = 2 * kWarpSize / static_cast<unsigned>(dp_cycles_);
    DpLanes out;
    copy_part(out.a, dp_latch_.source[0], part, lanes), copy_part(out.a_high, dp_latch_.high[0], part, lanes);
    copy_part(out.b, dp_latch_.source[1], part, lanes), copy_part(out.b_high, dp_latch_.high[1], part, lanes);
    copy_part(out.c, dp_latch_.source[2], part, lanes), copy_part(out.c_high, dp_latch_.high[2], part, lanes);
    dp_operands_o.write(out);
  }
}

void OperandCollector::drive() {
  drive_operands();
  sp_o.write(q_.sp);
  sfu_o.write(q_.sfu);
  multiply_o.write(q_.multiply);
  dp_o.write(q_.dp);
  if (q_.address) {
    address_o.write(address_latch_);
  } else if (address_o->read().valid) {
    AddressDispatch none = address_latch_;
    none.valid = false;
    address_o.write(none);
  }
  control_o.write(q_.control);
  credit_o.write(q_.credit);
  fault_o.write(q_.fault);
}

}  // namespace g80

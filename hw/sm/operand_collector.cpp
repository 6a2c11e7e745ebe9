// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/operand_collector.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hw/common/copy_usual.h"
#include "hw/common/delay_registers.h"
#include "hw/common/set_bits.h"
#include "hw/config/pipeline_depth.h"
#include "hw/sm/guard_condition.h"

namespace g80 {
namespace {

using isa::MemType;
using isa::Op;
using isa::OperandKind;

// A constant operand is u8, u16, s16 or b32.
std::uint32_t extend(MemType type, std::uint32_t value) {
  if (type == MemType::kS16) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  return value;
}

/// A register as the operand wants it.
void copy_register(LaneWords& to, const RegisterRead& read) {
  if (read.half < 0) {
    to = read.value;
  } else {
    for (unsigned l = 0; l < kWarpSize; ++l) to[l] = read.value[l] >> (16 * read.half) & 0xffffu;
  }
}

/// Lanes of one part of the operands: the first of the port's words.
template <class Lanes>
G80_INLINE void copy_part(PortWords& to, const LaneWords& from, unsigned part, Lanes lanes) {
  copy_usual<kPortLanes>(&from.lane[part * lanes], lanes, to.begin());
}

/// The same of source `slot`.
template <class Lanes>
G80_INLINE void copy_source(PortWords& to, const OperandSet& from, unsigned slot, unsigned part, Lanes lanes) {
  if (!from.is_uniform(slot)) return copy_part(to, from.source[slot], part, lanes);
  std::fill_n(to.begin(), lanes, from.scalar);
  for (unsigned i = 0; from.numbered && i < lanes; ++i) to[i] |= part * lanes + i;
}

/// `lanes` is a constant where it is known.
template <class Lanes>
void show_operands(const OperandSet& ops, unsigned part, Lanes lanes, Out<SpLanes>& port_o) {
  port_o.renew_by([&](SpLanes& out) {
    if (lanes < out.a.size()) out = {};
    copy_source(out.a, ops, 0, part, lanes);
    copy_source(out.b, ops, 1, part, lanes);
    copy_source(out.c, ops, 2, part, lanes);
    copy_usual<kPortLanes>(&ops.flags.lane[part * lanes], lanes, out.flags.begin());
  });
}

/// The next part, or none.
void advance(PortState& port, Cycle cycles) {
  if (port.sending && ++port.part >= (cycles + 1) / kSchedulerPeriod) port = {};
}

/// Lanes have operands for the address unit: a register or $a that addresses, data to store, coordinates. Beside an s[]
/// operand, c[] is addressed by the instruction alone.
bool has_address_operands(const DecodedInstruction& decoded, bool constant) {
  const isa::Instruction& insn = decoded.insn;
  if (decoded.unit == isa::Unit::kTexture) return true;
  if (decoded.unit != isa::Unit::kMemory)
    return insn.addr_reg != 0 && !(constant && insn.src[0].kind == OperandKind::kShared);
  return insn.addr_reg != 0 || insn.src[0].kind == OperandKind::kReg || insn.src[1].kind != OperandKind::kNone;
}

/// Bits of the data words that operands are: of a memory instruction src[1] is data or operand b, src[2] operand c.
std::uint8_t data_words(const DecodedInstruction& decoded) {
  const isa::Instruction& insn = decoded.insn;
  if (decoded.unit == isa::Unit::kTexture) return static_cast<std::uint8_t>((1u << insn.tex_sources) - 1);
  if (decoded.unit != isa::Unit::kMemory) return 0;
  const auto words = [](OperandKind kind) {
    return kind == OperandKind::kNone ? 0u : kind == OperandKind::kPair ? 3u : kind == OperandKind::kQuad ? 15u : 1u;
  };
  return static_cast<std::uint8_t>((words(insn.src[1].kind) | words(insn.src[2].kind) << 2) & 15);
}

unsigned half_warps(LaneMask lanes) { return ((lanes & 0xffffu) != 0) + ((lanes >> kHalfWarp) != 0); }

/// The unit that takes the next instruction. One that is freed in this cycle is free in the next.
unsigned free_unit_number(std::uint32_t occupied) { return static_cast<unsigned>(__builtin_ctz(~occupied)); }

}  // namespace

LaneWords OperandSet::operand(unsigned slot) const {
  if (!is_uniform(slot)) return source[slot];
  LaneWords words;
  for (unsigned l = 0; l < kWarpSize; ++l) words[l] = scalar_of(l);
  return words;
}

OperandCollector::OperandCollector(const sc_core::sc_module_name& name, const Config& config, unsigned tpc,
                                   unsigned sm_in_tpc)
    : Clocked(name),
      read_i("read_i", config.sm.register_banks),
      tpc_(tpc),
      sm_in_tpc_(sm_in_tpc),
      num_units_(config.sm.collector_units),
      sfu_cycles_(sfu_occupancy(config)),
      dp_cycles_(dp_occupancy(config)),
      multiply_cycles_(multiply_occupancy(config)),
      shared_operand_cycles_(config.sm.shared_operand_cycles),
      num_banks_(config.sm.register_banks),
      const_way_(*this, "const_way", const_extra_cycles(config) / kSchedulerPeriod) {}

void OperandCollector::reset() {
  num_ordered_ = 0;
  address_order_.clear();
  const_way_.clear();
  leaving_ = 0;
}

// Notes the scalar if operand `slot` is an immediate, a special register or a c[] word that all lanes read. Words of
// c[] outside its bank read 0.
G80_INLINE void OperandCollector::gather(Unit& unit, const DecodedInstruction& decoded, unsigned slot) {
  OperandSet& ops = unit.operands;
  const isa::Operand& operand = decoded.insn.src[slot];
  std::uint32_t scalar = 0;
  switch (operand.kind) {
    case OperandKind::kImm: scalar = decoded.insn.immediate; break;
    case OperandKind::kConst:
      if (!decoded.reads_const_operand) return;
      if (!unit.const_addressed) break;
      ops.source[slot] = {};
      return;
    case OperandKind::kSpecial:
      ops.numbered = operand.index == 0;
      if (operand.index == 0) scalar = tpc_ << 20 | sm_in_tpc_ << 16 | std::uint32_t{unit.warp} << 8;
      if (operand.index == 1) scalar = static_cast<std::uint32_t>(edge());
      break;
    default: return;
  }
  CHECK(ops.uniform == 0, "{}: warp {} has two scalar operands", name(), unit.warp);
  ops.uniform = static_cast<std::uint8_t>(1u << slot);
  ops.scalar = scalar;
}

// Takes an issued instruction. The register file takes it in the same cycle.
G80_INLINE void OperandCollector::accept(const Issue& issue) {
  CHECK(num_ordered_ < num_units_, "{}: warp {} issued, but no collector unit is free", name(), issue.warp);
  const unsigned index = free_unit_number(q_.occupied);
  CHECK(index < kMaxCollectorUnits, "{}: no collector unit is free: {:08x} are occupied", name(), q_.occupied);
  Unit& unit = units_[index];
  const DecodedInstruction& decoded = issue.fetched.decoded();
  unit.warp = issue.warp;
  unit.fetched = issue.fetched;
  unit.tag = issue.tag;
  unit.to = decoded.unit;
  unit.to_multipliers = issue.to_multipliers;
  unit.control = decoded.control;
  unit.takes_shared_port = decoded.takes_shared_port;
  unit.addressed = has_address_operands(decoded, false);
  unit.const_addressed = has_address_operands(decoded, true);
  unit.votes = decoded.insn.op == Op::kVote;
  unit.vote_all = decoded.insn.vote_all;
  unit.data_words = data_words(decoded);
  unit.waiting_halves = unit.waiting_const = 0;
  unit.control_sent = unit.sent = false;
  unit.operands.active = masks_i.read().mask[issue.warp];
  unit.operands.granted = 0;
  unit.operands.uniform = 0;
  unit.operands.numbered = false;
  if (decoded.unit != isa::Unit::kTexture && decoded.error == isa::DecodeError::kNone) {
    for (unsigned slot = 0; slot < 3; ++slot) gather(unit, decoded, slot);
  }
  d_.occupied |= 1u << index;
  order_[num_ordered_++] = static_cast<std::uint8_t>(index);
  d_.issued = true;
  d_.newest = static_cast<std::uint8_t>(index);
}

// Takes $c and $a of the instruction that was issued last cycle, and with them decides in which lanes it executes.
G80_INLINE void OperandCollector::take_side() {
  const unsigned index = q_.newest;
  CHECK(index < kMaxCollectorUnits, "{}: there is no unit {}", name(), index);
  Unit& unit = units_[index];
  OperandSet& ops = unit.operands;
  const DecodedInstruction& decoded = unit.fetched.decoded();
  const isa::Instruction& insn = decoded.insn;
  const SideRead& side = side_i.read();
  ops.flags = side.flags;
  if (insn.addr_reg != 0) ops.addr = side.addr;
  if (insn.src[0].kind == OperandKind::kAddr) ops.source[0] = side.addr;
  ops.condition = insn.cond == isa::kAlways ? ~LaneMask{0} : guard_lanes(insn.cond, side.flags);
  // A vote executes for all active lanes, whatever its guard says.
  ops.lanes = insn.op == Op::kVote ? ops.active : ops.active & ops.condition;
  if (insn.lane_mask != 0xf) ops.lanes &= 0x11111111u * insn.lane_mask;
  if (unit.to == isa::Unit::kTexture || unit.to == isa::Unit::kMemory) {
    address_order_.push({static_cast<std::uint8_t>(index), false});
  }
  if (decoded.reads_shared_operand && ops.lanes != 0) {
    unit.waiting_halves = static_cast<std::uint8_t>(half_warps(ops.lanes));
    address_order_.push({static_cast<std::uint8_t>(index), false});
  }
  if (decoded.reads_const_operand && ops.lanes != 0) {
    unit.waiting_const = static_cast<std::uint8_t>(unit.const_addressed ? half_warps(ops.lanes) : 1);
    address_order_.push({static_cast<std::uint8_t>(index), true});
  }
  if (reports_ != nullptr) report_issue(unit);
}

void OperandCollector::report_issue(const Unit& unit) {
  const auto issued = static_cast<std::uint32_t>(edge() - 2);
  reports_->at(edge()).issue.add() = {unit.tag,
                                      unit.warp,
                                      unit.fetched,
                                      unit.operands.active,
                                      unit.operands.lanes,
                                      issued,
                                      tpc_ << 20 | sm_in_tpc_ << 16 | std::uint32_t{unit.warp} << 8};
}

void OperandCollector::take_registers() {
  const std::uint32_t banks = read_banks_i.read();
  CHECK(banks >> (num_banks_ - 1) <= 1, "{}: banks {:08x} were read, but there are {}", name(), banks, num_banks_);
  for (const unsigned bank : set_bits(banks)) {
    const RegisterRead& read = read_i[bank].read();
    CHECK(read.unit < kMaxCollectorUnits, "{}: there is no unit {}", name(), read.unit);
    copy_register(word_of(*this, read.unit, read.to), read);
    if (reports_ != nullptr) note_register(read);
  }
}

void OperandCollector::note_register(const RegisterRead& read) {
  if (read.to < kHighWords) copy_register(brought_[read.unit][read.to], read);
}

G80_INLINE void OperandCollector::take_replies() {
  if (const SmemReply& reply = smem_i.read(); reply.valid) {
    Unit& unit = units_[reply.unit];
    CHECK(unit.waiting_halves != 0, "{}: unit {} received an s[] operand, but waits for none", name(), reply.unit);
    const isa::Instruction& insn = unit.fetched.decoded().insn;
    for (unsigned slot = 0; slot < 3; ++slot) {
      if (insn.src[slot].kind != OperandKind::kShared) continue;
      std::copy(reply.data.begin(), reply.data.end(), &unit.operands.source[slot][reply.half * kHalfWarp]);
    }
    unit.operands.granted |= LaneMask{reply.granted} << (kHalfWarp * reply.half);
    --unit.waiting_halves;
  }
  if (const ConstReply& arriving = const_i.read(); arriving.valid || !const_way_.empty()) {
    if (const ConstReply reply = const_way_.shift(arriving); reply.valid) take(reply);
  }
  for (const unsigned index : set_bits(answered_i.read())) {
    Unit& unit = units_[index];
    CHECK(unit.waiting_const != 0, "{}: a unit that waits for no c[] operand was answered", name());
    --unit.waiting_const;
  }
}

void OperandCollector::take(const ConstReply& reply) {
  CHECK(reply.id < kMaxCollectorUnits && units_[reply.id].waiting_const != 0,
        "{}: unit {} received a c[] operand, but waits for none", name(), reply.id);
  Unit& unit = units_[reply.id];
  for (unsigned slot = 0; slot < 3; ++slot) {
    const isa::Operand& operand = unit.fetched.decoded().insn.src[slot];
    if (operand.kind != OperandKind::kConst) continue;
    CHECK(unit.operands.is_uniform(slot) == reply.direct, "{}: unit {} received a c[] operand of other lanes", name(),
          reply.id);
    if (reply.direct) unit.operands.scalar = extend(operand.type, reply.data[0]);
    for (unsigned half = 0; half < 2 && !reply.direct; ++half) {
      const LaneMask lanes = reply.lanes >> (kHalfWarp * half) & 0xffffu;
      for (unsigned l = 0; l < kHalfWarp && lanes != 0; ++l) {
        unit.operands.source[slot][kHalfWarp * half + l] =
            (lanes >> l & 1) != 0 ? extend(operand.type, reply.data[l]) : 0;
      }
    }
  }
  --unit.waiting_const;
  if (reply.fault == MemFault::kNone || q_.fault.valid) return;
  const auto lane = static_cast<unsigned>(__builtin_ctz(reply.fault_lanes));
  d_.fault =
      instruction_fault(FaultKind::kPageNotPresent, lane, unit.fetched, {unit.tag, 0, unit.warp, unit.fetched.pc});
}

// Sends the oldest access to the address unit, if its lanes find the operand port free or need none.
void OperandCollector::send_address(std::uint32_t reading) {
  const AccessJob job = address_order_.front();
  Unit& unit = units_[job.unit];
  const bool operands = job.constant ? unit.const_addressed : unit.addressed;
  if (operands && d_.address_port.sending) return;
  if (unit.to == isa::Unit::kMemory || unit.to == isa::Unit::kTexture) {
    const bool overtakes = (warps_reading_before(job.unit) >> unit.warp & 1) != 0;
    if ((reading >> job.unit & 1) != 0 || overtakes) return;
    unit.sent = true;
    if (reports_ != nullptr) report_operands(job.unit);
  }
  d_.address = true;
  d_.access = job;
  d_.access_operands = operands;
  if (const LaneMask lanes = unit.operands.lanes; operands && lanes != 0)
    d_.address_port = {true, static_cast<std::uint8_t>((lanes & 0xffffu) != 0 ? 0 : 1), job.unit};
  address_order_.pop();
}

void OperandCollector::free_unit(unsigned index) {
  d_.occupied &= ~(1u << index);
  ++d_.credit.collector;
  d_.credit.wide += units_[index].fetched.decoded().wide;
  const auto end = order_.begin() + num_ordered_;
  const auto place = std::find(order_.begin(), end, index);
  CHECK(place != end, "{}: unit {} was freed, but it is empty", name(), index);
  std::copy(place + 1, end, place);
  --num_ordered_;
}

// Warps with an instruction that is older than the one in unit `index` and still reads registers.
WarpMask OperandCollector::warps_reading_before(unsigned index) const {
  WarpMask warps = 0;
  const std::uint32_t reading = reading_i.read();
  for (unsigned i = 0; reading != 0 && i < num_ordered_ && order_[i] != index; ++i) {
    if ((reading >> order_[i] & 1) != 0) warps |= WarpMask{1} << units_[order_[i]].warp;
  }
  return warps;
}

void OperandCollector::report_operands(unsigned index) {
  if (!reports_->reports_values()) return;
  const Unit& unit = units_[index];
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
      entry.as_stored = std::memcmp(&brought_[index][0], &ops.source[0], sizeof(LaneWords)) == 0;
      add(ops.source[0]);
    }
    const OperandKind stored = insn.src[1].kind;
    const unsigned words = stored == OperandKind::kQuad   ? 4
                           : stored == OperandKind::kPair ? 2
                           : stored != OperandKind::kNone ? 1
                                                          : 0;
    for (unsigned i = 0; i < words; ++i) add(data(index, i));
  } else if (unit.fetched.decoded().unit != isa::Unit::kTexture) {
    for (unsigned slot = 0; slot < 3; ++slot) {
      switch (insn.src[slot].kind) {
        case OperandKind::kReg:
          entry.as_stored &= std::memcmp(&brought_[index][slot], &ops.source[slot], sizeof(LaneWords)) == 0;
          add(ops.source[slot]);
          break;
        case OperandKind::kHalf:
        case OperandKind::kShared:
        case OperandKind::kConst: add(ops.operand(slot)); break;
        case OperandKind::kPair: add(ops.source[slot]), add(wide_[slot]); break;
        default: break;
      }
    }
  }
}

// Dispatches to each execution unit the oldest instruction with complete operands. For SFUs and fp64 unit there has to
// be room for two more results in writeback, as an instruction may leave for each at once. An instruction waits while
// an older one of its warp still reads registers: otherwise its result could overwrite a source of the older one. This
// is where write-after-read hazards are decided.
G80_INLINE void OperandCollector::send() {
  const std::uint32_t reading = reading_i.read();
  WarpMask reading_warps = 0;  // warps with an older instruction that still reads registers
  if (!address_order_.empty()) send_address(reading);
  const auto unwritten = static_cast<std::uint8_t>(q_.sfu_dp_sent - sfu_dp_results_i.read());
  const bool no_room = unwritten > kMaxWaitingResults - 2;
  const auto sfus_busy = [=] { return d_.sfu_port.sending || d_.multiply_port.sending || no_room; };
  for (unsigned i = 0; i < num_ordered_; ++i) {
    const unsigned index = order_[i];
    Unit& unit = units_[index];
    // A control instruction needs only the flags, which arrive first.
    if (unit.control && !unit.control_sent && !d_.control) {
      d_.control = true;
      d_.control_unit = static_cast<std::uint8_t>(index);
      unit.control_sent = true;
      if (unit.to == isa::Unit::kControl) {
        unit.sent = true;
        leaving_ |= 1u << index;
      }
    }
    const WarpMask warp = WarpMask{1} << unit.warp;
    const bool overtakes = (reading_warps & warp) != 0;
    if ((reading >> index & 1) != 0) reading_warps |= warp;
    if (unit.sent || (reading >> index & 1) != 0 || unit.waiting_halves != 0 || unit.waiting_const != 0 || overtakes)
      continue;
    if (unit.control && !unit.control_sent) continue;
    PortState* port = nullptr;
    switch (unit.to) {
      case isa::Unit::kSp:
        if (unit.to_multipliers) {
          if (sfus_busy()) continue;
          port = &d_.multiply_port;
          break;
        }
        if (d_.sp_port.sending) continue;
        if (unit.takes_shared_port) {
          if (d_.shared_port.sending) continue;
          d_.shared_port = {true, 0, 0};
        }
        port = &d_.sp_port;
        break;
      case isa::Unit::kSfu:
        if (sfus_busy()) continue;
        port = &d_.sfu_port;
        break;
      case isa::Unit::kDp:
        if (d_.dp_port.sending || no_room) continue;
        port = &d_.dp_port;
        break;
      default: continue;
    }
    if (port != &d_.sp_port) ++d_.sfu_dp_sent;
    *port = {true, 0, static_cast<std::uint8_t>(index)};
    unit.sent = true;
    if (reports_ != nullptr) report_operands(index);
    leaving_ |= 1u << index;
  }
}

/// The operands of what has just begun to leave, for its third part and those after it.
void OperandCollector::load_latches() {
  if (q_.sfu_port.begins()) sfu_latch_ = units_[q_.sfu_port.unit].operands.operand(0);
  if (q_.multiply_port.begins()) multiply_latch_ = units_[q_.multiply_port.unit].operands;
  if (q_.dp_port.begins()) {
    dp_latch_ = units_[q_.dp_port.unit].operands;
    dp_wide_latch_ = wide_;
  }
}

void OperandCollector::next() {
  if (q_.sfu_port.sending || q_.multiply_port.sending || q_.dp_port.sending) load_latches();
  d_.address = d_.control = false;
  if (q_.address_port.sending) {
    const LaneMask lanes = units_[q_.address_port.unit].operands.lanes;
    const bool another = q_.address_port.part == 0 && (lanes >> kHalfWarp) != 0;
    d_.address_port = another ? PortState{true, 1, q_.address_port.unit} : PortState{};
  }
  advance(d_.sp_port, kSpOccupancy);
  advance(d_.sfu_port, sfu_cycles_);
  advance(d_.multiply_port, multiply_cycles_);
  advance(d_.dp_port, dp_cycles_);
  advance(d_.shared_port, shared_operand_cycles_);
  for (const unsigned index : set_bits(leaving_ | freed_i.read())) free_unit(index);
  leaving_ = 0;
  take_replies();
  if (q_.issued) take_side();
  if (read_banks_i.read() != 0) take_registers();
  if (num_ordered_ != 0) send();
  d_.issued = false;
  if (const Issue& issue = issue_i.read(); issue.valid) accept(issue);
  const bool sent = d_.address || d_.control;
  const bool sending = d_.sp_port.sending || d_.sfu_port.sending || d_.multiply_port.sending || d_.dp_port.sending ||
                       d_.shared_port.sending || d_.address_port.sending;
  // What send() left waiting has seen what came at this edge; only what comes later changes its mind.
  const bool took = q_.issued || d_.issued || read_banks_i.read() != 0 || smem_i.read().valid || const_i.read().valid ||
                    (answered_i.read() | freed_i.read()) != 0;
  if ((num_ordered_ == 0 || !took) && const_way_.empty() && !sent && !sending) sleep();
}

G80_INLINE void OperandCollector::drive_operands() {
  constexpr std::integral_constant<unsigned, kPortLanes> kSpLanes;
  // A unit that the SM does not have takes no part.
  const auto check_part = [this](const PortState& port, Cycle cycles) {
    const Cycle parts = (cycles + 1) / kSchedulerPeriod;
    CHECK(port.part < parts, "{}: part {} of operands leaves for a unit that takes {}", name(), port.part, parts);
  };
  if (q_.address_port.sending) {
    const unsigned half = q_.address_port.part;
    CHECK(half < 2, "{}: half-warp {} leaves for the address unit", name(), half);
    const Unit& unit = units_[q_.address_port.unit];
    const OperandSet& ops = unit.operands;
    address_operands_o.renew_by([&](AddressLanes& out) {
      copy_part(out.base, ops.source[0], half, kSpLanes);
      copy_part(out.addr, ops.addr, half, kSpLanes);
      for (unsigned i = 0; i < kMostDataWords; ++i) {
        if ((unit.data_words >> i & 1) != 0) {
          copy_part(out.data[i], data(q_.address_port.unit, i), half, kSpLanes);
        } else if ((shown_data_words_ >> i & 1) != 0) {
          out.data[i] = {};
        }
      }
    });
    shown_data_words_ = unit.data_words;
  }
  if (const PortState& port = q_.sp_port; port.sending) {
    check_part(port, kSpOccupancy);
    show_operands(units_[port.unit].operands, port.part, kSpLanes, sp_operands_o);
  }
  if (const PortState& port = q_.multiply_port; port.sending) {
    check_part(port, multiply_cycles_);
    const unsigned lanes = 2 * kWarpSize / static_cast<unsigned>(multiply_cycles_);
    show_operands(port.part == 0 ? units_[port.unit].operands : multiply_latch_, port.part, lanes, multiply_operands_o);
  }
  if (const PortState& port = q_.sfu_port; port.sending) {
    check_part(port, sfu_cycles_);
    SfuLanes out;
    const unsigned lanes = 2 * kWarpSize / static_cast<unsigned>(sfu_cycles_);
    if (port.part == 0) {
      copy_source(out.a, units_[port.unit].operands, 0, 0, lanes);
    } else {
      copy_part(out.a, sfu_latch_, port.part, lanes);
    }
    sfu_operands_o.write(out);
  }
  if (const PortState& port = q_.dp_port; port.sending) {
    check_part(port, dp_cycles_);
    const OperandSet& ops = port.part == 0 ? units_[port.unit].operands : dp_latch_;
    const WideWords& high = port.part == 0 ? wide_ : dp_wide_latch_;
    const unsigned part = port.part, lanes = 2 * kWarpSize / static_cast<unsigned>(dp_cycles_);
    DpLanes out;
    copy_source(out.a, ops, 0, part, lanes), copy_part(out.a_high, high[0], part, lanes);
    copy_source(out.b, ops, 1, part, lanes), copy_part(out.b_high, high[1], part, lanes);
    copy_source(out.c, ops, 2, part, lanes), copy_part(out.c_high, high[2], part, lanes);
    dp_operands_o.write(out);
  }
  const unsigned sends = q_.sp_port.sending | q_.sfu_port.sending << 1 | q_.multiply_port.sending << 2 |
                         q_.dp_port.sending << 3 | q_.address_port.sending << 4;
  const unsigned ends = shown_ & ~sends;
  shown_ = sends;
  if (ends == 0) return;
  if ((ends & 1) != 0) sp_operands_o.renew({});
  if ((ends & 2) != 0) sfu_operands_o.renew({});
  if ((ends & 4) != 0) multiply_operands_o.renew({});
  if ((ends & 8) != 0) dp_operands_o.renew({});
  if ((ends & 16) != 0) {
    address_operands_o.renew({});
    shown_data_words_ = 0;
  }
}

G80_INLINE void OperandCollector::show_dispatch(const PortState& port, Out<Dispatch>& port_o) const {
  port_o.offer_by(port.begins(), [&](Dispatch& out) {
    const Unit& unit = units_[port.unit];
    out.valid = true;
    out.warp = unit.warp;
    out.fetched = unit.fetched;
    out.tag = unit.tag;
    out.lanes = unit.operands.lanes;
    out.granted = unit.operands.granted;
    // Only active lanes vote; all of them get the result.
    const LaneMask active = unit.operands.active, votes = unit.operands.condition & active;
    out.vote = unit.votes && (unit.vote_all ? votes == active : votes != 0);
  });
}

void OperandCollector::drive() {
  unit_o.write_event(false, static_cast<std::uint8_t>(free_unit_number(q_.occupied)));  // an issue asks for it
  drive_operands();
  show_dispatch(q_.sp_port, sp_o);
  show_dispatch(q_.sfu_port, sfu_o);
  show_dispatch(q_.multiply_port, multiply_o);
  show_dispatch(q_.dp_port, dp_o);
  address_o.offer_by(q_.address, [this](AddressDispatch& out) {
    const Unit& unit = units_[q_.access.unit];
    out.valid = true;
    out.warp = unit.warp;
    out.unit = q_.access.unit;
    out.constant = q_.access.constant;
    out.operands = q_.access_operands;
    out.fetched = unit.fetched;
    out.tag = unit.tag;
    out.lanes = unit.operands.lanes;
  });
  control_o.offer_by(q_.control, [this](ControlEvent& out) {
    const Unit& unit = units_[q_.control_unit];
    out = {true, unit.warp, unit.operands.lanes, unit.fetched, unit.tag};
  });
  credit_o.write(q_.credit);
  if (q_.fault.valid || fault_o.read().valid) fault_o.write(q_.fault);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// operand_collector and a twin of it side by side: instructions of every row of the opcode table, whose registers,
// s[] and c[] operands come late and in any order.
#pragma once
#include <vector>

#include "hw/config/pipeline_depth.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/operand_collector.h"
#include "hw/sm/register_file.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class OperandCollectorPair final : public Pair<OperandCollector, OperandCollector, unsigned, unsigned> {
 public:
  OperandCollectorPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}, 9, 2) {
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} units, {} banks, {} SFUs, multiplies {}, {} fp64 lanes, c[] {} cycles, s[] port {}",
                       config_.sm.collector_units, config_.sm.register_banks, config_.sm.num_sfus, config_.sm.sfu_mul,
                       config_.sm.num_dps, config_.sm.const_latency, config_.sm.shared_operand_cycles);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("gtx280");
    const unsigned banks[] = {1, 3, 16, 32, 1 + static_cast<unsigned>(random()) % 32};
    config.sm.register_banks = banks[random() % std::size(banks)];
    config.sm.collector_units = random() % 3 == 0 ? kMaxCollectorUnits : 1 + random() % kMaxCollectorUnits;
    config.sm.num_sfus = 1u << random() % 3;
    config.sm.sfu_mul = random() % 4 != 0;
    config.sm.num_dps = random() % 6 == 0 ? 0 : 1u << random() % 4;
    config.sm.const_latency =
        config.sm.alu_latency + 8 + 2 * static_cast<unsigned>(random() % (random() % 8 == 0 ? 100 : 4));
    config.sm.shared_operand_cycles = 1 + static_cast<unsigned>(random()) % 16;
    return config;
  }
  void reset() override {
    issue_.write({});
    reading_.write(0);
    read_banks_.write(0);
    smem_.write({});
    const_.write({});
    freed_.write(0);
    answered_.write(0);
    sfu_dp_results_.write(0);
    Pair::reset();
    for (Held& held : held_) held = {};
    accesses_.clear();
    in_units_ = 0;
    issued_ = kMaxCollectorUnits;
    returned_ = wide_ = 0;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }
  LaneMask some_lanes() {
    return rarely(3)   ? word()
           : rarely(6) ? (rarely(2) ? 0xffff0000u : 0x0000ffffu)
           : rarely(8) ? 1u << random_() % kWarpSize
                       : ~LaneMask{0};
  }

  /// Each kind of unit about as often; now and then one that the chip does not have.
  FetchedInstruction random_instruction() {
    static const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    const unsigned wanted = static_cast<unsigned>(random_() % 11);
    for (unsigned attempt = 0;; ++attempt) {
      const isa::Row& row = rows[random_() % rows.size()];
      if (row.graphics) continue;
      FetchedInstruction insn;
      std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
      if (!rarely(4)) bits &= ~(std::uint64_t{3} << 32 | std::uint64_t{0x1f} << 39);  // neither join nor a guard: often
      insn.words = (bits & ~row.mask) | row.match;
      if ((insn.words & 1) == 0) insn.words &= 0xffffffff;
      insn.pc = word() & 0xffffff;
      const DecodedInstruction& decoded = insn.decoded();
      insn.error = decoded.error;
      if (decoded.error != isa::DecodeError::kNone) {
        if (rarely(40)) return insn;
        continue;
      }
      if (decoded.unit == isa::Unit::kDp && config_.sm.num_dps == 0) continue;
      if (attempt < 100 && wanted < 6 && static_cast<unsigned>(decoded.unit) != wanted) continue;
      if (attempt < 100 && wanted == 6 && !decoded.reads_shared_operand) continue;
      if (attempt < 100 && wanted == 7 && !decoded.reads_const_operand) continue;
      if (attempt < 100 && wanted == 8 && decoded.insn.op != isa::Op::kVote) continue;
      if (attempt < 100 && wanted == 9 && !decoded.multiplies_fp32) continue;
      if (attempt < 100 && wanted == 10 &&
          (decoded.unit != isa::Unit::kMemory || decoded.insn.addr_reg != 0 || !decoded.reads.registers.empty()))
        continue;
      return insn;
    }
  }

  void issue() {
    Issue out;
    bool wide = false;  // one at a time
    const bool room = in_units_ < config_.sm.collector_units;
    issued_ = kMaxCollectorUnits;
    if (quiet_ == 0 && cycle_ > 3 && room && random_() % 4 < density_) {
      out.valid = true;
      out.warp = static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3);
      do {
        out.fetched = random_instruction();
        wide = out.fetched.decoded().wide;
      } while (wide && wide_ != block_.credit_o.read().wide);
      wide_ += wide;
      out.tag.bits = word();
      const DecodedInstruction& decoded = out.fetched.decoded();
      out.to_multipliers = decoded.multiplies_fp32 && config_.sm.sfu_mul && rarely(2);
      issued_ = block_.unit_o.read();
      Held& held = held_[issued_];
      held = {};
      held.busy = true;
      const unsigned reads = decoded.unit == isa::Unit::kControl ? 0 : static_cast<unsigned>(random_() % 5);
      for (unsigned i = 0; i < reads; ++i) held.words |= 1u << random_() % (wide ? kOperandWords : kHighWords);
      for (unsigned slot = 0; slot < 3; ++slot) {  // what comes from elsewhere is no register
        const isa::OperandKind kind = decoded.insn.src[slot].kind;
        if (kind == isa::OperandKind::kShared || kind == isa::OperandKind::kConst || kind == isa::OperandKind::kAddr)
          held.words &= ~(1u << slot);
      }
      ++in_units_;
      if (in_units_ == config_.sm.collector_units) ++cases_["all units taken"];
    }
    issue_.write(out);
  }
  /// Registers of some units, each from another bank, no more than there are ports.
  void read_registers(unsigned newest) {
    std::uint32_t reading = 0, banks = 0;
    for (unsigned unit = 0; unit < kMaxCollectorUnits; ++unit) {
      Held& held = held_[unit];
      if (!held.busy || unit == newest) continue;
      while (held.words != 0 && !rarely(3) && static_cast<unsigned>(__builtin_popcount(banks)) < kOperandPorts) {
        const auto bank = static_cast<unsigned>(random_() % config_.sm.register_banks);
        if ((banks >> bank & 1) != 0) break;
        banks |= 1u << bank;
        RegisterRead read;
        read.unit = static_cast<std::uint8_t>(unit);
        read.to = static_cast<std::uint8_t>(__builtin_ctz(held.words));
        read.half = static_cast<std::int8_t>(static_cast<int>(random_() % 3) - 1);
        for (std::uint32_t& lane : read.value.lane) lane = word();
        wire(block_.read_i[bank]).write(read);
        held.words &= held.words - 1;
        ++cases_[read.half < 0 ? "register" : "half of a register"];
        if (read.to >= kHighWords) ++cases_["wide word"];
      }
      if (held.words != 0) reading |= 1u << unit;
    }
    if (static_cast<unsigned>(__builtin_popcount(banks)) == kOperandPorts) ++cases_["all ports bring a register"];
    read_banks_.write(banks);
    reading_.write(reading);
  }
  /// What the address unit, shared memory and the constant cache answer.
  void answer() {
    SmemReply smem;
    ConstReply constant;
    WarpMask freed = 0, answered = 0;
    for (auto access = accesses_.begin(); access != accesses_.end();) {
      if (--access->wait > 0) {
        ++access;
        continue;
      }
      bool done = true;
      switch (access->kind) {
        case Access::kMemory: freed |= WarpMask{1} << access->unit; break;
        case Access::kShared:
          if (smem.valid) {
            done = false;
            break;
          }
          smem.valid = true;
          smem.unit = access->unit;
          smem.half = access->half;
          smem.granted = static_cast<HalfMask>(random_());
          for (std::uint32_t& data : smem.data) data = word();
          ++cases_["s[] operand"];
          break;
        case Access::kConst:
          if (rarely(4) && (answered >> access->unit & 1) == 0) {
            answered |= WarpMask{1} << access->unit;
            ++cases_["c[] operand outside its bank"];
            break;
          }
          if (constant.valid) {
            done = false;
            break;
          }
          constant.valid = true;
          constant.id = access->unit;
          constant.direct = access->direct;
          constant.lanes = some_lanes();
          if (rarely(20)) {
            constant.fault = MemFault::kPageNotPresent;
            constant.fault_lanes = 1u << random_() % kWarpSize | (rarely(2) ? word() : 0);
          }
          for (std::uint32_t& data : constant.data) data = word();
          ++cases_["c[] operand"];
          break;
      }
      access = done ? accesses_.erase(access) : access + 1;
    }
    smem_.write(smem);
    const_.write(constant);
    freed_.write(freed);
    answered_.write(answered);
  }

  /// Writeback finds slots for results, now and then for none.
  void write_results() {
    if (rarely(writes_ ? 400 : 160)) writes_ = !writes_;
    const auto unwritten = static_cast<std::uint8_t>(block_.registers().sfu_dp_sent - sfu_dp_results_.read());
    if (unwritten >= kMaxWaitingResults - 1) ++cases_["no room for results"];
    if (unwritten != 0 && writes_ && !rarely(3))
      sfu_dp_results_.write(static_cast<std::uint8_t>(sfu_dp_results_.read() + 1));
  }
  void stimulate() override {
    ++cycle_;
    if (rarely(100)) quiet_ = random_() % 80;
    if (rarely(50)) density_ = 1 + static_cast<unsigned>(random_() % 4);
    if (quiet_ > 0) --quiet_;
    const bool issued = issued_ != kMaxCollectorUnits;
    if (quiet_ == 0 && rarely(4)) {
      ActiveMasks masks;
      for (LaneMask& mask : masks.mask) mask = some_lanes();
      masks_.write(masks);
    }
    SideRead side;
    const unsigned shape = static_cast<unsigned>(random_() % 3);  // guards often hold in all lanes or none
    const std::uint8_t flags = static_cast<std::uint8_t>(random_() & 15);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      side.flags[l] = shape == 0 ? flags : static_cast<std::uint8_t>(random_() & 15);
      side.addr[l] = word() & 0xffff;
    }
    if (issued || quiet_ == 0) side_.write(side);
    issue();
    read_registers(issued_);
    answer();
    write_results();
  }
  /// What the blocks show after the edge: the accesses that left, and the units that are free again.
  void look() {
    const auto returned = static_cast<std::uint8_t>(block_.credit_o.read().collector - returned_);
    returned_ = block_.credit_o.read().collector;
    in_units_ -= returned;
    if (returned > 1) ++cases_["several units freed"];
    const AddressDispatch& access = block_.address_o.read();
    if (!access.valid) return;
    const isa::Unit unit = access.fetched.decoded().unit;
    const auto delay = [this] { return 3 + static_cast<int>(random_() % (rarely(4) ? 30 : 6)); };
    if (unit == isa::Unit::kMemory || unit == isa::Unit::kTexture) {
      accesses_.push_back({Access::kMemory, access.unit, 0, false, delay()});
      ++cases_[access.operands ? "access with operands" : "access without operands"];
      return;
    }
    const auto kind = access.constant ? Access::kConst : Access::kShared;
    const bool each_half = !access.constant || access.operands;
    for (std::uint8_t half = 0; half < 2; ++half) {
      if ((access.lanes >> (kHalfWarp * half) & 0xffffu) == 0) continue;
      accesses_.push_back({kind, access.unit, half, !each_half, delay()});
      if (!each_half) break;
    }
  }
  void note_cases() override {
    if (ran_) look();
    const OperandCollectorRegs& now = block_.registers();
    unsigned left = 0;
    for (const auto* port : {&now.sp_port, &now.sfu_port, &now.multiply_port, &now.dp_port}) left += port->begins();
    if (left > 1) ++cases_["several leave"];
    if (now.sp_port.begins()) ++cases_["to the SPs"];
    if (now.sfu_port.begins()) ++cases_["to the SFUs"];
    if (now.multiply_port.begins()) ++cases_["to the multipliers"];
    if (now.dp_port.begins()) ++cases_["to the fp64 unit"];
    if (block_.sp_o.read().vote) ++cases_["vote"];
    if (block_.sp_o.read().granted != 0) ++cases_["lock granted"];
    if (now.control) ++cases_["control event"];
    if (now.address && now.shared_port.sending) ++cases_["access beside an s[] operand"];
    if (now.address_port.sending && now.address_port.part == 1) ++cases_["upper half-warp"];
    if (now.fault.valid) ++cases_["fault"];
    if (now.dp_port.sending && now.dp_port.part > 7) ++cases_["sixteen parts"];
  }

  struct Held {  // what a collector unit waits for
    bool busy = false;
    std::uint32_t words = 0;  // registers to come
  };
  struct Access {
    enum Kind { kMemory, kShared, kConst } kind;
    std::uint8_t unit;
    std::uint8_t half;
    bool direct;  // all lanes read one word
    int wait;
  };

  Wire<Issue>& issue_ = wire(block_.issue_i);
  Wire<ActiveMasks>& masks_ = wire(block_.masks_i);
  Wire<std::uint32_t>& reading_ = wire(block_.reading_i);
  Wire<std::uint32_t>& read_banks_ = wire(block_.read_banks_i);
  Wire<SideRead>& side_ = wire(block_.side_i);
  Wire<SmemReply>& smem_ = wire(block_.smem_i);
  Wire<ConstReply>& const_ = wire(block_.const_i);
  Wire<WarpMask>& freed_ = wire(block_.freed_i);
  Wire<WarpMask>& answered_ = wire(block_.answered_i);
  Wire<std::uint8_t>& sfu_dp_results_ = wire(block_.sfu_dp_results_i);
  std::array<Held, kMaxCollectorUnits> held_{};
  std::vector<Access> accesses_;
  unsigned in_units_ = 0;
  unsigned issued_ = kMaxCollectorUnits;  // the unit of the instruction that is issued now
  std::uint8_t returned_ = 0;
  std::uint8_t wide_ = 0;  // wide instructions issued, modulo 256
  unsigned cycle_ = 0, quiet_ = 0, density_ = 2;
  bool writes_ = true;
};

}  // namespace g80::testing

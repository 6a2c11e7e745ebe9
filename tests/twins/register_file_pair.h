// SPDX-License-Identifier: Apache-2.0
// register_file and a twin of it side by side: warps that start and send the numbers of their threads, instructions of
// every kind, and writes through all ports, with few registers, so that banks collide.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "hw/common/set_bits.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/register_file.h"
#include "rtl/adapters/decoded_fields.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class WatchedRegisterFile final : public RegisterFile {
 public:
  using RegisterFile::RegisterFile;
  const RegisterFileRegs& state() const { return q_; }
  /// Nothing of a warp is on its way.
  bool is_quiet(unsigned warp) const {
    for (const Reader& reader : readers_) {
      if (reader.waiting != 0 && reader.warp == warp) return false;
    }
    return (warps_without_numbers() >> warp & 1) == 0 && !(q_.writes_numbers && written_numbers_.warp == warp);
  }
  WarpMask without_numbers() const { return warps_without_numbers(); }
  bool is_written(unsigned warp, unsigned reg) const {
    return reg >= warps_[warp].registers || row_written_[warps_[warp].base + reg] != 0;
  }
  const Reader& reader(unsigned unit) const { return readers_[unit]; }
};

class RegisterFilePair final : public Pair<RegisterFile, WatchedRegisterFile> {
 public:
  RegisterFilePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(2500);  // over the edges in reset
  }
  std::string configuration() const {
    return fmt::format("{} banks, {} registers for each of {} warps", config_.sm.register_banks, registers_, warps_);
  }

 private:
  /// Of a register, a $c and a $a of some warp.
  std::optional<std::string> other_difference() override {
    const unsigned warp = random_() % warps_, index = random_() % 4;
    if (block_.registers(warp) != twin_.registers(warp)) return "registers of a warp";
    const unsigned reg = random_() % (registers_ + 1);
    if (!(block_.read(warp, reg) == twin_.read(warp, reg))) return fmt::format("$r{} of {}", reg, warp);
    if (!(block_.flags(warp, index) == twin_.flags(warp, index))) return fmt::format("$c{} of {}", index, warp);
    if (!(block_.addr(warp, index + 1) == twin_.addr(warp, index + 1)))
      return fmt::format("$a{} of {}", index + 1, warp);
    return std::nullopt;
  }

  static Config random_config(std::mt19937& random) {
    Config config = load_config("gtx280");
    const unsigned banks[] = {1, 2, 3, 16, 32, 1 + static_cast<unsigned>(random()) % 32};
    config.sm.register_banks = banks[random() % std::size(banks)];
    const InitState states[] = {InitState::kZero, InitState::kPoison, InitState::kRandom};
    config.sm.init = states[random() % std::size(states)];
    return config;
  }
  void reset() override {
    Pair::reset();
    started_ = 0;
    beats_left_ = 0;
    for (const auto& port : block_.write_i) wire(port).write({});
    for (const auto& port : block_.flag_write_i) wire(port).write({});
    for (const auto& port : block_.result_i) wire(port).write({});
    issue_.write({});
    start_.write({});
    numbers_.write({});
    busy_.write(0);
    written_.write(0);
    addr_write_.write({});
    increment_.write({});
  }
  std::uint32_t random32() { return static_cast<std::uint32_t>(random_()); }
  std::uint64_t random64() { return std::uint64_t{random_()} << 32 | random_(); }
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(random_() % (rarely(4) ? warps_ : std::min(4u, warps_)));
  }
  LaneMask some_lanes() { return rarely(3) ? random32() : rarely(8) ? 0 : ~LaneMask{0}; }
  LaneWords some_words() {
    LaneWords words;
    for (std::uint32_t& word : words.lane) word = random32();
    return words;
  }
  LateLanes some_late() {
    LateLanes late;
    const unsigned unit = random_() % kExecUnits;
    late.valid = block_.result_i[unit].read().valid && block_.result_i[unit].read().last && !rarely(3);
    late.unit = static_cast<ExecUnit>(unit);
    late.word = rarely(2) ? LateLanes::Word::kLow : LateLanes::Word::kHigh;
    if (late.valid) ++cases_[fmt::format("{} lanes are late", kWarpSize - block_.result_i[unit].read().first)];
    return late;
  }
  /// Of a result that comes through this port.
  LateLanes some_late_of(WritePort port) {
    LateLanes late = some_late();
    late.word = port == WritePort::kWaitedHigh ? LateLanes::Word::kHigh : LateLanes::Word::kLow;
    const bool comes = port == WritePort::kSp       ? late.unit == ExecUnit::kSp
                       : port == WritePort::kWaited ? late.unit != ExecUnit::kSp
                                                    : port == WritePort::kWaitedHigh && late.unit == ExecUnit::kDp;
    return comes ? late : LateLanes{};
  }

  /// Of all rows of the opcode table, mostly with few registers.
  FetchedInstruction random_instruction() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    const bool fp64 = rarely(10);  // three pairs
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      std::uint64_t bits = random64();
      if (!rarely(4)) bits &= ~std::uint64_t{0x001e'0000'0078'f1e0};  // upper bits of register numbers
      FetchedInstruction insn;
      insn.words = (bits & ~row.mask) | row.match;
      if ((insn.words & 1) == 0) insn.words &= 0xffffffff;
      if (fp64 && insn.decoded().unit != isa::Unit::kDp) continue;
      insn.error = rarely(30) ? isa::DecodeError::kIllegalOpcode : insn.decoded().error;
      return insn;
    }
  }
  void start_warps(bool busy) {
    RegisterStart start;
    ThreadNumbers numbers;
    const auto warp = some_warp();
    if (busy && beats_left_ == 0 && rarely(12) && block_.is_quiet(warp)) {
      start.valid = true;
      start.warp = warp;
      start.registers = static_cast<std::uint8_t>(rarely(20) ? 0 : 1 + random_() % registers_);
      start.base_row = static_cast<std::uint16_t>(warp * registers_);
      starting_ = warp;
      beats_left_ = beats_ = 1u << random_() % 3;
      started_ |= WarpMask{1} << warp;
    }
    if (beats_left_ != 0 && block_.numbers_room_o.read() && !rarely(5)) {
      const unsigned lanes = kWarpSize / beats_;
      numbers.valid = true;
      numbers.warp = static_cast<std::uint8_t>(starting_);
      numbers.lanes = (~LaneMask{0} >> (kWarpSize - lanes)) << (lanes * (beats_ - beats_left_));
      if (rarely(4)) numbers.lanes &= 0xffffff;
      numbers.value = some_words();
      --beats_left_;
    }
    start_.write(start);
    numbers_.write(numbers);
  }
  void write_banks(bool busy) {
    std::array<unsigned, kWritePorts> port;
    for (unsigned i = 0; i < port.size(); ++i) port[i] = i;
    std::shuffle(port.begin(), port.end(), random_);
    unsigned writes = 0, ports = 0;
    for (const unsigned bank : set_bits(busy_.read())) {  // announced a cycle ago
      const unsigned number = port[writes++];
      RegisterWrite write;
      write.bank = static_cast<std::uint8_t>(bank);
      write.warp = some_warp();
      const unsigned banks = config_.sm.register_banks;
      const unsigned first = (bank + banks - write.warp % banks) % banks;
      const unsigned step = rarely(2) ? 0 : random_() % (kMaxRegistersPerThread / banks);
      write.reg = static_cast<std::uint8_t>(std::min(first + step * banks, kMaxRegistersPerThread - 1));
      if (block_.bank(write.warp, write.reg) != bank) write.reg = static_cast<std::uint8_t>(first);
      write.low = !rarely(4);
      write.high = !write.low || !rarely(4);
      write.lanes = some_lanes();
      write.value = some_words();
      write.late = some_late_of(static_cast<WritePort>(number));
      if (write.reg == 0 && (block_.without_numbers() >> write.warp & 1) != 0)
        ++cases_["$r0 is written before its numbers"];
      if (write.lanes != ~LaneMask{0} && !block_.is_written(write.warp, write.reg))
        ++cases_["lanes of an unwritten row are written"];
      wire(block_.write_i[number]).write(write);
      ports |= 1u << number;
    }
    written_.write(static_cast<std::uint8_t>(ports));
    std::uint32_t next = 0;
    const unsigned most = busy ? random_() % (density_ + 1) : 0;  // density_ is kWritePorts at most
    for (unsigned i = 0; i < most; ++i) next |= 1u << random_() % config_.sm.register_banks;
    busy_.write(next);
  }
  void write_side(bool busy) {
    FlagWrite flags[kFlagWrites];
    const unsigned writes = busy ? random_() % (kFlagWrites + 1) : 0;
    for (unsigned i = 0; i < writes; ++i) {
      FlagWrite& write = flags[i];
      write.valid = true;
      write.warp = some_warp();
      write.index = static_cast<std::uint8_t>(random_() % 4);
      write.lanes = some_lanes();
      for (std::uint8_t& lane : write.value.lane) lane = static_cast<std::uint8_t>(random_() % 16);
      write.late = some_late();
    }
    if (flags[0].warp == flags[1].warp && flags[0].index == flags[1].index) flags[1] = {};
    for (unsigned i = 0; i < kFlagWrites; ++i) wire(block_.flag_write_i[i]).write(flags[i]);
    AddrWrite addr;
    if (busy && rarely(3)) {
      addr.valid = true;
      addr.warp = some_warp();
      addr.index = static_cast<std::uint8_t>(random_() % (rarely(4) ? 8 : kNumAddressRegisters));
      addr.lanes = some_lanes();
      addr.value = some_words();
      addr.late = some_late();
    }
    addr_write_.write(addr);
    AddrIncrement increment;
    if (busy && rarely(3)) {
      increment.valid = true;
      increment.warp = some_warp();
      increment.index = static_cast<std::uint8_t>(random_() % (rarely(4) ? 8 : kNumAddressRegisters));
      increment.half = static_cast<std::uint8_t>(random_() % 2);
      increment.lanes = random_lanes(random_);
      for (std::uint16_t& word : increment.value) word = static_cast<std::uint16_t>(random_());
      if (addr.valid && addr.warp == increment.warp && addr.index == increment.index) increment = {};
    }
    increment_.write(increment);
  }
  void issue_instruction(bool busy) {
    Issue issue;
    const unsigned unit = random_() % (rarely(3) ? kMaxCollectorUnits : 4);
    const unsigned warp = some_warp();
    if (busy && (started_ >> warp & 1) != 0 && !(start_.read().valid && start_.read().warp == warp) &&
        (block_.reading_o.read() >> unit & 1) == 0 && random_() % 4 < issues_) {
      issue.valid = true;
      issue.warp = static_cast<std::uint8_t>(warp);
      issue.fetched = random_instruction();
      issue.tag.bits = random32();
      note_operands(issue);
    }
    issue_.write(issue);
    unit_.write(static_cast<std::uint8_t>(unit));
  }
  void note_operands(const Issue& issue) {
    const DecodedInstruction& decoded = issue.fetched.decoded();
    if (decoded.error != isa::DecodeError::kNone) return void(++cases_["an instruction that is an error"]);
    if (decoded.unit == isa::Unit::kTexture) ++cases_["texture"];
    for (const isa::Operand& operand : decoded.insn.src) {
      if (operand.kind == isa::OperandKind::kHalf) ++cases_["half"];
      if (operand.kind == isa::OperandKind::kPair) ++cases_["pair"];
      if (operand.kind == isa::OperandKind::kQuad) ++cases_["quad"];
    }
    for (const auto& port : block_.flag_write_i) {
      const FlagWrite& write = port.read();
      if (write.valid && write.warp == issue.warp && write.index == decoded.insn.flag_src && write.lanes != 0)
        ++cases_["$c is read as it is written"];
    }
    const unsigned addr = decoded.insn.addr_reg;
    const auto reads = [&](const auto& write) {
      return write.valid && addr != 0 && write.warp == issue.warp && write.index == addr && write.lanes != 0;
    };
    if (reads(addr_write_.read())) ++cases_["$a is read as it is written"];
    if (reads(increment_.read())) ++cases_["$a is read as it is incremented"];
  }

  void stimulate() override {
    send();
    conflicts_ = block_.counters().bank_conflicts;
    units_reading_ = block_.state().reading;
  }
  void send() {
    if (rarely(100)) quiet_ = random_() % 40;
    if (rarely(50)) density_ = random_() % 5;
    if (rarely(50)) issues_ = random_() % 5;
    if (quiet_ > 0) --quiet_;
    const bool busy = quiet_ == 0;
    for (unsigned unit = 0; unit < kExecUnits; ++unit) {
      ExecResult part;
      if (busy && !rarely(3)) {
        part.valid = true;
        part.last = !rarely(4);
        part.first = static_cast<std::uint8_t>(part.last ? kWarpSize - (2u << random_() % 4) : random_() % kHalfWarp);
        for (unsigned l = 0; l < kPortLanes; ++l) {
          part.low[l] = random32();
          part.high[l] = random32();
          part.flags[l] = static_cast<std::uint8_t>(random_() % 16);
        }
      }
      wire(block_.result_i[unit]).write(part);
    }
    start_warps(busy);
    write_banks(busy);
    write_side(busy);
    issue_instruction(busy);
  }
  void note_cases() override {
    const std::uint64_t conflicts = conflicts_;
    const std::uint32_t reading = units_reading_;
    const RegisterFileRegs& now = block_.state();
    if (block_.counters().bank_conflicts != conflicts) ++cases_["a read waits for its bank"];
    if ((now.reading & (now.reading - 1)) != 0) ++cases_["several units read"];
    if ((reading & ~now.reading) != 0) ++cases_["the last read of a unit"];
    if (now.writes_numbers) ++cases_["numbers get a slot"];
    if (!now.numbers_room) ++cases_["no room for numbers"];
    if (now.numbers_age == kNumbersPatience && now.reading != 0) ++cases_["reads wait for numbers"];
    for (unsigned unit = 0; unit < kMaxCollectorUnits; ++unit) {
      const auto& reader = block_.reader(unit);
      if ((now.reading >> unit & 1) == 0) continue;
      for (unsigned to = 0; to < kOperandWords; ++to) {
        if ((reader.waiting >> to & 1) == 0) continue;
        const auto& read = reader.read[to];
        if (read.reg == 0 && (block_.without_numbers() >> reader.warp & 1) != 0) {
          ++cases_["$r0 waits for its numbers"];
        } else if (((busy_.read() | now.read_banks) >> read.bank & 1) == 0) {
          ++cases_["a read waits for a port"];
        }
      }
    }
    for (const unsigned bank : set_bits(now.read_banks)) {
      const RegisterRead& port = block_.read_o[bank].read();
      if (port.value == LaneWords{}) ++cases_["zeros are read"];
      if (port.value[0] == 0xdeadbeefu && port.value[kWarpSize - 1] == 0xdeadbeefu)
        ++cases_["an unwritten row is read"];
      ++cases_[fmt::format("word {}", unsigned{port.to})];
    }
    if ((now.read_banks & (now.read_banks - 1)) != 0) ++cases_["several banks are read"];
    if (config_.sm.register_banks % 2 != 0 && config_.sm.register_banks > 1) ++cases_["odd number of banks"];
  }

  Wire<Issue>& issue_ = wire(block_.issue_i);
  Wire<std::uint8_t>& unit_ = wire(block_.unit_i);
  Wire<RegisterStart>& start_ = wire(block_.start_i);
  Wire<ThreadNumbers>& numbers_ = wire(block_.numbers_i);
  Wire<std::uint32_t>& busy_ = wire(block_.busy_banks_i);
  Wire<std::uint8_t>& written_ = wire(block_.written_ports_i);
  Wire<AddrWrite>& addr_write_ = wire(block_.addr_write_i);
  Wire<AddrIncrement>& increment_ = wire(block_.increment_i);
  const unsigned registers_ = random_() % 4 == 0 ? kMaxRegistersPerThread : 16;
  const unsigned warps_ = config_.sm.num_registers / kWarpSize / registers_;
  std::uint64_t conflicts_ = 0;      // before the edge
  std::uint32_t units_reading_ = 0;  // the same
  WarpMask started_ = 0;
  unsigned starting_ = 0, beats_ = 1, beats_left_ = 0;  // of numbers of threads
  unsigned quiet_ = 0, density_ = 1, issues_ = 2;
};

}  // namespace g80::testing

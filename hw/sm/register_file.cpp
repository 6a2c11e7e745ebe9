// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/register_file.h"

#include <algorithm>

#include "hw/common/copy_usual.h"
#include "hw/common/lane_function.h"
#include "hw/common/set_bits.h"

namespace g80 {

using isa::OperandKind;

namespace {

/// $a0 is the constant 0, and the numbers above $a4 name nothing: writes to them are dropped.
bool has_addr(unsigned index) { return index != 0 && index < kNumAddressRegisters; }

/// The lanes of `value` replace those of `row` in the bits of `mask`.
G80_LANE_FUNCTION void merge(LaneWords& row, const LaneWords& value, LaneMask lanes, unsigned shift,
                             std::uint32_t mask) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t wanted = mask & (0 - (lanes >> l & 1u));
    row.lane[l] = (row.lane[l] & ~wanted) | (value.lane[l] << shift & wanted);
  }
}
G80_LANE_FUNCTION void merge_flags(LaneFlags& row, const LaneFlags& value, LaneMask lanes) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t wanted = 0xf & (0 - (lanes >> l & 1u));
    row.lane[l] = static_cast<std::uint8_t>((row.lane[l] & ~wanted) | (value.lane[l] & wanted));
  }
}

}  // namespace

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      write_i("write_i", kWritePorts),
      flag_write_i("flag_write_i", kFlagWrites),
      result_i("result_i", kExecUnits),
      read_o("read_o", config.sm.register_banks),
      num_banks_(config.sm.register_banks),
      initial_(config),
      rows_(config.sm.num_registers / kWarpSize),
      row_written_(rows_.size()) {}

void RegisterFile::reset() {
  warps_ = {};
  std::fill(row_written_.begin(), row_written_.end(), std::uint8_t{0});
  flags_written_ = addrs_written_ = {};
  readers_ = {};
  num_ordered_ = num_numbers_ = 0;
  reads_ = {};
  side_ = {};
  counters_ = {};
}

void RegisterFile::start(const RegisterStart& start) {
  CHECK(start.base_row + start.registers <= rows_.size(), "{}: warp {} needs {} rows from row {}, but there are {}",
        name(), start.warp, start.registers, start.base_row, rows_.size());
  warps_[start.warp] = {start.base_row, start.registers};
  std::fill_n(row_written_.begin() + start.base_row, start.registers, std::uint8_t{0});
  flags_written_[start.warp] = addrs_written_[start.warp] = 0;
}

/// What a row holds that was not written.
void RegisterFile::fill_row(unsigned row, LaneWords& words) const {
  for (unsigned l = 0; l < kWarpSize; ++l) words[l] = initial_.of_register(row, l);
}

// Some lanes are going to be written: the first write to a row writes the other ones, too.
LaneWords& RegisterFile::row_to_write(unsigned row) {
  if (row_written_[row] == 0) fill_row(row, rows_[row]);
  row_written_[row] = 1;
  return rows_[row];
}
LaneFlags& RegisterFile::flags_to_write(unsigned warp, unsigned index) {
  LaneFlags& row = flags_[warp][index];
  if ((flags_written_[warp] >> index & 1) == 0) row = {};
  flags_written_[warp] = static_cast<std::uint8_t>(flags_written_[warp] | 1u << index);
  return row;
}
LaneWords& RegisterFile::addr_to_write(unsigned warp, unsigned index) {
  LaneWords& row = addrs_[warp][index];
  if ((addrs_written_[warp] >> index & 1) == 0) row = {};
  addrs_written_[warp] = static_cast<std::uint8_t>(addrs_written_[warp] | 1u << index);
  return row;
}

/// The lanes that leave an execution unit: they complete the write.
const ExecResult& RegisterFile::late_lanes(const LateLanes& late) const {
  CHECK(unit_number(late.unit) < kExecUnits, "{}: there is no unit {}", name(), unit_number(late.unit));
  const ExecResult& part = result_i[unit_number(late.unit)].read();
  CHECK(part.valid && part.last && part.first < kWarpSize && kWarpSize - part.first <= kPortLanes,
        "{}: the last lanes of a write have not left their unit", name());
  return part;
}

void RegisterFile::add_late_lanes(const LateLanes& late, LaneWords& value) const {
  const ExecResult& part = late_lanes(late);
  const PortWords& words = late.word == LateLanes::Word::kLow ? part.low : part.high;
  copy_usual<kPortLanes>(words.begin(), kWarpSize - part.first, &value.lane[part.first]);
}

// A write to a register that is not allocated is dropped. Of an $r0 whose first contents still wait, these will leave
// out what it writes.
void RegisterFile::write(const RegisterWrite& write) {
  if (write.reg >= warps_[write.warp].registers) return;
  CHECK(write.bank == bank(write.warp, write.reg), "{}: $r{} of warp {} does not lie in bank {}", name(), write.reg,
        write.warp, write.bank);
  const unsigned number = warps_[write.warp].base + write.reg;
  CHECK(number < rows_.size(), "{}: $r{} of warp {} lies in row {}, but there are {}", name(), write.reg, write.warp,
        number, rows_.size());
  LaneWords value = write.value;
  if (write.late.valid) add_late_lanes(write.late, value);
  const unsigned shift = write.high && !write.low ? 16 : 0;
  const std::uint32_t mask = (write.low ? 0xffffu : 0) | (write.high ? 0xffff0000u : 0);
  if (write.reg == 0) {
    for (unsigned i = 0; i < num_numbers_; ++i) {
      if (numbers_[i].warp != write.warp) continue;
      if (write.low) numbers_[i].low &= ~write.lanes;
      if (write.high) numbers_[i].high &= ~write.lanes;
    }
  }
  if (mask == ~0u && write.lanes == ~LaneMask{0}) {
    rows_[number] = value;
    row_written_[number] = 1;
  } else {
    merge(row_to_write(number), value, write.lanes, shift, mask);
  }
}

void RegisterFile::add_read(Reader& reader, unsigned reg, unsigned to, unsigned half) const {
  CHECK((reader.waiting >> to & 1) == 0, "{}: two registers for word {} of the operands", name(), to);
  reader.read[to] = {static_cast<std::uint8_t>(reg), static_cast<std::uint8_t>(half),
                     static_cast<std::uint8_t>(bank(reader.warp, reg))};
  reader.waiting |= static_cast<std::uint16_t>(1u << to);
}

// Memory instructions: src[0] is the address, src[1] data or operand b, src[2] operand c.
void RegisterFile::add_reads(Reader& reader, const DecodedInstruction& decoded, const isa::Operand& operand,
                             unsigned slot) const {
  const bool data = decoded.unit == isa::Unit::kMemory && slot > 0;
  const unsigned low = data ? kDataWords + 2 * (slot - 1) : slot;
  switch (operand.kind) {
    case OperandKind::kReg: add_read(reader, operand.index, low); break;
    case OperandKind::kHalf: add_read(reader, operand.index / 2u, low, operand.index % 2); break;
    case OperandKind::kPair:
      add_read(reader, operand.index, low);
      add_read(reader, operand.index + 1u, data ? low + 1 : kHighWords + slot);
      break;
    case OperandKind::kQuad:
      for (unsigned i = 0; i < 4; ++i) add_read(reader, operand.index + i, kDataWords + i);
      break;
    default: break;
  }
}

// Lists the register reads of an issued instruction, and reads its $c and $a at once.
G80_INLINE void RegisterFile::accept(const Issue& issue) {
  const unsigned unit = unit_i.read();
  CHECK(unit < kMaxCollectorUnits && (d_.reading >> unit & 1) == 0,
        "{}: warp {} issued for collector unit {}, which still reads", name(), issue.warp, unit);
  const DecodedInstruction& decoded = issue.fetched.decoded();
  const isa::Instruction& insn = decoded.insn;
  redrive_ = true;
  side_.flags = RegisterFile::flags(issue.warp, insn.flag_src);
  if (insn.addr_reg != 0) {
    side_.addr = addr_row(issue.warp, insn.addr_reg);
  } else if (insn.src[0].kind == OperandKind::kAddr) {
    side_.addr = addr_row(issue.warp, insn.src[0].index);
  }
  Reader& reader = readers_[unit] = {};
  reader.warp = issue.warp;
  if (decoded.unit == isa::Unit::kTexture) {
    for (unsigned i = 0; i < insn.tex_sources; ++i) add_read(reader, insn.dst.index + i, kDataWords + i);
  } else if (decoded.error == isa::DecodeError::kNone) {
    for (unsigned slot = 0; slot < 3; ++slot) add_reads(reader, decoded, insn.src[slot], slot);
  }
  if (reader.waiting == 0) return;
  d_.reading |= 1u << unit;
  CHECK(num_ordered_ < order_.size(), "{}: {} instructions read registers", name(), num_ordered_ + 1);
  order_[num_ordered_++] = static_cast<std::uint8_t>(unit);
}

WarpMask RegisterFile::warps_without_numbers() const {
  WarpMask warps = 0;
  for (unsigned i = 0; i < num_numbers_; ++i) warps |= WarpMask{1} << numbers_[i].warp;
  return warps;
}

// The oldest numbers of threads get the next slot of their bank if it is neither read nor written in it.
void RegisterFile::grant_numbers(std::uint32_t busy) {
  if ((busy >> bank(numbers_[0].warp, 0) & 1) != 0) return;
  d_.writes_numbers = true;
  written_numbers_ = numbers_[0];
  --num_numbers_;
  std::copy_n(&numbers_[1], num_numbers_, numbers_.begin());
}

void RegisterFile::write_numbers() {
  const WaitingNumbers& numbers = written_numbers_;
  const Warp& warp = warps_[numbers.warp];
  if (warp.registers == 0) return;
  CHECK(warp.base < rows_.size(), "{}: $r0 of warp {} lies in row {}, but there are {}", name(), numbers.warp,
        warp.base, rows_.size());
  LaneWords& row = row_to_write(warp.base);
  merge(row, numbers.value, numbers.low, 0, 0xffffu);
  merge(row, numbers.value, numbers.high, 0, 0xffff0000u);
}

// Reads one register from each bank that is not written: for the oldest instruction, the first word of its operands
// that wants the bank. A second read of a bank waits, and so does a read that finds no port free. This is where
// register bank conflicts are decided.
G80_INLINE void RegisterFile::read_banks(std::uint32_t& busy) {
  const WarpMask without_numbers = num_numbers_ != 0 ? warps_without_numbers() : 0;
  unsigned left = 0;
  // What was read a scheduler cycle ago still passes its second half.
  unsigned free_ports = kOperandPorts;
  for (std::uint32_t passing = q_.read_banks; passing != 0 && free_ports != 0; passing &= passing - 1) --free_ports;
  for (unsigned i = 0; i < num_ordered_; ++i) {
    const unsigned unit = order_[i];
    if ((d_.reading >> unit & 1) == 0) continue;
    Reader& reader = readers_[unit];
    for (const unsigned to : set_bits(reader.waiting)) {
      CHECK(to < kOperandWords, "{}: operands have no word {}", name(), to);
      const Read& wanted = reader.read[to];
      const bool without_value = wanted.reg == 0 && (without_numbers >> reader.warp & 1) != 0;
      CHECK(wanted.bank < num_banks_, "{}: there is no bank {}", name(), wanted.bank);
      if ((busy >> wanted.bank & 1) != 0 || without_value) {
        ++counters_.bank_conflicts;
        continue;
      }
      if (free_ports == 0) continue;
      --free_ports;
      busy |= 1u << wanted.bank;
      d_.read_banks |= 1u << wanted.bank;
      RegisterRead& port = reads_[wanted.bank];
      port.unit = static_cast<std::uint8_t>(unit);
      port.to = static_cast<std::uint8_t>(to);
      port.half = static_cast<std::int8_t>(wanted.half == kWhole ? -1 : wanted.half);
      read_row(reader.warp, wanted.reg, port.value);
      reader.waiting &= static_cast<std::uint16_t>(~(1u << to));
    }
    if (reader.waiting == 0) {
      d_.reading &= ~(1u << unit);
    } else {
      order_[left++] = static_cast<std::uint8_t>(unit);
    }
  }
  num_ordered_ = left;
}

void RegisterFile::next() {
  const unsigned written = written_ports_i.read();
  const std::uint32_t busy = busy_banks_i.read();
  CHECK(busy >> (num_banks_ - 1) <= 1, "{}: banks {:08x} will be written, but there are {}", name(), busy, num_banks_);
  CHECK(written < 1u << kWritePorts, "{}: ports {:02x} write", name(), written);
  if (q_.writes_numbers) write_numbers();
  for (const unsigned port : set_bits(written)) write(write_i[port].read());
  bool other = false;
  for (const auto& port : flag_write_i) {
    const FlagWrite& write = port.read();
    if (!write.valid) break;
    LaneFlags value = write.value;
    if (write.late.valid) {
      const ExecResult& part = late_lanes(write.late);
      copy_usual<kPortLanes>(part.flags.begin(), kWarpSize - part.first, &value.lane[part.first]);
    }
    merge_flags(flags_to_write(write.warp, write.index), value, write.lanes);
    other = true;
  }
  if (const AddrWrite& write = addr_write_i.read(); write.valid) {
    if (has_addr(write.index)) {
      LaneWords value = write.value;
      if (write.late.valid) add_late_lanes(write.late, value);
      merge(addr_to_write(write.warp, write.index), value, write.lanes, 0, 0xffffu);
    }
    other = true;
  }
  if (const AddrIncrement& write = increment_i.read(); write.valid) {
    if (has_addr(write.index)) {
      LaneWords& row = addr_to_write(write.warp, write.index);
      for (unsigned l = 0; l < kHalfWarp; ++l) {
        if ((write.lanes >> l & 1) != 0) row[kHalfWarp * write.half + l] = write.value[l];
      }
    }
    other = true;
  }
  if (start_i.read().valid) start(start_i.read());
  d_.read_banks = 0;
  d_.writes_numbers = false;
  const Issue& issue = issue_i.read();
  if (issue.valid) accept(issue);
  std::uint32_t used = busy;
  if (num_ordered_ != 0) {
    std::uint32_t all = ~0u;
    read_banks(q_.numbers_age == kNumbersPatience ? all : used);
  }
  const bool numbers_wait = num_numbers_ != 0;
  if (numbers_wait) grant_numbers(used);
  d_.numbers_age = 0;
  if (numbers_wait && !d_.writes_numbers)
    d_.numbers_age = static_cast<std::uint8_t>(std::min(q_.numbers_age + 1u, kNumbersPatience));
  if (const ThreadNumbers& numbers = numbers_i.read(); numbers.valid) {
    CHECK(num_numbers_ < kMaxThreadNumbers, "{}: no room for the numbers of warp {}", name(), numbers.warp);
    numbers_[num_numbers_++] = {numbers.warp, numbers.lanes, numbers.lanes, numbers.value};
  }
  // Full rate: what the launcher sends as it sees the room was decided a cycle ago.
  d_.numbers_room = num_numbers_ + 2 <= kMaxThreadNumbers;
  if (busy == 0 && written == 0 && !other && !start_i.read().valid && !numbers_i.read().valid && !issue.valid &&
      d_.reading == 0 && d_.read_banks == 0 && num_numbers_ == 0 && !d_.writes_numbers) {
    sleep();
  }
}

void RegisterFile::drive() {
  reading_o.write(q_.reading);
  read_banks_o.write(q_.read_banks);
  for (const unsigned bank : set_bits(q_.read_banks)) {
    read_o[bank].renew(reads_[bank]);
  }
  if (redrive_) side_o.renew(side_);
  redrive_ = false;
  numbers_room_o.write(q_.numbers_room);
}

}  // namespace g80

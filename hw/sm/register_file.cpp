// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/register_file.h"

#include <algorithm>

namespace g80 {
namespace {

/// The lanes of `value` replace those of `row` in the bits of `mask`.
void merge(LaneWords& row, const LaneWords& value, LaneMask lanes, unsigned shift, std::uint32_t mask) {
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const std::uint32_t wanted = (lanes >> l & 1) != 0 ? mask : 0;
    row[l] = (row[l] & ~wanted) | (value[l] << shift & wanted);
  }
}

}  // namespace

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      write_i("write_i", config.sm.register_banks),
      flag_write_i("flag_write_i", kFlagWrites),
      addr_write_i("addr_write_i", kAddrWrites),
      result_i("result_i", kExecUnits),
      num_banks_(config.sm.register_banks),
      initial_(config),
      rows_(config.sm.num_registers / kWarpSize) {}

void RegisterFile::start(const RegisterStart& start) {
  CHECK(start.base_row + start.registers <= rows_.size(), "{}: warp {} needs {} rows from row {}, but there are {}",
        name(), start.warp, start.registers, start.base_row, rows_.size());
  warps_[start.warp] = {start.base_row, start.registers};
  for (unsigned r = 0; r < start.registers; ++r) {
    for (unsigned l = 0; l < kWarpSize; ++l) rows_[start.base_row + r][l] = initial_.of_register(start.base_row + r, l);
  }
  if (start.registers != 0) merge(rows_[start.base_row], start.thread_id, start.lanes, 0, ~0u);
  flags_[start.warp] = {};
  addrs_[start.warp] = {};
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
  const PortWords& words = late.word == LateLanes::Word::kLow    ? part.low
                           : late.word == LateLanes::Word::kHigh ? part.high
                                                                 : part.new_addr;
  std::copy_n(words.begin(), kWarpSize - part.first, &value.lane[part.first]);
}

// A write to a register that is not allocated is dropped.
void RegisterFile::write(const RegisterWrite& write) {
  if (write.reg >= warps_[write.warp].registers) return;
  const unsigned number = warps_[write.warp].base + write.reg;
  CHECK(number < rows_.size(), "{}: $r{} of warp {} lies in row {}, but there are {}", name(), write.reg, write.warp,
        number, rows_.size());
  LaneWords& row = rows_[number];
  LaneWords value = write.value;
  if (write.late.valid) add_late_lanes(write.late, value);
  if (write.low && write.high) {
    if (write.lanes == ~LaneMask{0}) {
      row = value;
    } else {
      merge(row, value, write.lanes, 0, ~0u);
    }
  } else {
    merge(row, value, write.lanes, write.high ? 16 : 0, write.high ? 0xffff0000u : 0xffffu);
  }
}

void RegisterFile::next() {
  const std::uint32_t written = written_banks_i.read();
  CHECK(written >> (num_banks_ - 1) <= 1, "{}: banks {:08x} are written, but there are {}", name(), written,
        num_banks_);
  for (std::uint32_t rest = written; rest != 0; rest &= rest - 1) {
    write(write_i[static_cast<unsigned>(__builtin_ctz(rest))].read());
  }
  bool other = false;
  for (const auto& port : flag_write_i) {
    const FlagWrite& write = port.read();
    if (!write.valid) break;
    LaneFlags value = write.value;
    if (write.late.valid) {
      const ExecResult& part = late_lanes(write.late);
      std::copy_n(part.flags.begin(), kWarpSize - part.first, &value.lane[part.first]);
    }
    LaneFlags& row = flags_[write.warp][write.index];
    for (unsigned l = 0; l < kWarpSize; ++l) row[l] = (write.lanes >> l & 1) != 0 ? value[l] & 0xf : row[l];
    other = true;
  }
  for (const auto& port : addr_write_i) {
    const AddrWrite& write = port.read();
    if (!write.valid) break;
    if (write.index != 0 && write.index < kNumAddressRegisters) {
      LaneWords value = write.value;
      if (write.late.valid) add_late_lanes(write.late, value);
      merge(addrs_[write.warp][write.index], value, write.lanes, 0, 0xffffu);
    }
    other = true;
  }
  if (start_i.read().valid) start(start_i.read());
  if (written == 0 && !other && !start_i.read().valid) sleep();
}

}  // namespace g80

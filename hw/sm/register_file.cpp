// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/register_file.h"

#include "hw/common/check.h"

namespace g80 {

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name),
      num_banks_(config.sm.register_banks),
      init_(config.sm.init),
      rows_(config.sm.num_registers / kWarpSize) {}

void RegisterFile::start_warp(unsigned warp, unsigned base_row, unsigned registers) {
  CHECK(base_row + registers <= rows_.size(), "{}: warp {} needs {} rows from row {}, but there are {}", name(), warp,
        registers, base_row, rows_.size());
  warps_[warp] = {base_row, registers};
  for (unsigned r = 0; r < registers; ++r) {
    for (std::uint32_t& word : rows_[base_row + r].lane) word = initial_word(init_, random_);
  }
  flags_[warp] = {};
  addrs_[warp] = {};
}

void RegisterFile::write(unsigned warp, unsigned reg, LaneMask lanes, const LaneWords& value) {
  if (reg >= warps_[warp].registers) return;
  LaneWords& row = rows_[warps_[warp].base + reg];
  if (lanes == ~LaneMask{0}) {
    row = value;
    return;
  }
  for (unsigned l = 0; l < kWarpSize; ++l) row[l] = (lanes >> l & 1) != 0 ? value[l] : row[l];
}

void RegisterFile::write_half(unsigned warp, unsigned half, LaneMask lanes, const LaneWords& value) {
  const unsigned reg = half / 2;
  if (reg >= warps_[warp].registers) return;
  LaneWords& row = rows_[warps_[warp].base + reg];
  const unsigned shift = half % 2 * 16;
  const std::uint32_t keep = half % 2 != 0 ? 0x0000ffffu : 0xffff0000u;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if ((lanes >> l & 1) != 0) row[l] = (row[l] & keep) | (value[l] & 0xffffu) << shift;
  }
}

void RegisterFile::write_flags(unsigned warp, unsigned index, LaneMask lanes, const LaneFlags& value) {
  LaneFlags& row = flags_[warp][index];
  for (unsigned l = 0; l < kWarpSize; ++l) row[l] = (lanes >> l & 1) != 0 ? value[l] & 0xf : row[l];
}

void RegisterFile::write_addr(unsigned warp, unsigned index, LaneMask lanes, const LaneWords& value) {
  if (index == 0 || index >= kNumAddressRegisters) return;
  LaneWords& row = addrs_[warp][index];
  for (unsigned l = 0; l < kWarpSize; ++l) row[l] = (lanes >> l & 1) != 0 ? value[l] & 0xffffu : row[l];
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "tb/check/warp_effects.h"

#include <algorithm>

#include "hw/common/set_bits.h"

namespace g80 {

WarpEffects::WarpEffects(SmPins& sm, const Config& config) : sm_(sm), bytes_(config.sm.shared_bytes, kUnknown) {
  sm_.attach(*this, RetirementPort::Reads::kProfile);
}

/// True if a byte has another value than before.
bool WarpEffects::store(const SmReport::Smem& pass) {
  bool changes = false;
  for (const unsigned lane : set_bits(pass.lanes)) {
    for (unsigned i = 0; i < pass.bytes; ++i) {
      std::int16_t& byte = bytes_.at(pass.address[lane] + i);
      const auto stored = static_cast<std::int16_t>(pass.data[lane] >> 8 * i & 0xff);
      changes |= byte != stored;
      byte = stored;
    }
  }
  return changes;
}

void WarpEffects::observe(const SmReport& report) {
  // The words of a new block are written without a report.
  if (report.start.count != 0) std::fill(bytes_.begin(), bytes_.end(), kUnknown);
  for (const SmReport::Smem& pass : report.smem) shared_changes_ += pass.write && store(pass) ? 1 : 0;
  for (const SmReport::Issue& issue : report.issue) {
    if (issue.fetched.error != isa::DecodeError::kNone) continue;
    const isa::Instruction& insn = issue.fetched.decoded().insn;
    deciding_.add(issue.fetched.pc, insn);
    clock_reads_ += golden::reads_clock(insn) ? 1 : 0;
    barriers_ += insn.op == isa::Op::kBar ? 1 : 0;
  }
}

}  // namespace g80

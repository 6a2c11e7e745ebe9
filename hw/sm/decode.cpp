// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/decode.h"

namespace g80 {

Decode::Decode(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), arch_(static_cast<isa::Arch>(config.device.compute_minor)), has_dp_(config.sm.num_dps != 0) {}

FetchedInstruction Decode::decode(std::uint32_t pc, std::uint32_t w0, std::uint32_t w1) const {
  FetchedInstruction fetched{pc, isa::DecodeError::kNone, std::uint64_t{isa::is_long(w0) ? w1 : 0} << 32 | w0};
  const DecodedInstruction& decoded = fetched.decoded();
  fetched.error = decoded.error;
  if (decoded.arch > arch_ || (decoded.unit == isa::Unit::kDp && !has_dp_)) {
    fetched.error = isa::DecodeError::kIllegalOpcode;
  }
  return fetched;
}

void Decode::next() {
  const FetchReply& reply = reply_i.read();
  d_.group = {};
  if (!reply.valid) {
    sleep();
    return;
  }
  d_.group.valid = true;
  d_.group.warp = reply.warp;
  d_.group.epoch = reply.epoch;
  const std::uint32_t pc = reply.address - launch_i.read().code_base;
  unsigned word = 0;
  const unsigned words = reply.bytes / 4u;
  while (word < words) {
    const std::uint32_t w0 = reply.data[word];
    const std::uint32_t at = pc + 4 * word;
    FetchedInstruction& fetched = d_.group.insn[d_.group.count++];
    if (reply.fault != MemFault::kNone) {
      // The code page is not present. One illegal instruction replaces the group; it faults if a warp issues it.
      fetched = {at, isa::DecodeError::kIllegalOpcode, ~std::uint64_t{0}};
      break;
    }
    if (isa::is_long(w0) && at % 8 != 0) {
      fetched = {at, isa::DecodeError::kUnalignedLong, w0};
      word += 1;
    } else {
      const bool is_long = isa::is_long(w0);
      fetched = decode(at, w0, is_long && word + 1 < reply.data.size() ? reply.data[word + 1] : 0);
      word += is_long ? 2 : 1;
    }
  }
}

}  // namespace g80

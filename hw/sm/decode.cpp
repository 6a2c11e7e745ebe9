// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/decode.h"

namespace g80 {

Decode::Decode(const sc_core::sc_module_name& name, const Config& config, const LaunchState& launch)
    : Clocked(name),
      launch_(launch),
      arch_(static_cast<isa::Arch>(config.device.compute_minor)),
      has_dp_(config.sm.num_dps != 0) {}

const DecodedInstruction* Decode::lookup(std::uint32_t w0, std::uint32_t w1, isa::DecodeError placement) {
  if (!isa::is_long(w0)) w1 = 0;
  const std::uint64_t key = (std::uint64_t{w1} << 32) | w0;
  const bool placed = placement == isa::DecodeError::kNone;
  const unsigned slot = static_cast<unsigned>((key * 0x9e3779b97f4a7c15ull) >> 56) % kRecent;
  if (placed && recent_[slot] != nullptr && recent_[slot]->w0 == w0 && recent_[slot]->w1 == w1) return recent_[slot];
  auto [found, inserted] = (placed ? by_words_ : misplaced_).try_emplace(key, nullptr);
  if (inserted) {
    DecodedInstruction decoded;
    decoded.w0 = w0;
    decoded.w1 = w1;
    decoded.error = placed ? isa::decode(w0, w1, arch_, decoded.insn) : placement;
    const bool computes_fp64 = decoded.error == isa::DecodeError::kNone && decoded.insn.unit == isa::Unit::kDp;
    if (computes_fp64 && !has_dp_) decoded.error = isa::DecodeError::kIllegalOpcode;
    analyse(decoded);
    store_.push_back(decoded);
    found->second = &store_.back();
  }
  if (placed) recent_[slot] = found->second;
  return found->second;
}

void Decode::next() {
  const FetchReply& reply = reply_i.read();
  d_.group = {};
  if (!reply.valid) {
    if (!q_.group.valid) sleep();
    return;
  }
  d_.group.valid = true;
  d_.group.warp = reply.warp;
  d_.group.epoch = reply.epoch;
  const std::uint32_t pc = reply.address - launch_.code_base;
  unsigned word = 0;
  const unsigned words = reply.bytes / 4u;
  while (word < words) {
    const std::uint32_t w0 = reply.data[word];
    const std::uint32_t at = pc + 4 * word;
    InstructionRef& ref = d_.group.insn[d_.group.count++];
    ref.pc = at;
    if (reply.fault != MemFault::kNone) {
      // The code page is not present. One illegal instruction replaces the group; it faults if a warp issues it.
      ref.decoded = lookup(0xffffffffu, 0xffffffffu, isa::DecodeError::kIllegalOpcode);
      break;
    }
    if (!isa::is_long(w0)) {
      ref.decoded = lookup(w0, 0);
      word += 1;
    } else if (at % 8 != 0) {
      ref.decoded = lookup(w0, 0, isa::DecodeError::kUnalignedLong);
      word += 1;
    } else {
      ref.decoded = lookup(w0, reply.data[word + 1]);
      word += 2;
    }
  }
}

}  // namespace g80

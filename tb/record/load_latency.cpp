// SPDX-License-Identifier: Apache-2.0
#include "tb/record/load_latency.h"

#include "hw/isa/instruction.h"

namespace g80 {

void LoadLatency::begin() {
  kinds_.clear();
  pending_.clear();
  count_ = {};
}

LoadLatency::Kind LoadLatency::decoded_kind(const MachineEvent& event) const {
  isa::Instruction insn;
  if (isa::decode(event.w0, event.w1, arch_, insn) != isa::DecodeError::kNone) return kNoLoad;
  switch (insn.op) {
    case isa::Op::kLdGlobal: return kGlobal;
    case isa::Op::kAtom: return kAtomic;
    case isa::Op::kLdLocal: return kLocal;
    case isa::Op::kLdShared: return kShared;
    case isa::Op::kLdConst: return kConstant;
    default: return insn.unit == isa::Unit::kTexture ? kTexture : kNoLoad;
  }
}

LoadLatency::Kind LoadLatency::kind_of(const MachineEvent& event) {
  const std::size_t word = event.pc / 4;
  if (word >= kinds_.size()) kinds_.resize(word + 1, kUnknown);
  if (kinds_[word] == kUnknown) kinds_[word] = decoded_kind(event);
  return kinds_[word];
}

void LoadLatency::event(const MachineEvent& event) {
  if (event.kind == EventKind::kIssue) {
    if (const Kind kind = kind_of(event); kind != kNoLoad) pending_[event.uid] = {event.cycle, kind};
  } else if (event.kind == EventKind::kRelease) {
    const auto found = pending_.find(event.uid);
    if (found == pending_.end()) return;
    ++count_[found->second.kind][event.cycle - found->second.issued];
    pending_.erase(found);
  }
}

std::vector<LatencyHistogram> LoadLatency::histograms() const {
  static const char* const names[] = {
      "", "", "global memory", "atomics", "local memory", "textures", "shared memory", "constants"};
  std::vector<LatencyHistogram> list;
  for (unsigned kind = kGlobal; kind < kNumKinds; ++kind) {
    if (!count_[kind].empty()) list.push_back({names[kind], count_[kind]});
  }
  return list;
}

}  // namespace g80

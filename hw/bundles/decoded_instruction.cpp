// SPDX-License-Identifier: Apache-2.0
#include "hw/bundles/decoded_instruction.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "hw/bundles/register_bundles.h"

namespace g80 {
namespace {

using isa::Op;
using isa::Operand;
using isa::OperandKind;

/// 64-bit sources, four words to store, operand c of an atomic, or three texture coordinates and more.
bool is_wide(const DecodedInstruction& d) {
  const isa::Instruction& insn = d.insn;
  if (d.unit == isa::Unit::kTexture) return insn.tex_sources >= kHighWords;
  if (d.unit == isa::Unit::kMemory)
    return insn.src[1].kind == OperandKind::kQuad || insn.src[2].kind != OperandKind::kNone;
  const auto is_pair = [](const Operand& operand) { return operand.kind == OperandKind::kPair; };
  return std::any_of(std::begin(insn.src), std::end(insn.src), is_pair);
}

// Fills unit, hazards and control from the fields.
void analyse(DecodedInstruction& d) {
  const isa::Instruction& insn = d.insn;
  d.unit = insn.unit;
  // The SPs execute a load from s[] or c[] as a move. Its operand is read like any ALU instruction's memory operand.
  if (insn.op == Op::kLdConst || insn.op == Op::kLdShared || insn.op == Op::kLdSharedLock) d.unit = isa::Unit::kSp;
  if (isa::is_texture(insn.op)) d.unit = isa::Unit::kTexture;
  if (d.unit == isa::Unit::kSp || d.unit == isa::Unit::kSfu || d.unit == isa::Unit::kDp) {
    for (const Operand& operand : insn.src) {
      d.reads_shared_operand |= operand.kind == OperandKind::kShared;
      d.reads_const_operand |= operand.kind == OperandKind::kConst;
    }
  }
  d.reads = registers_read(insn);
  d.writes = registers_written(insn);

  if (insn.op == Op::kNop || insn.op == Op::kPmevent) d.unit = isa::Unit::kSp;
  d.takes_shared_port = d.reads_shared_operand && d.unit == isa::Unit::kSp && insn.op != Op::kMov;
  d.multiplies_fp32 = insn.op == Op::kFmul && d.unit == isa::Unit::kSp && !d.reads_shared_operand;
  const bool is_control = d.unit == isa::Unit::kControl;
  d.control = is_control || insn.exit || insn.join;
  d.drains = insn.op == Op::kBar;
  d.uses_load_table =
      d.unit == isa::Unit::kTexture || insn.op == Op::kLdGlobal || insn.op == Op::kLdLocal || insn.op == Op::kAtom;
  d.long_latency = d.uses_load_table;
  d.wide = is_wide(d);
}

DecodedInstruction decode_now(std::uint64_t words, isa::DecodeError error) {
  const auto w0 = static_cast<std::uint32_t>(words), w1 = static_cast<std::uint32_t>(words >> 32);
  DecodedInstruction d;
  d.words = words;
  for (const isa::Arch arch : {isa::Arch::kSm10, isa::Arch::kSm11, isa::Arch::kSm12, isa::Arch::kSm13}) {
    d.arch = arch;
    d.error = isa::decode(w0, w1, arch, d.insn);
    if (d.error != isa::DecodeError::kIllegalOpcode) break;
  }
  // The coverage-sample query exists for graphics programs only. The model has no result for it, so it faults.
  if (d.insn.op == Op::kTexCsaa) d.error = isa::DecodeError::kGraphicsOnly;
  if (error != isa::DecodeError::kNone) d.error = error;  // this chip lacks it, or it is not where it may be
  if (d.error == isa::DecodeError::kNone) {
    analyse(d);
  } else {  // none of its fields counts: the control path raises the fault
    d.insn = {};
    d.unit = isa::Unit::kControl;
    d.control = true;
  }
  d.micro = micro_op_of(d);
  return d;
}

}  // namespace

const DecodedInstruction& decode_detail::find(const FetchedInstruction& fetched) {
  // Never destroyed: machines outlive the threads that worked with them, and exit handlers finish the work of CUDA
  // programs.
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::array<std::unordered_map<std::uint64_t, DecodedInstruction>, 8>;  // by error
  const std::lock_guard<std::mutex> lock(mutex);
  auto& same_error = all[static_cast<unsigned>(fetched.error)];
  const auto found = same_error.find(fetched.words);
  const DecodedInstruction& decoded =
      found != same_error.end()
          ? found->second
          : same_error.emplace(fetched.words, decode_now(fetched.words, fetched.error)).first->second;
  recent_of(fetched.pc).store(&decoded, std::memory_order_release);
  return decoded;
}

}  // namespace g80

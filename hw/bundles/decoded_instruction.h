// SPDX-License-Identifier: Apache-2.0
// An instruction in the SM: decoded fields, its words, and its registers and hazards for the scoreboard.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hw/bundles/micro_op.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"
#include "hw/isa/encoding.h"
#include "hw/isa/instruction.h"
#include "hw/isa/thread_state.h"

namespace g80 {

/// Aligned: what the scheduler asks lies in one line of the host's cache, what execution asks of `insn` in the next.
struct alignas(kCacheLine) DecodedInstruction {
  std::uint64_t words = 0;
  isa::DecodeError error = isa::DecodeError::kNone;
  isa::Arch arch = isa::Arch::kSm10;  // the first that has the instruction
  isa::Unit unit = isa::Unit::kSp;    // where it issues to
  bool control : 1;                   // may change pc or mask: the warp issues nothing more until it is resolved
  bool drains : 1;                    // waits until every earlier instruction of the warp has finished
  bool long_latency : 1;              // its result comes from memory
  bool uses_load_table : 1;
  bool wide : 1;                  // its operands are more words than a collector unit has
  bool multiplies_fp32 : 1;       // the SFUs' multipliers can take it, where sm.sfu_mul lets them
  bool reads_shared_operand : 1;  // an s[] operand, fetched by conflict passes
  bool takes_shared_port : 1;     // ... that reaches the SPs through its port; a move is a load and goes around it
  bool reads_const_operand : 1;   // a c[] operand, fetched through the constant cache
  ThreadState reads, writes;
  isa::Instruction insn;
  MicroOp micro;

  DecodedInstruction()
      : control(false),
        drains(false),
        long_latency(false),
        uses_load_table(false),
        wide(false),
        multiplies_fp32(false),
        reads_shared_operand(false),
        takes_shared_port(false),
        reads_const_operand(false) {}
};
static_assert(offsetof(DecodedInstruction, insn) == kCacheLine);

/// A fetched instruction of a warp, as wires carry it: those of the RTL with the micro-op that decode has made of the
/// words, from which each block selects what it needs. It follows from the words, so it is no member here.
struct FetchedInstruction {
  std::uint32_t pc = 0;                              // byte address relative to the code base
  isa::DecodeError error = isa::DecodeError::kNone;  // what decode found: depends on the chip and on the address
  std::uint64_t words = 0;                           // low half first; a short instruction has none above
  std::uint32_t w0() const { return static_cast<std::uint32_t>(words); }
  std::uint32_t w1() const { return static_cast<std::uint32_t>(words >> 32); }
  /// What the words and `error` say. The result stays valid.
  const DecodedInstruction& decoded() const;
  MicroOp micro_op() const;

  template <class S, class V>
  static constexpr void visit_members(S& s, V& v) {
    v("pc", s.pc, 24);
    v("error", s.error, 3);
    v("words", s.words);
  }
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    visit_members(s, v);
    v.implied("micro", kMicroOpBits, [&s] { return s.micro_op(); });
  }
};

/// One that has issued. With it travels what is still asked of its micro-op, the first fields of it.
struct IssuedInstruction : FetchedInstruction {
  IssuedInstruction() = default;
  IssuedInstruction(const FetchedInstruction& fetched) : FetchedInstruction(fetched) {}

  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    visit_members(s, v);
    v.implied("micro", kIssuedOpBits, [&s] { return s.micro_op().issued; });
  }
};

namespace decode_detail {
/// Decoding is a function of the words alone, so this program decodes equal words once. By address: what lies together
/// runs together, and shares a line of the host's cache here. All threads share it, and what it points to stays.
inline std::array<std::atomic<const DecodedInstruction*>, 4096> recent{};
const DecodedInstruction& find(const FetchedInstruction& fetched);
inline std::atomic<const DecodedInstruction*>& recent_of(std::uint32_t pc) { return recent[pc / 4 % recent.size()]; }
}  // namespace decode_detail

G80_INLINE const DecodedInstruction& FetchedInstruction::decoded() const {
  const DecodedInstruction* const recent = decode_detail::recent_of(pc).load(std::memory_order_acquire);
  const bool same = recent != nullptr && recent->words == words && recent->error == error;
  return same ? *recent : decode_detail::find(*this);
}

/// Words of zeros, as wires have them where nothing is valid, are no instruction.
inline MicroOp FetchedInstruction::micro_op() const { return words == 0 ? MicroOp{} : decoded().micro; }

}  // namespace g80

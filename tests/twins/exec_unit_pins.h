// SPDX-License-Identifier: Apache-2.0
// An execution unit on the pins of its Verilated module, without the block.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/bundles/exec_bundles.h"
#include "hw/isa/disassembler.h"
#include "hw/isa/opcode_table.h"
#include "rtl/adapters/pins.h"
#include "rtl/adapters/reached.h"
#include "tb/golden/semantics.h"
#include "tests/exec/operand_source.h"

namespace g80::testing {

/// Sends instructions one behind the other, as fast as the unit takes them, and collects the results of their lanes.
template <class Model>
class ExecUnitPins {
 public:
  void finish() {
    for (unsigned i = 0; i < stages_ + 4; ++i) edge();
    if (stages_ % 2 != 0) edge();
  }
  std::map<std::uint32_t, golden::AluOutput> results;

 protected:
  /// `pair`: lanes that enter in two cycles.
  ExecUnitPins(unsigned pair, unsigned stages) : pair_(pair), stages_(stages) {
    model_.cfg_stages_i = static_cast<std::uint8_t>(stages);
  }
  /// With all straps set.
  void reset() {
    model_.rst_ni = 0;
    model_.eval();
    edge();
    model_.rst_ni = 1;
    edge();  // the next one is between two scheduler edges
  }
  /// operands_from(lane): what the port shows while the pair of groups that begins with this lane enters. Results are
  /// found under the number that this returns.
  template <class OperandsFrom>
  std::uint32_t send_pairs(const isa::Words& words, OperandsFrom operands_from) {
    Dispatch dispatch;
    dispatch.valid = true;
    dispatch.lanes = ~LaneMask{0};
    dispatch.tag.bits = ++sent_;
    dispatch.fetched.words = std::uint64_t{words.w1} << 32 | words.w0;
    to_pin(dispatch, model_.dispatch_i);
    for (unsigned first = 0; first < kWarpSize; first += pair_) {
      to_pin(operands_from(first), model_.operands_i);
      edge();
      edge();
      to_pin(Dispatch{}, model_.dispatch_i);
    }
    return sent_;
  }
  const unsigned pair_, stages_;
  Model model_;
  Reached reached_;

 private:
  void edge() {
    model_.issue_en_i = edges_++ % 2 == 0;
    model_.clk_i = 0;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
    ExecResult result;
    from_pin(model_.result_o, result);
    if (!result.valid) return;
    golden::AluOutput& out = results[result.tag.bits];
    for (unsigned l = 0; l < pair_; ++l) {
      out.lo[result.first + l] = result.low[l];
      out.hi[result.first + l] = result.high[l];
      out.flags[result.first + l] = result.flags[l];
    }
  }
  std::uint64_t edges_ = 1;
  std::uint32_t sent_ = 0;
};

/// Random words of each row of the opcode table that `takes` accepts, with the operands that `fill(insn, in)` draws,
/// against the instruction set's definition. Returns the number of rows. `send` is that of the pins.
template <class Pins, class Takes, class Random, class Fill, class Send>
unsigned expect_definition(Pins& pins, unsigned words_per_row, Takes takes, Random random_word, Fill fill, Send send) {
  unsigned rows = 0, complaints = 0;
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    if (row.graphics || !takes(row)) continue;
    std::vector<std::pair<isa::Instruction, golden::AluInput>> sent;
    pins.results.clear();
    std::uint32_t last = 0;
    for (unsigned i = 0; i < 20 * words_per_row && sent.size() < words_per_row; ++i) {
      const std::uint64_t word = (random_word() & ~row.mask) | row.match;
      const isa::Words words{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
      isa::Instruction insn;
      if (isa::decode(words.w0, words.w1, isa::Arch::kSm13, insn) != isa::DecodeError::kNone || insn.op != row.op)
        continue;  // also if the word belongs to another row
      golden::AluInput in{};
      fill(insn, in);
      last = send(words, in);
      sent.emplace_back(insn, in);
    }
    pins.finish();
    EXPECT_EQ(sent.size(), words_per_row) << row.syntax;
    ++rows;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const auto& [insn, in] = sent[i];
      std::string first;
      const golden::AluOutput& seen = pins.results.at(static_cast<std::uint32_t>(last - sent.size() + 1 + i));
      const unsigned wrong = test::wrong_lanes(insn, in, seen, first);
      if (wrong == 0) continue;
      ADD_FAILURE() << isa::disassemble(insn) << "\n" << wrong << " lanes, " << first;
      if (++complaints > 20) return rows;
    }
  }
  return rows;
}

}  // namespace g80::testing

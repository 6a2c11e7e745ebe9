// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/loop_addresses.h"

#include <algorithm>
#include <set>

namespace g80::codegen {
namespace {

using ir::BlockId;
using isa::OperandKind;

constexpr std::size_t kMostInUse = 3;  // of the four: one is left for the scheduler

/// The blocks in which a register is written and read, one for each instruction.
struct Places {
  std::vector<BlockId> definitions, uses;
};

class Keeper {
 public:
  explicit Keeper(MachineFunction& function) : function_(function), places_(function.regs.size()) {
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      for (const MachineInst& inst : function_.blocks[block].insts) {
        for_each_def(inst, [&](const Reg& reg, unsigned) { places_[reg.id].definitions.push_back(block); });
        for_each_use(inst, [&](const Reg& reg, unsigned) { places_[reg.id].uses.push_back(block); });
      }
    }
    for (const PassedRegister& result : function_.results) {
      if (result.reg) places_[result.reg.id].uses.push_back(ir::kNone);
    }
  }

  void run() {
    const std::vector<std::vector<BlockId>> preds = function_.predecessors();
    for (BlockId body = 0; body < function_.blocks.size(); ++body) {
      if (function_.blocks[body].end.kind != TerminatorKind::kBranch) continue;
      for (const BlockId latch : successors(function_.blocks[body].end)) find_loop(body, latch, preds);
    }
  }

 private:
  /// A loop of one block. Its copies are at its end or, if the branch is critical, in a block on the way back.
  void find_loop(BlockId body, BlockId latch, const std::vector<std::vector<BlockId>>& preds) {
    const bool is_way_back = latch != body && function_.blocks[latch].end.kind == TerminatorKind::kJump &&
                             function_.blocks[latch].end.taken == body && preds[latch].size() == 1;
    if ((latch != body && !is_way_back) || preds[body].size() != 2) return;
    const BlockId entry = preds[body][preds[body][0] == latch ? 1 : 0];
    if (entry == latch || function_.blocks[entry].end.kind != TerminatorKind::kJump) return;
    const std::vector<MachineInst>& insts = function_.blocks[body].insts;
    const bool has_call = std::any_of(insts.begin(), insts.end(), [](const MachineInst& inst) {
      return inst.callee != ir::kNone || inst.label != 0 || inst.label_target != 0;
    });
    if (has_call) return;
    std::size_t in_use = most_in_use(body);
    for (const MachineInst& copy : std::vector<MachineInst>(function_.blocks[latch].insts)) {
      if (in_use == kMostInUse) return;
      if (is_copy(copy) && keep(copy, body, latch, entry)) ++in_use;
    }
  }

  /// The most address registers in use at once; none is in use between blocks.
  std::size_t most_in_use(BlockId block) const {
    std::set<std::uint32_t> live;
    std::size_t most = 0;
    const std::vector<MachineInst>& insts = function_.blocks[block].insts;
    for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
      for_each_use(*inst, [&](const Reg& reg, unsigned) {
        if (function_.regs[reg.id].cls == RegClass::kAddress) live.insert(reg.id);
      });
      most = std::max(most, live.size());
      for_each_def(*inst, [&](const Reg& reg, unsigned) { live.erase(reg.id); });
    }
    return most;
  }

  /// Moves the variable that the latch copies to an address register, if it can be there.
  bool keep(const MachineInst& copy, BlockId body, BlockId latch, BlockId entry) {
    const Reg variable = copy.dst, next = copy.src[0];
    const Places& of_variable = places_[variable.id];
    const Places& of_next = places_[next.id];
    if (function_.regs[variable.id].words != 1 || function_.regs[next.id].words != 1) return false;
    const auto starts = std::count_if(of_variable.definitions.begin(), of_variable.definitions.end(),
                                      [&](BlockId block) { return block != body && block != latch; });
    if (of_variable.definitions.size() != 2 || starts != 1 || of_variable.uses != std::vector<BlockId>{body, body})
      return false;
    if (of_next.definitions != std::vector<BlockId>{body} || of_next.uses.size() != 1) return false;
    std::vector<MachineInst>& insts = function_.blocks[body].insts;
    const auto sum = std::find_if(insts.begin(), insts.end(),
                                  [&](const MachineInst& inst) { return inst.dst == next && grows(inst, variable); });
    const auto shift = std::find_if(insts.begin(), insts.end(), [&](const MachineInst& inst) {
      return inst.insn.op == isa::Op::kShlAddr && inst.src[0] == variable && !inst.is_guarded;
    });
    if (sum == insts.end() || shift == insts.end()) return false;
    const Reg address = shift->dst;
    if (places_[address.id].definitions.size() != 1) return false;

    MachineInst add = *shift;
    add.loc = sum->loc;
    add.insn.op = isa::Op::kAddAddr;
    add.insn.src[0].kind = OperandKind::kAddr;
    add.src[0] = address;
    add.insn.immediate = sum->insn.immediate << shift->insn.immediate & 0xffff;
    function_.blocks[entry].insts.push_back(*shift);
    insts.erase(std::max(sum, shift));
    insts.erase(std::min(sum, shift));
    const auto last = std::find_if(insts.rbegin(), insts.rend(), [&](const MachineInst& inst) {
      bool reads = false;
      for_each_use(inst, [&](const Reg& reg, unsigned) { reads |= reg == address; });
      return reads;
    });
    insts.insert(last.base(), add);
    std::vector<MachineInst>& copies = function_.blocks[latch].insts;
    copies.erase(std::find_if(copies.begin(), copies.end(),
                              [&](const MachineInst& inst) { return is_copy(inst) && inst.dst == variable; }));
    return true;
  }

  /// True if the instruction only adds a constant to the variable.
  static bool grows(const MachineInst& inst, Reg variable) {
    const isa::Instruction& insn = inst.insn;
    return insn.op == isa::Op::kAdd && inst.src[0] == variable && insn.src[0].kind == OperandKind::kReg &&
           !insn.src[0].neg && insn.src[1].kind == OperandKind::kImm && !insn.src[1].neg &&
           insn.dst.kind == OperandKind::kReg && !inst.is_guarded && !inst.flags_in && !inst.flags_out &&
           !insn.saturate;
  }

  MachineFunction& function_;
  std::vector<Places> places_;  // by register
};

}  // namespace

void keep_loop_addresses(MachineFunction& function) { Keeper(function).run(); }

}  // namespace g80::codegen

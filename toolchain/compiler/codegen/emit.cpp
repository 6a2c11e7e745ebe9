// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "hw/isa/disassembler.h"
#include "hw/isa/encoding.h"
#include "hw/isa/instruction_compare.h"
#include "toolchain/assembler/code_layout.h"
#include "toolchain/compiler/codegen/pair_encodings.h"

namespace g80::codegen {
namespace {

using ir::BlockId;
using isa::Form;
using isa::Instruction;
using isa::OperandKind;

constexpr std::uint8_t kIfSet = 0x05, kIfClear = 0x02;  // conditions lg and e on a comparison's flags
constexpr std::uint32_t kConstantReach = 0x200, kHalfConstantReach = 0x100;

std::optional<isa::Words> try_encode(const Instruction& insn) {
  try {
    return isa::encode(insn);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

class Emitter {
 public:
  Emitter(MachineFunction& function, isa::Arch arch) : function_(function), arch_(arch) {}

  std::vector<CallSite> run(unsigned registers, Kernel& kernel, KernelInfo& info) {
    order_ = order_blocks(function_);
    const std::vector<std::uint8_t> named = named_blocks();
    // drops blocks that only end the thread or leave a loop, because their predecessors can do that
    const auto is_needless = [&](BlockId id) { return id != 0 && !named[id] && (only_ends(id) || only_breaks(id)); };
    order_.erase(std::remove_if(order_.begin(), order_.end(), is_needless), order_.end());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      add_block(order_[i], i + 1 < order_.size() ? order_[i + 1] : ir::kNone);
    }
    for (CodeItem& item : items_) choose_form(item);
    pair_short_forms(items_);
    lay_out();
    encode(kernel, info);
    kernel.reg = std::max(registers, 1u);
    kernel.bar = function_.barriers;
    if (!function_.literals.empty()) kernel.constants.push_back({kLiteralBank, 0, function_.literals});
    return std::move(calls_);
  }

 private:
  CodeItem& add(const Instruction& insn, const ir::Location& loc) {
    CodeItem item;
    item.insn = insn;
    item.loc = loc;
    item.starts_block = starts_block_;
    starts_block_ = false;
    items_.push_back(item);
    return items_.back();
  }

  Instruction control(isa::Op op) const {
    Instruction insn;
    insn.op = op;
    insn.form = Form::kControl;
    return insn;
  }

  /// Marks the blocks that instructions name. A joinat may name a block that no branch reaches, because every lane
  /// leaves before. Such a block is placed at the end, with its successors.
  std::vector<std::uint8_t> named_blocks() {
    std::vector<std::uint8_t> named(function_.blocks.size(), 0), placed(function_.blocks.size(), 0);
    for (const BlockId id : order_) placed[id] = 1;
    const auto place = [&](BlockId id) {
      if (id == ir::kNone || placed[id]) return;
      placed[id] = 1;
      order_.push_back(id);
    };
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const MachineBlock& block = function_.blocks[order_[i]];
      for (const MachineInst& inst : block.insts) {
        if (inst.target == ir::kNone) continue;
        named[inst.target] = 1;
        place(inst.target);
      }
      if (block.end.kind != TerminatorKind::kExit) place(block.end.taken);
      if (block.end.kind == TerminatorKind::kBranch) place(block.end.other);
    }
    return named;
  }

  bool only_ends(BlockId block) const {
    const MachineBlock& b = function_.blocks[block];
    return b.end.kind == TerminatorKind::kExit && b.insts.empty() && !b.starts_with_join;
  }

  bool only_breaks(BlockId block) const {
    const MachineBlock& b = function_.blocks[block];
    return b.is_break_target && b.end.kind == TerminatorKind::kJump && b.insts.empty();
  }

  /// Emits a branch. If its target only ends the thread, it is a ret, which ends the thread outside of calls. If its
  /// target is that of a loop's breaks, it is a break.
  void branch(BlockId target, const ir::Location& loc, std::uint8_t cond, std::uint8_t flags) {
    const isa::Op op = only_ends(target)                          ? isa::Op::kRet
                       : function_.blocks[target].is_break_target ? isa::Op::kBreak
                                                                  : isa::Op::kBra;
    Instruction insn = control(op);
    insn.cond = cond;
    insn.flag_src = flags;
    CodeItem& item = add(insn, loc);
    if (op == isa::Op::kBra) item.target = target;
  }

  /// True if control reaches the target without an instruction.
  bool falls_into(BlockId target, BlockId next) const {
    return target == next && !function_.blocks[target].is_break_target;
  }

  void add_block(BlockId id, BlockId next) {
    const MachineBlock& block = function_.blocks[id];
    first_item_[id] = items_.size();
    starts_block_ = true;
    if (block.starts_with_join) {
      Instruction join;
      join.op = isa::Op::kNop;
      join.cond = 0;
      join.join = true;
      add(join, block.end.loc);
    }
    for (const MachineInst& inst : block.insts) {
      if (inst.label != 0) {
        starts_block_ = true;
        label_item_[inst.label] = items_.size();
      }
      CodeItem& item = add(inst.insn, inst.loc);
      item.target = inst.target;
      item.label_target = inst.label_target;
      item.callee = inst.callee;
    }
    const Terminator& end = block.end;
    if (end.kind == TerminatorKind::kExit) {
      end_thread(block);
    } else if (end.kind == TerminatorKind::kJump) {
      if (!falls_into(end.taken, next)) branch(end.taken, end.loc, isa::kAlways, 0);
    } else {
      const std::uint8_t inverse = end.cond == kIfSet ? kIfClear : kIfSet;
      const bool exit_first = only_ends(end.taken) && end.other != next;
      // a break goes first, because it does not split the warp
      const bool other_first = exit_first || function_.blocks[end.other].is_break_target;
      if (falls_into(end.taken, next) || other_first) {
        branch(end.other, end.loc, inverse, end.flags.word);
        if (!falls_into(end.taken, next)) branch(end.taken, end.loc, isa::kAlways, 0);
      } else {
        branch(end.taken, end.loc, end.cond, end.flags.word);
        if (!falls_into(end.other, next)) branch(end.other, end.loc, isa::kAlways, 0);
      }
    }
  }

  /// Ends the thread, with the exit flag of the last instruction if that has one.
  void end_thread(const MachineBlock& block) {
    if (function_.is_called) {
      add(control(isa::Op::kRet), block.end.loc).insn.cond = isa::kAlways;
      return;
    }
    if (!block.insts.empty() && !items_.back().starts_block) {
      Instruction marked = items_.back().insn;
      if (marked.form == Form::kLong && !block.insts.back().is_guarded && marked.cond == isa::kAlways) {
        marked.exit = true;
        if (try_encode(marked)) {
          items_.back().insn = marked;
          return;
        }
      }
    }
    Instruction exit;
    exit.op = isa::Op::kNop;
    exit.cond = 0;
    exit.exit = true;
    add(exit, block.end.loc);
  }

  /// Chooses the long, immediate or control form of an instruction, and its short form if it has one.
  void choose_form(CodeItem& item) {
    Instruction& insn = item.insn;
    if (insn.form == Form::kControl) return;
    // all other forms of an addition with carry read it from $c0
    const bool needs_long = insn.op == isa::Op::kAddc && insn.flag_src != 0;
    if ((needs_long || !try_encode(insn)) && insn.form == Form::kImmediate) use_literal(insn);
    if (!try_encode(insn)) {
      std::string why;
      try {
        isa::encode(insn);
      } catch (const std::invalid_argument& problem) {
        why = problem.what();
      }
      throw std::logic_error(fmt::format("{}: line {}: operation {} with operands {} {} {} {}: {}", function_.name,
                                         item.loc.ptx_line, static_cast<int>(insn.op), static_cast<int>(insn.dst.kind),
                                         static_cast<int>(insn.src[0].kind), static_cast<int>(insn.src[1].kind),
                                         static_cast<int>(insn.src[2].kind), why));
    }
    if (needs_long || insn.form != Form::kLong || insn.exit || insn.join || insn.writes_flags ||
        insn.cond != isa::kAlways)
      return;
    Instruction small = insn;
    small.form = Form::kShort;
    if (try_encode(small)) {
      item.short_form = small;
      return;
    }
    // sums and products may exchange their operands
    const bool commutes = insn.op == isa::Op::kAdd || insn.op == isa::Op::kFadd || insn.op == isa::Op::kFmul ||
                          insn.op == isa::Op::kMul24 || insn.op == isa::Op::kFmad;
    const auto is_register = [](const isa::Operand& op) {
      return op.kind == OperandKind::kReg || op.kind == OperandKind::kHalf;
    };
    if (!commutes || !is_register(insn.src[1]) || !is_register(insn.src[0])) return;
    std::swap(small.src[0], small.src[1]);
    if (insn.op == isa::Op::kFmul || insn.op == isa::Op::kFmad) std::swap(small.src[0].neg, small.src[1].neg);
    if (try_encode(small)) item.short_form = small;
  }

  /// Moves an immediate to the literal pool if the encoding has no room for it (because of a guard or a high register).
  void use_literal(Instruction& insn) {
    unsigned slot = 0;
    while (slot < 3 && insn.src[slot].kind != OperandKind::kImm) ++slot;
    if (slot == 3) return;
    const bool is_16 = insn.op == isa::Op::kMul16 || insn.op == isa::Op::kMad16 || insn.dst.kind == OperandKind::kHalf;
    const std::uint32_t offset = function_.literal(insn.immediate);
    if (insn.op == isa::Op::kMov) {
      insn.op = isa::Op::kLdConst;
      if (is_16) {
        insn.mem_type = isa::MemType::kU16;
        insn.src_type = isa::NumType::kB32;
      }
      slot = 0;
      insn.src[1] = {};
    } else if (offset >= (is_16 ? kHalfConstantReach : kConstantReach)) {
      throw LiteralsFull();
    }
    insn.form = Form::kLong;
    insn.immediate = 0;
    insn.src[slot] = {};
    insn.src[slot].kind = OperandKind::kConst;
    insn.src[slot].bank = kLiteralBank;
    insn.src[slot].type = is_16 ? isa::MemType::kU16 : isa::MemType::kB32;
    insn.src[slot].offset = static_cast<std::uint16_t>(offset);
  }

  void lay_out() {
    std::vector<LayoutItem> layout(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      layout[i].has_long = true;
      layout[i].has_short = items_[i].short_form.has_value();
      layout[i].has_label = items_[i].starts_block;
    }
    LayoutProblem problem;
    if (!place_code(layout, problem)) throw std::logic_error(function_.name + ": " + problem.message);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (layout[i].is_short) items_[i].insn = *items_[i].short_form;
      address_.push_back(layout[i].address);
    }
  }

  std::uint32_t address_of(BlockId block) const { return address_[first_item_.at(block)]; }

  void encode(Kernel& kernel, KernelInfo& info) {
    std::map<std::string, unsigned> mix;
    for (CodeItem& item : items_) {
      if (item.target != ir::kNone) item.insn.target = address_of(item.target);
      if (item.label_target != 0) item.insn.target = address_[label_item_.at(item.label_target)];
      const isa::Words words = isa::encode(item.insn);
      check(item.insn, words);
      if (item.callee != ir::kNone) calls_.push_back({kernel.code.size(), item.callee});
      kernel.code.push_back(words.w0);
      if (words.is_long) kernel.code.push_back(words.w1);
      ++info.instructions;
      info.short_instructions += !words.is_long;
      ++mix[mnemonic(item.insn)];
      info.lines.push_back(item.loc);
    }
    info.mix.assign(mix.begin(), mix.end());
  }

  static std::string mnemonic(const Instruction& insn) {
    std::string text = isa::disassemble(insn);
    if (!text.empty() && text[0] == '(') text = text.substr(text.find(')') + 2);
    for (const std::string_view mark : {"exit ", "join "}) {
      if (text.rfind(mark, 0) == 0) text = text.substr(mark.size());
    }
    if (!text.empty() && text[0] == '(') text = text.substr(text.find(')') + 2);
    return text.substr(0, text.find(' '));
  }

  /// Checks that the words decode to the intended instruction.
  void check(const Instruction& meant, const isa::Words& words) const {
    Instruction decoded;
    const isa::DecodeError error = isa::decode(words.w0, words.w1, arch_, decoded);
    if (error != isa::DecodeError::kNone) {
      throw std::logic_error(
          fmt::format("{}: {:08x} {:08x}: {}", function_.name, words.w0, words.w1, isa::decode_error_text(error)));
    }
    const isa::Words again = isa::encode(decoded);
    if (again.w0 != words.w0 || again.w1 != words.w1 || decoded.op != meant.op ||
        isa::disassemble(decoded) != isa::disassemble(meant)) {
      throw std::logic_error(fmt::format("{}: {:08x} {:08x} decodes to '{}'", function_.name, words.w0, words.w1,
                                         isa::disassemble(decoded)));
    }
  }

  MachineFunction& function_;
  isa::Arch arch_;
  std::vector<BlockId> order_;
  std::vector<CodeItem> items_;
  std::map<BlockId, std::size_t> first_item_;
  std::map<std::uint32_t, std::size_t> label_item_;
  std::vector<std::uint32_t> address_;
  std::vector<CallSite> calls_;
  bool starts_block_ = false;
};

}  // namespace

std::vector<CallSite> emit_code(MachineFunction& function, isa::Arch arch, unsigned registers, Kernel& kernel,
                                KernelInfo& info) {
  return Emitter(function, arch).run(registers, kernel, info);
}

}  // namespace g80::codegen

// SPDX-License-Identifier: Apache-2.0
// Spills registers: general ones to l[], flag registers to general registers.
#include <algorithm>

#include "toolchain/compiler/codegen/allocate.h"

namespace g80::codegen {

using isa::OperandKind;

namespace {

class Spiller {
 public:
  Spiller(MachineFunction& function, const std::vector<SpillGroup>& groups)
      : function_(function), homes_(function.regs.size()), first_slot_(function.local_bytes) {
    for (const SpillGroup& group : groups) {
      const VirtualRegister first = function.regs[group[0].reg];
      Home home;
      home.is_used = true;
      if (first.cls == RegClass::kFlags) {
        home.holder = function.new_register();
      } else {
        home.slot = function.local_bytes;
        function.local_bytes += 4u * first.words;
      }
      for (const Spilled& spilled : group) {
        homes_[spilled.reg] = home;
        homes_[spilled.reg].half = spilled.half;
      }
    }
    is_loaded_.assign((function.local_bytes - first_slot_ + 3) / 4, 0);
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      out_.clear();
      at_hand_.clear();
      for (MachineInst& inst : block.insts) rewrite(inst);
      if (block.end.kind == TerminatorKind::kBranch && is_spilled(block.end.flags)) {
        const Reg flags = temporary(block.end.flags, 1);
        load(flags, block.end.flags, 1, block.end.loc);
        block.end.flags = flags;
      }
      block.insts = std::move(out_);
    }
    remove_stores_without_load();
  }

 private:
  /// Where a spilled register lives.
  struct Home {
    bool is_used = false;
    Reg holder;              // flags
    std::uint32_t slot = 0;  // in l[]
    unsigned half = 0;       // of the first word there
  };

  bool is_spilled(const Reg& reg) const { return reg.id < homes_.size() && homes_[reg.id].is_used; }
  bool is_flags(const Reg& reg) const { return function_.regs[reg.id].cls == RegClass::kFlags; }

  /// For words of a spilled register.
  Reg temporary(const Reg& spilled, unsigned words) {
    const Reg reg = function_.new_register(function_.regs[spilled.id].cls, static_cast<std::uint8_t>(words),
                                           static_cast<std::uint8_t>(words == 3 ? 1 : words));
    function_.regs[reg.id].is_spill = true;
    return reg;
  }

  /// The position of an operand, whole words or half a word, in its words of l[].
  std::uint32_t offset(const Reg& reg) const { return homes_[reg.id].slot + 4u * reg.word + 2u * half_of(reg); }
  unsigned half_of(const Reg& reg) const { return homes_[reg.id].half + (reg.part == Part::kHigh ? 1u : 0u); }
  bool is_narrow(const Reg& reg) const {
    return !is_flags(reg) && (reg.part != Part::kWhole || function_.regs[reg.id].is_half);
  }

  void load(Reg to, Reg from, unsigned words, const ir::Location& loc) {
    for (unsigned w = 0; w < words; ++w) {
      MachineInst inst;
      inst.loc = loc;
      if (is_flags(from)) {
        inst.insn.op = isa::Op::kMovToFlags;
        inst.insn.src_type = isa::NumType::kB32;
        inst.insn.src[0].kind = OperandKind::kReg;
        inst.src[0] = homes_[from.id].holder;
        inst.insn.writes_flags = true;
        inst.flags_out = to;
      } else {
        inst.insn.op = isa::Op::kLdLocal;
        inst.is_slot = true;
        inst.insn.src[0].kind = OperandKind::kLocal;
        inst.insn.src[0].offset = static_cast<std::uint16_t>(offset(from) + 4 * w);
        is_loaded_[(offset(from) + 4 * w - first_slot_) / 4] = 1;
        if (is_narrow(from)) inst.insn.mem_type = inst.insn.src[0].type = isa::MemType::kU16;
        inst.insn.dst.kind = OperandKind::kReg;
        inst.dst = {to.id, static_cast<std::uint8_t>(to.word + w)};
        ++function_.spill_loads;
      }
      out_.push_back(inst);
    }
  }

  void store(Reg from, Reg to, unsigned words, const ir::Location& loc) {
    for (unsigned w = 0; w < words; ++w) {
      MachineInst inst;
      inst.loc = loc;
      if (is_flags(to)) {
        inst.insn.op = isa::Op::kMovFromFlags;
        inst.insn.dst_type = isa::NumType::kB32;
        inst.insn.dst.kind = OperandKind::kReg;
        inst.dst = homes_[to.id].holder;
        inst.flags_in = from;
      } else {
        inst.insn.op = isa::Op::kStLocal;
        inst.is_slot = true;
        inst.insn.src[0].kind = OperandKind::kLocal;
        inst.insn.src[0].offset = static_cast<std::uint16_t>(offset(to) + 4 * w);
        if (is_narrow(to)) inst.insn.mem_type = inst.insn.src[0].type = isa::MemType::kU16;
        inst.insn.src[1].kind = OperandKind::kReg;
        inst.src[1] = {from.id, static_cast<std::uint8_t>(from.word + w)};
        ++function_.spill_stores;
      }
      out_.push_back(inst);
    }
  }

  void rewrite(MachineInst inst) {
    if (is_any_copy(inst) && is_spilled(inst.dst) && is_spilled(inst.src[0]) &&
        offset(with_part(inst.dst, inst.insn.dst)) == offset(with_part(inst.src[0], inst.insn.src[0]))) {
      return;
    }
    struct After {
      Reg from, to;
      unsigned words;
    };
    std::vector<After> after;
    // The same word read twice is loaded once. What the instruction before has read or written is still at hand: to
    // load it again between the two would take as many registers.
    std::vector<std::pair<Reg, Reg>> loaded = std::move(at_hand_);
    at_hand_.clear();
    const auto use = [&](Reg& reg, Part part, unsigned words) {
      if (!is_spilled(reg)) return;
      Reg from = reg;
      from.part = part;
      for (const auto& [known, to] : loaded) {
        if (known == from && known.part == part && words == function_.regs[to.id].words) {
          reg = to;
          return;
        }
      }
      const Reg temp = temporary(reg, words);
      function_.regs[temp.id].end = function_.regs[reg.id].end;
      load(temp, from, words, inst.loc);
      loaded.push_back({from, temp});
      reg = temp;
    };
    /// Half a word is loaded and stored as the low half of a separate word.
    const auto part_of = [&](const Reg& reg, isa::Operand& op) {
      const Part part = with_part(reg, op).part;
      if (is_spilled(reg) && part != Part::kWhole) op.index = 0;
      return part;
    };
    if (inst.insn.unit == isa::Unit::kTexture && is_spilled(inst.dst)) {
      const Reg whole = inst.dst;
      const unsigned words = function_.regs[whole.id].words;
      inst.dst = temporary(whole, words);
      use(inst.flags_in, Part::kWhole, 1);
      load(inst.dst, whole, inst.insn.tex_sources, inst.loc);
      unsigned results = 0;
      for (unsigned i = 0; i < 4; ++i) results += inst.insn.tex_mask >> i & 1u;
      out_.push_back(inst);
      store(inst.dst, whole, results, inst.loc);
      return;
    }
    for (int i = 0; i < 3; ++i) {
      if (!inst.src[i]) continue;
      use(inst.src[i], part_of(inst.src[i], inst.insn.src[i]), std::max(1u, operand_words(inst.insn.src[i].kind)));
    }
    use(inst.addr, Part::kWhole, 1);
    use(inst.flags_in, Part::kWhole, 1);
    const auto define = [&](Reg& reg, Part part, unsigned words) {
      if (!is_spilled(reg)) return;
      Reg to = reg;
      to.part = part;
      const Reg temp = temporary(reg, words);
      function_.regs[temp.id].end = function_.regs[reg.id].end;
      if (inst.merges) load(temp, to, words, inst.loc);
      after.push_back({temp, to, words});
      reg = temp;
    };
    if (inst.dst) {
      define(inst.dst, part_of(inst.dst, inst.insn.dst), std::max(1u, operand_words(inst.insn.dst.kind)));
    }
    define(inst.flags_out, Part::kWhole, 1);
    out_.push_back(inst);
    for (const After& a : after) store(a.from, a.to, a.words, inst.loc);
    const auto keep = [&](const Reg& spilled, const Reg& temp) {
      if (function_.regs[temp.id].words == 1 && !is_flags(temp)) at_hand_.push_back({spilled, temp});
    };
    for (const auto& [from, to] : loaded) {
      const bool is_written =
          std::any_of(after.begin(), after.end(), [&](const After& a) { return a.to.id == from.id; });
      if (is_read(inst, to) && !is_written) keep(from, to);
    }
    for (const After& a : after) keep(a.to, a.from);
  }

  /// Of values that were always at hand.
  void remove_stores_without_load() {
    for (MachineBlock& block : function_.blocks) {
      const auto unread = [&](const MachineInst& inst) {
        const std::uint32_t offset = inst.insn.src[0].offset;
        return inst.insn.op == isa::Op::kStLocal && inst.is_slot && offset >= first_slot_ &&
               is_loaded_[(offset - first_slot_) / 4] == 0;
      };
      const auto end = std::remove_if(block.insts.begin(), block.insts.end(), unread);
      function_.spill_stores -= static_cast<unsigned>(block.insts.end() - end);
      block.insts.erase(end, block.insts.end());
    }
  }

  static bool is_read(const MachineInst& inst, const Reg& reg) {
    bool is = false;
    for_each_use(inst, [&](const Reg& used, unsigned) { is |= used.id == reg.id; });
    return is;
  }

  MachineFunction& function_;
  std::vector<Home> homes_;              // by register
  std::uint32_t first_slot_;             // in l[], of those that are spilled now
  std::vector<std::uint8_t> is_loaded_;  // by word from there on
  std::vector<MachineInst> out_;
  std::vector<std::pair<Reg, Reg>> at_hand_;  // what the last instruction used of spilled registers, and where it is
};

}  // namespace

void spill(MachineFunction& function, const std::vector<SpillGroup>& groups) { Spiller(function, groups).run(); }

}  // namespace g80::codegen

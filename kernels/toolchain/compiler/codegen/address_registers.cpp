#include "kernels/toolchain/compiler/codegen/address_registers.h"

#include <algorithm>

namespace g80::codegen {
namespace {

constexpr std::size_t kKept = 3;

struct Known {
  isa::Op op;
  Reg source;  // general register, or $a for sums
  std::uint32_t immediate;
  Reg address;
};

/// An address register that only guarded accesses read may be computed in every lane: then other accesses can share it.
void remove_guards(MachineFunction& function) {
  std::vector<unsigned> definitions(function.regs.size(), 0);
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInst& inst : block.insts) {
      for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions[reg.id]; });
    }
  }
  for (MachineBlock& block : function.blocks) {
    for (MachineInst& inst : block.insts) {
      const bool makes = inst.insn.op == isa::Op::kShlAddr || inst.insn.op == isa::Op::kAddAddr;
      if (!makes || !inst.is_guarded || inst.merges || definitions[inst.dst.id] != 1) continue;
      inst.is_guarded = false;
      inst.insn.cond = isa::kAlways;
      inst.flags_in = {};
    }
  }
}

}  // namespace

void share_address_registers(MachineFunction& function) {
  remove_guards(function);
  for (MachineBlock& block : function.blocks) {
    std::vector<Known> known;  // least recently used first
    std::vector<std::pair<Reg, Reg>> renamed;
    std::vector<MachineInst> out;
    const auto current = [&](Reg& reg) {
      for (const auto& [from, to] : renamed) {
        if (reg == from) reg = to;
      }
    };
    const auto touch = [&](const Reg& reg) {
      const auto found = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.address == reg; });
      if (found != known.end()) std::rotate(found, found + 1, known.end());
    };
    for (MachineInst& inst : block.insts) {
      if (inst.callee != ir::kNone) known.clear();
      if (inst.addr) current(inst.addr);
      const bool makes = inst.insn.op == isa::Op::kShlAddr || inst.insn.op == isa::Op::kAddAddr;
      if (makes && inst.src[0]) {
        if (inst.insn.op == isa::Op::kAddAddr) current(inst.src[0]);
        const auto same = std::find_if(known.begin(), known.end(), [&](const Known& k) {
          return k.op == inst.insn.op && k.source == inst.src[0] && k.immediate == inst.insn.immediate;
        });
        if (same != known.end()) {
          renamed.push_back({inst.dst, same->address});
          const Reg reg = same->address;
          touch(reg);
          continue;
        }
        if (inst.insn.op == isa::Op::kAddAddr) touch(inst.src[0]);
      }
      if (inst.addr) touch(inst.addr);
      // a general register that gets a new value invalidates what was made from it
      for_each_def(inst, [&](const Reg& reg, unsigned count) {
        known.erase(std::remove_if(known.begin(), known.end(),
                                   [&](const Known& k) {
                                     return k.source.id == reg.id && k.source.word >= reg.word &&
                                            k.source.word < reg.word + count;
                                   }),
                    known.end());
      });
      if (makes && inst.src[0] && !inst.is_guarded) {
        if (known.size() == kKept) known.erase(known.begin());
        known.push_back({inst.insn.op, inst.src[0], inst.insn.immediate, inst.dst});
      }
      out.push_back(inst);
    }
    block.insts = std::move(out);
  }
}

}  // namespace g80::codegen

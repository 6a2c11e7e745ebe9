// SPDX-License-Identifier: Apache-2.0
// Lets spilled registers that are not live at the same time share a word of l[]. Liveness is per half word; the halves
// of a word stay together.
#include <algorithm>

#include "toolchain/compiler/codegen/allocate.h"
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {
namespace {

class SlotSharer {
 public:
  SlotSharer(MachineFunction& function, std::uint32_t first)
      : function_(function), first_(first), count_((function.local_bytes - first) / 4) {}

  void run() {
    find_liveness();
    edges_.resize(count_);
    for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
      BitSet live = live_out_[block];
      auto& insts = function_.blocks[block].insts;
      for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
        if (is_store(*inst)) {
          const std::uint32_t slot = slot_of(*inst);
          live.for_each([&](std::size_t cell) {
            if (cell / 2 == slot) return;
            edges_[slot].set(cell / 2);
            edges_[cell / 2].set(slot);
          });
        }
        step_back(*inst, live);
      }
    }
    assign();
  }

 private:
  bool is_slot(const MachineInst& inst, isa::Op op) const {
    return inst.insn.op == op && !inst.addr && inst.insn.src[0].offset >= first_;
  }
  bool is_load(const MachineInst& inst) const { return is_slot(inst, isa::Op::kLdLocal); }
  bool is_store(const MachineInst& inst) const { return is_slot(inst, isa::Op::kStLocal); }
  std::uint32_t slot_of(const MachineInst& inst) const { return (inst.insn.src[0].offset - first_) / 4; }

  /// Updates the live cells, which have two bytes each.
  void step_back(const MachineInst& inst, BitSet& live) const {
    if (!is_store(inst) && !is_load(inst)) return;
    const std::uint32_t first = (inst.insn.src[0].offset - first_) / 2;
    const std::uint32_t count = inst.insn.mem_type == isa::MemType::kB32 ? 2 : 1;
    for (std::uint32_t cell = first; cell < first + count; ++cell) {
      if (is_store(inst)) live.reset(cell);
      if (is_load(inst)) live.set(cell);
    }
  }

  void find_liveness() {
    std::vector<BitSet> live_in(function_.blocks.size());
    live_out_ = live_in;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = function_.blocks.size(); i-- > 0;) {
        for (const ir::BlockId next : successors(function_.blocks[i].end)) live_out_[i].merge(live_in[next]);
        BitSet live = live_out_[i];
        auto& insts = function_.blocks[i].insts;
        for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) step_back(*inst, live);
        changed |= live_in[i].merge(live);
      }
    }
  }

  void assign() {
    std::vector<std::uint32_t> place(count_, 0);
    std::uint32_t used = 0;
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
      std::vector<std::uint8_t> taken(count_, 0);
      edges_[slot].for_each([&](std::size_t other) {
        if (other < slot) taken[place[other]] = 1;
      });
      while (taken[place[slot]]) ++place[slot];
      used = std::max(used, place[slot] + 1);
    }
    for (MachineBlock& block : function_.blocks) {
      for (MachineInst& inst : block.insts) {
        if (!is_load(inst) && !is_store(inst)) continue;
        inst.insn.src[0].offset =
            static_cast<std::uint16_t>(first_ + 4 * place[slot_of(inst)] + (inst.insn.src[0].offset - first_) % 4);
      }
    }
    function_.local_bytes = first_ + 4 * used;
  }

  MachineFunction& function_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<BitSet> live_out_, edges_;
};

}  // namespace

void share_spill_slots(MachineFunction& function, std::uint32_t first) {
  if (function.local_bytes > first) SlotSharer(function, first).run();
}

}  // namespace g80::codegen

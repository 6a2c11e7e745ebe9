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
    in_use_.resize(count_);
    for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
      BitSet& live = live_out_[block];
      auto& insts = function_.blocks[block].insts;
      for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
        if (is_store(*inst)) in_use_[slot_of(*inst)].merge(live);
        step_back(*inst, live);
      }
    }
    assign();
  }

 private:
  static bool is_load(const MachineInst& inst) { return inst.is_slot && inst.insn.op == isa::Op::kLdLocal; }
  static bool is_store(const MachineInst& inst) { return inst.is_slot && inst.insn.op == isa::Op::kStLocal; }
  std::uint32_t slot_of(const MachineInst& inst) const { return (inst.insn.src[0].offset - first_) / 4; }

  template <typename F>
  void for_each_cell(const MachineInst& inst, F&& f) const {
    const std::uint32_t first = (inst.insn.src[0].offset - first_) / 2;
    const std::uint32_t count = inst.insn.mem_type == isa::MemType::kB32 ? 2 : 1;
    for (std::uint32_t cell = first; cell < first + count; ++cell) f(cell);
  }

  /// Updates the live cells, which have two bytes each.
  void step_back(const MachineInst& inst, BitSet& live) const {
    if (is_store(inst)) for_each_cell(inst, [&](std::uint32_t cell) { live.reset(cell); });
    if (is_load(inst)) for_each_cell(inst, [&](std::uint32_t cell) { live.set(cell); });
  }

  void find_liveness() {
    const std::size_t count = function_.blocks.size();
    std::vector<BitSet> reads(count), writes(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& insts = function_.blocks[i].insts;
      for (auto inst = insts.rbegin(); inst != insts.rend(); ++inst) {
        step_back(*inst, reads[i]);
        if (is_store(*inst)) for_each_cell(*inst, [&](std::uint32_t cell) { writes[i].set(cell); });
      }
    }
    live_out_.resize(count);
    spread_liveness(function_, reads, writes, live_out_);
  }

  /// Slots that are in use together have different places.
  void assign() {
    std::vector<std::vector<std::uint32_t>> earlier(count_);  // of each slot
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
      in_use_[slot].for_each([&](std::size_t cell) {
        const auto other = static_cast<std::uint32_t>(cell / 2);
        if (other != slot) earlier[std::max(slot, other)].push_back(std::min(slot, other));
      });
    }
    std::vector<std::uint32_t> place(count_, 0), taken_by(count_, count_);
    std::uint32_t used = 0;
    for (std::uint32_t slot = 0; slot < count_; ++slot) {
      for (const std::uint32_t other : earlier[slot]) taken_by[place[other]] = slot;
      while (taken_by[place[slot]] == slot) ++place[slot];
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
  std::vector<BitSet> live_out_;  // by block
  std::vector<BitSet> in_use_;    // by slot: cells that are needed later where it is stored
};

}  // namespace

void share_spill_slots(MachineFunction& function, std::uint32_t first) {
  if (function.local_bytes > first) SlotSharer(function, first).run();
}

}  // namespace g80::codegen

// SPDX-License-Identifier: Apache-2.0
// An instruction moves only past instructions that it does not depend on and only as long as all its operands are read
// further down anyway: then its result lives shorter and nothing lives longer, so that no point of the block needs more
// registers than before.
#include "toolchain/compiler/codegen/shorten_ranges.h"

#include <algorithm>

#include "toolchain/compiler/codegen/dependences.h"
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {
namespace {

bool takes_long(const MachineInst& inst) {
  const isa::Op op = inst.insn.op;
  return inst.insn.unit == isa::Unit::kTexture || (op >= isa::Op::kLdConst && op <= isa::Op::kAtom) ||
         (op >= isa::Op::kPresin && op <= isa::Op::kDset);
}

class RangeShortener {
 public:
  RangeShortener(const MachineFunction& function, ir::BlockId block, const Liveness& liveness,
                 const CopyPartners& partners)
      : insts_(function.blocks[block].insts),
        liveness_(liveness),
        dependences_(find_dependences(function, function.blocks[block], liveness, partners)) {
    // the units alive behind each instruction, in the order of the source
    BitSet live = liveness.live_out[block];
    const Terminator& end = function.blocks[block].end;
    if (end.kind == TerminatorKind::kBranch) live.set(liveness.unit(end.flags));
    leaves_ = live;
  }

  std::vector<MachineInst> run() {
    std::vector<std::uint32_t> placed;  // from the last one on
    for (auto inst = static_cast<std::uint32_t>(insts_.size()); inst-- > 0;) {
      std::size_t place = placed.size();
      if (may_sink(inst)) {
        while (place > 0 && !blocks(placed[place - 1], inst)) --place;
        place = std::max(place, first_place(inst, placed));
      }
      placed.insert(placed.begin() + static_cast<std::ptrdiff_t>(place), inst);
    }
    std::vector<MachineInst> result;
    for (auto inst = placed.rbegin(); inst != placed.rend(); ++inst) result.push_back(insts_[*inst]);
    return result;
  }

 private:
  bool may_sink(std::uint32_t i) const {
    const MachineInst& inst = insts_[i];
    return inst.dst && !takes_long(inst) && !is_pinned(inst) && !is_fence(inst) && !is_any_copy(inst) &&
           !inst.flags_out;
  }

  bool blocks(std::uint32_t later, std::uint32_t inst) const {
    const std::vector<Dependence>& next = dependences_.next[inst];
    return std::any_of(next.begin(), next.end(), [&](const Dependence& d) { return d.inst == later; });
  }

  /// The lowest place (counted from the end) at which every operand is still needed further down.
  std::size_t first_place(std::uint32_t inst, const std::vector<std::uint32_t>& placed) const {
    std::size_t first = 0;
    for_each_use(insts_[inst], [&](const Reg& reg, unsigned count) {
      liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) {
        if (leaves_.test(unit)) return;
        std::size_t last_reader = placed.size();
        for (std::size_t i = 0; i < placed.size() && last_reader == placed.size(); ++i) {
          for_each_use(insts_[placed[i]], [&](const Reg& other, unsigned n) {
            if (other.id != reg.id) return;
            const std::uint32_t start = liveness_.unit(other);
            if (unit >= start && unit < start + liveness_.count(other, n)) last_reader = i;
          });
        }
        // it may stand right in front of the last reader; without one it stays
        first = std::max(first, last_reader == placed.size() ? placed.size() : last_reader + 1);
      });
    });
    return first;
  }

  const std::vector<MachineInst>& insts_;
  const Liveness& liveness_;
  Dependences dependences_;
  BitSet leaves_;
};

}  // namespace

void shorten_ranges(MachineFunction& function) {
  const Liveness liveness = find_liveness(function);
  const CopyPartners partners(function, liveness);
  for (ir::BlockId block = 0; block < function.blocks.size(); ++block) {
    if (function.blocks[block].insts.size() < 2) continue;
    function.blocks[block].insts = RangeShortener(function, block, liveness, partners).run();
  }
}

}  // namespace g80::codegen

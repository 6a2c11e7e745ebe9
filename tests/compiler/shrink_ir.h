// SPDX-License-Identifier: Apache-2.0
// Makes an IR kernel that fails smaller, as long as it fails: branches take one way, values become constants,
// instructions without results go.
#pragma once
#include <algorithm>
#include <exception>
#include <functional>

#include "toolchain/compiler/ir/ir.h"
#include "toolchain/compiler/optimize/passes.h"

namespace g80 {

class IrShrinker {
 public:
  /// `fails` gets kernels that verify() accepts.
  IrShrinker(ir::Function function, std::function<bool(const ir::Function&)> fails)
      : best_(std::move(function)), fails_(std::move(fails)) {}

  ir::Function run() {
    for (bool again = true; again && tries_ > 0;) {
      again = false;
      for (ir::BlockId block = 0; block < best_.blocks.size(); ++block) {
        for (std::size_t k = 0; k < best_.blocks[block].insts.size(); ++k) again |= shrink_at(block, k);
      }
    }
    return best_;
  }

 private:
  bool shrink_at(ir::BlockId block, std::size_t k) {
    const ir::InstId id = best_.blocks[block].insts[k];
    const ir::Inst inst = best_.insts[id];
    if (inst.op == ir::Op::kCondBranch) return keep_one_way(block, id, 0) || keep_one_way(block, id, 1);
    if (ir::op_info(inst.op).is_terminator()) return false;
    for (const std::uint64_t number : {0u, 1u, 0x9e3779b1u}) {
      ir::Function f = best_;
      std::vector<ir::ValueId> replacement(f.values.size(), ir::kNone);
      for (const ir::ValueId result : inst.results) {
        const ir::Type type = f.type_of(result);
        replacement[result] = f.constant(type, type == ir::Type::kPred ? number & 1 : number);
      }
      auto& insts = f.blocks[block].insts;
      insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(k));
      replacement.resize(f.values.size(), ir::kNone);
      f.replace_uses(replacement);
      if (accept(std::move(f))) return true;
      if (inst.results.empty()) return false;
    }
    return false;
  }

  bool keep_one_way(ir::BlockId block, ir::InstId id, std::size_t way) {
    ir::Function f = best_;
    ir::Inst& inst = f.insts[id];
    const ir::BlockId kept = inst.blocks[way], lost = inst.blocks[1 - way];
    inst.op = ir::Op::kBranch;
    inst.operands.clear();
    inst.blocks = {kept};
    if (lost != kept) {
      for (const ir::InstId phi_id : f.blocks[lost].insts) {
        ir::Inst& phi = f.insts[phi_id];
        if (phi.op != ir::Op::kPhi) break;
        for (std::size_t i = phi.blocks.size(); i-- > 0;) {
          if (phi.blocks[i] != block) continue;
          phi.blocks.erase(phi.blocks.begin() + static_cast<std::ptrdiff_t>(i));
          phi.operands.erase(phi.operands.begin() + static_cast<std::ptrdiff_t>(i));
        }
      }
    }
    return accept(std::move(f));
  }

  bool accept(ir::Function f) {
    if (tries_ == 0) return false;
    --tries_;
    try {
      ir::clean_control_flow(f);
      ir::remove_dead_code(f);
      ir::verify(f);
    } catch (const std::exception&) {
      return false;
    }
    if (!fails_(f)) return false;
    best_ = std::move(f);
    return true;
  }

  ir::Function best_;
  std::function<bool(const ir::Function&)> fails_;
  unsigned tries_ = 2000;
};

}  // namespace g80

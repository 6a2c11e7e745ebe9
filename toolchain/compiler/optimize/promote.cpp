// SPDX-License-Identifier: Apache-2.0
// Turns local variables into values. Unoptimised code keeps all variables in local memory, and calls pass arguments
// there.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/ssa_builder.h"
#include "toolchain/compiler/optimize/uses.h"

namespace g80::ir {
namespace {

constexpr std::uint32_t kMaxBytes = 4096;
constexpr std::size_t kMaxSlices = 1024;

/// Bytes [offset, offset + bytes) of a variable that are only ever accessed together: one SSA variable.
struct Slice {
  std::uint32_t offset = 0, bytes = 0;
  Type type = Type::kI32;
  VariableId ssa = 0;
};

struct Candidate {
  bool escapes = false;
  std::map<InstId, std::int64_t> accesses;  // loads and stores, with the byte they begin at
  std::vector<Slice> slices;
};

class Promoter {
 public:
  Promoter(Function& function, const Module& module) : f_(function), module_(module), uses_(function) {}

  bool run() {
    find_accesses();
    for (auto& [variable, candidate] : candidates_) make_slices(module_.variables[variable], candidate);
    bool any = false;
    for (const auto& [variable, candidate] : candidates_) any |= !candidate.escapes && !candidate.accesses.empty();
    if (!any) return false;
    rewrite();
    return true;
  }

 private:
  void find_accesses() {
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kVarAddr || module_.variables[inst.variable].space != Space::kLocal) continue;
        Candidate& candidate = candidates_[inst.variable];
        candidate.escapes |= module_.variables[inst.variable].bytes > kMaxBytes;
        if (!candidate.escapes)
          follow(inst.results[0], inst.offset, candidate, module_.variables[inst.variable].align, 0);
      }
  }

  /// Visits all readers of the address `v` = start of the variable + `offset`.
  void follow(ValueId v, std::int64_t offset, Candidate& candidate, std::uint32_t align, unsigned depth) {
    if (depth > 32) candidate.escapes = true;
    if (candidate.escapes) return;
    for (const InstId id : uses_.of(v)) {
      const Inst& inst = f_.insts[id];
      const auto constant = [&]() -> const Value* {
        const Value& other = f_.values[inst.operands[1]];
        return inst.operands[0] == v && other.is_constant() ? &other : nullptr;
      };
      const auto as_signed = [&](const Value& c) {
        return c.type == Type::kI64 ? static_cast<std::int64_t>(c.bits)
                                    : static_cast<std::int32_t>(static_cast<std::uint32_t>(c.bits));
      };
      switch (inst.op) {
        case Op::kCopy:
        case Op::kZext32:
        case Op::kTrunc: follow(inst.results[0], offset, candidate, align, depth + 1); break;
        case Op::kAdd:
        case Op::kSub:
          if (const Value* c = constant()) {
            follow(inst.results[0], inst.op == Op::kAdd ? offset + as_signed(*c) : offset - as_signed(*c), candidate,
                   align, depth + 1);
          } else {
            candidate.escapes = true;
          }
          break;
        case Op::kOr: {  // an addition, if the bits are known to be zero
          const Value* c = constant();
          if (c != nullptr && c->bits < align && (static_cast<std::uint64_t>(offset) & c->bits) == 0) {
            follow(inst.results[0], offset + static_cast<std::int64_t>(c->bits), candidate, align, depth + 1);
          } else {
            candidate.escapes = true;
          }
          break;
        }
        case Op::kLoad:
        case Op::kStore: {
          const bool stored = std::find(inst.operands.begin() + 1, inst.operands.end(), v) != inst.operands.end();
          const bool local = inst.space == Space::kLocal || inst.space == Space::kGeneric;
          candidate.escapes |= stored || !local || inst.is_volatile;
          candidate.accesses[id] = offset + inst.offset;
          break;
        }
        default: candidate.escapes = true;
      }
      if (candidate.escapes) return;
    }
  }

  std::size_t elements(const Inst& inst) const {
    return inst.op == Op::kLoad ? inst.results.size() : inst.operands.size() - 1;
  }
  Type element_type(const Inst& inst) const {
    return f_.type_of(inst.op == Op::kLoad ? inst.results[0] : inst.operands[1]);
  }

  void make_slices(const Variable& variable, Candidate& candidate) {
    if (candidate.escapes) return;
    std::set<std::uint32_t> bounds;
    std::vector<std::uint8_t> used(variable.bytes + 1, 0);
    for (const auto& [id, begin] : candidate.accesses) {
      const unsigned bytes = access_bytes(f_.insts[id].access);
      const std::int64_t end = begin + static_cast<std::int64_t>(bytes * elements(f_.insts[id]));
      if (begin < 0 || end > variable.bytes || begin % bytes != 0) {
        candidate.escapes = true;
        return;
      }
      for (std::int64_t at = begin; at <= end; at += bytes) bounds.insert(static_cast<std::uint32_t>(at));
      std::fill(used.begin() + begin, used.begin() + end, std::uint8_t{1});
    }
    for (auto at = bounds.begin(); at != bounds.end() && std::next(at) != bounds.end(); ++at) {
      if (!used[*at]) continue;
      std::uint32_t offset = *at, rest = *std::next(at) - *at;
      while (rest > 0) {  // overlapping accesses give sizes other than 1, 2, 4, 8; no slice crosses a word
        const std::uint32_t most = offset == 0 ? 8 : std::min<std::uint32_t>(8, offset & (0 - offset));
        std::uint32_t size = most;
        while (size > rest) size /= 2;
        if (size == 8 && *std::next(at) - *at != 8) size = 4;
        candidate.slices.push_back({offset, size, size == 8 ? Type::kI64 : Type::kI32, 0});
        offset += size;
        rest -= size;
      }
    }
    candidate.escapes |= candidate.slices.size() > kMaxSlices;
    for (const auto& [id, begin] : candidate.accesses) {
      const Inst& inst = f_.insts[id];
      const unsigned bytes = access_bytes(inst.access);
      for (std::size_t k = 0; k < elements(inst); ++k)
        for (Slice& slice : candidate.slices)
          if (slice.offset == static_cast<std::uint32_t>(begin) + k * bytes && slice.bytes == bytes)
            slice.type = element_type(inst);
    }
  }

  void rewrite() {
    const std::vector<std::vector<BlockId>> preds = f_.predecessors();
    SsaBuilder ssa(f_, preds);
    ssa_ = &ssa;
    std::map<InstId, std::pair<Candidate*, std::int64_t>> accesses;
    for (auto& [variable, candidate] : candidates_) {
      if (candidate.escapes) continue;
      for (Slice& slice : candidate.slices) slice.ssa = ssa.add_variables(slice.type);
      for (const auto& [id, begin] : candidate.accesses) accesses[id] = {&candidate, begin};
    }
    replacement_.assign(f_.values.size(), kNone);
    const Dominators dominators = find_dominators(f_);
    for (const BlockId block : dominators.order) {
      block_ = block;
      const std::vector<InstId> old = f_.blocks[block].insts;
      insts_.clear();
      for (const InstId id : old) {
        const auto found = accesses.find(id);
        if (found == accesses.end()) {
          insts_.push_back(id);
          continue;
        }
        loc_ = f_.insts[id].loc;
        if (f_.insts[id].op == Op::kLoad) {
          load(id, *found->second.first, static_cast<std::uint32_t>(found->second.second));
        } else {
          store(id, *found->second.first, static_cast<std::uint32_t>(found->second.second));
        }
      }
      f_.blocks[block].insts = insts_;
    }
    ssa.finish(std::move(replacement_));
  }

  ValueId make(Op op, Type type, std::vector<ValueId> operands) {
    Inst inst;
    inst.op = op;
    inst.operands = std::move(operands);
    inst.loc = loc_;
    const InstId id = f_.add_inst(std::move(inst), {type});
    insts_.push_back(id);
    return f_.insts[id].results[0];
  }

  ValueId cast(ValueId v, Type to) {
    const Type from = f_.type_of(v);
    if (from == to) return v;
    if (from == Type::kF32 && to == Type::kI32) return make(Op::kF32ToBits, to, {v});
    if (from == Type::kI32 && to == Type::kF32) return make(Op::kBitsToF32, to, {v});
    if (from == Type::kF64 && to == Type::kI64) return make(Op::kF64ToBits, to, {v});
    return make(Op::kBitsToF64, to, {v});
  }

  /// The slices that make up bytes [begin, begin + bytes).
  std::vector<const Slice*> parts(const Candidate& candidate, std::uint32_t begin, unsigned bytes) const {
    std::vector<const Slice*> list;
    for (const Slice& slice : candidate.slices)
      if (slice.offset >= begin && slice.offset < begin + bytes) list.push_back(&slice);
    return list;
  }

  void load(InstId id, const Candidate& candidate, std::uint32_t begin) {
    const Inst inst = f_.insts[id];
    const unsigned bytes = access_bytes(inst.access);
    for (std::size_t k = 0; k < inst.results.size(); ++k) {
      const std::uint32_t at = begin + static_cast<std::uint32_t>(k) * bytes;
      const std::vector<const Slice*> list = parts(candidate, at, bytes);
      ValueId v;
      if (list.size() == 1) {
        v = ssa_->read(list[0]->ssa, block_);
      } else {
        ValueId words[2] = {f_.i32(0), f_.i32(0)};
        for (const Slice* slice : list) {
          const std::uint32_t shift = (slice->offset - at) * 8;
          ValueId part = cast(ssa_->read(slice->ssa, block_), Type::kI32);
          if (slice->bytes < 4) part = make(slice->bytes == 1 ? Op::kZext8 : Op::kZext16, Type::kI32, {part});
          if (shift % 32 != 0) part = make(Op::kShl, Type::kI32, {part, f_.i32(shift % 32)});
          words[shift / 32] = make(Op::kOr, Type::kI32, {words[shift / 32], part});
        }
        v = bytes == 8 ? make(Op::kPack, Type::kI64, {words[0], words[1]}) : words[0];
      }
      switch (inst.access) {
        case Access::kU8: v = make(Op::kZext8, Type::kI32, {v}); break;
        case Access::kS8: v = make(Op::kSext8, Type::kI32, {v}); break;
        case Access::kU16: v = make(Op::kZext16, Type::kI32, {v}); break;
        case Access::kS16: v = make(Op::kSext16, Type::kI32, {v}); break;
        default: break;
      }
      replacement_[inst.results[k]] = cast(v, f_.type_of(inst.results[k]));
    }
  }

  void store(InstId id, const Candidate& candidate, std::uint32_t begin) {
    const Inst inst = f_.insts[id];
    const unsigned bytes = access_bytes(inst.access);
    for (std::size_t k = 1; k < inst.operands.size(); ++k) {
      const std::uint32_t at = begin + static_cast<std::uint32_t>(k - 1) * bytes;
      const std::vector<const Slice*> list = parts(candidate, at, bytes);
      if (list.size() == 1) {
        ssa_->write(list[0]->ssa, block_, cast(inst.operands[k], list[0]->type));
        continue;
      }
      const ValueId whole = cast(inst.operands[k], bytes == 8 ? Type::kI64 : Type::kI32);
      ValueId words[2] = {whole, whole};
      if (bytes == 8) {
        words[0] = make(Op::kTrunc, Type::kI32, {whole});
        words[1] = make(Op::kHigh, Type::kI32, {whole});
      }
      for (const Slice* slice : list) {
        const std::uint32_t shift = (slice->offset - at) * 8;
        ValueId part = words[shift / 32];
        if (shift % 32 != 0) part = make(Op::kShrU, Type::kI32, {part, f_.i32(shift % 32)});
        ssa_->write(slice->ssa, block_, cast(part, slice->type));
      }
    }
  }

  Function& f_;
  const Module& module_;
  const Uses uses_;
  std::map<std::uint32_t, Candidate> candidates_;
  SsaBuilder* ssa_ = nullptr;
  BlockId block_ = 0;
  std::vector<InstId> insts_;
  std::vector<ValueId> replacement_;
  Location loc_;
};

}  // namespace

bool promote_local_variables(Function& function, const Module& module) { return Promoter(function, module).run(); }

}  // namespace g80::ir

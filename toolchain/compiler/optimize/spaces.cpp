// SPDX-License-Identifier: Apache-2.0
// Finds the memory space of each generic address. The chip has no generic addresses, so the compiler must know it.
#include <fmt/format.h>

#include <algorithm>

#include "toolchain/compiler/optimize/origins.h"
#include "toolchain/compiler/optimize/passes.h"
#include "toolchain/compiler/optimize/split_accesses.h"

namespace g80::ir {
namespace {

/// Origins only become more definite, so loops need few rounds. The origin of a pointer difference in a loop may
/// oscillate; then either result is correct.
constexpr unsigned kMaxSpaceRounds = 64;

/// The assumption for an unknown origin: global memory.
constexpr Origin assumed(Evidence evidence) { return {space_bit(Space::kGlobal), evidence}; }

/// The origins of the pointers that a function gets and returns, combined over all its calls and returns.
struct Passed {
  std::vector<Origin> arguments, results;
};

class SpaceFinder {
 public:
  /// `own`: null for the kernel.
  SpaceFinder(Function& function, const Module& module, const std::string& filename, std::vector<Diagnostic>& warnings,
              std::vector<Passed>& functions, Passed* own)
      : f_(function),
        module_(module),
        filename_(filename),
        warnings_(warnings),
        functions_(functions),
        own_(own),
        origins_(function, module) {}

  /// True if something changed.
  bool round() {
    bool again = collect_stores();
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) again |= visit(f_.insts[id]);
    return again;
  }

  /// Adds the origins that this function passes to its callees and returns.
  void pass(const Function& kernel, bool assume_global) {
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op == Op::kReturn) pass(inst, f_.results, own_->results, false);
        if (inst.op == Op::kCall)
          pass(inst, kernel.functions[inst.callee].arguments, functions_[inst.callee].arguments, assume_global);
      }
  }

  /// Decides the space of every access. False if it differs from call to call, so that the function must be inlined.
  bool settle() {
    std::vector<InstId> several;
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        Inst& inst = f_.insts[id];
        if (inst.op != Op::kLoad && inst.op != Op::kStore && inst.op != Op::kAtomic) continue;
        if (inst.space != Space::kGeneric) continue;
        settle_one(inst);
        if (inst.space == Space::kGeneric) several.push_back(id);
      }
    AccessSplitter splitter(f_, origins_);
    return std::all_of(several.begin(), several.end(), [&](InstId id) { return settle_each(id, splitter); });
  }

 private:
  Origin of(ValueId v) const { return origins_.of(v); }

  void pass(const Inst& inst, const std::vector<PassedWord>& words, std::vector<Origin>& to, bool assume_global) const {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (!words[k].may_point) continue;
      const Origin origin = of(inst.operands[k]);
      // the origins of other calls must not decide for this one
      const bool is_assumed = assume_global && origin.spaces == 0 && to[k].spaces != 0;
      to[k] = either(to[k], is_assumed ? assumed(Evidence::kParameter) : origin);
    }
  }

  bool visit(const Inst& inst) {
    if (inst.op == Op::kCall) return called(inst);
    if (inst.results.empty()) return false;
    Origin origin;
    if (inst.op == Op::kLoad) {
      origin = loaded(inst);
    } else if (inst.op == Op::kArgument) {
      origin = own_->arguments[inst.immediate];
    } else {
      origin = origins_.computed(inst);
    }
    bool changed = false;
    for (const ValueId v : inst.results) changed |= origins_.set(v, origin);
    return changed;
  }

  bool called(const Inst& call) {
    bool changed = false;
    for (std::size_t k = 0; k < call.results.size(); ++k)
      changed |= origins_.set(call.results[k], functions_[call.callee].results[k]);
    return changed;
  }

  /// Finds the variable and the constant offset of a local address. False if there is none.
  bool local_place(const Inst& access, std::uint32_t& variable, std::int64_t& offset, bool& known) const {
    ValueId v = access.operands[0];
    offset = access.offset;
    known = true;
    for (unsigned steps = 0; steps < 64; ++steps) {
      const Inst* inst = f_.def(v);
      if (inst == nullptr) return false;
      if (inst->op == Op::kVarAddr) {
        variable = inst->variable;
        offset += inst->offset;
        return module_.variables[variable].space == Space::kLocal;
      }
      if (inst->op == Op::kCopy || inst->op == Op::kZext32 || inst->op == Op::kTrunc) {
        v = inst->operands[0];
      } else if (inst->op == Op::kAdd) {
        const bool right = f_.is_constant(inst->operands[1]);
        if (right) offset += static_cast<std::int32_t>(static_cast<std::uint32_t>(f_.values[inst->operands[1]].bits));
        known = known && right;
        v = inst->operands[0];
      } else {
        return false;
      }
    }
    return false;
  }

  struct StoredPointer {
    std::uint32_t variable;  // kNone: some local variable
    std::int64_t offset;
    bool known;
    Access access;
    Origin origin;
  };

  /// Records pointers stored in local memory (unoptimised code, arrays of pointers), so that loads get their origins.
  bool collect_stores() {
    std::vector<StoredPointer> now;
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kStore) continue;
        StoredPointer p{};
        p.access = inst.access;
        if (!local_place(inst, p.variable, p.offset, p.known)) {
          if (!is_local(inst)) continue;
          p.variable = kNone;
        }
        for (std::size_t k = 1; k < inst.operands.size(); ++k) {
          p.origin = of(inst.operands[k]);
          if (p.origin.spaces != 0) now.push_back(p);
          p.offset += access_bytes(inst.access);
        }
      }
    const bool changed = now.size() != stored_.size();
    stored_ = std::move(now);
    return changed;
  }

  bool is_local(const Inst& access) const {
    const std::uint8_t spaces =
        access.space == Space::kGeneric ? of(access.operands[0]).spaces : space_bit(access.space);
    return spaces == space_bit(Space::kLocal);
  }

  Origin loaded(const Inst& inst) const {
    if (inst.access != Access::kB64 && inst.access != Access::kB32) return {};
    if (inst.space == Space::kParam) return assumed(Evidence::kParameter);
    constexpr std::uint8_t kFilledByHost = space_bit(Space::kGlobal) | space_bit(Space::kConst);
    const std::uint8_t from = inst.space == Space::kGeneric ? of(inst.operands[0]).spaces : space_bit(inst.space);
    if (from != 0 && (from & ~kFilledByHost) == 0) return assumed(Evidence::kRead);
    StoredPointer at{};
    const bool has_place = local_place(inst, at.variable, at.offset, at.known);
    if (!has_place && !is_local(inst)) return {};
    Origin here, anywhere;
    for (const StoredPointer& p : stored_) {
      if (p.access != inst.access) continue;
      anywhere = either(anywhere, p.origin);
      if (has_place && p.variable == at.variable && (!p.known || !at.known || p.offset == at.offset))
        here = either(here, p.origin);
    }
    // A loop that walks over an array of pointers names no place. What it reads was stored by this thread.
    return here.spaces != 0 || spaces_of(anywhere).size() > 1 ? here : anywhere;
  }

  std::string place_of(const Inst& inst) const { return fmt::format("{}:{}", filename_, inst.loc.ptx_line); }

  /// Sets the space of an access whose address has only one.
  void settle_one(Inst& inst) {
    const Origin origin = of(inst.operands[0]);
    const std::vector<Space> spaces = spaces_of(origin);
    if (spaces.size() > 1) return;
    inst.space = spaces.empty() ? Space::kGlobal : spaces[0];
    if (origin.evidence <= Evidence::kRead)
      warnings_.push_back(
          {fmt::format("{}: the memory space of this pointer is unknown; assuming global memory", place_of(inst))});
    check(inst);
  }

  void check(const Inst& inst) const {
    if (inst.op == Op::kStore && (inst.space == Space::kConst || inst.space == Space::kParam))
      throw SourceError(fmt::format("{}: {} memory cannot be written", place_of(inst),
                                    inst.space == Space::kConst ? "constant" : "parameter"));
    if (inst.op == Op::kAtomic && inst.space != Space::kGlobal && inst.space != Space::kShared)
      throw SourceError(fmt::format("{}: {} memory has no atomics", place_of(inst), space_name(inst.space)));
  }

  /// Splits an access with several possible spaces into one access for each. If that is impossible: false in a
  /// function, an error in a kernel.
  bool settle_each(InstId id, AccessSplitter& splitter) {
    const Inst inst = f_.insts[id];
    const std::vector<Space> spaces = spaces_of(of(inst.operands[0]));
    std::vector<InstId> made;
    if (splitter.split(id, made)) {
      for (const InstId access : made) check(f_.insts[access]);
      return true;
    }
    if (own_ != nullptr) return false;
    std::string names;
    for (const Space space : spaces) names += fmt::format("{}{}", names.empty() ? "" : " or ", space_name(space));
    throw SourceError(
        fmt::format("{}: this pointer may point to {} memory; this chip has separate instructions for each, and a "
                    "pointer read from memory does not contain the space",
                    place_of(inst), names));
  }

  Function& f_;
  const Module& module_;
  const std::string& filename_;
  std::vector<Diagnostic>& warnings_;
  std::vector<Passed>& functions_;
  Passed* own_;
  Origins origins_;
  std::vector<StoredPointer> stored_;
};

/// A kernel and its functions together.
class KernelSpaces {
 public:
  KernelSpaces(Function& kernel, const Module& module, const std::string& filename, std::vector<Diagnostic>& warnings)
      : kernel_(kernel), passed_(kernel.functions.size()) {
    for (std::size_t k = 0; k < passed_.size(); ++k)
      finders_.emplace_back(kernel.functions[k], module, filename, warnings, passed_, &passed_[k]);
    finders_.emplace_back(kernel, module, filename, warnings, passed_, nullptr);
  }

  void run() {
    spread(false);
    if (!passed_.empty()) spread(true);
    MustInline must;
    for (std::uint32_t k = 0; k < passed_.size(); ++k) {
      const auto& arguments = passed_[k].arguments;
      const auto is_local = [](const Origin& origin) { return (origin.spaces & space_bit(Space::kLocal)) != 0; };
      const bool takes_local = std::any_of(arguments.begin(), arguments.end(), is_local);
      if (takes_local || !finders_[k].settle()) must.functions.push_back(k);
    }
    if (!must.functions.empty()) throw must;
    finders_.back().settle();
  }

 private:
  void spread(bool assume_global) {
    bool again = true;
    for (unsigned round = 0; again && round < kMaxSpaceRounds; ++round) {
      for (std::size_t k = 0; k < passed_.size(); ++k) {
        passed_[k].arguments.assign(kernel_.functions[k].arguments.size(), {});
        passed_[k].results.assign(kernel_.functions[k].results.size(), {});
      }
      // two turns: the second assumes global memory for calls that were visited before an origin was known
      for (unsigned turn = 0; turn < (assume_global ? 2u : 1u) && !passed_.empty(); ++turn)
        for (SpaceFinder& finder : finders_) finder.pass(kernel_, assume_global && turn == 1);
      again = false;
      for (SpaceFinder& finder : finders_) again |= finder.round();
    }
  }

  Function& kernel_;
  std::vector<Passed> passed_;
  std::vector<SpaceFinder> finders_;  // of the functions, then of the kernel
};

}  // namespace

void infer_spaces(Function& kernel, const Module& module, const std::string& filename,
                  std::vector<Diagnostic>& warnings) {
  KernelSpaces(kernel, module, filename, warnings).run();
  for_each_function(kernel, [](Function& function) {
    for (const Block& block : function.blocks)
      for (const InstId id : block.insts)
        if (function.insts[id].op == Op::kCopy) function.insts[id].immediate = 0;
  });
}

}  // namespace g80::ir

// Which memory a generic address means. There are no generic addresses on this chip: the compiler must find out.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/toolchain/compiler/optimize/passes.h"

namespace g80::ir {
namespace {

/// Where a value may come from as a pointer: a bit per space. `definite`: a variable or a conversion says so; otherwise
/// it is only assumed, as for parameters of a kernel, which may be numbers as well.
struct Origin {
  std::uint8_t spaces = 0;
  bool definite = false;
  bool operator==(const Origin& other) const { return spaces == other.spaces && definite == other.definite; }
};

/// Origins only become more definite, so a handful of rounds is what loops need; a difference of pointers in a loop may
/// swing, and then either answer is as good.
constexpr unsigned kMaxRounds = 64;

constexpr std::uint8_t bit(Space space) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(space)); }

Origin either(Origin a, Origin b) { return {static_cast<std::uint8_t>(a.spaces | b.spaces), a.definite || b.definite}; }

/// Of a sum: a pointer and an index, in either order.
Origin sum(Origin a, Origin b) {
  if (a.spaces == 0) return b;
  if (b.spaces == 0) return a;
  if (a.definite != b.definite) return a.definite ? a : b;
  return either(a, b);
}

/// Where the pointers come from that a function is passed and returns: what all its calls and returns say together.
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
        origins_(function.values.size()) {}

  /// True if something changed.
  bool round() {
    bool again = collect_stores();
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) again |= visit(f_.insts[id]);
    return again;
  }

  /// Adds what this function passes and returns to what is known of that.
  void pass(const Function& kernel, bool assume_global) {
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op == Op::kReturn) pass(inst, f_.results, own_->results, false);
        if (inst.op == Op::kCall)
          pass(inst, kernel.functions[inst.callee].arguments, functions_[inst.callee].arguments, assume_global);
      }
  }

  /// False: an address is in one memory or another, depending on the call.
  bool settle() {
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts)
        if (!settle(f_.insts[id])) return false;
    return true;
  }

 private:
  Origin of(ValueId v) const { return origins_[v]; }

  void pass(const Inst& inst, const std::vector<PassedWord>& words, std::vector<Origin>& to, bool assume_global) const {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (!words[k].may_point) continue;
      const Origin origin = of(inst.operands[k]);
      // what is known from other calls must not decide for this one
      const bool is_assumed = assume_global && origin.spaces == 0 && to[k].spaces != 0;
      to[k] = either(to[k], is_assumed ? Origin{bit(Space::kGlobal), false} : origin);
    }
  }

  bool visit(const Inst& inst) {
    if (inst.op == Op::kCall) return called(inst);
    if (inst.results.empty()) return false;
    Origin origin;
    const auto& in = inst.operands;
    switch (inst.op) {
      case Op::kVarAddr:
        origin = {bit(module_.variables[inst.variable].space), true};
        break;
      case Op::kCopy:
        origin = inst.immediate != 0 && inst.space != Space::kGeneric ? Origin{bit(inst.space), true} : of(in[0]);
        break;
      case Op::kPhi:
        for (const ValueId v : in) origin = either(origin, of(v));
        break;
      case Op::kSelect:
        origin = either(of(in[1]), of(in[2]));
        break;
      case Op::kAdd:
      case Op::kOr:
      case Op::kXor:
        origin = sum(of(in[0]), of(in[1]));
        break;
      case Op::kAnd:
        origin = sum(of(in[0]), of(in[1]));
        break;
      case Op::kSub:
        origin = of(in[1]).spaces != 0 && of(in[1]).definite == of(in[0]).definite ? Origin{} : of(in[0]);
        break;
      case Op::kZext32:
      case Op::kSext32:
      case Op::kTrunc:
        origin = of(in[0]);
        break;
      case Op::kPack:
        origin = of(in[0]);
        break;
      case Op::kLoad:
        origin = loaded(inst);
        break;
      case Op::kArgument:
        origin = own_->arguments[inst.immediate];
        break;
      default:
        return false;
    }
    bool changed = false;
    for (const ValueId v : inst.results) {
      changed |= !(origins_[v] == origin);
      origins_[v] = origin;
    }
    return changed;
  }

  bool called(const Inst& call) {
    bool changed = false;
    for (std::size_t k = 0; k < call.results.size(); ++k) {
      Origin& result = origins_[call.results[k]];
      changed |= !(result == functions_[call.callee].results[k]);
      result = functions_[call.callee].results[k];
    }
    return changed;
  }

  /// The variable and the constant offset that a local address has, if it has.
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
    std::uint32_t variable;
    std::int64_t offset;
    bool known;
    Access access;
    Origin origin;
  };

  /// Pointers kept in local memory (unoptimised code, arrays of pointers): what is stored is what is loaded.
  bool collect_stores() {
    std::vector<StoredPointer> now;
    for (const Block& block : f_.blocks)
      for (const InstId id : block.insts) {
        const Inst& inst = f_.insts[id];
        if (inst.op != Op::kStore) continue;
        StoredPointer p{};
        p.access = inst.access;
        if (!local_place(inst, p.variable, p.offset, p.known)) continue;
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

  Origin loaded(const Inst& inst) const {
    if (inst.access != Access::kB64 && inst.access != Access::kB32) return {};
    if (inst.space == Space::kParam) return {bit(Space::kGlobal), false};
    StoredPointer at{};
    if (!local_place(inst, at.variable, at.offset, at.known)) return {};
    Origin origin;
    for (const StoredPointer& p : stored_)
      if (p.variable == at.variable && p.access == inst.access && (!p.known || !at.known || p.offset == at.offset))
        origin = either(origin, p.origin);
    return origin;
  }

  bool settle(Inst& inst) {
    if (inst.op != Op::kLoad && inst.op != Op::kStore && inst.op != Op::kAtomic) return true;
    if (inst.space != Space::kGeneric) return true;
    const Origin origin = of(inst.operands[0]);
    static constexpr std::array<Space, 5> kAll{Space::kGlobal, Space::kShared, Space::kLocal, Space::kConst,
                                               Space::kParam};
    std::string names;
    unsigned count = 0;
    for (const Space space : kAll) {
      if (!(origin.spaces & bit(space))) continue;
      inst.space = space;
      names += fmt::format("{}{}", count++ == 0 ? "" : " or ", space_name(space));
    }
    const auto where = [&] { return fmt::format("{}:{}", filename_, inst.loc.ptx_line); };
    if (count > 1 && own_ != nullptr) return false;
    if (count > 1)
      throw SourceError(fmt::format(
          "{}: this pointer may point to {} memory; this chip has separate instructions for each, so it must be one",
          where(), names));
    if (count == 0) {
      inst.space = Space::kGlobal;
      warnings_.push_back(
          {fmt::format("{}: cannot tell what this pointer points to; assuming global memory", where())});
    }
    if (inst.op == Op::kStore && (inst.space == Space::kConst || inst.space == Space::kParam))
      throw SourceError(fmt::format("{}: {} memory cannot be written", where(),
                                    inst.space == Space::kConst ? "constant" : "parameter"));
    if (inst.op == Op::kAtomic && inst.space != Space::kGlobal && inst.space != Space::kShared)
      throw SourceError(fmt::format("{}: {} memory has no atomics", where(), space_name(inst.space)));
    return true;
  }

  Function& f_;
  const Module& module_;
  const std::string& filename_;
  std::vector<Diagnostic>& warnings_;
  std::vector<Passed>& functions_;
  Passed* own_;
  std::vector<Origin> origins_;
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
      const auto is_local = [](const Origin& origin) { return (origin.spaces & bit(Space::kLocal)) != 0; };
      const bool takes_local = std::any_of(arguments.begin(), arguments.end(), is_local);
      if (takes_local || !finders_[k].settle()) must.functions.push_back(k);
    }
    if (!must.functions.empty()) throw must;
    finders_.back().settle();
  }

 private:
  void spread(bool assume_global) {
    bool again = true;
    for (unsigned round = 0; again && round < kMaxRounds; ++round) {
      for (std::size_t k = 0; k < passed_.size(); ++k) {
        passed_[k].arguments.assign(kernel_.functions[k].arguments.size(), {});
        passed_[k].results.assign(kernel_.functions[k].results.size(), {});
      }
      // twice: a call that is looked at before the one that is known must be assumed, too
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

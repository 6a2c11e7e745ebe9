// Floating-point operations the chip does not have, in terms of those it has.
#include "kernels/toolchain/compiler/codegen/ir_builder.h"
#include "kernels/toolchain/compiler/codegen/prepare.h"

namespace g80::codegen {
namespace {

using ir::Accuracy;
using ir::Compare;
using ir::Op;
using ir::Type;
using ir::ValueId;

class Expander {
 public:
  Expander(ir::Function& function, const CompileOptions& options, const std::string& filename)
      : f_(function), b_(function), options_(options), filename_(filename) {}

  void run() {
    for (ir::Block& block : f_.blocks) {
      b_.out.clear();
      const std::vector<ir::InstId> insts = block.insts;
      for (const ir::InstId id : insts) {
        b_.loc = f_.insts[id].loc;
        const ValueId value = expand(id);
        if (value == ir::kNone) {
          b_.out.push_back(id);
        } else {
          replacement_.resize(f_.values.size(), ir::kNone);
          replacement_[f_.insts[id].results[0]] = value;
        }
      }
      block.insts = b_.out;
    }
    f_.replace_uses(replacement_);
  }

 private:
  ValueId expand(ir::InstId id) {
    const ir::Inst inst = f_.insts[id];
    if (inst.results.empty()) return ir::kNone;
    const bool is_double = f_.type_of(inst.results[0]) == Type::kF64;
    switch (inst.op) {
      case Op::kFdiv:
        if (is_double || inst.accuracy == Accuracy::kExact) unsupported(inst);
        return divide(inst);
      case Op::kFrcp:
        if (is_double || inst.accuracy == Accuracy::kExact) unsupported(inst);
        return ir::kNone;
      case Op::kFsqrt:
        if (is_double || inst.accuracy == Accuracy::kExact) unsupported(inst);
        return rcp(b_.make(Op::kFrsqrt, Type::kF32, {inst.operands[0]}));
      case Op::kFrsqrt:
        if (is_double) unsupported(inst);
        return ir::kNone;
      default:
        return ir::kNone;
    }
  }

  [[noreturn]] void unsupported(const ir::Inst& inst) {
    refuse(filename_, inst.loc,
           "correctly rounded or double-precision " + std::string(ir::op_info(inst.op).text) + " is not supported on " +
               std::string(isa::arch_name(options_.arch)));
  }

  ValueId rcp(ValueId a) {
    ir::Inst inst;
    inst.op = Op::kFrcp;
    inst.operands = {a};
    return b_.make(std::move(inst), Type::kF32);
  }

  // a * rcp(b). "Full" also covers divisors beyond 2^126, whose reciprocal would be flushed to zero: both operands are
  // divided by 4 first.
  ValueId divide(const ir::Inst& inst) {
    ValueId a = inst.operands[0], b = inst.operands[1];
    if (inst.accuracy == Accuracy::kFull) {
      const ValueId is_huge = b_.fset(Compare::kGt, b_.make(Op::kFabs, Type::kF32, {b}), b_.f32(0x1p126f));
      const ValueId scale = b_.select(is_huge, b_.f32(0.25f), b_.f32(1.0f));
      a = b_.fmul(a, scale);
      b = b_.fmul(b, scale);
    }
    ir::Inst product;
    product.op = Op::kFmul;
    product.operands = {a, rcp(b)};
    product.saturate = inst.saturate;
    return b_.make(std::move(product), Type::kF32);
  }

  ir::Function& f_;
  IrBuilder b_;
  const CompileOptions& options_;
  const std::string& filename_;
  std::vector<ValueId> replacement_;
};

}  // namespace

void expand_float(ir::Function& function, const CompileOptions& options, const std::string& filename) {
  Expander(function, options, filename).run();
}

}  // namespace g80::codegen

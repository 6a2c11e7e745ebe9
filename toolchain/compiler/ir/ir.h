// SPDX-License-Identifier: Apache-2.0
// The compiler's intermediate representation (IR): output of the PTX front end, input of the code generator.
//
// A module has variables and kernels. A kernel is a graph of basic blocks in SSA form: every value has one definition,
// phis join values at block entries, and a definition dominates its uses. Blocks, instructions and values are numbers
// (ids) into the tables of their function; ids stay valid while instructions are added, removed or moved.
//
//   types      pred, i32, i64, f32, f64. There is no i8 and no i16: the front end holds such a quantity in an i32 whose
//              upper bits are arbitrary, and brings them to a known state (kZext8 .. kSext16) where an operation
//              looks at them: right shifts, comparisons, divisions, min, max, abs, conversions, widening. The code
//              generator turns those extensions into half registers. An f16 lives in bits 15:0 of an i32.
//   i64        any integer operation. The code generator splits it into i32 operations (legalize_i64.h) and then
//   removes
//              what nobody reads.
//   addresses  32 bits: all spaces of the chip have 32-bit or smaller addresses. 64-bit pointer arithmetic of the
//   source
//              stays i64 in the IR, with a kTrunc in front of each memory operation; legalisation
//              then removes the upper halves, because nothing reads them.
//   spaces     named by every memory operation; the front end resolves generic addresses and cvta, or reports an error.
//              kParam: address 0 is the first byte of the parameters. kConst: bank 0 (`__constant__` variables).
//   calls      of the kernel's own functions (Function::functions), by number. What is passed and returned are i32
//              words: halves of i64, bits of f32. A pointer to local memory is never passed: such functions are
//                  inlined,
//              and so are most others.
//   guards     none: a guarded PTX instruction is a select (if it has no effects) or a branch around it. The code
//              generator makes predicated instructions of short branches.
//   lanes      the IR is the program of one thread. kBarrier, kVote and textures with derivatives look at other lanes.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "toolchain/cubin/module.h"

namespace g80::ir {

enum class Type : std::uint8_t { kPred, kI32, kI64, kF32, kF64 };
std::string_view type_name(Type type);

enum class Op : std::uint8_t {
#define G80_IR_OP(name, text, types, signature, effects) name,
#include "toolchain/compiler/ir/ir_ops.def"
};

/// kGeneric: not known yet which; only inside the front end.
enum class Space : std::uint8_t { kGlobal, kShared, kLocal, kConst, kParam, kGeneric };
std::string_view space_name(Space space);

/// The element type of a load, store or atomic. Element types: kU8 .. kS16 i32; kB32 i32 or f32; kB64 i64 or f64.
enum class Access : std::uint8_t { kU8, kS8, kU16, kS16, kB32, kB64 };
unsigned access_bytes(Access access);

/// Integer comparisons: kEq .. kGe (signed), kLtU .. kGeU. Floating point: kEq .. kGe are false if an operand is NaN
/// except kNe, which is *ordered* not-equal (PTX .ne); the *Un forms are true (PTX .equ, .neu, ..). kOrdered: PTX .num.
enum class Compare : std::uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLtU,
  kLeU,
  kGtU,
  kGeU,
  kEqUn,
  kNeUn,
  kLtUn,
  kLeUn,
  kGtUn,
  kGeUn,
  kOrdered,
  kUnordered,
};
std::string_view compare_name(Compare compare);

enum class Accuracy : std::uint8_t { kApprox, kFull, kExact };

using isa::AtomOp;
using isa::Round;

enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kGridid,
  kLaneid,
  kWarpid,
  kSmid,
  kPhysid,
  kPm0,
  kPm1,
  kPm2,
  kPm3,
};
std::string_view special_name(Special special);

using ValueId = std::uint32_t;
using InstId = std::uint32_t;
using BlockId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Result of an instruction, or a constant.
struct Value {
  Type type = Type::kI32;
  InstId def = kNone;      // kNone: a constant (or undefined)
  bool undefined = false;  // any bits will do (PTX register read before it is written)
  std::uint64_t bits = 0;  // of a constant: pred 0 or 1, i32 and f32 in bits 31:0
  bool is_constant() const { return def == kNone && !undefined; }
};

/// Where an instruction comes from. `ptx_line` is the line of the PTX text (messages name it); `file` (index into
/// Module::files) and `line` are those of .loc, 0 and 0 if there is none.
struct Location {
  std::uint32_t ptx_line = 0;
  std::uint32_t file = 0, line = 0;
};

enum class TexShape : std::uint8_t { k1d, k2d, k3d };

struct Inst {
  Op op = Op::kCopy;
  std::vector<ValueId> results;
  std::vector<ValueId> operands;
  std::vector<BlockId> blocks;  // kPhi: predecessors; kBranch, kCondBranch: targets
  Location loc;

  Compare compare = Compare::kEq;  // kSet, kFset
  Round round = Round::kRn;
  Accuracy accuracy = Accuracy::kApprox;
  bool saturate = false;
  bool contract = false;  // kFadd, kFsub, kFmul: the source allows fusing into a kFmad (PTX without .rn)

  Space space = Space::kGlobal;  // memory operations
  Access access = Access::kB32;
  bool is_volatile = false;
  std::int32_t offset = 0;        // bytes; also of kVarAddr
  AtomOp atom_op = AtomOp::kAdd;  // kAtomic: kMin and kMax are signed if is_signed
  bool is_signed = false;

  Special special = Special::kTidX;
  std::uint32_t variable = kNone;  // kVarAddr: index into Module::variables
  std::uint32_t immediate = 0;     // kBarrier, kMembar, kPmevent; kArgument: which
  std::uint32_t callee = kNone;    // kCall: index into the kernel's functions

  std::uint32_t texture = 0;       // kTexture: index into Module::textures
  TexShape shape = TexShape::k1d;  // coordinates: f32, or i32 (unfiltered, 1d: tex1Dfetch)
};

struct Block {
  std::vector<InstId> insts;  // phis first, a terminator last
};

/// A variable with an address. Shared variables belong to the kernels that name them, local ones to the one that does;
/// addresses are given out by the code generator.
/// A word of an initial value: the address of another global variable plus bytes.
struct AddressWord {
  std::uint32_t offset = 0;
  std::uint32_t variable = 0;  // index into Module::variables
  std::uint32_t addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::kGlobal;  // kGlobal, kConst, kShared or kLocal
  std::uint32_t bytes = 0;       // 0: the dynamic shared array (extern .shared), placed after the static ones
  std::uint32_t align = 4;
  DataType element = DataType::kU32;
  std::vector<std::uint8_t> initial;   // kGlobal, kConst: empty (zero) or `bytes` long
  std::vector<AddressWord> addresses;  // in it
};

struct Texture {
  std::string name;
  unsigned unit = 0;
};

struct KernelParameter {
  std::string name;
  DataType type = DataType::kU32;
  std::uint32_t offset = 0;  // from the first parameter byte, naturally aligned, in order
  std::uint32_t bytes = 4;   // more than the type's: an array or structure
};

/// A word that a function is passed or returns.
struct PassedWord {
  bool may_point = false;  // it may be the low word of an address
};

/// A kernel, or a function that one calls.
class Function {
 public:
  std::string name;
  Location loc;
  std::vector<KernelParameter> params;
  std::uint32_t max_threads = 0;               // .maxntid product; 0: not given
  std::uint32_t min_blocks = 0;                // .minnctapersm
  std::uint32_t max_registers = 0;             // .maxnreg
  std::vector<PassedWord> arguments, results;  // of a function: words in the order of kCall's operands and results
  std::vector<Function> functions;             // of a kernel: those called in it, each behind those that it calls
  std::vector<Value> values;
  std::vector<Inst> insts;
  std::vector<Block> blocks;  // blocks[0] is the entry and has no predecessors
                              // a block without instructions is deleted (nothing refers to it)

  BlockId add_block();
  /// Creates an instruction with new results of the given types; it is in no block yet.
  InstId add_inst(Inst inst, const std::vector<Type>& result_types);
  /// The same, at the end of a block. `append1` returns the only result.
  InstId append(BlockId block, Inst inst, const std::vector<Type>& result_types);
  ValueId append1(BlockId block, Inst inst, Type result_type);
  /// Constants are shared: equal ones have the same id.
  ValueId constant(Type type, std::uint64_t bits);
  ValueId i32(std::uint32_t value) { return constant(Type::kI32, value); }
  ValueId undefined(Type type);

  Type type_of(ValueId value) const { return values[value].type; }
  bool is_constant(ValueId value) const { return values[value].is_constant(); }
  /// The defining instruction, or nullptr for constants.
  const Inst* def(ValueId value) const { return values[value].def == kNone ? nullptr : &insts[values[value].def]; }
  const Inst& terminator(BlockId block) const { return insts[blocks[block].insts.back()]; }
  /// Targets of the terminator (kCondBranch: true target first).
  const std::vector<BlockId>& successors(BlockId block) const { return terminator(block).blocks; }
  std::vector<std::vector<BlockId>> predecessors() const;
  /// Every use of value v becomes replacement[v] (followed to the end of a chain); kNone keeps it.
  void replace_uses(std::vector<ValueId> replacement);

 private:
  std::array<std::unordered_map<std::uint64_t, ValueId>, 5> constants_;  // by type
};

/// The address of texture k is this plus k until the texture instruction that uses it has it alone (find_textures).
inline constexpr std::uint32_t kTextureTag = 0x7e780000u;

struct Module {
  std::string name;
  std::vector<std::string> files;  // of .loc; files[0] is the PTX file itself
  std::vector<Variable> variables;
  std::vector<Texture> textures;
  std::vector<Function> kernels;
};

struct OpInfo {
  std::string_view text, types, signature, effects;
  bool is_pure() const { return effects.empty(); }
  bool is_terminator() const { return effects == "t"; }
  bool has_effects() const { return effects == "x" || effects == "t"; }
};
const OpInfo& op_info(Op op);
/// Operations on integers whose two operands may change places.
bool is_commutative(Op op);

/// True if the instruction may be deleted when its results have no uses.
bool is_removable(const Inst& inst);

/// Immediate dominators (kNone for the entry and unreachable blocks) and a reverse postorder of the reachable blocks.
struct Dominators {
  std::vector<BlockId> idom;
  std::vector<BlockId> order;
  std::vector<std::uint32_t> position;  // in `order`; kNone: unreachable
  // in the tree of dominators: a block, and behind it those that it dominates; `end` is the number behind the last
  std::vector<std::uint32_t> number, end;

  bool dominates(BlockId a, BlockId b) const {
    return position[a] != kNone && position[b] != kNone && number[a] <= number[b] && number[b] < end[a];
  }
};
Dominators find_dominators(const Function& function);
/// Of any graph: `order` has its reachable nodes in reverse postorder, `prev` the predecessors of each.
Dominators find_dominators(std::vector<BlockId> order, const std::vector<std::vector<BlockId>>& prev);
std::vector<BlockId> reverse_postorder(BlockId root, const std::vector<std::vector<BlockId>>& next);

/// Calls f(function) for the functions of a kernel, in their order, and then for the kernel itself.
template <typename Kernel, typename F>
void for_each_function(Kernel& kernel, F&& f) {
  for (auto& function : kernel.functions) f(function);
  f(kernel);
}

/// Throws std::logic_error naming the first violation: types, phis, terminators, definitions that do not dominate uses,
/// calls that do not fit what they call.
void verify(const Function& kernel);
void verify(const Module& module);

/// Text for people and tests.
std::string print(const Function& kernel);
std::string print(const Module& module);
std::string print_inst(const Function& function, InstId inst);

}  // namespace g80::ir

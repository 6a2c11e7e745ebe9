// The target-independent optimisations, one pass per file. Each leaves a function that verify() accepts.
#pragma once
#include <string>
#include <vector>

#include "kernels/toolchain/compiler/compile.h"
#include "kernels/toolchain/compiler/ir.h"

namespace g80::ir {

/// Unreachable blocks, branches on constants, chains of blocks, phis of one value. True if something changed.
bool clean_control_flow(Function& function);
/// What nobody reads and has no effect.
void remove_dead_code(Function& function);
/// Constant folding and algebra, one instruction at a time, in dominance order. True if something changed.
bool simplify(Function& function);
/// Equal pure computations are done once (in the dominating place).
void number_values(Function& function);
/// i64 values of which only the low word is ever read become i32: address arithmetic.
void narrow_to_i32(Function& function);
/// Local variables whose address does not escape become values. True if something changed.
bool promote_local_variables(Function& function, const Module& module);
/// Every generic address gets its space. `filename` is for messages (SourceError, warnings).
void infer_spaces(Function& function, const Module& module, const std::string& filename,
                  std::vector<Diagnostic>& warnings);
/// Every texture instruction gets its texture, which was its last operand.
void find_textures(Function& function, const Module& module, const std::string& filename);
/// Products whose factors are known to be small use the 24-bit multiplier; divisions by constants become
/// multiplications.
void reduce_strength(Function& function);
/// Computations that do not change inside a loop move in front of it, as far as registers allow.
void hoist_invariants(Function& function);
/// Addresses in global memory that a loop variable steps through become loop variables, where that saves instructions.
void step_pointers(Function& function);
/// f32 products that are only added become multiply-adds where the source allows it.
void fuse_multiply_add(Function& function);

/// All of them, in order, for every kernel of a lowered module.
void optimize(Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings);

}  // namespace g80::ir

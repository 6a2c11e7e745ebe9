// SPDX-License-Identifier: Apache-2.0
// The target-independent optimisations, one pass per file. Each leaves a function that verify() accepts.
#pragma once
#include <string>
#include <vector>

#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/compiler/ir/ir.h"

namespace g80::ir {

/// Unreachable blocks, branches on constants, chains of blocks, phis of one value. True if something changed.
bool clean_control_flow(Function& function);
/// Removes instructions without effect whose results have no uses.
void remove_dead_code(Function& function);
/// Constant folding and algebra, one instruction at a time, in dominance order. True if something changed.
bool simplify(Function& function);
/// Merges equal pure computations (at the dominating place).
void number_values(Function& function);
/// i64 values of which only the low word is ever read become i32: address arithmetic.
void narrow_to_i32(Function& function);
/// Local variables whose address does not escape become values. True if something changed.
bool promote_local_variables(Function& function, const Module& module);
/// Functions, by number, that must be inlined: their callers pass them pointers to different memories, or to their own
/// local memory.
struct MustInline {
  std::vector<std::uint32_t> functions;
};
/// Every generic address of a kernel and its functions gets its space. `filename` is for messages (SourceError,
/// warnings). Throws MustInline.
void infer_spaces(Function& kernel, const Module& module, const std::string& filename,
                  std::vector<Diagnostic>& warnings);
/// Removes unused arguments and results of a kernel's functions; arguments that are the same
/// constant at every call become it. True if something changed.
bool prune_signatures(Function& kernel);
/// Every texture instruction gets its texture, which was its last operand.
void find_textures(Function& function, const Module& module, const std::string& filename);
/// Products whose factors are known to be small use the 24-bit multiplier; divisions by constants become
/// multiplications.
void reduce_strength(Function& function);
/// Computations that do not change inside a loop move in front of it, as far as registers allow.
void hoist_invariants(Function& function);
/// The sign bit of what is computed from loop variables that are never negative is 0.
void drop_signs(Function& function);
/// Addresses in global memory that a loop variable steps through become loop variables, where that saves instructions.
void step_pointers(Function& function);
/// A loop variable that only says when the loop ends leaves that to another one.
void move_loop_tests(Function& function);
/// f32 products that are only added become multiply-adds where the source allows it.
void fuse_multiply_add(Function& function);

/// All of them, in order, for a kernel and its functions. Throws SourceError, MustInline.
void optimize(Function& kernel, const Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings);
/// For every kernel of a module.
void optimize(Module& module, const CompileOptions& options, const std::string& filename,
              std::vector<Diagnostic>& warnings);

}  // namespace g80::ir

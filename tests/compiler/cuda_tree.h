// SPDX-License-Identifier: Apache-2.0
// A CUDA kernel as a tree, which prints as C (cuda_text.h) and evaluates as C (cuda_execution.h).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tests/compiler/cuda_operations.h"

namespace g80 {

struct CudaNode;
using CudaTree = std::shared_ptr<CudaNode>;

/// An expression or a statement; which one, `kind` says.
struct CudaNode {
  enum Kind {
    kNumber,
    kVariable,
    kElement,
    kUnary,
    kBinary,
    kChoice,
    kCall,
    kThrough,  // what pointer `op` points to, read in the way `number`
    kAssign,
    kStoreElement,
    kPoint,         // pointer `op` to element 4 * child 0 of memory `number`, or as a choice of two memories
    kStoreThrough,  // child 1 to where pointer `op` points, in the way `number`
    kAtomicAdd,     // to an element of `own` or `mine`
    kIf,
    kFor,
    kWhile,
    kSwitch,
    kBreak,     // out of the loop with this number, which may be an outer one
    kContinue,  // with the next turn of that loop
    kReturn,
    kBlock
  };
  Kind kind = kNumber;
  unsigned op = 0;  // of kUnary, kBinary and kCall; variable of kVariable, kAssign, kFor; memory of an element
  std::uint64_t number =
      0;  // of kNumber; kFor, kWhile: the loop's own; kBreak, kContinue: the loop's they mean; kCall: f's
  std::vector<CudaTree> children;
  CudaTree body;  // of kCall: the function's, if it is a random one
};

/// Whether a value has 64 bits where it stands; others are unsigned 32.
inline bool is_wide(const CudaNode& n) {
  switch (n.kind) {
    case CudaNode::kVariable: return is_wide_variable(n.op);
    case CudaNode::kUnary: return n.op == 6 || (n.op < 2 && is_wide(*n.children[0]));
    case CudaNode::kBinary: return is_wide_binary(n.op);
    case CudaNode::kChoice: return is_wide(*n.children[1]) || is_wide(*n.children[2]);
    case CudaNode::kThrough: return is_wide_read(n.number);
    default: return false;
  }
}

/// The random functions that a tree calls, by number, with those that they call.
inline void cuda_functions_of(const CudaNode& n, std::map<std::uint64_t, CudaTree>& functions) {
  if (n.body && functions.emplace(n.number, n.body).second) cuda_functions_of(*n.body, functions);
  for (const CudaTree& child : n.children) cuda_functions_of(*child, functions);
}

}  // namespace g80

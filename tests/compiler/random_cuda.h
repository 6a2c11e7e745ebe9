// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels that the host can execute, too. Elements lie in local memory, and if the generator is asked for
// it in shared, global and constant memory, too. Then there are also pointers, each into one or another of them.
#pragma once
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/compiler/cuda_operations.h"
#include "tests/compiler/cuda_tree.h"

namespace g80 {

class CudaGenerator {
 public:
  explicit CudaGenerator(std::uint32_t seed) : rng_(seed) {}

  /// From now on, there are all memories. `pointers`: and variables that point to them; `atomics`: the chip has them in
  /// shared memory.
  void use_memories(bool pointers, bool atomics) {
    has_memories_ = true;
    has_pointers_ = pointers;
    has_atomics_ = atomics;
  }

  /// From now on, trees may call one more function.
  void add_function(unsigned statements, unsigned depth) { functions_.push_back(block(statements, depth)); }

  CudaTree block(unsigned statements, unsigned depth) {
    CudaTree node = make(CudaNode::kBlock);
    for (unsigned k = 0; k < statements; ++k) node->children.push_back(statement(depth));
    return node;
  }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(rng_() % n); }
  static CudaTree make(CudaNode::Kind kind) {
    CudaTree node = std::make_shared<CudaNode>();
    node->kind = kind;
    return node;
  }

  CudaTree node(CudaNode::Kind kind, unsigned op, std::uint64_t number, std::vector<CudaTree> children) {
    CudaTree made = make(kind);
    made->op = op;
    made->number = number;
    made->children = std::move(children);
    return made;
  }
  CudaTree block_of(CudaTree statement) { return node(CudaNode::kBlock, 0, 0, {std::move(statement)}); }

  unsigned any_memory() { return pick(static_cast<std::uint32_t>(kCudaMemories.size())); }
  unsigned written_memory() { return pick(kWrittenMemories); }
  CudaTree element(unsigned memory, unsigned depth) { return node(CudaNode::kElement, memory, 0, {expression(depth)}); }

  /// What a stencil reads: from inside or from the edge, which lie in different memories more often than not.
  CudaTree chosen_element(unsigned depth) {
    CudaTree one = pick(2) ? element(any_memory(), 1)
                           : node(CudaNode::kBinary, pick(6), 0, {element(any_memory(), 1), expression(1)});
    CudaTree other = depth > 0 && pick(3) == 0 ? chosen_element(depth - 1) : element(any_memory(), 1);
    return node(CudaNode::kChoice, 0, 0, {expression(1), std::move(one), std::move(other)});
  }
  CudaTree read_through() {
    return node(CudaNode::kThrough, pick(static_cast<std::uint32_t>(kCudaPointers.size())),
                pick(static_cast<std::uint32_t>(kCudaReads.size())), {expression(1)});
  }

  CudaTree memory_statement() {
    switch (pick(has_pointers_ ? 7 : 4)) {
      case 0: {
        const unsigned to = pick(kCudaVariables);
        return node(CudaNode::kIf, 0, 0,
                    {expression(1), block_of(node(CudaNode::kAssign, to, 0, {element(any_memory(), 1)})),
                     block_of(node(CudaNode::kAssign, to, 0, {element(any_memory(), 1)}))});
      }
      case 1: {
        const CudaTree value = expression(1);
        return node(
            CudaNode::kIf, 0, 0,
            {expression(1), block_of(node(CudaNode::kStoreElement, written_memory(), 0, {expression(1), value})),
             block_of(node(CudaNode::kStoreElement, written_memory(), 0, {expression(1), value}))});
      }
      case 2: return node(CudaNode::kAssign, pick(kCudaVariables), 0, {chosen_element(2)});
      case 3:
        if (!has_atomics_) return node(CudaNode::kAssign, pick(kCudaVariables), 0, {chosen_element(2)});
        return node(CudaNode::kAtomicAdd, pick(kCudaVariables), 0, {expression(1), expression(1), expression(1)});
      case 4:
      case 5: {
        const unsigned to = pick(static_cast<std::uint32_t>(kCudaPointers.size()));
        const auto memory = [&] { return is_writing_pointer(to) ? written_memory() : any_memory(); };
        const std::uint64_t memories = memory() | memory() << 8;
        if (pick(2)) return node(CudaNode::kPoint, to, memories, {expression(1)});
        return node(CudaNode::kPoint, to, memories, {expression(1), expression(1), expression(1)});
      }
      default:
        return node(CudaNode::kStoreThrough, 2 + pick(2), pick(static_cast<std::uint32_t>(kCudaWrites.size())),
                    {expression(1), expression(2)});
    }
  }

  CudaTree statement(unsigned depth) {
    if (has_memories_ && pick(3) == 0) return memory_statement();
    const std::uint32_t choice = depth == 0 ? pick(5) : pick(10);
    CudaTree node;
    if (choice < 4) {
      node = make(CudaNode::kAssign);
      node->op = pick(kCudaVariables);
      node->children = {expression(3)};
    } else if (choice == 4) {
      node = make(CudaNode::kStoreElement);
      node->children = {expression(1), expression(2)};
    } else if (choice < 7) {
      node = make(CudaNode::kIf);
      node->children = {expression(2), side(1 + pick(3), depth - 1), side(pick(3), depth - 1)};
    } else if (choice == 7) {
      node = make(CudaNode::kFor);
      node->op = 1 + pick(5);
      node->children = {expression(1)};
      loop_body(*node, 1 + pick(3), depth - 1);
    } else if (choice == 8) {
      node = make(CudaNode::kWhile);
      node->children = {expression(2)};
      loop_body(*node, 1 + pick(2), depth - 1);
    } else {
      node = make(CudaNode::kSwitch);
      node->children = {expression(1)};
      for (std::uint32_t k = 2 + pick(3); k > 0; --k) node->children.push_back(block(1 + pick(2), depth - 1));
    }
    return node;
  }

  void loop_body(CudaNode& loop, unsigned statements, unsigned depth) {
    loop.number = ++loop_count_;
    loops_.push_back(loop.number);
    loop.children.push_back(block(statements, depth));
    loops_.pop_back();
  }

  /// One side of an if, which may end with a jump.
  CudaTree side(unsigned statements, unsigned depth) {
    CudaTree node = block(statements, depth);
    const std::uint32_t choice = pick(12);
    if (choice < 3 && !loops_.empty()) {
      node->children.push_back(make(choice == 0 ? CudaNode::kContinue : CudaNode::kBreak));
      node->children.back()->number = loops_[pick(static_cast<std::uint32_t>(loops_.size()))];
    } else if (choice == 3) {
      node->children.push_back(make(CudaNode::kReturn));
    }
    return node;
  }

  CudaTree expression(unsigned depth) {
    if (has_pointers_ && depth > 0 && pick(6) == 0) return read_through();
    if (has_memories_ && depth > 0 && pick(12) == 0) return element(any_memory(), depth - 1);
    const std::uint32_t choice = depth == 0 ? pick(5) : pick(16);
    CudaTree node;
    if (choice < 3) {
      node = make(CudaNode::kVariable);
      node->op = pick(kCudaVariables);
    } else if (choice < 5) {
      static constexpr std::uint32_t kEdges[] = {0,   1,   2,     3,     7,          8,          31,        100,
                                                 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xffffffff};
      node = make(CudaNode::kNumber);
      node->number = pick(2) ? kEdges[pick(std::size(kEdges))] : static_cast<std::uint32_t>(rng_());
    } else if (choice == 5) {
      node = make(CudaNode::kElement);
      node->children = {expression(depth - 1)};
    } else if (choice == 6) {
      node = make(CudaNode::kChoice);
      node->children = {expression(depth - 1), expression(depth - 1), expression(depth - 1)};
    } else if (choice == 7) {
      node = make(CudaNode::kCall);
      node->op = pick(2);
      if (!functions_.empty() && pick(3) != 0) {
        node->number = pick(static_cast<std::uint32_t>(functions_.size()));
        node->body = functions_[node->number];
      }
      node->children = {expression(depth - 1), expression(depth - 1)};
    } else if (choice < 10) {
      node = make(CudaNode::kUnary);
      node->op = pick(static_cast<std::uint32_t>(kCudaUnary.size()));
      node->children = {expression(depth - 1)};
    } else {
      node = make(CudaNode::kBinary);
      node->op = pick(static_cast<std::uint32_t>(kCudaBinary.size()));
      node->children = {expression(depth - 1), expression(depth - 1)};
    }
    return node;
  }

  std::mt19937 rng_;
  bool has_memories_ = false, has_pointers_ = false, has_atomics_ = false;
  std::vector<CudaTree> functions_;
  std::vector<std::uint64_t> loops_;  // around the statement
  std::uint64_t loop_count_ = 0;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// What a CUDA kernel that is a tree leaves in its variables and memories, computed by the host.
#pragma once
#include <array>
#include <cstdint>

#include "tests/compiler/cuda_operations.h"
#include "tests/compiler/cuda_tree.h"

namespace g80 {

class CudaState {
 public:
  struct Pointer {
    unsigned memory = 0, offset = 0;
  };
  std::array<Pointer, 4> pointers{{{kTile, 0}, {0, 0}, {kOwn, 0}, {kMine, 0}}};
  std::array<std::uint32_t, 8> own{}, mine{};
  const std::uint32_t *tile = nullptr, *all = nullptr, *edge = nullptr;

  std::uint32_t read(unsigned memory, std::uint64_t index) const {
    const std::array<const std::uint32_t*, 6> words{a.data(), own.data(), mine.data(), tile, all, edge};
    return words.at(memory)[index & (kCudaMemories[memory].words - 1)];
  }
  std::uint32_t& written(unsigned memory, std::uint64_t index) {
    return (memory == kOwn ? own : memory == kMine ? mine : a)[index & 7];
  }
  std::array<std::uint32_t, 4> read_through(unsigned pointer) const {
    const Pointer at = pointers[pointer];
    std::array<std::uint32_t, 4> words;
    for (unsigned k = 0; k < 4; ++k) words[k] = read(at.memory, at.offset + k);
    return words;
  }
  void write_through(unsigned pointer, const std::array<std::uint32_t, 4>& words) {
    const Pointer at = pointers[pointer];
    for (unsigned k = 0; k < 4; ++k) written(at.memory, at.offset + k) = words[k];
  }

  /// v0..v5: 32 bits, v6 and v7: 64 bits, v8: unsigned short, v9: short (here as the 32 bits that it is read as).
  std::array<std::uint64_t, 10> v{};
  std::array<std::uint32_t, 8> a{};
  /// A jump on its way to its loop.
  enum Jump { kNone, kBreaking, kContinuing, kReturning } jump = kNone;
  std::uint64_t loop = 0;

  /// After a loop's body: true if the loop is left.
  bool leaves(std::uint64_t number) {
    if (jump == kNone) return false;
    if (jump == kReturning || loop != number) return true;
    const bool left = jump == kBreaking;
    jump = kNone;
    return left;
  }
};

inline void cuda_execute(const CudaNode& n, CudaState& state);

/// A random function has variables of its own; two words go in, one comes out.
inline std::uint32_t cuda_function(const CudaNode& body, std::uint32_t x, std::uint32_t y) {
  CudaState state;
  state.v = {x, y, x + y, x ^ y, x & y, 0, x | std::uint64_t{y} << 32, x, kept_in(8, y), kept_in(9, x)};
  for (std::uint32_t k = 0; k < 8; ++k) state.a[k] = k * 3 + y;
  cuda_execute(body, state);
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 6; ++k) result = result * 3 + static_cast<std::uint32_t>(state.v[k]);
  for (unsigned k = 8; k < 10; ++k) result = result * 5 + static_cast<std::uint32_t>(state.v[k]);
  return result + static_cast<std::uint32_t>(state.v[6] >> 32) + static_cast<std::uint32_t>(state.v[7]) +
         state.a[x & 7];
}

inline std::uint64_t cuda_value(const CudaNode& n, const CudaState& state) {
  const auto child = [&](std::size_t k) { return cuda_value(*n.children[k], state); };
  const auto fit = [&](std::uint64_t v) { return is_wide(n) ? v : static_cast<std::uint32_t>(v); };
  switch (n.kind) {
    case CudaNode::kNumber: return static_cast<std::uint32_t>(n.number);
    case CudaNode::kVariable: return state.v[n.op];
    case CudaNode::kElement: return state.read(n.op, child(0));
    case CudaNode::kThrough: return cuda_read(n.number, state.read_through(n.op), child(0));
    case CudaNode::kUnary: return fit(cuda_unary(n.op, child(0)));
    case CudaNode::kBinary: return fit(cuda_binary(n.op, child(0), child(1)));
    case CudaNode::kChoice: return fit((child(0) & 1) != 0 ? child(1) : child(2));
    default: {  // kCall
      auto x = static_cast<std::uint32_t>(child(0)), y = static_cast<std::uint32_t>(child(1));
      if (n.body) return cuda_function(*n.body, x, y);
      return n.op == 0 ? (x > y ? x - y : (y - x) * 3) : cuda_walk(x, y);
    }
  }
}

inline void cuda_execute(const CudaNode& n, CudaState& state) {
  const auto value = [&](std::size_t k) { return cuda_value(*n.children[k], state); };
  switch (n.kind) {
    case CudaNode::kAssign: state.v[n.op] = kept_in(n.op, value(0)); break;
    case CudaNode::kStoreElement: {
      const std::uint64_t index = value(0);
      state.written(n.op, index) = static_cast<std::uint32_t>(value(1));
      break;
    }
    case CudaNode::kPoint: {
      const std::size_t chosen = n.children.size() == 1 || (value(2) & 1) != 0 ? 0 : 1;
      const unsigned memory = n.number >> 8 * chosen & 0xff;
      const auto index = static_cast<std::uint32_t>(value(chosen));
      state.pointers[n.op] = {memory, 4 * (index % (kCudaMemories[memory].words / 4))};
      break;
    }
    case CudaNode::kStoreThrough: {
      std::array<std::uint32_t, 4> words = state.read_through(n.op);
      cuda_write(n.number, words, value(0), value(1));
      state.write_through(n.op, words);
      break;
    }
    case CudaNode::kAtomicAdd: {
      const auto added = static_cast<std::uint32_t>(value(2));
      std::uint32_t& word = (value(0) & 1) != 0 ? state.own[value(1) & 7] : state.mine[value(1) & 7];
      state.v[n.op] = kept_in(n.op, word);
      word += added;
      break;
    }
    case CudaNode::kIf: cuda_execute(*n.children[(value(0) & 1) != 0 ? 1 : 2], state); break;
    case CudaNode::kFor:  // leaves the loop early when v0 has its lowest bits set
      for (std::uint64_t i = 0, end = value(0) & 7; i < end; ++i) {
        cuda_execute(*n.children[1], state);
        const bool continued = state.jump == CudaState::kContinuing;
        if (state.leaves(n.number)) break;
        if (continued) continue;
        if ((state.v[0] & 15) == 15) break;
        state.v[n.op] = static_cast<std::uint32_t>(state.v[n.op] + i);
      }
      break;
    case CudaNode::kWhile: {
      std::uint32_t i = 0;
      while ((value(0) & 3) != 0 && i < 5) {
        cuda_execute(*n.children[1], state);
        if (state.leaves(n.number)) break;
        ++i;
      }
      break;
    }
    case CudaNode::kSwitch: cuda_execute(*n.children[1 + (value(0) & 3) % (n.children.size() - 1)], state); break;
    case CudaNode::kBreak:
    case CudaNode::kContinue:
    case CudaNode::kReturn:
      state.jump = n.kind == CudaNode::kBreak      ? CudaState::kBreaking
                   : n.kind == CudaNode::kContinue ? CudaState::kContinuing
                                                   : CudaState::kReturning;
      state.loop = n.number;
      break;
    default:
      for (const CudaTree& child : n.children) {
        cuda_execute(*child, state);
        if (state.jump != CudaState::kNone) return;
      }
  }
}

}  // namespace g80

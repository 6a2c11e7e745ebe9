// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels that the host can execute, too: a tree that prints as C and evaluates as C. All arithmetic is on
// unsigned numbers of 32 or 64 bits, some of them kept in 16, with casts where signs matter, so that nothing is
// undefined. Elements lie in local memory, and if the generator is asked for it in shared, global and constant memory,
// too. Then there are also pointers, each into one or another of them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

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

/// Where elements lie. The first three are a thread's own, and it writes them; the others are the same for all threads.
struct CudaMemory {
  const char* base;
  unsigned words;
};
inline constexpr std::array<CudaMemory, 6> kCudaMemories{{
    {"a", 8},              // local
    {"(own + t * 8)", 8},  // shared
    {"mine", 8},           // global
    {"tile", 32},          // shared
    {"all", 64},           // global
    {"edge", 16},          // constant
}};
inline constexpr unsigned kOwn = 1, kMine = 2, kTile = 3, kWrittenMemories = 3;

/// r0, r1: to any memory; w0, w1: to one that is written. All point to four words.
inline constexpr std::array<const char*, 4> kCudaPointers{"r0", "r1", "w0", "w1"};
inline bool is_writing_pointer(unsigned n) { return n >= 2; }

/// How four words are read: @ the pointer, # the index.
inline constexpr std::array<const char*, 9> kCudaReads{
    "@[(#) & 3]",
    "((const U64*)@)[(#) & 1]",
    "((u32)((const U16*)@)[(#) & 7])",
    "((u32)(int)((const S8*)@)[(#) & 15])",
    "add_pair(((const Pair*)@)[(#) & 1])",
    "add_quad(*(const Quad*)@, (u32)(#))",
    "sum_of(@, (u32)(#))",
    "one_of(@, @ + 1, (u32)(#))",
    "(*nearer(@, @ + 2, (u32)(#)))",
};
inline bool is_wide_read(std::uint64_t way) { return way == 1; }
/// And written: % the value.
inline constexpr std::array<const char*, 6> kCudaWrites{
    "@[(#) & 3] = (u32)(%)",
    "((U64*)@)[(#) & 1] = (%)",
    "((U16*)@)[(#) & 7] = (unsigned short)(%)",
    "((U8*)@)[(#) & 15] = (unsigned char)(%)",
    "{ Pair pair; pair.x = (u32)(%); pair.y = pair.x * 3; ((Pair*)@)[(#) & 1] = pair; }",
    "{ Quad quad; quad.x = (u32)(%); quad.y = (u32)(#); quad.z = quad.x + 1; quad.w = quad.x + quad.y; *(Quad*)@ = "
    "quad; }",
};
inline constexpr const char* kCudaMemoryFunctions =
    "typedef u64 __attribute__((may_alias)) U64; typedef unsigned short __attribute__((may_alias)) U16;\n"
    "typedef unsigned char __attribute__((may_alias)) U8; typedef signed char __attribute__((may_alias)) S8;\n"
    "typedef struct { u32 x, y; } __attribute__((aligned(8), may_alias)) Pair;\n"
    "typedef struct { u32 x, y, z, w; } __attribute__((aligned(16), may_alias)) Quad;\n"
    "static __device__ u32 add_pair(Pair p) { return p.x * 3 + p.y; }\n"
    "static __device__ u32 add_quad(Quad q, u32 n) { return ((q.x * 3 + q.y) * 3 + q.z) * 3 + q.w + n; }\n"
    "static __device__ __attribute__((noinline)) u32 sum_of(const u32* p, u32 n) { u32 sum = n; for (u32 k = 0; k < (n "
    "& 3); ++k) sum = sum * "
    "3 + *p++; return sum; }\n"
    "static __device__ __attribute__((noinline)) u32 one_of(const u32* p, const u32* q, u32 n) { return *((n & 1) != 0 "
    "? p : q) + n; }\n"
    "static __device__ __attribute__((noinline)) const u32* nearer(const u32* p, const u32* q, u32 n) { return (n & 2) "
    "!= 0 ? p : q; }\n";

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

inline constexpr unsigned kCudaVariables = 10;
inline bool is_wide_variable(unsigned n) { return n == 6 || n == 7; }
inline bool is_short_variable(unsigned n) { return n >= 8; }
/// What is left of a value in a variable.
inline std::uint64_t kept_in(unsigned variable, std::uint64_t x) {
  if (is_wide_variable(variable)) return x;
  if (variable == 8) return static_cast<std::uint16_t>(x);
  if (variable == 9) return static_cast<std::uint32_t>(static_cast<std::int16_t>(x));
  return static_cast<std::uint32_t>(x);
}

inline constexpr std::array<const char*, 8> kCudaUnary{"(-@)",
                                                       "(~@)",
                                                       "((u32)(int)(short)(@))",
                                                       "((u32)(unsigned char)(@))",
                                                       "((u32)(int)(signed char)(@))",
                                                       "((u32)(@))",
                                                       "((u64)(long long)(int)(@))",
                                                       "((u32)!(@))"};
inline std::uint64_t cuda_unary(unsigned op, std::uint64_t x) {
  switch (op) {
    case 0: return 0 - x;
    case 1: return ~x;
    case 2: return static_cast<std::uint32_t>(static_cast<std::int16_t>(x));
    case 3: return static_cast<std::uint8_t>(x);
    case 4: return static_cast<std::uint32_t>(static_cast<std::int8_t>(x));
    case 5: return static_cast<std::uint32_t>(x);
    case 6: return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(x)));
    default: return x == 0;
  }
}

/// @ left, # right. Every binary operation works on 32 bits, except the last six, which work on 64.
inline constexpr std::array<const char*, 30> kCudaBinary{
    "((u32)(@) + (u32)(#))",
    "((u32)(@) - (u32)(#))",
    "((u32)(@) * (u32)(#))",
    "((u32)(@) & (u32)(#))",
    "((u32)(@) | (u32)(#))",
    "((u32)(@) ^ (u32)(#))",
    "((u32)(@) << ((u32)(#) & 31))",
    "((u32)(@) >> ((u32)(#) & 31))",
    "((u32)((int)(@) >> ((u32)(#) & 31)))",
    "((u32)(@) / ((u32)(#) | 1))",
    "((u32)(@) % ((u32)(#) | 1))",
    "((u32)((int)(@) / (int)(((u32)(#) & 255) | 1)))",
    "((u32)((int)(@) % (int)(((u32)(#) & 255) | 1)))",
    "((u32)((u32)(@) < (u32)(#)))",
    "((u32)((int)(@) < (int)(#)))",
    "((u32)((u32)(@) == (u32)(#)))",
    "((u32)((int)(@) > (int)(#) ? (int)(@) : (int)(#)))",
    "((u32)((int)(short)(@) * (int)(short)(#)))",
    "((u32)(unsigned short)((@) + (#)))",
    "((u32)(unsigned short)((unsigned short)(@) >> ((u32)(#) & 15)))",
    "((u32)(int)(short)((short)(@) >> ((u32)(#) & 15)))",
    "((u32)(int)((short)(@) < (short)(#) ? (short)(@) : (short)(#)))",
    "((u32)((unsigned short)(@) / ((unsigned short)(#) | 1)))",
    "((u32)((unsigned short)(@) > (unsigned short)(#)))",
    "((u64)(@) + (u64)(#))",
    "((u64)(@) - (u64)(#))",
    "((u64)(@) * (u64)(#))",
    "((u64)(@) >> ((u32)(#) & 63))",
    "((u64)(@) << ((u32)(#) & 63))",
    "((u64)((long long)(u64)(@) < (long long)(u64)(#)))"};
inline bool is_wide_binary(unsigned op) { return op >= 24; }
inline std::uint64_t cuda_binary(unsigned op, std::uint64_t x, std::uint64_t y) {
  const auto a = static_cast<std::uint32_t>(x), b = static_cast<std::uint32_t>(y);
  const auto s = static_cast<std::int32_t>(a), t = static_cast<std::int32_t>(b);
  const auto h = static_cast<std::uint16_t>(x), k = static_cast<std::uint16_t>(y);
  const auto narrow = [](std::int64_t v) { return std::uint64_t{static_cast<std::uint32_t>(v)}; };
  switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return a << (b & 31);
    case 7: return a >> (b & 31);
    case 8: return narrow(s >> (b & 31));
    case 9: return a / (b | 1);
    case 10: return a % (b | 1);
    case 11: return narrow(s / static_cast<std::int32_t>((b & 255) | 1));
    case 12: return narrow(s % static_cast<std::int32_t>((b & 255) | 1));
    case 13: return a < b;
    case 14: return s < t;
    case 15: return a == b;
    case 16: return narrow(s > t ? s : t);
    case 17: return narrow(static_cast<std::int16_t>(a) * static_cast<std::int16_t>(b));
    case 18: return static_cast<std::uint16_t>(h + k);
    case 19: return static_cast<std::uint32_t>(h) >> (b & 15);
    case 20: return narrow(static_cast<std::int16_t>(h) >> (b & 15));
    case 21: return narrow(std::min(static_cast<std::int16_t>(h), static_cast<std::int16_t>(k)));
    case 22: return static_cast<std::uint32_t>(h) / (k | 1u);
    case 23: return h > k;
    case 24: return x + y;
    case 25: return x - y;
    case 26: return x * y;
    case 27: return x >> (b & 63);
    case 28: return x << (b & 63);
    default: return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
  }
}

inline std::uint64_t cuda_read(std::uint64_t way, const std::array<std::uint32_t, 4>& words, std::uint64_t index) {
  const auto n = static_cast<std::uint32_t>(index);
  switch (way) {
    case 0: return words[n & 3];
    case 1: return words[2 * (n & 1)] | std::uint64_t{words[2 * (n & 1) + 1]} << 32;
    case 2: return static_cast<std::uint16_t>(words[(n & 7) / 2] >> 16 * (n & 1));
    case 3: return static_cast<std::uint32_t>(static_cast<std::int8_t>(words[(n & 15) / 4] >> 8 * (n & 3)));
    case 4: return words[2 * (n & 1)] * 3 + words[2 * (n & 1) + 1];
    case 5: return ((words[0] * 3 + words[1]) * 3 + words[2]) * 3 + words[3] + n;
    case 6: {
      std::uint32_t sum = n;
      for (std::uint32_t k = 0; k < (n & 3); ++k) sum = sum * 3 + words[k];
      return sum;
    }
    case 7: return words[(n & 1) != 0 ? 0 : 1] + n;
    default: return words[(n & 2) != 0 ? 0 : 2];
  }
}

inline void cuda_write(std::uint64_t way, std::array<std::uint32_t, 4>& words, std::uint64_t index,
                       std::uint64_t value) {
  const auto n = static_cast<std::uint32_t>(index), x = static_cast<std::uint32_t>(value);
  const auto part = [&](std::uint32_t& word, std::uint32_t mask, unsigned shift) {
    word = (word & ~(mask << shift)) | (x & mask) << shift;
  };
  switch (way) {
    case 0: words[n & 3] = x; break;
    case 1:
      words[2 * (n & 1)] = x;
      words[2 * (n & 1) + 1] = static_cast<std::uint32_t>(value >> 32);
      break;
    case 2: part(words[(n & 7) / 2], 0xffff, 16 * (n & 1)); break;
    case 3: part(words[(n & 15) / 4], 0xff, 8 * (n & 3)); break;
    case 4:
      words[2 * (n & 1)] = x;
      words[2 * (n & 1) + 1] = x * 3;
      break;
    default: words = {x, n, x + 1, x + n};
  }
}

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

/// The functions that kernels call, as text and for the host.
inline constexpr const char* kCudaFunctions =
    "static __device__ __attribute__((noinline)) u32 distance(u32 x, u32 y) { if (x > y) return x - y; return (y - x) "
    "* 3; }\n"
    "static __device__ __attribute__((noinline)) u32 walk(u32 x, u32 y) { for (u32 k = 0; k < 6; ++k) { if ((x & 7) == "
    "k) return x + k; if (y & 1) { x ^= y; if ((x & 3) == 0) break; y += x; } else { x += 3; } y >>= 1; } return x * 5 "
    "+ y; }\n";
inline std::uint32_t cuda_walk(std::uint32_t x, std::uint32_t y) {
  for (std::uint32_t k = 0; k < 6; ++k) {
    if ((x & 7) == k) return x + k;
    if ((y & 1) != 0) {
      x ^= y;
      if ((x & 3) == 0) break;
      y += x;
    } else {
      x += 3;
    }
    y >>= 1;
  }
  return x * 5 + y;
}

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

inline std::string cuda_text(const CudaNode& n, unsigned depth = 0) {
  const auto child = [&](std::size_t k) { return cuda_text(*n.children[k], depth + 1); };
  const auto variable = [&] { return "v" + std::to_string(n.op); };
  const auto fill = [&](const char* pattern) {
    std::string text;
    for (const char* c = pattern; *c != 0; ++c)
      text += *c == '@' ? child(0) : *c == '#' ? child(1) : std::string(1, *c);
    return text;
  };
  const auto fill_access = [&](const char* pattern) {
    std::string text;
    for (const char* c = pattern; *c != 0; ++c)
      text += *c == '@' ? kCudaPointers[n.op] : *c == '#' ? child(0) : *c == '%' ? child(1) : std::string(1, *c);
    return text;
  };
  const auto element = [&](unsigned memory, const std::string& index) {
    return std::string(kCudaMemories[memory].base) + "[(" + index + ") & " +
           std::to_string(kCudaMemories[memory].words - 1) + "]";
  };
  const std::string i = "i" + std::to_string(depth);
  const std::string next = "next" + std::to_string(n.number), exit = "exit" + std::to_string(n.number);
  switch (n.kind) {
    case CudaNode::kNumber: return std::to_string(static_cast<std::uint32_t>(n.number)) + "u";
    case CudaNode::kVariable: return is_short_variable(n.op) ? "((u32)" + variable() + ")" : variable();
    case CudaNode::kElement: return element(n.op, child(0));
    case CudaNode::kThrough: return fill_access(kCudaReads[n.number]);
    case CudaNode::kUnary: return fill(kCudaUnary[n.op]);
    case CudaNode::kBinary: return fill(kCudaBinary[n.op]);
    case CudaNode::kChoice: return "(((" + child(0) + ") & 1) != 0 ? " + child(1) + " : " + child(2) + ")";
    case CudaNode::kCall:
      return (n.body ? "f" + std::to_string(n.number) : std::string(n.op == 0 ? "distance" : "walk")) + "((u32)(" +
             child(0) + "), (u32)(" + child(1) + "))";
    case CudaNode::kAssign: return variable() + " = " + child(0) + ";\n";
    case CudaNode::kStoreElement:
      return "{ u32 at = (" + child(0) + ") & 7; " + element(n.op, "at") + " = (u32)(" + child(1) + "); }\n";
    case CudaNode::kPoint: {
      const auto place = [&](std::size_t k) {
        const CudaMemory& memory = kCudaMemories[n.number >> 8 * k & 0xff];
        return std::string(memory.base) + " + 4 * ((u32)(" + child(k) + ") % " + std::to_string(memory.words / 4) +
               "u)";
      };
      const std::string to = std::string(kCudaPointers[n.op]) + " = ";
      if (n.children.size() == 1) return to + place(0) + ";\n";
      return to + "((" + child(2) + ") & 1) != 0 ? " + place(0) + " : " + place(1) + ";\n";
    }
    case CudaNode::kStoreThrough: return fill_access(kCudaWrites[n.number]) + ";\n";
    case CudaNode::kAtomicAdd:
      return variable() + " = (u32)__nvvm_atom_add_gen_i((int*)(((" + child(0) + ") & 1) != 0 ? &" +
             element(kOwn, child(1)) + " : &" + element(kMine, child(1)) + "), (int)(u32)(" + child(2) + "));\n";
    case CudaNode::kIf: return "if (((" + child(0) + ") & 1) != 0) {\n" + child(1) + "} else {\n" + child(2) + "}\n";
    case CudaNode::kFor:
      return "{ u32 e = (u32)((" + child(0) + ") & 7); for (u32 " + i + " = 0; " + i + " < e; ++" + i + ") {\n" +
             child(1) + "if ((v0 & 15) == 15) break;\n" + variable() + " += " + i + ";\n" + next + ":;\n}\n" + exit +
             ":; }\n";
    case CudaNode::kWhile:
      return "{ u32 " + i + " = 0; while (((" + child(0) + ") & 3) != 0 && " + i + " < 5) {\n" + child(1) + next +
             ":; ++" + i + ";\n}\n" + exit + ":; }\n";
    case CudaNode::kSwitch: {
      std::string text = "switch ((u32)((" + child(0) + ") & 3) % " + std::to_string(n.children.size() - 1) + "u) {\n";
      for (std::size_t k = 1; k < n.children.size(); ++k)
        text += "case " + std::to_string(k - 1) + ": {\n" + child(k) + "} break;\n";
      return text + "}\n";
    }
    case CudaNode::kBreak: return "goto " + exit + ";\n";
    case CudaNode::kContinue: return "goto " + next + ";\n";
    case CudaNode::kReturn: return "LEAVE;\n";
    default: {
      std::string text;
      for (const CudaTree& c : n.children) text += cuda_text(*c, depth + 1);
      return text;
    }
  }
}

/// The text of a random function.
inline std::string cuda_function_text(std::uint64_t number, const CudaNode& body) {
  return "static __device__ __attribute__((noinline)) u32 f" + std::to_string(number) +
         "(u32 x, u32 y) {\nu32 v0 = x, v1 = y, v2 = x + y, v3 = x ^ y, v4 = x & y, v5 = 0; u64 v6 = x | (u64)y << 32, "
         "v7 = "
         "x; unsigned short v8 = y; short v9 = x;\nu32 a[8]; for (u32 k = 0; k < 8; ++k) a[k] = k * 3 + y;\n" +
         cuda_text(body) + "LEAVE;\n}\n";
}
inline constexpr const char* kCudaLeaveFunction =
    "#define LEAVE return ((((((v0 * 3 + v1) * 3 + v2) * 3 + v3) * 3 + v4) * 3 + v5) * 5 + v8) * 5 + (u32)v9 + "
    "(u32)(v6 >> 32) + (u32)v7 + "
    "a[x & 7]\n";

/// The random functions that a tree calls, by number, with those that they call.
inline void cuda_functions_of(const CudaNode& n, std::map<std::uint64_t, CudaTree>& functions) {
  if (n.body && functions.emplace(n.number, n.body).second) cuda_functions_of(*n.body, functions);
  for (const CudaTree& child : n.children) cuda_functions_of(*child, functions);
}

/// Makes trees.
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

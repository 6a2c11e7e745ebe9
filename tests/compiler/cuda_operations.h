// SPDX-License-Identifier: Apache-2.0
// What random CUDA kernels compute with: operations, memories and ways to read them, each as C prints it and as the
// host computes it. All arithmetic is on unsigned numbers of 32 or 64 bits, some of them kept in 16, with casts where
// signs matter, so that nothing is undefined.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace g80 {

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

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Machine words of the few instructions the directed tests use, written from the instruction layouts.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "tb/golden/grid.h"

namespace g80::golden {

using Words = std::vector<std::uint32_t>;

inline constexpr unsigned kAlwaysCond = 0xf, kNotZero = 0x5, kZero = 0xa;
inline constexpr unsigned kLess = 1, kEqual = 2, kGreater = 4;

inline std::uint32_t target_bits(std::uint32_t target) { return (target >> 2 & 0xffffu) << 11; }
inline std::uint32_t guard_bits(unsigned cond, unsigned flags) { return cond << 7 | flags << 12; }

inline Words nop() { return {0xf0000001, 0xe0000780}; }
inline Words nop_exit() { return {0xf0000001, 0xe0000001}; }
inline Words nop_join() { return {0xf0000001, 0xe0000002}; }
inline Words bra(std::uint32_t target, unsigned cond = kAlwaysCond, unsigned flags = 0) {
  return {0x10000003 | target_bits(target), guard_bits(cond, flags)};
}
inline Words call(std::uint32_t target, bool limited = false) {
  return {0x20000003 | target_bits(target), 0x780 | (limited ? 0x40u : 0u)};
}
inline Words ret(unsigned cond = kAlwaysCond, unsigned flags = 0) { return {0x30000003, guard_bits(cond, flags)}; }
inline Words breakaddr(std::uint32_t target) { return {0x40000003 | target_bits(target), 0x780}; }
inline Words brk(unsigned cond = kAlwaysCond, unsigned flags = 0) { return {0x50000003, guard_bits(cond, flags)}; }
inline Words quadon() { return {0x60000003, 0x780}; }
inline Words quadpop() { return {0x70000003, 0x780}; }
inline Words barrier(unsigned id = 0, bool arrive = true, bool wait = true) {
  return {0x801ffe03 | id << 21 | (arrive ? 1u << 25 : 0) | (wait ? 1u << 26 : 0), 0};
}
inline Words trap() { return {0x90000003, 0x780}; }
inline Words joinat(std::uint32_t target) { return {0xa0000003 | target_bits(target), 0x780}; }

inline Words mov_imm(unsigned r, std::uint32_t v) {
  return {0x10008001 | r << 2 | (v & 63u) << 16, (v >> 6) << 2 | 3u};
}
inline Words mov(unsigned d, unsigned s) { return {0x10000001 | d << 2 | s << 9, 0x0403c780}; }
inline Words add(unsigned d, unsigned a, unsigned b) { return {0x20000001 | d << 2 | a << 9, 0x04000780 | b << 14}; }
inline Words add_imm(unsigned d, unsigned a, std::uint32_t v) {
  return {0x20008001 | d << 2 | a << 9 | (v & 63u) << 16, (v >> 6) << 2 | 3u};
}
inline Words and_imm(unsigned d, unsigned a, std::uint32_t v) {
  return {0xd0000001 | d << 2 | a << 9 | (v & 63u) << 16, (v >> 6) << 2 | 3u};
}
inline Words shl_imm(unsigned d, unsigned a, unsigned n) {
  return {0x30000001 | d << 2 | a << 9 | n << 16, 0xc4100780};
}
/// set $c<flags> # <relation> u32 $ra $rb
inline Words set_flags(unsigned flags, unsigned relation, unsigned a, unsigned b) {
  return {0x300001fd | a << 9 | b << 16, 0x640007c8 | relation << 14 | flags << 4};
}
inline Words ld_global(unsigned d, unsigned a, unsigned type = 6) {
  return {0xd00e0001 | d << 2 | a << 9, 0x80000780 | type << 21};
}
inline Words st_global(unsigned a, unsigned d, unsigned type = 6) {
  return {0xd00e0001 | d << 2 | a << 9, 0xa0000780 | type << 21};
}
inline Words shl_addr(unsigned a, unsigned r, unsigned n) {
  return {0x00000001 | a << 2 | r << 9 | n << 16, 0xc0000780};
}
inline Words ld_local(unsigned d, unsigned offset, unsigned addr = 0, unsigned type = 6) {
  return {0xd0000001 | d << 2 | offset << 9 | (addr & 3u) << 26, 0x40000780 | type << 21 | addr >> 2 << 2};
}
inline Words st_local(unsigned offset, unsigned d, unsigned addr = 0, unsigned type = 6) {
  return {0xd0000001 | d << 2 | offset << 9 | (addr & 3u) << 26, 0x60000780 | type << 21 | addr >> 2 << 2};
}
/// st b32 s[offset]; offset in bytes, a multiple of 4.
inline Words st_shared(unsigned offset, unsigned d, unsigned addr = 0) {
  return {0x00000001 | (offset / 4) << 9 | (addr & 3u) << 26, 0xe4200780 | d << 14 | addr >> 2 << 2};
}
inline Words ld_shared(unsigned d, unsigned offset, unsigned addr = 0) {
  return {0x10000001 | d << 2 | (offset / 4) << 9 | (addr & 3u) << 26, 0x4400c780 | addr >> 2 << 2};
}

inline Words join_words(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// A program with one block of `threads`, its memory, and a step-by-step or complete run.
struct Machine {
  explicit Machine(std::initializer_list<Words> code, std::uint32_t threads = kWarpSize,
                   isa::Arch arch = isa::Arch::kSm13)
      : program(join_words(code), arch), port(image), executor(program, launch) {
    launch.block_x = threads;
    launch.registers = 32;
    launch.shared_bytes = 1024;
    launch.local_bytes = 64;
    image.allow(0x1000, 0x1000);
  }
  RunResult run() { return run_grid(program, launch, image); }
  void start() { block.start(launch, 0); }
  StepStatus step(unsigned warp = 0) { return executor.step(block, block.warps[warp], port, &record); }
  /// Steps until something else than kStepped comes back.
  StepStatus run_warp(unsigned warp = 0) {
    StepStatus status = StepStatus::kStepped;
    for (int i = 0; i < 10000 && status == StepStatus::kStepped; ++i) status = step(warp);
    return status;
  }
  std::uint32_t out(std::uint32_t index) const { return image.word(0x1000 + 4 * index); }
  WarpState& warp(unsigned i = 0) { return block.warps[i]; }

  Launch launch;
  Program program;
  MemoryImage image;
  ImagePort port;
  Executor executor;
  BlockState block;
  StepRecord record;
};

}  // namespace g80::golden

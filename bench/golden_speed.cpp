// SPDX-License-Identifier: Apache-2.0
// How fast is the golden reference? Warp instructions per second on one thread, for an integer and float loop without
// memory, for the same loop with a global load and store, and for one with special functions.
#include <fmt/format.h>

#include <ctime>
#include <vector>

#include "tb/golden/grid.h"

namespace {

using namespace g80;
using namespace g80::golden;

// Loop bodies in machine words; each is run kIterations times by one full warp.
//   mov b32 $r3 iterations; L: <body>; add b32 $c0 $r3 $r3 -1; (lg $c0) bra L; exit nop
constexpr std::uint32_t kIterations = 200000;

struct Loop {
  const char* name;
  std::vector<std::uint32_t> body;
};

const Loop kLoops[] = {
    {"integer and float",
     {
         0xe0060811, 0x00014780,  // add f32 $r4 (mul $r4 $r6) $r5
         0xb0000815, 0x00018780,  // add rn f32 $r5 $r4 $r6
         0xc0060819, 0x00000780,  // mul rn f32 $r6 $r4 $r6
         0x2000081d, 0x04018780,  // add b32 $r7 $r4 $r6
         0xd0060e1d, 0x04008780,  // xor b32 $r7 $r7 $r6
         0x30050e21, 0xc4100780,  // shl b32 $r8 $r7 5
         0x60080e25, 0x0001c780,  // add $r9 (mul u16 $r3h $r4l) $r7
         0x307c0ffd, 0x640147c8,  // set $c0 # lg u32 $r7 $r124
     }},
    {"with global load and store",
     {
         0xd00e0411, 0x80c00780,  // ld b32 $r4 g14[$r2]
         0xe0060811, 0x00014780,  // add f32 $r4 (mul $r4 $r6) $r5
         0x2000081d, 0x04018780,  // add b32 $r7 $r4 $r6
         0xd00e0411, 0xa0c00780,  // st b32 g14[$r2] $r4
     }},
    {"special functions",
     {
         0x90000811, 0x00000780,  // rcp f32 $r4 $r4
         0xb0000a15, 0xc0004780,  // preex2 f32 $r5 $r5
         0x90000a15, 0xc0000780,  // ex2 f32 $r5 $r5
         0x90000c19, 0x40000780,  // rsqrt f32 $r6 $r6
     }},
};

std::vector<std::uint32_t> program_of(const Loop& loop) {
  std::vector<std::uint32_t> words = {0x1000800d | (kIterations & 63u) << 16,
                                      (kIterations >> 6) << 2 | 3u,
                                      0xa0000011,
                                      0x44004780,  // cvt rn f32 $r4 u32 $r0
                                      0x10008015,
                                      0x03f9999b,  // mov b32 $r5 1.2f
                                      0x10008019,
                                      0x03f8000b};  // mov b32 $r6 1.0f
  const auto start = static_cast<std::uint32_t>(words.size());
  words.insert(words.end(), loop.body.begin(), loop.body.end());
  words.insert(words.end(), {0x203f860d, 0x0fffffff,                // add b32 $r3 $r3 -1
                             0x307c07fd, 0x640147c8,                // set $c0 # lg u32 $r3 $r124
                             0x10000003 | start << 11, 0x00000280,  // (lg $c0) bra start
                             0xf0000001, 0xe0000001});              // exit (never) nop
  return words;
}

void measure(const Loop& loop) {
  const Program program(program_of(loop), isa::Arch::kSm10);
  Launch launch;
  launch.block_x = kWarpSize;
  launch.registers = 16;
  MemoryImage image;
  image.allow(0, 4096);
  const std::clock_t begin = std::clock();  // processor time: other programs on the machine do not count
  const RunResult result = run_grid(program, launch, image);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (result.status != RunStatus::kFinished) {
    fmt::print("{}: {}\n", loop.name, describe(result.fault));
    return;
  }
  const auto count = static_cast<double>(result.warp_instructions);
  fmt::print("{:<28} {:>8.2f} million warp instructions/s  {:>6.1f} ns each\n", loop.name, count / seconds / 1e6,
             seconds / count * 1e9);
}

}  // namespace

int main() {
  for (const Loop& loop : kLoops) measure(loop);
}

// SPDX-License-Identifier: Apache-2.0
#include "app/run/device_copy.h"

#include <algorithm>
#include <utility>

#include "hw/common/check.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

constexpr std::uint32_t kThreads = 256, kElementBytes = 8;  // a thread copies an element
constexpr std::uint32_t kMaxBlocks = 65535;                 // of one dimension of a grid
constexpr std::uint32_t kMaxLineBytes = kMaxBlocks * kThreads * kElementBytes;
constexpr std::uint32_t kHalfWarpBytes = 16 * kElementBytes;
constexpr const char* kProgram = R"(.kernel device_copy
.reg 8
.param ptr to
.param ptr from
.param u32 elements              // of a line, 8 bytes each
.param u32 to_pitch
.param u32 from_pitch
  cvt u32 $r0 u16 $r0l
  mov b16 $r1l u16 s[0xc]
  cvt u32 $r2 u16 $r1l
  shl b32 $r2 $r2 0x8
  add b32 $r0 $r2 $r0            // element in its line
  mov b32 $r3 b32 s[elements]
  set $c0 # ge u32 $r0 $r3
  (lg $c0) ret
  shl b32 $r0 $r0 0x3
  mov b16 $r1l u16 s[0xe]        // line
  mov b32 $r3 b32 s[from_pitch]
  mul $r4 u16 $r1l u16 $r3h
  shl b32 $r4 $r4 0x10
  add $r4 (mul u16 $r1l $r3l) $r4
  add b32 $r4 b32 s[from] $r4
  add b32 $r4 $r4 $r0
  ld b64 $r6d g14[$r4]
  mov b32 $r3 b32 s[to_pitch]
  mul $r4 u16 $r1l u16 $r3h
  shl b32 $r4 $r4 0x10
  add $r4 (mul u16 $r1l $r3l) $r4
  add b32 $r4 b32 s[to] $r4
  add b32 $r4 $r4 $r0
  st b64 g14[$r4] $r6d
  exit nop
)";

bool coalesces(const Lines& lines) {
  return !lines.surface && lines.address % kHalfWarpBytes == 0 &&
         (lines.count == 1 || lines.pitch % kHalfWarpBytes == 0);
}

/// What one launch copies of the lines: from line `first` and byte `offset` of the lines on.
Lines part_of(const Lines& lines, std::uint32_t first, std::uint32_t offset) {
  return {lines.address + first * lines.pitch + offset, std::min(kMaxLineBytes, lines.bytes - offset),
          std::min(kMaxBlocks, lines.count - first), lines.pitch};
}

const Module& copy_program() {
  static const Module program = assemble(kProgram, "device_copy.sasm");
  return program;
}

}  // namespace

std::vector<Launch> copy_launches(const Config& config, const Lines& to, const Lines& from) {
  std::vector<Launch> launches;
  const bool large = std::uint64_t{to.bytes} * to.count >= kLeastKernelCopy;
  if (!large || to.bytes % kElementBytes != 0 || !coalesces(to) || !coalesces(from)) return launches;
  for (std::uint32_t line = 0; line < to.count; line += kMaxBlocks) {
    for (std::uint32_t offset = 0; offset < to.bytes; offset += kMaxLineBytes) {
      const Lines target = part_of(to, line, offset), source = part_of(from, line, offset);
      const std::uint32_t elements = target.bytes / kElementBytes;
      launches.emplace_back(
          config, copy_program().kernels.front(), Launch::Extent{(elements + kThreads - 1) / kThreads, target.count, 1},
          Launch::Extent{kThreads, 1, 1},
          std::vector<std::uint32_t>{target.address, source.address, elements, target.pitch, source.pitch});
    }
  }
  return launches;
}

void DeviceCopy::copy(const Lines& to, const Lines& from) {
  const std::vector<Launch> launches = copy_launches(machine_.config(), to, from);
  if (launches.empty()) return machine_.copy(to, from);
  if (!std::exchange(loaded_, true)) machine_.load(copy_program());
  for (const Launch& launch : launches) {
    const LaunchResult result = machine_.launch(launch);
    CHECK(result.end == LaunchEnd::kFinished, "a copy on the device: {}: {}", launch_end_name(result.end),
          result.message);
  }
}

}  // namespace g80

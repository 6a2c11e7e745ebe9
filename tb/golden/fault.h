// SPDX-License-Identifier: Apache-2.0
// A kernel fault: an architectural result, reported as a value.
#pragma once
#include <cstdint>
#include <string>

namespace g80::golden {

enum class FaultKind : std::uint8_t {
  kNone,
  kIllegalInstruction,  // an undefined word, or one for graphics only
  kUnalignedLong,       // a long instruction at an odd word
  kCodeLimit,           // pc outside the code segment
  kTrap,
  kBreakpoint,
  kStackUnderflow,
  kStackMismatch,  // join or quadpop found the wrong kind of entry
  kStackOverflow,
  kQuadonActive,  // control flow while whole-quad mode is on
  kMisaligned,
  kOutOfBounds,      // outside every allocation (g[]), or outside s[], l[] or the space's limit
  kSpaceDisabled,    // the g[] space is not set up
  kBarrierDeadlock,  // every warp of a block waits
};
/// A clear phrase, e.g. "misaligned address".
const char* fault_text(FaultKind kind);

enum class Space : std::uint8_t { kGlobal, kShared, kLocal, kConst, kTexture, kCode };
const char* space_text(Space space);

struct Fault {
  FaultKind kind = FaultKind::kNone;
  Space space = Space::kGlobal;
  std::uint8_t lane = 0;
  std::uint8_t bytes = 0;  // size of the access
  bool is_write = false;
  std::uint16_t warp = 0;   // within the block
  std::uint32_t block = 0;  // linear block number
  std::uint32_t pc = 0;
  std::uint32_t w0 = 0, w1 = 0;  // the instruction's words
  std::uint32_t address = 0;

  explicit operator bool() const { return kind != FaultKind::kNone; }
};
/// One sentence with block, warp, lane, pc, instruction and address.
std::string describe(const Fault& fault);

}  // namespace g80::golden

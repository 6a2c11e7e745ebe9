// SPDX-License-Identifier: Apache-2.0
// Bundles between CTA scheduler and SM: launch of a CTA, end of a CTA, kernel fault.
#pragma once
#include <cstdint>

#include "hw/bundles/transaction.h"
#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

struct CtaLaunch {
  bool valid = false;
  std::uint16_t cta_x = 0, cta_y = 0;
  std::uint32_t kernel = 0;  // number of the launch; a new one makes the SM invalidate its first-level caches
  G80_FIELDS(valid, cta_x, cta_y, kernel);
};
/// A block has ended; or nothing is left in the SM and on its way out of it, which comes behind the last block's end.
struct CtaDone {
  bool valid = false;
  std::uint16_t cta_x = 0, cta_y = 0;
  bool idle = false;  // the second: no block is named
  G80_FIELDS(valid, cta_x, cta_y, idle);
};

/// A kernel fault: it ends the kernel; the driver reports it with its instruction.
enum class FaultKind : std::uint8_t {
  kNone,
  kIllegalInstruction,
  kUnalignedInstruction,
  kTrap,
  kMisalignedAddress,
  kGlobalLimit,
  kPageNotPresent,
  kLocalLimit,
  kSharedLimit,
  kConstLimit,
  kStackOverflow,
  kStackUnderflow,
  kStackMismatch,
  kQuadonActive,
  kBreakpoint,
  kCodeLimit
};
inline const EnumText& enum_text(FaultKind) {
  static const char* const names[] = {"-",
                                      "ILLEGAL_INSTRUCTION",
                                      "UNALIGNED_LONG_INSTRUCTION",
                                      "TRAP",
                                      "MISALIGNED_ADDRESS",
                                      "GLOBAL_LIMIT",
                                      "PAGE_NOT_PRESENT",
                                      "LOCAL_LIMIT",
                                      "SHARED_LIMIT",
                                      "CONST_LIMIT",
                                      "STACK_OVERFLOW",
                                      "STACK_UNDERFLOW",
                                      "STACK_MISMATCH",
                                      "QUADON_ACTIVE",
                                      "BREAKPOINT",
                                      "CODE_LIMIT"};
  static const EnumText text{"FaultKind", names, 16};
  return text;
}
struct KernelFault {
  bool valid = false;
  FaultKind kind = FaultKind::kNone;
  std::uint8_t lane = 0;
  std::uint8_t warp_in_cta = 0;
  std::uint16_t cta_x = 0, cta_y = 0;
  std::uint32_t address = 0;
  std::uint32_t words[2] = {0, 0};  // the instruction
  Origin origin;                    // SM, warp slot, pc
  G80_FIELDS(valid, (kind, 4), (lane, 5), (warp_in_cta, 5), cta_x, cta_y, address, (word, words, 0), origin);
};

}  // namespace g80

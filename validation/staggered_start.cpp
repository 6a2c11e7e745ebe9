// SPDX-License-Identifier: Apache-2.0
#include "validation/staggered_start.h"

#include <fmt/format.h>

namespace g80::silicon {

std::string staggered(unsigned num_sms, std::uint32_t apart) {
  return fmt::format(
      "  cvt u32 $r1 u16 u16 s[0xc]\n  mov b32 $r2 {:#x}\n"
      "turn:\n  set $c0 # l u32 $r1 $r2\n  (lg $c0) bra known\n  sub b32 $r1 $r1 $r2\n  bra turn\nknown:\n"
      "  mov b32 $r2 {:#x}\n  mul $r2 u24 $r1 $r2\n  mov $r3 $clock\nlater:\n  mov $r4 $clock\n"
      "  sub b32 $r4 $r4 $r3\n  set $c0 # l u32 $r4 $r2\n  (lg $c0) bra later\n",
      num_sms, apart);
}

}  // namespace g80::silicon

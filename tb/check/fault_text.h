// SPDX-License-Identifier: Apache-2.0
// The text of an injected fault: PATH=VALUE@WHEN sets a field, PATH^=BITS@WHEN inverts bits of it.
//
//   WHEN   C       once, at shader cycle C
//          C..     from cycle C to the end
//          C..D    from cycle C to cycle D
// PATH is a signal's name as waves show it, or the end of one, without wildcards.
#pragma once
#include <string>

#include "hw/common/types.h"

namespace g80 {

struct FaultText {
  static constexpr Cycle kToTheEnd = ~Cycle{0};
  std::string text;  // as written
  std::string path;
  std::string value;  // a number, or the name of an enumeration's value
  bool invert = false;
  bool once = false;
  Cycle from = 0, to = kToTheEnd;
};

/// Throws InputError: one sentence with the text and what is allowed.
FaultText parse_fault(const std::string& text);

}  // namespace g80

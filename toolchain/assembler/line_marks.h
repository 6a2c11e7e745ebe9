// SPDX-License-Identifier: Apache-2.0
// The marks that may follow an instruction: .short, .long, .raw W0 [W1].
#pragma once
#include <cstdint>
#include <string_view>

namespace g80::isa {

struct LineMarks {
  std::size_t begin = 0;  // where the marks start, or the length of the text
  bool wants_short = false, wants_long = false, has_raw = false;
  std::uint32_t raw0 = 0, raw1 = 0;
};

/// Throws AssemblyError.
LineMarks read_marks(std::string_view text);

}  // namespace g80::isa

// SPDX-License-Identifier: Apache-2.0
#include "tb/check/fault_text.h"

#include <fmt/format.h>

#include "input/input_error.h"
#include "tb/waves/number.h"

namespace g80 {

FaultText parse_fault(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    return InputError(fmt::format(
        "--inject {}: {}; write PATH=VALUE@CYCLE, @FROM.. or @FROM..TO, and ^= to invert bits", text, what));
  };
  FaultText fault;
  fault.text = text;
  const std::size_t equals = text.find('='), at = text.find('@', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos) throw wrong("there is no '='");
  if (at == std::string::npos) throw wrong("there is no '@' with a shader cycle");
  fault.invert = equals > 0 && text[equals - 1] == '^';
  fault.path = text.substr(0, equals - (fault.invert ? 1 : 0));
  fault.value = text.substr(equals + 1, at - equals - 1);
  if (fault.path.empty()) throw wrong("there is no signal name");
  if (fault.path.find_first_of("*?") != std::string::npos)
    throw wrong("a fault must name one signal, without wildcards");
  if (fault.value.empty()) throw wrong("there is no value");
  const std::string when = text.substr(at + 1);
  const std::size_t dots = when.find("..");
  if (!parse_number(when.substr(0, dots), fault.from) || fault.from > kLastCycle)
    throw wrong(fmt::format("'{}' is not a shader cycle", when));
  fault.once = dots == std::string::npos;
  if (fault.once || dots + 2 == when.size()) return fault;
  if (!parse_number(when.substr(dots + 2), fault.to) || fault.to > kLastCycle)
    throw wrong(fmt::format("'{}' is not a shader cycle", when.substr(dots + 2)));
  if (fault.to < fault.from) throw wrong(fmt::format("cycle {} is before {}", fault.to, fault.from));
  return fault;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "tb/check/fault_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "hw/common/input_error.h"

namespace g80 {

namespace {

/// "2.5e6" -> "2500000"; empty if the number is not an integer.
std::string without_exponent(const std::string& text, std::size_t e) {
  std::string digits = text.substr(0, e);
  const std::string exponent = text.substr(text.compare(e + 1, 1, "+") == 0 ? e + 2 : e + 1);
  if (exponent.empty() || exponent.size() > 2 || exponent.find_first_not_of("0123456789") != std::string::npos)
    return {};
  const std::size_t point = std::min(digits.find('.'), digits.size()), places = std::stoul(exponent);
  if (point != digits.size()) digits.erase(point, 1);
  if (digits.empty()) return {};
  if (digits.size() < point + places) digits.append(point + places - digits.size(), '0');
  if (digits.find_first_not_of('0', point + places) != std::string::npos) return {};
  return digits.substr(0, point + places);
}

}  // namespace

bool parse_number(const std::string& text, std::uint64_t& value) {
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const std::size_t e = hex ? std::string::npos : text.find_first_of("eE");
  const std::string digits = hex ? text.substr(2) : e != std::string::npos ? without_exponent(text, e) : text;
  if (digits.empty() || digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789") != std::string::npos)
    return false;
  errno = 0;
  value = std::strtoull(digits.c_str(), nullptr, hex ? 16 : 10);
  return errno == 0;
}

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
  if (!parse_number(when.substr(0, dots), fault.from)) throw wrong(fmt::format("'{}' is not a shader cycle", when));
  fault.once = dots == std::string::npos;
  if (fault.once || dots + 2 == when.size()) return fault;
  if (!parse_number(when.substr(dots + 2), fault.to))
    throw wrong(fmt::format("'{}' is not a shader cycle", when.substr(dots + 2)));
  if (fault.to < fault.from) throw wrong(fmt::format("cycle {} is before {}", fault.to, fault.from));
  return fault;
}

}  // namespace g80

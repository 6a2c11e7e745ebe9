// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/number.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

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

}  // namespace g80

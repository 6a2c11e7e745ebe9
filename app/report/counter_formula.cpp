// SPDX-License-Identifier: Apache-2.0
#include "app/report/counter_formula.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace g80 {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument(fmt::format("'{}' is not a formula of counters", text));
}

CounterFormula::Term term_of(std::string_view text) {
  CounterFormula::Term term;
  if (const auto star = text.find('*'); star != std::string_view::npos) {
    const std::string_view factor = trimmed(text.substr(0, star));
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), term.factor);
    if (error != std::errc() || end != factor.data() + factor.size()) refuse(text);
    text = text.substr(star + 1);
  }
  term.name = trimmed(text);
  constexpr const char* kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789_.";
  if (term.name.empty() || term.name.find_first_not_of(kNameLetters) != std::string::npos) refuse(text);
  return term;
}

}  // namespace

CounterFormula::CounterFormula(std::string_view text) {
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('+', from), text.size());
    terms_.push_back(term_of(text.substr(from, to - from)));
    from = to + 1;
  }
}

std::uint64_t CounterFormula::value(const std::function<std::uint64_t(const std::string&)>& value_of) const {
  std::uint64_t sum = 0;
  for (const Term& term : terms_) sum += term.factor * value_of(term.name);
  return sum;
}

std::size_t CounterStatement::relation(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == 0 || at == std::string_view::npos) refuse(text);
  return at;
}

CounterStatement::CounterStatement(std::string_view text)
    : left_(text.substr(0, relation(text) - (text[relation(text) - 1] == '<'))),
      right_(text.substr(relation(text) + 1)),
      equal_(text[relation(text) - 1] != '<') {}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Sums of counters, written as text: "issued + stall", "32 * partition.dram_read_bursts", and statements about two of
// them: "shared_requests + bank_conflict_passes = shared_passes".
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace g80 {

/// A sum of counters with whole factors: NAME or FACTOR * NAME, with + between.
class CounterFormula {
 public:
  struct Term {
    std::uint64_t factor = 1;
    std::string name;
  };
  /// Throws std::invalid_argument at a text that is none.
  explicit CounterFormula(std::string_view text);

  const std::vector<Term>& terms() const { return terms_; }
  /// `value_of` has the counter's value; its own errors pass through.
  std::uint64_t value(const std::function<std::uint64_t(const std::string&)>& value_of) const;

 private:
  std::vector<Term> terms_;
};

/// Two formulas with = or <= between.
class CounterStatement {
 public:
  explicit CounterStatement(std::string_view text);
  const CounterFormula& left() const { return left_; }
  const CounterFormula& right() const { return right_; }
  bool equal() const { return equal_; }
  bool holds(std::uint64_t left, std::uint64_t right) const { return equal_ ? left == right : left <= right; }

 private:
  static std::size_t relation(std::string_view text);
  CounterFormula left_, right_;
  bool equal_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Finds the places of a source that a mutant can change, and writes the source with all chosen mutants in it, each
// behind a switch. C++ (mutant_switch.h) is read as tokens, not as syntax: clang-format's spaces tell `a < b` from
// `f<b>` and `a * b` from `T* b`. Of SystemVerilog (mutant_pkg.sv) the expressions are parsed. What does not compile
// with its mutant is left out by hand (see run).
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace g80::mutation {

struct Place {
  std::string operation;  // "relational", "arithmetic", "logical", "constant", "condition", "statement", ...
  unsigned line = 0;      // from 1
  std::string change;     // "< becomes <="
  // The mutant as text: `before` at offset `begin`, `after` at offset `end`. A # stands for its number.
  std::size_t begin = 0, end = 0;
  std::string before, after;
};

/// Every place of `source`, in order.
std::vector<Place> find_places(std::string_view source);
std::vector<Place> find_rtl_places(std::string_view source);

/// The line of `source` where the mutant's text begins, without indentation. The plan and equivalent.tsv quote it.
std::string quoted_line(std::string_view source, const Place& place);

struct Chosen {
  const Place* place = nullptr;
  unsigned number = 0;
};
/// `source` with the mutants; its lines stay where they are.
std::string with_mutants(std::string_view source, const std::vector<Chosen>& chosen);

}  // namespace g80::mutation

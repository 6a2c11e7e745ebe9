// SPDX-License-Identifier: Apache-2.0
// tests/quality/code_quality.tsv from the rows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/quality/comparison.h"

namespace g80::quality {
namespace {

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

/// Registers, instructions and loops.
std::string shape_text(const CodeShape& shape) {
  return fmt::format("{}\t{}\t{}", shape.registers, shape.instructions,
                     or_dash(fmt::format("{}", fmt::join(shape.loops, ","))));
}

constexpr const char* kStart =
    R"(# Machine code of NVIDIA's compiler beside ours. In each: registers of a thread (where a binary does not state them, the
# highest one in its code); reachable instructions, without padding; instructions an iteration of each innermost loop, in
# code order, with all sides of branches and the functions that it calls; warp instructions executed in all runs.
# Of a listing only the code is public, so it does not run.
kernel	runs	registers	instructions	loops	executed	our registers	our instructions	our loops	our executed	ratio	listing	over the bound
)";

}  // namespace

std::string quality_table(const std::vector<Row>& rows) {
  std::string table = kStart;
  for (const Row& row : rows) {
    const bool runs = row.listing.empty();
    std::string over;
    for (const std::string& what : row.over())
      over +=
          fmt::format("{}{}: {}", over.empty() ? "" : "; ", what, row.reason.empty() ? "no reason given" : row.reason);
    table += fmt::format(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.name, runs ? std::to_string(row.runs) : "-",
        shape_text(row.nvidia.shape), runs ? std::to_string(row.nvidia.executed) : "-", shape_text(row.ours.shape),
        runs ? std::to_string(row.ours.executed) : "-",
        runs ? fmt::format("{:.2f}", static_cast<double>(row.ours.executed) / static_cast<double>(row.nvidia.executed))
             : "-",
        or_dash(row.listing), or_dash(over));
  }
  return table;
}

}  // namespace g80::quality

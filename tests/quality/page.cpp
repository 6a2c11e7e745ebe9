// SPDX-License-Identifier: Apache-2.0
// docs/code-quality.md from the rows.
#include <fmt/format.h>

#include "tests/quality/comparison.h"

namespace g80::quality {
namespace {

std::string loops_text(const std::vector<unsigned>& loops) {
  std::string text;
  for (const unsigned loop : loops) text += (text.empty() ? "" : ", ") + std::to_string(loop);
  return text.empty() ? "-" : text;
}

constexpr const char* kStart =
    R"(# How good the compiler's code is

Machine code of our compiler beside that of NVIDIA's for compute capability 1.0 to 1.2. The kernels are those of the binaries
that the conformance data list and that more than one instruction of a C program went into; our sources in `tests/quality/kernels/`
say what the machine code does. Both codes run the same cases on the reference, and both must leave the same memory.
Printed by `code_quality_doc` (`docs/code_quality.cpp`); `tests/quality/` compares this page with what it prints.

Each figure is NVIDIA's, then ours.

- **Registers**: 32-bit registers per thread; where a binary's file does not state them, the highest register its code names.
- **Instructions**: those that can be reached. Padding and what follows an exit do not count.
- **Loops**: instructions per iteration of every innermost loop, in the order of the code. A loop is counted with all sides of the branches
  in it and with the functions it calls, so it is the longest way through where sides are guarded instructions and more where they are branches.
- **Executed**: warp instructions in all runs, the most complete figure: it holds the loops, what is around them, and every branch as it went.

Ours may be worse by at most 25 % in registers, in each loop and in executed instructions; a test fails on any other row. Loops are compared
one by one where both codes have the same number of them.

| Kernel | Runs | Registers | Instructions | Loops | Executed | Executed, ours to NVIDIA's |
|---|---|---|---|---|---|---|
)";

}  // namespace

std::string quality_page(const std::vector<Row>& rows) {
  std::string page = kStart, over, listings;
  for (const Row& row : rows) {
    const CodeShape &theirs = row.nvidia.shape, &ours = row.ours.shape;
    const std::string start =
        fmt::format("| `{}` | {} | {} / {} | {} / {} | {} / {} |", row.name,
                    row.listing.empty() ? std::to_string(row.runs) : "-", theirs.registers, ours.registers,
                    theirs.instructions, ours.instructions, loops_text(theirs.loops), loops_text(ours.loops));
    if (row.listing.empty()) {
      const double ratio = static_cast<double>(row.ours.executed) / static_cast<double>(row.nvidia.executed);
      page += fmt::format("{} {} / {} | {:.2f} |\n", start, row.nvidia.executed, row.ours.executed, ratio);
    } else {
      page += start + " - | - |\n";
      listings += fmt::format("- `{}`: `{}`\n", row.name, row.listing);
    }
    for (const std::string& what : row.over()) {
      over += fmt::format("- `{}`, {}: {}\n", row.name, what, row.reason.empty() ? "no reason given" : row.reason);
    }
  }
  page +=
      "\n## Listings\n\nOf these kernels only a listing of NVIDIA's code is public, or its words in a test bench. The "
      "figures "
      "were counted by\nhand by the same rules. What our code computes is compared with the host.\n\n" +
      listings;
  page += "\n## Rows over the bound\n\n" + (over.empty() ? "None.\n" : over);
  return page;
}

}  // namespace g80::quality

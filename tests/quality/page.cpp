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
    R"(# Quality of the compiler's code

This page compares the machine code of our compiler with that of NVIDIA's compiler, for compute capability 1.0 to 1.2.
The kernels come from the binaries of the conformance data, without those that consist of one C instruction. The sources
in `tests/quality/kernels/` describe what their machine code does. Both codes run the same cases on the reference and
must write the same memory. `tests/quality/` prints this page, and fails if it is not the one in the tree: what a change
of the compiler costs is seen in the change of this page.

Each pair of figures is NVIDIA's, then ours.

- **Registers**: 32-bit registers per thread. If the binary does not state them: the highest register in its code.
- **Instructions**: reachable instructions, without padding and code after an exit.
- **Loops**: instructions per iteration of every innermost loop, in code order. The count includes all sides of branches and
  the functions that the loop calls. So it is the longest path if sides are guarded instructions, and more than that if they are branches.
- **Executed**: warp instructions in all runs. This is the most complete figure: it includes the loops, the code around them, and the branches as executed.

Our code may have at most 25 % more registers, instructions in each loop, and executed instructions; otherwise a test fails. Loops are compared
one by one if both codes have the same number of loops.

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
      "\n## Listings\n\nFor these kernels only a listing or the code words of NVIDIA's code are public. The figures "
      "were "
      "counted by\nhand with the same rules. The results of our code are compared with the host.\n\n" +
      listings;
  page += "\n## Rows over the bound\n\n" + (over.empty() ? "None.\n" : over);
  return page;
}

}  // namespace g80::quality

// SPDX-License-Identifier: Apache-2.0
// timing_doc: prints docs/timing.md.
#include <cstdio>
#include <exception>

#include "docs/timing_table.h"

int main() {
  try {
    const std::string page = g80::timing_page();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timing_doc: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: Apache-2.0
// timing_doc: prints docs/timing.md; `timing_doc delays` prints docs/delays.md.
#include <cstdio>
#include <exception>
#include <string_view>

#include "docs/timing_table.h"

int main(int argc, char** argv) {
  try {
    const bool delays = argc == 2 && std::string_view(argv[1]) == "delays";
    const std::string page = delays ? g80::delays_page() : g80::timing_page();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timing_doc: %s\n", error.what());
    return 1;
  }
}

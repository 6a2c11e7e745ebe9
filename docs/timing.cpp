// SPDX-License-Identifier: Apache-2.0
// timing_doc: prints docs/timing.md; `timing_doc delays` prints docs/delays.md, `timing_doc parameters`
// docs/parameters.md.
#include <cstdio>
#include <exception>
#include <string_view>

#include "docs/parameter_page.h"
#include "docs/timing_table.h"

int main(int argc, char** argv) {
  try {
    const std::string_view which = argc == 2 ? argv[1] : "";
    const std::string page = which == "delays"       ? g80::delays_page()
                             : which == "parameters" ? g80::parameters_page()
                                                     : g80::timing_page();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timing_doc: %s\n", error.what());
    return 1;
  }
}

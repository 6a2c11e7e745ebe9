// SPDX-License-Identifier: Apache-2.0
// walkthrough_doc: prints docs/walkthrough.md.
#include <cstdio>
#include <exception>
#include <string>

#include <systemc>

#include "tb/machine/load_walkthrough.h"

// The SystemC library wants sc_main to exist.
int sc_main(int, char**) { return 0; }

int main() {
  try {
    const std::string page = g80::load_walkthrough_page();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "walkthrough_doc: %s\n", error.what());
    return 1;
  }
}

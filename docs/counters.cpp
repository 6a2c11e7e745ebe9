// SPDX-License-Identifier: Apache-2.0
// counters_doc: prints docs/counters.md, with the argument `schema` docs/stats.schema.json.
#include <cstdio>
#include <exception>
#include <string_view>

#include "app/report/counters.h"
#include "app/report/statistics.h"

int main(int argc, char** argv) {
  try {
    const bool schema = argc == 2 && std::string_view(argv[1]) == "schema";
    const std::string text = schema ? g80::statistics_schema() : g80::counters_page();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "counters_doc: %s\n", error.what());
    return 1;
  }
}

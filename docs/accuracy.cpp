// accuracy_doc: prints docs/accuracy.md.
#include <cstdio>
#include <exception>
#include <systemc>

#include "tb/silicon/rows.h"

// The SystemC library wants sc_main to exist.
int sc_main(int, char**) { return 0; }

int main() {
  using namespace g80::silicon;
  try {
    std::vector<Result> trials, micro;
    for (const Row& row : trial_rows()) trials.push_back(measure(row));
    for (const Row& row : micro_rows()) micro.push_back(measure(row));
    const std::string page = accuracy_page(trials, micro);
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "accuracy_doc: %s\n", error.what());
    return 1;
  }
}

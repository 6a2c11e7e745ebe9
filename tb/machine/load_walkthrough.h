// SPDX-License-Identifier: Apache-2.0
// docs/walkthrough.md: one global load of vec_add through the machine, edge by edge, printed from a run.
#pragma once
#include <string>

namespace g80 {

/// Runs vec_add on the preset `tiny` and prints the page. Throws ModelError if the machine behaves differently from
/// the page.
std::string load_walkthrough_page();

}  // namespace g80

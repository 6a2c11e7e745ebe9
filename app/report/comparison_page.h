// SPDX-License-Identifier: Apache-2.0
// The page of `g80 diff --report`: runs side by side.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace g80 {

/// Names and documents (docs/stats.md) of at least two statistics files. The others are compared with the first.
using NamedStatistics = std::vector<std::pair<std::string, nlohmann::ordered_json>>;

/// Times of all runs that every document has; then for each of them cycles, stalls, memory and the source lines at
/// which warps waited longest, a column for each document. Throws InputError.
std::string comparison_page(const NamedStatistics& documents, const std::string& command);

}  // namespace g80

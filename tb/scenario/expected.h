// SPDX-License-Identifier: Apache-2.0
// The expected contents of a scenario's buffers after the run.
#pragma once
#include <optional>
#include <vector>

#include "tb/scenario/arguments.h"
#include "tb/scenario/buffer_data.h"

namespace g80 {

/// The expected contents, from the golden function, `expect` expressions and recorded files; buffers that none of them
/// names must be unchanged. No value if the scenario states nothing at all.
std::optional<std::vector<Buffer>> expected_contents(const Scenario& scenario,
                                                     const std::vector<ArgumentValue>& arguments,
                                                     const std::vector<Buffer>& initial);

/// The same from one recorded file, which must name every buffer that is compared.
std::vector<Buffer> recorded_contents(const std::string& path, const std::vector<Buffer>& initial);

/// The sum of a buffer as the host program computes it, in order, rounded after each addition: "partial_c: 2.5e+13
/// (0x55bb29de)".
std::string host_sum_text(const Scenario& scenario, const std::vector<Buffer>& buffers);

}  // namespace g80

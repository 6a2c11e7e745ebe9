// SPDX-License-Identifier: Apache-2.0
// Tasks in processes of their own, several at a time.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace g80 {

/// Calls run(0) to run(count - 1), at most `jobs` at a time, each in a process of its own if that is more than one, and
/// ended(k, text) with what each returned, as they end. Returns 0. Or, after a process that failed, its exit code: that
/// process has printed the reason, and the others were stopped.
int run_in_processes(std::size_t count, unsigned jobs, const std::function<std::string(std::size_t)>& run,
                     const std::function<void(std::size_t, const std::string&)>& ended);

}  // namespace g80

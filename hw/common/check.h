// SPDX-License-Identifier: Apache-2.0
// CHECK: the model's own assertions. They stay on in release builds and name the module, so a broken model never
// reports a number.
#pragma once
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace g80 {

/// A failed check: a bug of the model (exit code 4).
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail_check(const char* condition, fmt::format_string<Args...> text,
                                                       Args&&... args) {
  throw ModelError(fmt::format("{} (check failed: {})", fmt::format(text, std::forward<Args>(args)...), condition));
}

}  // namespace g80

#define CHECK(condition, ...)                                                          \
  do {                                                                                 \
    if (__builtin_expect(!(condition), 0)) ::g80::fail_check(#condition, __VA_ARGS__); \
  } while (false)

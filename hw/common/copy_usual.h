// SPDX-License-Identifier: Apache-2.0
// A copy whose length is most often the same. Where the compiler does not know it, it copies byte by byte: 96 host
// instructions for 16 bytes (cmake/Compile.cmake).
#pragma once
#include <algorithm>
#include <cstddef>

namespace g80 {

/// Copies `count` elements, most often kUsual.
template <std::size_t kUsual, class From, class To>
inline void copy_usual(From from, std::size_t count, To to) {
  if (count == kUsual) {
    std::copy_n(from, kUsual, to);
  } else {
    std::copy_n(from, count, to);
  }
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A copy of an array whose length is most often the same. Where the compiler does not know it, it copies byte by byte:
// 96 host instructions for 16 bytes (cmake/Compile.cmake). Where it does, it calls a function for what may overlap.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hw/common/types.h"

namespace g80 {

/// Copies `count` elements, most often kUsual.
template <std::size_t kUsual, class From, class To>
G80_INLINE void copy_usual(From from, std::size_t count, To to) {
  if (count == kUsual) {
    std::memcpy(&*to, &*from, kUsual * sizeof *to);
  } else {
    std::copy_n(from, count, to);
  }
}

}  // namespace g80

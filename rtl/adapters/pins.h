// SPDX-License-Identifier: Apache-2.0
// Bundles and plain values on the ports of a Verilated model, whatever Verilator made of a port: one word of 8 to 64
// bits, or an array of 32-bit words.
#pragma once
#include "rtl/adapters/packed_struct.h"
#include "tb/twins/verilated_time.h"

#include <verilated.h>

namespace g80 {

template <class T, std::size_t kWords>
void to_pin(const T& value, VlWide<kWords>& pin) {
  CHECK((packed_width<T>() + 31) / 32 == kWords, "a bundle of {} bits on a port of {} words", packed_width<T>(),
        kWords);
  pack(value, pin.data());
}
template <class T, class Word, class = std::enable_if_t<std::is_integral_v<Word>>>
void to_pin(const T& value, Word& pin) {
  if constexpr (is_bundle<T>) {
    CHECK(packed_width<T>() <= 8 * sizeof(Word), "a bundle of {} bits on a port of {}", packed_width<T>(),
          8 * sizeof(Word));
    std::uint32_t words[2] = {0, 0};
    pack(value, words);
    pin = static_cast<Word>(std::uint64_t{words[1]} << 32 | words[0]);
  } else {
    pin = static_cast<Word>(value);
  }
}

template <class T, std::size_t kWords>
void from_pin(const VlWide<kWords>& pin, T& value) {
  CHECK((packed_width<T>() + 31) / 32 == kWords, "a bundle of {} bits on a port of {} words", packed_width<T>(),
        kWords);
  unpack(pin.data(), value);
}
template <class T, class Word, class = std::enable_if_t<std::is_integral_v<Word>>>
void from_pin(const Word& pin, T& value) {
  if constexpr (is_bundle<T>) {
    CHECK(packed_width<T>() <= 8 * sizeof(Word), "a bundle of {} bits on a port of {}", packed_width<T>(),
          8 * sizeof(Word));
    const std::uint32_t words[2] = {static_cast<std::uint32_t>(pin),
                                    static_cast<std::uint32_t>(std::uint64_t{pin} >> 32)};
    unpack(words, value);
  } else {
    value = static_cast<T>(pin);
  }
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The pins of a Verilated model by the names that they have in the SystemVerilog source, and the signals of its
// observer. The build writes visit_pins() and visit_signals() of each twin from that source (cmake/SmParts.cmake).
#pragma once
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "rtl/adapters/drawn_bits.h"
#include "rtl/adapters/pins.h"
#include "rtl/adapters/sm_model.h"

namespace g80 {

/// A word of 8 to 64 bits, or an array of 32-bit words. Of a pin that is driven inside of the multiprocessor's model,
/// there is no place.
struct Pin {
  void* at = nullptr;
  std::size_t bytes = 0;

  explicit operator bool() const { return bytes != 0; }
  bool is_high() const { return at != nullptr && *static_cast<const std::uint8_t*>(at) != 0; }
  void set(std::uint64_t value) const {
    if (at != nullptr) std::memcpy(at, &value, bytes);
  }
  PackedBits bits() const {
    PackedBits bits;
    bits.words.resize((bytes + 3) / 4);
    std::memcpy(bits.words.data(), at, bytes);
    return bits;
  }
};

class ModelPins {
 public:
  template <class Word>
  void operator()(const char* name, Word& pin) {
    if constexpr (std::is_same_v<Word, DrivenInside>) {
      pins_.push_back({name, {nullptr, sizeof(std::uint64_t)}});
    } else {
      pins_.push_back({name, {&pin, sizeof pin}});
    }
  }
  /// None if there is no such pin, or it was taken.
  Pin find(const std::string& name) const {
    for (const Named& each : pins_) {
      if (each.name == name && !each.taken) return each.pin;
    }
    return {};
  }
  /// The same for the only one that connects it.
  Pin take(const std::string& name) {
    for (Named& each : pins_) {
      if (each.name == name && !each.taken) return each.taken = each.connected = true, each.pin;
    }
    return {};
  }
  /// The same for one of several, which connect elements of it.
  Pin share(const std::string& name) {
    for (Named& each : pins_) {
      if (each.name == name && !each.taken) return each.connected = true, each.pin;
    }
    return {};
  }
  /// The first that nothing connects, or an empty name.
  std::string left() const {
    for (const Named& each : pins_) {
      if (!each.connected) return each.name;
    }
    return {};
  }

 private:
  struct Named {
    std::string name;
    Pin pin;
    bool taken = false, connected = false;
  };
  std::vector<Named> pins_;
};

/// As Verilator stores `bits`.
constexpr std::size_t bytes_of_pin(unsigned bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

template <class T>
void to_pin(const T& value, const Pin& pin) {
  if constexpr (is_bundle<T>) {
    if (pin.at == nullptr) return;
    if (pin.bytes > sizeof(std::uint64_t)) return pack(value, static_cast<std::uint32_t*>(pin.at));
    std::uint32_t words[2] = {0, 0};
    pack(value, words);
    std::memcpy(pin.at, words, pin.bytes);
  } else {
    pin.set(static_cast<std::uint64_t>(value));
  }
}
template <class T>
void from_pin(const Pin& pin, T& value) {
  if constexpr (is_bundle<T>) {
    if (pin.bytes > sizeof(std::uint64_t)) return unpack(static_cast<const std::uint32_t*>(pin.at), value);
    std::uint32_t words[2 + sizeof(T) / 4] = {};  // as a compiler expects that does not know the pin's width
    std::memcpy(words, pin.at, pin.bytes);
    unpack(words, value);
  } else {
    std::uint64_t word = 0;
    std::memcpy(&word, pin.at, pin.bytes);
    value = static_cast<T>(word);
  }
}
inline PackedBits bits_of(const Pin& signal, unsigned low, unsigned width) {
  if (signal.bytes > sizeof(std::uint64_t))
    return bits_of(static_cast<const std::uint32_t*>(signal.at), signal.bytes / 4, low, width);
  std::uint32_t words[2] = {0, 0};
  std::memcpy(words, signal.at, signal.bytes);
  return bits_of(words, 2, low, width);
}
/// Element `i` of a packed array of structs.
template <class T>
void from_element(const Pin& array, unsigned i, T& value) {
  unpack(bits_of(array, i * packed_width<T>(), packed_width<T>()).words.data(), value);
}
template <class T>
void to_element(const T& value, unsigned i, const Pin& array) {
  if (array.at != nullptr) to_element(value, i, static_cast<std::uint32_t*>(array.at));
}

}  // namespace g80

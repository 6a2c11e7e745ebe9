// SPDX-License-Identifier: Apache-2.0
// The input of a golden function: the scenario's arguments and buffers with their initial contents. The
// function overwrites the elements that the kernel must write. All others must be unchanged after the run.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/scenario/arguments.h"
#include "tb/scenario/buffer_data.h"

namespace g80 {

/// A buffer's bytes as elements of T.
template <class T>
class Elements {
 public:
  explicit Elements(std::vector<std::uint8_t>& bytes) : bytes_(&bytes) {}
  std::size_t size() const { return bytes_->size() / sizeof(T); }
  T operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, bytes_->data() + i * sizeof(T), sizeof(T));
    return value;
  }
  void set(std::size_t i, T value) { std::memcpy(bytes_->data() + i * sizeof(T), &value, sizeof(T)); }

 private:
  std::vector<std::uint8_t>* bytes_;
};

class GoldenCase {
 public:
  GoldenCase(const std::vector<ArgumentValue>& arguments, std::vector<Buffer>& buffers)
      : arguments_(arguments), buffers_(buffers) {}

  /// Throw InputError if the scenario has no such argument or buffer.
  std::size_t size(std::string_view argument) const;  // an integer argument, not negative
  float real(std::string_view argument) const;
  Elements<float> f32(std::string_view buffer);
  Elements<std::uint32_t> u32(std::string_view buffer);
  Elements<std::int32_t> s32(std::string_view buffer);

 private:
  const ArgumentValue& argument(std::string_view name) const;
  std::vector<std::uint8_t>& bytes(std::string_view buffer);

  const std::vector<ArgumentValue>& arguments_;
  std::vector<Buffer>& buffers_;
};

using GoldenFunction = void (*)(GoldenCase&);
/// The function that tb/scenario/goldens.def lists under this name, or null.
GoldenFunction find_golden(std::string_view name);
std::vector<std::string_view> golden_names();

}  // namespace g80

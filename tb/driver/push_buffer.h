// SPDX-License-Identifier: Apache-2.0
// Builds packets of the compute class: header word, data words.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "hw/host/compute_class.h"

namespace g80 {

class PushBuffer {
 public:
  static constexpr std::uint32_t kSubchannel = 0;

  /// `values` go to successive methods from `number` on.
  void write(std::uint32_t number, std::initializer_list<std::uint32_t> values) {
    write(number, values.begin(), static_cast<std::uint32_t>(values.size()));
  }
  void write(std::uint32_t number, const std::uint32_t* values, std::uint32_t count) {
    while (count != 0) {
      const std::uint32_t part = count < kMaxPacketWords ? count : kMaxPacketWords;
      words_.push_back(encode_header({number, kSubchannel, part, false}));
      words_.insert(words_.end(), values, values + part);
      number += 4 * part;
      values += part;
      count -= part;
    }
  }
  const std::vector<std::uint32_t>& words() const { return words_; }
  void clear() { words_.clear(); }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The decoder in SystemVerilog against the one in C++: all fields, errors, units and registers of a word.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "hw/isa/opcode_table.h"
#include "rtl/adapters/bundle_names.h"
#include "rtl/adapters/pins.h"
#include "tests/support/random_seed.h"

#include "Vinstruction_decoder.h"

namespace g80 {
namespace {

/// Widths and paths of the leaves of a bundle, from the most significant one down.
class LeafNames {
 public:
  std::vector<std::pair<unsigned, std::string>> list;
  template <class T>
  void operator()(const char* name, const T& value, unsigned width = 0) {
    const std::size_t end = path_.size();
    path_ += path_.empty() ? name : std::string(".") + name;
    if constexpr (fields_detail::is_leaf<T>) {
      list.emplace_back(packed_field_width<T>(width), path_);
    } else if constexpr (fields_detail::is_array<T>::value) {
      for (std::size_t i = std::size(value); i-- > 0;) (*this)(fmt::format("[{}]", i).c_str(), value[i], width);
    } else {
      visit_fields(value, *this);
    }
    path_.resize(end);
  }

 private:
  std::string path_;
};

class InstructionDecoder : public ::testing::Test {
 protected:
  /// The first field in which the two differ, or nothing.
  std::string difference(std::uint64_t words, isa::DecodeError error) {
    decoder_.words_i = words;
    decoder_.error_i = static_cast<unsigned>(error);
    decoder_.eval();
    FetchedInstruction fetched;
    fetched.error = error;
    fetched.words = words;
    std::uint32_t expected[kWords];
    pack(fetched.decoded(), expected);
    for (unsigned i = kWords; i-- > 0;) {
      if (expected[i] == decoder_.decoded_o[i]) continue;
      const unsigned bit = 32 * i + 31 - static_cast<unsigned>(__builtin_clz(expected[i] ^ decoder_.decoded_o[i]));
      return fmt::format("words {:#018x}, error {}: {}", words, enum_text(error).names[static_cast<unsigned>(error)],
                         name_of(bit));
    }
    return "";
  }
  static std::string name_of(unsigned bit) {
    LeafNames names;
    const DecodedInstruction decoded;
    visit_fields(decoded, names);
    unsigned top = packed_width<DecodedInstruction>();
    for (const auto& [width, name] : names.list) {
      top -= width;
      if (bit >= top) return name;
    }
    return "no field";
  }
  static constexpr unsigned kWords = sizeof(Vinstruction_decoder::decoded_o) / 4;
  Vinstruction_decoder decoder_;
};

TEST_F(InstructionDecoder, FindsTheFieldsOfRandomWordsOfEveryRow) {
  std::mt19937_64 random(random_seed());
  ASSERT_EQ(kWords, (packed_width<DecodedInstruction>() + 31) / 32);
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    for (unsigned i = 0; i < 400; ++i) {
      std::uint64_t words = (random() & ~row.mask) | row.match;
      if ((words & 1) == 0) words &= 0xffffffff;
      ASSERT_EQ(difference(words, isa::DecodeError::kNone), "") << row.syntax;
    }
  }
}

TEST_F(InstructionDecoder, FindsTheFieldsOfRandomWords) {
  std::mt19937_64 random(random_seed());
  for (unsigned i = 0; i < 200'000; ++i) {
    std::uint64_t words = random();
    if ((words & 1) == 0) words &= 0xffffffff;
    const auto error = random() % 8 == 0 ? static_cast<isa::DecodeError>(random() % 8) : isa::DecodeError::kNone;
    ASSERT_EQ(difference(words, error), "");
  }
}

}  // namespace
}  // namespace g80

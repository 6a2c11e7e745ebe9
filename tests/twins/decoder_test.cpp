// SPDX-License-Identifier: Apache-2.0
// The decoder in SystemVerilog against the one in C++: all fields, errors, units and registers of a word.
#include <gtest/gtest.h>

#include <future>
#include <random>
#include <thread>
#include <vector>

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

class DecoderPair {
 public:
  static constexpr unsigned kWords = sizeof(Vinstruction_decoder::decoded_o) / 4;

  DecoderPair() { Verilated::threadContextp(Verilated::defaultContextp()); }  // of the models to come

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

 private:
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
  VerilatedContext context_;
  Vinstruction_decoder decoder_{&context_};
};

TEST(InstructionDecoder, FindsTheFieldsOfRandomWordsOfEveryRow) {
  DecoderPair decoder;
  std::mt19937_64 random(random_seed());
  ASSERT_EQ(DecoderPair::kWords, (packed_width<DecodedInstruction>() + 31) / 32);
  for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
    for (unsigned i = 0; i < 400; ++i) {
      std::uint64_t words = (random() & ~row.mask) | row.match;
      if ((words & 1) == 0) words &= 0xffffffff;
      ASSERT_EQ(decoder.difference(words, isa::DecodeError::kNone), "") << row.syntax;
    }
  }
}

TEST(InstructionDecoder, FindsTheFieldsOfRandomWords) {
  DecoderPair decoder;
  std::mt19937_64 random(random_seed());
  for (unsigned i = 0; i < 200'000; ++i) {
    std::uint64_t words = random();
    if ((words & 1) == 0) words &= 0xffffffff;
    const auto error = random() % 8 == 0 ? static_cast<isa::DecodeError>(random() % 8) : isa::DecodeError::kNone;
    ASSERT_EQ(decoder.difference(words, error), "");
  }
}

// Words whose lowest bit is set are the first of two. Each block of words has a thread of its own, because what
// decoded() has found stays in memory as long as its thread lives.
TEST(EveryShortWord, HasTheSameFields) {
  constexpr std::uint64_t kBlock = 1 << 18, kEnd = std::uint64_t{1} << 32;
  std::string found;
  for (std::uint64_t next = 0; next < kEnd && found.empty();) {
    std::vector<std::future<std::string>> blocks;
    for (unsigned i = 0; i < std::thread::hardware_concurrency() && next < kEnd; ++i, next += kBlock) {
      blocks.push_back(std::async(std::launch::async, [next] {
        DecoderPair decoder;
        std::string difference;
        for (std::uint64_t word = next; word < next + kBlock && difference.empty(); word += 2)
          difference = decoder.difference(word, isa::DecodeError::kNone);
        return difference;
      }));
    }
    for (auto& block : blocks) found += block.get();
  }
  EXPECT_EQ(found, "");
}

}  // namespace
}  // namespace g80

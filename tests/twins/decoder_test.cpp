// SPDX-License-Identifier: Apache-2.0
// The decoder in SystemVerilog against the one in C++: the micro-op of a word, and all fields, errors, units and
// registers that blocks select from it.
#include <gtest/gtest.h>

#include <future>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "hw/isa/opcode_table.h"
#include "rtl/adapters/decoded_fields.h"
#include "rtl/adapters/pins.h"
#include "tests/support/random_seed.h"

#include "Vdecoded_words.h"

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
  static constexpr unsigned kWords = sizeof(Vdecoded_words::decoded_o) / 4;

  DecoderPair() { Verilated::threadContextp(Verilated::defaultContextp()); }  // of the models to come

  /// The first field in which the two differ, or nothing.
  std::string difference(std::uint64_t words, isa::DecodeError error) {
    decoder_.words_i = words;
    decoder_.error_i = static_cast<unsigned>(error);
    decoder_.eval();
    FetchedInstruction fetched;
    fetched.error = error;
    fetched.words = words;
    const DecodedInstruction& decoded = fetched.decoded();
    const std::string of = fmt::format("words {:#018x}, error {}: ", words, enum_text(error).names[unsigned(error)]);
    if (decoder_.error_o != static_cast<unsigned>(decoded.error)) return of + "error";
    if (error == isa::DecodeError::kNone && decoder_.arch_o != static_cast<unsigned>(decoded.arch)) return of + "arch";
    fetched.error = decoded.error;
    std::uint32_t wire[sizeof(Vdecoded_words::insn_o) / 4];
    pack(fetched, wire);
    for (unsigned i = 0; i < std::size(wire); ++i)
      if (wire[i] != decoder_.insn_o[i]) return of + "micro-op";
    std::uint32_t expected[kWords];
    pack(decoded, expected);
    unsigned top = packed_width<DecodedInstruction>();
    for (const auto& [width, name] : leaves_.list) {
      top -= width;
      if (not_read(decoded, name)) continue;
      for (unsigned bit = top; bit < top + width; ++bit)
        if (((expected[bit / 32] ^ decoder_.decoded_o[bit / 32]) >> bit % 32 & 1) != 0) return of + name;
    }
    return "";
  }

 private:
  /// Fields that no block reads, or only of instructions that are not this one.
  static bool not_read(const DecodedInstruction& decoded, const std::string& name) {
    const isa::Op op = decoded.insn.op;
    if (name == "arch") return true;
    if (decoded.error != isa::DecodeError::kNone) return name.find("insn.") == 0 && !counts_of_no_instruction(name);
    if (name == "insn.unit" || name == "insn.dst.type" || name == "insn.sfu_hint") return true;
    if (name == "insn.bar_all" || name == "insn.bar_count") return true;
    if (name == "insn.tex_live" || name == "insn.tex_deriv" || name == "insn.tex_cube") return true;
    if (name == "insn.target") return !has(decoded, isa::Role::kTarget);
    if (name == "insn.call_limited") return op != isa::Op::kCall;
    if (name == "insn.barrier" || name == "insn.bar_arrive" || name == "insn.bar_wait") return op != isa::Op::kBar;
    if (name == "insn.space") return !accesses_global(op);
    return false;
  }
  static bool counts_of_no_instruction(const std::string& name) {
    return name == "insn.op" || name == "insn.cond" || name == "insn.lane_mask" || name == "insn.exit" ||
           name == "insn.join" || name == "insn.addr_reg" || name == "insn.flag_src" || name == "insn.writes_flags" ||
           name.find(".kind") != std::string::npos || name.find(".index") != std::string::npos;
  }
  static bool accesses_global(isa::Op op) {
    return op == isa::Op::kLdGlobal || op == isa::Op::kStGlobal || op == isa::Op::kRed || op == isa::Op::kAtom;
  }
  static bool has(const DecodedInstruction& decoded, isa::Role role) {
    const isa::Row* const row = isa::OpcodeTable::get().find(static_cast<std::uint32_t>(decoded.words),
                                                             static_cast<std::uint32_t>(decoded.words >> 32));
    for (const isa::Field* field : row->fields)
      if (field->role == role) return true;
    return false;
  }
  static LeafNames leaf_names() {
    LeafNames names;
    visit_fields(DecodedInstruction{}, names);
    return names;
  }
  const LeafNames leaves_ = leaf_names();
  VerilatedContext context_;
  Vdecoded_words decoder_{&context_};
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

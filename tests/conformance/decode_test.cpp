// SPDX-License-Identifier: Apache-2.0
// Every decode vector and every word of real kernels: text, feature level, and assembling the text back to the word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hw/isa/disassembler.h"
#include "tests/support/data_dirs.h"
#include "toolchain/assembler/line_assembler.h"

namespace g80::isa {
namespace {

struct Vector {
  std::uint32_t w0 = 0, w1 = 0;
  std::string words, text, variant;
};

std::vector<Vector> read_vectors(const std::string& path) {
  std::vector<Vector> vectors;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    Vector v;
    std::getline(columns, v.words, '\t');
    std::getline(columns, v.text, '\t');
    std::getline(columns, v.variant, '\t');
    std::istringstream words(v.words);
    words >> std::hex >> v.w0 >> v.w1;
    vectors.push_back(v);
  }
  return vectors;
}

Arch lowest_arch(const std::string& variant) {
  return variant == "g80" ? Arch::kSm10 : variant == "g84" ? Arch::kSm11 : Arch::kSm13;
}

bool decodes(const Vector& v, Arch arch) {
  Instruction insn;
  return has_text(insn, decode(v.w0, v.w1, arch, insn));
}

class DecodeVectors : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto dir = test::conformance_dir();
    if (!dir) GTEST_SKIP() << "no conformance vectors here (G80_CONFORMANCE_DIR)";
    vectors_ = read_vectors(*dir + "/vectors.tsv");
    ASSERT_FALSE(vectors_.empty());
  }
  std::vector<Vector> vectors_;
};

TEST_F(DecodeVectors, EveryRowHasItsText) {
  std::size_t good = 0;
  for (const Vector& v : vectors_) {
    const std::string text = disassemble(v.w0, v.w1, Arch::kSm13);
    EXPECT_EQ(text, v.text) << v.words;
    good += text == v.text ? 1 : 0;
  }
  test::tally_rows("vectors.tsv", good, vectors_.size());
}

TEST_F(DecodeVectors, EveryRowDecodesFromItsVariantOn) {
  for (const Vector& v : vectors_) {
    EXPECT_TRUE(decodes(v, lowest_arch(v.variant))) << v.words << " " << v.text;
    EXPECT_FALSE(v.variant == "g84" && decodes(v, Arch::kSm10)) << v.words << " " << v.text;
    EXPECT_FALSE(v.variant == "g200" && decodes(v, Arch::kSm11)) << v.words << " " << v.text;
  }
}

TEST_F(DecodeVectors, EveryRowEncodesBackToItsWords) {
  for (const Vector& v : vectors_) {
    Instruction insn;
    decode(v.w0, v.w1, Arch::kSm13, insn);
    const Words words = encode(insn);
    EXPECT_EQ(words.w0, v.w0) << v.text;
    EXPECT_EQ(words.w1, v.w1) << v.text;
  }
}

TEST_F(DecodeVectors, EveryMarkedTextAssemblesToItsWords) {
  for (const Vector& v : vectors_) {
    Instruction insn;
    decode(v.w0, v.w1, Arch::kSm13, insn);
    const std::string text = disassemble_marked(insn);
    const Words words = assemble(text);
    EXPECT_EQ(words.w0, v.w0) << text;
    EXPECT_EQ(words.w1, v.w1) << text;
  }
}

// "0008: 60014c01 00204780  B add $r0 ..." -> the text, without the letters that mark branch and call targets.
std::string listing_text(const std::string& line) {
  std::size_t begin = line.find_first_not_of(' ', 24);
  while (begin + 1 < line.size() && std::isupper(static_cast<unsigned char>(line[begin])) != 0 &&
         line[begin + 1] == ' ')
    begin = line.find_first_not_of(' ', begin + 1);
  return line.substr(begin);
}

TEST(RealKernels, EveryWordHasTheTextOfItsListing) {
  const auto dir = test::binaries_dir();
  if (!dir) GTEST_SKIP() << "no kernel binaries here (G80_BINARIES_DIR)";
  std::size_t kernels = 0, good = 0, words = 0, unexplained = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*dir)) {
    if (entry.path().extension() != ".dis") continue;
    ++kernels;
    std::ifstream hex(std::filesystem::path(entry.path()).replace_extension(".hex")), listing(entry.path());
    std::string code, line;
    while (std::getline(listing, line)) {
      ASSERT_TRUE(std::getline(hex, code)) << entry.path();
      std::uint32_t w0 = 0, w1 = 0;
      std::istringstream(code) >> std::hex >> w0 >> w1;
      const std::string text = disassemble(w0, w1, Arch::kSm13);
      ++words;
      if (line.find("[unknown:") != std::string::npos) {  // bits no table explains; decuda_test32 has one such word
        EXPECT_EQ(text, "<illegal opcode>") << line;
        ++unexplained;
        continue;
      }
      EXPECT_EQ(text, listing_text(line)) << entry.path().filename() << " " << line;
      good += text == listing_text(line) ? 1 : 0;
      Instruction insn;
      if (!has_text(insn, decode(w0, w1, Arch::kSm13, insn))) continue;
      const Words back = assemble(disassemble_marked(insn));
      EXPECT_EQ(back.w0, w0) << line;
      EXPECT_EQ(back.w1, w1) << line;
    }
    EXPECT_FALSE(std::getline(hex, code)) << entry.path() << " has more instructions than its listing";
  }
  EXPECT_GT(kernels, 0u);
  EXPECT_EQ(good + unexplained, words);
  test::tally_rows("*.dis", good + unexplained, words);
}

}  // namespace
}  // namespace g80::isa

// SPDX-License-Identifier: Apache-2.0
// Broken cubins: cut anywhere, with bytes or lines changed. Reading accepts or throws SourceError; nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "hw/isa/disassembler.h"
#include "hw/isa/instruction_compare.h"
#include "source_dir.h"
#include "tests/support/data_dirs.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937;

constexpr unsigned kSeed = 20061108;

std::vector<std::string> files_with_suffix(const fs::path& folder, const std::string& suffix) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == suffix) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Texts of the project's kernels, assembled, and of the cubins of other compilers where they are at hand.
std::vector<std::string> cubins() {
  std::vector<std::string> texts;
  for (const std::string& file : files_with_suffix(fs::path(G80_SOURCE_DIR) / "kernels", ".sasm"))
    texts.push_back(write_cubin(assemble_file(file)));
  if (const auto folder = test::binaries_dir())
    for (const std::string& file : files_with_suffix(*folder, ".cubin")) texts.push_back(read_text_file(file));
  return texts;
}

std::string mutated(std::string text, Random& random) {
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (unsigned changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = pick(text.size());
    switch (pick(6)) {
      case 0: text.resize(at); break;
      case 1: text[at] = static_cast<char>(random()); break;
      case 2: text[at] = "{}= \n0x9af"[pick(10)]; break;
      case 3: text.erase(at, 1 + pick(40)); break;
      default: {  // a line is lost or comes twice
        const std::size_t begin = text.rfind('\n', at) + 1, end = std::min(text.find('\n', at), text.size() - 1) + 1;
        if (begin >= end) break;
        const std::string line = text.substr(begin, end - begin);
        if (random() % 2 == 0) {
          text.erase(begin, line.size());
        } else {
          text.insert(begin, line);
        }
      }
    }
  }
  return text;
}

TEST(BrokenCubins, AreReadOrRefusedWithTheirPlace) {
  Random random(kSeed);
  unsigned accepted = 0, refused = 0;
  for (const std::string& text : cubins()) {
    for (unsigned i = 0; i < 40; ++i) {
      const std::string broken = mutated(text, random);
      try {
        const Module module = read_cubin(broken, "broken");
        list_module(module);
        EXPECT_EQ(write_cubin(read_cubin(write_cubin(module), "again")), write_cubin(module)) << broken;
        ++accepted;
      } catch (const SourceError& error) {
        EXPECT_EQ(std::string(error.what()).find("broken:"), 0u) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, 50u) << "seed " << kSeed;
  EXPECT_GT(refused, 200u) << "seed " << kSeed;
}

TEST(BrokenSource, IsAssembledOrRefusedWithItsPlace) {
  Random random(kSeed);
  for (const std::string& file : files_with_suffix(fs::path(G80_SOURCE_DIR) / "kernels", ".sasm")) {
    const std::string text = read_text_file(file);
    for (unsigned i = 0; i < 20; ++i) {
      try {
        write_cubin(assemble(mutated(text, random), "broken"));
      } catch (const SourceError& error) {
        EXPECT_EQ(std::string(error.what()).find("broken:"), 0u) << error.what();
      }
    }
  }
}

TEST(AnyWords, HaveTextAndDecodeToWhatTheyEncode) {
  Random random(kSeed);
  for (unsigned i = 0; i < 200'000; ++i) {
    const auto w0 = static_cast<std::uint32_t>(random()), w1 = static_cast<std::uint32_t>(random());
    const auto arch = static_cast<isa::Arch>(random() % 4);
    ASSERT_FALSE(isa::disassemble(w0, w1, arch).empty());
    isa::Instruction insn, again;
    if (isa::decode(w0, w1, arch, insn) != isa::DecodeError::kNone) continue;
    const isa::Words words = isa::encode(insn);
    ASSERT_EQ(words.is_long, isa::is_long(w0));
    ASSERT_EQ(isa::decode(words.w0, words.w1, arch, again), isa::DecodeError::kNone);
    ASSERT_EQ(isa::first_difference(insn, again), nullptr) << std::hex << w0 << ' ' << w1;
  }
}

}  // namespace
}  // namespace g80

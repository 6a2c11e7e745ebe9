// SPDX-License-Identifier: Apache-2.0
// Cubins: what is written is what is read, real files keep their words, damaged ones say one clear sentence.
#include "toolchain/cubin/cubin.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/support/data_dirs.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/listing.h"

namespace g80 {
namespace {

Module sample() {
  Module module;
  module.arch = isa::Arch::kSm11;
  module.abi_version = 1;
  module.name = "cubin";
  module.constants.push_back({"table", 0, 8, 6, DataType::kU16, {0x00020001, 0x3}});
  module.constants.push_back({"plain", 0, 0, 4, std::nullopt, {}});
  module.device_variables.push_back({"total", 14, 4, 8, DataType::kU64, {1, 2}});
  module.textures.push_back({"image", 3});
  Kernel kernel;
  kernel.name = "scale";
  kernel.lmem = 16;
  kernel.smem = 64;
  kernel.reg = 7;
  kernel.bar = 1;
  kernel.params = {{"data", DataType::kPtr, 0x10}, {"factor", DataType::kF32, 0x14}, {"box", DataType::kU32, 0x18, 12}};
  kernel.code = {0x1100e804, 0x1100ec00, 0xd00e0001, 0x80c00780, 0x30000003, 0x00000780};
  kernel.constants = {{1, 0, {1, 2, 3, 4, 5}}, {1, 0x40, {6}}};
  module.kernels = {kernel};
  return module;
}

std::string problem_of_cubin(const std::string& text) {
  try {
    read_cubin(text, "x.cubin");
  } catch (const SourceError& error) {
    return error.what();
  }
  return "no problem";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Cubin, ReadsBackWhatItWrites) {
  const std::string text = write_cubin(sample());
  const Module module = read_cubin(text, "x.cubin");
  EXPECT_EQ(write_cubin(module), text);
  ASSERT_EQ(module.kernels.size(), 1u);
  const Kernel& kernel = module.kernels[0];
  EXPECT_EQ(module.arch, isa::Arch::kSm11);
  EXPECT_EQ(module.constants[0].words, (std::vector<std::uint32_t>{0x00020001, 3}));
  EXPECT_EQ(module.constants[0].bytes, 6u);
  EXPECT_FALSE(module.constants[1].type.has_value());
  EXPECT_EQ(module.device_variables[0].offset, 4u);
  EXPECT_EQ(module.textures[0].unit, 3u);
  EXPECT_EQ(kernel.code, sample().kernels[0].code);
  EXPECT_EQ(kernel.params[1].offset, 0x14u);
  EXPECT_EQ(kernel.params[1].type, DataType::kF32);
  EXPECT_EQ(parameter_bytes(kernel.params[1]), 4u);
  EXPECT_EQ(parameter_bytes(kernel.params[2]), 12u);
  EXPECT_EQ(kernel.constants[1].offset, 0x40u);
  EXPECT_EQ(kernel.lmem + kernel.smem + kernel.reg + kernel.bar, 16u + 64 + 7 + 1);
}

TEST(Cubin, KeepsTheLineTableExactly) {
  Module module = sample();
  LineTable& lines = module.kernels[0].lines;
  lines.add(0, "../a folder/{x}=100%.cu", 12);
  lines.add(4, "include/h.h", 3);
  lines.add(8, "", 0);
  lines.add(12, "../a folder/{x}=100%.cu", 13);
  lines.add(16, "../a folder/{x}=100%.cu", 13);
  lines.add(20, "\xc3\xa4.cu", 4294967295u);
  const std::string text = write_cubin(module);
  EXPECT_NE(text.find("\tlines {../a%20folder/%7bx%7d%3d100%25.cu 0x0000:12}\n"), std::string::npos) << text;
  const Kernel kernel = read_cubin(text, "x.cubin").kernels[0];
  EXPECT_TRUE(kernel.lines == lines);
  EXPECT_EQ(kernel.lines.find(0)->file, "../a folder/{x}=100%.cu");
  EXPECT_EQ(to_text(*kernel.lines.find(4)), "include/h.h:3");
  EXPECT_FALSE(kernel.lines.find(8).has_value());
  EXPECT_EQ(kernel.lines.find(16)->line, 13u);  // within the run of 12
  EXPECT_EQ(kernel.lines.find(20)->line, 4294967295u);
}

TEST(Cubin, KeepsTheNameOfAModuleExactly) {
  Module module = sample();
  for (const char* name : {"a folder/{x}=100%.cu", "\xc3\xa4.cu"}) {
    module.name = name;
    EXPECT_EQ(read_cubin(write_cubin(module), "x.cubin").name, name);
  }
}

TEST(Cubin, LongLineTablesReadBack) {
  constexpr unsigned kSeed = 11;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  Module module = sample();
  Kernel& kernel = module.kernels[0];
  kernel.code.assign(2000, 0);
  for (std::uint32_t address = 0; address < 8000; address += 4 * (1 + random() % 3))
    kernel.lines.add(address, random() % 4 == 0 ? "b.h" : "a.cu", random() % 5);
  EXPECT_TRUE(read_cubin(write_cubin(module), "x.cubin").kernels[0].lines == kernel.lines);
  // One-line blocks: what reads cubins line by line takes them for properties that it does not know.
  const std::string text = write_cubin(module);
  for (std::size_t at = text.find("lines {"); at != std::string::npos; at = text.find("lines {", at + 1))
    EXPECT_LT(text.find('}', at), text.find('\n', at));
}

TEST(Cubin, DamagedLineTablesAreSentences) {
  Module module = sample();
  module.kernels[0].lines.add(0, "a.cu", 12);
  module.kernels[0].lines.add(8, "a.cu", 13);
  const std::string text = write_cubin(module), place = "x.cubin:82: ";
  // clang-format off
  EXPECT_EQ(problem_of_cubin(replaced(text, "a.cu", "a%2")), place + "'%' without two hex digits after it in 'a%2'");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0x0008:13", "0x0008")), place + "'0x0008' is not address:line");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0x0008:13", "0x0000:13")), place + "address 0x0 does not ascend in steps of 4");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0x0008:13", "0x0006:13")), place + "address 0x6 does not ascend in steps of 4");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0x0008:13", "0x0018:13")), place + "this address is 0x0018, more than the largest possible 20");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0x0008:13", "0x0008:")), place + "this line is missing");
  EXPECT_EQ(problem_of_cubin(replaced(text, "a.cu 0x0000:12 0x0008:13", "")), place + "'lines' needs a path, then words address:line");
  // clang-format on
}

TEST(Assembler, TellsTheLineOfEveryInstruction) {
  const Module module = assemble("// nothing\n.kernel k\nnop\n\nlabel:\n  nop\nexit nop\n", "dir/k.sasm");
  const LineTable& lines = module.kernels[0].lines;
  EXPECT_EQ(to_text(*lines.find(0)), "dir/k.sasm:3");
  EXPECT_EQ(to_text(*lines.find(8)), "dir/k.sasm:6");
  EXPECT_EQ(to_text(*lines.find(16)), "dir/k.sasm:7");
}

TEST(Cubin, SaysWhatIsDamagedAndWhere) {
  const std::string text = write_cubin(sample());
  EXPECT_EQ(problem_of_cubin(""), "x.cubin:1: this is not a cubin: it has no 'architecture {sm_..}'");
  EXPECT_EQ(problem_of_cubin("architecture {sm_10}"), "x.cubin:1: the cubin has no 'code' block");
  EXPECT_EQ(problem_of_cubin(replaced(text, "sm_11", "sm_20")),
            "x.cubin:1: architecture 'sm_20' is not one of sm_10 sm_11 sm_12 sm_13");
  EXPECT_EQ(problem_of_cubin(replaced(text, "\treg = 7\n", "")), "x.cubin:37: the 'code' block has no 'reg'");
  EXPECT_EQ(problem_of_cubin(replaced(text, "reg = 7", "reg = many")),
            "x.cubin:41: reg is 'many', which is not a 32-bit number");
  EXPECT_EQ(problem_of_cubin(replaced(text, "reg = 7", "reg = 500")),
            "x.cubin:41: reg is 500, more than the largest possible 128");
  EXPECT_EQ(problem_of_cubin(replaced(text, "reg = 7", "rag = 7")), "x.cubin:41: unknown key 'rag' in a 'code' block");
  EXPECT_EQ(problem_of_cubin(replaced(text, "reg = 7", "reg = 7\nreg = 8")),
            "x.cubin:42: 'reg' is given twice (first in line 41)");
  EXPECT_EQ(problem_of_cubin(replaced(text, "0xd00e0001", "0xd00e000100")),
            "x.cubin:60: this word is '0xd00e000100', which is not a 32-bit number");
  EXPECT_EQ(problem_of_cubin(replaced(text, "bytes = 20", "bytes = 24")),
            "x.cubin:63: 24 bytes need 6 words, but 'mem' has 5");
  EXPECT_EQ(problem_of_cubin(replaced(text, "offset = 16", "offset = 4")),
            "x.cubin:46: offset 4 is in the launch header (below 16)");
  EXPECT_EQ(problem_of_cubin(replaced(text, "segname = reloc", "segname = const")),
            "x.cubin:24: segname is 'const', where 'reloc' is expected");
  EXPECT_EQ(problem_of_cubin(text + "}"), "x.cubin:83: a block name is expected, not '}'");
}

TEST(Cubin, OfAnotherFormatIsToldApart) {
  for (const std::string& padding : {std::string(), std::string("\2\1\1\0more", 8)}) {
    EXPECT_EQ(
        problem_of_cubin("\x7f"
                         "ELF" +
                         padding),
        "x.cubin: this is an ELF file; only cubins in text form can be read, as nvcc up to 2.3 and g80 write them; "
        "give the .cu or .ptx");
    EXPECT_EQ(problem_of_cubin("\x50\xed\x55\xba" + padding).rfind("x.cubin: this is a fat binary; ", 0), 0u);
  }
}

TEST(Cubin, KeepsAddressesInInitialValues) {
  Module module = sample();
  module.addresses = {{"total", 4, "total", 0}, {"table", 0, "total", 0xfffffff8}};
  const std::string text = write_cubin(module);
  EXPECT_EQ(write_cubin(read_cubin(text, "x.cubin")), text);
  const Module again = assemble(list_module(module), "x.sasm");  // the listing has them, too
  ASSERT_EQ(again.addresses.size(), 2u);
  EXPECT_EQ(again.addresses[0].offset, 4u);
  EXPECT_EQ(again.addresses[1].variable, "table");
  EXPECT_EQ(again.addresses[1].target, "total");
  EXPECT_EQ(again.addresses[1].addend, 0xfffffff8u);
  const std::map<std::string, std::uint32_t> placed = {{"total", 0x1000}};
  EXPECT_EQ(loaded_words(module, module.device_variables[0], placed), (std::vector<std::uint32_t>{1, 0x1000}));
  EXPECT_EQ(loaded_words(module, module.constants[0], placed), (std::vector<std::uint32_t>{0xff8, 3})) << "modulo 2^32";
  // clang-format off
  EXPECT_NE(problem_of_cubin(replaced(text, "target = total", "target = table")).find("the target 'table' of an address is not a 'reloc' variable"), std::string::npos);
  EXPECT_NE(problem_of_cubin(replaced(text, "offset = 4\n\ttarget", "offset = 6\n\ttarget")).find("there is no word at offset 6 of 'total', which has 8 bytes"), std::string::npos);
  EXPECT_NE(problem_of_cubin(replaced(text, "offset = 4\n\ttarget", "offset = 8\n\ttarget")).find("there is no word at offset 8"), std::string::npos);
  EXPECT_NE(problem_of_cubin(replaced(text, "name = table\n\toffset = 0", "name = tables\n\toffset = 0")).find("'tables', which is not a variable of the file"), std::string::npos);
  // clang-format on
}

TEST(Cubin, EveryTruncationIsASentence) {
  const std::string text = write_cubin(sample());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const std::string what = problem_of_cubin(text.substr(0, length));
    EXPECT_EQ(what.rfind("x.cubin:", 0), 0u) << length << ": " << what;
  }
}

TEST(Cubin, RandomDamageNeverCrashes) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string text = write_cubin(sample());
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = text;
    for (unsigned n = random() % 4 + 1; n != 0; --n) damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string what = problem_of_cubin(damaged);
    EXPECT_TRUE(what == "no problem" || what.rfind("x.cubin:", 0) == 0) << what;
  }
}

TEST(Cubin, RealFilesKeepTheirWordsThroughEveryForm) {
  const auto dir = test::binaries_dir();
  if (!dir) GTEST_SKIP() << "no kernel binaries here (G80_BINARIES_DIR)";
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*dir)) {
    if (entry.path().extension() != ".cubin") continue;
    ++files;
    const std::string path = entry.path().string();
    const Module module = read_cubin(read_text_file(path), path);
    ASSERT_EQ(module.kernels.size(), 1u);
    std::ifstream hex(std::filesystem::path(entry.path()).replace_extension(".hex"));
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; hex >> std::hex >> word;) words.push_back(word);
    EXPECT_EQ(module.kernels[0].code, words) << path;
    const std::string written = write_cubin(module);
    EXPECT_EQ(write_cubin(read_cubin(written, "written")), written) << path;
    const Module again = assemble(list_module(module), path + ".sasm");
    EXPECT_EQ(again.kernels[0].code, words) << path;
    EXPECT_EQ(again.kernels[0].reg, module.kernels[0].reg);
    EXPECT_EQ(again.kernels[0].smem, module.kernels[0].smem);
    EXPECT_EQ(again.kernels[0].constants.size(), module.kernels[0].constants.size());
    EXPECT_EQ(again.constants.size(), module.constants.size());
    EXPECT_EQ(again.device_variables.size(), module.device_variables.size());
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Listings of words and modules.
#include "toolchain/assembler/listing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/commands.h"
#include "toolchain/cubin/cubin.h"

namespace g80 {
namespace {

TEST(WordListing, PrintsOneLinePerLine) {
  std::istringstream in("20038404\n0xd00e0001 0x80c00780\nc0000003 00000000\nd00e0001\n\nhello\n20038404 00000000\n");
  std::ostringstream out;
  EXPECT_EQ(disassemble_words(in, out, isa::Arch::kSm10), 4u);
  EXPECT_EQ(out.str(),
            "add b32 $r1 $r2 $r3\n"
            "ld b32 $r0 g14[$r0]\n"
            "error: illegal opcode\n"
            "error: the second word of a long instruction is missing\n"
            "error: no word on this line\n"
            "error: 'hello' is not a 32-bit hex word\n"
            "error: a short instruction has one word\n");
}

TEST(WordListing, RespectsTheArchitecture) {
  EXPECT_EQ(disassemble_words_line("10000201 600007c0", isa::Arch::kSm11).text, "error: illegal opcode");
  EXPECT_EQ(disassemble_words_line("10000201 600007c0", isa::Arch::kSm12).text, "vote any $c0");
}

TEST(Commands, AssembleAndDisassembleFiles) {
  const std::filesystem::path dir = std::filesystem::path(::testing::TempDir());
  const std::string source = (dir / "commands_test.sasm").string(), cubin = (dir / "commands_test.cubin").string();
  std::ofstream(source) << ".kernel k\nadd b32 $r1 $r1 $r2\nexit nop\n";
  std::ostringstream out;
  const auto error_of = [](const auto& command) -> std::string {
    try {
      command();
    } catch (const SourceError& error) {
      return error.what();
    }
    return "";
  };
  assemble_command(source, cubin);
  disassemble_command(cubin, false, out);
  EXPECT_NE(out.str().find("    exit nop\n"), std::string::npos) << out.str();
  EXPECT_EQ(error_of([&] { disassemble_command(source + ".none", false, out); }),
            source + ".none: the file cannot be read (No such file or directory)");
  std::ofstream(source) << "c0000003 00000000\n";
  disassemble_words_command(source, isa::Arch::kSm10, out);
  std::ofstream(source) << "what\n";
  EXPECT_EQ(error_of([&] { disassemble_words_command(source, isa::Arch::kSm10, out); }),
            source + ":1: this line is not one or two hex words of an instruction");
  std::filesystem::remove(source);
  std::filesystem::remove(cubin);
}

TEST(ModuleListing, NamesKeepTheirDollarSigns) {
  const Module module = assemble(
      ".constant _$_str u8 4 = 104, 105\n.device a$b u32 1\n.address a$b 0 = a$b 0\n.texture t$1 0\n"
      ".kernel k$2\n.param ptr p$3\nld $r1 b32 c0[_$_str+2*2]\nld $r2 b32 c14[a$b]\ntexauto all $r0:$r1:$r2:$r3 $tt$1 "
      "$st$1 "
      "$r0\n",
      "t.sasm");
  const Module again = assemble(list_module(module), "listing.sasm");
  EXPECT_EQ(again.constants[0].name, "_$_str");
  EXPECT_EQ(again.addresses[0].target, "a$b");
  EXPECT_EQ(again.textures[0].name, "t$1");
  EXPECT_EQ(again.kernels[0].name, "k$2");
  EXPECT_EQ(again.kernels[0].params[0].name, "p$3");
  EXPECT_EQ(again.kernels[0].code, module.kernels[0].code);
}

/// PTX names begin with a letter, _, $ or %.
TEST(ModuleListing, NamesThatBeginWithADollarOrPercentSignAssembleBack) {
  Module module = assemble(
      ".constant c u32 2 = 1, 2\n.device d u32 1\n.address d 0 = d 0\n.texture t 0\n"
      ".kernel k\n.param u32 p\n.const l u32 7\nexit nop\n",
      "t.sasm");
  module.constants[0].name = "%c";
  module.device_variables[0].name = module.addresses[0].variable = module.addresses[0].target = "$d";
  module.textures[0].name = "%t$1";
  module.kernels[0].name = "$kernel";
  module.kernels[0].params[0].name = "%p";
  module.kernels[0].lines = {};
  const std::string listing = list_module(module);
  Module again = assemble(listing, "listing.sasm");
  again.kernels[0].lines = {};
  EXPECT_EQ(write_cubin(again), write_cubin(module)) << listing;
  for (const char* text : {".kernel %\n", ".kernel 1k\n", ".kernel .k\n", ".kernel %%k\n", ".kernel k%\n"})
    EXPECT_THROW(assemble(std::string(text) + "exit nop\n", "t.sasm"), SourceError) << text;
}

TEST(ModuleListing, AssemblesBackToTheSameModule) {
  const Module module = assemble(
      ".arch sm_13\n.constant bytes u8 5 = 1, 2, 3, 4, 5\n.constant f f64 2 = 1.5\n.device d f32 2 = 1.0, "
      "2.0\n.texture t 4\n"
      ".kernel one\n.param ptr p\n.param u16 q\n.shared s u32 8\n.local 64\n.const k u32 7, 8\n.bar 2\n"
      "add b32 $r1 $r1 $r2\nadd b32 $r1 $r1 $r2\nloop: joinat loop .raw 0x0 0x780\nbra loop\n.word 0xc0000003 "
      "0x12\ntrap .short\ntrap .short\n"
      "texauto all $r0:$r1:$r2:$r3 $tt $st $r0\nnop\n"
      ".kernel two\n(lg $c1) bra 0x1000\nexit nop\n",
      "t.sasm");
  const auto text = [](Module m) {
    for (Kernel& kernel : m.kernels) kernel.lines = {};  // those are of another file
    return write_cubin(m);
  };
  const std::string listing = list_module(module);
  EXPECT_EQ(text(assemble(listing, "listing.sasm")), text(module)) << listing;
  SourceText source;
  const std::string annotated = list_module(module, &source);
  EXPECT_NE(annotated.find("// t.sasm:24\n    exit nop\n"), std::string::npos) << annotated;
  EXPECT_EQ(text(assemble(annotated, "listing.sasm")), text(module)) << annotated;
}

TEST(ModuleListing, ShowsEachSourceLineOnceInFrontOfItsInstructions) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "listing lines.cu").string();
  std::ofstream(path) << "first\n  second // \ta;b\t\n";
  Module module = assemble(".kernel k\nnop\nnop\nnop\nnop\nnop\nexit nop\n", "k.sasm");
  LineTable lines;
  lines.add(0, path, 1);
  lines.add(8, path, 1);
  lines.add(16, path, 2);
  lines.add(24, path, 7);  // beyond the end of the file
  lines.add(32, "", 0);
  lines.add(40, "gone.cu", 3);
  module.kernels[0].lines = lines;
  SourceText source;
  const std::string listing = list_module(module, &source);
  const std::string expected = "// " + path + ":1: first\n    nop\n    nop\n// " + path +
                               ":2: second //  a;b\n    nop\n// " + path +
                               ":7\n    nop\n// no source line\n    nop\n// gone.cu:3\n    exit nop\n";
  EXPECT_NE(listing.find(expected), std::string::npos) << listing << "\n--- expected\n" << expected;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace g80

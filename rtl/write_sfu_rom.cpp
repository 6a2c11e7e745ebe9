// SPDX-License-Identifier: Apache-2.0
// Prints the module sfu_rom from hw/isa/sfu_rom.h: the coefficients of the special functions' quadratic interpolation.
// The build runs this program and keeps its output in the build folder.
#include <fmt/format.h>

#include "hw/common/check.h"
#include "hw/isa/sfu_rom.h"

namespace g80::isa {
namespace {

constexpr unsigned kABits = 26, kBBits = 17, kCBits = 14;

/// A number in two's complement.
std::uint32_t bits(std::int32_t value, unsigned width) {
  CHECK(value >= -(1 << (width - 1)) && value < 1 << (width - 1), "coefficient {} has more than {} bits", value, width);
  return static_cast<std::uint32_t>(value) & ((1u << width) - 1);
}

template <std::size_t kEntries>
void print_rom(const char* name, const SfuCoefficients (&rom)[kEntries]) {
  fmt::print("  logic [{}:0] {};\n", kABits + kBBits + kCBits - 1, name);
  fmt::print("  always_comb begin : {}_rom\n    case (index_i{})\n", name, kEntries == 64 ? "[5:0]" : "");
  for (std::size_t i = 0; i < kEntries; ++i) {
    CHECK(rom[i].a >> kABits == 0, "coefficient {} has more than {} bits", rom[i].a, kABits);
    fmt::print("      {}: {} = {{{}'h{:x}, {}'h{:x}, {}'h{:x}}};\n",
               i + 1 == kEntries ? "default" : fmt::format("{}'d{}", kEntries == 64 ? 6 : 7, i), name, kABits, rom[i].a,
               kBBits, bits(rom[i].b, kBBits), kCBits, bits(rom[i].c, kCBits));
  }
  fmt::print("    endcase\n  end\n");
}

void print_module() {
  fmt::print(
      "// Written by rtl/write_sfu_rom.cpp from hw/isa/sfu_rom.h: the coefficients A, B and C of a special function.\n"
      "module sfu_rom (\n"
      "  input  g80_pkg::sfu_function_e function_i,\n"
      "  input  logic [6:0]             index_i,\n"
      "  output logic [{}:0]            a_o,\n"
      "  output logic [{}:0]            b_o,  // signed, as c_o\n"
      "  output logic [{}:0]            c_o\n"
      ");\n",
      kABits - 1, kBBits - 1, kCBits - 1);
  print_rom("rcp", kRcpRom);
  print_rom("rsqrt", kRsqrtRom);
  print_rom("lg2", kLg2Rom);
  print_rom("ex2", kEx2Rom);
  print_rom("sin", kSinRom);
  fmt::print(
      "  always_comb begin : choose\n"
      "    case (function_i)\n"
      "      g80_pkg::SfuFunctionRcp:   {{a_o, b_o, c_o}} = rcp;\n"
      "      g80_pkg::SfuFunctionRsqrt: {{a_o, b_o, c_o}} = rsqrt;\n"
      "      g80_pkg::SfuFunctionLg2:   {{a_o, b_o, c_o}} = lg2;\n"
      "      g80_pkg::SfuFunctionEx2:   {{a_o, b_o, c_o}} = ex2;\n"
      "      default:                   {{a_o, b_o, c_o}} = sin;\n"
      "    endcase\n"
      "  end\n"
      "endmodule\n");
}

}  // namespace
}  // namespace g80::isa

int main() {
  g80::isa::print_module();
  return 0;
}

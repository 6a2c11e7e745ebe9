// SPDX-License-Identifier: Apache-2.0
#include "toolchain/assembler/commands.h"

#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/cubin/cubin.h"
#include "toolchain/cubin/output_file.h"

namespace g80 {
namespace {

std::string read_input(const std::string& path) {
  return path == "-" ? read_text(std::cin, "standard input") : read_text_file(path);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

void assemble_command(const std::string& source_path, const std::string& cubin_path) {
  const std::string cubin = write_cubin(assemble(read_input(source_path), source_path));
  if (cubin_path == "-") {
    std::cout << cubin;
    return;
  }
  write_output_file(cubin_path, cubin);
}

void disassemble_command(const std::string& path, bool with_source, std::ostream& out) {
  const std::string text = read_input(path);
  const Module module = ends_with(path, ".sasm") ? assemble(text, path) : read_cubin(text, path);
  SourceText source;
  out << list_module(module, with_source ? &source : nullptr);
}

void disassemble_words_command(const std::string& path, isa::Arch arch, std::ostream& out) {
  std::istringstream file(path == "-" ? std::string() : read_text_file(path));
  const unsigned first_bad = disassemble_words(path == "-" ? std::cin : file, out, arch);
  if (first_bad == 0) return;
  throw SourceError(fmt::format("{}:{}: this line is not one or two hex words of an instruction", path, first_bad));
}

}  // namespace g80

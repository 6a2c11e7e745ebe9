#include "kernels/toolchain/assembler/commands.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "kernels/toolchain/assembler/assembler.h"
#include "kernels/toolchain/assembler/listing.h"
#include "kernels/toolchain/cubin/cubin.h"

namespace g80 {
namespace {

constexpr int kDone = 0, kBadInput = 2;

std::string read_input(const std::string& path) {
  if (path != "-") return read_text_file(path);
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

int assemble_command(const std::string& source_path, const std::string& cubin_path, std::ostream& errors) {
  try {
    const std::string cubin = write_cubin(assemble(read_input(source_path), source_path));
    if (cubin_path == "-") {
      std::cout << cubin;
      return kDone;
    }
    std::ofstream file(cubin_path, std::ios::binary);
    file << cubin;
    file.close();
    if (file) return kDone;
    errors << cubin_path << ": the file cannot be written\n";
  } catch (const SourceError& error) {
    errors << error.what() << '\n';
  }
  return kBadInput;
}

int disassemble_command(const std::string& path, std::ostream& out, std::ostream& errors) {
  try {
    const std::string text = read_input(path);
    out << list_module(ends_with(path, ".sasm") ? assemble(text, path) : read_cubin(text, path));
    return kDone;
  } catch (const SourceError& error) {
    errors << error.what() << '\n';
    return kBadInput;
  }
}

int disassemble_words_command(const std::string& path, isa::Arch arch, std::ostream& out, std::ostream& errors) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) {
      errors << path << ": the file cannot be read\n";
      return kBadInput;
    }
  }
  const unsigned first_bad = disassemble_words(path == "-" ? std::cin : file, out, arch);
  if (first_bad == 0) return kDone;
  errors << fmt::format("{}:{}: this line is not one or two hex words of an instruction\n", path, first_bad);
  return kBadInput;
}

}  // namespace g80

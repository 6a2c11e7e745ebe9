// SPDX-License-Identifier: Apache-2.0
// Reading and writing of memory images.
#include "tb/scenario/memory_image.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "input/input_error.h"
#include "input/regular_file.h"

namespace g80 {
namespace {

constexpr std::size_t kMaxFileBytes = 1u << 30;  // a raw image of the largest buffer

bool is_hex_file(const std::string& path) { return std::filesystem::path(path).extension() == ".hex"; }

std::vector<std::uint8_t> parse_hex(const std::string& path, const std::string& text) {
  std::vector<std::uint8_t> bytes;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
    } else if (c == '#' || text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else {
      std::size_t end = at;
      while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end]))) ++end;
      std::string word = text.substr(at, end - at);
      if (word.compare(0, 2, "0x") == 0) word.erase(0, 2);
      if (word.size() != 8 || word.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
        throw InputError(fmt::format("{}:{}: '{}' is not a word of eight hexadecimal digits", path, line,
                                     text.substr(at, end - at)));
      }
      const unsigned long value = std::stoul(word, nullptr, 16);
      for (unsigned k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
      at = end;
    }
  }
  return bytes;
}

std::string to_hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::size_t word = 0; word * 4 < bytes.size(); ++word) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 4 && word * 4 + k < bytes.size(); ++k)
      value |= std::uint32_t{bytes[word * 4 + k]} << (8 * k);
    fmt::format_to(std::back_inserter(text), "{:08x}{}", value, word % 8 == 7 ? '\n' : ' ');
  }
  if (!text.empty()) text.back() = '\n';
  return text;
}

}  // namespace

std::string read_file(const std::string& path) {
  if (const std::string why = why_no_regular_file(path); !why.empty()) {
    throw InputError(fmt::format("{}: cannot be read ({})", path, why));
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: cannot be read ({})", path, std::strerror(errno)));
  std::string contents;
  for (std::array<char, 1u << 16> part; stream.read(part.data(), part.size()), stream.gcount() > 0;) {
    contents.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (contents.size() > kMaxFileBytes)
      throw InputError(fmt::format("{}: is longer than {} bytes", path, kMaxFileBytes));
  }
  if (stream.bad()) throw InputError(fmt::format("{}: reading failed", path));
  return contents;
}

void check_writable(const std::string& option, const std::string& path) {
  std::error_code missing;
  if (std::filesystem::is_fifo(path, missing)) return;  // opening it waits for a reader
  const bool existed = std::filesystem::exists(path, missing);
  errno = 0;
  const bool opened = !std::filesystem::is_directory(path, missing) && std::ofstream(path, std::ios::app).is_open();
  if (!opened) {
    throw InputError(fmt::format("{} {}: the file cannot be written ({})", option, path,
                                 errno ? std::strerror(errno) : "it is a folder"));
  }
  if (!existed) std::filesystem::remove(path, missing);
}

void write_file(const std::string& path, const std::string& contents) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  if (!stream) throw InputError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
  stream.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  stream.close();
  if (!stream) throw InputError(fmt::format("{}: writing failed ({})", path, std::strerror(errno)));
}

std::vector<std::uint8_t> read_memory_image(const std::string& path) {
  const std::string contents = read_file(path);
  if (is_hex_file(path)) return parse_hex(path, contents);
  return {contents.begin(), contents.end()};
}

std::vector<std::uint8_t> read_memory_image(const std::string& path, std::uint64_t bytes, const std::string& where) {
  const auto demand = [&](std::uint64_t there) {
    if (there != bytes) throw InputError(fmt::format("{}: {} has {} bytes, the buffer {}", where, path, there, bytes));
  };
  std::error_code missing;
  if (!is_hex_file(path) && std::filesystem::is_regular_file(path, missing)) {
    demand(std::filesystem::file_size(path));  // before it is read: it may be long
  }
  std::vector<std::uint8_t> image = read_memory_image(path);
  demand(image.size());
  return image;
}

void write_memory_image(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  if (is_hex_file(path)) {
    if (bytes.size() % 4 != 0) {
      throw InputError(
          fmt::format("{}: {} bytes are not whole 32-bit words; write them raw (with another suffix than .hex)", path,
                      bytes.size()));
    }
    write_file(path, to_hex(bytes));
  } else {
    write_file(path, std::string(bytes.begin(), bytes.end()));
  }
}

}  // namespace g80

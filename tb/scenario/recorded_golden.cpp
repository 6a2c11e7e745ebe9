// SPDX-License-Identifier: Apache-2.0
// Reading and writing of recorded goldens.
#include "tb/scenario/recorded_golden.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <sstream>

#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {
constexpr const char* kHeader = "g80-golden 1";
}

void write_recorded_golden(const std::string& path, const std::vector<Buffer>& buffers) {
  std::string text = fmt::format("{}\n", kHeader);
  for (const Buffer& buffer : buffers) {
    const std::size_t size = element_bytes(buffer.decl->type);
    fmt::format_to(std::back_inserter(text), "buffer {} {} {}\n", buffer.decl->name,
                   element_type_name(buffer.decl->type), buffer.count);
    for (std::uint64_t i = 0; i < buffer.count; ++i) {
      const bool last = i % 8 == 7 || i + 1 == buffer.count;
      fmt::format_to(std::back_inserter(text), "{:0{}x}{}", element_at(buffer.bytes, size, i), 2 * size,
                     last ? '\n' : ' ');
    }
  }
  write_file(path, text);
}

std::map<std::string, std::vector<std::uint8_t>> read_recorded_golden(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::string line;
  std::size_t number = 0;
  const auto fail = [&](const std::string& why) { throw InputError(fmt::format("{}:{}: {}", path, number, why)); };
  const auto next = [&] { return static_cast<bool>(std::getline(lines, line)) && ++number; };
  if (!next() || line != kHeader) number = 1, fail(fmt::format("the first line must be '{}'", kHeader));
  std::map<std::string, std::vector<std::uint8_t>> contents;
  while (next()) {
    std::istringstream words(line);
    std::string keyword, name, type_name;
    std::uint64_t count = 0;
    words >> keyword >> name >> type_name >> count;
    const auto type = parse_element_type(type_name);
    if (!words || keyword != "buffer" || !type || count > kMaxBufferBytes) fail("expected 'buffer NAME TYPE COUNT'");
    const std::size_t size = element_bytes(*type);
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < count * size) {
      if (!next()) fail(fmt::format("buffer {} has {} of {} elements", name, bytes.size() / size, count));
      std::istringstream elements(line);
      for (std::string word; elements >> word;) {
        if (word.size() != 2 * size || word.find_first_not_of("0123456789abcdef") != std::string::npos) {
          fail(fmt::format("'{}' is not {} hexadecimal digits", word, 2 * size));
        }
        const std::uint64_t bits = std::stoull(word, nullptr, 16);
        std::uint8_t element[8];
        std::memcpy(element, &bits, sizeof bits);
        bytes.insert(bytes.end(), element, element + size);
      }
    }
    if (bytes.size() != count * size) fail(fmt::format("buffer {} has more than {} elements", name, count));
    if (!contents.emplace(name, std::move(bytes)).second) fail(fmt::format("buffer {} appears twice", name));
  }
  return contents;
}

}  // namespace g80

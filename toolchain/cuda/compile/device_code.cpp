// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/device_code.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "toolchain/cubin/kernel_name.h"

namespace g80::cuda {
namespace {

/// Finds the source line of each line of a PTX text, from .file and .loc.
class SourceLines {
 public:
  explicit SourceLines(const std::string& ptx) {
    static const std::regex file(R"(\s*\.file\s+(\d+)\s+"([^"]*)\".*)"), loc(R"(\s*\.loc\s+(\d+)\s+(\d+)\b.*)");
    std::istringstream text(ptx);
    std::smatch match;
    unsigned number = 0, head = 0;  // head: the first line of a function in front of its first .loc
    Place place;
    for (std::string line; std::getline(text, line);) {
      ++number;
      if (line.find(".entry") != std::string::npos || line.find(".func") != std::string::npos) {
        head = number;
        place = {};
      } else if (std::regex_match(line, match, file)) {
        files_[static_cast<unsigned>(std::stoul(match[1]))] = match[2];
      } else if (std::regex_match(line, match, loc) && match[2] != "0") {  // 0: belongs to no line
        place = {static_cast<unsigned>(std::stoul(match[1])), static_cast<unsigned>(std::stoul(match[2]))};
        for (; head != 0 && head < number; ++head) places_[head] = place;
        head = 0;
      }
      if (place.line != 0) places_[number] = place;
    }
  }

  /// "file:line" of a line of the text; empty if it has none.
  std::string of(unsigned ptx_line) const {
    const auto place = places_.find(ptx_line);
    if (place == places_.end()) return "";
    const auto file = files_.find(place->second.file);
    return file == files_.end() ? "" : fmt::format("{}:{}", file->second, place->second.line);
  }

 private:
  struct Place {
    unsigned file = 0, line = 0;
  };
  std::map<unsigned, std::string> files_;
  std::map<unsigned, Place> places_;
};

/// The name of the source. "2 of k(float*, int)" of a kernel's second parameter, which clang names after the kernel.
std::string plain_name(const std::string& name) {
  static const std::regex parameter("(_Z\\w+)_param_([0-9]{1,4})");
  std::smatch match;
  if (!std::regex_match(name, match, parameter)) return demangled_name(name);
  return fmt::format("{} of {}", std::stoul(match[2]) + 1, demangled_name(match[1]));
}

/// Replaces mangled names in a text by the names of the source.
std::string with_plain_names(const std::string& text) {
  static const std::regex mangled("_Z\\w+");
  std::string plain;
  std::size_t at = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), mangled), end; it != end; ++it) {
    const std::size_t begin = static_cast<std::size_t>(it->position());
    plain += text.substr(at, begin - at) + plain_name(it->str());
    at = begin + it->str().size();
  }
  return plain + text.substr(at);
}

std::string in_terms_of_the_program(const std::string& message, const std::string& ptx_name, const std::string& source,
                                    const SourceLines& lines) {
  const std::string prefix = ptx_name + ":";
  if (message.rfind(prefix, 0) == 0) {
    const std::size_t colon = message.find(':', prefix.size());
    if (colon != std::string::npos) {
      const std::string place =
          lines.of(static_cast<unsigned>(std::strtoul(message.c_str() + prefix.size(), nullptr, 10)));
      return (place.empty() ? source : place) + with_plain_names(message.substr(colon));
    }
  }
  return with_plain_names(message);
}

}  // namespace

CompileResult compile_device_code(const std::string& ptx, const std::string& source, const CompileOptions& options) {
  const std::string name = std::filesystem::path(source).replace_extension(".ptx").string();
  try {
    CompileResult result = compile_ptx(ptx, name, options);
    if (result.warnings.empty()) return result;
    const SourceLines lines(ptx);
    for (Diagnostic& warning : result.warnings)
      warning.message = in_terms_of_the_program(warning.message, name, source, lines);
    return result;
  } catch (const SourceError& error) {
    throw SourceError(in_terms_of_the_program(error.what(), name, source, SourceLines(ptx)));
  }
}

void print_warnings(const CompileResult& result) {
  std::map<std::string, unsigned> places;  // the message behind "FILE:LINE: "
  const auto without_place = [](const std::string& message) {
    const std::size_t colon = message.find(": ");
    return colon == std::string::npos ? message : message.substr(colon);
  };
  for (const Diagnostic& warning : result.warnings) ++places[without_place(warning.message)];
  for (const Diagnostic& warning : result.warnings) {
    unsigned& count = places[without_place(warning.message)];
    if (count == 0) continue;
    const std::string more =
        count == 1 ? "" : fmt::format(" (here and in {} more place{})", count - 1, count == 2 ? "" : "s");
    fmt::print(stderr, "g80: warning: {}{}\n", warning.message, more);
    count = 0;
  }
}

}  // namespace g80::cuda

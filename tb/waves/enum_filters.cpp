// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/enum_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "tb/waves/trace_file.h"

namespace g80 {

std::string enum_filter_name(const EnumText& text) {
  std::string name = text.type;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == ' ' || c == '/'; }, '_');
  return name + ".txt";
}

std::string enum_filter_text(const EnumText& text, const std::set<unsigned>& widths) {
  std::string lines = fmt::format("# {}\n", text.type);
  for (const unsigned width : widths) {
    for (unsigned value = 0; value < text.count && (width >= 32 || value >> width == 0); ++value) {
      lines += fmt::format("{:0{}b} {}\n", value, width, text.names[value]);
    }
  }
  return lines;
}

std::vector<std::string> write_enum_filters(const std::string& dir, const std::vector<Signal>& signals) {
  struct Use {
    const EnumText* text = nullptr;
    std::set<unsigned> widths;
  };
  std::map<std::string, Use> types;
  for (const Signal& signal : signals) {
    if (signal.text == nullptr) continue;
    Use& use = types[enum_filter_name(*signal.text)];
    use.text = signal.text;
    use.widths.insert(signal.width);
  }
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) throw WaveError(fmt::format("cannot make the folder {} ({})", dir, error.message()));
  std::vector<std::string> written;
  for (const auto& [name, use] : types) {
    const std::string path = dir + "/" + name;
    std::ofstream out(path);
    out << enum_filter_text(*use.text, use.widths);
    if (!out.flush()) throw WaveError("cannot write " + path);
    written.push_back(name);
  }
  return written;
}

}  // namespace g80

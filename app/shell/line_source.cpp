// SPDX-License-Identifier: Apache-2.0
#include "app/shell/line_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "input/input_error.h"
#include "input/regular_file.h"

namespace g80 {

MakeLineEditor make_line_editor = nullptr;

namespace {

class Script final : public LineSource {
 public:
  explicit Script(const std::string& file) : name_(file == "-" ? "standard input" : file) {
    if (file == "-") return;
    std::string why = why_no_regular_file(file);
    errno = 0;
    if (why.empty()) file_.open(file);
    if (why.empty() && !file_) why = std::strerror(errno);
    if (!why.empty()) throw InputError(fmt::format("--shell-script {}: the file cannot be read ({})", file, why));
  }
  std::optional<std::string> next(const std::string& prompt) override {
    std::string line;
    if (!std::getline(file_.is_open() ? file_ : std::cin, line)) return std::nullopt;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++line_;
    fmt::print("{}{}\n", prompt, line);
    return line;
  }
  std::string place() const override { return fmt::format("{}:{}", name_, line_); }

 private:
  const std::string name_;
  std::ifstream file_;
  unsigned line_ = 0;
};

class Terminal final : public LineSource {
 public:
  std::optional<std::string> next(const std::string& prompt) override {
    fmt::print("{}", prompt);
    std::fflush(stdout);
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }
  bool interactive() const override { return true; }
};

}  // namespace

std::unique_ptr<LineSource> open_script(const std::string& file) { return std::make_unique<Script>(file); }

std::unique_ptr<LineSource> open_lines(const std::string& script) {
  if (!script.empty()) return open_script(script);
  if (!isatty(STDIN_FILENO)) return open_script("-");
  if (make_line_editor != nullptr) return make_line_editor();
  return std::make_unique<Terminal>();
}

}  // namespace g80

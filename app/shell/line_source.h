// SPDX-License-Identifier: Apache-2.0
// Where the lines of a shell come from: a terminal, a file, standard input.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace g80 {

/// What a word may become, for the TAB key; `before` is the line up to the word.
using Completer = std::function<std::vector<std::string>(const std::string& before, const std::string& word)>;

class LineSource {
 public:
  virtual ~LineSource() = default;
  /// The next line without its end; nothing at the end of all lines.
  virtual std::optional<std::string> next(const std::string& prompt) = 0;
  /// A person writes the lines: errors are told and the next line is asked for.
  virtual bool interactive() const { return false; }
  /// Who answers the TAB key from now on.
  virtual void complete_with(Completer) {}
  /// "file:3", for messages about the last line.
  virtual std::string place() const { return "shell"; }
};

/// Lines of a file, shown with the prompt as they are read; "-" is standard input. Throws InputError.
std::unique_ptr<LineSource> open_script(const std::string& file);

/// What a program with a line editor sets; null: a terminal gives plain lines.
using MakeLineEditor = std::unique_ptr<LineSource> (*)();
extern MakeLineEditor make_line_editor;

/// The file, or the terminal if standard input is one, or standard input.
std::unique_ptr<LineSource> open_lines(const std::string& script);

}  // namespace g80

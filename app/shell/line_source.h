// SPDX-License-Identifier: Apache-2.0
// Where the lines of a shell come from: a terminal, a file, standard input.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace g80 {

/// Completions of a word for the TAB key; `before` is the line up to the word.
using Completer = std::function<std::vector<std::string>(const std::string& before, const std::string& word)>;

class LineSource {
 public:
  virtual ~LineSource() = default;
  /// The next line without its end; nothing at the end of all lines.
  virtual std::optional<std::string> next(const std::string& prompt) = 0;
  /// True for a terminal: after an error the shell prints it and reads the next line.
  virtual bool interactive() const { return false; }
  /// Sets the completer for the TAB key.
  virtual void complete_with(const Completer&) {}
  /// "file:3", for messages about the last line.
  virtual std::string place() const { return "shell"; }
};

/// Lines of a file, echoed after the prompt; "-" is standard input. Throws InputError.
std::unique_ptr<LineSource> open_script(const std::string& file);

/// Set by a program with a line editor; null: the terminal is read without one.
using MakeLineEditor = std::unique_ptr<LineSource> (*)();
extern MakeLineEditor make_line_editor;

/// The file, or the terminal if standard input is one, or standard input.
std::unique_ptr<LineSource> open_lines(const std::string& script);

}  // namespace g80

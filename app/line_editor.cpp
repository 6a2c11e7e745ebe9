// SPDX-License-Identifier: Apache-2.0
// The terminal of the shell with history and keys, by libedit. Linked with the program g80 only.
#include <cstdlib>
#include <cstring>

#include <editline/readline.h>

#include "app/shell/line_source.h"

namespace g80 {
namespace {

// libedit calls functions without a context: there is one terminal.
Completer complete;
std::vector<std::string> candidates;
char word_ends[] = " \t\n()!=<>&|,";

char* next_candidate(const char*, int number) {
  return static_cast<std::size_t>(number) < candidates.size()
             ? ::strdup(candidates[static_cast<std::size_t>(number)].c_str())
             : nullptr;
}

char** candidates_of(const char* word, int start, int) {
  const std::string before(::rl_line_buffer, static_cast<std::size_t>(start));
  candidates = complete(before, word);
  if (before.rfind("wave on ", 0) != 0) ::rl_attempted_completion_over = 1;  // only `wave on` takes a file name
  // No space after "sm0." and "g[", because the word continues.
  const bool more = candidates.size() == 1 && std::strchr(".[", candidates.front().back()) != nullptr;
  ::rl_completion_append_character = more ? '\0' : ' ';
  return candidates.empty() ? nullptr : ::rl_completion_matches(word, next_candidate);
}

class Editor final : public LineSource {
 public:
  std::optional<std::string> next(const std::string& prompt) override {
    char* const read = ::readline(prompt.c_str());
    if (read == nullptr) return std::nullopt;
    std::string line = read;
    std::free(read);
    if (!line.empty()) ::add_history(line.c_str());
    return line;
  }
  bool interactive() const override { return true; }
  void complete_with(const Completer& completer) override {
    complete = completer;
    ::rl_attempted_completion_function = candidates_of;
    ::rl_completer_word_break_characters = word_ends;
  }
};

[[maybe_unused]] const bool kInstalled = [] {
  make_line_editor = []() -> std::unique_ptr<LineSource> { return std::make_unique<Editor>(); };
  return true;
}();

}  // namespace
}  // namespace g80

// The terminal of the shell with history and keys, by libedit. Linked with the program g80 only.
#include <cstdio>
#include <cstdlib>

#include <editline/readline.h>

#include "tb/shell/line_source.h"

namespace g80 {
namespace {

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
};

[[maybe_unused]] const bool installed = [] {
  make_line_editor = []() -> std::unique_ptr<LineSource> { return std::make_unique<Editor>(); };
  return true;
}();

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "app/command/completion_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace g80 {
namespace {

/// The options of a command that --help shows, in its order.
std::vector<const CLI::Option*> shown_options(const CLI::App& app) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* const option : app.get_options()) {
    if (!option->get_group().empty()) options.push_back(option);
  }
  return options;
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); });
}

std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  return words;
}

/// The choices of a value: {gpu,golden} stands in the option's type. Empty: anything goes.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::string word;
  for (std::size_t i = begin + 1; i <= end; ++i) {
    if (type[i] == ',' || i == end) {
      choices.push_back(word);
      word.clear();
    } else {
      word += type[i];
    }
  }
  return choices;
}

}  // namespace

std::string completion_script(const CLI::App& program) {
  std::string commands, cases, choices;
  for (const CLI::App* const command : commands_of(program)) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    std::string words;
    for (const CLI::Option* const option : shown_options(*command)) {
      for (const std::string& word : words_of(*option)) words += (words.empty() ? "" : " ") + word;
      const std::vector<std::string> values = choices_of(*option);
      if (values.empty()) continue;
      const std::vector<std::string> names = words_of(*option);
      if (names.empty()) {
        words += fmt::format(" {}", fmt::join(values, " "));
        continue;
      }
      for (const std::string& word : names)
        choices += fmt::format("    \"{} {}\") values=\"{}\" ;;\n", command->get_name(), word, fmt::join(values, " "));
    }
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), words);
  }
  // clang-format off
  return fmt::format(R"bash(# bash completion of g80: source it, or put it into ~/.local/share/bash-completion/completions/g80
_g80() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words= values=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --help-all --version" -- "$word"))
    return
  fi
  case "$command $before" in
{}  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    return
  fi
  case $command in
{}  esac
  case $before in
    --device)
      COMPREPLY=($(compgen -W "$(g80 list presets 2>/dev/null | sed -n 's/^  //p')" -f -- "$word"))
      return
      ;;
    --set)
      COMPREPLY=($(compgen -S = -W "$(g80 list keys 2>/dev/null | sed -n 's/^  \([a-z0-9_.]*\) .*/\1/p')" -- "$word"))
      compopt -o nospace 2>/dev/null
      return
      ;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *)
      COMPREPLY=($(compgen -f -- "$word"))
      case $command in
        run | diff) words=$(g80 list kernels 2>/dev/null | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p') ;;
        *) words=$(printf '%s\n' $words | grep -v '^-') ;;
      esac
      COMPREPLY+=($(compgen -W "$words" -- "$word"))
      ;;
  esac
}}
complete -o filenames -F _g80 g80
)bash",
                     commands, choices, cases);
  // clang-format on
}

}  // namespace g80

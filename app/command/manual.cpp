// SPDX-License-Identifier: Apache-2.0
#include "app/command/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/run/terminal.h"
#include "hw/common/version.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

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

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

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

/// Text of a manual page: a dash is a minus sign, and no line begins with a request.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) {
      out += "\\&" + std::string(1, c);
    } else {
      out += c;
    }
  }
  return out;
}

std::string manual_options(const CLI::App& app) {
  std::string out;
  std::vector<std::string> groups;
  for (const CLI::Option* const option : shown_options(app)) {
    if (!option->get_positional() && std::find(groups.begin(), groups.end(), option->get_group()) == groups.end())
      groups.push_back(option->get_group());
  }
  const auto entry = [&out](const CLI::Option& option, const std::string& name) {
    std::string value = takes_value(option) ? option.get_type_name() : "";
    if (!value.empty()) value = " \\fI" + roff(value) + "\\fR";
    out += fmt::format(
        ".TP\n\\fB{}\\fR{}\n{}{}\n", roff(name), value, roff(option.get_description()),
        option.get_default_str().empty() ? "" : roff(fmt::format(" (default: {})", option.get_default_str())));
  };
  bool any = false;
  for (const CLI::Option* const option : shown_options(app)) {
    if (!option->get_positional()) continue;
    if (!any) out += ".SH ARGUMENTS\n";
    any = true;
    entry(*option, option->get_name(true));
  }
  for (const std::string& group : groups) {
    std::string title = group;
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
    out += fmt::format(".SH \"{}\"\n", roff(title));
    for (const CLI::Option* const option : shown_options(app)) {
      if (!option->get_positional() && option->get_group() == group)
        entry(*option, fmt::format("{}", fmt::join(words_of(*option), ", ")));
    }
  }
  return out;
}

// ---- completion

std::string bash_script(const CLI::App& program) {
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

/// The text between the brackets of an _arguments specification.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_script(const CLI::App& program) {
  std::string list, cases;
  for (const CLI::App* const command : commands_of(program)) {
    list += fmt::format("    {}\n",
                        shell_word(fmt::format("{}:{}", command->get_name(), zsh_text(command->get_description()))));
    cases += fmt::format("    {})\n      _arguments", command->get_name());
    for (const CLI::Option* const option : shown_options(*command)) {
      const std::vector<std::string> values = choices_of(*option);
      const std::string value = !takes_value(*option) ? ""
                                : values.empty()      ? ":value:_files"
                                                      : fmt::format(":value:({})", fmt::join(values, " "));
      for (const std::string& word : words_of(*option))
        cases +=
            " \\\n        " + shell_word(fmt::format("*{}[{}]{}", word, zsh_text(option->get_description()), value));
      if (option->get_positional())
        cases += " \\\n        " + shell_word("*" + (value.empty() ? std::string(":file:_files") : ":" + value));
    }
    cases += " ;;\n";
  }
  // clang-format off
  return fmt::format(R"zsh(#compdef g80
# zsh completion of g80: put it as _g80 into a folder of $fpath
_g80() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_g80 "$@"
)zsh",
                     list, cases);
  // clang-format on
}

std::string fish_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_script(const CLI::App& program) {
  std::string out = "# fish completion of g80: put it into ~/.config/fish/completions/g80.fish\n";
  for (const CLI::App* const command : commands_of(program)) {
    out += fmt::format("complete -c g80 -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                       fish_quotes(command->get_description()));
    for (const CLI::Option* const option : shown_options(*command)) {
      if (option->get_positional() && words_of(*option).empty()) {
        if (const auto values = choices_of(*option); !values.empty())
          out += fmt::format("complete -c g80 -n '__fish_seen_subcommand_from {}' -f -a {}\n", command->get_name(),
                             fish_quotes(fmt::format("{}", fmt::join(values, " "))));
        continue;
      }
      out += fmt::format("complete -c g80 -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option->get_snames()) out += " -s " + name;
      for (const std::string& name : option->get_lnames()) out += " -l " + name;
      if (takes_value(*option)) out += " -r";
      if (const auto values = choices_of(*option); !values.empty())
        out += " -f -a " + fish_quotes(fmt::format("{}", fmt::join(values, " ")));
      out += fmt::format(" -d {}\n", fish_quotes(option->get_description()));
    }
  }
  return out;
}

std::string manual_page(const CLI::App& program, const CLI::App* command) {
  const std::string name = command == nullptr ? "g80" : "g80-" + command->get_name();
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  const CLI::App& app = command == nullptr ? program : *command;
  std::string out = fmt::format(".TH \"{}\" 1 \"\" \"g80 {}\" \"g80\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
                                roff(title), kVersion, roff(name), roff(app.get_description()));
  if (command == nullptr) {
    out += ".B g80\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH COMMANDS\n";
    for (const CLI::App* const one : commands_of(program))
      out += fmt::format(".TP\n\\fB{}\\fR\n{}; see \\fBg80\\-{}\\fR(1)\n", roff(one->get_name()),
                         roff(one->get_description()), roff(one->get_name()));
  } else {
    out += fmt::format(".B g80 {}\n[\\fIOPTIONS\\fR]", roff(command->get_name()));
    for (const CLI::Option* const option : shown_options(app)) {
      if (option->get_positional())
        out += fmt::format(option->get_required() ? " \\fI{}\\fR" : " [\\fI{}\\fR]", roff(option->get_name(true)));
    }
    out += '\n';
  }
  out += manual_options(app);
  out += fmt::format(".SH EXIT STATUS\n{}\n", roff(program.get_footer()));
  return out;
}

}  // namespace

void write_manual_pages(const CLI::App& program, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(fmt::format("{}: the folder cannot be made ({})", folder, error.message()));
  write_file(folder + "/g80.1", manual_page(program, nullptr));
  for (const CLI::App* const command : commands_of(program))
    write_file(fmt::format("{}/g80-{}.1", folder, command->get_name()), manual_page(program, command));
}

std::string completion_script(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash_script(program);
  return shell == "zsh" ? zsh_script(program) : fish_script(program);
}

}  // namespace g80

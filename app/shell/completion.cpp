// SPDX-License-Identifier: Apache-2.0
#include "app/shell/completion.h"

#include <iterator>
#include <set>
#include <sstream>

#include "app/shell/command.h"
#include "input/input_error.h"
#include "tb/record/warp_state.h"

namespace g80 {
namespace {

bool begins(const std::string& text, const std::string& with) { return text.compare(0, with.size(), with) == 0; }

/// Adds the signals that have a component beginning with the word, up to the next dot.
void add_signals(const std::string& word, const std::vector<std::string>& signals, std::set<std::string>& found) {
  for (const std::string& name : signals) {
    for (std::size_t at = 0; at != std::string::npos; at = name.find('.', at)) {
      if (name[at] == '.') ++at;
      if (name.compare(at, word.size(), word) != 0) continue;
      const std::size_t dot = name.find('.', at + word.size());
      found.insert(name.substr(at, dot == std::string::npos ? dot : dot + 1 - at));
    }
  }
}

/// The words, other than signals, that may follow `words`.
std::vector<std::string> fixed_words(Verb verb, const std::vector<std::string>& words) {
  const bool second = words.size() == 1;
  switch (verb) {
    case Verb::kBreak: {
      if (second) return {"fault", "if", "mismatch", "state"};
      const EnumText& states = enum_text(WarpState{});
      if (words.size() == 2 && words[1] == "state") return {states.names, states.names + states.count};
      return {"block", "sm", "warp"};
    }
    case Verb::kInfo:
      return second ? std::vector<std::string>(std::begin(kInfoTopics), std::end(kInfoTopics))
                    : std::vector<std::string>();
    case Verb::kHelp: return second ? command_names() : std::vector<std::string>();
    case Verb::kTrace: return {"off"};
    case Verb::kWave: return second ? std::vector<std::string>{"off", "on"} : std::vector<std::string>();
    case Verb::kWatch: return second ? std::vector<std::string>{"g[", "s["} : std::vector<std::string>{"r", "w"};
    case Verb::kExamine: return second ? std::vector<std::string>{"c0[", "g[", "l[", "s["} : std::vector<std::string>();
    default: return {};
  }
}

bool takes_signal(Verb verb, const std::vector<std::string>& words) {
  return verb == Verb::kUntil || (words.size() == 1 && (verb == Verb::kPrint || verb == Verb::kTrace)) ||
         (verb == Verb::kBreak && words.size() > 1 && words[1] == "if");
}

}  // namespace

std::vector<std::string> completions(const std::string& before, const std::string& word,
                                     const std::vector<std::string>& signals) {
  std::istringstream stream(before);
  const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::set<std::string> found;
  const auto add = [&](const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) {
      if (begins(candidate, word)) found.insert(candidate);
    }
  };
  if (words.empty()) {
    add(command_names());
    return {found.begin(), found.end()};
  }
  try {
    const Verb verb = verb_of(words[0]);
    add(fixed_words(verb, words));
    if (takes_signal(verb, words)) add_signals(word, signals, found);
  } catch (const InputError&) {  // no such command
  }
  return {found.begin(), found.end()};
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "tb/events/event.h"

#include <fmt/format.h>

#include "input/input_error.h"
#include "tb/waves/number.h"

namespace g80 {
namespace {

constexpr const char* kFault = "rises(sm*.fault_reporter.reported)";

/// True if the text starts with `word=`; `value` is then the rest. `word ==` is a comparison, not an option.
bool assigned(const std::string& text, const std::string& word, std::string& value) {
  if (text.compare(0, word.size() + 1, word + "=") != 0 || text.compare(word.size() + 1, 1, "=") == 0) return false;
  value = text.substr(word.size() + 1);
  return true;
}

}  // namespace

Event parse_event(const std::string& text) {
  Event event;
  event.text = text;
  std::string value;
  if (text.find_first_not_of(" \t") == std::string::npos) throw InputError("an event is missing");
  if (text == "launch" || assigned(text, "launch", value)) {
    event.kind = Event::Kind::kLaunch;
    if (text == "launch") value = "1";
    if (!parse_number(value, event.number)) event.kernel = value;
    if (event.kernel.empty() && event.number == 0)
      throw InputError(fmt::format("{}: write launch=N, from 1, or launch=KERNEL", text));
  } else if (assigned(text, "cycle", value)) {
    event.kind = Event::Kind::kCycle;
    if (!parse_number(value, event.number) || event.number == 0 || event.number > kLastCycle) {
      throw InputError(fmt::format("{}: '{}' is not a shader cycle", text, value));
    }
  } else {
    event.condition = text == "fault" ? kFault : text;
  }
  return event;
}

}  // namespace g80

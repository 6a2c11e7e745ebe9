// SPDX-License-Identifier: Apache-2.0
// Command lines of the SDK's programs: --flag, -flag, --name=value.
#pragma once
#pragma GCC system_header
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sstream>

/// The text behind "--name" ("" or "=value"), or null.
inline const char* __g80_argument(int argc, const char** argv, const char* name) {
  const size_t wanted = strcspn(name, "=");  // some ask for "name="
  for (int i = 1; i < argc; ++i) {
    const char* text = argv[i];
    while (*text == '-') ++text;
    const size_t length = strcspn(text, "=");
    if (text != argv[i] && length == wanted && strncasecmp(text, name, length) == 0) return text + length;
  }
  return 0;
}
/// The value of --name=value, or null.
inline const char* __g80_argument_value(int argc, const char** argv, const char* name) {
  const char* rest = __g80_argument(argc, argv, name);
  return rest != 0 && *rest == '=' ? rest + 1 : 0;
}
// As the SDK's reader sets what it is given: a number only if there is one, a text in any case. A flag without a value
// has the text "FLAG".
template <class T>
inline bool __g80_argument_number(int argc, const char** argv, const char* name, T* value) {
  const char* text = __g80_argument_value(argc, argv, name);
  if (text == 0) return false;
  std::istringstream stream(text);
  T number;
  if (!(stream >> number)) return false;
  *value = number;
  return true;
}
inline bool __g80_argument_text(int argc, const char** argv, const char* name, char** value) {
  const char* rest = __g80_argument(argc, argv, name);
  *value = rest == 0 ? 0 : strdup(*rest == '=' ? rest + 1 : "FLAG");
  return rest != 0;
}

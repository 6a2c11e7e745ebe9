// SPDX-License-Identifier: Apache-2.0
// Command lines of the SDK's programs: --flag, -flag, --name=value.
#pragma once
#pragma GCC system_header
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

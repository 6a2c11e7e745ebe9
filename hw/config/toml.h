// toml++, with its assertions off in every build: they state what broken files violate ("[=" as a table's name), and with
// NDEBUG they would be promises to the compiler. The parser itself tells such mistakes. Expensive to compile.
#pragma once
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

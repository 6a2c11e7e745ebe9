// SPDX-License-Identifier: Apache-2.0
// Access to arguments and buffers by name, and the list of golden functions.
#include "tb/scenario/golden_case.h"

#include <fmt/format.h>

#include "input/input_error.h"

namespace g80 {

#define GOLDEN(name) void golden_##name(GoldenCase&);
#include "tb/scenario/goldens.def"
#undef GOLDEN

namespace {
struct GoldenRow {
  std::string_view name;
  GoldenFunction function;
};
constexpr GoldenRow kGoldens[] = {
#define GOLDEN(name) {#name, &golden_##name},
#include "tb/scenario/goldens.def"
#undef GOLDEN
};
}  // namespace

GoldenFunction find_golden(std::string_view name) {
  for (const GoldenRow& row : kGoldens) {
    if (row.name == name) return row.function;
  }
  return nullptr;
}
std::vector<std::string_view> golden_names() {
  std::vector<std::string_view> names;
  for (const GoldenRow& row : kGoldens) names.push_back(row.name);
  return names;
}

const ArgumentValue& GoldenCase::argument(std::string_view name) const {
  for (const ArgumentValue& argument : arguments_) {
    if (argument.name == name) return argument;
  }
  throw InputError(fmt::format("the golden function needs the argument '{}'", name));
}
std::vector<std::uint8_t>& GoldenCase::bytes(std::string_view name) {
  for (Buffer& buffer : buffers_) {
    if (buffer.decl->name == name) return buffer.bytes;
  }
  throw InputError(fmt::format("the golden function needs the buffer '{}'", name));
}

std::size_t GoldenCase::size(std::string_view name) const {
  const ArgumentValue& found = argument(name);
  if (found.value.is_float || found.value.integer < 0) {
    throw InputError(fmt::format("the golden function needs the argument '{}' as an integer from 0", name));
  }
  return static_cast<std::size_t>(found.value.integer);
}
float GoldenCase::real(std::string_view name) const { return static_cast<float>(argument(name).value.as_real()); }
Elements<float> GoldenCase::f32(std::string_view name) { return Elements<float>(bytes(name)); }
Elements<std::uint32_t> GoldenCase::u32(std::string_view name) { return Elements<std::uint32_t>(bytes(name)); }
Elements<std::int32_t> GoldenCase::s32(std::string_view name) { return Elements<std::int32_t>(bytes(name)); }

}  // namespace g80

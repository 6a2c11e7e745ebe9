// SPDX-License-Identifier: Apache-2.0
// Initial contents and comparison of buffers.
#include "tb/scenario/buffer_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "hw/common/fnv.h"
#include "input/input_error.h"
#include "tb/scenario/memory_image.h"

namespace g80 {
namespace {

/// A random stream per (seed, name): adding a buffer or a variable does not change the others.
std::uint64_t stream_of(std::uint64_t seed, const std::string& name) {
  return fnv1a(name, kFnvBasis ^ (seed * 0x9e3779b97f4a7c15u));
}

void store(std::vector<std::uint8_t>& bytes, std::size_t size, std::uint64_t index, std::uint64_t bits) {
  std::memcpy(&bytes[index * size], &bits, size);
}

std::vector<std::uint8_t> repeated_values(const BufferDecl& decl, std::uint64_t count, const NameTable& names) {
  const std::size_t size = element_bytes(decl.type);
  std::vector<std::uint64_t> values;
  for (const ScenarioText& text : decl.values)
    values.push_back(element_bits(decl.type, value_at(text, names), text.where));
  std::vector<std::uint8_t> bytes(count * size);
  for (std::uint64_t i = 0; i < count; ++i) store(bytes, size, i, values[i % values.size()]);
  return bytes;
}

std::vector<std::uint8_t> file_contents(const Scenario& scenario, const ScenarioText& file, std::uint64_t size) {
  return read_memory_image((std::filesystem::path(scenario.folder) / file.text).string(), size, file.where);
}

/// Distance of two floats in units in the last place: 0 for two NaNs, the largest number for one NaN.
std::uint64_t ulp_distance(ElementType type, std::uint64_t a, std::uint64_t b) {
  if (a == b) return 0;
  const auto ordered = [](std::uint64_t bits, unsigned width) {
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return static_cast<std::int64_t>(bits & sign ? 0 - (bits & (sign - 1)) : bits);
  };
  const unsigned width = type == ElementType::kF32 ? 32 : 64;
  const std::uint64_t infinity = width == 32 ? 0x7f800000u : 0x7ff0000000000000u;
  const std::uint64_t magnitude = width == 32 ? 0x7fffffffu : 0x7fffffffffffffffu;
  const bool a_is_nan = (a & magnitude) > infinity, b_is_nan = (b & magnitude) > infinity;
  if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : UINT64_MAX;
  const std::int64_t x = ordered(a, width), y = ordered(b, width);
  return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
               : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

}  // namespace

std::uint64_t element_at(const std::vector<std::uint8_t>& bytes, std::size_t size, std::uint64_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes[index * size], size);
  return bits;
}

std::vector<std::uint8_t> evaluate_elements(const ScenarioText& text, ElementType type, std::uint64_t count,
                                            const NameTable& names, std::uint64_t seed, const std::string& name) {
  NameTable with_index = names;
  with_index.add("i", Value::of(0));
  const Expression expression = compile_at(text, with_index.names);
  const std::size_t size = element_bytes(type);
  std::vector<std::uint8_t> bytes(count * size);
  EvaluationContext context{&with_index.values, stream_of(seed, name), 0};
  const std::uint64_t different =
      expression.same_everywhere(with_index.values.size() - 1) ? std::min<std::uint64_t>(count, 1) : count;
  for (std::uint64_t i = 0; i < different; ++i) {
    with_index.values.back().integer = static_cast<std::int64_t>(i);
    context.random_index = i;
    try {
      const Value value = expression.evaluate(context);
      store(bytes, size, i, element_bits(type, value, "the value"));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: element {} of {}: {}", text.where, i, name, error.what()));
    }
  }
  if (const std::uint64_t bits = different < count ? element_at(bytes, size, 0) : 0; bits != 0) {
    for (std::uint64_t i = different; i < count; ++i) store(bytes, size, i, bits);
  }
  return bytes;
}

std::vector<Buffer> make_buffers(const Scenario& scenario, const NameTable& names, std::uint64_t seed,
                                 std::uint64_t device_bytes) {
  std::vector<Buffer> buffers;
  std::uint64_t sum = 0;
  for (const BufferDecl& decl : scenario.buffers) {
    Buffer& buffer = buffers.emplace_back();
    buffer.decl = &decl;
    const std::size_t size = element_bytes(decl.type);
    buffer.count =
        static_cast<std::uint64_t>(integer_at(decl.count, names, 1, static_cast<std::int64_t>(kMaxBufferBytes / size)));
    sum += buffer.count * size;
    if (sum > device_bytes) {  // checked before any buffer is filled, which takes time
      throw InputError(
          fmt::format("{}: buffer {} of {} bytes does not fit: the buffers up to it need {} bytes, {} bytes of device "
                      "memory are free",
                      decl.count.where, decl.name, buffer.count * size, sum, device_bytes));
    }
  }
  for (Buffer& buffer : buffers) {
    const BufferDecl& decl = *buffer.decl;
    const std::size_t size = element_bytes(decl.type);
    switch (decl.init) {
      case InitKind::kExpression:
        buffer.bytes =
            evaluate_elements(decl.init_text, decl.type, buffer.count, names, decl.seed.value_or(seed), decl.name);
        break;
      case InitKind::kValues: buffer.bytes = repeated_values(decl, buffer.count, names); break;
      case InitKind::kFile: buffer.bytes = file_contents(scenario, decl.init_text, buffer.count * size); break;
    }
  }
  return buffers;
}

std::string contents_text(const Buffer& buffer) {
  constexpr std::uint64_t kPerLine = 8, kBeginning = 4 * kPerLine, kMost = 8 * kPerLine;
  const std::size_t size = element_bytes(buffer.decl->type);
  std::string text;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    if (i == kBeginning && buffer.count > kMost) {
      const std::uint64_t last_line = (buffer.count - 1) / kPerLine * kPerLine;
      text += fmt::format("\n... {} elements more; '>FILE' behind the count writes all of them", last_line - i);
      i = last_line;
    }
    if (i % kPerLine == 0) text += fmt::format("{}{}[{}]:", i == 0 ? "" : "\n", buffer.decl->name, i);
    const std::string element = element_text(buffer.decl->type, element_at(buffer.bytes, size, i));
    text += " " + element.substr(0, element.find(" ("));
  }
  return text + "\n";
}

BufferCheck compare_buffer(const BufferDecl& decl, const std::vector<std::uint8_t>& seen,
                           const std::vector<std::uint8_t>& expected) {
  const std::size_t size = element_bytes(decl.type);
  BufferCheck check;
  check.buffer = decl.name;
  check.elements = expected.size() / size;
  if (seen.size() != expected.size()) {
    throw InputError(
        fmt::format("buffer {} has {} bytes, its expected contents have {}", decl.name, seen.size(), expected.size()));
  }
  if (std::memcmp(seen.data(), expected.data(), seen.size()) == 0) return check;
  for (std::uint64_t i = 0; i < check.elements; ++i) {
    const std::uint64_t a = element_at(seen, size, i), b = element_at(expected, size, i);
    if (a == b || (decl.ulp != 0 && is_floating(decl.type) && ulp_distance(decl.type, a, b) <= decl.ulp)) continue;
    if (check.differing++ == 0) {
      check.first_difference = fmt::format("{}[{}] is {}, expected {}", decl.name, i, element_text(decl.type, a),
                                           element_text(decl.type, b));
    }
  }
  return check;
}

}  // namespace g80

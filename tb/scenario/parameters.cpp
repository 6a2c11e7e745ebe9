// SPDX-License-Identifier: Apache-2.0
#include "tb/scenario/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <tuple>

#include "input/input_error.h"
#include "toolchain/cubin/kernel_name.h"

namespace g80 {
namespace {

/// A number in C: integers may have any sign; 0 bytes: any size.
struct NumberKind {
  bool floating;
  std::size_t bytes;
  bool takes(ElementType type) const {
    return is_floating(type) == floating && (bytes == 0 || element_bytes(type) == bytes);
  }
};

/// Of "float const" or "uchar4": the elements of a buffer of them. Nothing of structures, and of `long`, whose size is
/// that of the host.
std::optional<NumberKind> number_kind(std::string type) {
  for (const std::string_view word : {" const", " volatile"}) {
    if (const std::size_t at = type.find(word); at != std::string::npos) type.erase(at, word.size());
  }
  static constexpr std::tuple<std::string_view, bool, std::size_t> kNumbers[] = {
      {"float", true, 4},         {"double", true, 8},          {"bool", false, 1},
      {"char", false, 1},         {"signed char", false, 1},    {"unsigned char", false, 1},
      {"short", false, 2},        {"unsigned short", false, 2}, {"int", false, 4},
      {"unsigned int", false, 4}, {"long long", false, 8},      {"unsigned long long", false, 8}};
  for (const auto& [name, floating, bytes] : kNumbers) {
    if (type == name) return NumberKind{floating, bytes};
  }
  if (type.empty() || type.back() < '1' || type.back() > '4') return std::nullopt;
  type.pop_back();
  if (type == "float") return NumberKind{true, 4};
  if (type == "double") return NumberKind{true, 8};
  // Vectors of integers are often words to the host: a pixel of uchar4 is a u32.
  for (const std::string_view name : {"char", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong"}) {
    if (type == name) return NumberKind{false, 0};
  }
  return std::nullopt;
}

struct KnownParameter {
  Parameter parameter;
  std::string c_type;  // "float*"; empty if the name does not tell

  bool is_pointer() const {
    return c_type.empty() ? parameter.type == DataType::kPtr : c_type.back() == '*' || c_type.back() == '&';
  }
  /// May hold an address: a pointer, or a word that nothing is known about.
  bool takes_buffer() const {
    if (!c_type.empty()) return is_pointer();
    const DataType type = parameter.type;
    return type == DataType::kPtr || type == DataType::kU32 || type == DataType::kS32 || type == DataType::kU64;
  }
  bool takes_buffer_of(ElementType element) const {
    const auto kind = is_pointer() && !c_type.empty() ? number_kind(c_type.substr(0, c_type.size() - 1)) : std::nullopt;
    return !kind || kind->takes(element);
  }
  /// A number of the same size may have this type: of a word, a pointer among them, only the C type tells.
  bool takes_number_of(ElementType element) const {
    if (is_pointer()) return !is_floating(element);
    if (!c_type.empty()) {
      const auto kind = number_kind(c_type);
      return !kind || is_floating(element) == kind->floating;
    }
    const auto own = parse_element_type(data_type_name(parameter.type));
    if (own == ElementType::kU32 || own == ElementType::kU64) return true;
    return !own || is_floating(element) == is_floating(*own);
  }
  std::string type_text() const { return c_type.empty() ? std::string(data_type_name(parameter.type)) : c_type; }
};

std::vector<KnownParameter> known_parameters(const Kernel& kernel) {
  const std::vector<std::string> types = parameter_types(kernel.name);
  std::vector<KnownParameter> known;
  for (const Parameter& parameter : kernel.params) {
    known.push_back({parameter, types.size() == kernel.params.size() ? types[known.size()] : ""});
  }
  return known;
}

std::string with_article(const std::string& type) {
  const bool an = std::string("aeio").find(type.front()) != std::string::npos || type.compare(0, 2, "un") == 0;
  return fmt::format("{} {}", an ? "an" : "a", type);
}

/// "parameter 2 (int) of kernel scale(float*, int)": the type if it is known, because compilers give names without
/// meaning; otherwise the name.
std::string describe(const Kernel& kernel, const KnownParameter& known, std::size_t place) {
  return fmt::format("parameter {} ({}) of kernel {}", place + 1,
                     known.c_type.empty() ? known.parameter.name : known.c_type, demangled_name(kernel.name));
}

bool is_decimal(const std::string& text) { return text.find_first_not_of("-0123456789") == std::string::npos; }

/// The buffer whose address the expression has; null if it names none, or several.
const Buffer* named_buffer(const std::string& text, const std::vector<Buffer>& buffers) {
  const Buffer* found = nullptr;
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && in_name(text[at])) ++at;
    const std::string_view word = std::string_view(text).substr(begin, at - begin);
    for (const Buffer& buffer : buffers) {
      if (buffer.decl->name != word) continue;
      if (found != nullptr) return nullptr;
      found = &buffer;
    }
    if (at == begin) ++at;
  }
  return found;
}

void check_count(const LaunchDecl& decl, const Kernel& kernel, const std::vector<KnownParameter>& known) {
  if (known.empty() || known.size() == decl.params.size()) return;
  std::string list;  // the name of a CUDA kernel says it already
  for (const KnownParameter& one : known) {
    if (one.c_type.empty())
      list += fmt::format("{}{} {}", list.empty() ? " (" : ", ", one.type_text(), one.parameter.name);
  }
  throw InputError(fmt::format("{}: kernel {} takes {} parameters{}, but {} are given", decl.where,
                               demangled_name(kernel.name), known.size(), list.empty() ? "" : list + ")",
                               decl.params.size()));
}

}  // namespace

std::vector<std::uint32_t> parameter_words(const LaunchDecl& decl, const Kernel& kernel, const NameTable& arguments,
                                           const std::vector<Buffer>& buffers) {
  NameTable names = arguments;
  for (const Buffer& buffer : buffers) names.add(buffer.decl->name, Value::of(buffer.address));
  const std::vector<KnownParameter> known = known_parameters(kernel);
  check_count(decl, kernel, known);
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k < decl.params.size(); ++k) {
    ParamDecl param = decl.params[k];
    const Value value = value_at(param.value, names);
    std::string what = param.value.where;
    if (!param.typed && known.empty() && value.is_float) param.type = ElementType::kF32;
    std::size_t size = element_bytes(param.type);
    std::size_t offset = (bytes.size() + size - 1) / size * size;
    if (!known.empty()) {
      const KnownParameter& one = known[k];
      const std::string name = describe(kernel, one, k);
      const auto refuse = [&](const std::string& given) {
        throw InputError(fmt::format("{}: {} is {}, {} is given", what, name, with_article(one.type_text()), given));
      };
      if (parameter_bytes(one.parameter) != data_type_bytes(one.parameter.type)) {
        throw InputError(fmt::format("{}: {} is {} of {} bytes; only numbers and buffers can be given", what, name,
                                     one.c_type.empty() ? "a structure" : with_article(one.c_type),
                                     parameter_bytes(one.parameter)));
      }
      const Buffer* const buffer = named_buffer(param.value.text, buffers);
      if (buffer != nullptr && !one.takes_buffer()) refuse("a buffer");
      if (buffer != nullptr && !one.takes_buffer_of(buffer->decl->type))
        refuse(fmt::format("a buffer of {}", element_type_name(buffer->decl->type)));
      if (value.is_float && one.is_pointer()) refuse("the number " + value.text());
      // a pointer is a number to the scenario
      if (!param.typed) param.type = parse_element_type(data_type_name(one.parameter.type)).value_or(ElementType::kU32);
      size = element_bytes(param.type);
      if (data_type_bytes(one.parameter.type) != size || !one.takes_number_of(param.type))
        refuse(with_article(std::string(element_type_name(param.type))));
      if (one.is_pointer() && is_decimal(param.value.text) && value.text() != "0")
        refuse(fmt::format("the number {} (an address is written in hexadecimal)", value.text()));
      offset = one.parameter.offset - kParameterBase;
      what += ": " + name;
    }
    const std::uint64_t bits = element_bits(param.type, value, what);
    bytes.resize(std::max(bytes.size(), offset + size));
    std::memcpy(bytes.data() + offset, &bits, size);
  }
  if (bytes.size() > kParameterBytes)
    throw InputError(
        fmt::format("{}: {} bytes of parameters; allowed are {}", decl.where, bytes.size(), kParameterBytes));
  bytes.resize((bytes.size() + 3) / 4 * 4);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace g80

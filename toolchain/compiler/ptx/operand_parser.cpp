// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/operand_parser.h"

#include <array>
#include <utility>

#include "toolchain/compiler/ptx/constant_expression.h"

namespace g80::ptx {
namespace {

using S = ir::Special;

constexpr std::array<std::pair<std::string_view, S>, 8> kScalars{{{"%laneid", S::kLaneid},
                                                                  {"%warpid", S::kWarpid},
                                                                  {"%smid", S::kSmid},
                                                                  {"%gridid", S::kGridid},
                                                                  {"%pm0", S::kPm0},
                                                                  {"%pm1", S::kPm1},
                                                                  {"%pm2", S::kPm2},
                                                                  {"%pm3", S::kPm3}}};

constexpr std::array<std::pair<std::string_view, std::array<S, 3>>, 4> kVectors{
    {{"%tid", {S::kTidX, S::kTidY, S::kTidZ}},
     {"%ntid", {S::kNtidX, S::kNtidY, S::kNtidZ}},
     {"%ctaid", {S::kCtaidX, S::kCtaidY, S::kCtaidZ}},
     {"%nctaid", {S::kNctaidX, S::kNctaidY, S::kNctaidZ}}}};

/// Special registers that only later chips have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kRefused{{{"%lanemask_eq", "sm_20"},
                                                                                  {"%lanemask_le", "sm_20"},
                                                                                  {"%lanemask_lt", "sm_20"},
                                                                                  {"%lanemask_ge", "sm_20"},
                                                                                  {"%lanemask_gt", "sm_20"},
                                                                                  {"%nwarpid", "sm_20"},
                                                                                  {"%nsmid", "sm_20"},
                                                                                  {"%clock64", "sm_20"},
                                                                                  {"%globaltimer", "sm_30"},
                                                                                  {"%clock_hi", "sm_20"}}};

/// Index of .x .y .z .w (or .r .g .b .a), or nothing.
std::optional<unsigned> component_index(const Token& token) {
  if (token.kind != TokenKind::kDotWord || token.text.size() != 1 || !token.glued) return std::nullopt;
  const std::size_t xyzw = std::string_view("xyzw").find(token.text[0]);
  const std::size_t rgba = std::string_view("rgba").find(token.text[0]);
  if (xyzw != std::string_view::npos) return static_cast<unsigned>(xyzw);
  if (rgba != std::string_view::npos) return static_cast<unsigned>(rgba);
  return std::nullopt;
}

constexpr unsigned kMaxDepth = 8;  // of brackets in an operand
constexpr std::size_t kMaxElements = 256;

std::optional<S> parse_special_register(std::string_view name, std::string_view component) {
  for (const auto& [text, special] : kScalars)
    if (text == name && component.empty()) return special;
  for (const auto& [text, parts] : kVectors) {
    if (text != name || component.size() != 1) continue;
    const std::size_t index = std::string_view("xyz").find(component[0]);
    if (index != std::string_view::npos) return parts[index];
  }
  return std::nullopt;
}

}  // namespace

Operand OperandParser::parse() {
  if (++depth_ > kMaxDepth) cursor_.fail("this operand is nested too deeply");
  const Token first = cursor_.peek();
  Operand operand;
  if (first.is("[")) {
    operand = address();
  } else if (first.is("{")) {
    operand = vector();
  } else if (first.is("!") && cursor_.peek(1).kind == TokenKind::kIdentifier) {
    cursor_.take();
    operand = name();
    operand.negated = true;
  } else if (first.kind == TokenKind::kIdentifier) {
    operand = name();
    if (cursor_.accept("|")) {
      Operand pair;
      pair.kind = OperandKind::kPair;
      pair.elements.push_back(operand);
      pair.elements.push_back(name());
      operand = pair;
    }
  } else if (begins_constant(cursor_)) {
    const Constant value = parse_constant(cursor_);
    operand.kind = value.is_float ? OperandKind::kFloat : OperandKind::kInteger;
    operand.bits = value.bits;
    operand.has_f32 = value.has_f32;
    operand.f32_bits = value.f32_bits;
  } else {
    cursor_.fail(fmt::format("expected an operand, found {}", Cursor::describe(first)));
  }
  operand.place = first.place;
  if (operand.text.empty()) operand.text = first.text;
  --depth_;
  return operand;
}

Operand OperandParser::name() {
  Operand operand;
  operand.place = cursor_.peek().place;
  operand.text = cursor_.peek().text;
  const std::string word = cursor_.identifier("the name of a register or variable");
  if (word == "_") return operand;  // kSink
  if (const auto binding = scopes_.find(word)) {
    const auto component = component_index(cursor_.peek());
    operand.id = binding->id;
    if (binding->kind == BindingKind::kVariable) {
      operand.kind = OperandKind::kVariable;
      operand.is_local = true;
      if (cursor_.peek().is("+") || cursor_.peek().is("-")) operand.offset = signed_offset();
    } else if (binding->kind == BindingKind::kVector && component) {
      if (*component >= binding->count) cursor_.fail(fmt::format("'{}' has {} components", word, binding->count));
      cursor_.take();
      operand.kind = OperandKind::kRegister;
      operand.id += *component;
    } else if (binding->kind == BindingKind::kVector) {
      operand.kind = OperandKind::kVector;
      for (std::uint32_t k = 0; k < binding->count; ++k) {
        Operand element;
        element.kind = OperandKind::kRegister;
        element.id = binding->id + k;
        element.text = operand.text;
        element.place = operand.place;
        operand.elements.push_back(element);
      }
    } else {
      operand.kind = OperandKind::kRegister;
    }
    return operand;
  }
  std::string_view component;
  if (cursor_.peek().kind == TokenKind::kDotWord && cursor_.peek().glued) component = cursor_.peek().text;
  if (const auto special = parse_special_register(word, component)) {
    if (!component.empty()) cursor_.take();
    operand.kind = OperandKind::kSpecial;
    operand.special = *special;
    return operand;
  }
  if (word == "%clock") {
    operand.kind = OperandKind::kClock;
    return operand;
  }
  for (const auto& [text, since] : kRefused)
    if (word == text) cursor_.fail(operand.place, fmt::format("{} needs {}", word, since));
  if (word.rfind("%envreg", 0) == 0) cursor_.fail(operand.place, fmt::format("{} needs an OpenCL driver", word));
  if (const auto variable = module_.variable_ids.find(word); variable != module_.variable_ids.end()) {
    operand.kind = OperandKind::kVariable;
    operand.id = variable->second;
    if (cursor_.peek().is("+") || cursor_.peek().is("-")) operand.offset = signed_offset();
    return operand;
  }
  if (const auto function = module_.function_ids.find(word); function != module_.function_ids.end()) {
    operand.kind = OperandKind::kFunction;
    operand.id = function->second;
    return operand;
  }
  if (word[0] == '%') cursor_.fail(operand.place, fmt::format("register '{}' is not declared", word));
  operand.kind = OperandKind::kLabel;
  return operand;
}

std::int64_t OperandParser::signed_offset() {
  cursor_.accept("+");  // "+ -4" is how compilers write it
  const Constant offset = parse_constant(cursor_);
  if (offset.is_float) cursor_.fail("an offset is a whole number");
  return static_cast<std::int64_t>(offset.bits);
}

Operand OperandParser::address() {
  cursor_.expect("[", "before an address");
  Operand operand;
  operand.kind = OperandKind::kAddress;
  if (begins_constant(cursor_)) {
    Operand base;
    base.kind = OperandKind::kInteger;
    base.place = cursor_.peek().place;
    base.text = cursor_.peek().text;
    const Constant value = parse_constant(cursor_);
    if (value.is_float) cursor_.fail("an address is a whole number");
    base.bits = value.bits;
    operand.elements.push_back(base);
  } else {
    operand.elements.push_back(name());
    Operand& base = operand.elements.back();
    if (base.kind == OperandKind::kVariable) {
      operand.offset = std::exchange(base.offset, 0);
      if (cursor_.accept("[")) {  // name[index]: an element in bytes
        operand.offset += signed_offset();
        cursor_.expect("]", "after an index");
      }
    } else if (cursor_.peek().is("+") || cursor_.peek().is("-")) {
      operand.offset = signed_offset();
    }
  }
  if (cursor_.accept(",")) {
    operand.kind = OperandKind::kTexture;
    operand.elements.push_back(parse());
    if (cursor_.peek().is(",")) cursor_.fail("separate samplers (texmode_independent) need sm_20");
  }
  cursor_.expect("]", "after an address");
  return operand;
}

Operand OperandParser::vector() {
  cursor_.expect("{", "before the parts of a vector");
  Operand operand;
  operand.kind = OperandKind::kVector;
  do {
    operand.elements.push_back(parse());
    if (operand.elements.size() > 4) cursor_.fail("a vector has at most 4 parts");
  } while (cursor_.accept(","));
  cursor_.expect("}", "after the parts of a vector");
  // `{ %r1 }`, which some compilers write, is `%r1`.
  if (operand.elements.size() == 1 && operand.elements[0].kind != OperandKind::kVector) return operand.elements[0];
  return operand;
}

Operand OperandParser::list() {
  cursor_.expect("(", "before a list");
  Operand operand;
  operand.kind = OperandKind::kList;
  operand.place = cursor_.peek().place;
  operand.text = cursor_.peek().text;
  if (cursor_.accept(")")) return operand;
  do {
    operand.elements.push_back(parse());
    if (operand.elements.size() > kMaxElements) cursor_.fail("this list is too long");
  } while (cursor_.accept(","));
  cursor_.expect(")", "after a list");
  return operand;
}

}  // namespace g80::ptx

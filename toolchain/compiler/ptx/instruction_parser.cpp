// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/instruction_parser.h"

#include <algorithm>

#include "toolchain/compiler/ptx/declaration_parser.h"
#include "toolchain/compiler/ptx/operand_checker.h"
#include "toolchain/compiler/ptx/operand_parser.h"

namespace g80::ptx {
namespace {

/// Types and modifiers that no sm_1x instruction has, and the first architecture that has them.
constexpr std::pair<std::string_view, std::string_view> kLaterWords[] = {
    {"f16x2", "sm_53"},   {"bf16", "sm_80"},    {"b128", "sm_70"},    {"u128", "sm_70"}, {"v8", "sm_100"},
    {"relaxed", "sm_70"}, {"acquire", "sm_70"}, {"release", "sm_70"}, {"weak", "sm_70"}, {"L1", "sm_70"},
    {"L2", "sm_70"},      {"noinc", "sm_80"},   {"aligned", "sm_70"}};

class InstructionParser {
 public:
  InstructionParser(Cursor& cursor, const Module& module, const Function& function, const ScopeStack& scopes)
      : cursor_(cursor), module_(module), function_(function), scopes_(scopes) {}

  Instruction parse() {
    guard();
    instruction_.place = cursor_.peek().place;
    instruction_.inline_asm = cursor_.peek().inline_asm;
    name_ = cursor_.identifier("an instruction");
    const std::vector<OpcodeForm>& forms = forms_of(name_);
    if (forms.empty()) refuse_opcode();
    read_words(forms);
    choose_form(forms);
    if (instruction_.op() == Opcode::kCall) {
      call_operands();
    } else if (!cursor_.peek().is(";")) {
      OperandParser operands(cursor_, module_, scopes_);
      do {
        instruction_.operands.push_back(operands.parse());
        if (instruction_.operands.size() > 8) cursor_.fail(fmt::format("{} has too many operands", text_));
      } while (cursor_.accept(","));
    }
    cursor_.expect(";", fmt::format("after {}", text_));
    if (instruction_.op() != Opcode::kCall) check_operands(module_, function_, instruction_, text_);
    return std::move(instruction_);
  }

 private:
  void guard() {
    if (!cursor_.accept("@")) return;
    instruction_.guard_negated = cursor_.accept("!");
    const Place place = cursor_.peek().place;
    const std::string name = cursor_.identifier("a predicate");
    const auto binding = scopes_.find(name);
    if (!binding || binding->kind != BindingKind::kRegister || function_.registers[binding->id].type != Scalar::kPred)
      cursor_.fail(place, fmt::format("'{}' is not a predicate register", name));
    instruction_.guard = binding->id;
  }

  [[noreturn]] void refuse_opcode() const {
    const std::string_view reason = refusal_of(name_);
    if (!reason.empty()) cursor_.fail(instruction_.place, fmt::format("{} {}", name_, reason));
    cursor_.fail(instruction_.place, fmt::format("PTX has no instruction '{}', or sm_1x cannot execute it", name_));
  }

  void read_words(const std::vector<OpcodeForm>& forms) {
    std::uint32_t known = 0;
    for (const OpcodeForm& form : forms) known |= form.allowed;
    text_ = name_;
    while (cursor_.peek().kind == TokenKind::kDotWord) {
      const Token word = cursor_.take();
      text_ += fmt::format(".{}", word.text);
      if (const auto type = parse_scalar(word.text)) {
        instruction_.types.push_back(*type);
        continue;
      }
      const ModifierWord* chosen = nullptr;
      const std::vector<const ModifierWord*> meanings = find_modifier(word.text);
      for (const ModifierWord* meaning : meanings)
        if (known >> static_cast<unsigned>(meaning->group) & 1) chosen = chosen ? chosen : meaning;
      if (chosen == nullptr) refuse_word(word, !meanings.empty());
      if (!chosen->refusal.empty()) cursor_.fail(word.place, fmt::format("{} {}", text_, chosen->refusal));
      if (instruction_.mods.has(chosen->group))
        cursor_.fail(word.place,
                     fmt::format("{}: only one of '{}' is allowed", text_, modifier_group_words(chosen->group)));
      set_modifier(instruction_.mods, *chosen);
      if (chosen->group == ModifierGroup::kSpace && instruction_.mods.space == StateSpace::kConst)
        skip_constant_bank(cursor_);
    }
  }

  [[noreturn]] void refuse_word(const Token& word, bool exists) const {
    for (const auto& [later, since] : kLaterWords)
      if (word.text == later) cursor_.fail(word.place, fmt::format("{} needs {}", text_, since));
    cursor_.fail(word.place, exists ? fmt::format("'.{}' is not allowed with {}", word.text, name_)
                                    : fmt::format("'.{}' is not a PTX modifier of sm_1x", word.text));
  }

  bool types_fit(const OpcodeForm& form) const {
    if (form.types.size() != instruction_.types.size()) return false;
    for (std::size_t k = 0; k < form.types.size(); ++k)
      if (std::find(form.types[k].begin(), form.types[k].end(), instruction_.types[k]) == form.types[k].end())
        return false;
    return true;
  }

  void choose_form(const std::vector<OpcodeForm>& forms) {
    const std::uint32_t present = instruction_.mods.present;
    const OpcodeForm* typed = nullptr;
    for (const OpcodeForm& form : forms) {
      if (!types_fit(form)) continue;
      typed = &form;
      if ((present & ~form.allowed) == 0 && (form.required & ~present) == 0) {
        instruction_.form = &form;
        refuse_variants();
        return;
      }
    }
    if (typed == nullptr) {
      std::string types;
      for (const Scalar type : instruction_.types) types += fmt::format(".{}", scalar_name(type));
      cursor_.fail(instruction_.place, types.empty() ? fmt::format("{} needs a type", text_)
                                                     : fmt::format("{} does not exist with the type {}", name_, types));
    }
    if (typed->opcode == Opcode::kRcp || typed->opcode == Opcode::kRsqrt)
      if (instruction_.type() == Scalar::kF64 && instruction_.mods.accuracy == Accuracy::kApprox &&
          instruction_.mods.ftz)
        cursor_.fail(instruction_.place, fmt::format("{} needs sm_20", text_));
    for (unsigned k = 0; k < static_cast<unsigned>(ModifierGroup::kCount); ++k) {
      const auto group = static_cast<ModifierGroup>(k);
      if ((typed->required & ~present) >> k & 1)
        cursor_.fail(instruction_.place, fmt::format("{} needs one of {}", text_, modifier_group_words(group)));
      if ((present & ~typed->allowed) >> k & 1)
        cursor_.fail(instruction_.place,
                     fmt::format("{}: '{}' is not allowed with these types", text_, modifier_group_words(group)));
    }
    cursor_.fail(instruction_.place, fmt::format("{} does not exist", text_));
  }

  /// Refuses combinations that the table cannot express.
  void refuse_variants() const {
    const Modifiers& mods = instruction_.mods;
    const auto refuse = [&](const char* reason) {
      cursor_.fail(instruction_.place, fmt::format("{} {}", text_, reason));
    };
    const Opcode op = instruction_.op();
    if (mods.half == Half::kWide && scalar_bits(instruction_.type()) == 64)
      refuse("does not exist: a product has at most 64 bits");
    if (op == Opcode::kMad && mods.sat && mods.half != Half::kHi && !is_float(instruction_.type()))
      refuse("does not exist: .sat is only allowed with mad.hi.s32");
    if (op == Opcode::kMad24 && mods.sat && mods.half != Half::kHi)
      refuse("does not exist: .sat is only allowed with mad24.hi.s32");
    if ((op == Opcode::kMul24 || op == Opcode::kMad24) && mods.half == Half::kWide) refuse("does not exist");
    if ((op == Opcode::kMadc || (op == Opcode::kMad && mods.carry)) && mods.half == Half::kWide)
      refuse("does not exist");
    const bool exact_only =
        op == Opcode::kSin || op == Opcode::kCos || op == Opcode::kLg2 || op == Opcode::kEx2 || op == Opcode::kRsqrt;
    if (exact_only && mods.accuracy == Accuracy::kFull) refuse("does not exist: .approx is the only accuracy");
    if (mods.accuracy != Accuracy::kNone && mods.rounding != Rounding::kNone)
      refuse("does not exist: an approximation has no rounding");
    if (op == Opcode::kCvta && mods.space == StateSpace::kParam)
      refuse("does not exist: parameters have no generic address");
    if (mods.space == StateSpace::kParam && mods.vector > 1 && mods.is_volatile) refuse("does not exist");
  }

  void call_operands() {
    OperandParser operands(cursor_, module_, scopes_);
    Operand results, arguments, target;
    results.kind = arguments.kind = OperandKind::kList;
    if (cursor_.peek().is("(")) {
      results = operands.list();
      cursor_.expect(",", "after the results of a call");
    }
    target = operands.parse();
    if (target.kind == OperandKind::kRegister)
      cursor_.fail(target.place, "a call through a register (a function pointer) needs sm_20");
    if (target.kind != OperandKind::kFunction)
      cursor_.fail(target.place, fmt::format("function '{}' is not declared", target.text));
    if (cursor_.accept(",")) arguments = operands.list();
    if (cursor_.accept(",")) cursor_.fail("a call through a prototype (a function pointer) needs sm_20");
    instruction_.operands = {results, target, arguments};
  }

  Cursor& cursor_;
  const Module& module_;
  const Function& function_;
  const ScopeStack& scopes_;
  Instruction instruction_;
  std::string name_, text_;
};

}  // namespace

Instruction parse_instruction(Cursor& cursor, const Module& module, const Function& function,
                              const ScopeStack& scopes) {
  return InstructionParser(cursor, module, function, scopes).parse();
}

}  // namespace g80::ptx

// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/parser.h"

#include <algorithm>

#include "toolchain/compiler/ptx/cursor.h"
#include "toolchain/compiler/ptx/declaration_parser.h"
#include "toolchain/compiler/ptx/function_parser.h"

namespace g80::ptx {
namespace {

constexpr unsigned kNewestVersion = 32;  // PTX ISA 3.2, the last one clang writes for these chips

class ModuleParser {
 public:
  ModuleParser(Cursor cursor, Module& module, std::vector<std::string>& warnings)
      : cursor_(cursor), module_(module), warnings_(warnings), files_(module.files) {}

  void parse() {
    while (!cursor_.at_end()) statement();
    if (module_.version == 0) cursor_.fail(".version is missing: this is not a PTX text");
    // A newer clang writes a newer version number for the same text and chip, so this is no error.
    if (module_.version > kNewestVersion && module_.target.rfind("sm_2", 0) != 0)
      warnings_.push_back(fmt::format("{}:{}: PTX ISA {}.{} for {} is newer than 3.2; its new features are errors",
                                      module_.filename, version_place_.line, module_.version / 10, module_.version % 10,
                                      module_.target.empty() ? "any chip" : module_.target));
  }

 private:
  void statement() {
    if (cursor_.accept(";")) return;
    const Token word = cursor_.peek();
    if (word.kind != TokenKind::kDotWord)
      cursor_.fail(fmt::format("expected a directive, found {}", Cursor::describe(word)));
    cursor_.take();
    if (word.text == "version") return version();
    if (module_.version == 0) cursor_.fail(word.place, "a PTX text begins with .version");
    if (word.text == "target") return target();
    if (word.text == "address_size") {
      module_.address_bits = static_cast<unsigned>(cursor_.integer("the size of an address", 64));
      if (module_.address_bits != 32 && module_.address_bits != 64) cursor_.fail("an address has 32 or 64 bits");
      return;
    }
    if (word.text == "file") return parse_file_directive(cursor_, files_);
    if (word.text == "section") return skip_section();
    if (word.text == "loc") return skip_loc();
    if (word.text == "pragma") return skip_statement();
    bool is_extern = false;
    Token next = word;
    while (next.is_dot("extern") || next.is_dot("visible") || next.is_dot("weak") || next.is_dot("common")) {
      is_extern |= next.is_dot("extern");
      next = cursor_.take();
    }
    if (next.is_dot("entry") || next.is_dot("func")) {
      while (cursor_.peek().kind == TokenKind::kDotWord && cursor_.peek().text == "attribute")
        cursor_.fail("attributes of functions need sm_30");
      return parse_function(cursor_, module_, next.is_dot("entry"), files_, scope_);
    }
    if (next.is_dot("reg")) return parse_registers(cursor_, scope_, module_.registers);
    const auto space = declared_space(next);
    if (!space || *space == StateSpace::kParam || *space == StateSpace::kLocal)
      cursor_.fail(next.place, fmt::format("{} is not possible outside of functions", Cursor::describe(next)));
    variable(parse_variable(cursor_, *space, is_extern));
  }

  void version() {
    const Token number = cursor_.take();
    const std::size_t dot = number.text.find('.');
    if (number.kind != TokenKind::kFloat64 || dot == std::string_view::npos || dot == 0 || dot > 3 ||
        number.text.size() != dot + 2)
      cursor_.fail(number.place, "expected a version such as 3.2");
    unsigned major = 0;
    for (std::size_t k = 0; k < dot; ++k) major = major * 10 + static_cast<unsigned>(number.text[k] - '0');
    module_.version = major * 10 + static_cast<unsigned>(number.text[dot + 1] - '0');
    if (module_.version < 10) cursor_.fail(number.place, "the first version of PTX is 1.0");
    if (module_.version >= 23)
      module_.address_bits = 32;  // .address_size says otherwise
    else
      module_.address_bits = 64;
    version_place_ = number.place;
  }

  void target() {
    do {
      const Place place = cursor_.peek().place;
      const std::string name = cursor_.identifier("a target");
      if (name.rfind("sm_", 0) == 0 || name.rfind("compute_", 0) == 0) {
        module_.target = name;
      } else if (name == "map_f64_to_f32") {
        module_.demote_f64 = true;
      } else if (name == "texmode_independent") {
        cursor_.fail(
            place, "texmode_independent (separate samplers) needs an OpenCL driver; texmode_unified is the other mode");
      } else if (name != "texmode_unified" && name != "debug") {
        cursor_.fail(place, fmt::format("'{}' is not a target", name));
      }
    } while (cursor_.accept(","));
  }

  void variable(Variable variable) {
    if (!cursor_.peek().is(";"))
      cursor_.fail(fmt::format("expected ';' after '{}', found {}", variable.name, Cursor::describe(cursor_.peek())));
    cursor_.take();
    if (module_.function_ids.count(variable.name) != 0)
      cursor_.fail(variable.place, fmt::format("'{}' is a function already", variable.name));
    const auto [found, is_new] = module_.variable_ids.emplace(variable.name, module_.variables.size());
    if (is_new) {
      module_.variables.push_back(std::move(variable));
      return;
    }
    Variable& old = module_.variables[found->second];
    if (!old.is_extern && !variable.is_extern)
      cursor_.fail(variable.place, fmt::format("'{}' is declared twice", variable.name));
    if (old.is_extern) old = std::move(variable);
  }

  void skip_statement() {
    while (!cursor_.peek().is(";")) {
      if (cursor_.at_end()) cursor_.fail("expected ';', found the end of the file");
      cursor_.take();
    }
    cursor_.take();
  }

  void skip_loc() {
    for (int k = 0; k < 3; ++k) cursor_.integer("a number of .loc", UINT32_MAX);
  }

  /// Skips a section of debug information.
  void skip_section() {
    while (!cursor_.peek().is("{")) {
      if (cursor_.at_end()) cursor_.fail("a section has a body in braces");
      cursor_.take();
    }
    unsigned open = 0;
    do {
      const Token& token = cursor_.take();
      if (token.is("{")) ++open;
      if (token.is("}")) --open;
      if (open > 0 && cursor_.at_end()) cursor_.fail("this section has no closing brace");
    } while (open > 0);
  }

  Cursor cursor_;
  Module& module_;
  std::vector<std::string>& warnings_;
  SourceFiles files_;
  Place version_place_;
  Scope scope_;  // of the registers outside of functions
};

}  // namespace

Module parse(std::string_view source, const std::string& filename, std::vector<std::string>& warnings) {
  const TokenList list = tokenize(source, filename);
  Module module;
  module.filename = filename;
  module.files.push_back(filename);
  module.made_by_llvm = list.made_by_llvm;
  ModuleParser(Cursor(list.tokens, filename), module, warnings).parse();
  return module;
}

}  // namespace g80::ptx

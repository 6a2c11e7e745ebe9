// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/ptx/function_parser.h"

#include <algorithm>

#include "hw/common/limits.h"
#include "toolchain/compiler/ptx/constant_expression.h"
#include "toolchain/compiler/ptx/declaration_parser.h"
#include "toolchain/compiler/ptx/instruction_parser.h"

namespace g80::ptx {
namespace {

constexpr std::size_t kMaxBraces = 64;
constexpr std::size_t kMaxInstructions = 1u << 20;

class FunctionParser {
 public:
  FunctionParser(Cursor& cursor, Module& module, bool is_entry, SourceFiles& files, const Scope& module_scope)
      : cursor_(cursor), module_(module), files_(files), module_scope_(module_scope) {
    function_.is_entry = is_entry;
  }

  void parse() {
    scopes_.open();
    scopes_.inner() = module_scope_;
    function_.registers = module_.registers;
    function_.module_registers = static_cast<std::uint32_t>(module_.registers.size());
    scopes_.open();
    if (cursor_.accept_dot("noinline")) function_.is_noinline = true;
    if (!function_.is_entry && cursor_.peek().is("(")) parameters(function_.results);
    function_.place = cursor_.peek().place;
    function_.name = cursor_.identifier("the name of a function");
    if (cursor_.peek().is("(")) parameters(function_.params);
    directives();
    const std::uint32_t id = enter();
    if (cursor_.accept(";")) return;
    if (module_.functions[id].is_defined)
      cursor_.fail(function_.place, fmt::format("function '{}' is defined twice", function_.name));
    function_.is_defined = true;
    cursor_.expect("{", "before the body of a function");
    block();
    note_module_registers();
    module_.functions[id] = std::move(function_);
  }

 private:
  /// Numbers the function before its body is read, because calls in the body may name the function itself.
  std::uint32_t enter() {
    const auto [found, is_new] = module_.function_ids.emplace(function_.name, module_.functions.size());
    if (module_.variable_ids.count(function_.name) != 0)
      cursor_.fail(function_.place, fmt::format("'{}' is a variable already", function_.name));
    if (is_new) {
      Function prototype = function_;
      prototype.is_defined = false;
      module_.functions.push_back(prototype);
    }
    return found->second;
  }

  void parameters(std::vector<FunctionParameter>& list) {
    cursor_.expect("(", "before parameters");
    if (cursor_.accept(")")) return;
    do {
      if (cursor_.accept_dot("reg")) {
        register_parameter(list);
      } else {
        if (!cursor_.accept_dot("param"))
          cursor_.fail(fmt::format("expected .param, found {}", Cursor::describe(cursor_.peek())));
        add_variable(parse_variable(cursor_, StateSpace::kParam, false));
        list.push_back({false, static_cast<std::uint32_t>(function_.variables.size() - 1)});
      }
      if (list.size() > 1024) cursor_.fail("a function has at most 1024 parameters");
    } while (cursor_.accept(","));
    cursor_.expect(")", "after parameters");
  }

  void register_parameter(std::vector<FunctionParameter>& list) {
    if (function_.is_entry) cursor_.fail("the parameters of a kernel are .param variables");
    const Token type = cursor_.take();
    const auto scalar = type.kind == TokenKind::kDotWord ? parse_scalar(type.text) : std::nullopt;
    if (!scalar) cursor_.fail(type.place, fmt::format("expected a type, found {}", Cursor::describe(type)));
    const std::string name = cursor_.identifier("the name of a register");
    const auto id = static_cast<std::uint32_t>(function_.registers.size());
    if (!scopes_.inner().names.emplace(name, Binding{BindingKind::kRegister, id, 1}).second)
      cursor_.fail(fmt::format("'{}' is declared twice", name));
    function_.registers.push_back({*scalar});
    list.push_back({true, id});
  }

  void add_variable(Variable variable) {
    const Binding binding{BindingKind::kVariable, static_cast<std::uint32_t>(function_.variables.size()), 1};
    if (!scopes_.inner().names.emplace(variable.name, binding).second)
      cursor_.fail(variable.place, fmt::format("'{}' is declared twice", variable.name));
    function_.variables.push_back(std::move(variable));
  }

  void directives() {
    for (;;) {
      if (cursor_.accept_dot("maxntid") || cursor_.accept_dot("reqntid")) {
        const Place place = cursor_.peek().place;
        if (function_.max_threads != 0) cursor_.fail(place, "the threads of a block are given twice");
        std::uint64_t product = 1;
        unsigned n = 0;
        do {
          product *= cursor_.integer("the number of threads", 1u << 16, 1);
          if (++n > 3 || product > kMaxThreadsPerCta) {
            cursor_.fail(place, fmt::format("a block has at most {} threads in three dimensions", kMaxThreadsPerCta));
          }
        } while (cursor_.accept(","));
        function_.max_threads = static_cast<std::uint32_t>(product);
      } else if (cursor_.accept_dot("minnctapersm") || cursor_.accept_dot("maxnctapersm")) {
        if (function_.min_blocks != 0) cursor_.fail(cursor_.peek().place, "the number of blocks is given twice");
        function_.min_blocks = static_cast<std::uint32_t>(cursor_.integer("the number of blocks", 1024, 1));
      } else if (cursor_.accept_dot("maxnreg")) {
        function_.max_registers = static_cast<std::uint32_t>(cursor_.integer("the number of registers", 1024, 1));
      } else if (cursor_.accept_dot("noreturn")) {
      } else if (cursor_.accept_dot("noinline")) {
        function_.is_noinline = true;
      } else if (cursor_.accept_dot("pragma")) {
        skip_statement();
      } else {
        return;
      }
    }
  }

  void skip_statement() {
    while (!cursor_.peek().is(";")) {
      if (cursor_.at_end()) cursor_.fail("expected ';', found the end of the file");
      cursor_.take();
    }
    cursor_.take();
  }

  /// Parses the statements up to the closing brace of the body, including inner scopes.
  void block() {
    std::size_t open = 1;
    while (open > 0) {
      if (cursor_.accept("{")) {
        if (++open > kMaxBraces) cursor_.fail("braces are nested too deeply");
        scopes_.open();
      } else if (cursor_.accept("}")) {
        close_scope();
        --open;
      } else {
        statement();
      }
    }
  }

  void statement() {
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::kEnd) cursor_.fail(fmt::format("function '{}' has no closing brace", function_.name));
    if (token.kind == TokenKind::kDotWord) return directive();
    if (token.kind == TokenKind::kIdentifier && cursor_.peek(1).is(":")) return label();
    if (cursor_.accept(";")) return;
    Instruction instruction = parse_instruction(cursor_, module_, function_, scopes_);
    instruction.source_file = file_;
    // LLVM gives no line to the branch of an empty loop: it belongs to what stands before it.
    instruction.source_line = line_ == 0 && instruction.op() == Opcode::kBra ? last_line_ : line_;
    if (function_.body.size() >= kMaxInstructions) cursor_.fail("this function is too long");
    if (instruction.op() == Opcode::kBra)
      scopes_.inner().pending.push_back(
          {std::string(instruction.operands[0].text), function_.body.size(), 0, instruction.operands[0].place});
    function_.body.push_back(std::move(instruction));
  }

  void label() {
    const Place place = cursor_.peek().place;
    const std::string name = cursor_.identifier("a label");
    cursor_.expect(":", "after a label");
    if (cursor_.peek().is_dot("callprototype") || cursor_.peek().is_dot("calltargets"))
      cursor_.fail(place, "a call through a function pointer, or of a virtual function, needs sm_20");
    if (cursor_.peek().is_dot("branchtargets")) cursor_.fail(place, "branches through a register need sm_20");
    const auto id = static_cast<std::uint32_t>(function_.labels.size());
    if (!scopes_.inner().labels.emplace(name, id).second)
      cursor_.fail(place, fmt::format("label '{}' is defined twice", name));
    function_.labels.push_back({name, static_cast<std::uint32_t>(function_.body.size()), place});
  }

  void directive() {
    const Token word = cursor_.take();
    if (word.text == "reg") return parse_registers(cursor_, scopes_.inner(), function_.registers);
    if (word.text == "file") return parse_file_directive(cursor_, files_);
    if (word.text == "pragma") return skip_statement();
    if (word.text == "loc") {
      file_ = files_.index(cursor_.integer("the number of a file", UINT32_MAX));
      line_ = static_cast<std::uint32_t>(cursor_.integer("a line", UINT32_MAX));
      if (line_ != 0) last_line_ = line_;
      cursor_.integer("a column", UINT32_MAX);
      while (cursor_.accept(",")) skip_inlined_at();
      return;
    }
    const bool is_extern = word.text == "extern";
    const auto space = declared_space(is_extern ? cursor_.take() : word);
    if (!space) cursor_.fail(word.place, fmt::format("'.{}' is not possible inside a function", word.text));
    Variable variable = parse_variable(cursor_, *space, is_extern);
    cursor_.expect(";", "after a declaration");
    if (*space == StateSpace::kLocal && variable.bytes == 0)
      cursor_.fail(variable.place, fmt::format("'{}' needs a size", variable.name));
    if (*space == StateSpace::kParam && function_.is_entry && module_.version < 20 && scopes_.depth() == kOutermost)
      function_.params.push_back({false, static_cast<std::uint32_t>(function_.variables.size())});
    add_variable(std::move(variable));
  }

  /// `, function_name $L [+ n]` or `, inlined_at file line column` of newer compilers.
  void skip_inlined_at() {
    const std::string word = cursor_.identifier("function_name or inlined_at");
    if (word == "function_name") {
      cursor_.identifier("the name of a string");
      if (cursor_.accept("+")) cursor_.integer("an offset", UINT32_MAX);
      return;
    }
    if (word != "inlined_at") cursor_.fail(fmt::format("'{}' is not part of .loc", word));
    for (int k = 0; k < 3; ++k) cursor_.integer("a place in a file", UINT32_MAX);
  }

  void close_scope() {
    Scope scope = scopes_.close();
    for (PendingLabel& branch : scope.pending) {
      const auto found = scope.labels.find(branch.name);
      if (found != scope.labels.end()) {
        function_.body[branch.instruction].operands[branch.operand].id = found->second;
      } else if (scopes_.depth() >= kOutermost) {
        scopes_.inner().pending.push_back(std::move(branch));
      } else {
        cursor_.fail(branch.place, fmt::format("there is no label '{}'", branch.name));
      }
    }
  }

  void note_module_registers() {
    const auto names = [&](const auto& self, const Operand& operand) -> bool {
      if (operand.kind == OperandKind::kRegister && operand.id < function_.module_registers) return true;
      return std::any_of(operand.elements.begin(), operand.elements.end(),
                         [&](const Operand& part) { return self(self, part); });
    };
    for (const Instruction& inst : function_.body) {
      function_.uses_module_registers |= inst.guard < function_.module_registers;
      for (const Operand& operand : inst.operands) function_.uses_module_registers |= names(names, operand);
    }
  }

  static constexpr std::size_t kOutermost = 2;  // scopes when only the module's and the function's are open

  Cursor& cursor_;
  Module& module_;
  SourceFiles& files_;
  const Scope& module_scope_;
  Function function_;
  ScopeStack scopes_;
  std::uint32_t file_ = 0, line_ = 0, last_line_ = 0;
};

}  // namespace

std::uint32_t SourceFiles::index(std::uint64_t number) {
  const auto [found, is_new] = indices_.emplace(number, static_cast<std::uint32_t>(files_.size()));
  if (is_new) files_.push_back(fmt::format("file {}", number));
  return found->second;
}

void SourceFiles::name(std::uint64_t number, std::string_view name) { files_[index(number)] = std::string(name); }

void parse_file_directive(Cursor& cursor, SourceFiles& files) {
  const std::uint64_t number = cursor.integer("the number of a file", UINT32_MAX);
  if (cursor.peek().kind != TokenKind::kString) cursor.fail("expected the name of a file in quotes");
  files.name(number, cursor.take().text);
  if (cursor.peek().kind == TokenKind::kString) files.name(number, cursor.take().text);  // DWARF 5: folder, file
  while (cursor.accept(",")) cursor.integer("a time stamp or size", UINT64_MAX);
}

void parse_function(Cursor& cursor, Module& module, bool is_entry, SourceFiles& files, const Scope& module_scope) {
  FunctionParser(cursor, module, is_entry, files, module_scope).parse();
}

}  // namespace g80::ptx

// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/opaque_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::size_t kDigits = 16;  // LLVM prints floats as doubles, too

/// Its name; what hides a number, and bits that may become a constant; what the former is shown as.
struct Type {
  std::string_view name, bits, hidden, hidden_bits, shown;
};
constexpr Type kFloat{"float", "i32", "@g80.float(", "@g80.bits.float(", R"(asm "mov.f32 $0, $1;", "=f,f"()"};
constexpr Type kDouble{"double", "i64", "@g80.double(", "@g80.bits.double(", R"(asm "mov.f64 $0, $1;", "=d,d"()"};

/// Functions of the headers that convert bits to a number.
struct FromBits {
  std::string_view call;
  const Type& type;
};
constexpr FromBits kFromBits[] = {{"@_ZL14__int_as_floati(i32 ", kFloat},
                                  {"@_ZL15__uint_as_floatj(i32 ", kFloat},
                                  {"@_ZL20__longlong_as_doublex(i64 ", kDouble}};

constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kInfinity = 0x7ff0000000000000;

/// The bits of the double that equals the float with these bits.
std::uint64_t widened(std::uint32_t bits) {
  const std::uint64_t sign = std::uint64_t{bits >> 31} << 63, magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x7f800000) return sign | kInfinity | (magnitude & 0x7fffff) << 29;
  if (magnitude >= 0x800000) return sign | (magnitude + (std::uint64_t{896} << 23)) << 29;
  if (magnitude == 0) return sign;
  const int leading = 63 - __builtin_clzll(magnitude);  // denormal: magnitude * 2^-149
  return sign | (static_cast<std::uint64_t>(leading - 149 + 1023) << 52) |
         (magnitude << (52 - leading) & 0xfffffffffffff);
}

/// True if the chip treats the number differently from LLVM. The bits are those of a double.
bool is_special(std::uint64_t bits, const Type& type, bool has_double) {
  constexpr std::uint64_t kFloatNan = 0x7fffffffe0000000, kDoubleNan = 0x7ff8000000000000;  // those of the chip
  constexpr std::uint64_t kLeastFloat = 0x3810000000000000;                                 // 2^-126
  const bool is_double = &type == &kDouble && has_double;
  const std::uint64_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return bits != (is_double ? kDoubleNan : kFloatNan);
  return !is_double && magnitude != 0 && magnitude < kLeastFloat;
}

std::string call_of(std::uint64_t bits, const Type& type, std::string_view function) {
  return fmt::format("call {0} {1}{0} 0x{2:016X})", type.name, function, bits);
}

/// The number that bits in the text make, as the bits of a double.
std::optional<std::uint64_t> constant_of(std::string_view text, const Type& type) {
  std::int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ptr != text.data() + text.size()) return {};
  return &type == &kFloat ? widened(static_cast<std::uint32_t>(value)) : static_cast<std::uint64_t>(value);
}

/// What follows an instruction, its source line, with the end of the line.
std::string_view metadata_of(std::string_view line) { return line.substr(std::min(line.find(", !"), line.size() - 1)); }

struct Literal {
  std::size_t at, length;
  std::uint64_t bits;
  const Type* type;
};

/// Finds the hexadecimal numbers of a line: all of them if `anywhere`, otherwise only operands of an instruction that
/// are not part of a vector or array constant.
class Literals {
 public:
  Literals(std::string_view line, bool anywhere)
      : line_(line),
        anywhere_(anywhere),
        is_phi_(line.find(" = phi ") != std::string_view::npos),
        arguments_(line.find("call ") != std::string_view::npos ? 1 : 0) {}

  std::optional<Literal> next() {
    for (; at_ < line_.size(); ++at_) {
      switch (line_[at_]) {
        case '"': at_ = std::min(line_.find('"', at_ + 1), line_.size() - 1); break;
        case '(': ++round_; break;
        case ')': --round_; break;
        case '[': ++square_; break;
        case ']': --square_; break;
        case '<':
        case '{': ++others_; break;
        case '>':
        case '}': --others_; break;
        case 'f': see(kFloat); break;
        case 'd': see(kDouble); break;
        case '0':
          if (const std::optional<Literal> found = number()) return found;
          break;
        default: break;
      }
    }
    return std::nullopt;
  }

 private:
  bool begins_word() const { return at_ == 0 || line_.find_last_of(" ([{<", at_ - 1) == at_ - 1; }

  void see(const Type& type) {
    const std::size_t end = at_ + type.name.size();
    if (begins_word() && starts_with(line_.substr(at_), type.name) && end < line_.size() && line_[end] == ' ')
      type_ = &type;
  }

  std::optional<Literal> number() {
    if (type_ == nullptr || !begins_word() || !starts_with(line_.substr(at_), "0x")) return std::nullopt;
    Literal found{at_, 2 + kDigits, 0, type_};
    const char* const begin = line_.data() + std::min(at_ + 2, line_.size());
    const char* const end = begin + std::min(kDigits, line_.size() - std::min(at_ + 2, line_.size()));
    if (std::from_chars(begin, end, found.bits, 16).ptr != begin + kDigits) return std::nullopt;
    at_ += found.length - 1;
    const bool is_operand = others_ == 0 && round_ <= arguments_ && (square_ == 0 || is_phi_);
    return anywhere_ || is_operand ? std::optional(found) : std::nullopt;
  }

  std::string_view line_;
  bool anywhere_, is_phi_;
  int arguments_;
  std::size_t at_ = 0;
  int round_ = 0, square_ = 0, others_ = 0;  // brackets that are open
  const Type* type_ = nullptr;               // the last that was named
};

class Hider {
 public:
  explicit Hider(bool has_double) : has_double_(has_double) {}

  std::string run(std::string_view ir) {
    out_.reserve(ir.size());
    for_each_line(ir, [&](std::string_view line) {
      if (is_inside_) {
        inside(line);
      } else if (starts_with(line, "@")) {
        append_variable(line);
      } else {
        out_ += line;
        is_inside_ = starts_with(line, "define ");
      }
    });
    if (any_) {
      for (const Type& type : {kFloat, kDouble})
        out_ += fmt::format("declare {0} {1}{0}) {2}\ndeclare {0} {3}{4}) {2}\n", type.name, type.hidden,
                            "nofree nosync nounwind readnone speculatable willreturn", type.hidden_bits, type.bits);
    }
    return std::move(out_);
  }

 private:
  /// Appends a variable. A constant with such numbers becomes externally initialised, so that LLVM cannot read it.
  void append_variable(std::string_view line) {
    constexpr std::string_view kConstant = " constant ";
    const std::size_t at = line.find(kConstant);
    Literals literals(line, true);
    bool any = false;
    while (const std::optional<Literal> literal = literals.next())
      any = any || is_special(literal->bits, *literal->type, has_double_);
    if (any && at != std::string_view::npos && line.find(" externally_initialized ") == std::string_view::npos) {
      out_ += line.substr(0, at);
      out_ += " externally_initialized";
      line.remove_prefix(at);
    }
    out_ += line;
  }

  void inside(std::string_view line) {
    if (starts_with(line, "}")) {  // the numbers go to the function's first block, so all blocks can use them
      out_ += numbers_;
      out_ += body_;
      out_ += line;
      numbers_.clear();
      body_.clear();
      is_inside_ = false;
    } else if (body_.empty() && !starts_with(line, " ")) {  // the first block's label
      out_ += line;
    } else if (!append_from_bits(line)) {
      append_instruction(line);
    }
  }

  bool append_from_bits(std::string_view line) {
    for (const FromBits& function : kFromBits) {
      const std::size_t call = line.find(function.call), equals = line.find(" = ");
      if (call == std::string_view::npos || equals > call) continue;
      const Type& type = function.type;
      const std::size_t begin = call + function.call.size();
      const std::string_view argument = line.substr(begin, next_comma(line, begin) - begin);
      const std::optional<std::uint64_t> bits = constant_of(argument, type);
      if (bits ? !is_special(*bits, type, has_double_) : &type == &kDouble && !has_double_) return false;
      body_ += line.substr(0, equals + 3);
      body_ += bits ? call_of(*bits, type, type.hidden)
                    : fmt::format("call {} {}{} {})", type.name, type.hidden_bits, type.bits, argument);
      body_ += metadata_of(line);
      any_ = true;
      return true;
    }
    return false;
  }

  void append_instruction(std::string_view line) {
    Literals literals(line, false);
    std::size_t done = 0;
    while (const std::optional<Literal> literal = literals.next()) {
      if (!is_special(literal->bits, *literal->type, has_double_)) continue;
      const std::string name = fmt::format("%g80.number{}", count_++);
      numbers_ += fmt::format("  {} = {}\n", name, call_of(literal->bits, *literal->type, literal->type->hidden));
      body_ += line.substr(done, literal->at - done);
      body_ += name;
      done = literal->at + literal->length;
      any_ = true;
    }
    body_ += line.substr(done);
  }

  bool has_double_;
  std::string out_, numbers_, body_;  // the function at hand: its numbers, all else
  std::size_t count_ = 0;
  bool is_inside_ = false, any_ = false;
};

}  // namespace

std::string hide_numbers(std::string_view ir, bool has_double) { return Hider(has_double).run(ir); }

namespace {

/// A number of hidden bits: they are known by now, or come from elsewhere.
std::string shown_bits(std::string_view line, std::size_t at, const Type& type) {
  const std::size_t begin = at + type.hidden_bits.size() + type.bits.size() + 1;
  const std::size_t end = next_comma(line, begin);
  const std::string_view argument = line.substr(begin, end - begin);
  std::string out(line.substr(0, line.find(" = ") + 3));
  const std::optional<std::uint64_t> bits = constant_of(argument, type);
  if (bits && is_special(*bits, type, true))
    out += call_of(*bits, type, type.shown);
  else
    out += fmt::format("bitcast {} {} to {}", type.bits, argument, type.name);
  return out.append(metadata_of(line));
}

}  // namespace

std::string show_numbers(std::string_view ir) {
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    for (const Type* type : {&kFloat, &kDouble}) {
      const std::size_t hidden_bits = line.find(type->hidden_bits), at = line.find(type->hidden);
      if (hidden_bits == std::string_view::npos && at == std::string_view::npos) continue;
      if (starts_with(line, "declare ")) return;
      if (hidden_bits != std::string_view::npos) {
        out += shown_bits(line, hidden_bits, *type);
        return;
      }
      out += line.substr(0, at);
      out += type->shown;
      line.remove_prefix(at + type->hidden.size());
    }
    out += line;
  });
  return out;
}

}  // namespace g80::cuda

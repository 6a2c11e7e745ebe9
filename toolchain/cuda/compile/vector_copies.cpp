// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/vector_copies.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "toolchain/cuda/compile/ir_text.h"
#include "toolchain/cuda/compile/local_pointers.h"

namespace g80::cuda {
namespace {

constexpr unsigned kWidest = 16;    // bytes of the longest access
constexpr unsigned kMostParts = 4;  // a longer structure is copied by a loop or member by member

unsigned number(std::string_view text) {
  return static_cast<unsigned>(std::strtoul(std::string(text).c_str(), nullptr, 10));
}

/// A scalar in a structure.
struct Member {
  unsigned offset = 0, bytes = 0;
  bool is_float = false;
};

/// Reads clang's metadata of the members that a copy moves: `!tbaa.struct !7`, `!7 = !{i64 0, i64 4, !8, i64 4, ..}`.
class Structures {
 public:
  explicit Structures(std::string_view ir) {
    for_each_line(ir, [&](std::string_view line) {
      const std::size_t equals = line.find(" = !{");
      if (starts_with(line, "!") && equals != std::string_view::npos)
        nodes_[line.substr(0, equals)] = line.substr(equals + 5, line.rfind('}') - equals - 5);
    });
  }

  std::vector<Member> members(std::string_view node) const {
    std::vector<Member> result;
    const std::vector<std::string_view> parts = operands(node);
    for (std::size_t k = 0; k + 2 < parts.size(); k += 3) {
      const std::vector<std::string_view> access = operands(parts[k + 2]);
      const std::vector<std::string_view> type = access.empty() ? access : operands(access[0]);
      result.push_back(
          {number(parts[k].substr(4)), number(parts[k + 1].substr(4)), !type.empty() && type[0] == "!\"float\""});
    }
    return result;
  }

 private:
  std::vector<std::string_view> operands(std::string_view node) const {
    std::vector<std::string_view> result;
    const auto found = nodes_.find(node);
    if (found == nodes_.end()) return result;
    for (std::string_view rest = found->second; !rest.empty();) {
      const std::size_t end = next_comma(rest);
      result.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(rest.size(), end + 2));
    }
    return result;
  }

  std::map<std::string_view, std::string_view> nodes_;
};

struct Copy {
  std::string_view pointer;  // its type: i8*, or ptr
  std::string_view to, from;
  unsigned align = 0, bytes = 0;
  std::string_view place;  // ", !dbg !5", or nothing
  std::string_view structure;
};

/// The pointer of `i8* align 16 %x`. Reduces `align` to the operand's alignment if that is smaller.
std::string_view aligned_pointer(std::string_view operand, unsigned& align) {
  constexpr std::string_view kAlign = " align ";
  const std::size_t at = operand.find(kAlign);
  if (at == std::string_view::npos) {
    align = 1;
    return operand;
  }
  operand.remove_prefix(at + kAlign.size());
  align = std::min(align, number(operand));
  operand.remove_prefix(operand.find(' ') + 1);
  return starts_with(operand, "dereferenceable") ? operand.substr(operand.find(' ') + 1) : operand;
}

std::optional<Copy> parse_copy(std::string_view line) {
  constexpr std::string_view kCall = "  call void @llvm.memcpy.", kStructure = ", !tbaa.struct ";
  const std::size_t members = line.find(kStructure), open = line.find('(');
  if (!starts_with(line, kCall) || members == std::string_view::npos) return std::nullopt;
  const std::string_view function = line.substr(kCall.size(), open - kCall.size());
  if (function != "p0i8.p0i8.i64" && function != "p0.p0.i64") return std::nullopt;
  Copy copy;
  copy.pointer = function == "p0.p0.i64" ? "ptr" : "i8*";
  copy.align = kWidest;
  std::vector<std::string_view> operands;
  std::string_view rest = line.substr(open + 1);
  while (operands.size() < 4) {
    const std::size_t end = next_comma(rest);
    operands.push_back(rest.substr(0, end));
    if (end >= rest.size() || rest[end] != ',') break;
    rest.remove_prefix(end + 2);
  }
  if (operands.size() != 4 || operands[3] != "i1 false" || !starts_with(operands[2], "i64 "))
    return std::nullopt;  // i1 true: volatile
  copy.to = aligned_pointer(operands[0], copy.align);
  copy.from = aligned_pointer(operands[1], copy.align);
  copy.bytes = number(operands[2].substr(4));
  const std::size_t behind = line.find("), !dbg "), number_of_node = members + kStructure.size();
  if (behind != std::string_view::npos)
    copy.place = line.substr(behind + 1, line.find_first_of(",\n", behind + 3) - behind - 1);
  copy.structure = line.substr(number_of_node, line.find_first_of(",\n", number_of_node) - number_of_node);
  return copy;
}

/// The vector type for a part of `bytes` bytes from `offset`, such that no member crosses an element. Empty if the part
/// is only padding.
std::string part_type(const std::vector<Member>& members, unsigned offset, unsigned bytes) {
  unsigned element = bytes < 4 ? bytes : 4;
  bool all_float = true, is_used = false;
  for (const Member& member : members) {
    if (member.offset < offset || member.offset >= offset + bytes) continue;
    is_used = true;
    element = std::min(element, member.bytes);
    all_float &= member.is_float;
  }
  if (!is_used) return "";
  const std::string scalar = all_float ? "float" : fmt::format("i{}", 8 * element);
  return element == bytes ? scalar : fmt::format("<{} x {}>", bytes / element, scalar);
}

bool is_scalar(const Member& member) {
  return member.bytes == 1 || member.bytes == 2 || member.bytes == 4 || member.bytes == 8;
}

/// The loads and stores that replace the copy, or an empty text if the copy must stay.
std::string vectors_of(const Copy& copy, const Structures& structures, unsigned& count) {
  const unsigned align = copy.align;
  if (align < 2 || copy.bytes % align != 0 || copy.bytes / align > kMostParts) return "";
  const std::vector<Member> members = structures.members(copy.structure);
  if (!std::all_of(members.begin(), members.end(), is_scalar)) return "";  // an array may be read in any way
  std::string text;
  for (unsigned offset = 0; offset < copy.bytes; offset += align) {
    const std::string type = part_type(members, offset, align);
    if (type.empty()) continue;
    const std::string name = fmt::format("%whole.{}", ++count), pointer = copy.pointer == "ptr" ? "ptr" : type + "*";
    for (const auto& [end, side] : {std::pair("from", copy.from), std::pair("to", copy.to)}) {
      text += fmt::format("  {0}.{1}.part = getelementptr i8, {2} {3}, i64 {4}{5}\n", name, end, copy.pointer, side,
                          offset, copy.place);
      text +=
          fmt::format("  {0}.{1} = bitcast {2} {0}.{1}.part to {3}{4}\n", name, end, copy.pointer, pointer, copy.place);
    }
    text += fmt::format("  {0} = load {1}, {2} {0}.from, align {3}{4}\n", name, type, pointer, align, copy.place);
    text += fmt::format("  store {1} {0}, {2} {0}.to, align {3}{4}\n", name, type, pointer, align, copy.place);
  }
  return text;
}

}  // namespace

std::string copy_in_vectors(std::string_view ir) {
  const Structures structures(ir);
  LocalPointers local;
  std::string out;
  out.reserve(ir.size() + ir.size() / 16);
  unsigned count = 0;
  for_each_line(ir, [&](std::string_view line) {
    local.learn(line);
    const std::optional<Copy> copy = parse_copy(line);
    const std::string vectors =
        !copy || (local.has(copy->to) && local.has(copy->from)) ? "" : vectors_of(*copy, structures, count);
    out += vectors.empty() ? line : std::string_view(vectors);
  });
  return out;
}

}  // namespace g80::cuda

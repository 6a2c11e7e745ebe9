// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/unroll_rules.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <set>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kLoop = ", !llvm.loop !", kTarget = "label %", kPragma = "!\"llvm.loop.unroll.",
                           kWhole = "!\"llvm.loop.unroll.full\"", kEnabled = "!\"llvm.loop.unroll.enable\"",
                           kRolled = "!\"llvm.loop.unroll.disable\"";

using Lines = std::vector<std::string_view>;
using Labels = std::map<std::string_view, std::size_t>;  // the lines of a function's labels

unsigned long number_at(std::string_view line, std::size_t at) {
  return std::strtoul(std::string(line.substr(at, 20)).c_str(), nullptr, 10);
}

/// Calls `visit` with each label that the line names as a target.
template <class Visit>
void for_each_target(std::string_view line, Visit visit) {
  for (std::size_t at = line.find(kTarget); at != std::string_view::npos; at = line.find(kTarget, at + 1)) {
    const std::size_t percent = at + kTarget.size() - 1;
    visit(name_at(line, percent).substr(1));
  }
}

/// The last name of a load or store, which is the variable's.
std::string_view variable_of(std::string_view line) { return name_at(line, line.rfind('%')); }

/// True if the line computes something that is no constant step of a variable (`k >>= 1`, `k += n`).
bool steps_otherwise(std::string_view line) {
  const std::string_view value = line.substr(line.find(" = ") + 3);
  if (starts_with(value, "load ")) return false;
  if (starts_with(value, "getelementptr ")) return value.find(", i64 %") != std::string_view::npos;
  const bool sum = starts_with(value, "add ") || starts_with(value, "sub ") || starts_with(value, "fadd ");
  const std::size_t second = next_comma(value) + 2;
  return !sum || second >= value.size() || value[second] == '%';
}

/// True if Open64 did not look at the loop of the lines from its first label to the branch back.
bool stays_rolled(const Lines& lines, std::size_t first, std::size_t last, const Labels& labels) {
  constexpr std::string_view kBarrier = "@llvm.nvvm.barrier0", kInc = "for.inc", kBody = "for.body";
  unsigned ways_out = 0;
  bool in_condition = true, in_step = false, otherwise = false;  // otherwise: since the last store of the step
  std::set<std::string_view> tested;                             // variables that the condition reads
  for (std::size_t i = first; i <= last; ++i) {
    const std::string_view line = lines[i];
    if (line.find(kBarrier) != std::string_view::npos) return true;
    if (i != last && line.find(kLoop) != std::string_view::npos) return true;
    if (line[0] != ' ') in_condition &= !starts_with(line, kBody), in_step = starts_with(line, kInc);
    if (starts_with(line, "  ret ")) return true;
    if (in_condition && line.find(" = load ") != std::string_view::npos) tested.insert(variable_of(line));
    if (in_step && starts_with(line, "  %")) otherwise |= steps_otherwise(line);
    if (in_step && starts_with(line, "  store ")) {
      if (otherwise && tested.count(variable_of(line)) != 0) return true;
      otherwise = false;
    }
    if (starts_with(line, "  br ") || starts_with(line, "  switch ")) {
      for_each_target(line, [&](std::string_view target) {
        const auto found = labels.find(target);
        ways_out += found == labels.end() || found->second < first || found->second > last;
      });
    }
  }
  return ways_out > 1;
}

}  // namespace

std::string follow_unroll_rules(std::string_view ir) {
  if (ir.find(kLoop) == std::string_view::npos) return std::string(ir);
  Lines lines;
  std::set<unsigned long> pragmas, with_pragma, rolled;
  unsigned long free = 0;  // the number of a new node
  for_each_line(ir, [&](std::string_view line) {
    lines.push_back(line);
    if (line[0] != '!') return;
    const unsigned long node = number_at(line, 1);
    free = std::max(free, node + 1);
    if (line.find(kPragma) != std::string_view::npos) pragmas.insert(node);
  });
  for (const std::string_view line : lines) {
    if (line[0] != '!' || line.find("distinct !{") == std::string_view::npos) continue;
    for (std::size_t at = line.find(", !"); at != std::string_view::npos; at = line.find(", !", at + 1)) {
      if (pragmas.count(number_at(line, at + 3)) != 0) with_pragma.insert(number_at(line, 1));
    }
  }
  Labels labels;  // found so far: a branch to one of them goes back
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (starts_with(line, "define ")) labels.clear();
    if (line[0] != ' ' && line.find(':') != std::string_view::npos) labels[line.substr(0, line.find(':'))] = i;
    const std::size_t loop = line.find(kLoop);
    if (loop == std::string_view::npos || !starts_with(line, "  br ")) continue;
    const unsigned long node = number_at(line, loop + kLoop.size());
    for_each_target(line, [&](std::string_view target) {
      const auto first = labels.find(target);
      if (first == labels.end() || with_pragma.count(node) != 0) return;
      if (stays_rolled(lines, first->second, i, labels)) rolled.insert(node);
    });
  }
  std::string out;
  out.reserve(ir.size() + 1000);
  for (const std::string_view line : lines) {
    const std::size_t enabled = line[0] == '!' ? line.find(kEnabled) : std::string_view::npos;
    if (enabled != std::string_view::npos) {
      out += fmt::format("{}{}{}", line.substr(0, enabled), kWhole, line.substr(enabled + kEnabled.size()));
    } else if (line[0] == '!' && rolled.count(number_at(line, 1)) != 0 &&
               line.find("distinct !{") != std::string_view::npos) {
      const std::size_t end = line.rfind('}');
      out += fmt::format("{}, !{}{}", line.substr(0, end), free, line.substr(end));
    } else {
      out += line;
    }
  }
  if (!rolled.empty()) out += fmt::format("!{} = !{{{}}}\n", free, kRolled);
  return out;
}

std::vector<std::string> unroll_options() {
  std::vector<std::string> words;
  for (const char* option : {"-unroll-threshold=300", "-unroll-max-percent-threshold-boost=100",
                             "-unroll-allow-partial=false", "-unroll-runtime=false", "-unroll-allow-peeling=false"}) {
    words.insert(words.end(), {"-mllvm", option});
  }
  return words;
}

}  // namespace g80::cuda

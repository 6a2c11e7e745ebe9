// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/whole_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "toolchain/cuda/compile/close_loop.h"
#include "toolchain/cuda/compile/ir_text.h"
#include "toolchain/cuda/compile/local_pointers.h"
#include "toolchain/cuda/compile/order_blocks.h"

namespace g80::cuda {
namespace {

constexpr std::string_view kClobber = "~{memory}";  // of an asm statement
constexpr std::string_view kDeclaration = "declare i32 @g80.way(i32) convergent nounwind readnone willreturn\n";

using EffectsOfFunctions = std::map<std::string, Effects, std::less<>>;

/// The name that an instruction defines, or nothing; and what follows " = " or the indentation.
std::pair<std::string_view, std::string_view> parts(std::string_view line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
  const std::size_t equals = starts_with(line, "%") ? line.find(" = ") : std::string_view::npos;
  if (equals == std::string_view::npos) return {{}, line};
  return {line.substr(0, equals), line.substr(equals + 3)};
}

/// The pointer of a load or store: the last word of its operand `index`.
std::string_view pointer_of(std::string_view value, unsigned index) {
  for (; index > 0; --index) value.remove_prefix(std::min(value.size(), next_comma(value) + 2));
  value = value.substr(0, std::min(next_comma(value), value.size()));
  value = value.substr(0, value.find_last_not_of('\n') + 1);
  return value.substr(value.rfind(' ') + 1);
}

bool is_atomic(std::string_view value) { return starts_with(value, "atomicrmw ") || starts_with(value, "cmpxchg "); }

/// The function that a call names, without its '@'; empty if the line is no call or calls a pointer.
std::string_view called(std::string_view value) {
  const std::size_t call = value.find("call ");
  if (call == std::string_view::npos || call > std::string_view("musttail ").size()) return {};
  const std::size_t at = value.find(" @", call), open = value.find('(', std::min(at, value.size()));
  return open == std::string_view::npos ? std::string_view() : value.substr(at + 2, open - at - 2);
}

/// A function's body, in blocks.
class Body {
 public:
  Body(std::string_view head, const std::vector<std::string_view>& lines) {
    local_.learn(head);
    bool ends = false;
    for (const std::string_view line : lines) {
      if (line == "\n") continue;
      if (blocks_.empty() && line[0] == ' ') blocks_.emplace_back();
      if (line[0] != ' ') {
        blocks_.emplace_back();
        blocks_.back().name = line.substr(0, line.find(':'));
        blocks_.back().label = line;
        ends = false;
        continue;
      }
      local_.learn(line);
      const auto [name, value] = parts(line);
      ends |= starts_with(value, "br ") || starts_with(value, "switch ") || starts_with(value, "ret ") ||
              starts_with(value, "unreachable") || starts_with(value, "indirectbr ");
      can_change_ &= !starts_with(value, "indirectbr ");
      (ends ? blocks_.back().end : blocks_.back().code) += line;
      any_name(value, [&](std::string_view used) { return used_.insert(std::string(used)), false; });
    }
  }

  bool branches() const { return blocks_.size() > 1; }

  /// Learns the effects of its blocks from those of the functions that it calls. Returns their sum.
  Effects find_effects(const EffectsOfFunctions& functions) {
    Effects all;
    all.branches = branches();
    for (Block& block : blocks_) {
      for_each_line(block.code, [&](std::string_view line) { block.effects.add(effects_of(line, functions)); });
      all.add(block.effects);
    }
    return all;
  }

  /// Makes loops whole, inner ones first. Returns true if it has changed one.
  bool keep_loops_whole(const EffectsOfFunctions& functions, unsigned& count) {
    if (!can_change_ ||
        std::none_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.effects.observes; }))
      return false;
    number_blocks();
    std::vector<std::vector<std::size_t>> next(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      blocks_[i].place = i;
      for_targets(blocks_[i], [&](std::size_t target) { next[i].push_back(target); });
    }
    order_blocks(blocks_, next);
    bool any = false;
    std::set<std::string> done;
    while (const std::optional<std::pair<std::size_t, std::size_t>> loop = next_loop(done)) {
      done.insert(blocks_[loop->first].name);
      any |= keep_whole(loop->first, loop->second, functions, count);
    }
    return any;
  }

  /// In the order of the source, because values without a name are numbered in it.
  void append_to(std::string& out) {
    std::stable_sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.place < b.place; });
    for (const Block& block : blocks_) {
      if (!block.label.empty()) out += "\n" + block.label;
      out += block.code + block.end;
    }
  }

 private:
  bool is_used(std::string_view name) const { return used_.count(std::string(name)) != 0; }

  Effects effects_of(std::string_view line, const EffectsOfFunctions& functions) const {
    const auto [name, value] = parts(line);
    Effects effects;
    const std::string_view callee = called(value);
    if (is_atomic(value) || starts_with(callee, "llvm.nvvm.atomic")) {
      effects.observes = is_used(name);
      effects.writes = true;
    } else if (starts_with(value, "load volatile ")) {
      effects.observes = !local_.has(pointer_of(value, 1));
    } else if (starts_with(value, "store ")) {
      effects.writes = effects.stores = !local_.has(pointer_of(value, 1));
    } else if (starts_with(callee, "llvm.mem")) {
      effects.writes = effects.stores = !local_.has(pointer_of(value.substr(value.find('(') + 1), 0));
    } else if (starts_with(callee, "llvm.nvvm.barrier")) {
      effects.waits = true;
    } else if (value.find(kClobber) != std::string_view::npos) {
      effects.observes = effects.writes = effects.stores = true;
      effects.waits = value.find("bar.sync") != std::string_view::npos;
    } else if (!callee.empty() && !starts_with(callee, "llvm.")) {
      const auto found = functions.find(callee);
      if (found == functions.end()) {  // of the runtime, such as printf
        effects.writes = effects.stores = true;
        return effects;
      }
      effects = found->second;
      // What a function without a branch sees can only be in its result and in memory.
      effects.observes &= effects.branches || effects.stores || is_used(name);
      effects.chooses |= effects.branches && effects.writes;
    }
    return effects;
  }

  void number_blocks() {
    numbers_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i) numbers_[blocks_[i].name] = i;
  }

  template <class Visit>
  void for_targets(const Block& block, Visit visit) const {
    constexpr std::string_view kLabel = "label %";
    const std::string_view end = block.end;
    for (std::size_t at = end.find(kLabel); at != std::string_view::npos; at = end.find(kLabel, at + 1)) {
      const std::size_t percent = at + kLabel.size() - 1;
      const auto target = numbers_.find(end.substr(percent + 1, name_end(end, percent) - percent - 1));
      if (target != numbers_.end()) visit(target->second);
    }
  }

  /// The shortest loop whose beginning is not in `done`: the blocks from the first to the last that leads back to it,
  /// in the order of the source.
  std::optional<std::pair<std::size_t, std::size_t>> next_loop(const std::set<std::string>& done) {
    number_blocks();
    std::map<std::size_t, std::size_t> loops;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].is_added) continue;  // what only leads out of a loop may stand within it
      for_targets(blocks_[i], [&](std::size_t target) {
        if (target <= i && done.count(blocks_[target].name) == 0) loops[target] = i;
      });
    }
    const auto shortest = std::min_element(loops.begin(), loops.end(), [](const auto& a, const auto& b) {
      return a.second - a.first < b.second - b.first;
    });
    if (shortest == loops.end()) return std::nullopt;
    return std::pair(shortest->first, end_of(shortest->first, shortest->second));
  }

  /// The last block of a loop. That of an endless one may end with what is done before it is left, behind the last
  /// block that leads back; if only a return leaves it, nothing in the source stands behind it. So may one that `goto`
  /// makes only to wait (`again: if (locked()) goto again;`): the source does not say where it ends, so it does where
  /// lanes wait for each other, where others come from elsewhere, or with the function.
  std::size_t end_of(std::size_t first, std::size_t last) const {
    const bool statement = is_statement(blocks_[first].name);
    const bool only_waits = !statement && std::none_of(blocks_.begin() + static_cast<std::ptrdiff_t>(first),
                                                       blocks_.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                                       [](const Block& block) { return block.effects.stores; });
    std::size_t end = last + 1;
    while (end < blocks_.size() && !(only_waits ? blocks_[end].effects.waits : ends_loop(blocks_[end].name))) ++end;
    const bool has_no_end = end == blocks_.size();
    if (has_no_end && !only_waits && !statement) return last;
    for (bool again = true; std::exchange(again, false);) {
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        for_targets(blocks_[i], [&](std::size_t target) {
          if (target <= last || target >= end || (i >= first && i < end)) return;
          end = only_waits || has_no_end ? target : last + 1;
          again = true;
        });
      }
    }
    return end - 1;
  }

  /// clang's name of the block behind a loop.
  static bool ends_loop(std::string_view name) {
    return starts_with(name, "for.end") || starts_with(name, "while.end") || starts_with(name, "do.end");
  }

  /// Which blocks of the loop lead to its beginning again, not through `without`.
  std::vector<std::uint8_t> leading_back(std::size_t first, std::size_t last, std::size_t without) const {
    std::vector<std::uint8_t> leads(blocks_.size(), 0);
    for (bool again = true; std::exchange(again, false);) {
      for (std::size_t i = last + 1; i-- > first;) {
        if (leads[i] != 0 || i == without) continue;
        for_targets(blocks_[i], [&](std::size_t target) {
          if (target != first && (target < first || target > last || leads[target] == 0)) return;
          again |= leads[i] == 0;
          leads[i] = 1;
        });
      }
    }
    return leads;
  }

  /// What belongs to the loop: not what only leads out of it.
  std::vector<std::uint8_t> inside(std::size_t first, std::size_t last) const {
    std::vector<std::uint8_t> in = leading_back(first, last, blocks_.size());
    for (std::size_t i = first; i <= last; ++i) in[i] |= blocks_[i].effects.writes ? 1 : 0;
    for (bool again = true; std::exchange(again, false);) {
      for (std::size_t i = last + 1; i-- > first;) {
        if (in[i] != 0) continue;
        for_targets(blocks_[i], [&](std::size_t target) {
          again |= in[target] != 0 && in[i] == 0;
          in[i] |= in[target];
        });
      }
    }
    return in;
  }

  bool keep_whole(std::size_t first, std::size_t last, const EffectsOfFunctions& functions, unsigned& count) {
    const std::vector<std::uint8_t> in = inside(first, last);
    bool observes = false, writes_on_some_ways = false;
    for (std::size_t i = first; i <= last; ++i) {
      if (in[i] == 0) continue;
      observes |= blocks_[i].effects.observes;
      const Effects& effects = blocks_[i].effects;
      writes_on_some_ways = writes_on_some_ways || effects.chooses ||
                            (i != first && effects.writes && leading_back(first, last, i)[first] != 0);
    }
    if (!observes || !writes_on_some_ways) return false;

    std::vector<Way> ways{{first, false}};
    std::vector<Edge> edges;
    for (std::size_t i = first; i <= last; ++i) {
      if (in[i] == 0) continue;
      if (returns(blocks_[i])) {
        edges.push_back({i, ways.size()});
        ways.push_back({i, true});
      }
      bool leaves = false;
      for_targets(blocks_[i], [&](std::size_t target) { leaves |= in[target] == 0; });
      const bool is_free =
          leaves && leading_back(first, last, i)[first] == 0 && is_counted(i, first, last, in, functions);
      std::set<std::size_t> seen;
      for_targets(blocks_[i], [&](std::size_t target) {
        if ((in[target] != 0 ? target != first : is_free) || !seen.insert(target).second) return;
        const auto known =
            std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return way.block == target && !way.returns; });
        edges.push_back({i, static_cast<std::size_t>(known - ways.begin())});
        if (known == ways.end()) ways.push_back({target, false});
      });
    }
    const bool has_phi = std::any_of(ways.begin(), ways.end(), [&](const Way& way) {
      return !way.returns && blocks_[way.block].code.find(" = phi ") != std::string::npos;
    });
    if (ways.size() == 1 || has_phi) return false;
    close_loop(blocks_, first, last, ways, edges, fmt::format("g80.loop{}", count++));
    return true;
  }

  /// True if the block leaves by a branch whose condition depends only on counters and on what the loop does not write.
  /// (Each iteration must come to it: a lane that leaves where it has just given a lock back has not counted.)
  bool is_counted(std::size_t block, std::size_t first, std::size_t last, const std::vector<std::uint8_t>& in,
                  const EffectsOfFunctions& functions) {
    constexpr std::string_view kBranch = "  br i1 ";
    const std::string_view end = blocks_[block].end;
    if (!starts_with(end, kBranch)) return false;
    std::map<std::string_view, std::string_view> values;
    for (const Block& one : blocks_) {
      for_each_line(one.code, [&](std::string_view line) {
        const auto [name, value] = parts(line);
        if (!name.empty()) values[name] = value;
      });
    }
    const auto value_of = [&](std::string_view name) {
      const auto found = values.find(name);
      return found == values.end() ? std::string_view() : found->second;
    };
    const auto is_load_of = [&](std::string_view name, std::string_view variable) {
      return starts_with(value_of(name), "load ") && pointer_of(value_of(name), 1) == variable;
    };
    // Written in the loop only as `i += step` and the like, each time.
    const auto counts = [&](std::string_view variable) {
      bool only = true;
      for (std::size_t i = first; i <= last && only; ++i) {
        if (in[i] == 0) continue;
        for_each_line(blocks_[i].code, [&](std::string_view line) {
          const auto [name, value] = parts(line);
          if (!any_name(value, [&, v = variable](std::string_view used) { return used == v; })) return;
          if (starts_with(value, "load ") && !starts_with(value, "load volatile ")) return;
          constexpr std::string_view kSteps[] = {"add ", "sub ", "mul ", "shl ", "lshr ", "ashr ", "udiv ", "sdiv "};
          const std::string_view stored = starts_with(value, "store ") ? pointer_of(value, 0) : std::string_view();
          const std::string_view step = value_of(stored);
          only = only && stored != variable && leading_back(first, last, i)[first] == 0 &&
                 std::any_of(std::begin(kSteps), std::end(kSteps),
                             [&](std::string_view op) { return starts_with(step, op); }) &&
                 any_name(step, [&](std::string_view used) { return is_load_of(used, variable); });
        });
      }
      return only;
    };
    unsigned steps = 0;
    const auto is_plain = [&](std::string_view name, const auto& self) -> bool {
      const std::string_view value = value_of(name);
      if (value.empty() || starts_with(value, "alloca ")) return true;  // an argument, an address
      if (++steps > 64 || starts_with(value, "phi ") || starts_with(value, "load volatile ") || is_atomic(value))
        return false;
      if (starts_with(value, "load ")) {
        const std::string_view variable = pointer_of(value, 1);
        return starts_with(value_of(variable), "alloca ") && counts(variable);
      }
      const std::string_view callee = called(value);
      if (!callee.empty() && !starts_with(callee, "llvm.")) {
        const auto found = functions.find(callee);
        if (found == functions.end() || found->second.observes || found->second.writes) return false;
      }
      return !any_name(value, [&](std::string_view used) { return values.count(used) != 0 && !self(used, self); });
    };
    const std::string_view condition = end.substr(kBranch.size());
    return starts_with(condition, "%") && is_plain(condition.substr(0, name_end(condition, 0)), is_plain);
  }

  std::vector<Block> blocks_;
  LocalPointers local_;
  std::set<std::string> used_;                               // names that are operands
  std::map<std::string, std::size_t, std::less<>> numbers_;  // of the blocks
  bool can_change_ = true;
};

/// The name behind '@' in the first line of a function.
std::string_view function_name(std::string_view head) {
  const std::size_t at = head.find(" @") + 2;
  return head.substr(at, head.find('(', at) - at);
}

struct Function {
  std::string_view head, text;  // `text`: all of it
  Body body;
};

/// True if a text can have a loop that is changed.
bool may_observe(std::string_view ir) {
  constexpr std::string_view kObservers[] = {"atomicrmw ", "cmpxchg ", "load volatile ", "@llvm.nvvm.atomic", kClobber};
  return std::any_of(std::begin(kObservers), std::end(kObservers),
                     [&](std::string_view text) { return ir.find(text) != std::string_view::npos; });
}

}  // namespace

std::string keep_loops_whole(std::string_view ir) {
  if (!may_observe(ir)) return std::string(ir);
  std::vector<Function> functions;
  std::vector<std::string_view> lines;
  std::string_view head;
  for_each_line(ir, [&](std::string_view line) {
    if (starts_with(line, "define ")) {
      head = line;
      lines.clear();
    } else if (starts_with(line, "}") && !head.empty()) {
      const auto size = static_cast<std::size_t>(line.data() - head.data());
      functions.push_back({head, std::string_view(head.data(), size), Body(head, lines)});
      head = {};
    } else if (!head.empty()) {
      lines.push_back(line);
    }
  });
  EffectsOfFunctions effects;
  for (Function& function : functions)
    effects[std::string(function_name(function.head))].branches = function.body.branches();
  for (bool again = true; std::exchange(again, false);) {
    for (Function& function : functions) {
      Effects& known = effects.find(function_name(function.head))->second;
      const Effects found = function.body.find_effects(effects);
      again |= !(known == found);
      known = found;
    }
  }
  std::string out;
  unsigned count = 0;
  std::size_t done = 0;
  for (Function& function : functions) {
    if (!function.body.keep_loops_whole(effects, count)) continue;
    const auto begin = static_cast<std::size_t>(function.text.data() - ir.data());
    out += ir.substr(done, begin - done);
    out += function.head;
    function.body.append_to(out);
    done = begin + function.text.size();
  }
  out += ir.substr(done);
  if (count != 0) out += kDeclaration;
  return out;
}

std::string show_ways(std::string_view ir) {
  std::string out;
  out.reserve(ir.size());
  for_each_line(ir, [&](std::string_view line) {
    const std::size_t at = line.find(kWay);
    if (at == std::string_view::npos) {
      out += line;
    } else if (!starts_with(line, "declare ")) {
      const std::size_t begin = at + kWay.size(), end = next_comma(line, begin);
      out +=
          fmt::format("{}bitcast {} to i32\n", line.substr(0, line.find(" = ") + 3), line.substr(begin, end - begin));
    }
  });
  return out;
}

}  // namespace g80::cuda

// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/close_loop.h"

#include <fmt/format.h>

#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

void replace_target(std::string& end, const std::string& from, const std::string& to) {
  const std::string label = "label %" + from;
  for (std::size_t at = end.find(label); at != std::string::npos; at = end.find(label, at + 1)) {
    if (name_end(end, at + label.size() - from.size() - 1) == at + label.size())
      end.replace(at, label.size(), "label %" + to);
  }
}

}  // namespace

bool returns(const Block& block) { return starts_with(block.end, "  ret "); }

void close_loop(std::vector<Block>& blocks, std::size_t first, std::size_t last, const std::vector<Way>& ways,
                const std::vector<Edge>& edges, const std::string& name) {
  std::vector<Block> added;
  Block all{name, name + ":\n", "", "", true, {}};
  std::string cases;
  for (std::size_t way = 1; way < ways.size(); ++way) {
    const Block& target = blocks[ways[way].block];
    std::string to = target.name;
    if (ways[way].returns) {
      // `ret T %value`: the value goes with the lane. On other ways there is none.
      to = fmt::format("{}.end{}", name, way);
      const std::size_t value = target.end.rfind('%');
      std::string end = target.end;
      if (value != std::string::npos) {
        const std::string type = target.end.substr(6, value - 7);
        all.code += fmt::format("  %{}.value = phi {} ", to, type);
        for (std::size_t k = 0; k < edges.size(); ++k) {
          all.code += fmt::format("{}[ {}, %{}.from{} ]", k == 0 ? "" : ", ",
                                  edges[k].way == way ? std::string(name_at(end, value)) : "undef", name, k);
        }
        all.code += "\n";
        end.replace(value, name_at(end, value).size(), fmt::format("%{}.value", to));
      }
      added.push_back({to, to + ":\n", "", end, true, {}});
    }
    cases += fmt::format("    i32 {}, label %{}\n", way, to);
  }
  all.code += fmt::format("  %{}.way = phi i32 ", name);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::string from = fmt::format("{}.from{}", name, k);
    Block& block = blocks[edges[k].from];
    if (ways[edges[k].way].returns)
      block.end = fmt::format("  br label %{}\n", from);
    else
      replace_target(block.end, blocks[ways[edges[k].way].block].name, from);
    added.push_back({from, from + ":\n", "", fmt::format("  br label %{}\n", name), true, {}});
    all.code += fmt::format("{}[ {}, %{} ]", k == 0 ? "" : ", ", edges[k].way, from);
  }
  all.code += fmt::format("\n  %{0}.to = call i32 {1}i32 %{0}.way)\n", name, kWay);
  all.end = fmt::format("  switch i32 %{}.to, label %{} [\n{}  ]\n", name, blocks[first].name, cases);
  added.push_back(all);
  blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(last) + 1, added.begin(), added.end());
}

}  // namespace g80::cuda

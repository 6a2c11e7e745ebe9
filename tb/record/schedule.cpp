// SPDX-License-Identifier: Apache-2.0
#include "tb/record/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/isa/disassembler.h"

namespace g80 {
namespace {

constexpr std::size_t kBefore = 3, kAfter = 6, kWidth = 58;
const std::vector<Schedule::Issue> kNothing;

const std::vector<Schedule::Issue>& issues_of(const Schedule& schedule, unsigned sm) {
  return sm < schedule.sms().size() ? schedule.sms()[sm] : kNothing;
}

std::string issue_text(const std::vector<Schedule::Issue>& issues, std::size_t index, isa::Arch arch) {
  if (index >= issues.size()) return index == issues.size() ? "nothing more" : "";
  const Schedule::Issue& issue = issues[index];
  std::string text = fmt::format("{:>8}  warp {:>2}  {:>5x}  {}", issue.cycle, issue.warp, issue.pc,
                                 isa::disassemble(issue.w0, issue.w1, arch));
  if (text.size() > kWidth) text = text.substr(0, kWidth - 2) + "..";
  return text;
}

}  // namespace

void Schedule::event(const MachineEvent& event) {
  if (!begin_) begin_ = event.cycle;
  if (event.kind != EventKind::kIssue) return;
  if (issues_ == kMostIssues) {
    cut_ = true;
    return;
  }
  ++issues_;
  if (event.unit >= sms_.size()) sms_.resize(event.unit + 1u);
  sms_[event.unit].push_back(
      {static_cast<std::uint32_t>(event.cycle - *begin_), event.pc, event.w0, event.w1, event.warp});
}

std::optional<Parting> first_parting(const Schedule& a, const Schedule& b) {
  std::optional<Parting> first;
  for (unsigned sm = 0; sm < std::max(a.sms().size(), b.sms().size()); ++sm) {
    const auto &in_a = issues_of(a, sm), &in_b = issues_of(b, sm);
    const auto [at_a, at_b] = std::mismatch(in_a.begin(), in_a.end(), in_b.begin(), in_b.end());
    if (at_a == in_a.end() && at_b == in_b.end()) continue;
    const std::uint32_t cycle =
        std::min(at_a == in_a.end() ? ~0u : at_a->cycle, at_b == in_b.end() ? ~0u : at_b->cycle);
    if (!first || cycle < first->cycle) first = Parting{sm, static_cast<std::size_t>(at_a - in_a.begin()), cycle};
  }
  return first;
}

std::string parting_text(const Parting& parting, const Schedule& a, const Schedule& b, isa::Arch arch) {
  std::string text = fmt::format(
      "the schedules first differ at shader cycle {} after the first warp's start, in SM {}, at its issue {}\n",
      parting.cycle, parting.sm, parting.index);
  const auto &in_a = issues_of(a, parting.sm), &in_b = issues_of(b, parting.sm);
  for (std::size_t i = parting.index > kBefore ? parting.index - kBefore : 0; i < parting.index + kAfter; ++i) {
    const std::string left = issue_text(in_a, i, arch), right = issue_text(in_b, i, arch);
    if (left.empty() && right.empty()) break;
    text += fmt::format("  {} {:<{}} | {}\n", i < parting.index ? ' ' : '!', left, kWidth, right);
  }
  return text;
}

}  // namespace g80

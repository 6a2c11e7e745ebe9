// SPDX-License-Identifier: Apache-2.0
#include "validation/bench.h"

#include <fmt/format.h>

#include "hw/common/types.h"
#include "input/input_error.h"

namespace g80::silicon {
namespace {

constexpr unsigned kFewCopies = 32,
                   kManyCopies = 96;  // 96 copies of four long instructions fit the first instruction cache
constexpr std::uint32_t kSharedBytes = 4096;

// Replaces "{d}" by one of four registers, in turn.
std::string copy_of(std::string operation, unsigned index) {
  const std::string reg = std::to_string(4 + index % 4);
  for (std::size_t at; (at = operation.find("{d}")) != std::string::npos;) operation.replace(at, 3, reg);
  return "  " + operation + "\n";
}

// The copies, run `rounds` times. $r1 = 4 * lane, $r2 = $r3 = 0, $a1 = $r1.
std::string chain(const std::string& setup, const std::string& operation, unsigned copies, unsigned rounds) {
  std::string text =
      ".kernel chain\n.reg 12\n.param ptr buffer\n"
      "  cvt u32 $r1 u16 $r0l\n  and b32 $r1 $r1 0x1f\n  shl b32 $r1 $r1 0x2\n  shl $a1 $r1 0x0\n";
  text += setup + fmt::format("  mov b32 $r10 {:#x}\nloop:\n", rounds);
  for (unsigned i = 0; i < copies; ++i) text += copy_of(operation, i);
  return text + "  add b32 $r10 $r10 0xffffffff\n  set $c0 # lg s32 $r10 $r124\n  (lg $c0) bra loop\n  exit nop\n";
}

}  // namespace

Observation Bench::run(Experiment experiment) const {
  experiment.device = device_;
  const std::string kernel = experiment.entry.empty() ? "micro-benchmark" : experiment.entry;
  Observation seen = runner_.run(std::move(experiment));
  if (!seen.refusal.empty()) throw InputError(fmt::format("{}: {}", kernel, seen.refusal));
  if (seen.result.end != LaunchEnd::kFinished) throw InputError(fmt::format("{}: {}", kernel, seen.result.message));
  return seen;
}

double Bench::cycles_beyond(const Experiment& more, const Experiment& less) const {
  double cycles = 0;
  runner_.note_only([&] {
    const Observation long_run = run(more), short_run = run(less);
    cycles = static_cast<double>(long_run.result.shader_cycles) - static_cast<double>(short_run.result.shader_cycles);
    return beyond(long_run.where, short_run.where);
  });
  return cycles;
}

double Bench::copy_rate() const {
  constexpr std::uint32_t kMore = 5 << 20, kLess = 3 << 20;
  return 2.0 * (kMore - kLess) / runner_.copy_seconds(device_, kMore, kLess);
}

double Bench::once(const std::string& name, const std::function<double()>& value) {
  auto& [measured, where] = known_[name];
  runner_.note_only([&, &measured = measured, &where = where] {
    if (where.cycles == 0) {
      measured = value();
      where = runner_.take();
    }
    return where;
  });
  return measured;
}

Experiment Bench::experiment(const std::string& source, unsigned blocks, unsigned threads, std::uint32_t bytes,
                             std::uint32_t dynamic_shared) {
  Experiment experiment;
  experiment.kernel = source;
  experiment.grid = {blocks, 1, 1};
  experiment.block = {threads, 1, 1};
  experiment.buffers = {Words(bytes / 4)};
  experiment.dynamic_shared = dynamic_shared;
  return experiment;
}

double Bench::per_copy(const std::string& operation, const std::string& setup, const std::string& head,
                       Load load) const {
  const unsigned blocks = load.blocks == 1 ? 1 : load.blocks * num_sms();
  constexpr unsigned kRounds = 3;  // the first brings the code into the cache
  const auto experiment_of = [&](unsigned copies, unsigned rounds) {
    return experiment(head + chain(setup, operation, copies, rounds), blocks, load.warps * kWarpSize, 256,
                      load.shared_bytes);
  };
  const auto warm = [&](unsigned copies) {
    return cycles_beyond(experiment_of(copies, kRounds), experiment_of(copies, 1)) / (kRounds - 1);
  };
  return (warm(kManyCopies) - warm(kFewCopies)) / (kManyCopies - kFewCopies);
}

double Bench::issue_cycles(const std::string& operation, unsigned warps, const std::string& setup,
                           const std::string& head) const {
  return per_copy(operation, setup, head, {1, warps, kSharedBytes}) / warps;
}

double Bench::lone_issue_cycles(const std::string& operation) const {
  const unsigned blocks = config_.sm.max_ctas;
  return per_copy(operation, "", "", {blocks, 1, 0}) / blocks;
}

double Bench::dependent_cycles(const std::string& operation, unsigned warps, const std::string& setup) const {
  return per_copy(operation, setup, "", {1, warps, kSharedBytes});
}

}  // namespace g80::silicon

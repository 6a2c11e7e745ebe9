#include "tb/silicon/bench.h"

#include <fmt/format.h>

#include "hw/common/types.h"
#include "kernels/toolchain/assembler/assembler.h"
#include "tb/main/make_backend.h"
#include "tb/scenario/input_error.h"

namespace g80::silicon {
namespace {

constexpr unsigned kFewCopies = 32, kManyCopies = 96;  // 96 copies of four long instructions fit the first instruction cache
constexpr std::uint32_t kSharedBytes = 4096;

// "{d}" becomes one of four registers, in turns.
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

std::uint64_t Bench::cycles(const std::string& source, unsigned blocks, unsigned threads, std::uint32_t bytes,
                            std::uint32_t dynamic_shared) const {
  CommonRunOptions options;
  options.simulation.check = "off";
  options.simulation.check_given = true;
  const Module module = assemble(source, "micro-benchmark");
  const auto backend = make_backend(options, config_);
  backend->load(module);
  LaunchRequest request;
  request.kernel = &module.kernels.front();
  request.grid = {blocks, 1, 1};
  request.block = {threads, 1, 1};
  request.params = {backend->allocate(bytes, "buffer")};
  request.dynamic_shared = dynamic_shared;
  const LaunchResult result = backend->launch(request);
  if (result.end != LaunchEnd::kFinished) throw InputError(fmt::format("micro-benchmark: {}", result.message));
  return result.shader_cycles;
}

double Bench::per_copy(const std::string& operation, const std::string& setup, unsigned warps) const {
  constexpr unsigned kRounds = 3;  // the first brings the code into the cache
  const auto run = [&](unsigned copies, unsigned rounds) {
    return static_cast<double>(cycles(chain(setup, operation, copies, rounds), 1, warps * kWarpSize, 256, kSharedBytes));
  };
  const auto warm = [&](unsigned copies) { return (run(copies, kRounds) - run(copies, 1)) / (kRounds - 1); };
  return (warm(kManyCopies) - warm(kFewCopies)) / (kManyCopies - kFewCopies);
}

double Bench::issue_cycles(const std::string& operation, unsigned warps, const std::string& setup) const {
  return per_copy(operation, setup, warps) / warps;
}

double Bench::dependent_cycles(const std::string& operation, unsigned warps, const std::string& setup) const {
  return per_copy(operation, setup, warps);
}

}  // namespace g80::silicon

// SPDX-License-Identifier: Apache-2.0
// Compares finished versions of a kernel, because only allocation shows the cost of a reordering.
//
// The first version has the order of the source. If a few registers less would let more blocks be resident, the second
// is made with that limit: values are computed again or later instead of being kept. It is chosen if it spills no more
// and, weighted by loops, executes hardly more instructions. The last version is the schedule of the chosen one. It may
// use as many registers as cost no resident block, must not spill more, and may be only a little longer.
#include "toolchain/compiler/codegen/choose_version.h"

#include <algorithm>
#include <optional>

#include "toolchain/compiler/codegen/allocate.h"
#include "toolchain/compiler/codegen/emit.h"
#include "toolchain/compiler/codegen/occupancy_steps.h"
#include "toolchain/compiler/codegen/schedule.h"
#include "toolchain/compiler/codegen/shorten_ranges.h"

namespace g80::codegen {
namespace {

constexpr unsigned kTries = 5;           // of schedules with fewer and fewer registers
constexpr unsigned kFewRegisters = 3;    // the most registers to save for more resident blocks
constexpr unsigned kUsualThreads = 256;  // assumed block size if the source gives none
constexpr std::size_t kLongerWords = 4;  // that a version may add to short kernels

/// How much more a version may cost than the one that it replaces.
struct Allowance {
  double work, bytes;
};
constexpr Allowance kForSchedule{1.02, 1.02};
/// Measured on the kernels of kernels/: a third resident block saves 2 to 20 percent.
constexpr double kWorkPerWarp = 0.2;
constexpr double kLongest = 1.1;

Version make_version(MachineFunction code, unsigned registers, isa::Arch arch) {
  Version version{std::move(code), {}, {}, {}};
  const std::uint32_t variables_end = version.code.local_bytes;
  const unsigned used = allocate_registers(version.code, registers);
  share_spill_slots(version.code, variables_end);
  thread_jumps(version.code);
  version.calls = emit_code(version.code, arch, used, version.kernel, version.info);
  return version;
}

unsigned spills(const Version& version) { return version.code.spill_loads + version.code.spill_stores; }

/// Executed instructions, if every loop has ten iterations.
double work(const Version& version) {
  double sum = 0;
  for (const MachineBlock& block : version.code.blocks) {
    double weight = 1;
    for (unsigned i = 0; i < block.loop_depth; ++i) weight *= 10;
    sum += weight * static_cast<double>(block.insts.size());
  }
  return sum;
}

class Chooser {
 public:
  Chooser(const MachineFunction& code, const VersionLimits& limits) : code_(code), limits_(limits) {}

  Version run() {
    // below 64 registers every 32-bit immediate has an encoding, below 32 every 16-bit immediate
    const unsigned allowed = limits_.registers;
    for (const unsigned most : {allowed, 64u, 32u}) {
      limits_.registers = std::min(allowed, most);
      try {
        best_ = make(code_, limits_.registers);
        break;
      } catch (const LiteralsFull&) {
        if (most == 32) throw;
      }
    }
    if (spills(best_) != 0) {
      spill_less();
    } else {
      save_registers();
    }
    schedule();
    return std::move(best_);
  }

 private:
  Version make(MachineFunction code, unsigned registers) const {
    remove_fences(code);
    return make_version(std::move(code), registers, limits_.arch);
  }

  /// Makes a version with at most `registers` registers. No value if it costs more than allowed.
  std::optional<Version> try_make(const MachineFunction& code, unsigned registers, const Allowance& allowance) const {
    try {
      Version version = make(code, registers);
      const auto words = static_cast<double>(best_.kernel.code.size());
      const double longest = std::max(words * allowance.bytes, words + kLongerWords);
      if (spills(version) <= spills(best_) && static_cast<double>(version.kernel.code.size()) <= longest &&
          work(version) <= work(best_) * allowance.work) {
        return version;
      }
    } catch (const LiteralsFull&) {
    } catch (const OutOfRegisters&) {
    }
    return std::nullopt;
  }

  /// If the registers do not suffice, tries an order that needs fewer.
  void spill_less() {
    MachineFunction shorter = code_;
    if (!shorten_ranges(shorter)) return;
    try {
      Version version = make(shorter, limits_.registers);
      if (work(version) >= work(best_) || spills(version) > spills(best_)) return;
      best_ = std::move(version);
      code_ = std::move(shorter);
    } catch (const LiteralsFull&) {
    } catch (const OutOfRegisters&) {
    }
  }

  Allowance for_more_blocks(unsigned used, unsigned fewer) const {
    const unsigned threads = limits_.threads != 0 ? limits_.threads : kUsualThreads;
    const double before = std::max(resident_blocks(limits_.arch, threads, used), 1u);
    const double gain = resident_blocks(limits_.arch, threads, fewer) / before - 1;
    return {1 + kWorkPerWarp * gain, gain > 0 ? kLongest : 1};
  }

  /// Tries every number of registers, down to kFewRegisters less, that gives more resident blocks for some block size.
  void save_registers() {
    const unsigned used = best_.kernel.reg;
    for (unsigned fewer = used;;) {
      fewer = next_better_registers(limits_.arch, limits_.threads, fewer);
      if (fewer == 0 || fewer + kFewRegisters < used) return;
      if (fewer >= best_.kernel.reg) continue;
      const Allowance allowance = for_more_blocks(best_.kernel.reg, fewer);
      std::optional<Version> version = try_make(code_, fewer, allowance);
      if (!version) {
        MachineFunction shorter = code_;
        if (shorten_ranges(shorter)) version = try_make(shorter, fewer, allowance);
        if (!version) continue;
        code_ = std::move(shorter);
      }
      best_ = std::move(*version);
    }
  }

  void schedule() {
    const unsigned used = best_.kernel.reg;
    const unsigned allowed = std::min(limits_.registers, most_registers_as_good(limits_.arch, limits_.threads, used));
    const unsigned least = std::min(register_pressure(code_), used);
    unsigned words = least + (allowed - used);
    const unsigned tries = spills(best_) != 0 ? 1 : kTries;  // where registers are short there is little to gain
    for (unsigned i = 0; i < tries; ++i) {
      MachineFunction code = code_;
      if (!schedule_blocks(code, words)) return;
      if (std::optional<Version> version = try_make(code, allowed, kForSchedule)) {
        best_ = std::move(*version);
        return;
      }
      if (words <= least + i) return;
      words -= 1 + i;
    }
  }

  MachineFunction code_;  // the order of the best version before scheduling
  VersionLimits limits_;
  Version best_;
};

}  // namespace

Version choose_version(const MachineFunction& code, const VersionLimits& limits) { return Chooser(code, limits).run(); }

}  // namespace g80::codegen

// Allocation decides what a reordering costs, so versions are compared when they are finished. The order of the source
// is the yardstick: a scheduled version may take as many registers as cost no resident block, must not spill more and
// must not be longer by more than a little.
#include "kernels/toolchain/compiler/codegen/choose_version.h"

#include <algorithm>

#include "kernels/toolchain/compiler/codegen/allocate.h"
#include "kernels/toolchain/compiler/codegen/emit.h"
#include "kernels/toolchain/compiler/codegen/occupancy_steps.h"
#include "kernels/toolchain/compiler/codegen/schedule.h"

namespace g80::codegen {
namespace {

constexpr unsigned kTries = 4;             // of schedules with fewer and fewer registers
constexpr std::size_t kLongerPercent = 2;  // code that a schedule may add, and
constexpr std::size_t kLongerWords = 4;    // in short kernels

Version make_version(MachineFunction code, unsigned registers, isa::Arch arch) {
  Version version{std::move(code), {}, {}};
  const std::uint32_t variables_end = version.code.local_bytes;
  const unsigned used = allocate_registers(version.code, registers);
  share_spill_slots(version.code, variables_end);
  thread_jumps(version.code);
  emit_code(version.code, arch, used, version.kernel, version.info);
  return version;
}

unsigned spills(const Version& version) { return version.code.spill_loads + version.code.spill_stores; }

class Chooser {
 public:
  Chooser(const MachineFunction& code, const VersionLimits& limits) : code_(code), limits_(limits) {}

  Version run() {
    MachineFunction plain = code_;
    remove_fences(plain);
    try {
      best_ = make_version(plain, limits_.registers, limits_.arch);
    } catch (const LiteralsFull&) {  // below 64 registers every immediate has an encoding
      limits_.registers = std::min(limits_.registers, 64u);
      best_ = make_version(plain, limits_.registers, limits_.arch);
    }
    schedule();
    return std::move(best_);
  }

 private:
  void schedule() {
    const unsigned used = best_.kernel.reg;
    const unsigned allowed = std::min(limits_.registers, most_registers_as_good(limits_.arch, limits_.threads, used));
    const unsigned least = register_pressure(code_);
    unsigned words = least + (allowed - used);
    for (unsigned i = 0; i < kTries; ++i) {
      MachineFunction code = code_;
      if (!schedule_blocks(code, words)) return;
      remove_fences(code);
      unsigned excess = 1;
      try {
        Version version = make_version(std::move(code), limits_.registers, limits_.arch);
        const std::size_t longest =
            best_.kernel.code.size() + std::max(kLongerWords, best_.kernel.code.size() * kLongerPercent / 100);
        if (version.kernel.reg <= allowed && spills(version) <= spills(best_) &&
            version.kernel.code.size() <= longest) {
          best_ = std::move(version);
          return;
        }
        if (version.kernel.reg > allowed) excess = version.kernel.reg - allowed;
      } catch (const LiteralsFull&) {
      } catch (const OutOfRegisters&) {
      }
      if (words <= least + excess) return;
      words -= excess;
    }
  }

  const MachineFunction& code_;
  VersionLimits limits_;
  Version best_;
};

}  // namespace

Version choose_version(const MachineFunction& code, const VersionLimits& limits) { return Chooser(code, limits).run(); }

}  // namespace g80::codegen

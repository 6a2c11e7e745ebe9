// SPDX-License-Identifier: Apache-2.0
#include "tb/golden/repetition.h"

#include "hw/common/set_bits.h"
#include "tb/golden/step.h"

namespace g80::golden {

void Repetition::begin(std::uint64_t instruction, std::uint64_t changes) {
  since_ = instruction;
  changes_ = changes;
  compared_ = renewed_ = 0;
  compares_ = false;
}

// Brent's method: the state to compare with is taken anew each time twice as many have been compared, so it is in the
// cycle at last, whatever came before.
bool Repetition::is_seen(const std::vector<BlockState>& blocks, std::uint64_t instruction, std::uint64_t changes) {
  if (changes != changes_) begin(instruction, changes);
  if (instruction - since_ < kPatience) return false;
  if (!compares_) {
    compares_ = true;
    deciding_ = {};
    deciding_.limit_registers(registers_);
    reads_clock_ = writes_shared_ = writes_local_ = false;
  }
  if (!deciding_.settled() || (reads_clock_ && depends_on_clock(blocks))) return false;
  std::vector<std::uint64_t> now = places(blocks);
  if (compared_ != 0 && now == places_ && digest(blocks) == digest_) return true;
  if (++compared_ < 2 * renewed_) return false;
  renewed_ = compared_;
  places_ = std::move(now);
  digest_ = digest(blocks);
  return false;
}

void Repetition::note(const StepRecord& step) {
  deciding_.add(step.pc, step.decoded->insn);
  reads_clock_ |= reads_clock(step.decoded->insn);
  if (step.access == nullptr || step.access->kind == AccessKind::kLoad) return;
  writes_shared_ |= step.access->space == Space::kShared;
  writes_local_ |= step.access->space == Space::kLocal;
}

bool Repetition::is_at_turn(const StepRecord& step) {
  return !compares_ || (step.next_pc <= step.pc && !deciding_.depends_on_clock(step.next_pc));
}

bool Repetition::depends_on_clock(const std::vector<BlockState>& blocks) {
  if (writes_shared_ || !deciding_.clock_only_delays()) return true;
  for (const BlockState& block : blocks) {
    for (const WarpState& warp : block.warps)
      if (!warp.finished && deciding_.depends_on_clock(warp.pc)) return true;
  }
  return false;
}

std::vector<std::uint64_t> Repetition::places(const std::vector<BlockState>& blocks) {
  std::vector<std::uint64_t> places;
  for (const BlockState& block : blocks) {
    for (const WarpState& warp : block.warps) places.push_back(std::uint64_t{warp.pc} << 32 | warp.active);
  }
  return places;
}

std::uint64_t Repetition::digest(const std::vector<BlockState>& blocks) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3u, hash ^= hash >> 29; };
  const auto mix_bytes = [&](const std::vector<std::uint8_t>& bytes) {
    for (const std::uint8_t byte : bytes) mix(byte);
  };
  for (const BlockState& block : blocks) {
    for (const WarpState& warp : block.warps) {
      mix(warp.broke), mix(warp.returned), mix(warp.exited), mix(warp.waiting), mix(warp.quad_mode), mix(warp.finished);
      mix(warp.limited_calls);
      for (const StackEntry& entry : warp.stack)
        mix(static_cast<std::uint64_t>(entry.type)), mix(entry.pc), mix(entry.mask);
      using Kind = DecidingRegisters::Kind;
      deciding_.for_each(warp.pc, warp.active, [&](Kind kind, unsigned number, LaneMask lanes) {
        mix(std::uint64_t{lanes} << 16 | number << 8 | static_cast<unsigned>(kind));
        for (const unsigned l : set_bits(lanes)) {
          mix(kind == Kind::kRegister ? register_of(warp, number)[l]
              : kind == Kind::kFlags  ? warp.c[number][l]
                                      : warp.a[number][l]);
        }
      });
      if (writes_local_) mix_bytes(warp.local);
    }
    if (writes_shared_) mix_bytes(block.shared);
    for (const BarrierState& barrier : block.barrier) mix(barrier.arrived);
    block.locks.for_each([&](std::uint32_t flag, unsigned warp) { mix(flag), mix(warp); });
  }
  return hash;
}

}  // namespace g80::golden

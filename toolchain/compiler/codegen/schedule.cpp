// SPDX-License-Identifier: Apache-2.0
// A warp does not wait at a load but at its first reader. So the scheduler simulates the block in source order until an
// instruction would have to wait. Then it moves another instruction forward: preferably one that starts a long wait
// itself, or that such an instruction needs; of several, the one with the longest path to the end of the block. It
// moves an instruction only if the allowed registers suffice for the rest of the block in the new order, so no move
// leads into a dead end. Blocks that do not gain keep their order.
//
// Times are in turns of the warp; other warps use the cycles between two turns. kTurnCycles assumes four warps that
// each issue every 4 cycles. This hides the latency of plain arithmetic, so nothing is moved for it; with fewer warps a
// little more would be gained.
#include "toolchain/compiler/codegen/schedule.h"

#include <algorithm>
#include <optional>

#include "toolchain/compiler/codegen/block_pressure.h"
#include "toolchain/compiler/codegen/dependences.h"
#include "toolchain/compiler/codegen/live_ranges.h"

namespace g80::codegen {
namespace {

using isa::OperandKind;

constexpr unsigned kTurnCycles = 16;
// Shader cycles from issue to the issue of a reader (sm.*_latency; memory: the middle of the 400 to 600 of the CUDA
// Programming Guide; textures: a hit).
constexpr unsigned kSfuCycles = 28, kSharedCycles = 36, kConstantCycles = 36, kDoubleCycles = 48;
constexpr unsigned kTextureCycles = 300, kMemoryCycles = 500;
constexpr unsigned kLongTurns = 8;      // the shortest wait for which loads move forward
constexpr std::size_t kLookDown = 200;  // instructions searched for a candidate
constexpr unsigned kTries = 8;          // candidates that are checked against all instructions between
constexpr unsigned kSpareSmall = 3;     // flag and address registers in use at once, of 4
constexpr unsigned kLeastGain = 3;      // percent

unsigned turns(unsigned cycles) { return (cycles + kTurnCycles - 1) / kTurnCycles; }

/// Turns from an instruction to one that reads its result, at least 1.
unsigned latency(const MachineInst& inst) {
  const isa::Op op = inst.insn.op;
  if (inst.insn.unit == isa::Unit::kTexture) return turns(kTextureCycles);
  if (op == isa::Op::kLdGlobal || op == isa::Op::kLdLocal || op == isa::Op::kAtom) return turns(kMemoryCycles);
  if (op == isa::Op::kLdConst) return turns(kConstantCycles);
  if (op >= isa::Op::kPresin && op <= isa::Op::kEx2) return turns(kSfuCycles);
  if (op >= isa::Op::kDfma && op <= isa::Op::kDset) return turns(kDoubleCycles);
  for (const isa::Operand& source : inst.insn.src) {
    if (source.kind == OperandKind::kShared && inst.addr) return turns(kSharedCycles);
  }
  return 1;
}

class BlockScheduler {
 public:
  BlockScheduler(const MachineFunction& function, ir::BlockId block, const Liveness& liveness,
                 const CopyPartners& partners, unsigned words)
      : function_(function),
        id_(block),
        liveness_(liveness),
        block_(function.blocks[block]),
        dependences_(find_dependences(function, block_, liveness, partners)),
        allowed_{words, kSpareSmall, kSpareSmall} {
    static_assert(static_cast<int>(RegClass::kGeneral) == 0, "allowed_ is in the order of the classes");
  }

  /// The new order, empty if there is nothing to gain.
  std::vector<std::uint32_t> run() {
    const auto count = static_cast<std::uint32_t>(block_.insts.size());
    for (const MachineInst& inst : block_.insts) latency_.push_back(latency(inst));
    find_heights();
    for (std::uint32_t i = 0; i < count; ++i) order_.push_back(i);
    const unsigned before = execute(false);
    if (waits_ == 0) return {};
    pressure_.emplace(function_, id_, liveness_);
    const unsigned after = execute(true);
    if (after * 100 > before * (100 - kLeastGain)) return {};
    return order_;
  }

 private:
  void find_heights() {
    height_.assign(block_.insts.size(), 0);
    begins_wait_.assign(block_.insts.size(), 0);
    for (std::size_t i = block_.insts.size(); i-- > 0;) {
      height_[i] = 1;
      begins_wait_[i] = latency_[i] >= kLongTurns;
      for (const Dependence& next : dependences_.next[i]) {
        height_[i] = std::max(height_[i], height_[next.inst] + (next.waits ? latency_[i] : 1));
        if (next.waits) begins_wait_[i] |= begins_wait_[next.inst];
      }
    }
  }

  /// Executes order_, changing it if `may_move`. Returns the turns it takes.
  unsigned execute(bool may_move) {
    ready_.assign(order_.size(), 0);
    missing_ = dependences_.count;
    waits_ = 0;
    now_ = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (ready_[order_[i]] > now_) {
        waits_ += ready_[order_[i]] - now_;
        if (may_move) move_to(i);
      }
      const std::uint32_t inst = order_[i];
      now_ = std::max(now_, ready_[inst]);
      for (const Dependence& next : dependences_.next[inst]) {
        --missing_[next.inst];
        if (next.waits) ready_[next.inst] = std::max(ready_[next.inst], now_ + latency_[inst]);
      }
      if (may_move) pressure_->advance(inst);
      now_ += takes_turn(block_.insts[inst]);
    }
    return now_;
  }

  static bool takes_turn(const MachineInst& inst) { return !is_any_copy(inst) && !is_fence(inst); }

  /// Moves the best ready instruction to position `to`, where the warp would wait.
  void move_to(std::size_t to) {
    struct Candidate {
      std::size_t from;
      bool begins_wait;
      unsigned wait, height;
    };
    std::vector<Candidate> candidates;
    const std::uint32_t waiting = order_[to];
    const bool is_long = ready_[waiting] - now_ >= kLongTurns;
    for (std::size_t from = to + 1; from < std::min(order_.size(), to + kLookDown); ++from) {
      const std::uint32_t inst = order_[from];
      if (is_pinned(block_.insts[inst])) break;
      if (missing_[inst] != 0 || ready_[inst] >= ready_[waiting]) continue;
      const bool begins = begins_wait_[inst] != 0;
      const unsigned wait = ready_[inst] > now_ ? ready_[inst] - now_ : 0;
      if (begins ? wait > 0 && !is_long : wait > 0 || is_any_copy(block_.insts[inst])) continue;
      candidates.push_back({from, begins, wait, height_[inst]});
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if ((a.wait == 0) != (b.wait == 0)) return a.wait == 0;
      if (a.begins_wait != b.begins_wait) return a.begins_wait;
      return a.begins_wait && (a.wait != b.wait ? a.wait < b.wait : a.height > b.height);
    });
    if (candidates.size() > kTries) candidates.resize(kTries);
    for (const Candidate& candidate : candidates) {
      const std::size_t count = candidate.from - to + 1;
      const ClassCounts old = pressure_->peak(order_[to], &order_[to], count);
      const ClassCounts most = pressure_->peak(order_[candidate.from], &order_[to], count);
      bool fits = true;
      for (std::size_t cls = 0; cls < most.size(); ++cls) {
        const unsigned allowed = candidate.begins_wait ? allowed_[cls] : 0;
        fits = fits && most[cls] <= std::max(allowed, old[cls]);
      }
      if (!fits) continue;
      const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
      std::rotate(at(to), at(candidate.from), at(candidate.from) + 1);
      return;
    }
  }

  const MachineFunction& function_;
  ir::BlockId id_;
  const Liveness& liveness_;
  const MachineBlock& block_;
  std::optional<BlockPressure> pressure_;  // where something may be moved
  Dependences dependences_;
  ClassCounts allowed_;
  std::vector<unsigned> latency_, height_;
  std::vector<std::uint8_t> begins_wait_;
  std::vector<std::uint32_t> order_;
  std::vector<unsigned> ready_;         // turn in which operands are there
  std::vector<std::uint32_t> missing_;  // instructions that must come before and have not
  unsigned now_ = 0, waits_ = 0;
};

}  // namespace

unsigned register_pressure(const MachineFunction& function) {
  const Liveness liveness = find_liveness(function);
  unsigned most = 0;
  for (ir::BlockId block = 0; block < function.blocks.size(); ++block) {
    most = std::max(most, block_pressure(function, block, liveness));
  }
  return most;
}

bool schedule_blocks(MachineFunction& function, unsigned words) {
  const Liveness liveness = find_liveness(function);
  const CopyPartners partners(function, liveness);
  bool changed = false;
  for (ir::BlockId block = 0; block < function.blocks.size(); ++block) {
    std::vector<MachineInst>& insts = function.blocks[block].insts;
    if (insts.size() < 2) continue;
    const std::vector<std::uint32_t> order = BlockScheduler(function, block, liveness, partners, words).run();
    if (order.empty()) continue;
    std::vector<MachineInst> ordered;
    for (const std::uint32_t i : order) ordered.push_back(insts[i]);
    insts = std::move(ordered);
    changed = true;
  }
  return changed;
}

void remove_fences(MachineFunction& function) {
  for (MachineBlock& block : function.blocks) {
    block.insts.erase(std::remove_if(block.insts.begin(), block.insts.end(), is_fence), block.insts.end());
  }
}

}  // namespace g80::codegen

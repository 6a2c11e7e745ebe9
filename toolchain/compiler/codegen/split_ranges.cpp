// SPDX-License-Identifier: Apache-2.0
// A split is always correct, even if the code has changed since the wait was found: if an instruction in the loop names
// the register by now, the register keeps its value there.
#include "toolchain/compiler/codegen/split_ranges.h"

#include <algorithm>

#include "toolchain/compiler/codegen/block_pressure.h"

namespace g80::codegen {
namespace {

using ir::BlockId;

MachineInst make_access(isa::Op op, std::uint32_t slot, Reg reg, const ir::Location& loc) {
  MachineInst inst;
  inst.loc = loc;
  inst.insn.op = op;
  inst.is_slot = true;
  inst.insn.src[0].kind = isa::OperandKind::kLocal;
  inst.insn.src[0].offset = static_cast<std::uint16_t>(slot);
  if (op == isa::Op::kStLocal) {
    inst.insn.src[1].kind = isa::OperandKind::kReg;
    inst.src[1] = reg;
  } else {
    inst.insn.dst.kind = isa::OperandKind::kReg;
    inst.dst = reg;
  }
  return inst;
}

constexpr unsigned kUnknown = ~0u;

double depth_weight(unsigned depth) {
  double weight = 1;
  for (unsigned i = 0; i < depth; ++i) weight *= 10;
  return weight;
}

}  // namespace

RangeSplitter::RangeSplitter(MachineFunction& function, Liveness& liveness)
    : function_(function), liveness_(liveness), loops_(find_loops(make_flow_graph(function))) {}

std::vector<Wait> RangeSplitter::find(unsigned limit) const {
  std::vector<Wait> waits(function_.regs.size());
  std::vector<unsigned> pressure(function_.blocks.size(), kUnknown);
  for (BlockId header = 0; header < loops_.body.size(); ++header) {
    if (loops_.body[header].empty()) continue;
    BitSet named;
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      if (!is_inside(header, block)) continue;
      for (const MachineInst& inst : function_.blocks[block].insts) {
        const auto note = [&](const Reg& reg, unsigned count) {
          liveness_.for_each_unit(reg, count, [&](std::uint32_t unit) { named.set(unit); });
        };
        for_each_use(inst, note);
        for_each_def(inst, note);
      }
    }
    std::vector<std::uint32_t> idle;
    liveness_.live_in[header].for_each([&](std::size_t unit) {
      const std::uint32_t id = liveness_.owner[unit];
      const VirtualRegister& reg = function_.regs[id];
      if (reg.words != 1 || reg.cls != RegClass::kGeneral || reg.fixed >= 0 || reg.is_spill || reg.is_half) return;
      bool is_idle = idle.empty() || idle.back() != id;
      liveness_.for_each_unit({id}, 1, [&](std::uint32_t part) { is_idle &= !named.test(part); });
      if (is_idle) idle.push_back(id);
    });
    if (idle.empty() || most_in_use(header, pressure) < limit) continue;
    for (const std::uint32_t reg : idle) {
      Wait wait{reg, header, 0};
      bool has_places = true;
      for (const Edge& edge : entries(header)) {
        wait.cost += weight(edge);
        has_places = has_places && (is_only_way(edge) || can_divide(edge));
      }
      for (const Edge& edge : exits(header, reg)) {
        wait.cost += weight(edge);
        has_places = has_places && (only_from(header, edge.to) || can_divide(edge));
      }
      if (!has_places) continue;
      if (waits[wait.reg].reg == kNoRegister || wait.cost < waits[wait.reg].cost) waits[wait.reg] = wait;
    }
  }
  return waits;
}

/// The largest number of general registers that are live at once in the loop. `pressure` caches it for each block.
unsigned RangeSplitter::most_in_use(BlockId header, std::vector<unsigned>& pressure) const {
  unsigned most = 0;
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    if (!is_inside(header, block)) continue;
    if (pressure[block] == kUnknown) pressure[block] = block_pressure(function_, block, liveness_);
    most = std::max(most, pressure[block]);
  }
  return most;
}

std::vector<RangeSplitter::Edge> RangeSplitter::entries(BlockId header) const {
  std::vector<Edge> result;
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    if (is_inside(header, block)) continue;
    for (const BlockId next : successors(function_.blocks[block].end)) {
      if (next == header) result.push_back({block, header});
    }
  }
  return result;
}

/// The exits of the loop on which the register is still live. A block that is entered from the loop only counts once.
std::vector<RangeSplitter::Edge> RangeSplitter::exits(BlockId header, std::uint32_t reg) const {
  std::vector<Edge> result;
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    if (!is_inside(header, block)) continue;
    for (const BlockId next : successors(function_.blocks[block].end)) {
      bool is_live = false;
      liveness_.for_each_unit({reg}, 1, [&](std::uint32_t unit) { is_live |= liveness_.live_in[next].test(unit); });
      if (is_inside(header, next) || !is_live) continue;
      const bool known = std::any_of(result.begin(), result.end(), [&](const Edge& e) { return e.to == next; });
      if (!known || !only_from(header, next)) result.push_back({block, next});
    }
  }
  return result;
}

bool RangeSplitter::only_from(BlockId header, BlockId to) const {
  for (BlockId block = 0; block < function_.blocks.size(); ++block) {
    if (is_inside(header, block)) continue;
    for (const BlockId next : successors(function_.blocks[block].end)) {
      if (next == to) return false;
    }
  }
  return true;
}

bool RangeSplitter::is_only_way(const Edge& edge) const {
  return successors(function_.blocks[edge.from].end).size() == 1;
}

/// False for the edge of a break, because a break jumps directly to its target.
bool RangeSplitter::can_divide(const Edge& edge) const { return !function_.blocks[edge.to].is_break_target; }

double RangeSplitter::weight(const Edge& edge) const {
  return depth_weight(std::min(function_.blocks[edge.from].loop_depth, function_.blocks[edge.to].loop_depth));
}

/// Inserts a block on an edge.
BlockId RangeSplitter::block_on(const Edge& edge) {
  const ir::Location loc = function_.blocks[edge.from].end.loc;
  const BlockId id = function_.new_jump(edge.to, loc);
  function_.blocks[id].loop_depth =
      std::min(function_.blocks[edge.from].loop_depth, function_.blocks[edge.to].loop_depth);
  function_.blocks[edge.from].end.redirect(edge.to, id);
  for (BitSet& body : loops_.body) {
    if (body.test(edge.from) && body.test(edge.to)) body.set(id);
  }
  loops_.body.emplace_back();
  const BitSet live = liveness_.live_in[edge.to];
  liveness_.live_in.push_back(live);
  liveness_.live_out.push_back(live);
  return id;
}

void RangeSplitter::split(const Wait& wait) {
  const Reg reg{wait.reg, 0};
  const std::uint32_t slot = function_.local_bytes;
  function_.local_bytes += 4;
  const std::vector<Edge> in = entries(wait.header), out = exits(wait.header, wait.reg);
  for (const Edge& edge : in) {
    MachineBlock& block = function_.blocks[is_only_way(edge) ? edge.from : block_on(edge)];
    block.insts.push_back(make_access(isa::Op::kStLocal, slot, reg, block.end.loc));
    ++function_.spill_stores;
  }
  for (const Edge& edge : out) {
    MachineBlock& block = function_.blocks[only_from(wait.header, edge.to) ? edge.to : block_on(edge)];
    block.insts.insert(block.insts.begin(), make_access(isa::Op::kLdLocal, slot, reg, block.end.loc));
    ++function_.spill_loads;
  }
}

}  // namespace g80::codegen

// SPDX-License-Identifier: Apache-2.0
// Runs the golden reference on the bench's program and memory, and compares every instruction of the SM's log with it:
// pc, masks, operands, registers, flags and address registers, the state of the warp after control instructions, warp
// by warp in issue order, and memory at the end.
#pragma once
#include <map>

#include "hw/isa/disassembler.h"
#include "tb/golden/executor.h"
#include "tb/golden/image_port.h"
#include "tests/sm/sm_bench.h"

namespace g80::testing {

struct GoldenStep {
  golden::StepRecord record;
  LaneWords value[4];
  bool allocated[4];
  LaneFlags flags;
  LaneWords addr;
  golden::AluInput operands;  // of arithmetic
};
using WarpName = std::pair<unsigned, unsigned>;  // block, warp in the block

class GoldenRun {
 public:
  GoldenRun(const SmBench& bench, std::vector<std::uint32_t> words, unsigned num_blocks)
      : program_(std::move(words), static_cast<isa::Arch>(bench.config.device.compute_minor)) {
    launch_.grid_x = num_blocks;
    launch_.block_x = bench.launch.block_x;
    launch_.registers = bench.launch.registers;
    launch_.shared_bytes = bench.launch.shared_bytes;
    launch_.local_bytes = bench.launch.local_bytes;
    launch_.stack_depth = bench.launch.stack_depth;
    launch_.params.assign(bench.launch.param.begin(), bench.launch.param.begin() + bench.launch.num_params);
    launch_.constant[1].assign(bench.memory.begin() + kConstBase,
                               bench.memory.begin() + kConstBase + bench.launch.const_bank[1].bytes);
    launch_.first_path = static_cast<golden::FirstPath>(bench.config.sm.divergence_first);
    image.allow(kDataBase, 0x20000);
    std::copy(bench.memory.begin() + kDataBase, bench.memory.begin() + kDataBase + 0x20000, image.at(kDataBase));
  }
  /// False if a warp faults or the blocks do not end.
  bool run() {
    golden::ImagePort port(image);
    golden::Executor executor(program_, launch_);
    for (unsigned index = 0; index < launch_.num_blocks(); ++index) {
      golden::BlockState block;
      block.start(launch_, index);
      for (unsigned round = 0; block.unfinished != 0; ++round) {
        if (round > 20000) return false;
        for (golden::WarpState& warp : block.warps) {
          GoldenStep step{};
          const golden::StepStatus status = executor.step(block, warp, port, &step.record);
          if (status == golden::StepStatus::kFault) {
            fault = describe(executor.fault());
            return false;
          }
          if (status != golden::StepStatus::kStepped) continue;
          const golden::StepRecord& r = step.record;
          step.operands = executor.operands();
          for (unsigned i = 0; i < r.num_registers; ++i) {
            step.allocated[i] = r.first_register + i < warp.r.size();
            if (step.allocated[i]) step.value[i] = warp.r[r.first_register + i];
          }
          if (r.flags_written >= 0) step.flags = warp.c[static_cast<unsigned>(r.flags_written)];
          if (r.address_written >= 0) {
            for (unsigned l = 0; l < kWarpSize; ++l) step.addr[l] = warp.a[static_cast<unsigned>(r.address_written)][l];
          }
          steps[{index, warp.index}].push_back(step);
        }
      }
    }
    return true;
  }

  std::map<WarpName, std::vector<GoldenStep>> steps;
  golden::MemoryImage image;
  std::string fault;

 private:
  golden::Program program_;
  golden::Launch launch_;
};

/// Compares one retired instruction with the reference's step. Empty if equal.
inline std::string difference(const SmLog::Issue& issue, const SmLog::Retire& retire, const GoldenStep& step) {
  const golden::StepRecord& r = step.record;
  const auto where = [&](const char* what) {
    const auto& d = issue.fetched.decoded();
    return fmt::format("{} at pc {:#x}: {}", what, issue.fetched.pc, isa::disassemble(d.insn));
  };
  if (issue.fetched.pc != r.pc) return where("pc") + fmt::format(", expected pc {:#x}", r.pc);
  if (issue.active != r.active)
    return where("active mask") + fmt::format(" {:08x}, expected {:08x}", issue.active, r.active);
  const bool control = issue.fetched.decoded().unit == isa::Unit::kControl;
  if (!control && issue.lanes != r.lanes)
    return where("lanes") + fmt::format(" {:08x}, expected {:08x}", issue.lanes, r.lanes);
  const isa::Operand& dst = issue.fetched.decoded().insn.dst;
  const bool half = dst.kind == isa::OperandKind::kHalf;
  const unsigned shift = half && dst.index % 2 != 0 ? 16 : 0;
  const std::uint32_t mask = half ? 0xffffu : ~0u;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    if ((r.written_lanes >> l & 1) == 0) continue;
    if (r.num_registers > retire.num_registers) return where("register count");
    for (unsigned i = 0; i < r.num_registers; ++i) {
      if (!step.allocated[i] || (retire.loaded >> l & 1) == 0) continue;
      const std::uint32_t seen = retire.value[i][l] & mask, expected = step.value[i][l] >> shift & mask;
      if (seen != expected) {
        return where("register") +
               fmt::format(", lane {} $r{} = {:08x}, expected {:08x}", l, r.first_register + i, seen, expected);
      }
    }
    if (r.flags_written >= 0 && (retire.flags[l] & 0xf) != step.flags[l]) {
      return where("flags") + fmt::format(", lane {} = {:x}, expected {:x}", l, retire.flags[l], step.flags[l]);
    }
    if (r.address_written >= 0 && (retire.addr[l] & 0xffffu) != step.addr[l]) {
      return where("$a") + fmt::format(", lane {} = {:x}, expected {:x}", l, retire.addr[l], step.addr[l]);
    }
  }
  return "";
}

/// Compares the operands with which an arithmetic instruction left the collector.
inline std::string operand_difference(const SmLog& log, const SmLog::Operands& seen, const DecodedInstruction& decoded,
                                      const GoldenStep& step) {
  unsigned count = 0;
  std::string text;
  const auto compare = [&](unsigned slot, const LaneWords& expected) {
    const LaneWords* const words = count < seen.count ? &log.words[seen.first + count] : nullptr;
    ++count;
    for (unsigned l = 0; words != nullptr && l < kWarpSize && text.empty(); ++l) {
      if ((step.record.lanes >> l & 1) != 0 && (*words)[l] != expected[l])
        text = fmt::format("operand {}, lane {} = {:08x}, expected {:08x}", slot, l, (*words)[l], expected[l]);
    }
  };
  for (unsigned slot = 0; slot < 3; ++slot) {
    switch (decoded.insn.src[slot].kind) {
      case isa::OperandKind::kReg:
      case isa::OperandKind::kHalf:
      case isa::OperandKind::kShared:
      case isa::OperandKind::kConst: compare(slot, step.operands.s[slot]); break;
      case isa::OperandKind::kPair:
        compare(slot, step.operands.s[slot]);
        compare(slot, step.operands.hi[slot]);
        break;
      default: break;
    }
  }
  if (seen.count != count) return fmt::format("{} operands, expected {}", seen.count, count);
  return seen.as_stored ? text : "operands that are not those in the registers";
}

/// Compares the whole log and memory. Empty if equal.
inline std::string compare(const SmBench& bench, const GoldenRun& reference) {
  std::map<std::uint32_t, const SmLog::Operands*> operands;
  std::map<std::uint32_t, const SmLog::Control*> control;
  for (const SmLog::Operands& entry : bench.log.operands) operands[entry.tag.bits] = &entry;
  for (const SmLog::Control& entry : bench.log.control) control[entry.tag.bits] = &entry;
  if (operands.size() != bench.log.operands.size()) return "the operands of an instruction are reported twice";
  if (control.size() != bench.log.control.size()) return "the outcome of an instruction is reported twice";
  std::map<std::uint32_t, const SmLog::Retire*> retired;
  for (const SmLog::Retire& retire : bench.log.retire) retired[retire.tag.bits] = &retire;
  std::map<unsigned, WarpName> name;
  std::map<WarpName, std::size_t> done;
  std::size_t starts = 0, issues = 0;
  for (const SmLog::Kind kind : bench.log.order) {
    if (kind == SmLog::Kind::kWarpStart) {
      const SmLog::WarpStart& start = bench.log.start[starts++];
      name[start.warp] = {start.cta_x, start.warp_in_cta};
    } else if (kind == SmLog::Kind::kIssue) {
      const SmLog::Issue& issue = bench.log.issue[issues++];
      const WarpName warp = name.at(issue.warp);
      const auto& steps = reference.steps.at(warp);
      const std::size_t i = done[warp]++;
      if (i >= steps.size()) return fmt::format("block {} warp {} issues beyond its end", warp.first, warp.second);
      const auto found = retired.find(issue.tag.bits);
      if (found == retired.end())
        return fmt::format("block {} warp {} instruction {} never retired", warp.first, warp.second, i);
      const std::string text = difference(issue, *found->second, steps[i]);
      if (!text.empty()) return fmt::format("block {} warp {} instruction {}: {}", warp.first, warp.second, i, text);
      const GoldenStep& step = steps[i];
      const DecodedInstruction& decoded = issue.fetched.decoded();
      const auto fail = [&](const std::string& what) {
        return fmt::format("block {} warp {} instruction {}, {}: {}", warp.first, warp.second, i,
                           isa::disassemble(decoded.insn), what);
      };
      const auto used = operands.find(issue.tag.bits);
      if ((used == operands.end()) != (decoded.unit == isa::Unit::kControl))
        return fail("operands of what has none, or none of what has them");
      if (used != operands.end() && used->second->warp != issue.warp) return fail("operands of another warp");
      if (used != operands.end() && step.record.decoded->action == golden::Action::kAlu && step.record.lanes != 0) {
        const std::string wrong = operand_difference(bench.log, *used->second, decoded, step);
        if (!wrong.empty()) return fail(wrong);
      }
      const auto resolved = control.find(issue.tag.bits);
      const bool has_outcome = decoded.control && decoded.insn.op != isa::Op::kBar;
      if ((resolved != control.end()) != has_outcome) return fail("an outcome of what is no control instruction");
      if (resolved != control.end()) {
        const SmLog::Control& outcome = *resolved->second;
        const golden::StepRecord& r = step.record;
        if (outcome.warp != issue.warp || outcome.ended != r.finished) return fail("the end of a warp");
        if (!r.finished && (outcome.pc != r.next_pc || outcome.active != r.next_active))
          return fail(fmt::format("goes on at {:#x} in lanes {:08x}, expected {:#x}, {:08x}", outcome.pc,
                                  outcome.active, r.next_pc, r.next_active));
      }
      const SmLog::Retire& retire = *found->second;
      if (retire.warp != issue.warp || retire.fetched.pc != issue.fetched.pc) return fail("retires as another one");
      if (retire.lanes != issue.lanes && decoded.unit != isa::Unit::kControl) return fail("retires in other lanes");
    }
  }
  for (const auto& [warp, steps] : reference.steps) {
    if (done[warp] != steps.size())
      return fmt::format("block {} warp {}: {} instructions, expected {}", warp.first, warp.second, done[warp],
                         steps.size());
  }
  for (std::uint32_t at = kDataBase; at < kDataBase + 0x20000; at += 4) {
    if (bench.get(at) != reference.image.word(at)) {
      return fmt::format("memory at {:#x} = {:08x}, expected {:08x}", at, bench.get(at), reference.image.word(at));
    }
  }
  return "";
}

}  // namespace g80::testing

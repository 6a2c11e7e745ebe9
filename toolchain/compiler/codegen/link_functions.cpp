// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/link_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace g80::codegen {
namespace {

using isa::OperandKind;

/// Collects the machine registers that instructions write.
class Written {
 public:
  void add(const MachineFunction& function) {
    for (const MachineBlock& block : function.blocks) {
      for (const MachineInst& inst : block.insts) add(function, inst);
    }
  }
  void store(CalledFunction& to) const {
    to.general.assign(general_.begin(), general_.end());
    to.flags.assign(flags_.begin(), flags_.end());
    to.addresses.assign(addresses_.begin(), addresses_.end());
  }

 private:
  void add(const MachineFunction& function, const MachineInst& inst) {
    if (inst.callee != ir::kNone) {
      const CalledFunction& callee = function.functions->at(inst.callee);
      general_.insert(callee.general.begin(), callee.general.end());
      flags_.insert(callee.flags.begin(), callee.flags.end());
      addresses_.insert(callee.addresses.begin(), callee.addresses.end());
      return;
    }
    const isa::Operand& dst = inst.insn.dst;
    if (inst.flags_out) flags_.insert(inst.insn.flag_dst);
    if (!inst.dst || dst.kind == OperandKind::kNone) return;
    if (dst.kind == OperandKind::kAddr) {
      addresses_.insert(static_cast<std::uint8_t>(dst.index - 1));
      return;
    }
    const unsigned first = dst.kind == OperandKind::kHalf ? dst.index / 2 : dst.index;
    // of a texture instruction also the coordinate registers, so that the number of results does not matter
    const unsigned count = inst.insn.unit == isa::Unit::kTexture ? 4 : std::max(1u, operand_words(dst.kind));
    for (unsigned i = 0; i < count; ++i) general_.insert(static_cast<std::uint8_t>(first + i));
  }

  std::set<std::uint8_t> general_, flags_, addresses_;
};

class Linker {
 public:
  Linker(Version& kernel, const std::vector<Version>& functions, isa::Arch arch)
      : kernel_(kernel), functions_(functions), arch_(arch), base_(functions.size(), kNotThere) {}

  void run() {
    for (const auto& [mnemonic, count] : kernel_.info.mix) mix_[mnemonic] += count;
    reach(kernel_);
    for (std::size_t k = functions_.size(); k-- > 0;) {  // callers before what they call
      if (is_reached_.count(static_cast<std::uint32_t>(k)) == 0) continue;
      reach(functions_[k]);
      append(k);
    }
    for (const CallSite& site : kernel_.calls) set_target(site.word, base_[site.callee]);
    kernel_.info.mix.assign(mix_.begin(), mix_.end());
  }

 private:
  static constexpr std::uint32_t kNotThere = ~0u;

  void reach(const Version& version) {
    for (const CallSite& site : version.calls) is_reached_.insert(site.callee);
  }

  void append(std::size_t k) {
    const Version& function = functions_[k];
    std::vector<std::uint32_t>& code = kernel_.kernel.code;
    if (code.size() % 2 != 0) throw std::logic_error(function.code.name + ": code ends inside a long word");
    const std::size_t first = code.size();
    base_[k] = static_cast<std::uint32_t>(4 * first);
    code.insert(code.end(), function.kernel.code.begin(), function.kernel.code.end());
    for (std::size_t word = first; word < code.size(); word += isa::is_long(code[word]) ? 2 : 1)
      move_target(word, base_[k]);
    for (const CallSite& site : function.calls) kernel_.calls.push_back({first + site.word, site.callee});
    KernelInfo& info = kernel_.info;
    info.instructions += function.info.instructions;
    info.short_instructions += function.info.short_instructions;
    info.lines.insert(info.lines.end(), function.info.lines.begin(), function.info.lines.end());
    for (const auto& [mnemonic, count] : function.info.mix) mix_[mnemonic] += count;
    info.functions.push_back({function.code.name, function.info.instructions});
  }

  isa::Instruction decode(std::size_t word) const {
    const std::vector<std::uint32_t>& code = kernel_.kernel.code;
    isa::Instruction insn;
    const std::uint32_t second = isa::is_long(code[word]) ? code[word + 1] : 0;
    const isa::DecodeError error = isa::decode(code[word], second, arch_, insn);
    if (error != isa::DecodeError::kNone) throw std::logic_error("a function's code does not decode");
    return insn;
  }

  void encode(std::size_t word, const isa::Instruction& insn) {
    const isa::Words words = isa::encode(insn);
    kernel_.kernel.code[word] = words.w0;
    kernel_.kernel.code[word + 1] = words.w1;
  }

  void move_target(std::size_t word, std::uint32_t base) {
    isa::Instruction insn = decode(word);
    switch (insn.op) {
      case isa::Op::kBra:
      case isa::Op::kJoinat:
      case isa::Op::kBreakaddr: insn.target += base; return encode(word, insn);
      default: return;
    }
  }

  void set_target(std::size_t word, std::uint32_t target) {
    isa::Instruction insn = decode(word);
    if (insn.op != isa::Op::kCall || target == kNotThere) throw std::logic_error("a call has no target");
    insn.target = target;
    encode(word, insn);
  }

  Version& kernel_;
  const std::vector<Version>& functions_;
  isa::Arch arch_;
  std::vector<std::uint32_t> base_;  // by function, byte address
  std::set<std::uint32_t> is_reached_;
  std::map<std::string, unsigned> mix_;
};

}  // namespace

CalledFunction describe(const Version& version) {
  const MachineFunction& code = version.code;
  CalledFunction result;
  result.name = code.name;
  for (const PassedRegister& passed : code.arguments) result.arguments.push_back(passed.number);
  for (const PassedRegister& passed : code.results) result.results.push_back(passed.number);
  Written written;
  written.add(code);
  written.store(result);
  result.stack_depth = code.stack_depth + 1;
  result.local_end = code.local_bytes;
  result.barriers = code.barriers;
  return result;
}

void link_functions(Version& kernel, const std::vector<Version>& functions, isa::Arch arch) {
  Linker(kernel, functions, arch).run();
}

}  // namespace g80::codegen

// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/address_registers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace g80::codegen {
namespace {

constexpr std::size_t kKept = 3;

/// The content of an address register: a shifted register, that plus a number, or a number.
struct Content {
  Reg source;  // an address register if it was not made in the block; none for a number
  std::uint32_t shift, sum;
  bool operator==(const Content& other) const {
    return source == other.source && shift == other.shift && sum == other.sum;
  }
};

struct Known {
  std::size_t content;  // its number in Wishes
  Reg source, address;
};

bool makes_address(const MachineInst& inst) {
  return (inst.insn.op == isa::Op::kShlAddr && inst.src[0]) || inst.insn.op == isa::Op::kAddAddr;
}

/// The contents that the instructions of a block need, and where. A shift that only feeds a sum counts at the first
/// place of the sum only: later the sum is known, so the shift is not needed.
class Wishes {
 public:
  explicit Wishes(const MachineBlock& block) : wishes_(block.insts.size()) {
    std::map<std::uint32_t, std::size_t> shift;  // by the address register that an instruction writes
    for (std::size_t at = 0; at < block.insts.size(); ++at) {
      const MachineInst& inst = block.insts[at];
      if (!makes_address(inst)) continue;
      Content content{inst.src[0], inst.insn.immediate, 0};
      const auto base = shift.find(inst.src[0].id);
      if (inst.insn.op == isa::Op::kAddAddr) {
        content = {inst.src[0], 0, inst.insn.immediate};
        if (base != shift.end()) {
          const Content& shifted = contents_[wishes_[base->second].content];
          content = {shifted.source, shifted.shift, inst.insn.immediate};
        }
      }
      const auto found = std::find(contents_.begin(), contents_.end(), content);
      const auto number = static_cast<std::size_t>(found - contents_.begin());
      wishes_[at].content = number;
      if (found == contents_.end()) {
        contents_.push_back(content);
        places_.emplace_back();
      } else if (inst.insn.op == isa::Op::kAddAddr && base != shift.end()) {
        std::vector<std::size_t>& places = places_[wishes_[base->second].content];
        places.erase(std::remove(places.begin(), places.end(), base->second), places.end());
      }
      places_[number].push_back(at);
      if (inst.insn.op == isa::Op::kShlAddr) {
        shift[inst.dst.id] = at;
      } else if (base != shift.end() && base->second + 1 == at) {  // nothing between them changes what is known
        wishes_[base->second].sum = number;
      }
    }
    for (const MachineInst& inst : block.insts) {  // a shift that is read itself is wanted for itself
      if (const auto base = inst.addr ? shift.find(inst.addr.id) : shift.end(); base != shift.end())
        wishes_[base->second].sum = kNoSum;
    }
  }
  std::size_t content(std::size_t at) const { return wishes_[at].content; }
  Reg source(std::size_t at) const { return contents_[content(at)].source; }
  /// The sum that a shift feeds, or kNoSum.
  std::size_t sum(std::size_t at) const { return wishes_[at].sum; }
  /// The next instruction after `at` that needs the content.
  std::size_t next(std::size_t content, std::size_t at) const {
    const std::vector<std::size_t>& places = places_[content];
    const auto found = std::upper_bound(places.begin(), places.end(), at);
    return found == places.end() ? std::numeric_limits<std::size_t>::max() : *found;
  }

  static constexpr std::size_t kNoSum = std::numeric_limits<std::size_t>::max();

 private:
  struct Wish {
    std::size_t content = 0, sum = kNoSum;
  };
  std::vector<Wish> wishes_;  // by instruction
  std::vector<Content> contents_;
  std::vector<std::vector<std::size_t>> places_;  // by content
};

/// Computes an address register in every lane if only guarded accesses read it, so that other accesses can share it.
void remove_guards(MachineFunction& function) {
  std::vector<unsigned> definitions(function.regs.size(), 0);
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInst& inst : block.insts) {
      for_each_def(inst, [&](const Reg& reg, unsigned) { ++definitions[reg.id]; });
    }
  }
  for (MachineBlock& block : function.blocks) {
    for (MachineInst& inst : block.insts) {
      const bool makes = inst.insn.op == isa::Op::kShlAddr || inst.insn.op == isa::Op::kAddAddr;
      if (!makes || !inst.is_guarded || inst.merges || definitions[inst.dst.id] != 1) continue;
      inst.is_guarded = false;
      inst.insn.cond = isa::kAlways;
      inst.flags_in = {};
    }
  }
}

}  // namespace

void share_address_registers(MachineFunction& function) {
  remove_guards(function);
  for (MachineBlock& block : function.blocks) {
    const Wishes wishes(block);
    std::vector<Known> known;
    std::vector<std::pair<Reg, Reg>> renamed;
    std::vector<MachineInst> out;
    const auto current = [&](Reg& reg) {
      for (const auto& [from, to] : renamed) {
        if (reg == from) reg = to;
      }
    };
    for (std::size_t at = 0; at < block.insts.size(); ++at) {
      MachineInst& inst = block.insts[at];
      if (inst.callee != ir::kNone) known.clear();
      if (inst.addr) current(inst.addr);
      const bool makes = makes_address(inst);
      if (makes) {
        if (inst.insn.op == isa::Op::kAddAddr) current(inst.src[0]);
        const auto find = [&](std::size_t content) {
          return std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.content == content; });
        };
        if (const auto same = find(wishes.content(at)); same != known.end()) {
          renamed.push_back({inst.dst, same->address});
          continue;
        }
        if (wishes.sum(at) != Wishes::kNoSum && find(wishes.sum(at)) != known.end()) continue;
      }
      // a new value of a general register invalidates the contents made from it
      for_each_def(inst, [&](const Reg& reg, unsigned count) {
        known.erase(std::remove_if(known.begin(), known.end(),
                                   [&](const Known& k) {
                                     return k.source.id == reg.id && k.source.word >= reg.word &&
                                            k.source.word < reg.word + count;
                                   }),
                    known.end());
      });
      if (makes && !inst.is_guarded) {
        if (known.size() == kKept) {  // the one that is wanted last goes
          known.erase(std::max_element(known.begin(), known.end(), [&](const Known& a, const Known& b) {
            return wishes.next(a.content, at) < wishes.next(b.content, at);
          }));
        }
        known.push_back({wishes.content(at), wishes.source(at), inst.dst});
      }
      out.push_back(inst);
    }
    block.insts = std::move(out);
  }
}

}  // namespace g80::codegen

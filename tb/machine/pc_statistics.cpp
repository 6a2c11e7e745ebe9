// SPDX-License-Identifier: Apache-2.0
#include "tb/machine/pc_statistics.h"

#include <algorithm>

#include "hw/isa/disassembler.h"
#include "tb/record/stall_cycles.h"

namespace g80 {
namespace {

bool anything(const PcProfile::Entry& e) {
  return (e.issued | e.lanes | e.transactions | e.conflicts) != 0 ||
         std::any_of(e.stall.begin(), e.stall.end(), [](std::uint64_t cycles) { return cycles != 0; });
}

PcProfile::Entry sum_of(const std::vector<PcProfile>& profiles, std::size_t word) {
  PcProfile::Entry sum;
  for (const PcProfile& profile : profiles) {
    const PcProfile::Entry& e = profile.entries()[word];
    sum.issued += e.issued, sum.lanes += e.lanes, sum.transactions += e.transactions, sum.conflicts += e.conflicts;
    for (unsigned r = 0; r < kNumStallReasons; ++r) sum.stall[r] += e.stall[r];
  }
  return sum;
}

}  // namespace

std::vector<PcCounters> pc_statistics(const std::vector<PcProfile>& profiles, const Kernel& kernel, isa::Arch arch) {
  std::vector<PcCounters> list;
  const std::size_t words = kernel.code.size();
  for (std::size_t word = 0, next = 0; word <= words; ++word) {
    const PcProfile::Entry sum = sum_of(profiles, word);
    const bool starts = word == next && word < words;
    const std::uint32_t w0 = word < words ? kernel.code[word] : 0;
    const bool is_long = word + 1 < words && isa::is_long(w0);
    if (starts) next += is_long ? 2 : 1;
    if (!starts && !anything(sum)) continue;
    PcCounters& entry = list.emplace_back();
    entry.pc = static_cast<std::uint32_t>(4 * word);
    entry.text =
        word < words ? isa::disassemble(w0, is_long ? kernel.code[word + 1] : 0, arch) : "outside the kernel's code";
    if (const auto place = word < words ? kernel.lines.find(entry.pc) : std::nullopt) {
      entry.file = place->file;
      entry.line = place->line;
    }
    entry.issued = sum.issued, entry.lanes = sum.lanes, entry.transactions = sum.transactions;
    entry.bank_conflict_passes = sum.conflicts;
    for (NamedCount& count : named_stalls(sum.stall)) {
      if (count.second != 0) entry.stall.push_back(std::move(count));
    }
  }
  return list;
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Writes the format Kanata 4, the log file of the pipeline viewer Konata.
#include <fmt/format.h>

#include <ostream>
#include <unordered_map>

#include "hw/isa/disassembler.h"
#include "tb/record/timeline.h"

namespace g80 {

void write_kanata(std::ostream& out, const std::vector<MachineEvent>& events, unsigned sm, isa::Arch arch) {
  struct Row {
    std::uint64_t number = 0;
    unsigned bursts = 0;  // at the DRAM: one stage for all that overlap, a lane of Konata holds one at a time
  };
  std::unordered_map<std::uint32_t, Row> open;  // by uid
  std::uint64_t rows = 0, retired = 0;
  Cycle now = 0;
  bool begun = false;
  out << "Kanata\t0004\n";
  for (const MachineEvent& event : events) {
    const bool of_dram = event.kind == EventKind::kDramRequest || event.kind == EventKind::kDramReply;
    if (!of_dram && event.unit != sm) continue;
    const auto row = open.find(event.uid);
    const bool shown = event.kind == EventKind::kIssue || row != open.end();
    if (!shown) continue;
    if (!begun) {
      out << fmt::format("C=\t{}\n", event.cycle);
    } else if (event.cycle > now) {
      out << fmt::format("C\t{}\n", event.cycle - now);
    }
    begun = true;
    now = event.cycle;
    switch (event.kind) {
      case EventKind::kIssue:
        out << fmt::format("I\t{0}\t{1}\t{2}\nL\t{0}\t0\twarp {2}: {3:x}: {4}\nL\t{0}\t1\tuid {1}\nS\t{0}\t0\tX\n",
                           rows, event.uid, event.warp, event.pc, isa::disassemble(event.w0, event.w1, arch));
        open[event.uid].number = rows++;
        break;
      case EventKind::kDramRequest:
        if (row->second.bursts++ == 0) out << fmt::format("S\t{}\t1\tD\n", row->second.number);
        break;
      case EventKind::kDramReply:
        if (row->second.bursts != 0 && --row->second.bursts == 0)
          out << fmt::format("E\t{}\t1\tD\n", row->second.number);
        break;
      case EventKind::kRelease:
        out << fmt::format("E\t{0}\t0\tX\nR\t{0}\t{1}\t0\n", row->second.number, retired++);
        open.erase(row);
        break;
      default: break;
    }
  }
}

}  // namespace g80

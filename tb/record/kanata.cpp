// SPDX-License-Identifier: Apache-2.0
// Writes the format Kanata 4, the log file of the pipeline viewer Konata (docs/kanata-log-format.md of its sources).
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <ostream>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "hw/isa/disassembler.h"
#include "tb/record/timeline.h"

namespace g80 {

namespace {

constexpr const char* kIssueStage = "Is";
constexpr Cycle kFromPickToIssue = 2;  // shader cycles; the scheduler's choice is on the wires so long before
constexpr const char* kDramStage = "D";

const char* name_of(PipelineStage stage) {
  switch (stage) {
    case PipelineStage::kFetch: return "F";
    case PipelineStage::kDecode: return "De";
    case PipelineStage::kBuffer: return "Bu";
    case PipelineStage::kDropped: break;
    case PipelineStage::kOperands: return "Op";
    case PipelineStage::kSp: return "Xsp";
    case PipelineStage::kSfu: return "Xsfu";
    case PipelineStage::kMultiply: return "Xmul";
    case PipelineStage::kDp: return "Xdp";
    case PipelineStage::kControl: return "Ct";
    case PipelineStage::kAddress: return "Ad";
    case PipelineStage::kShared: return "Sh";
    case PipelineStage::kConstant: return "Co";
    case PipelineStage::kMemory: return "Me";
    case PipelineStage::kWriteback: return "Wb";
  }
  return "";
}

/// A stage of an instruction, in one of its lanes: the pipeline, and below it the bursts in a DRAM.
struct Span {
  const char* name;
  unsigned lane;
  Cycle from, to;  // to: 0 if it has not ended
};
enum Lane : unsigned { kPipeline, kBursts, kLanes };

struct Row {
  MachineEvent instruction;  // its decoding or its issue
  bool issued = false, dropped = false;
  bool executes = false;  // in an execution unit; its results can be read before they have left
  bool released = false;  // they can be read
  Cycle end = 0;          // 0: in flight to the last
  std::vector<Span> spans;
  int open[kLanes] = {-1, -1};  // spans that have not ended
  unsigned bursts = 0;          // one span for all that overlap, because a lane holds one at a time

  void end_stage(unsigned lane, Cycle cycle) {
    if (open[lane] < 0) return;
    Span& span = spans[static_cast<std::size_t>(open[lane])];
    span.to = cycle;
    open[lane] = -1;
  }
  void begin_stage(unsigned lane, const char* name, Cycle cycle) {
    if (open[lane] >= 0 && spans[static_cast<std::size_t>(open[lane])].name == name) return;  // the other half-warp
    end_stage(lane, cycle);
    open[lane] = static_cast<int>(spans.size());
    spans.push_back({name, lane, cycle, 0});
  }
  void finish(Cycle cycle) {
    for (unsigned lane = 0; lane < kLanes; ++lane) end_stage(lane, cycle);
    end = cycle;
  }
};

class Rows {
 public:
  void add(const MachineEvent& event) {
    switch (event.kind) {
      case EventKind::kStage: stage(event); return;
      case EventKind::kIssue: issue(event); return;
      case EventKind::kDramRequest:
        if (Row* const row = issued(event.uid); row != nullptr && row->bursts++ == 0)
          row->begin_stage(kBursts, kDramStage, event.cycle);
        return;
      case EventKind::kDramReply:
        if (Row* const row = issued(event.uid); row != nullptr && row->bursts != 0 && --row->bursts == 0)
          row->end_stage(kBursts, event.cycle);
        return;
      case EventKind::kRelease:
        if (Row* const row = issued(event.uid); row != nullptr) {
          row->released = true;
          if (!row->executes) finish(event);
        }
        return;
      default: return;
    }
  }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  struct Fetch {
    Cycle asked = 0, came = 0;
  };
  struct Warp {
    std::unordered_map<unsigned, Fetch> fetches;  // by epoch: a warp has one at a time
    std::deque<std::size_t> waiting;              // rows that have not issued, oldest first
    bool fetch_dropped = false;                   // the last one
    unsigned epoch = 0;                           // of the last one
  };

  Row* issued(std::uint32_t uid) {
    const auto found = issued_.find(uid);
    return found == issued_.end() ? nullptr : &rows_[found->second];
  }
  void stage(const MachineEvent& event) {
    Warp& warp = warps_[event.warp];
    switch (const auto stage = static_cast<PipelineStage>(event.detail); stage) {
      case PipelineStage::kFetch:
        warp.fetches[event.lanes] = {event.cycle, 0};
        warp.epoch = event.lanes;
        warp.fetch_dropped = false;
        return;
      case PipelineStage::kDecode: warp.fetches[event.lanes].came = event.cycle; return;
      case PipelineStage::kBuffer: decoded(event, warp); return;
      case PipelineStage::kDropped:
        warp.fetch_dropped = true;
        for (const std::size_t row : warp.waiting) drop(rows_[row], event.cycle);
        warp.waiting.clear();
        return;
      default:
        if (Row* const row = issued(event.uid); row != nullptr) {
          row->executes = name_of(stage)[0] == 'X';
          if (row->released && !row->executes) return finish(event);
          row->begin_stage(kPipeline, name_of(stage), event.cycle);
        }
    }
  }
  void finish(const MachineEvent& event) {
    issued(event.uid)->finish(event.cycle);
    issued_.erase(event.uid);
  }
  /// Behind a redirect the machine drops what it fetched before.
  void decoded(const MachineEvent& event, Warp& warp) {
    Row row;
    row.instruction = event;
    if (const Fetch fetch = warp.fetches[event.lanes]; fetch.asked != 0) {
      row.begin_stage(kPipeline, name_of(PipelineStage::kFetch), fetch.asked);
      if (fetch.came != 0) row.begin_stage(kPipeline, name_of(PipelineStage::kDecode), fetch.came);
    }
    if (warp.fetch_dropped || event.lanes != warp.epoch) {
      drop(row, event.cycle);
    } else {
      row.begin_stage(kPipeline, name_of(PipelineStage::kBuffer), event.cycle);
      warp.waiting.push_back(rows_.size());
    }
    rows_.push_back(std::move(row));
  }
  static void drop(Row& row, Cycle cycle) {
    row.finish(cycle);
    row.dropped = true;
  }
  void issue(const MachineEvent& event) {
    Warp& warp = warps_[event.warp];
    std::size_t number = rows_.size();
    if (!warp.waiting.empty() && rows_[warp.waiting.front()].instruction.pc == event.pc) {
      number = warp.waiting.front();
      warp.waiting.pop_front();
    } else {  // decoded before the log begins
      rows_.emplace_back();
    }
    Row& row = rows_[number];
    row.instruction = event;
    row.issued = true;
    row.begin_stage(kPipeline, kIssueStage, event.cycle - kFromPickToIssue);
    row.begin_stage(kPipeline, name_of(PipelineStage::kOperands), event.cycle);
    issued_[event.uid] = number;
  }

  std::vector<Row> rows_;
  std::unordered_map<std::uint32_t, std::size_t> issued_;  // rows in flight, by uid
  std::unordered_map<unsigned, Warp> warps_;
};

/// A line of the log. Those of a cycle are in the order of rows, those of a row in the order of `number`.
struct Command {
  Cycle cycle;
  std::uint32_t row, number;
  bool operator<(const Command& other) const {
    return std::tie(cycle, row, number) < std::tie(other.cycle, other.row, other.number);
  }
};
constexpr std::uint32_t kFirst = 0, kLast = ~0u;  // else 2 k + 1 begins span k, and 2 k + 2 ends it

std::vector<Command> commands_of(const std::vector<Row>& rows) {
  std::vector<Command> commands;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (row.spans.empty()) continue;
    commands.push_back({row.spans.front().from, r, kFirst});
    for (std::uint32_t k = 0; k < row.spans.size(); ++k) {
      if (row.spans[k].to == row.spans[k].from) continue;
      commands.push_back({row.spans[k].from, r, 2 * k + 1});
      if (row.spans[k].to != 0) commands.push_back({row.spans[k].to, r, 2 * k + 2});
    }
    if (row.end != 0) commands.push_back({row.end, r, kLast});
  }
  std::sort(commands.begin(), commands.end());
  return commands;
}

}  // namespace

void write_kanata(std::ostream& out, const std::vector<MachineEvent>& events, isa::Arch arch) {
  Rows collected;
  for (const MachineEvent& event : events) collected.add(event);
  const std::vector<Row>& rows = collected.rows();
  std::vector<std::uint64_t> ids(rows.size());
  std::uint64_t next_id = 0, retired = 0;
  out << "Kanata\t0004\n";
  Cycle now = 0;
  for (const Command& command : commands_of(rows)) {
    if (next_id == 0) {
      out << fmt::format("C=\t{}\n", command.cycle);
    } else if (command.cycle > now) {
      out << fmt::format("C\t{}\n", command.cycle - now);
    }
    now = command.cycle;
    const Row& row = rows[command.row];
    const MachineEvent& instruction = row.instruction;
    std::uint64_t& id = ids[command.row];
    if (command.number == kFirst) {
      id = next_id++;
      out << fmt::format("I\t{0}\t{1}\t{2}\nL\t{0}\t0\twarp {2}: {3:x}: {4}\nL\t{0}\t1\t", id, instruction.uid,
                         instruction.warp, instruction.pc, isa::disassemble(instruction.w0, instruction.w1, arch));
      out << (row.issued ? fmt::format("uid 0x{:x}\n", instruction.uid) : "not issued\n");
    } else if (command.number == kLast) {
      out << fmt::format("R\t{}\t{}\t{}\n", id, retired, row.dropped ? 1 : 0);
      if (!row.dropped) ++retired;
    } else {
      const Span& span = row.spans[(command.number - 1) / 2];
      out << fmt::format("{}\t{}\t{}\t{}\n", command.number % 2 != 0 ? 'S' : 'E', id, span.lane, span.name);
    }
  }
}

}  // namespace g80

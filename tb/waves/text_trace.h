// SPDX-License-Identifier: Apache-2.0
// The path of one instruction or transaction as text: one line per wire and FIFO that shows it, in order of time.
//
// A condition names fields as bundles declare them (uid, warp, pc, or any other) and their values. A line is written
// when the fields of a wire, or of the oldest entry of a FIFO, begin to match, and again when they change but
// still match. Invalid bundles are ignored. Registers are ignored too: a block's outputs are its
// registers, so the wires show them at the same edge.
//
// It is a TraceSink like the wave file, with the same marks and the same visit(); without tracing there is no
// cost.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "hw/common/domain.h"
#include "hw/common/traceable.h"
#include "hw/isa/encoding.h"

namespace g80 {

struct TraceCondition {
  std::string field;
  std::uint64_t value = 0;
};

/// "uid=0x2000007" or "warp=3,pc=0x48": all conditions must match. Throws WaveError.
std::vector<TraceCondition> parse_trace_conditions(const std::string& text);

/// One field of a bundle; of an array all elements.
struct TraceField {
  std::string name;  // origin.uid
  unsigned width = 1;
  const EnumText* text = nullptr;
  bool array = false;
  std::vector<std::uint64_t> values;
};

struct TraceLine {
  Picoseconds time = 0;
  std::string clock;               // shader, core or dram; host for what the testbench did between edges
  Cycle cycle = 0;                 // edge of that clock
  std::string where;               // gpu.tpc0.sm0.issue, ...release.entry[1]
  std::vector<TraceField> fields;  // without valid
  std::string source;              // source line of the instruction, set by the sink

  /// The field of that name, or that ends in .name; nullptr if there is none.
  const TraceField* find(const std::string& name) const;
};

/// A value as lines show it: names of enumerations, mnemonics of instruction words, hexadecimal from 9 bits up.
std::string trace_value(const TraceField& field, isa::Arch arch);
/// clock, cycle, ps, where, fields, source line
std::string trace_text(const TraceLine& line, isa::Arch arch);

class TextTrace final : public TraceSink {
 public:
  using Sink = std::function<void(TraceLine&)>;
  /// `sink` gets every line after its edge, and may modify it.
  TextTrace(std::vector<TraceCondition> conditions, std::vector<Domain*> domains, Sink sink);
  ~TextTrace() override { close(); }
  TextTrace(const TextTrace&) = delete;
  TextTrace& operator=(const TextTrace&) = delete;

  /// Attaches to the machine, which is built. Throws WaveError if no wire has a field that the conditions name.
  void open();
  /// Detaches; the machine must still exist.
  void close();
  std::uint64_t lines() const { return lines_; }

  void edge_begin(Domain&) override { in_edge_ = true; }
  void edge_done(Domain& domain) override;
  void changed(std::uint32_t slot) override;

 private:
  class Reader;
  struct Item {
    Traceable* item;
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>>
        shown;  // per bundle that fulfils the conditions now
    bool marked = false;
  };

  void print_changes(const Domain* domain);
  void print_changes_of(Item& item, const Domain* domain);

  const std::vector<TraceCondition> conditions_;
  const std::vector<Domain*> domains_;
  const Sink sink_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> marked_;
  bool in_edge_ = false, open_ = false;
  std::uint64_t lines_ = 0;
};

}  // namespace g80

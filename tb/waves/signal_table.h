// SPDX-License-Identifier: Apache-2.0
// The signals of a wave file: which traceable objects take part, and the value of each of their fields as last written.
//
// collect_items() selects objects of the SystemC hierarchy by scope and level. SignalTable declares every field of the
// selected objects once, with FieldVisitor. Later it compares a marked object with the last values and logs the
// fields that changed. Signals are declared in hierarchy order, so the order is reproducible.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hw/common/traceable.h"

namespace g80 {

/// Last character of a scope name that is a struct, for Verilator's trace writers.
inline constexpr char kStructMark = static_cast<char>(0x80 + 6);

/// One signal as a viewer shows it.
struct Signal {
  std::string name;                // full dotted name: gpu.tpc0.sm1.pick.warp, ...lanes[3]
  unsigned width = 1;              // bits
  const EnumText* text = nullptr;  // names of the values, if it is an enumeration
};

/// The recorded part of the machine: each level includes the one before.
enum class WaveLevel : std::uint8_t {
  kArchitecture,  // only the objects of TraceSelection::architecture
  kPipeline,      // wires and crossings between blocks
  kRegisters,     // registers of the blocks
  kLanes,         // objects with TraceLevel::kAll: each scalar processor
  kMemories,      // what lies in memories: tags, words, entries of queues behind the front
};

/// Which objects to trace.
struct TraceSelection {
  // Wildcard patterns of hierarchical names; a scope includes everything below it; ! excludes; without an including
  // pattern: all.
  std::vector<std::string> scopes;
  WaveLevel level = WaveLevel::kRegisters;
  std::vector<const Traceable*> architecture = {};  // the objects of level kArchitecture
};

/// True if `glob` (with * and ?) covers `name` or a scope above it.
bool scope_matches(const std::string& glob, const std::string& name);

/// Every traceable object below the top of the SystemC hierarchy that `selection` picks, in the hierarchy's order.
std::vector<Traceable*> collect_items(const TraceSelection& selection);

class SignalTable {
 public:
  /// With the fields that are stored() too, or without.
  explicit SignalTable(bool with_stored = false) : with_stored_(with_stored) {}
  bool with_stored() const { return with_stored_; }
  SignalTable(const SignalTable&) = delete;
  SignalTable& operator=(const SignalTable&) = delete;

  /// How a signal is declared in the file: scopes separated by a space, structs marked in their last character.
  struct Declaration {
    std::string scope;
    std::string name;
    int index = -1;        // array element, -1 = none
    unsigned enum_id = 0;  // 1-based number in enums(), 0 = none
  };
  struct EnumUse {
    const EnumText* text;
    unsigned width;
  };

  /// Adds the fields of a traceable object; returns false if it has none.
  bool add_item(Traceable& item);
  /// Adds one signal the sink itself drives (a clock); returns its number.
  std::uint32_t add_signal(const std::string& scope, const std::string& name, unsigned width);
  /// Ends declaration.
  void seal();

  /// Compares item number `slot` (in the order of add_item) with its last values and logs the fields that differ.
  /// As it is at `moment`, at which no block ran; 0: the present.
  void update(std::uint32_t slot, Picoseconds moment = 0);
  /// A hint that update() follows soon for one item, and sooner for another: they lie far apart.
  void expect(std::uint32_t soon, std::uint32_t sooner) const {
    constexpr std::size_t kLine = 64;
    const char* const known = reinterpret_cast<const char*>(&items_[soon]);
    for (std::size_t at = 0; at < sizeof(Item); at += kLine) __builtin_prefetch(known + at);
    __builtin_prefetch(items_[sooner].item);
  }
  void update_all();
  void set(std::uint32_t signal, std::uint64_t value) {
    if (values_[signal] == value) return;
    values_[signal] = value;
    LeafChange& change = log_.emplace_back();
    change.value = value;
    change.leaf = signal;
  }

  std::size_t size() const { return signals_.size(); }
  std::size_t num_items() const { return items_.size(); }
  Traceable& item(std::uint32_t slot) { return *items_[slot].item; }
  const std::vector<Signal>& signals() const { return signals_; }
  const Declaration& declaration(std::uint32_t signal) const { return declarations_[signal]; }
  const std::vector<EnumUse>& enums() const { return enums_; }
  unsigned width(std::uint32_t signal) const { return widths_[signal]; }
  std::uint64_t value(std::uint32_t signal) const { return values_[signal]; }
  /// Changes in the order in which they were found; a signal may be there more than once. Who writes them empties it.
  std::vector<LeafChange>& log() { return log_; }
  /// Field changes seen by update() so far.
  std::uint64_t changes() const { return changes_; }

 private:
  struct Item {
    Traceable* item;
    std::uint32_t first, count;  // signals
    KnownFields known;
  };
  class Declarer;
  void add(std::string dotted, Declaration declaration, unsigned width, const EnumText* text);

  const bool with_stored_;
  std::vector<Item> items_;
  std::vector<Signal> signals_;
  std::vector<Declaration> declarations_;
  std::vector<EnumUse> enums_;
  std::vector<std::uint8_t> widths_;
  std::vector<std::uint64_t> values_;
  std::vector<LeafChange> log_;
  KnownFields::Layouts layouts_;
  std::uint64_t changes_ = 0;
};

}  // namespace g80

// A VCD or FST file, written through Verilator's trace writers, so that verilated blocks can write into the same file.
//
// The writers' callback interface is Verilator's own affair and changes between releases: nothing outside
// trace_file.cpp sees it, and that file refuses to compile with a release it was not tested with.
#pragma once
#include <memory>
#include <string>
#include <type_traits>

#include "hw/common/types.h"
#include "tb/waves/signal_table.h"
#include "tb/waves/verilated_time.h"

class VerilatedVcdC;
class VerilatedFstC;

namespace g80 {

/// The user asked for waves that cannot be written: one sentence with the value and what is allowed.
struct WaveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TraceFile {
 public:
  /// By suffix: .vcd or .fst.
  static std::unique_ptr<TraceFile> create(const std::string& file);
  virtual ~TraceFile() = default;

  /// Writes the header: every signal of `table`, then those of the registered verilated models. Values come with dump().
  virtual void open(const std::string& path, SignalTable& table) = 0;
  /// Writes what is dirty in the table (the first time: everything) at `time`, later than the call before.
  virtual void dump(Picoseconds time) = 0;
  virtual void close() = 0;
  /// Why the file is not complete, or empty: the disk is full. Nothing more is written then. An exception could not pass
  /// through SystemC's processes.
  virtual std::string failure() const = 0;

  /// Registers a verilated model; before open(). Its name is its scope, with spaces between the levels.
  template <class Model>
  void add_model(Model& model, int levels) {
    if constexpr (traces_into<Model, VerilatedVcdC>::value) {
      if (vcd() != nullptr) return static_cast<void>(model.trace(vcd(), levels));
    }
    if constexpr (traces_into<Model, VerilatedFstC>::value) {
      if (fst() != nullptr) return static_cast<void>(model.trace(fst(), levels));
    }
    throw WaveError(std::string("the verilated block ") + model.name() + " is built for " + (vcd() != nullptr ? "FST" : "VCD") +
                    " waves: choose a file name ending in " + (vcd() != nullptr ? ".fst" : ".vcd"));
  }

 private:
  template <class Model, class File, class = void>
  struct traces_into : std::false_type {};
  template <class Model, class File>
  struct traces_into<Model, File, std::void_t<decltype(std::declval<Model&>().trace(std::declval<File*>(), 0))>>
      : std::true_type {};
  virtual VerilatedVcdC* vcd() { return nullptr; }
  virtual VerilatedFstC* fst() { return nullptr; }
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A VCD or FST file, written through Verilator's trace writers.
//
// The writers' callback interface is internal to Verilator and changes between releases. Only trace_file.cpp uses it,
// and that file does not compile with a release that was not tested.
#pragma once
#include <memory>
#include <string>

#include "hw/common/types.h"
#include "tb/twins/verilated_time.h"
#include "tb/waves/signal_table.h"

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

  /// Writes the header: every signal of `table`. Values come with dump().
  virtual void open(const std::string& path, SignalTable& table) = 0;
  /// Writes the changes that the table's log has got since the last call (the first time: all signals) at `time`, which
  /// must increase. Those that were written stay in the log, or it is emptied.
  virtual void dump(Picoseconds time) = 0;
  virtual void close() = 0;
  /// The error if the disk is full, else empty. Nothing more is written then. (An exception cannot
  /// pass through SystemC processes.)
  virtual std::string failure() const = 0;
};

}  // namespace g80

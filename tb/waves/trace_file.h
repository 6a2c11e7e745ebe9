// SPDX-License-Identifier: Apache-2.0
// A VCD or FST file, written through Verilator's trace writers.
//
// The writers' callback interface is Verilator's own affair and changes between releases: nothing outside
// trace_file.cpp sees it, and that file refuses to compile with a release it was not tested with.
#pragma once
#include <memory>
#include <string>

#include "hw/common/types.h"
#include "rtl/adapters/verilated_time.h"
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
  /// Writes what is dirty in the table (the first time: everything) at `time`, later than the call before.
  virtual void dump(Picoseconds time) = 0;
  virtual void close() = 0;
  /// Why the file is not complete, or empty: the disk is full. Nothing more is written then. An exception could not
  /// pass through SystemC's processes.
  virtual std::string failure() const = 0;
};

}  // namespace g80

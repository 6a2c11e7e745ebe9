// SPDX-License-Identifier: Apache-2.0
// Feeds one instruction into an execution pipe and waits for its result, edge by edge.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/common/wire.h"
#include "hw/exec/exec_pipe.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80::test {

template <class Pipe>
class ExecPipeBench {
 public:
  explicit ExecPipeBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), domain("shader", 0, 1000, 1, false), pipe("pipe", config) {
    pipe.dispatch_i(dispatch);
    pipe.result_o(result);
    domain.add(pipe);
  }
  /// Edges from the scheduler edge of the dispatch until the result is on the wire; nothing if it does not come.
  std::optional<unsigned> run(const std::string& text, const OperandSet& operands) {
    step_to_even();
    Dispatch in;
    in.valid = true;
    in.warp = 3;
    in.fetched = fetched(text, 0x40);
    in.lanes = operands.lanes;
    in.operands = &operands;
    dispatch.write(in);  // as a block at scheduler rate does when it commits this edge
    for (unsigned edges = 1; edges < 200; ++edges) {
      sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
      if (edges == 2) dispatch.write(Dispatch{});
      if (result.read().valid) return edges;
    }
    return std::nullopt;
  }
  const ExecSlot& slot() const { return *result.read().slot; }

  Config config;
  Domain domain;
  Pipe pipe;
  Wire<Dispatch> dispatch{"dispatch"};
  Wire<ExecResult> result{"result"};

 private:
  // Stands just behind an even edge.
  void step_to_even() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    sc_core::sc_start(sc_core::sc_time::from_value((now / 2000 + 2) * 2000 + 500 - now));
  }
};

}  // namespace g80::test

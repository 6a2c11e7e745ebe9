// SPDX-License-Identifier: Apache-2.0
// Feeds one instruction into an execution pipe and waits for its result, edge by edge.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hw/common/wire.h"
#include "hw/exec/exec_pipe.h"
#include "hw/sm/operand_collector.h"
#include "tests/support/fetched_instruction.h"
#include "tests/support/systemc_test.h"

namespace g80::test {

struct AllOperands : OperandSet {
  WideWords high{};
};

template <class Pipe>
class ExecPipeBench {
  using Operands = std::decay_t<decltype(std::declval<Pipe>().operands_i.read())>;

 public:
  explicit ExecPipeBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)), domain("shader", 0, 1000, 1, false), pipe("pipe", config) {
    pipe.dispatch_i(dispatch);
    pipe.operands_i(operands);
    pipe.ahead_o(ahead);
    pipe.result_o(result);
    domain.add(pipe);
  }
  /// Edges from the scheduler edge of the dispatch until the last lanes are on the wire; nothing if they do not come.
  std::optional<unsigned> run(const std::string& text, const AllOperands& in, bool vote = false) {
    step_to_even();
    Dispatch order;
    order.valid = true;
    order.warp = 3;
    order.vote = vote;
    order.fetched = fetched(text, 0x40);
    order.lanes = in.lanes;
    order.granted = in.granted;
    // As a block at scheduler rate does when it commits this edge
    dispatch.write(order);
    show(in, 0);
    announced.reset();
    for (unsigned edges = 1; edges < 200; ++edges) {
      sc_core::sc_start(sc_core::sc_time(1000, sc_core::SC_PS));
      if (edges == 2) dispatch.write(Dispatch{});
      if (edges % 2 == 0) show(in, edges / 2);
      if (each_edge) each_edge(edges);
      if (ahead.read().valid && !announced) announced = edges, announcement = ahead.read();
      const ExecResult& part = result.read();
      if (!part.valid) continue;
      for (unsigned l = 0; l < kPortLanes && part.first + l < kWarpSize; ++l) {
        low[part.first + l] = part.low[l];
        high[part.first + l] = part.high[l];
        flags[part.first + l] = part.flags[l];
      }
      if (part.last) return edges;
    }
    return std::nullopt;
  }
  // The result of the last run. Words behind a part are overwritten by the next one.
  LaneWords low{}, high{};
  LaneFlags flags{};
  std::optional<unsigned> announced;  // edges of the last run until the pipe announced the result
  ResultAhead announcement;
  std::function<void(unsigned)> each_edge;  // called after every edge of a run

  Config config;
  Domain domain;
  Pipe pipe;
  Wire<Dispatch> dispatch{"dispatch"};
  Wire<Operands> operands{"operands"};
  Wire<ResultAhead> ahead{"ahead"};
  Wire<ExecResult> result{"result"};

 private:
  /// Part number `part` of the operands; behind the last one what lies on the wires does not matter.
  void show(const AllOperands& in, unsigned part) {
    const unsigned lanes = 2 * kWarpSize / pipe.groups();
    if (part * lanes >= kWarpSize) return;
    const auto words = [&](const LaneWords& from) {
      PortWords to{};
      std::copy_n(&from.lane[part * lanes], lanes, to.begin());
      return to;
    };
    Operands out;
    out.a = words(in.source[0]);
    if constexpr (!std::is_same_v<Operands, SfuLanes>) out.b = words(in.source[1]), out.c = words(in.source[2]);
    if constexpr (std::is_same_v<Operands, DpLanes>)
      out.a_high = words(in.high[0]), out.b_high = words(in.high[1]), out.c_high = words(in.high[2]);
    operands.write(out);
  }
  // Stands just behind an even edge.
  void step_to_even() {
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    sc_core::sc_start(sc_core::sc_time::from_value((now / 2000 + 2) * 2000 + 500 - now));
  }
};

}  // namespace g80::test

// SPDX-License-Identifier: Apache-2.0
// A first-level cache of an SM (instructions or constants) behind its line port, a driver in front, a line memory
// behind.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "hw/cache/constant_cache.h"
#include "hw/cache/instruction_cache.h"
#include "hw/cache/line_port.h"
#include "hw/common/wire.h"
#include "tb/machine/random_state.h"
#include "tests/cache/line_memory.h"

namespace g80::testing {

template <class Request>
struct RequestDriverRegs {
  Request request;
  G80_FIELDS(request);
};

/// Sends the requests it is given, one at a time or as fast as they are taken, and records the replies.
template <class Request, class Reply>
class RequestDriver final : public Clocked<RequestDriverRegs<Request>> {
  using Base = Clocked<RequestDriverRegs<Request>>;

 public:
  explicit RequestDriver(const sc_core::sc_module_name& name) : Base(name) {}
  sc_core::sc_out<Request> request_o{"request_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_in<Reply> reply_i{"reply_i"};

  bool one_at_a_time = false;
  std::deque<Request> todo;
  std::vector<Reply> replies;
  unsigned edges_per_cycle = 1;
  std::vector<Cycle> sent, received;  // cycles, in order of transfer and of reply
  bool done() const { return todo.empty() && sent.size() == received.size() && !this->q_.request.valid; }

 private:
  void next() override {
    if (reply_i.read().valid) {
      replies.push_back(reply_i.read());
      received.push_back(this->edge() / edges_per_cycle);
    }
    if (this->q_.request.valid && ready_i.read()) {
      sent.push_back(this->edge() / edges_per_cycle);
      this->d_.request.valid = false;
    }
    if (!this->d_.request.valid && !todo.empty() && !(one_at_a_time && sent.size() > received.size())) {
      this->d_.request = todo.front();
      todo.pop_front();
    }
  }
  void drive() override { request_o.write(this->q_.request); }
};

/// The ports of each cache that are called after what it serves.
inline auto& request_port(InstructionCache& cache) { return cache.fetch_i; }
inline auto& request_port(ConstantCache& cache) { return cache.request_i; }
inline auto& request_ready_port(InstructionCache& cache) { return cache.fetch_ready_o; }
inline auto& request_ready_port(ConstantCache& cache) { return cache.request_ready_o; }

template <class Cache, class Request, class Reply>
struct FirstLevelBench {
  Domain domain;
  CrossingFifo<LineRequest> requests;
  CrossingFifo<LineReply> lines;
  RequestDriver<Request, Reply> driver{"driver"};
  Cache cache;
  LinePort port;
  LineServer server;
  Wire<Request> request{"request"};
  Wire<bool> request_ready{"request_ready"};
  Wire<Reply> reply{"reply"};
  Wire<std::uint32_t> kernel{"kernel"};
  Wire<LineRequest> line{"line"}, no_line{"no_line"};
  Wire<bool> line_ready{"line_ready"}, other_ready{"other_ready"};
  Wire<LineReply> fill{"fill"}, other_fill{"other_fill"};
  Wire<bool> fill_ready{"fill_ready"}, yes{"yes"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits

  /// `rate` of driver and cache; `tpc` and `sm_in_tpc` are what the line port says of itself.
  FirstLevelBench(const Config& config, Rate rate, unsigned tpc, unsigned sm_in_tpc, bool no_sleep, unsigned delay,
                  unsigned jitter)
      : domain("domain", 0, 1000, 2, no_sleep),
        requests("requests", &domain, &domain, 4, 1),
        lines("lines", &domain, &domain, 4, 1),
        cache("cache", config),
        port("port", tpc, sm_in_tpc),
        server("server", delay, jitter, 5) {
    driver.edges_per_cycle = rate == Rate::kHalf ? 2 : 1;
    driver.request_o(request);
    driver.ready_i(request_ready);
    driver.reply_i(reply);
    request_port(cache)(request);
    request_ready_port(cache)(request_ready);
    cache.reply_o(reply);
    cache.kernel_i(kernel);
    cache.line_o(line);
    cache.line_ready_i(line_ready);
    cache.fill_i(fill);
    cache.fill_ready_o(fill_ready);
    constexpr bool kInstructions = std::is_same_v<Cache, InstructionCache>;
    port.instruction_i(kInstructions ? line : no_line);
    port.instruction_ready_o(kInstructions ? line_ready : other_ready);
    port.instruction_fill_o(kInstructions ? fill : other_fill);
    port.instruction_fill_ready_i(kInstructions ? fill_ready : yes);
    port.constant_i(kInstructions ? no_line : line);
    port.constant_ready_o(kInstructions ? other_ready : line_ready);
    port.constant_fill_o(kInstructions ? other_fill : fill);
    port.constant_fill_ready_i(kInstructions ? yes : fill_ready);
    port.line_o(requests);
    port.line_i(lines);
    server.line_i(requests);
    server.line_o(lines);
    yes.write(true);
    domain.add(driver, rate);
    domain.add(cache, rate);
    domain.add(port, rate);
    domain.add(server);
  }
  void run(unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); }
  /// Runs until every request is answered.
  void finish() {
    for (int i = 0; i < 5000 && !driver.done(); ++i) run(50);
    ASSERT_TRUE(driver.done());
    run(50);
    EXPECT_TRUE(cache.idle());
  }
};

}  // namespace g80::testing

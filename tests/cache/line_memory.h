// SPDX-License-Identifier: Apache-2.0
// The memory behind a cache under test: every word is a function of its address, some lines are not mapped, and the
// server answers line requests after a delay, in any order.
#pragma once
#include <map>
#include <random>
#include <vector>

#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"

namespace g80::testing {

/// The word at `address` of generation `version` of the memory's content.
inline std::uint32_t memory_word(std::uint32_t address, std::uint32_t version = 0) {
  std::uint32_t x = (address / 4 + 1) * 2654435761u + version * 40503u;
  x ^= x >> 15;
  return x * 2246822519u;
}

class LineServer final : public Clocked<NoRegs> {
 public:
  LineServer(const sc_core::sc_module_name& name, unsigned delay, unsigned jitter, unsigned seed)
      : Clocked(name), delay_(delay), jitter_(jitter), random_(seed) {}
  sc_core::sc_port<CrossingReadIf<LineRequest>> line_i{"line_i"};
  sc_core::sc_port<CrossingWriteIf<LineReply>> line_o{"line_o"};

  std::map<std::uint32_t, unsigned> fetched;  // line address -> how often
  std::uint32_t version = 0;
  bool takes = true;                  // requests
  std::uint32_t unmapped_from = ~0u;  // lines from here on fault
  std::vector<LineRequest> log;

 private:
  struct Job {
    LineReply reply;
    Cycle due;
  };
  void next() override {
    if (takes && line_i->available()) {
      const LineRequest& request = line_i->front();
      log.push_back(request);
      ++fetched[request.address];
      LineReply reply;
      reply.valid = true;
      reply.client = request.client;
      reply.sm_in_tpc = request.sm_in_tpc;
      reply.tpc = request.tpc;
      reply.id = request.id;
      reply.address = request.address;
      reply.origin = request.origin;
      if (request.address >= unmapped_from) {
        reply.fault = MemFault::kPageNotPresent;
      } else {
        for (unsigned i = 0; i < request.bytes / 4u; ++i) reply.data[i] = memory_word(request.address + 4 * i, version);
      }
      jobs_.push_back({reply, edge() + delay_ + (jitter_ ? random_() % jitter_ : 0)});
      line_i->pop();
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].due > edge() || !line_o->can_push()) continue;
      line_o->push(jobs_[i].reply);
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  void drive() override {}
  unsigned delay_, jitter_;
  std::mt19937 random_;
  std::vector<Job> jobs_;
};

}  // namespace g80::testing

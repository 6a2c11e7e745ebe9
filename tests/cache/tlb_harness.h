// SPDX-License-Identifier: Apache-2.0
// A first level of the TLB between a driver of requests and the physical memory that it translates for. What it asks a
// second level stands on wires of its own; where there is none, nobody answers them.
#pragma once
#include <string>
#include <vector>

#include "hw/cache/tlb.h"
#include "tests/cache/mem_server.h"

namespace g80::testing {

inline MemRequest access_of(std::uint32_t virtual_address, unsigned id, MemOp op, unsigned port = 0) {
  MemRequest request;
  request.op = op;
  request.id = static_cast<std::uint8_t>(id);
  request.port = static_cast<std::uint8_t>(port);
  request.virtual_address = virtual_address;
  return request;
}

struct TlbHarness {
  MemDriver driver;  // of replies it logs the faults; those of the memory go nowhere
  Tlb tlb;
  MemServer memory;
  Wire<MemRequest> request{sc_core::sc_gen_unique_name("request")},
      translated{sc_core::sc_gen_unique_name("translated")};
  Wire<bool> ready{sc_core::sc_gen_unique_name("ready")}, memory_ready{sc_core::sc_gen_unique_name("memory_ready")},
      reply_ready{sc_core::sc_gen_unique_name("reply_ready")}, walk_ready{sc_core::sc_gen_unique_name("walk_ready")},
      yes{sc_core::sc_gen_unique_name("yes")}, idle{sc_core::sc_gen_unique_name("idle")},
      question_ready{sc_core::sc_gen_unique_name("question_ready")};
  Wire<MemReply> fault{sc_core::sc_gen_unique_name("fault")}, reply{sc_core::sc_gen_unique_name("reply")},
      walk{sc_core::sc_gen_unique_name("walk")};
  Wire<TlbQuestion> question{sc_core::sc_gen_unique_name("question")};
  Wire<TlbAnswer> answer{sc_core::sc_gen_unique_name("answer")};
  Wire<std::uint32_t> directory{sc_core::sc_gen_unique_name("directory")};

  /// The memory answers after 20 edges, up to `jitter` more of which the seed decides.
  TlbHarness(const std::string& name, const Config& config, unsigned jitter, unsigned seed)
      : driver((name + "_driver").c_str()),
        tlb((name + "_tlb").c_str(), config),
        memory((name + "_memory").c_str(), 20, jitter, seed) {
    driver.request_o(request);
    driver.ready_i(ready);
    driver.reply_i(fault);
    driver.reply_ready_o(reply_ready);
    tlb.request_i(request);
    tlb.ready_o(ready);
    tlb.request_o(translated);
    tlb.ready_i(memory_ready);
    tlb.walk_i(walk);
    tlb.walk_ready_o(walk_ready);
    tlb.fault_o(fault);
    tlb.fault_ready_i(reply_ready);
    tlb.page_directory_i(directory);
    tlb.idle_o(idle);
    tlb.question_o(question);
    tlb.question_ready_i(question_ready);
    tlb.answer_i(answer);
    memory.request_i(translated);
    memory.ready_o(memory_ready);
    memory.reply_o(reply);
    memory.reply_ready_i(yes);
    memory.walk_o(walk);
    yes.write(true);
  }
  void join(Domain& domain, Wire<std::uint32_t>& flush) {
    tlb.flush_i(flush);
    domain.add(driver);
    domain.add(tlb);
    domain.add(memory);
  }

  bool done() const { return driver.done() && tlb.idle(); }
  std::vector<MemServer::Seen> translated_requests() const { return of_client(false); }
  std::size_t page_table_reads() const { return of_client(true).size(); }

 private:
  std::vector<MemServer::Seen> of_client(bool walks) const {
    std::vector<MemServer::Seen> result;
    for (const MemServer::Seen& seen : memory.log) {
      if ((seen.request.client == MemClient::kPageTable) == walks) result.push_back(seen);
    }
    return result;
  }
};

}  // namespace g80::testing

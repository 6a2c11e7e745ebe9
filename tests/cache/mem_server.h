// SPDX-License-Identifier: Apache-2.0
// Physical memory behind valid/ready wires: answers MemRequests after a delay, out of order if told to, with random
// back-pressure. Words that nobody wrote are memory_word(address).
#pragma once
#include <map>
#include <random>
#include <vector>

#include "hw/bundles/page_table.h"
#include "hw/bundles/reply_to.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"
#include "tests/cache/line_memory.h"

namespace g80::testing {

struct MemServerRegs {
  bool ready = true;
  MemReply reply, walk;
  G80_FIELDS(ready, reply, walk);
};

class MemServer final : public Clocked<MemServerRegs> {
 public:
  MemServer(const sc_core::sc_module_name& name, unsigned delay, unsigned jitter, unsigned seed)
      : Clocked(name), delay(delay), jitter_(jitter), random_(seed) {}
  sc_core::sc_in<MemRequest> request_i{"request_i"};
  sc_core::sc_out<bool> ready_o{"ready_o"};
  sc_core::sc_out<MemReply> reply_o{"reply_o"};
  sc_core::sc_in<bool> reply_ready_i{"reply_ready_i"};
  // Replies to page table reads
  sc_core::sc_out<MemReply> walk_o{"walk_o"};

  struct Seen {
    MemRequest request;
    Cycle edge;
  };
  std::vector<Seen> log;
  unsigned delay;
  std::map<std::uint32_t, std::uint32_t> words;
  unsigned busy_one_in = 0;  // 0: always ready
  std::uint32_t version = 0;
  bool reads_virtual = false;         // no TLB lies between: take the virtual address
  std::uint32_t unmapped_from = ~0u;  // reads from here on fault

  std::uint32_t word(std::uint32_t address) const {
    const auto at = words.find(address);
    return at != words.end() ? at->second : memory_word(address, version);
  }
  void write64(std::uint32_t address, std::uint64_t value) {
    words[address] = static_cast<std::uint32_t>(value);
    words[address + 4] = static_cast<std::uint32_t>(value >> 32);
  }
  /// Maps the page of `virtual_address`, or marks it absent; the directory lies at 0 and tables follow it.
  void map_page(std::uint32_t virtual_address, bool present, std::uint64_t physical) {
    namespace pt = page_table;
    const std::uint32_t table = 0x10000 + (virtual_address >> pt::kDirectoryShift) * pt::kTableBytes;
    write64(pt::directory_offset(virtual_address), pt::encode_directory_entry({true, table}));
    write64(table + pt::table_offset(virtual_address), pt::encode_page_entry({present, physical}));
  }

 private:
  struct Job {
    MemReply reply;
    Cycle due;
  };
  void next() override {
    if (q_.reply.valid && reply_ready_i.read()) d_.reply.valid = false;
    d_.walk.valid = false;
    const MemRequest& request = request_i.read();
    if (q_.ready && request.valid) {
      log.push_back({request, edge()});
      if (request.op == MemOp::kRead) {
        MemReply reply = reply_to(request);
        const std::uint32_t address = reads_virtual ? request.virtual_address : request.address;
        if (address >= unmapped_from) {
          reply.fault = MemFault::kPageNotPresent;
        } else {
          for (unsigned i = 0; i < request.bytes / 4u; ++i) reply.data[i] = word(address + 4 * i);
        }
        jobs_.push_back({reply, edge() + delay + (jitter_ ? random_() % jitter_ : 0)});
      }
    }
    for (std::size_t i = 0; i < jobs_.size();) {
      const bool walk = jobs_[i].reply.client == MemClient::kPageTable;
      MemReply& out = walk ? d_.walk : d_.reply;
      if (jobs_[i].due > edge() || out.valid) {
        ++i;
        continue;
      }
      out = jobs_[i].reply;
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    d_.ready = busy_one_in == 0 || random_() % busy_one_in != 0;
  }
  void drive() override {
    ready_o.write(q_.ready);
    reply_o.write(q_.reply);
    walk_o.write(q_.walk);
  }
  unsigned jitter_;
  std::mt19937 random_;
  std::vector<Job> jobs_;
};

/// Sends MemRequests over valid/ready wires as fast as they are taken, and collects replies.
struct MemDriverRegs {
  MemRequest request;
  bool reply_ready = true;
  G80_FIELDS(request, reply_ready);
};
class MemDriver final : public Clocked<MemDriverRegs> {
 public:
  explicit MemDriver(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<MemRequest> request_o{"request_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_in<MemReply> reply_i{"reply_i"};
  sc_core::sc_out<bool> reply_ready_o{"reply_ready_o"};

  std::vector<MemRequest> todo;
  std::size_t next_todo = 0;
  std::vector<MemReply> replies;
  std::vector<Cycle> sent, received;
  unsigned takes_one_in = 1;  // edges
  bool done() const { return next_todo == todo.size() && !q_.request.valid; }

 private:
  void next() override {
    if (reply_i.read().valid && q_.reply_ready) {
      replies.push_back(reply_i.read());
      received.push_back(edge());
    }
    d_.reply_ready = edge() % takes_one_in == 0;
    if (q_.request.valid && ready_i.read()) {
      sent.push_back(edge());
      d_.request.valid = false;
    }
    if (!d_.request.valid && next_todo < todo.size()) {
      d_.request = todo[next_todo++];
      d_.request.valid = true;
    }
  }
  void drive() override {
    request_o.write(q_.request);
    reply_ready_o.write(q_.reply_ready);
  }
};

}  // namespace g80::testing

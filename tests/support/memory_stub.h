// SPDX-License-Identifier: Apache-2.0
// A memory for module tests: takes requests with random stalls, answers reads late and in any order, from a byte array.
#pragma once
#include <cstring>
#include <random>
#include <vector>

#include "hw/bundles/reply_to.h"
#include "hw/common/clocked.h"
#include "hw/common/wire.h"

namespace g80::testing {

struct MemoryStubRegs {
  bool ready = false;
  MemReply reply;
  G80_FIELDS(ready, reply);
};

class MemoryStub final : public Clocked<MemoryStubRegs> {
 public:
  MemoryStub(const sc_core::sc_module_name& name, std::size_t bytes, unsigned seed, bool stalls = true)
      : Clocked(name), memory(bytes), random_(seed), stalls_(stalls) {}
  sc_core::sc_in<MemRequest> request_i{"request_i"};
  sc_core::sc_out<bool> request_ready_o{"request_ready_o"};
  sc_core::sc_out<MemReply> reply_o{"reply_o"};  // whoever reads always takes it

  std::vector<std::uint8_t> memory;
  std::vector<MemRequest> seen;
  bool idle() const { return !held_busy && pending_.empty() && !q_.reply.valid; }
  bool held_busy = false;
  unsigned latest = 60;  // cycles until a read is answered at the latest

 private:
  struct Pending {
    Cycle due;
    MemReply reply;
  };

  void next() override {
    const MemRequest& request = request_i.read();
    if (request.valid && q_.ready) perform(request);
    d_.ready = !stalls_ || random_() % 4 != 0;
    d_.reply.valid = false;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].due > edge()) continue;
      d_.reply = pending_[i].reply;
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  void perform(const MemRequest& request) {
    seen.push_back(request);
    CHECK(request.address % request.bytes == 0, "a transaction of {} bytes at {:#x}", request.bytes, request.address);
    MemReply reply = reply_to(request);
    if (std::size_t{request.address} + request.bytes > memory.size()) {
      reply.fault = MemFault::kBeyondMemory;
    } else if (request.op == MemOp::kRead) {
      std::memcpy(reply.data.data(), &memory[request.address], request.bytes);
    } else {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(request.data.data());
      for (unsigned i = 0; i < request.bytes; ++i) {
        if (request.byte_enable[i / 64] >> (i % 64) & 1) memory[request.address + i] = bytes[i];
      }
    }
    if (request.op == MemOp::kRead || reply.fault != MemFault::kNone) {
      pending_.push_back({edge() + 1 + random_() % latest, reply});
    }
  }
  void drive() override {
    request_ready_o.write(q_.ready);
    reply_o.write(q_.reply);
  }

  std::vector<Pending> pending_;
  std::mt19937 random_;
  bool stalls_;
};

}  // namespace g80::testing

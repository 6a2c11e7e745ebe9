// SPDX-License-Identifier: Apache-2.0
// A DRAM controller with its chips, random bursts for it, and what each of them must return.
#pragma once
#include <cstring>
#include <random>
#include <vector>

#include "hw/dram/dram_controller.h"
#include "hw/dram/dram_device.h"
#include "tb/machine/random_state.h"
#include "tests/dram/dram_checker.h"

namespace g80 {

/// Times that no chip has, and that no rule of the configuration forbids.
inline void set_random_times(Config& config, std::mt19937& random) {
  auto& dram = config.dram;
  for (unsigned* clocks : {&dram.t_rrd, &dram.t_faw, &dram.t_rcd, &dram.t_rp, &dram.cl, &dram.wl, &dram.t_wtr,
                           &dram.t_wr, &dram.t_rtp, &dram.bus_turnaround}) {
    *clocks = 1 + random() % 30;
  }
  dram.t_faw += 3 * dram.t_rrd;
  dram.t_ccd = dram.burst_cycles + random() % 4;
  dram.t_ras = dram.t_rcd + random() % 30;
  dram.t_rc = dram.t_ras + dram.t_rp + random() % 10;
}

struct Traffic {
  unsigned seed = 1;
  unsigned count = 2000;      // bursts
  unsigned sectors = 4096;    // footprint
  unsigned idle_percent = 0;  // edges without a request; long pauses between groups of 100 bursts
  Cycle pause = 0;
  unsigned write_percent = 40;
  unsigned run = 1;           // consecutive sectors per random start
  unsigned takes_one_in = 1;  // edges, a reply
  bool distinct = false;      // no sector twice; `sectors` is a power of two then
};

// Sends bursts and knows what every read must return: the bytes in order of arrival.
class BurstDriver final : public Clocked<NoRegs> {
 public:
  BurstDriver(const sc_core::sc_module_name& name, const Traffic& traffic, unsigned burst_bytes)
      : Clocked(name),
        traffic_(traffic),
        burst_bytes_(burst_bytes),
        random_(traffic.seed),
        memory_(std::size_t{traffic.sectors} * burst_bytes) {
    for (int i = 255; i >= 0; --i) free_.push_back(static_cast<std::uint8_t>(i));
  }
  sc_core::sc_port<CrossingWriteIf<DramRequest>> request_o{"request_o"};
  sc_core::sc_port<CrossingReadIf<DramReply>> reply_i{"reply_i"};

  bool done() const { return sent_ == traffic_.count && answered == traffic_.count; }
  unsigned sent() const { return sent_; }
  /// What the sectors hold when every write is done, and the first ones hold from the beginning.
  std::vector<std::uint8_t>& memory() { return memory_; }
  unsigned answered = 0, wrong = 0;
  Cycle first_sent = 0, last_answer = 0;
  std::vector<Cycle> latency;

 private:
  struct Expected {
    bool write = false;
    Cycle sent = 0;
    std::vector<std::uint8_t> bytes;
  };
  void next() override {
    if (edge() % traffic_.takes_one_in == 0 && reply_i->available()) take(reply_i->front());
    if (sent_ == traffic_.count || free_.empty() || !request_o->can_push()) return;
    if (sent_ % 100 == 99 && paused_for_ != sent_) {
      paused_for_ = sent_;
      resume_ = edge() + traffic_.pause;
    }
    if (edge() < resume_ || random_() % 100 < traffic_.idle_percent) return;
    send();
  }
  void send() {
    if (left_in_run_ == 0) {
      left_in_run_ = traffic_.run;
      sector_ = traffic_.distinct ? sent_ * 0x9e3779b1u % traffic_.sectors : random_() % traffic_.sectors;
      write_ = random_() % 100 < traffic_.write_percent;
    }
    --left_in_run_;
    DramRequest request;
    request.write = write_;
    request.slot = free_.back();
    free_.pop_back();
    request.local = sector_ * burst_bytes_;
    request.tag.bits = sent_;
    Expected& expected = expected_[request.slot];
    expected.write = write_;
    expected.sent = edge();
    std::uint8_t* bytes = &memory_[request.local];
    if (write_) {
      auto* data = reinterpret_cast<std::uint8_t*>(request.data.data());
      for (unsigned i = 0; i < burst_bytes_; ++i) data[i] = bytes[i] ^ static_cast<std::uint8_t>(1 + random_() % 255);
      request.byte_enable = random_() | std::uint64_t{random_()} << 32;
      if (random_() % 2 == 0) request.byte_enable = ~0ull;
      for (unsigned i = 0; i < burst_bytes_; ++i) {
        if (request.byte_enable >> i & 1) bytes[i] = data[i];
      }
    } else {
      expected.bytes.assign(bytes, bytes + burst_bytes_);
    }
    request_o->push(request);
    if (sent_++ == 0) first_sent = edge();
    sector_ = (sector_ + 1) % traffic_.sectors;
  }
  void take(const DramReply& reply) {
    Expected& expected = expected_[reply.slot];
    if (reply.write != expected.write) ++wrong;
    if (!reply.write && std::memcmp(reply.data.data(), expected.bytes.data(), burst_bytes_) != 0) ++wrong;
    latency.push_back(edge() - expected.sent);
    free_.push_back(reply.slot);
    reply_i->pop();
    ++answered;
    last_answer = edge();
  }
  void drive() override {}

  const Traffic traffic_;
  const unsigned burst_bytes_;
  std::mt19937 random_;
  std::vector<std::uint8_t> memory_, free_;
  Expected expected_[256];
  unsigned sent_ = 0, left_in_run_ = 0, sector_ = 0, paused_for_ = ~0u;
  bool write_ = false;
  Cycle resume_ = 0;
};

struct DramControllerBench {
  DramControllerBench(const Config& of, const Traffic& traffic, bool no_sleep)
      : config(of),
        domain("dram", 0, 1000, 2, no_sleep),
        requests("requests", &domain, &domain, 8, 1),
        replies("replies", &domain, &domain, 8, 1),
        controller("controller", config),
        chips("chips", config, AddressMap(config).rows()),
        driver("driver", traffic, config.dram.burst_bytes),
        checker("checker") {
    controller.request_i(requests);
    controller.reply_o(replies);
    controller.command_o(command);
    controller.dq_o(dq_out);
    controller.dq_i(dq_in);
    chips.command_i(command);
    chips.dq_i(dq_out);
    chips.dq_o(dq_in);
    driver.request_o(requests);
    driver.reply_i(replies);
    checker.command_i(command);
    domain.add(controller);
    domain.add(chips);
    domain.add(driver);
    domain.add(checker);
  }
  void run(Cycle edges) { sc_core::sc_start(sc_core::sc_time(static_cast<double>(edges), sc_core::SC_NS)); }

  const Config config;
  Domain domain;
  CrossingFifo<DramRequest> requests;
  CrossingFifo<DramReply> replies;
  DramController controller;
  DramDevice chips;
  BurstDriver driver;
  DramChecker checker;
  Wire<DramCommand> command{"command"};
  Wire<DramBeat> dq_out{"dq_out"}, dq_in{"dq_in"};
  RandomState random_state{{&domain}, 7, false};  // what holds nothing holds any bits
};

}  // namespace g80

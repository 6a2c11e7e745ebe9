// SPDX-License-Identifier: Apache-2.0
// A memory system without SMs: both crossbars, all partitions with their DRAM, and a driver at every TPC port.
#pragma once
#include <deque>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

#include "hw/bundles/event_log.h"
#include "hw/gpu/device_memory.h"
#include "hw/gpu/memory_channel.h"
#include "hw/mem/crossbar.h"

namespace g80::testing {

/// Sends a list of requests, each as soon as it may, and keeps every reply.
class PortDriver final : public Clocked<NoRegs> {
 public:
  PortDriver(const sc_core::sc_module_name& name, unsigned take_percent, unsigned seed)
      : Clocked(name), take_percent_(take_percent), random_(seed) {}
  sc_core::sc_out<MemRequest> request_o{"request_o"};
  sc_core::sc_in<bool> request_ready_i{"request_ready_i"};
  sc_core::sc_in<MemReply> reply_i{"reply_i"};
  sc_core::sc_out<bool> reply_ready_o{"reply_ready_o"};

  std::deque<MemRequest> list;
  std::vector<MemReply> replies;
  std::vector<Cycle> sent_at, replied_at;
  bool keep_replies = true;
  std::uint64_t num_replies = 0;

 private:
  void next() override {
    if (offered_ && request_ready_i.read()) {
      if (keep_replies) sent_at.push_back(edge());
      list.pop_front();
      offered_ = false;
    }
    offered_ = !list.empty();
    if (ready_ && reply_i.read().valid) {
      ++num_replies;
      if (keep_replies) replies.push_back(reply_i.read()), replied_at.push_back(edge());
    }
    const bool was_ready = ready_;
    ready_ = take_percent_ >= 100 || random_() % 100 < take_percent_;
    if (list.empty() && ready_ && was_ready && take_percent_ >= 100 && !reply_i.read().valid) sleep();
  }
  void drive() override {
    static const MemRequest kNothing{};
    request_o.write(offered_ ? list.front() : kNothing);
    reply_ready_o.write(ready_);
  }
  const unsigned take_percent_;
  std::mt19937 random_;
  bool offered_ = false, ready_ = false;
};

class MemorySystem {
 public:
  MemorySystem(const Config& config, bool checked, unsigned take_percent = 100, unsigned seed = 1,
               bool no_sleep = false)
      : map(config),
        core("core", 0, config.clock.core_mhz, config.clock.reset_cycles, no_sleep),
        dram("dram", 1, config.clock.dram_mhz, config.clock.reset_cycles, no_sleep),
        requests("requests", config),
        replies("replies", config),
        logs(config.gpu.num_partitions) {
    core.add(requests);
    core.add(replies);
    requests.idle_o(idle_wire());
    replies.idle_o(idle_wire());
    for (unsigned p = 0; p < config.gpu.num_partitions; ++p) {
      channels.push_back(std::make_unique<MemoryChannel>(fmt::format("channel{}", p).c_str(), config, core, dram,
                                                         checked ? &logs[p] : nullptr));
      MemoryPartition& partition = channels.back()->partition;
      connect(request_wires_, requests.out_o[p], partition.request_i, partition.request_ready_o,
              requests.out_ready_i[p]);
      connect(reply_wires_, partition.reply_o, replies.in_i[p], replies.in_ready_o[p], partition.reply_ready_i);
      partition.idle_o(idle_wire());
    }
    // Nothing goes to the port of host memory.
    open(request_wires_, requests.out_o, requests.out_ready_i);
    open(reply_wires_, replies.in_i, replies.in_ready_o);
    for (unsigned port = 0; port <= config.gpu.num_tpcs; ++port) {
      ports.push_back(std::make_unique<PortDriver>(fmt::format("port{}", port).c_str(), take_percent, seed + port));
      PortDriver& driver = *ports.back();
      core.add(driver);
      connect(request_wires_, driver.request_o, requests.in_i[port], requests.in_ready_o[port], driver.request_ready_i);
      connect(reply_wires_, replies.out_o[port], driver.reply_i, driver.reply_ready_o, replies.out_ready_i[port]);
    }
    std::vector<DramStorage*> storages;
    for (auto& channel : channels) storages.push_back(&channel->device.cells());
    memory = std::make_unique<DeviceMemory>(map, storages);
  }
  /// Queues the request at its port.
  void send(const MemRequest& request) {
    ports[request.port]->list.push_back(request);
    ports[request.port]->wake();
  }
  bool idle() const {
    bool all = true;
    for (const auto& wire : idle_) all &= wire->read();
    for (const auto& port : ports) all &= port->list.empty();
    return all;
  }
  /// Runs until everything is idle; false when it is not after `limit_ns`.
  bool run_until_idle(double limit_ns) {
    for (double ns = 0; ns < limit_ns; ns += 200) {
      sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
      if (ns > 1000 && idle()) return true;
    }
    return false;
  }

  const AddressMap map;
  Domain core, dram;
  RequestCrossbar requests;
  ReplyCrossbar replies;
  std::vector<PartitionLog> logs;
  std::vector<std::unique_ptr<MemoryChannel>> channels;
  std::vector<std::unique_ptr<PortDriver>> ports;
  std::unique_ptr<DeviceMemory> memory;

 private:
  template <class Bundle, class Out, class In, class ReadyOut, class ReadyIn>
  void connect(std::vector<std::unique_ptr<Wire<Bundle>>>& wires, Out& out, In& in, ReadyOut& ready_out,
               ReadyIn& ready_in) {
    wires.push_back(std::make_unique<Wire<Bundle>>(sc_core::sc_gen_unique_name("bundle")));
    ready_.push_back(std::make_unique<Wire<bool>>(sc_core::sc_gen_unique_name("ready")));
    out(*wires.back());
    in(*wires.back());
    ready_out(*ready_.back());
    ready_in(*ready_.back());
  }
  /// The last ones of these ports stay without a block.
  template <class Bundle, class Bundles, class Readies>
  void open(std::vector<std::unique_ptr<Wire<Bundle>>>& wires, Bundles& bundles, Readies& readies) {
    wires.push_back(std::make_unique<Wire<Bundle>>(sc_core::sc_gen_unique_name("bundle")));
    ready_.push_back(std::make_unique<Wire<bool>>(sc_core::sc_gen_unique_name("ready")));
    bundles[bundles.size() - 1](*wires.back());
    readies[readies.size() - 1](*ready_.back());
  }
  Wire<bool>& idle_wire() {
    idle_.push_back(std::make_unique<Wire<bool>>(sc_core::sc_gen_unique_name("idle")));
    return *idle_.back();
  }
  std::vector<std::unique_ptr<Wire<MemRequest>>> request_wires_;
  std::vector<std::unique_ptr<Wire<MemReply>>> reply_wires_;
  std::vector<std::unique_ptr<Wire<bool>>> ready_, idle_;
};

}  // namespace g80::testing

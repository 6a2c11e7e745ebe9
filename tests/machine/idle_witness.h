// SPDX-License-Identifier: Apache-2.0
// Watches a machine from outside and judges its word "idle": what went into each block and what came out of it is
// counted on its wires and queues, at every edge of the core clock. No block's own state is looked at but the word
// itself.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hw/gpu/gpu.h"
#include "tb/waves/signal_table.h"

namespace g80::testing {

class IdleWitness final : public TraceSink {
 public:
  explicit IdleWitness(Gpu& gpu) : gpu_(gpu), cells_(gpu.device_memory()) {
    for (Traceable* item : collect_items({{}, WaveLevel::kLanes})) {
      if (auto* const queue = dynamic_cast<QueueView*>(item)) queues_[item->trace_name()] = {queue, item, {}};
    }
    for (unsigned t = 0; t < gpu.tpcs.size(); ++t) watch_tpc(*gpu.tpcs[t], fmt::format("tpc{}", t));
    watch_chip();
    for (unsigned p = 0; p < gpu.channels.size(); ++p) watch_partition(p, fmt::format("partition{}", p));
    fence_told_.witness = this;
    gpu.fences.attach_push_hook(&fence_told_);
    gpu.core.attach_trace(*this);
  }
  ~IdleWitness() override {
    gpu_.core.detach_trace(*this);
    gpu_.fences.attach_push_hook(nullptr);
    for (auto& [name, queue] : queues_) queue.item->attach_push_hook(nullptr);
  }

  /// Results of the kernel lie here, physical.
  void watch_cells(std::uint32_t physical, std::uint32_t bytes) { ranges_.emplace_back(physical, bytes); }
  void end_of_run() { compare_cells(); }

  std::vector<std::string> complaints;
  std::uint64_t rests = 0;       // core edges at which the machine said that it is at rest
  std::uint64_t grids_done = 0;  // grids that were reported to the host
  std::uint64_t idle_words = 0, busy_words = 0;
  std::map<std::string, std::int64_t> through;  // what came out of each block

 private:
  using Count = std::function<std::int64_t()>;
  using Counts = std::vector<Count>;
  struct Inside {
    std::string block;
    std::function<bool()> idle;  // its word; null: it has none of its own
    Counts in, out;
  };
  struct Transfers {
    std::function<bool()> happens;  // at the edge that comes
    std::int64_t weight_sum = 0;
    std::function<std::int64_t()> weight;
  };
  struct Watched final : FaultHook {
    const QueueView* view = nullptr;
    std::int64_t pushed = 0;
    void edge_committed(Domain&) override {}
    void item_pushed(Traceable&) override { ++pushed; }
  };
  struct FenceTold final : FaultHook {
    IdleWitness* witness = nullptr;
    void edge_committed(Domain&) override {}
    void item_pushed(Traceable&) override { witness->grid_done(); }
  };
  struct QueueOf {
    QueueView* view = nullptr;
    Traceable* item = nullptr;
    std::shared_ptr<Watched> watched;
  };

  void changed(std::uint32_t) override {}
  void edge_begin(Domain&) override {
    if (gpu_.core.in_reset()) return;
    for (const Inside& one : inside_) check_idle(one);
    const CommandProcessorRegs& processor = gpu_.command_processor.registers();
    const bool at_rest = !processor.grid_running && !processor.request.valid && gpu_.copy_engine.registers().idle &&
                         gpu_.command_processor.status_i.read().sms_idle && gpu_.memory_idle.read();
    if (at_rest && !processor.dead) ++rests, expect_nothing_anywhere("at rest");
    if (gpu_.copy_engine.counters().transactions != copies_) {
      copies_ = gpu_.copy_engine.counters().transactions;
      compare_cells();
    }
    for (const auto& one : transfers_) {
      if (one->happens()) one->weight_sum += one->weight ? one->weight() : 1;
    }
  }

  /// The command processor tells the host. It is the first block of its clock: no other has moved at this edge.
  void grid_done() {
    if (gpu_.command_processor.registers().dead) return;
    ++grids_done;
    expect_nothing_anywhere("done");
    remembered_ = cells();
    remembers_ = true;
  }

  template <class... Args>
  void complain(fmt::format_string<Args...> format, Args&&... args) {
    constexpr std::size_t kEnough = 5;
    if (complaints.size() >= kEnough) return;
    complaints.push_back(fmt::format("core edge {}: ", gpu_.core.edge()) +
                         fmt::format(format, std::forward<Args>(args)...));
  }
  static std::int64_t total(const Counts& counts) {
    std::int64_t sum = 0;
    for (const Count& count : counts) sum += count();
    return sum;
  }
  static std::int64_t held(const Inside& one) { return total(one.in) - total(one.out); }

  void check_idle(const Inside& one) {
    const std::int64_t holds = held(one);
    through[one.block] = total(one.out);
    if (holds < 0) complain("{} has given more than it got", one.block);
    if (!one.idle) return;
    const bool idle = one.idle();
    ++(idle ? idle_words : busy_words);
    if (idle && holds != 0) complain("{} says idle and holds {}", one.block, holds);
  }
  void expect_nothing_anywhere(const char* word) {
    for (const auto& [name, queue] : queues_) {
      // Words, orders and events are the host's.
      const bool of_host = queue.view == &gpu_.push || queue.view == &gpu_.copy_orders || queue.view == &gpu_.fences ||
                           queue.view == &gpu_.copies_done;
      if (!of_host && queue.view->size() != 0)
        complain("the machine is {} and {} holds {}", word, name, queue.view->size());
    }
    for (const Inside& one : inside_) {
      if (held(one) != 0) complain("the machine is {} and {} holds {}", word, one.block, held(one));
    }
  }
  std::vector<std::uint8_t> cells() const {
    std::vector<std::uint8_t> all;
    for (const auto& [physical, bytes] : ranges_) {
      all.resize(all.size() + bytes);
      cells_.read(physical, all.data() + all.size() - bytes, bytes);
    }
    return all;
  }
  /// Until the host copies again, memory is what it was when the grid was reported.
  void compare_cells() {
    if (remembers_ && cells() != remembered_) complain("memory has changed after a grid was reported done");
    remembers_ = false;
  }

  Count transfers(std::function<bool()> happens, std::function<std::int64_t()> weight = nullptr) {
    transfers_.push_back(std::make_unique<Transfers>(Transfers{std::move(happens), 0, std::move(weight)}));
    return [one = transfers_.back().get()] { return one->weight_sum; };
  }
  /// Items that a valid/ready pair hands over; only those that `is` accepts.
  template <class Bundle, class ReadyPort>
  Count handed(const Bundle& bundle, const ReadyPort& ready) {
    return transfers([&bundle, &ready] { return bundle.read().valid && ready.read(); });
  }
  template <class Bundle, class ReadyPort, class Is>
  Count handed(const Bundle& bundle, const ReadyPort& ready, Is is) {
    return transfers([&bundle, &ready, is] { return bundle.read().valid && ready.read() && is(bundle.read()); });
  }
  Watched& watch_queue(const std::string& name) {
    QueueOf& queue = queues_.at(name);
    if (!queue.watched) {
      queue.watched = std::make_shared<Watched>();
      queue.watched->view = queue.view;
      queue.item->attach_push_hook(queue.watched.get());
    }
    return *queue.watched;
  }
  Count pushed(const std::string& queue) {
    return [&watched = watch_queue(queue)] { return watched.pushed; };
  }
  Count popped(const std::string& queue) {
    return [&watched = watch_queue(queue)] { return watched.pushed - watched.view->size(); };
  }

  void watch_tlb(const std::string& name, Tlb& tlb) {
    const auto idle = [&tlb] { return tlb.idle(); };
    const auto walks = [](const MemRequest& request) { return request.client == MemClient::kPageTable; };
    const auto asks = [](const TlbQuestion& question) { return !question.fill; };
    inside_.push_back(
        {name,
         idle,
         {handed(tlb.request_i, tlb.ready_o)},
         {handed(tlb.request_o, tlb.ready_i, [walks](const MemRequest& request) { return !walks(request); }),
          handed(tlb.fault_o, tlb.fault_ready_i)}});
    inside_.push_back(
        {name + ", walks", idle, {handed(tlb.request_o, tlb.ready_i, walks)}, {handed(tlb.walk_i, tlb.walk_ready_o)}});
    const Count asked = handed(tlb.question_o, tlb.question_ready_i, asks);
    const Count answered = transfers([&tlb] { return tlb.answer_i.read().valid; });
    inside_.push_back({name + ", questions", idle, {asked}, {answered}});
    inside_.push_back(
        {"second level of " + name, [this] { return gpu_.second_level_tlb.idle(); }, {asked}, {answered}});
  }

  void watch_tpc(Tpc& tpc, const std::string& name) {
    Counts to_arbiter, lookups, lines, texture_requests, texels, replies;
    for (unsigned i = 0; i < tpc.sms.size(); ++i) {
      const auto queue = [&](const char* what) { return fmt::format("gpu.{}.sm{}_{}", name, i, what); };
      Coalescer& coalescer = *tpc.coalescers[i];
      const Count sent = handed(coalescer.request_o, coalescer.request_ready_i);
      inside_.push_back({fmt::format("{}.coalescer{}", name, i),
                         [&coalescer] { return coalescer.registers().idle; },
                         {[&coalescer] { return static_cast<std::int64_t>(coalescer.counters().transactions); }},
                         {sent}});
      to_arbiter.push_back(sent);
      lookups.push_back(popped(queue("line_request")));
      lines.push_back(pushed(queue("line_reply")));
      texture_requests.push_back(popped(queue("texture")));
      texels.push_back(pushed(queue("texels")));
      replies.push_back(pushed(queue("reply")));
      inside_.push_back({fmt::format("{}: lines that SM {} has asked for", name, i),
                         nullptr,
                         {pushed(queue("line_request"))},
                         {popped(queue("line_reply"))}});
    }
    TextureUnit& texture = tpc.texture_unit;
    const auto texture_idle = [&texture] { return texture.idle(); };
    const Count reads = handed(texture.miss_o, texture.miss_ready_i);
    to_arbiter.push_back(reads);
    inside_.push_back({name + ".texture_unit", texture_idle, texture_requests, texels});
    inside_.push_back(
        {name + ".texture_unit, lines", texture_idle, {reads}, {handed(texture.line_i, texture.line_ready_o)}});
    inside_.push_back({name + ".arbiter",
                       [&tpc] { return tpc.arbiter.registers().idle; },
                       to_arbiter,
                       {handed(tpc.arbiter.request_o, tpc.arbiter.request_ready_i)}});
    watch_tlb(name + ".tlb", tpc.tlb);
    ReplyRouter& router = tpc.router;
    Counts routed = replies;
    routed.push_back(handed(router.texture_o, router.texture_ready_i));
    routed.push_back(handed(router.walk_o, router.walk_ready_i));
    inside_.push_back({name + ".router",
                       [&router] { return router.idle(); },
                       {handed(router.reply_i, router.reply_ready_o), handed(router.refused_i, router.refused_ready_o)},
                       routed});
    SecondLevelCache& second = tpc.second_level;
    const auto second_idle = [&second] { return second.idle(); };
    inside_.push_back({name + ".second_level", second_idle, lookups, lines});
    inside_.push_back({name + ".second_level, misses",
                       second_idle,
                       {transfers([&second] { return second.miss_o.read().valid; })},
                       {transfers([&second] { return second.line_i.read().valid; })}});
  }

  template <class Network>
  void watch_network(const std::string& name, Network& network) {
    Counts in, out;
    for (unsigned i = 0; i < network.in_i.size(); ++i) in.push_back(handed(network.in_i[i], network.in_ready_o[i]));
    for (unsigned i = 0; i < network.out_o.size(); ++i) out.push_back(handed(network.out_o[i], network.out_ready_i[i]));
    inside_.push_back({name, [&network] { return network.registers().idle; }, in, out});
  }

  void watch_chip() {
    watch_network("request_crossbar", gpu_.request_crossbar);
    watch_network("reply_crossbar", gpu_.reply_crossbar);
    watch_tlb("chip_tlb", gpu_.chip_tlb);
    ChipPort& port = gpu_.chip_port;
    inside_.push_back(
        {"chip_port",
         [&port] { return port.registers().idle; },
         {handed(port.command_i, port.command_ready_o), handed(port.line_i, port.line_ready_o),
          handed(port.translated_i, port.translated_ready_o), handed(port.copy_i, port.copy_ready_o),
          handed(port.reply_i, port.reply_ready_o), handed(port.refusal_i, port.refusal_ready_o)},
         {handed(port.tlb_o, port.tlb_ready_i), handed(port.request_o, port.request_ready_i),
          handed(port.line_reply_o, port.line_reply_ready_i), handed(port.walk_reply_o, port.walk_reply_ready_i),
          transfers([&port] { return port.copy_reply_o.read().valid; }),
          [&port] { return static_cast<std::int64_t>(port.counters().refused_writes); }}});
    ThirdLevelCache& third = gpu_.third_level;
    const auto third_idle = [&third] { return third.idle(); };
    inside_.push_back({"third_level, misses",
                       third_idle,
                       {handed(third.memory_o, third.memory_ready_i)},
                       {handed(third.memory_i, third.memory_ready_o)}});
    for (unsigned t = 0; t < third.request_i.size(); ++t) {
      inside_.push_back({fmt::format("third_level for tpc{}", t),
                         third_idle,
                         {transfers([&third, t] { return third.request_i[t].read().valid; })},
                         {transfers([&third, t] { return third.reply_o[t].read().valid; })}});
    }
    CopyEngine& copies = gpu_.copy_engine;
    inside_.push_back(
        {"copy_engine, reads",
         [&copies] { return copies.registers().idle; },
         {handed(copies.request_o, copies.request_ready_i,
                 [](const MemRequest& request) { return request.op == MemOp::kRead; })},
         {transfers([&copies] { return copies.reply_i.read().valid && copies.reply_i.read().op == MemOp::kRead; })}});
  }

  void watch_partition(unsigned p, const std::string& name) {
    TextureL2& l2 = *gpu_.texture_l2s[p];
    MemoryPartition& partition = gpu_.channels[p]->partition;
    const auto of_texture = [](const auto& bundle) { return bundle.client == MemClient::kTexture; };
    const auto passing = [](const auto& bundle) { return bundle.client != MemClient::kTexture; };
    const auto l2_idle = [&l2] { return l2.idle(); };
    inside_.push_back({name + ", texture L2, requests that pass",
                       l2_idle,
                       {handed(l2.request_i, l2.request_ready_o, passing)},
                       {handed(l2.partition_o, l2.partition_ready_i, passing)}});
    inside_.push_back({name + ", texture L2, replies that pass",
                       l2_idle,
                       {handed(l2.partition_i, l2.partition_ready_o, passing)},
                       {handed(l2.reply_o, l2.reply_ready_i, passing)}});
    inside_.push_back({name + ", texture L2, texture reads",
                       l2_idle,
                       {handed(l2.request_i, l2.request_ready_o, of_texture)},
                       {handed(l2.reply_o, l2.reply_ready_i, of_texture)}});
    const auto idle = [&partition] { return partition.registers().idle; };
    inside_.push_back(
        {name + ", reads",
         idle,
         {handed(partition.request_i, partition.request_ready_o,
                 [](const MemRequest& request) { return request.op == MemOp::kRead || request.op == MemOp::kAtomic; })},
         {handed(partition.reply_o, partition.reply_ready_i)}});
    // The controller's counter is of WR commands: the burst is in the cells.
    const auto bursts = [&partition, map = AddressMap(gpu_.config),
                         bytes = gpu_.config.dram.burst_bytes]() -> std::int64_t {
      const MemRequest& request = partition.request_i.read();
      if (request.op != MemOp::kWrite) return 1;
      return (locate_partition(map, request.address).local % bytes + request.bytes + bytes - 1) / bytes;
    };
    inside_.push_back({name + ", bursts to write",
                       idle,
                       {transfers(
                           [&partition] {
                             const MemRequest& request = partition.request_i.read();
                             return request.valid && partition.request_ready_o.read() && request.op != MemOp::kRead;
                           },
                           bursts)},
                       {[&controller = gpu_.channels[p]->controller] {
                         return static_cast<std::int64_t>(controller.counters().writes);
                       }}});
  }

  Gpu& gpu_;
  const DeviceMemory cells_;
  std::map<std::string, QueueOf> queues_;
  std::vector<Inside> inside_;
  std::vector<std::unique_ptr<Transfers>> transfers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
  std::vector<std::uint8_t> remembered_;
  std::uint64_t copies_ = 0;
  bool remembers_ = false;
  FenceTold fence_told_;
};

}  // namespace g80::testing

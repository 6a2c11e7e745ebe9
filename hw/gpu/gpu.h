// SPDX-License-Identifier: Apache-2.0
// The chip. Wiring only.
//
//   host -> command_processor -> cta_scheduler -> tpc[] (sm[]) -> crossbar -> texture_l2[] -> channel[] (partition,
//       DRAM)
//   host -> copy_engine, command_processor, third_level -> chip_port (+ chip TLB) -> crossbar port num_tpcs
//   copy_engine, crossbar <-> host_port <-> host_link <-> host memory
//   TLBs of the TPCs, chip TLB <-> second_level_tlb
// Command processor, copy engine, third_level, chip TLB and second_level_tlb lie beside one another: their words and
// flushes are plain registers. What goes from there to TPCs and partitions, or comes from them, has a way.
// Three clocks: shader (0), core (1), dram (2).
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "hw/bundles/signals.h"
#include "hw/cache/second_level_tlb.h"
#include "hw/cache/third_level_cache.h"
#include "hw/cache/tlb.h"
#include "hw/common/blocks.h"
#include "hw/common/reset_synchroniser.h"
#include "hw/gpu/chip_port.h"
#include "hw/gpu/connector.h"
#include "hw/gpu/cta_scheduler.h"
#include "hw/gpu/device_memory.h"
#include "hw/gpu/idle_detector.h"
#include "hw/gpu/memory_channel.h"
#include "hw/gpu/tpc.h"
#include "hw/host/command_processor.h"
#include "hw/host/copy_engine.h"
#include "hw/host/host_link.h"
#include "hw/host/host_port.h"
#include "hw/mem/crossbar.h"
#include "hw/tex/texture_l2.h"

namespace g80 {

struct GpuOptions {
  bool no_sleep = false;                   // step every block at every edge
  bool checked = false;                    // partitions keep a log of what they performed
  std::optional<std::uint64_t> shuffle{};  // blocks are stepped in an order drawn from this seed
  TwinTable twins{};                       // blocks that are RTL
  unsigned threads = 1;                    // that step groups of blocks side by side
  // Bits that cross between clocks, those that end a reset too, come an edge late or not, drawn from this seed.
  std::optional<std::uint64_t> late_crossings{};
};

/// A wire between a TPC and the rest of the chip, by its name without numbers, and the plain registers that lie on its
/// way, in the block at one of its ends. So one side learns what the other one does that many edges later at least.
struct Way {
  std::string_view wire, block;
  unsigned registers;
};

class Gpu final : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, const Config& config, const GpuOptions& options = {});
  ~Gpu() override;

  const Config config;
  Domain shader, core, dram;
  ResetSynchroniser shader_reset, core_reset, dram_reset;
  const std::unique_ptr<Workers> workers;  // null: one thread. It ends before what it steps

  // Host ends
  CrossingFifo<PushWords> push;
  CrossingFifo<CopyOrder> copy_orders;
  CrossingFifo<HostEvent> fences, copies_done;
  HostMemory host_memory;

  IdleDetector memory_idle;

  std::vector<PartitionLog> partition_logs;  // by partition, behind them the host port; empty entries unless checked

 private:
  Blocks blocks_;

 public:
  CommandProcessor& command_processor;
  CopyEngine& copy_engine;
  HostLink& host_link;
  HostPort& host_port;
  CtaScheduler& cta_scheduler;
  ChipPort& chip_port;
  Tlb& chip_tlb;
  SecondLevelTlb& second_level_tlb;
  ThirdLevelCache& third_level;
  RequestCrossbar& request_crossbar;
  ReplyCrossbar& reply_crossbar;
  std::vector<std::unique_ptr<Tpc>> tpcs;
  std::vector<TextureL2*> texture_l2s;
  std::vector<std::unique_ptr<MemoryChannel>> channels;

  SmPins& sm(unsigned id) { return *tpcs[id / config.gpu.sms_per_tpc]->sms[id % config.gpu.sms_per_tpc]; }
  unsigned num_sms() const { return config.gpu.num_tpcs * config.gpu.sms_per_tpc; }
  /// All of them.
  std::vector<Way> ways() const;
  /// The testbench's view of the DRAM cells.
  DeviceMemory device_memory();

 private:
  void connect_host();
  void connect_host_port();
  void connect_chip_port();
  void connect_second_level_tlb(unsigned requester, Tlb& tlb, const std::string& name);
  void make_channel(unsigned p, PartitionLog* log, const TwinTable& twins);
  void make_tpc(unsigned t, const TwinTable& twins);
  void watch_idle();

  Connector connect_;
  Wire<LaunchBeat>& launch_;
  Wire<std::uint32_t>& code_flush_;
  Wire<std::uint32_t>& texture_flush_;
  Wire<std::uint32_t>& tlb_flush_;
  Wire<std::uint32_t>& page_directory_;
};

}  // namespace g80

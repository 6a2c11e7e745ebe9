// SPDX-License-Identifier: Apache-2.0
// A texture/processor cluster: its SMs and their shared texture unit, second-level cache, TLB and crossbar
// port. Wiring only.
//
//   sm -> coalescer -> arbiter -> tlb -> crossbar       crossbar -> router -> sm, texture unit, tlb
//   sm <-> texture unit -> arbiter                      sm <-> second_level -> third level
//   launch bus, flushes -> launch_bus -> sm, texture unit, second_level, tlb
#pragma once
#include <memory>
#include <vector>

#include "hw/bundles/signals.h"
#include "hw/cache/second_level_cache.h"
#include "hw/cache/tlb.h"
#include "hw/common/blocks.h"
#include "hw/gpu/connector.h"
#include "hw/gpu/idle_detector.h"
#include "hw/gpu/launch_bus.h"
#include "hw/mem/coalescer.h"
#include "hw/mem/reply_router.h"
#include "hw/mem/tpc_arbiter.h"
#include "hw/sm/sm_pins.h"
#include "hw/tex/texture_unit.h"

namespace g80 {

class Tpc final : public sc_core::sc_module {
 public:
  Tpc(const sc_core::sc_module_name& name, const Config& config, unsigned index, Wire<LaunchBeat>& launch,
      Domain& shader, Domain& core, IdleDetector& memory_idle, const TwinTable& twins);
  ~Tpc() override;

 private:
  Blocks blocks_;

 public:
  // Bound outside: tlb.request_o and its questions, router.reply_i, second_level's third-level side, what launch_bus
  // takes besides the rows, the SMs' CTA queues. Gpu::ways() has all wires to the rest of the chip.
  std::vector<std::unique_ptr<SmPins>> sms;
  std::vector<Coalescer*> coalescers;
  LaunchBus& launch_bus;
  TpcArbiter& arbiter;
  Tlb& tlb;
  ReplyRouter& router;
  TextureUnit& texture_unit;
  SecondLevelCache& second_level;

 private:
  void connect_sm(unsigned i, const Config& config, Domain& shader, Domain& core, IdleDetector& memory_idle);
  Connector connect_;
};

}  // namespace g80

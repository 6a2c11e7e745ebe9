// SPDX-License-Identifier: Apache-2.0
// The name that a bundle has in SystemVerilog. One that is missing in rtl/adapters/bundles.def does not compile.
#pragma once
#include "hw/bundles/cta_bundles.h"
#include "hw/bundles/dram_bundles.h"
#include "hw/bundles/dram_pins.h"
#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/fetch_bundles.h"
#include "hw/bundles/grid_bundles.h"
#include "hw/bundles/host_bundles.h"
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/launch_state.h"
#include "hw/bundles/link_bundles.h"
#include "hw/bundles/load_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/bundles/sm_bundles.h"
#include "hw/bundles/smem_bundles.h"
#include "hw/bundles/stack_bundles.h"
#include "hw/bundles/texture_bundles.h"
#include "hw/bundles/tlb_bundles.h"
#include "hw/bundles/transaction.h"
#include "hw/cache/constant_cache.h"
#include "hw/cache/instruction_cache.h"
#include "hw/cache/line_port.h"
#include "hw/exec/address_unit.h"
#include "hw/exec/dp.h"
#include "hw/exec/dp_datapath.h"
#include "hw/exec/multiplier_datapath.h"
#include "hw/exec/sfu.h"
#include "hw/exec/sfu_datapath.h"
#include "hw/exec/sfu_multipliers.h"
#include "hw/exec/sp_array.h"
#include "hw/mem/coalescer.h"
#include "hw/sm/barrier.h"
#include "hw/sm/cta_launcher.h"
#include "hw/sm/decode.h"
#include "hw/sm/fault_reporter.h"
#include "hw/sm/fetch.h"
#include "hw/sm/instruction_buffer.h"
#include "hw/sm/load_table.h"
#include "hw/sm/operand_collector.h"
#include "hw/sm/reconvergence_stack.h"
#include "hw/sm/register_file.h"
#include "hw/sm/scoreboard.h"
#include "hw/sm/warp_control.h"
#include "hw/sm/warp_scheduler.h"
#include "hw/sm/writeback.h"
#include "hw/smem/bank_conflict.h"
#include "hw/smem/shared_memory.h"
#include "rtl/adapters/decoded_fields.h"
#include "rtl/adapters/sp_instruction.h"

namespace g80 {

template <class T>
struct BundleName;

#define BUNDLE(type, name)                     \
  template <>                                  \
  struct BundleName<type> {                    \
    static constexpr const char* text = #name; \
  };
#define STATE(type, name) BUNDLE(type, name)
#define FIELDS(type, name) BUNDLE(type, name)
#include "rtl/adapters/bundles.def"
#undef BUNDLE
#undef STATE

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor: wiring only, in pipeline order.
//
//   cta_launcher -> fetch -> instruction_cache -> decode -> instruction_buffer + scoreboard -> warp_scheduler
//     -> operand_collector (+ register_file) -> sp_array | sfu | dp | address_unit -> writeback -> scoreboard
//   address_unit -> bank_conflict -> shared_memory -> operand_collector
//   address_unit -> constant_cache -> operand_collector
//   address_unit -> coalescer, texture unit (outside) -> load_table -> writeback
//   operand_collector -> reconvergence_stack -> barrier -> fetch, scoreboard
#pragma once

#include "hw/cache/constant_cache.h"
#include "hw/cache/instruction_cache.h"
#include "hw/cache/line_port.h"
#include "hw/common/blocks.h"
#include "hw/exec/address_unit.h"
#include "hw/exec/dp.h"
#include "hw/exec/sfu.h"
#include "hw/exec/sfu_multipliers.h"
#include "hw/exec/sp_array.h"
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
#include "hw/sm/sm_pins.h"
#include "hw/sm/warp_scheduler.h"
#include "hw/sm/writeback.h"
#include "hw/smem/bank_conflict.h"
#include "hw/smem/shared_memory.h"

namespace g80 {

class Sm final : public SmPins {
 public:
  Sm(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned tpc, unsigned sm_in_tpc,
     Domain& shader, const TwinTable& twins = {});
  ~Sm() override;

  bool idle() const { return launcher.idle(); }
  void attach(SmObserver& observer, RetirementPort::Reads reads) override;
  void detach(SmObserver& observer) override;
  void flush_reports() override { reports_.flush(); }
  SmReport::Stall unreported(Cycle now) const override { return warp_scheduler.unreported(now); }
  SmCounterBank counters(Cycle now) const override;
  void begin_launch() override { warp_scheduler.begin_launch(); }
  void read_state(SmState& state) const override;
  LaneWords peek(SmMemory memory, unsigned warp, unsigned index) const override;

 private:
  template <class T>
  using W = Wire<T>;
  void report_to(RetirementPort* port);
  std::uint32_t pc(unsigned warp) const;

  // Wires, named after their driver; those that are pins stand there
  W<LaunchState> launch_{"launch"};
  W<Redirect> start_{"start"};
  W<std::uint32_t> kernel_{"kernel"};
  W<FetchRequest> fetch_request_{"fetch_request"};
  W<bool> fetch_ready_{"fetch_ready"};
  W<FetchReply> fetch_reply_{"fetch_reply"};
  W<LineRequest> icache_line_{"icache_line"}, ccache_line_{"ccache_line"};
  W<bool> icache_line_ready_{"icache_line_ready"}, ccache_line_ready_{"ccache_line_ready"};
  W<LineReply> icache_fill_{"icache_fill"}, ccache_fill_{"ccache_fill"};
  W<bool> fetch_waits_{"fetch_waits"}, accesses_busy_{"accesses_busy"};
  W<bool> icache_fill_ready_{"icache_fill_ready"}, ccache_fill_ready_{"ccache_fill_ready"};
  W<DecodedGroup> decoded_{"decoded"};
  W<BufferLevel> level_{"level"};
  W<WarpMask> drained_{"drained"};
  W<Pick> pick_{"pick"};
  W<ActiveMasks> masks_{"masks"};
  W<Redirect> redirect_{"redirect"};
  W<StackAccess> stack_access_{"stack_access"};
  W<bool> stack_access_ready_{"stack_access_ready"};
  W<StackFill> stack_fill_{"stack_fill"};
  W<WarpMask> barrier_waiting_{"barrier_waiting"};
  W<Dispatch> to_sp_{"to_sp"}, to_sfu_{"to_sfu"}, to_multipliers_{"to_multipliers"}, to_dp_{"to_dp"};
  W<SpLanes> sp_operands_{"sp_operands"}, multiply_operands_{"multiply_operands"};
  W<SfuLanes> sfu_operands_{"sfu_operands"};
  W<DpLanes> dp_operands_{"dp_operands"};
  W<AddressDispatch> to_address_{"to_address"};
  W<AddressLanes> address_operands_{"address_operands"};
  W<ControlEvent> control_{"control"}, arrival_{"arrival"};
  W<Credits> collector_credit_{"collector_credit"}, memory_credit_{"memory_credit"}, load_credit_{"load_credit"};
  W<ResultAhead> sp_ahead_{"sp_ahead"}, sfu_ahead_{"sfu_ahead"}, multiply_ahead_{"multiply_ahead"},
      dp_ahead_{"dp_ahead"};
  W<ExecResult> sp_result_{"sp_result"}, sfu_result_{"sfu_result"}, multiply_result_{"multiply_result"},
      dp_result_{"dp_result"};
  W<SmemStart> smem_start_{"smem_start"};
  W<SmemFill> smem_fill_{"smem_fill"};
  W<bool> smem_fill_ready_{"smem_fill_ready"};
  W<SmemRequest> smem_request_{"smem_request"};
  W<bool> smem_ready_{"smem_ready"};
  W<SmemPass> smem_pass_{"smem_pass"};
  W<SmemReply> smem_reply_{"smem_reply"};
  W<bool> smem_stored_{"smem_stored"};
  W<bool> smem_replay_{"smem_replay"};
  W<WarpMask> ended_{"ended"};
  W<ConstRequest> const_request_{"const_request"};
  W<bool> const_ready_{"const_ready"};
  W<ConstReply> const_reply_{"const_reply"};
  W<LoadOpen> load_open_{"load_open"};
  W<LoadLanes> load_lanes_{"load_lanes"};
  W<LoadFreed> load_freed_{"load_freed"};
  W<LoadResult> load_result_{"load_result"};
  W<std::uint8_t> load_rows_{"load_rows"}, sfu_dp_results_{"sfu_dp_results"};
  W<StoreDone> store_done_{"store_done"};
  W<WarpMask> unit_freed_{"unit_freed"}, unit_answered_{"unit_answered"};
  W<std::uint32_t> busy_banks_{"busy_banks"};
  W<std::uint8_t> written_ports_{"written_ports"};
  W<std::uint8_t> next_unit_{"next_unit"};
  W<std::uint32_t> reading_{"reading"}, read_banks_{"read_banks"};
  sc_core::sc_vector<W<RegisterRead>> register_read_;  // of each bank
  W<SideRead> side_read_{"side_read"};
  W<RegisterStart> register_start_{"register_start"};
  W<ThreadNumbers> thread_numbers_{"thread_numbers"};
  W<bool> thread_numbers_room_{"thread_numbers_room"};
  sc_core::sc_vector<W<RegisterWrite>> register_write_{"register_write", kWritePorts};
  sc_core::sc_vector<W<FlagWrite>> flag_write_{"flag_write", kFlagWrites};
  W<AddrWrite> addr_write_{"addr_write"};
  W<AddrIncrement> addr_increment_{"addr_increment"};
  W<KernelFault> stack_fault_{"stack_fault"}, address_fault_{"address_fault"}, load_fault_{"load_fault"},
      collector_fault_{"collector_fault"};

  RetirementPort reports_;
  Blocks blocks_;

 public:
  // In the order in which waves list them
  WarpScheduler& warp_scheduler;
  BankConflict& bank_conflict;
  RegisterFile& registers;
  SharedMemory& shared_memory;
  CtaLauncher& launcher;
  Fetch& fetch;
  InstructionCache& instruction_cache;
  Decode& decode;
  InstructionBuffer& instruction_buffer;
  Scoreboard& scoreboard;
  OperandCollector& operand_collector;
  ReconvergenceStack& reconvergence_stack;
  Barrier& barrier;
  SpArray& sp_array;
  Sfu& sfu;
  SfuMultipliers* const sfu_multipliers;  // null if sm.sfu_mul is false
  Dp* const dp;                           // null if sm.num_dps = 0
  AddressUnit& address_unit;
  ConstantCache& constant_cache;
  LoadTable& load_table;
  Writeback& writeback;
  LinePort& line_port;
  FaultReporter& fault_reporter;
};

}  // namespace g80

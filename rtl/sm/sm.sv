// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor: wiring only, in pipeline order. Same picture as hw/sm/sm.h.
//
//   cta_launcher -> fetch -> instruction_cache -> decode -> instruction_buffer + scoreboard -> warp_scheduler
//     -> operand_collector (+ register_file) -> sp_array | sfu | dp | address_unit -> writeback -> scoreboard
//   address_unit -> bank_conflict -> shared_memory -> operand_collector
//   address_unit -> constant_cache -> operand_collector
//   address_unit -> coalescer, texture unit (outside) -> load_table -> writeback
//   operand_collector -> reconvergence_stack -> barrier -> fetch, scoreboard
//
// The SPs, SFUs and the fp64 unit run at the full shader clock, everything else at scheduler rate.
module sm #(
  parameter bit HasMultipliers = 1'(g80_pkg::HasMultipliers),  // of the SFUs
  parameter bit HasDp          = 1'(g80_pkg::HasDp),           // fp64 unit

  localparam int unsigned WarpW      = $clog2(g80_pkg::MaxWarps),
  localparam int unsigned SlotW      = $clog2(g80_pkg::MaxCtasPerSm),
  localparam int unsigned LaneW      = $clog2(g80_pkg::WarpSize),
  localparam int unsigned FillW      = $clog2(g80_pkg::MaxSmLaunchWords + 1),
  localparam int unsigned CodeSetW   = $clog2(g80_pkg::MaxIcacheL1Bytes / 32),
  localparam int unsigned ConstSetW  = $clog2(g80_pkg::MaxCcacheL1Bytes / 32),
  localparam int unsigned MshrW      = $clog2(g80_pkg::MaxCcacheMshrs) + 1,
  localparam int unsigned CodeStageW = $clog2(g80_pkg::MaxIcacheL1Latency + 1),
  localparam int unsigned CollectorW = $clog2(g80_pkg::MaxSmCollectorUnits + 1),
  localparam int unsigned LoadW      = $clog2(g80_pkg::MaxSmLoadTableEntries + 1),
  localparam int unsigned UnitW      = $clog2(g80_pkg::WarpSize + 1),
  localparam int unsigned ControlW   = $clog2(g80_pkg::MaxSmControlCycles + 1),
  localparam int unsigned ReplayW    = $clog2(g80_pkg::MaxSmReplayCycles + 1),
  localparam int unsigned SharedW    = $clog2(g80_pkg::MaxSmSharedOperandCycles + 1),
  localparam int unsigned ConstW     = $clog2(g80_pkg::MaxConstStages + 1),
  localparam int unsigned ExecW      = $clog2(g80_pkg::MaxExecStages + 1),
  localparam int unsigned AddressW   = $clog2(g80_pkg::MaxSmAddressCycles / 2 + 1),
  localparam int unsigned SmemW      = $clog2((g80_pkg::MaxSmSmemLatency - 28) / 2 + 1),
  localparam int unsigned FlagW      = $clog2(g80_pkg::MaxSmLockFlags),
  localparam int unsigned HeldW      = $clog2(g80_pkg::MaxSmLocksPerWarp + 1),
  localparam int unsigned ReturnW    = $clog2(1 + (g80_pkg::MaxSmReturnLatency - 12) / 2 + 1)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  // Number of this shader cycle. The half-rate blocks run in even cycles.
  input  logic [31:0]                    clock_i,

  // Straps: which SM of the chip this is
  input  logic [7:0]                     cfg_sm_id_i,
  input  logic [3:0]                     cfg_tpc_i,
  input  logic [1:0]                     cfg_sm_in_tpc_i,
  input  logic [10:0]                    cfg_first_warp_i,             // chip-wide number of its warp slot 0

  // Straps: blocks and their start
  input  logic [31:0]                    cfg_init_word_i,              // of registers and s[] of a new block: for all
  input  logic                           cfg_init_differs_i,           // places, or with the place's number in it
  input  logic [WarpW:0]                 cfg_max_warps_i,
  input  logic [SlotW:0]                 cfg_max_ctas_i,
  input  logic [9:0]                     cfg_granule_mask_i,           // of shared memory, less 1
  input  logic [FillW-1:0]               cfg_launch_words_i,           // of the header in a cycle
  input  logic [LaneW:0]                 cfg_launch_lanes_i,           // whose numbers leave in a cycle

  // Straps: front end
  input  logic [4:0]                     cfg_fetch_bytes_i,
  input  logic [3:0]                     cfg_ibuffer_entries_i,
  input  logic [3:0]                     cfg_ibuffer_most_with_room_i, // with which a whole fetch still fits
  input  logic [1:0]                     cfg_arch_i,                   // compute capability 1.x
  input  logic                           cfg_has_dp_i,                 // it has fp64; not without HasDp
  input  logic [2:0]                     cfg_icache_line_bits_i,
  input  logic [CodeSetW-1:0]            cfg_icache_set_mask_i,
  input  logic [4:0]                     cfg_icache_ways_i,
  input  logic [2:0]                     cfg_icache_way_bits_i,
  input  g80_pkg::replacement_policy_e   cfg_icache_policy_i,
  input  logic [MshrW-1:0]               cfg_icache_mshrs_i,
  input  logic [CodeStageW-1:0]          cfg_icache_stages_i,

  // Straps: issue
  input  logic                           cfg_sfu_mul_i,                // the SFUs multiply; not without HasMultipliers
  input  g80_pkg::scheduler_policy_e     cfg_scheduler_policy_i,
  input  logic [CollectorW-1:0]          cfg_collector_units_i,
  input  logic [CollectorW-1:0]          cfg_memory_units_i,           // collector units for memory instructions
  input  logic [LoadW-1:0]               cfg_loads_i,                  // entries of the load table
  input  logic [UnitW-1:0]               cfg_sfu_cycles_i,             // that an instruction occupies the unit
  input  logic [UnitW-1:0]               cfg_multiply_cycles_i,
  input  logic [UnitW-1:0]               cfg_dp_cycles_i,
  input  logic [ControlW-1:0]            cfg_control_cycles_i,
  input  logic [ReplayW-1:0]             cfg_replay_cycles_i,
  input  logic [SharedW-1:0]             cfg_shared_cycles_i,

  // Straps: registers, operands, results
  input  logic [5:0]                     cfg_register_banks_i,
  input  logic [2:0]                     cfg_log2_sfu_lanes_i,         // of two cycles, which travel together
  input  logic [2:0]                     cfg_log2_multiply_lanes_i,
  input  logic [2:0]                     cfg_log2_dp_lanes_i,
  input  logic [3:0]                     cfg_shared_parts_i,           // cycles of the port of s[] operands
  input  logic [ConstW-1:0]              cfg_const_stages_i,

  // Straps: control flow
  input  logic [6:0]                     cfg_branch_delay_i,           // registers in front of the stack
  input  logic                           cfg_taken_first_i,
  input  logic [6:0]                     cfg_stack_on_chip_i,
  input  logic [12:0]                    cfg_stack_depth_i,
  input  logic                           cfg_expect_launched_i,        // at a barrier: also warps that have ended

  // Straps: units. Those of a unit that the SM lacks do not matter.
  input  logic [ExecW-1:0]               cfg_sp_stages_i,              // in front of the result register
  input  logic [ExecW-1:0]               cfg_sfu_stages_i,
  input  logic [ExecW-1:0]               cfg_multiply_stages_i,
  input  logic [ExecW-1:0]               cfg_dp_stages_i,
  input  logic [1:0]                     cfg_log2_sfus_i,              // lanes that enter in a cycle
  input  logic [1:0]                     cfg_log2_multipliers_i,
  input  logic [1:0]                     cfg_log2_dps_i,

  // Straps: addresses, shared memory, constants, loads
  input  logic [AddressW-1:0]            cfg_address_cycles_i,         // scheduler cycles of each further address
  input  logic [1:0]                     cfg_pass_interval_i,
  input  logic [SmemW-1:0]               cfg_smem_stages_i,
  input  logic [FlagW-1:0]               cfg_lock_flag_mask_i,
  input  logic [HeldW-1:0]               cfg_locks_per_warp_i,
  input  logic [2:0]                     cfg_ccache_line_bits_i,
  input  logic [ConstSetW-1:0]           cfg_ccache_set_mask_i,
  input  logic [4:0]                     cfg_ccache_ways_i,
  input  logic [2:0]                     cfg_ccache_way_bits_i,
  input  g80_pkg::replacement_policy_e   cfg_ccache_policy_i,
  input  logic [MshrW-1:0]               cfg_ccache_mshrs_i,
  input  logic                           cfg_ccache_rests_i,
  input  logic [ReturnW-1:0]             cfg_return_stages_i,          // between a complete load and writeback

  // From the command processor, through a queue
  input  logic                           launch_valid_i,
  input  g80_pkg::launch_beat_t          launch_i,
  output logic                           launch_pop_o,

  // From and to the CTA scheduler, through queues
  input  logic                           cta_valid_i,
  input  g80_pkg::cta_launch_t           cta_i,
  output logic                           cta_pop_o,
  input  logic                           cta_done_room_i,
  output logic                           cta_done_push_o,
  output g80_pkg::cta_done_t             cta_done_o,
  input  logic                           fault_room_i,
  output logic                           fault_push_o,
  output g80_pkg::kernel_fault_t         fault_o,

  // To the coalescer and from the reply router, through queues
  input  logic                           access_room_i,
  input  logic                           access_all_free_i,
  output logic                           access_push_o,
  output g80_pkg::half_warp_access_t     access_o,
  input  logic                           reply_valid_i,
  input  g80_pkg::mem_reply_t            reply_i,
  output logic                           reply_pop_o,

  // To and from the texture unit, through queues
  input  logic                           tex_room_i,
  input  logic                           tex_all_free_i,
  output logic                           tex_push_o,
  output g80_pkg::tex_request_t          tex_o,
  input  logic                           tex_valid_i,
  input  g80_pkg::tex_reply_t            tex_i,
  output logic                           tex_pop_o,

  // To and from the second level of the TPC, through queues
  input  logic                           line_room_i,
  output logic                           line_push_o,
  output g80_pkg::line_request_t         line_o,
  input  logic                           line_valid_i,
  input  g80_pkg::line_reply_t           line_i,
  output logic                           line_pop_o,

  // For recorders
  output g80_pkg::warp_start_t           warp_start_o,
  output g80_pkg::warp_ready_t           ready_o,
  output g80_pkg::issue_t                issue_o,
  output g80_pkg::release_t              release_o,
  output g80_pkg::resolve_t              resolve_o,
  output logic [g80_pkg::MaxWarps-1:0]   barrier_opened_o
);
  localparam int unsigned Warps  = g80_pkg::MaxWarps;
  localparam int unsigned Units  = g80_pkg::MaxCollectorUnits;
  localparam int unsigned Banks  = g80_pkg::MaxRegisterBanks;
  localparam int unsigned ReadW  = g80_pkg::RegisterReadWidth;
  localparam int unsigned WriteW = g80_pkg::RegisterWriteWidth;
  localparam int unsigned FlagWriteW = g80_pkg::FlagWriteWidth;

  // Wires, named after their driver
  g80_pkg::launch_state_t   launch;
  g80_pkg::redirect_t       start;
  logic [31:0]              kernel;
  g80_pkg::fetch_request_t  fetch_request;
  logic                     fetch_ready;
  g80_pkg::fetch_reply_t    fetch_reply;
  g80_pkg::line_request_t   icache_line, ccache_line;
  logic                     icache_line_ready, ccache_line_ready;
  g80_pkg::line_reply_t     icache_fill, ccache_fill;
  logic                     icache_fill_ready, ccache_fill_ready;
  logic                     fetch_waits, accesses_busy;
  g80_pkg::decoded_group_t  decoded;
  g80_pkg::buffer_level_t   level;
  logic [Warps-1:0]         drained;
  g80_pkg::pick_t           pick;
  g80_pkg::active_masks_t   masks;
  g80_pkg::redirect_t       redirect;
  g80_pkg::stack_access_t   stack_access;
  logic                     stack_access_ready;
  g80_pkg::stack_fill_t     stack_fill;
  logic [Warps-1:0]         barrier_waiting;
  g80_pkg::dispatch_t       to_sp, to_sfu, to_multipliers, to_dp;
  g80_pkg::sp_lanes_t       sp_operands, multiply_operands;
  g80_pkg::sfu_lanes_t      sfu_operands;
  g80_pkg::dp_lanes_t       dp_operands;
  g80_pkg::address_dispatch_t to_address;
  g80_pkg::address_lanes_t  address_operands;
  g80_pkg::control_event_t  control, arrival;
  g80_pkg::credits_t        collector_credit, memory_credit, load_credit;
  g80_pkg::result_ahead_t   sp_ahead, sfu_ahead, multiply_ahead, dp_ahead;
  g80_pkg::exec_result_t    sp_result, sfu_result, multiply_result, dp_result;
  g80_pkg::smem_start_t     smem_start;
  g80_pkg::smem_fill_t      smem_fill;
  logic                     smem_fill_ready;
  g80_pkg::smem_request_t   smem_request;
  logic                     smem_ready;
  g80_pkg::smem_pass_t      smem_pass;
  g80_pkg::smem_reply_t     smem_reply;
  logic                     smem_stored, smem_replay;
  logic [Warps-1:0]         ended;
  g80_pkg::const_request_t  const_request;
  logic                     const_ready;
  g80_pkg::const_reply_t    const_reply;
  g80_pkg::load_open_t      load_open;
  g80_pkg::load_lanes_t     load_lanes;
  g80_pkg::load_freed_t     load_freed;
  g80_pkg::load_result_t    load_result;
  logic [7:0]               load_rows, sfu_dp_results;
  g80_pkg::store_done_t     store_done;
  logic [31:0]              unit_freed, unit_answered;
  logic [Banks-1:0]         busy_banks, read_banks;
  logic [g80_pkg::WritePorts-1:0] written_ports;
  logic [7:0]               next_unit;
  logic [Units-1:0]         reading;
  logic [Banks-1:0][ReadW-1:0]  register_read;   // register_read_t
  g80_pkg::side_read_t      side_read;
  g80_pkg::register_start_t register_start;
  g80_pkg::thread_numbers_t thread_numbers;
  logic                     thread_numbers_room;
  logic [g80_pkg::WritePorts-1:0][WriteW-1:0] register_write;  // register_write_t
  logic [g80_pkg::FlagWrites-1:0][FlagWriteW-1:0] flag_write;  // flag_write_t
  g80_pkg::addr_write_t     addr_write;
  g80_pkg::addr_increment_t addr_increment;
  g80_pkg::kernel_fault_t   stack_fault, address_fault, load_fault, collector_fault;

  // The scheduler's clock, and those of the execution units, which stop while a unit is idle
  logic issue_en, issue_clk;
  logic sp_busy, sp_clk, sfu_busy, sfu_clk, multiply_busy, multiply_clk, dp_busy, dp_clk;

  assign issue_en = !clock_i[0];

  clock_gate u_issue_clock (
    .clk_i,
    .enable_i(issue_en),
    .clk_o   (issue_clk)
  );

  cta_launcher u_cta_launcher (
    .clk_i             (issue_clk),
    .rst_ni,
    .cfg_max_warps_i,
    .cfg_max_ctas_i,
    .cfg_granule_mask_i,
    .cfg_words_i       (cfg_launch_words_i),
    .cfg_lanes_i       (cfg_launch_lanes_i),
    .row_valid_i       (launch_valid_i),
    .row_i             (launch_i),
    .row_pop_o         (launch_pop_o),
    .cta_valid_i,
    .cta_i,
    .cta_pop_o,
    .cta_done_room_i,
    .cta_done_push_o,
    .cta_done_o,
    .drained_i         (drained),
    .fetch_waits_i     (fetch_waits),
    .accesses_busy_i   (accesses_busy),
    .launch_o          (launch),
    .start_o           (warp_start_o),
    .redirect_o        (start),
    .kernel_o          (kernel),
    .ended_o           (ended),
    .smem_start_o      (smem_start),
    .fill_o            (smem_fill),
    .fill_ready_i      (smem_fill_ready),
    .registers_o       (register_start),
    .numbers_o         (thread_numbers),
    .numbers_room_i    (thread_numbers_room)
  );

  fetch u_fetch (
    .clk_i             (issue_clk),
    .rst_ni,
    .cfg_fetch_bytes_i,
    .cfg_ibuffer_entries_i,
    .launch_code_base_i(launch.code_base),
    .start_i           (start),
    .redirect_i        (redirect),
    .level_i           (level),
    .decoded_i         (decoded),
    .cache_ready_i     (fetch_ready),
    .request_o         (fetch_request)
  );

  instruction_cache u_instruction_cache (
    .clk_i          (issue_clk),
    .rst_ni,
    .cfg_line_bits_i(cfg_icache_line_bits_i),
    .cfg_set_mask_i (cfg_icache_set_mask_i),
    .cfg_ways_i     (cfg_icache_ways_i),
    .cfg_way_bits_i (cfg_icache_way_bits_i),
    .cfg_policy_i   (cfg_icache_policy_i),
    .cfg_mshrs_i    (cfg_icache_mshrs_i),
    .cfg_stages_i   (cfg_icache_stages_i),
    .fetch_i        (fetch_request),
    .fetch_ready_o  (fetch_ready),
    .reply_o        (fetch_reply),
    .kernel_i       (kernel),
    .line_o         (icache_line),
    .line_ready_i   (icache_line_ready),
    .fill_i         (icache_fill),
    .fill_ready_o   (icache_fill_ready),
    .waits_o        (fetch_waits)
  );

  decode u_decode (
    .clk_i             (issue_clk),
    .rst_ni,
    .cfg_arch_i,
    .cfg_has_dp_i,
    .launch_code_base_i(launch.code_base),
    .reply_i           (fetch_reply),
    .decoded_o         (decoded)
  );

  instruction_buffer u_instruction_buffer (
    .clk_i               (issue_clk),
    .rst_ni,
    .cfg_sm_id_i,
    .cfg_most_with_room_i(cfg_ibuffer_most_with_room_i),
    .decoded_i           (decoded),
    .start_i             (start),
    .redirect_i          (redirect),
    .pick_i              (pick),
    .issue_o,
    .level_o             (level)
  );

  scoreboard u_scoreboard (
    .clk_i            (issue_clk),
    .rst_ni,
    .cfg_sfu_mul_i,
    .decoded_i        (decoded),
    .start_i          (start),
    .redirect_i       (redirect),
    .resolve_i        (resolve_o),
    .pick_i           (pick),
    .barrier_open_i   (barrier_opened_o),
    .barrier_waiting_i(barrier_waiting),
    .release_i        (release_o),
    .ready_o,
    .drained_o        (drained)
  );

  warp_scheduler u_warp_scheduler (
    .clk_i             (issue_clk),
    .rst_ni,
    .cfg_policy_i      (cfg_scheduler_policy_i),
    .cfg_collector_units_i,
    .cfg_memory_units_i,
    .cfg_load_entries_i(cfg_loads_i),
    .cfg_sfu_cycles_i,
    .cfg_multiply_cycles_i,
    .cfg_dp_cycles_i,
    .cfg_control_cycles_i,
    .cfg_replay_cycles_i,
    .cfg_shared_cycles_i,
    .start_i           (start),
    .ready_i           (ready_o),
    .collector_credit_i(collector_credit),
    .memory_credit_i   (memory_credit),
    .load_credit_i     (load_credit),
    .replay_i          (smem_replay),
    .pick_o            (pick)
  );

  operand_collector u_operand_collector (
    .clk_i              (issue_clk),
    .rst_ni,
    .cfg_place_i        ({8'd0, cfg_tpc_i, 2'd0, cfg_sm_in_tpc_i}),
    .cfg_log2_sfu_lanes_i,
    .cfg_log2_multiply_lanes_i,
    .cfg_log2_dp_lanes_i,
    .cfg_shared_parts_i,
    .cfg_const_stages_i,
    .clock_i,
    .issue_i            (issue_o),
    .masks_i            (masks),
    .reading_i          (32'(reading)),
    .read_banks_i       (read_banks),
    .read_i             (register_read),
    .side_i             (side_read),
    .smem_i             (smem_reply),
    .const_i            (const_reply),
    .freed_i            (unit_freed),
    .answered_i         (unit_answered),
    .sfu_dp_results_i   (sfu_dp_results),
    .unit_o             (next_unit),
    .sp_o               (to_sp),
    .sfu_o              (to_sfu),
    .multiply_o         (to_multipliers),
    .dp_o               (to_dp),
    .address_o          (to_address),
    .sp_operands_o      (sp_operands),
    .sfu_operands_o     (sfu_operands),
    .multiply_operands_o(multiply_operands),
    .dp_operands_o      (dp_operands),
    .address_operands_o (address_operands),
    .control_o          (control),
    .credit_o           (collector_credit),
    .fault_o            (collector_fault)
  );

  register_file u_register_file (
    .clk_i            (issue_clk),
    .rst_ni,
    .cfg_num_banks_i  (cfg_register_banks_i),
    .cfg_init_word_i,
    .cfg_init_differs_i,
    .issue_i          (issue_o),
    .unit_i           (next_unit[3:0]),
    .start_i          (register_start),
    .numbers_i        (thread_numbers),
    .numbers_room_o   (thread_numbers_room),
    .busy_banks_i     (busy_banks),
    .written_ports_i  (written_ports),
    .write_i          (register_write),
    .flag_write_i     (flag_write),
    .addr_write_i     (addr_write),
    .increment_i      (addr_increment),
    .sp_result_i      (sp_result),
    .sfu_result_i     (sfu_result),
    .multiply_result_i(multiply_result),
    .dp_result_i      (dp_result),
    .reading_o        (reading),
    .read_banks_o     (read_banks),
    .read_o           (register_read),
    .side_o           (side_read)
  );

  reconvergence_stack u_reconvergence_stack (
    .clk_i                  (issue_clk),
    .rst_ni,
    .cfg_delay_i            (cfg_branch_delay_i),
    .cfg_taken_first_i,
    .cfg_on_chip_i          (cfg_stack_on_chip_i),
    .cfg_depth_i            (cfg_stack_depth_i),
    .launch_stack_depth_i   (launch.stack_depth),
    .launch_call_limit_log_i(launch.call_limit_log),
    .start_i                (warp_start_o),
    .control_i              (control),
    .redirect_o             (redirect),
    .resolve_o,
    .arrival_o              (arrival),
    .masks_o                (masks),
    .fault_o                (stack_fault),
    .access_o               (stack_access),
    .access_ready_i         (stack_access_ready),
    .fill_i                 (stack_fill)
  );

  barrier u_barrier (
    .clk_i    (issue_clk),
    .rst_ni,
    .cfg_expect_launched_i,
    .start_i  (warp_start_o),
    .arrival_i(arrival),
    .resolve_i(resolve_o),
    .opened_o (barrier_opened_o),
    .waiting_o(barrier_waiting)
  );

  clock_gate u_sp_clock (
    .clk_i,
    .enable_i(sp_busy),
    .clk_o   (sp_clk)
  );
  sp_array u_sp_array (
    .clk_i       (sp_clk),
    .rst_ni,
    .cfg_stages_i(cfg_sp_stages_i),
    .issue_en_i  (issue_en),
    .busy_o      (sp_busy),
    .dispatch_i  (to_sp),
    .operands_i  (sp_operands),
    .ahead_o     (sp_ahead),
    .result_o    (sp_result)
  );

  clock_gate u_sfu_clock (
    .clk_i,
    .enable_i(sfu_busy),
    .clk_o   (sfu_clk)
  );
  sfu u_sfu (
    .clk_i           (sfu_clk),
    .rst_ni,
    .cfg_stages_i    (cfg_sfu_stages_i),
    .cfg_log2_units_i(cfg_log2_sfus_i),
    .issue_en_i      (issue_en),
    .busy_o          (sfu_busy),
    .dispatch_i      (to_sfu),
    .operands_i      (sfu_operands),
    .ahead_o         (sfu_ahead),
    .result_o        (sfu_result)
  );

  if (HasMultipliers) begin : gen_multipliers
    clock_gate u_multiply_clock (
      .clk_i,
      .enable_i(multiply_busy),
      .clk_o   (multiply_clk)
    );
    sfu_multipliers u_sfu_multipliers (
      .clk_i           (multiply_clk),
      .rst_ni,
      .cfg_stages_i    (cfg_multiply_stages_i),
      .cfg_log2_lanes_i(cfg_log2_multipliers_i),
      .issue_en_i      (issue_en),
      .busy_o          (multiply_busy),
      .dispatch_i      (to_multipliers),
      .operands_i      (multiply_operands),
      .ahead_o         (multiply_ahead),
      .result_o        (multiply_result)
    );
  end else begin : gen_no_multipliers
    assign {multiply_busy, multiply_clk} = '0;
    assign multiply_ahead  = g80_pkg::ResultAheadDefault;
    assign multiply_result = g80_pkg::ExecResultDefault;
  end

  if (HasDp) begin : gen_dp
    clock_gate u_dp_clock (
      .clk_i,
      .enable_i(dp_busy),
      .clk_o   (dp_clk)
    );
    dp u_dp (
      .clk_i           (dp_clk),
      .rst_ni,
      .cfg_stages_i    (cfg_dp_stages_i),
      .cfg_log2_lanes_i(cfg_log2_dps_i),
      .issue_en_i      (issue_en),
      .busy_o          (dp_busy),
      .dispatch_i      (to_dp),
      .operands_i      (dp_operands),
      .ahead_o         (dp_ahead),
      .result_o        (dp_result)
    );
  end else begin : gen_no_dp
    assign {dp_busy, dp_clk} = '0;
    assign dp_ahead  = g80_pkg::ResultAheadDefault;
    assign dp_result = g80_pkg::ExecResultDefault;
  end

  address_unit u_address_unit (
    .clk_i            (issue_clk),
    .rst_ni,
    .cfg_sm_id_i,
    .cfg_sm_in_tpc_i,
    .cfg_first_warp_i,
    .cfg_address_cycles_i,
    .launch_i         (launch),
    .start_i          (warp_start_o),
    .dispatch_i       (to_address),
    .operands_i       (address_operands),
    .stack_i          (stack_access),
    .stack_ready_o    (stack_access_ready),
    .fill_i           (smem_fill),
    .fill_ready_o     (smem_fill_ready),
    .smem_ready_i     (smem_ready),
    .const_ready_i    (const_ready),
    .load_freed_i     (load_freed),
    .smem_stored_i    (smem_stored),
    .smem_o           (smem_request),
    .const_o          (const_request),
    .open_o           (load_open),
    .lanes_o          (load_lanes),
    .increment_o      (addr_increment),
    .done_o           (store_done),
    .freed_o          (unit_freed),
    .answered_o       (unit_answered),
    .credit_o         (memory_credit),
    .fault_o          (address_fault),
    .busy_o           (accesses_busy),
    .access_room_i,
    .access_all_free_i,
    .access_push_o,
    .access_o,
    .tex_room_i,
    .tex_all_free_i,
    .tex_push_o,
    .tex_o
  );

  bank_conflict u_bank_conflict (
    .clk_i          (issue_clk),
    .rst_ni,
    .cfg_pass_interval_i,
    .request_i      (smem_request),
    .request_ready_o(smem_ready),
    .pass_o         (smem_pass),
    .replay_o       (smem_replay)
  );

  shared_memory u_shared_memory (
    .clk_i          (issue_clk),
    .rst_ni,
    .cfg_stages_i   (cfg_smem_stages_i),
    .cfg_flag_mask_i(cfg_lock_flag_mask_i),
    .cfg_locks_per_warp_i,
    .cfg_init_word_i,
    .cfg_init_differs_i,
    .pass_i         (smem_pass),
    .start_i        (smem_start),
    .ended_i        (ended),
    .reply_o        (smem_reply),
    .stored_o       (smem_stored)
  );

  constant_cache u_constant_cache (
    .clk_i          (issue_clk),
    .rst_ni,
    .cfg_line_bits_i(cfg_ccache_line_bits_i),
    .cfg_set_mask_i (cfg_ccache_set_mask_i),
    .cfg_ways_i     (cfg_ccache_ways_i),
    .cfg_way_bits_i (cfg_ccache_way_bits_i),
    .cfg_policy_i   (cfg_ccache_policy_i),
    .cfg_mshrs_i    (cfg_ccache_mshrs_i),
    .cfg_rests_i    (cfg_ccache_rests_i),
    .request_i      (const_request),
    .request_ready_o(const_ready),
    .reply_o        (const_reply),
    .kernel_i       (kernel),
    .line_o         (ccache_line),
    .line_ready_i   (ccache_line_ready),
    .fill_i         (ccache_fill),
    .fill_ready_o   (ccache_fill_ready)
  );

  load_table u_load_table (
    .clk_i         (issue_clk),
    .rst_ni,
    .cfg_stages_i  (cfg_return_stages_i),
    .open_i        (load_open),
    .lanes_i       (load_lanes),
    .freed_o       (load_freed),
    .reply_valid_i,
    .reply_i,
    .reply_pop_o,
    .tex_valid_i,
    .tex_i,
    .tex_pop_o,
    .result_o      (load_result),
    .rows_written_i(load_rows),
    .stack_o       (stack_fill),
    .credit_o      (load_credit),
    .fault_o       (load_fault)
  );

  writeback u_writeback (
    .clk_i            (issue_clk),
    .rst_ni,
    .cfg_num_banks_i  (cfg_register_banks_i),
    .cfg_log2_sfu_lanes_i,
    .cfg_log2_multiply_lanes_i,
    .cfg_log2_dp_lanes_i,
    .sp_ahead_i       (sp_ahead),
    .sfu_ahead_i      (sfu_ahead),
    .multiply_ahead_i (multiply_ahead),
    .dp_ahead_i       (dp_ahead),
    .sp_result_i      (sp_result),
    .sfu_result_i     (sfu_result),
    .multiply_result_i(multiply_result),
    .dp_result_i      (dp_result),
    .load_i           (load_result),
    .store_i          (store_done),
    .control_i        (control),
    .release_o,
    .load_rows_o      (load_rows),
    .sfu_dp_results_o (sfu_dp_results),
    .busy_banks_o     (busy_banks),
    .written_ports_o  (written_ports),
    .write_o          (register_write),
    .flag_write_o     (flag_write),
    .addr_write_o     (addr_write)
  );

  line_port u_line_port (
    .clk_i                   (issue_clk),
    .rst_ni,
    .cfg_tpc_i,
    .cfg_sm_in_tpc_i,
    .instruction_i           (icache_line),
    .instruction_ready_o     (icache_line_ready),
    .instruction_fill_o      (icache_fill),
    .instruction_fill_ready_i(icache_fill_ready),
    .constant_i              (ccache_line),
    .constant_ready_o        (ccache_line_ready),
    .constant_fill_o         (ccache_fill),
    .constant_fill_ready_i   (ccache_fill_ready),
    .line_room_i,
    .line_push_o,
    .line_o,
    .line_valid_i,
    .line_pop_o,
    .line_i
  );

  fault_reporter u_fault_reporter (
    .clk_i       (issue_clk),
    .rst_ni,
    .cfg_sm_id_i,
    .start_i     (warp_start_o),
    .stack_i     (stack_fault),
    .address_i   (address_fault),
    .load_i      (load_fault),
    .collector_i (collector_fault),
    .fault_room_i,
    .fault_push_o,
    .fault_o
  );
endmodule

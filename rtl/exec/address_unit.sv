// SPDX-License-Identifier: Apache-2.0
// Computes the addresses of every access to s[], c[], l[], g[] and textures, and sends them out half a warp a scheduler
// cycle. Twin of hw/exec/address_unit.h, equal to it at every clock edge.
//
//   operand_collector -> address_former -> on_chip_requests  -> bank_conflict, constant_cache
//                                       -> off_chip_requests -> load_table, coalescer, texture unit
module address_unit #(
  localparam int unsigned Warps   = g80_pkg::MaxWarps,
  localparam int unsigned Lanes   = g80_pkg::HalfWarp,
  localparam int unsigned CyclesW = $clog2(g80_pkg::MaxSmAddressCycles / 2 + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  // Straps
  input  logic [7:0]                    cfg_sm_id_i,
  input  logic [1:0]                    cfg_sm_in_tpc_i,
  input  logic [10:0]                   cfg_first_warp_i,   // number in the chip of the SM's warp slot 0
  input  logic [CyclesW-1:0]            cfg_address_cycles_i,

  // From cta_launcher
  input  g80_pkg::launch_state_t        launch_i,
  input  g80_pkg::warp_start_t          start_i,
  input  g80_pkg::smem_fill_t           fill_i,
  output logic                          fill_ready_o,
  output logic                          busy_o,             // accesses are on their way

  // From and to operand_collector
  input  g80_pkg::address_dispatch_t    dispatch_i,
  input  g80_pkg::address_lanes_t       operands_i,
  output logic [Warps-1:0]              freed_o,            // bit = unit
  output logic [Warps-1:0]              answered_o,         // c[] outside its bank reads 0

  // From and to reconvergence_stack
  input  g80_pkg::stack_access_t        stack_i,
  output logic                          stack_ready_o,

  // To bank_conflict and constant_cache; from shared_memory
  output g80_pkg::smem_request_t        smem_o,
  input  logic                          smem_ready_i,
  input  logic                          smem_stored_i,      // a half-warp's store was performed
  output g80_pkg::const_request_t       const_o,
  input  logic                          const_ready_i,

  // To and from load_table
  output g80_pkg::load_open_t           open_o,
  output g80_pkg::load_lanes_t          lanes_o,
  input  g80_pkg::load_freed_t          load_freed_i,

  // To register_file, writeback, warp_scheduler and fault_reporter
  output g80_pkg::addr_increment_t      increment_o,
  output g80_pkg::store_done_t          done_o,
  output g80_pkg::credits_t             credit_o,
  output g80_pkg::kernel_fault_t        fault_o,

  // To the coalescer and the texture unit, through queues
  input  logic                          access_room_i,
  input  logic                          access_all_free_i,
  output logic                          access_push_o,
  output g80_pkg::half_warp_access_t    access_o,
  input  logic                          tex_room_i,
  input  logic                          tex_all_free_i,
  output logic                          tex_push_o,
  output g80_pkg::tex_request_t         tex_o
);
  // Registers
  g80_pkg::store_done_t done_d, done_q;
  logic [Warps-1:0]     freed_d, freed_q;
  logic [7:0]           credit_d, credit_q;

  logic                          push_on_chip, push_off_chip, second_on_chip, second_off_chip, row_faults;
  g80_pkg::address_job_t         job;
  g80_pkg::decoded_instruction_t decoded;
  logic [1:0]                    row_on_chip, row_off_chip;
  logic [Lanes-1:0]              row_lanes;
  logic [Lanes-1:0][31:0]        row_address;

  address_former u_former (
    .clk_i,
    .rst_ni,
    .cfg_sm_id_i,
    .cfg_first_warp_i,
    .launch_i,
    .start_i,
    .dispatch_i,
    .operands_i,
    .push_on_chip_o   (push_on_chip),
    .push_off_chip_o  (push_off_chip),
    .job_o            (job),
    .decoded_o        (decoded),
    .row_on_chip_o    (row_on_chip),
    .row_off_chip_o   (row_off_chip),
    .second_on_chip_o (second_on_chip),
    .second_off_chip_o(second_off_chip),
    .row_faults_o     (row_faults),
    .row_lanes_o      (row_lanes),
    .row_address_o    (row_address),
    .increment_o,
    .fault_o
  );

  logic                 store_sent, store_performed, access_sent;
  logic [3:0]           store_unit, access_unit;
  g80_pkg::store_done_t store_done, access_done;

  on_chip_requests u_on_chip (
    .clk_i,
    .rst_ni,
    .cfg_sm_id_i,
    .push_i       (push_on_chip),
    .job_i        (job),
    .decoded_i    (decoded),
    .row_i        (row_on_chip),
    .second_i     (second_on_chip),
    .row_faults_i (row_faults),
    .row_lanes_i  (row_lanes),
    .row_address_i(row_address),
    .row_data_i   (operands_i.data[0]),
    .fill_i,
    .fill_ready_o,
    .smem_o,
    .smem_ready_i,
    .smem_stored_i,
    .const_o,
    .const_ready_i,
    .answered_o,
    .sent_o       (store_sent),
    .sent_unit_o  (store_unit),
    .performed_o  (store_performed),
    .done_o       (store_done)
  );
  off_chip_requests u_off_chip (
    .clk_i,
    .rst_ni,
    .cfg_sm_id_i,
    .cfg_sm_in_tpc_i,
    .cfg_first_warp_i,
    .cfg_address_cycles_i,
    .launch_i,
    .push_i       (push_off_chip),
    .job_i        (job),
    .decoded_i    (decoded),
    .row_i        (row_off_chip),
    .second_i     (second_off_chip),
    .row_faults_i (row_faults),
    .row_address_i(row_address),
    .row_data_i   (operands_i.data),
    .stack_i,
    .stack_ready_o,
    .open_o,
    .lanes_o,
    .load_freed_i,
    .access_room_i,
    .access_all_free_i,
    .access_push_o,
    .access_o,
    .tex_room_i,
    .tex_all_free_i,
    .tex_push_o,
    .tex_o,
    .busy_o,
    .done_taken_i (store_performed),
    .sent_o       (access_sent),
    .sent_unit_o  (access_unit),
    .done_o       (access_done)
  );

  // Instructions that are finished here, and units whose operands are no longer needed
  assign done_d   = store_performed ? store_done : access_done;
  assign credit_d = credit_q + 8'(store_sent) + 8'(access_sent);

  always_comb begin : next_freed
    freed_d = '0;
    if (store_sent) freed_d[{1'b0, store_unit}] = 1'b1;
    if (access_sent) freed_d[{1'b0, access_unit}] = 1'b1;
  end

  assign done_o   = done_q;
  assign freed_o  = freed_q;
  assign credit_o = {8'd0, credit_q, 16'd0};

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      done_q   <= g80_pkg::StoreDoneDefault;
      freed_q  <= '0;
      credit_q <= '0;
    end else begin
      done_q   <= done_d;
      freed_q  <= freed_d;
      credit_q <= credit_d;
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// Sends the SM's first fault to the command processor, completed with the block and warp it belongs to.
// Twin of hw/sm/fault_reporter.h, equal to it at every clock edge.
module fault_reporter (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Strap
  input  logic [7:0]             cfg_sm_id_i,

  // From cta_launcher
  input  g80_pkg::warp_start_t   start_i,

  // From reconvergence_stack, address_unit, load_table and operand_collector, the first before the others
  input  g80_pkg::kernel_fault_t stack_i,
  input  g80_pkg::kernel_fault_t address_i,
  input  g80_pkg::kernel_fault_t load_i,
  input  g80_pkg::kernel_fault_t collector_i,

  // To the command processor, through a queue
  input  logic                   fault_room_i,
  output logic                   fault_push_o,
  output g80_pkg::kernel_fault_t fault_o
);
  localparam int unsigned Warps   = g80_pkg::MaxWarps;
  localparam int unsigned WarpW   = $clog2(Warps);
  localparam int unsigned Sources = 4;
  localparam int unsigned FaultW  = g80_pkg::KernelFaultWidth;

  // Where in its grid the warp of a slot is
  typedef struct packed {
    logic [15:0] cta_x;
    logic [15:0] cta_y;
    logic [3:0]  warp_in_cta;
  } tenant_t;
  localparam int unsigned TenantW = 36;

  // Registers
  logic                   reported_d, reported_q;
  g80_pkg::kernel_fault_t fault_d, fault_q;

  // The first source with a fault
  logic [Sources-1:0]             valid;
  logic [Sources-1:0][FaultW-1:0] source;
  logic                           found;
  logic [$clog2(Sources)-1:0]     first;
  g80_pkg::kernel_fault_t         fault;

  assign valid  = {collector_i.valid, load_i.valid, address_i.valid, stack_i.valid};
  assign source = {collector_i, load_i, address_i, stack_i};
  assign fault  = source[first];

  lowest_set #(.Width(Sources)) u_first (
    .mask_i (valid),
    .found_o(found),
    .index_o(first)
  );

  // A warp may fault in the cycle in which it starts.
  tenant_t            starting, tenant;
  logic [TenantW-1:0] read_data;

  assign starting.cta_x       = start_i.cta_x;
  assign starting.cta_y       = start_i.cta_y;
  assign starting.warp_in_cta = start_i.warp_in_cta;
  assign tenant = start_i.valid && start_i.warp == fault.origin.warp[WarpW-1:0] ? starting : read_data;

  sram_1r1w #(
    .Words(Warps),
    .Width(TenantW)
  ) u_tenants (
    .clk_i,
    .write_i        (start_i.valid),
    .write_address_i(start_i.warp),
    .write_data_i   (starting),
    .read_address_i (fault.origin.warp[WarpW-1:0]),
    .read_data_o    (read_data)
  );

  assign fault_push_o = found && !reported_q && fault_room_i;
  assign reported_d   = reported_q || fault_push_o;

  always_comb begin : complete
    fault_o             = fault;
    fault_o.origin.sm   = cfg_sm_id_i;
    fault_o.cta_x       = tenant.cta_x;
    fault_o.cta_y       = tenant.cta_y;
    fault_o.warp_in_cta = {1'b0, tenant.warp_in_cta};
  end
  assign fault_d = fault_push_o ? fault_o : fault_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      reported_q <= 1'b0;
      fault_q    <= g80_pkg::KernelFaultDefault;
    end else begin
      reported_q <= reported_d;
      fault_q    <= fault_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      WarpExists: assert (!found || fault.origin.warp < 8'(Warps));
    end
  end
endmodule

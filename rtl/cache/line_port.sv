// SPDX-License-Identifier: Apache-2.0
// An SM's port to the second-level cache: sends the misses of its instruction and constant caches in turn, and gives
// each fill to its cache. Twin of hw/cache/line_port.h, equal to it at every clock edge.
module line_port (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  // Straps
  input  logic [3:0]             cfg_tpc_i,
  input  logic [1:0]             cfg_sm_in_tpc_i,

  // From and to the instruction cache
  input  g80_pkg::line_request_t instruction_i,
  output logic                   instruction_ready_o,
  output g80_pkg::line_reply_t   instruction_fill_o,
  input  logic                   instruction_fill_ready_i,

  // From and to the constant cache
  input  g80_pkg::line_request_t constant_i,
  output logic                   constant_ready_o,
  output g80_pkg::line_reply_t   constant_fill_o,
  input  logic                   constant_fill_ready_i,

  // To and from the second level of the TPC, through queues
  input  logic                   line_room_i,
  output logic                   line_push_o,
  output g80_pkg::line_request_t line_o,
  input  logic                   line_valid_i,
  output logic                   line_pop_o,
  input  g80_pkg::line_reply_t   line_i
);
  localparam int unsigned Depth  = 2;

  // Registers
  logic                 instruction_ready_d, instruction_ready_q;
  logic                 constant_ready_d, constant_ready_q;
  logic                 constant_first_d, constant_first_q;  // whose turn it is if both caches have a miss
  g80_pkg::line_reply_t instruction_fill_d, instruction_fill_q;
  g80_pkg::line_reply_t constant_fill_d, constant_fill_q;

  // Miss queues
  logic                   instruction_accept, instruction_empty, instruction_goes;
  logic                   constant_accept, constant_empty, constant_goes;
  g80_pkg::line_request_t instruction_head, constant_head;
  logic                   instruction_empty_next, instruction_full_next;
  logic                   constant_empty_next, constant_full_next;

  assign instruction_accept = instruction_i.valid && instruction_ready_q;
  assign constant_accept    = constant_i.valid && constant_ready_q;

  shift_queue #(
    .Depth(Depth),
    .Width(g80_pkg::LineRequestWidth)
  ) u_instruction (
    .clk_i,
    .rst_ni,
    .push_i        (instruction_accept),
    .data_i        (instruction_i),
    .pop_i         (instruction_goes),
    .empty_o       (instruction_empty),
    .head_valid_o  (),
    .head_o        (instruction_head),
    .empty_next_o  (instruction_empty_next),
    .full_next_o   (instruction_full_next)
  );

  shift_queue #(
    .Depth(Depth),
    .Width(g80_pkg::LineRequestWidth)
  ) u_constant (
    .clk_i,
    .rst_ni,
    .push_i        (constant_accept),
    .data_i        (constant_i),
    .pop_i         (constant_goes),
    .empty_o       (constant_empty),
    .head_valid_o  (),
    .head_o        (constant_head),
    .empty_next_o  (constant_empty_next),
    .full_next_o   (constant_full_next)
  );

  // Only a miss accepted in an earlier cycle can leave.
  assign constant_goes    = line_room_i && !constant_empty && (instruction_empty || constant_first_q);
  assign instruction_goes = line_room_i && !instruction_empty && !constant_goes;
  assign line_push_o      = instruction_goes || constant_goes;

  always_comb begin : request
    line_o           = constant_goes ? constant_head : instruction_head;
    line_o.tpc       = cfg_tpc_i;
    line_o.sm_in_tpc = cfg_sm_in_tpc_i;
  end

  always_comb begin : next_turn
    constant_first_d = constant_first_q;
    if (line_push_o) constant_first_d = !constant_goes;
  end

  assign instruction_ready_d = !instruction_full_next;
  assign constant_ready_d    = !constant_full_next;

  // A fill moves to its cache's output register when the cache has taken the previous fill.
  logic to_instruction, instruction_held, constant_held;

  assign to_instruction   = line_i.client == g80_pkg::MemClientInstruction;
  assign instruction_held = instruction_fill_q.valid && !instruction_fill_ready_i;
  assign constant_held    = constant_fill_q.valid && !constant_fill_ready_i;
  assign line_pop_o       = line_valid_i && !(to_instruction ? instruction_held : constant_held);

  always_comb begin : next_instruction_fill
    instruction_fill_d       = line_pop_o && to_instruction ? line_i : instruction_fill_q;
    instruction_fill_d.valid = instruction_held || (line_pop_o && to_instruction);
  end

  always_comb begin : next_constant_fill
    constant_fill_d       = line_pop_o && !to_instruction ? line_i : constant_fill_q;
    constant_fill_d.valid = constant_held || (line_pop_o && !to_instruction);
  end

  assign instruction_ready_o = instruction_ready_q;
  assign instruction_fill_o  = instruction_fill_q;
  assign constant_ready_o    = constant_ready_q;
  assign constant_fill_o     = constant_fill_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      instruction_ready_q <= 1'b1;
      constant_ready_q    <= 1'b1;
      constant_first_q    <= 1'b0;
      instruction_fill_q  <= g80_pkg::LineReplyDefault;
      constant_fill_q     <= g80_pkg::LineReplyDefault;
    end else begin
      instruction_ready_q <= instruction_ready_d;
      constant_ready_q    <= constant_ready_d;
      constant_first_q    <= constant_first_d;
      instruction_fill_q  <= instruction_fill_d;
      constant_fill_q     <= constant_fill_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneRequestAtATime: assert (!(instruction_goes && constant_goes));
      InstructionCacheGetsItsLines: assert (instruction_fill_q.client == g80_pkg::MemClientInstruction);
      ConstantCacheGetsItsLines:
        assert (!constant_fill_q.valid || constant_fill_q.client != g80_pkg::MemClientInstruction);
    end
  end
endmodule

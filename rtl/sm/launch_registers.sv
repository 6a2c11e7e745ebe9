// SPDX-License-Identifier: Apache-2.0
// The launch state of an SM, without the parameters: each row goes into the registers that it is of.
// Twin of store_row() of hw/bundles/launch_beat.h.
module launch_registers (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   row_valid_i,
  input  g80_pkg::launch_beat_t  row_i,

  output g80_pkg::launch_state_t launch_o
);
  localparam int unsigned Banks  = g80_pkg::NumConstBanks;
  localparam int unsigned Spaces = g80_pkg::NumGlobalSpaces;

  g80_pkg::launch_state_t launch_d, launch_q;
  logic [31:0]            low;
  logic [3:0][15:0]       half;

  assign low  = row_i.data[31:0];
  assign half = row_i.data;

  always_comb begin : store
    launch_d = launch_q;
    if (row_valid_i) begin
      case (row_i.row)
        8'(g80_pkg::LaunchRowCode): begin
          launch_d.code_base = low;
          launch_d.start_pc  = row_i.data[32+:$bits(launch_q.start_pc)];
        end
        8'(g80_pkg::LaunchRowGrid): {launch_d.block_y, launch_d.block_x, launch_d.grid_y, launch_d.grid_x} = half;
        8'(g80_pkg::LaunchRowBlock):
          {launch_d.grid_id, launch_d.shared_bytes, launch_d.threads, launch_d.block_z} = half;
        8'(g80_pkg::LaunchRowLocal): begin
          launch_d.local_base  = low;
          launch_d.local_bytes = row_i.data[32+:$bits(launch_q.local_bytes)];
        end
        8'(g80_pkg::LaunchRowStack): begin
          launch_d.stack_base  = low;
          launch_d.stack_depth = row_i.data[32+:$bits(launch_q.stack_depth)];
        end
        8'(g80_pkg::LaunchRowLimits): begin
          {launch_d.call_limit_log, launch_d.num_params, launch_d.number, launch_d.registers} = low;
          for (int unsigned b = 0; b < Banks; b++) launch_d.const_bank[b].valid = half[2][b];
          for (int unsigned s = 0; s < Spaces; s++) launch_d.global_[s].enabled = half[3][s];
        end
        default: ;
      endcase
      for (int unsigned s = 0; s < Spaces; s++)
        if (row_i.row == 8'(g80_pkg::LaunchRowGlobal + s)) {launch_d.global_[s].limit, launch_d.global_[s].base} = half;
      for (int unsigned b = 0; b < Banks; b++) begin
        if (row_i.row == 8'(g80_pkg::LaunchRowConstBank + b)) begin
          launch_d.const_bank[b].address = low;
          launch_d.const_bank[b].bytes   = row_i.data[32+:$bits(launch_q.const_bank[0].bytes)];
        end
      end
    end
  end

  assign launch_o = launch_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) launch_q <= g80_pkg::LaunchStateDefault;
    else launch_q <= launch_d;
  end
endmodule

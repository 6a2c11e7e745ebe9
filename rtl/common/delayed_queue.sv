// SPDX-License-Identifier: Apache-2.0
// A queue whose entries leave a fixed number of cycles after they entered: the words wait in a memory, and a valid bit
// passes through registers in a row. Who takes an entry must take it in the cycle in which it arrives.
module delayed_queue #(
  parameter int unsigned Stages = 64,
  parameter int unsigned Width  = 1,
  localparam int unsigned IndexW = $clog2(Stages),
  localparam int unsigned CountW = $clog2(Stages + 1)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Strap: up to Stages; 0: an entry leaves in the cycle in which it enters
  input  logic [CountW-1:0] cfg_stages_i,

  input  logic              push_i,
  input  logic [Width-1:0]  data_i,
  output logic              arrived_o,
  output logic [Width-1:0]  data_o,
  output logic              empty_next_o  // after the coming edge
);
  // Registers
  logic [Stages-1:0] valid_d, valid_q;  // bit i: entered i + 1 cycles ago
  logic [IndexW-1:0] write_d, write_q;
  logic [IndexW-1:0] read_d, read_q;

  logic             delays, leaves;
  logic [Width-1:0] oldest;

  assign delays = cfg_stages_i != '0;
  assign leaves = delays && valid_q[IndexW'(cfg_stages_i - CountW'(1))];

  sram_1r1w #(
    .Words(Stages),
    .Width(Width)
  ) u_word (
    .clk_i,
    .write_i        (push_i && delays),
    .write_address_i(write_q),
    .write_data_i   (data_i),
    .read_address_i (read_q),
    .read_data_o    (oldest)
  );

  assign valid_d[0] = push_i && delays;
  for (genvar i = 1; i < Stages; i++) begin : gen_stage
    assign valid_d[i] = valid_q[i-1] && CountW'(i) < cfg_stages_i;
  end
  assign write_d = write_q + IndexW'(push_i && delays);
  assign read_d  = read_q + IndexW'(leaves);

  assign arrived_o    = delays ? leaves : push_i;
  assign data_o       = delays ? oldest : data_i;
  assign empty_next_o = valid_d == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      valid_q <= '0;
      write_q <= '0;
      read_q  <= '0;
    end else begin
      valid_q <= valid_d;
      write_q <= write_d;
      read_q  <= read_d;
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// An entry leaves exactly cfg_stages_i cycles after it entered, and nothing else leaves.
module delayed_queue_props #(
  parameter int unsigned Stages = 4,  // a power of two
  parameter int unsigned Width  = 2,
  localparam int unsigned CountW = $clog2(Stages + 1)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             track_i
);
  (* anyconst *) logic [CountW-1:0] stages;
  logic             arrived, empty_next;
  logic [Width-1:0] data;

  delayed_queue #(
    .Stages(Stages),
    .Width (Width)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .cfg_stages_i(stages),
    .push_i,
    .data_i,
    .arrived_o   (arrived),
    .data_o      (data),
    .empty_next_o(empty_next)
  );

  // The cycles in which an entry came, and one of them, chosen freely
  logic [Stages:0]   pushed, pushed_q;  // bit i: i cycles ago
  logic              tracked, tracked_q;
  logic [CountW-1:0] age, age_q;
  logic [Width-1:0]  tracked_data, data_q;

  assign pushed       = {pushed_q[Stages-1:0], push_i};
  assign tracked      = tracked_q || (push_i && track_i);
  assign age          = tracked_q ? age_q : '0;
  assign tracked_data = tracked_q ? data_q : data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      pushed_q  <= '0;
      tracked_q <= 1'b0;
      age_q     <= '0;
      data_q    <= '0;
    end else begin
      pushed_q  <= pushed;
      tracked_q <= tracked && age != stages;
      age_q     <= age + CountW'(1);
      data_q    <= tracked_data;
    end
  end

  always_comb begin : properties
    StrapIsInRange: assume (stages <= CountW'(Stages));
    ArrivesInItsCycle: assert (arrived == pushed[stages]);
    ArrivesUnchanged: assert (!(tracked && age == stages) || data == tracked_data);
    EmptyIsTrue: assert (!empty_next || !tracked || age == stages);
    Overlaps: cover (stages == CountW'(Stages) && arrived && push_i && tracked && age == stages);
    ArrivesAtOnce: cover (stages == '0 && arrived && tracked);
  end
endmodule

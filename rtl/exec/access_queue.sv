// SPDX-License-Identifier: Apache-2.0
// Accesses in their order, and a memory of operands with a row for each half-warp. An access pushed in a cycle can be
// worked on in the same cycle; the row of its second half-warp may come a cycle later.
//
// The user pushes only when there is room and pops only when head_valid_o is high.
module access_queue #(
  parameter int unsigned Depth = 16,
  parameter int unsigned JobW  = 1,
  parameter int unsigned RowW  = 1,
  localparam int unsigned IndexW = $clog2(Depth),
  localparam int unsigned Rows   = 1 << IndexW,
  localparam int unsigned CountW = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 push_i,
  input  logic [JobW-1:0]      job_i,
  input  logic                 pop_i,

  // Operands of a half-warp: of the access that comes, or the second one of the newest
  input  logic [1:0]           write_i,       // for each half
  input  logic                 second_i,
  input  logic                 fault_i,       // ... has a bad address: the access goes no further
  input  logic [RowW-1:0]      row_i,

  // The oldest access, including this cycle's push
  output logic                 head_valid_o,
  output logic [JobW-1:0]      job_o,
  output logic                 faulted_o,
  output logic [1:0][RowW-1:0] row_o,
  output logic                 empty_next_o   // after the coming edge
);
  // Registers
  logic [IndexW-1:0] head_d, head_q;
  logic [CountW-1:0] count_d, count_q;
  logic [Rows-1:0]   faulted_d, faulted_q;

  logic                      empty;
  logic [IndexW-1:0]         tail, newest;
  logic [JobW-1:0]           front;       // of the accesses from before this cycle
  logic [1:0][IndexW-1:0]    row_address;
  logic [1:0][RowW-1:0]      kept;

  assign empty  = count_q == '0;
  assign tail   = head_q + count_q[IndexW-1:0];
  assign newest = tail - IndexW'(1);

  sram_1r1w #(
    .Words(Rows),
    .Width(JobW)
  ) u_jobs (
    .clk_i,
    .write_i        (push_i),
    .write_address_i(tail),
    .write_data_i   (job_i),
    .read_address_i (head_q),
    .read_data_o    (front)
  );
  assign job_o = empty ? job_i : front;

  assign row_address = {second_i ? newest : tail, tail};

  for (genvar h = 0; h < 2; h++) begin : gen_rows
    sram_1r1w #(
      .Words(Rows),
      .Width(RowW)
    ) u_rows (
      .clk_i,
      .write_i        (write_i[h]),
      .write_address_i(row_address[h]),
      .write_data_i   (row_i),
      .read_address_i (head_q),
      .read_data_o    (kept[h])
    );
    assign row_o[h] = write_i[h] && row_address[h] == head_q ? row_i : kept[h];
  end

  always_comb begin : next_faulted
    faulted_d = faulted_q;
    if (push_i) faulted_d[tail] = 1'b0;
    if (second_i && fault_i) faulted_d[newest] = 1'b1;
  end

  assign head_d       = head_q + IndexW'(pop_i);
  assign count_d      = count_q + CountW'(push_i) - CountW'(pop_i);
  assign head_valid_o = !empty || push_i;
  assign faulted_o    = faulted_d[head_q];
  assign empty_next_o = count_d == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      head_q  <= '0;
      count_q <= '0;
    end else begin
      head_q  <= head_d;
      count_q <= count_d;
    end
  end
  always_ff @(posedge clk_i) begin : faults
    faulted_q <= faulted_d;
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushHasRoom: assert (!push_i || count_q != CountW'(Depth));
      PopHasAnAccess: assert (!pop_i || head_valid_o);
      SecondHalfIsOfAnAccess: assert (!second_i || (!empty && write_i == 2'b10));
    end
  end
endmodule

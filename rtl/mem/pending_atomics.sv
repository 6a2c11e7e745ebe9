// SPDX-License-Identifier: Apache-2.0
// The atomics of a partition and what waits for them: hw/mem/pending_atomics.h. All places are compared at once.
module pending_atomics #(
  parameter int unsigned Places     = 32,
  parameter int unsigned BurstBytes = 32,
  localparam int unsigned PlaceW    = $clog2(Places),
  localparam int unsigned OffsetW   = $clog2(BurstBytes)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // The front transaction: aligned to 32 << size_i bytes
  input  logic [31:5]         address_i,
  input  logic [1:0]          size_i,
  output logic                blocked_o,  // it would follow an atomic
  output logic                full_o,
  output logic [PlaceW-1:0]   place_o,    // that an atomic gets
  input  logic                enter_i,
  // The atomic unit has written one back
  input  logic                written_i,
  input  logic [PlaceW-1:0]   written_place_i,
  // The reply of one has gone
  input  logic                leave_i,
  input  logic [PlaceW-1:0]   leave_place_i
);
  logic [Places-1:0]                taken_q, pending_q, leaving, written, entering, meets;
  logic [Places-1:0][31:OffsetW]    burst_q;
  logic [31:OffsetW]                compared;  // bits of the address
  logic                             found;

  assign leaving  = leave_i ? Places'(1) << leave_place_i : '0;
  assign written  = written_i ? Places'(1) << written_place_i : '0;
  assign entering = enter_i ? Places'(1) << place_o : '0;

  always_comb begin : mask_address
    compared = '1;
    for (int unsigned bit_number = OffsetW; bit_number < 7; bit_number++) begin
      if (32'(size_i) + 5 > bit_number) compared[bit_number] = 1'b0;
    end
  end
  for (genvar place = 0; place < Places; place++) begin : gen_place
    assign meets[place] =
        pending_q[place] && ((burst_q[place] ^ address_i[31:OffsetW]) & compared) == '0;
    always_ff @(posedge clk_i) begin : write_burst
      if (entering[place]) burst_q[place] <= address_i[31:OffsetW];
    end
  end
  assign blocked_o = |meets;

  lowest_set #(
    .Width(Places)
  ) u_free (
    .mask_i (~taken_q | leaving),
    .found_o(found),
    .index_o(place_o)
  );
  assign full_o = !found;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      taken_q   <= '0;
      pending_q <= '0;
    end else begin
      taken_q   <= (taken_q & ~leaving) | entering;
      pending_q <= (pending_q & ~written) | entering;
    end
  end
endmodule

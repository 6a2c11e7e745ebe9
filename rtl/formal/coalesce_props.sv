// SPDX-License-Identifier: Apache-2.0
// The transactions of a half-warp's access serve each of its lanes exactly once. Each serves the lowest lane that
// waits and those that share its segment or word, holds every byte of them, and has no half that they do not touch,
// unless the strict rule makes it whole. Of its lanes that store a word, all but the highest are hidden.
module coalesce_props #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned LaneW = $clog2(Lanes),
  localparam int unsigned Words = 16  // of a segment of the strict rule, also in a proof of fewer lanes
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   read_i,
  input logic                   atomic_i,
  input logic [2:0]             size_i,  // bytes of a lane, as a power of two
  input logic [Lanes-1:0]       lanes_i,
  input logic [Lanes-1:0][31:0] address_i
);
  (* anyconst *) logic segment_rule, share_words;

  // An access, until no lane is left
  logic [Lanes-1:0]       lanes_q, pending_q, served, left;
  logic [Lanes-1:0][31:0] address_q;
  logic [2:0]             size_q;
  logic                   read_q, atomic_q, coalesced, alone;
  logic [Lanes-1:0]       hidden;
  logic [31:0]            address;
  logic [7:0]             bytes;

  coalesce u_dut (
    .cfg_segment_rule_i(segment_rule),
    .cfg_share_words_i (share_words),
    .read_i            (read_q),
    .atomic_i          (atomic_q),
    .bytes_i           (5'd1 << size_q),
    .lanes_i           (lanes_q),
    .pending_i         (pending_q),
    .address_i         (address_q),
    .coalesced_o       (coalesced),
    .hidden_o          (hidden),
    .address_o         (address),
    .bytes_o           (bytes),
    .lanes_o           (served),
    .alone_o           (alone)
  );
  assign left = pending_q & ~served;

  // Any two lanes, and the transactions so far
  (* anyconst *) logic [LaneW-1:0] lane, other;
  logic [LaneW:0] transactions_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      lanes_q        <= '0;
      pending_q      <= '0;
      address_q      <= '0;
      size_q         <= '0;
      read_q         <= 1'b0;
      atomic_q       <= 1'b0;
      transactions_q <= '0;
    end else begin
      pending_q      <= left;
      transactions_q <= transactions_q + (LaneW+1)'(pending_q != '0);
      if (left == '0) begin
        lanes_q        <= lanes_i;
        pending_q      <= lanes_i;
        address_q      <= address_i;
        size_q         <= size_i;
        read_q         <= read_i;
        atomic_q       <= atomic_i;
        transactions_q <= '0;
      end
    end
  end

  // The lowest lane that waits, and where it accesses
  logic [31:0] first;
  logic        aligned;

  always_comb begin : find_first
    first   = address_q[0];
    aligned = 1'b1;
    for (int l = Lanes - 1; l >= 0; l--) begin
      if (pending_q[l]) first = address_q[l];
      if ((address_i[l] & ((32'd1 << size_i) - 32'd1)) != '0) aligned = 1'b0;
    end
  end

  // The bytes of the transaction, and of the lane's access, in 33 bits
  logic [32:0] begin_bytes, end_bytes, begin_lane, end_lane;
  logic        holds_lane, holds_first;

  assign begin_bytes = {1'b0, address};
  assign end_bytes   = begin_bytes + 33'(bytes);
  assign begin_lane  = {1'b0, address_q[lane]};
  assign end_lane    = begin_lane + (33'd1 << size_q);
  assign holds_lane  = begin_bytes <= begin_lane && end_lane <= end_bytes;
  assign holds_first = begin_bytes <= {1'b0, first} && {1'b0, first} < end_bytes;

  logic [Lanes-1:0] lowest;  // ... as a mask

  always_comb begin : find_lowest
    lowest = '0;
    for (int l = Lanes - 1; l >= 0; l--) begin
      if (pending_q[l]) lowest = Lanes'(1) << l;
    end
  end

  // The strict rule, in numbers: every lane of the access lies at its own word of an aligned segment
  logic        whole, in_place;
  logic [31:0] segment_bytes;

  always_comb begin : strict_rule
    segment_bytes = 32'(Words) << size_q;
    in_place      = size_q >= 3'd2;
    for (int l = 0; l < Lanes; l++) begin
      for (int m = 0; m < Lanes; m++) begin
        if (lanes_q[l] && lowest[m] &&
            address_q[l] != ((address_q[m] & ~(segment_bytes - 32'd1)) | (32'(l) << size_q))) in_place = 1'b0;
      end
    end
  end
  assign whole = in_place && !segment_rule && !atomic_q;

  // What the rules let share a transaction with the lowest lane
  logic [31:0]      segment;
  logic [Lanes-1:0] near, equal;  // in its segment, at its address
  logic             shares;

  always_comb begin : find_shares
    case (size_q)
      3'd0:    segment = 32'd32;
      3'd1:    segment = 32'd64;
      3'd2:    segment = segment_rule ? 32'd128 : 32'd64;
      default: segment = 32'd128;
    endcase
    near  = '0;
    equal = '0;
    for (int l = 0; l < Lanes; l++) begin
      for (int m = 0; m < Lanes; m++) begin
        if (lowest[m] && ((address_q[l] ^ address_q[m]) & ~(segment - 32'd1)) == '0) near[l] = 1'b1;
        if (lowest[m] && address_q[l] == address_q[m]) equal[l] = 1'b1;
      end
    end
    shares = atomic_q || !(segment_rule || in_place) ? share_words && read_q && equal[lane] : near[lane];
  end

  // The halves of the transaction that it touches
  logic upper, lower, is_first;

  always_comb begin : find_halves
    upper    = 1'b0;
    lower    = 1'b0;
    is_first = pending_q[lane];
    for (int l = 0; l < Lanes; l++) begin
      if (served[l] && (address_q[l] & 32'(bytes >> 1)) != '0) upper = 1'b1;
      if (served[l] && (address_q[l] & 32'(bytes >> 1)) == '0) lower = 1'b1;
      if (pending_q[l] && LaneW'(l) < lane) is_first = 1'b0;
    end
  end

  always_comb begin : properties
    AddressesAreAligned: assume (aligned && size_i <= 3'd4);
    ServesWhoIsWanted: assert (!served[lane] || lanes_q[lane]);
    ServesTheLowest: assert (!is_first || served[lane]);
    ServesWhoShares: assert (served[lane] == (pending_q[lane] && (is_first || shares)));
    EndsInTime: assert (pending_q == '0 || transactions_q < (LaneW+1)'(Lanes));
    HoldsItsLanes: assert (!served[lane] || holds_lane);
    SizeIsOfATransaction: assert (pending_q == '0 || bytes == 8'd32 || bytes == 8'd64 || bytes == 8'd128);
    IsAligned: assert ((address & (32'(bytes) - 32'd1)) == '0);
    TouchesBothHalves: assert (pending_q == '0 || bytes == 8'd32 || whole || (upper && lower));
    WholeIsOne: assert (!(pending_q != '0 && whole && size_q < 3'd4) || (left == '0 && bytes == 8'(Words) << size_q));
    AloneIsAlone: assert (!alone || !served[lane] || !served[other] || lane == other);
    HidesAllButOne: assert (!(served[lane] && served[other] && lane < other && address_q[lane] == address_q[other]) ||
                            hidden[lane]);
    EachLaneAlone: cover (left == '0 && transactions_q == (LaneW+1)'(Lanes - 1));
    SharesAWord: cover (served[lane] && served[other] && lane != other && share_words && !segment_rule && !coalesced);
    ShrinksItsSegment: cover (segment_rule && bytes == 8'd64 && transactions_q != '0 && left == '0);
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// The next transaction of a half-warp's access. This is where coalescing is decided.
// Twin of coalesce() and is_coalesced() of hw/mem/coalesce.cpp.
//
// Words are aligned, so comparing addresses from some bit on says all: which lanes are in the segment of the lowest
// pending lane, whether each lane is at its own word of it, and which of its 32-byte sectors are touched.
module coalesce #(
  localparam int unsigned Lanes = g80_pkg::HalfWarp,
  localparam int unsigned LaneW = $clog2(Lanes)
) (
  // Straps
  input  logic                   cfg_segment_rule_i,  // else the strict rule
  input  logic                   cfg_share_words_i,   // strict rule: lanes that read one word share a transaction

  input  logic                   read_i,
  input  logic                   atomic_i,
  input  logic [4:0]             bytes_i,      // of a lane: 1, 2, 4, 8 or 16, and the addresses are multiples of it
  input  logic [Lanes-1:0]       lanes_i,      // of the access
  input  logic [Lanes-1:0]       pending_i,    // of these, those without a transaction
  input  logic [Lanes-1:0][31:0] address_i,
  output logic                   coalesced_o,  // the strict rule holds for the whole access
  output logic [Lanes-1:0]       hidden_o,     // a higher lane has the same address

  // The transaction, if a lane is pending
  output logic [31:0]            address_o,    // a multiple of its size
  output logic [7:0]             bytes_o,      // its size: 32, 64 or 128
  output logic [Lanes-1:0]       lanes_o,      // those it serves
  output logic                   alone_o       // each lane has one of its own
);
  logic [Lanes-1:0] lowest;  // pending lane, alone
  logic [31:0]      first;   // its address

  assign lowest = pending_i & ~(pending_i - Lanes'(1));

  always_comb begin : find_first
    first = '0;
    for (int l = 0; l < Lanes; l++) first = first | (lowest[l] ? address_i[l] : 32'd0);
  end

  // Lanes in the same aligned piece of memory as that lane, and lanes at their own word of 4, 8 or 16 bytes. All pairs
  // are compared before the lowest lane is known.
  logic [Lanes-1:0][Lanes-1:0] pair_256, pair_128, pair_64, pair_32, pair_word;
  logic [Lanes-1:0]            same_256, same_128, same_64, same_32, same_word, in_place;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    for (genvar m = 0; m < Lanes; m++) begin : gen_pair
      assign pair_256[l][m]  = address_i[l][31:8] == address_i[m][31:8];
      assign pair_128[l][m]  = pair_256[l][m] && address_i[l][7] == address_i[m][7];
      assign pair_64[l][m]   = pair_128[l][m] && address_i[l][6] == address_i[m][6];
      assign pair_32[l][m]   = pair_64[l][m] && address_i[l][5] == address_i[m][5];
      assign pair_word[l][m] = pair_32[l][m] && address_i[l][4:0] == address_i[m][4:0];
    end

    assign same_256[l]  = (pair_256[l] & lowest) != '0;
    assign same_128[l]  = (pair_128[l] & lowest) != '0;
    assign same_64[l]   = (pair_64[l] & lowest) != '0;
    assign same_32[l]   = (pair_32[l] & lowest) != '0;
    assign same_word[l] = (pair_word[l] & lowest) != '0;
    assign hidden_o[l]  = (pair_word[l] & lanes_i & ~(Lanes'(2 ** (l + 1) - 1))) != '0;

    always_comb begin : find_place
      case (bytes_i)
        5'd4:    in_place[l] = same_64[l] && address_i[l][5:0] == {LaneW'(l), 2'd0};
        5'd8:    in_place[l] = same_128[l] && address_i[l][6:0] == {LaneW'(l), 3'd0};
        5'd16:   in_place[l] = same_256[l] && address_i[l][7:0] == {LaneW'(l), 4'd0};
        default: in_place[l] = 1'b0;
      endcase
    end
  end
  assign coalesced_o = lanes_i != '0 && (lanes_i & ~in_place) == '0;

  // The lanes served
  logic             whole;    // the strict rule holds: a transaction of full size
  logic [Lanes-1:0] segment;  // lanes in the segment of the lowest
  logic             apart;    // no lanes share a segment

  assign whole = !cfg_segment_rule_i && !atomic_i && coalesced_o;

  always_comb begin : find_segment
    case (bytes_i)
      5'd1:    segment = same_32;
      5'd2:    segment = same_64;
      5'd4:    segment = cfg_segment_rule_i ? same_128 : same_64;
      default: segment = same_128;
    endcase
    if (apart) segment = same_word;
    if (alone_o) segment = lowest;
  end
  assign apart   = atomic_i || !(cfg_segment_rule_i || coalesced_o);
  assign alone_o = apart && !(cfg_share_words_i && read_i);
  assign lanes_o = pending_i & segment;

  // The size: the smallest that holds all sectors touched
  logic [3:0] touched;

  always_comb begin : find_touched
    touched = '0;
    for (int l = 0; l < Lanes; l++) touched = touched | (lanes_o[l] ? 4'd1 << address_i[l][6:5] : 4'd0);
  end

  always_comb begin : find_size
    bytes_o = 8'd32;
    if ((touched[0] && touched[1]) || (touched[2] && touched[3]) || whole) bytes_o = 8'd64;
    if (((touched[0] || touched[1]) && (touched[2] || touched[3])) || (whole && bytes_i != 5'd4)) bytes_o = 8'd128;
  end

  assign address_o = {first[31:7], first[6] && bytes_o != 8'd128, first[5] && bytes_o == 8'd32, 5'd0};
endmodule

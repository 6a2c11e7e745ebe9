// SPDX-License-Identifier: Apache-2.0
// One axis of a lane's texture coordinate, from register bits to texel numbers, in four stages without a divider:
// hw/tex/texture_coordinate.h says how. What a request has in common comes with its lanes.
module texture_coordinate #(
  localparam int unsigned SizeW  = 28,         // 1 .. 2^27
  localparam int unsigned FixedW = SizeW + 13  // 512ths of a texel, signed
) (
  input  logic             clk_i,
  // Of the request and axis
  input  logic [SizeW-1:0] size_i,
  input  logic [SizeW-1:0] scale_i,    // the size, or 1
  input  logic [SizeW:0]   period_i,   // 0: coordinates do not repeat
  input  logic [SizeW:0]   offset_i,   // signed
  input  logic [2:0]       mode_i,
  input  logic             linear_i,
  input  logic             fetch_i,
  // Of the lane
  input  logic [31:0]      bits_i,
  // Four clocks later
  output logic [1:0][26:0] index_o,
  output logic [1:0]       outside_o,
  output logic [7:0]       fraction_o
);
  localparam logic [2:0] Mirror = 3'd1, Border = 3'd3, Clamp = 3'd4;

  typedef struct packed {
    logic [SizeW-1:0] size;
    logic [SizeW:0]   period;
    logic [2:0]       mode;
    logic             linear;
  } reach_t;
  typedef struct packed {
    reach_t         reach;
    logic [SizeW:0] offset;
    logic           fetch;
  } setup_t;
  setup_t setup_q, setup_q2;
  reach_t reach_q3;

  // 1. The product. Bits that count whole periods are cleared first.
  logic [7:0]       exponent_q;
  logic             number, negative_q;
  logic [23:0]      kept, significand;
  logic [8:0]       first_cleared;
  logic [51:0]      product_q;
  always_comb begin : clear_periods
    number        = bits_i[30:23] != '0 && !(bits_i[30:23] == '1 && bits_i[22:0] != '0);
    first_cleared = 9'd150 + 9'(mode_i == Mirror) - 9'(bits_i[30:23]);  // signed
    for (int unsigned place = 0; place < 24; place++) begin
      kept[place] = period_i == '0 || (!first_cleared[8] && first_cleared > 9'(place));
    end
    significand = number ? {1'b1, bits_i[22:0]} & kept : '0;
  end

  // 2. To its place: floor(512 u), limited to 2^30 texels.
  localparam int unsigned LimitBits = FixedW - 2;
  logic [8:0]         shift, back;  // signed
  logic [5:0]         right;
  logic [51:0]        lowered, lost, past_limit;
  logic               over;
  logic [LimitBits:0] magnitude;
  logic [FixedW-1:0]  fixed, fixed_q;
  always_comb begin : fix
    shift   = 9'(exponent_q) - 9'd141;
    back    = -shift;
    right   = shift[8] ? (back > 9'd63 ? 6'd63 : back[5:0]) : '0;
    lowered = product_q >> right;
    lost    = product_q & ~(52'({52{1'b1}}) << right);
    for (int unsigned place = 0; place < 52; place++) begin
      past_limit[place] = !shift[8] && 9'(place) + shift >= 9'(LimitBits);
    end
    over      = (product_q & past_limit) != '0 || (shift[8] && lowered[51:LimitBits] != '0);
    magnitude = over ? {1'b1, LimitBits'(0)} : {1'b0, shift[8] ? lowered[LimitBits-1:0]
                                                               : LimitBits'(product_q << shift[5:0])};
    // -magnitude, and one less where something was lost
    fixed     = setup_q.fetch ? FixedW'(product_q)
              : negative_q    ? ~FixedW'(magnitude) + FixedW'(lost == '0) : FixedW'(magnitude);
  end

  // 3. The lower texel and the weight of the upper one.
  logic               below, above;
  logic [FixedW-1:0]  end_of_size, limited, centred;
  logic [31:0]        moved, index, index_q;
  logic [7:0]         fraction_q;
  always_comb begin : place_it
    end_of_size = FixedW'({setup_q2.reach.size, 9'd0});
    below       = fixed_q[FixedW-1];
    above       = !below && fixed_q > end_of_size;
    limited     = setup_q2.reach.mode != Clamp ? fixed_q : below ? '0 : above ? end_of_size : fixed_q;
    centred     = setup_q2.reach.linear ? limited - FixedW'(255) : fixed_q;
    moved       = {{(31-SizeW){setup_q2.offset[SizeW]}}, setup_q2.offset} +
                  (below && !setup_q2.fetch ? 32'(setup_q2.reach.period) : '0);
    index       = (setup_q2.fetch ? fixed_q[31:0] : centred[FixedW-1:9]) + moved;
  end

  logic unused;  // half of a 256th
  assign unused = centred[0];

  // 4. Both texels go inside the texture.
  logic             bordered;
  logic [1:0][32:0] wanted, periodic, folded;  // signed
  logic [1:0]       beyond, outside;
  always_comb begin : reach
    bordered = reach_q3.mode == Border || (reach_q3.mode == Clamp && reach_q3.linear);
    for (int unsigned tap = 0; tap < 2; tap++) begin
      wanted[tap]  = {index_q[31], index_q} + 33'(tap);
      beyond[tap]  = !wanted[tap][32] && wanted[tap] >= 33'(reach_q3.period);
      periodic[tap]  = wanted[tap][32] ? wanted[tap] + 33'(reach_q3.period)
                   : beyond[tap]     ? wanted[tap] - 33'(reach_q3.period) : wanted[tap];
      outside[tap] = reach_q3.period == '0 && (wanted[tap][32] || wanted[tap] >= 33'(reach_q3.size));
      folded[tap]  = reach_q3.period != '0
                   ? (periodic[tap] >= 33'(reach_q3.size) ? 33'(reach_q3.period) + ~periodic[tap] : periodic[tap])
                   : !outside[tap]                ? wanted[tap]
                   : bordered || wanted[tap][32]  ? '0 : 33'(reach_q3.size) - 33'd1;
    end
  end

  always_ff @(posedge clk_i) begin : registers
    setup_q.reach.size   <= size_i;
    setup_q.reach.period <= period_i;
    setup_q.reach.mode   <= mode_i;
    setup_q.reach.linear <= linear_i;
    setup_q.offset       <= offset_i;
    setup_q.fetch        <= fetch_i;
    exponent_q           <= bits_i[30:23];
    negative_q           <= bits_i[31] && number;
    product_q            <= fetch_i ? 52'(bits_i) : 52'(significand) * 52'(scale_i);
    setup_q2             <= setup_q;
    fixed_q              <= fixed;
    reach_q3             <= setup_q2.reach;
    index_q              <= index;
    fraction_q           <= setup_q2.reach.linear ? centred[8:1] : '0;
    index_o              <= {folded[1][26:0], folded[0][26:0]};
    outside_o            <= outside & {2{bordered}};
    fraction_o           <= fraction_q;
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// Stage 8 of a scalar processor: rounding, packing, flags. One incrementer rounds floats of both sizes and completes
// the complement of a negative integer. Twin of hw/exec/sp_round.cpp.
module sp_round (
  input  logic                         enable_i,
  input  g80_pkg::sp_control_t         control_i,
  input  g80_pkg::sp_normalised_lane_t normalised_i,
  input  logic                         verdict_i,
  input  g80_pkg::sp_result_lane_t     held_i,
  output g80_pkg::sp_result_lane_t     next_o
);
  localparam logic [31:0] Nan32      = 32'h7fffffff;
  localparam logic [31:0] Infinity32 = 32'h7f800000;
  localparam logic [31:0] One32      = 32'h3f800000;
  localparam logic [15:0] Nan16      = 16'h7fff;
  localparam logic [15:0] Infinity16 = 16'h7c00;
  localparam logic [15:0] One16      = 16'h3c00;

  logic [31:0] word;
  logic        sign, is_half;
  assign word    = normalised_i.word;
  assign sign    = normalised_i.sign;
  assign is_half = control_i.path == g80_pkg::SpPathToFloat && control_i.to.width == g80_pkg::SpWidth16;

  // What an integral value was rounded to before stays.
  logic       is_whole, rounds_up, away, nearest;
  logic [1:0] round;
  assign is_whole = control_i.path == g80_pkg::SpPathToFloat && control_i.integral;
  assign round    = is_whole ? g80_pkg::RoundRz : control_i.round;
  rounding u_rounding (
    .round_i  (round),
    .sign_i   (sign),
    .odd_i    (is_half ? word[21] : word[8]),
    .guard_i  (is_half ? word[20] : word[7]),
    .sticky_i (is_half ? word[19:0] != '0 : word[6:0] != '0),
    .up_o     (rounds_up),
    .away_o   (away),
    .nearest_o(nearest)
  );

  // Exponent field and fraction are one number: a carry out of the fraction increments the exponent. A word without
  // hidden one has the exponent field below.
  logic [8:0]  field;
  logic [31:0] base, incremented;
  logic        increment;
  assign field = word[31] ? normalised_i.exponent[8:0] : normalised_i.exponent[8:0] - 9'd1;
  always_comb begin : number
    if (control_i.path == g80_pkg::SpPathToInteger) begin
      base      = word;
      increment = sign;
    end else begin
      base      = is_half ? {13'd0, field, word[30:21]} : {field, word[30:8]};
      increment = rounds_up;
    end
  end
  assign incremented = base + 32'(increment);

  // A float that is zero, too large for its format, infinite, or no number
  logic        flushes, zero, over, zero_or_sign, infinite, nan;
  logic        infinity_sign;
  logic [31:0] packed32, float32;
  logic [15:0] packed16, float16;
  assign flushes       = control_i.path == g80_pkg::SpPathFloat;
  assign zero          = word == '0 || (flushes && incremented[31:23] == '0);
  assign over          = is_half ? incremented[18:10] >= 9'd31 : incremented[31:23] >= 9'd255;
  assign zero_or_sign  = zero && flushes ? normalised_i.zero_sign : sign;
  assign infinite      = normalised_i.special[0];
  assign nan           = normalised_i.special[1];
  assign infinity_sign = normalised_i.special[2];

  always_comb begin : pack32
    if (nan) packed32 = Nan32;
    else if (infinite) packed32 = {infinity_sign, Infinity32[30:0]};
    else if (zero) packed32 = {zero_or_sign, 31'd0};
    else if (over) packed32 = {zero_or_sign, away || nearest ? Infinity32[30:0] : Infinity32[30:0] - 31'd1};
    else packed32 = {zero_or_sign, incremented[30:0]};
  end

  always_comb begin : pack16
    if (nan) packed16 = Nan16;
    else if (infinite) packed16 = {infinity_sign, Infinity16[14:0]};
    else if (zero) packed16 = {zero_or_sign, 15'd0};
    else if (over) packed16 = {zero_or_sign, away || nearest ? Infinity16[14:0] : Infinity16[14:0] - 15'd1};
    else packed16 = {zero_or_sign, incremented[14:0]};
  end

  always_comb begin : saturate
    float32 = packed32;
    float16 = packed16;
    if (control_i.saturate && !nan) begin
      if (packed32[31]) float32 = '0;
      else if (packed32 > One32) float32 = One32;
      if (packed16[15]) float16 = '0;
      else if (packed16 > One16) float16 = One16;
    end
  end

  logic [31:0] result;
  always_comb begin : choose
    case (control_i.path)
      g80_pkg::SpPathNone:      result = held_i.word;
      g80_pkg::SpPathFloat:     result = float32;
      g80_pkg::SpPathToFloat:   result = is_half ? {16'd0, float16} : float32;
      g80_pkg::SpPathToInteger: result = control_i.half ? {16'd0, incremented[15:0]} : incremented;
      default:                  result = control_i.half ? {16'd0, word[15:0]} : word;
    endcase
  end

  logic [3:0] flags;
  sp_flags u_flags (
    .control_i,
    .word_i    (result),
    .carry_i   (normalised_i.carry),
    .overflow_i(normalised_i.overflow),
    .verdict_i,
    .flags_o   (flags)
  );

  always_comb begin : pack
    next_o = held_i;
    if (enable_i) begin
      next_o.word = result;
      if (control_i.writes_flags) next_o.flags = flags;
    end
  end
endmodule

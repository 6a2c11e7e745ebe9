// SPDX-License-Identifier: Apache-2.0
// Partition of a physical address, and the address inside it, without a divider: hw/mem/address_divider.h says how.
// Three registers where the number of partitions is no power of two, none where it is one.
module address_divider #(
  parameter int unsigned NumPartitions = 6,
  parameter int unsigned InterleaveLog = 8,
  parameter int unsigned RowLog        = 12,    // of the bytes of a DRAM row
  parameter bit          Hash          = 1'b0,  // partition.hash is xor
  localparam int unsigned PartitionW = NumPartitions > 1 ? $clog2(NumPartitions) : 1
) (
  input  logic                  clk_i,
  input  logic [31:0]           address_i,
  output logic [PartitionW-1:0] partition_o,
  output logic [31:0]           local_o
);
  localparam int unsigned LowBits = NumPartitions == 8 ? 3 : NumPartitions == 4 ? 2 : NumPartitions % 2 == 0 ? 1 : 0;
  localparam int unsigned Odd     = NumPartitions >> LowBits;
  localparam int unsigned HighW   = 32 - InterleaveLog - LowBits;
  // The number of the DRAM row in a partition turns as many low bits of the partition.
  localparam int unsigned HashBits = !Hash ? 0 : NumPartitions == 6 ? 1 : LowBits;

  logic [HighW-1:0]         high, inner;
  logic [2:0]               digit;
  logic [31:0]              address;  // behind the stages
  logic [2:0]               plain, turned;

  assign high = address_i[31:InterleaveLog+LowBits];

  if (Odd == 1) begin : gen_wires
    logic unused;
    assign unused  = clk_i;
    assign digit   = '0;
    assign inner   = high;
    assign address = address_i;
  end else begin : gen_stages
    localparam int unsigned DigitW = Odd == 7 ? 3 : 4;
    localparam int unsigned Digits = (HighW + DigitW - 1) / DigitW;
    localparam int unsigned SumW   = $clog2(Digits * ((1 << DigitW) - 1) + 1);
    localparam int unsigned Second = Odd == 7 ? 6 : 4;
    localparam int unsigned First  = Odd == 7 ? 3 : 2;

    logic [Digits*DigitW-1:0] padded;
    logic [SumW-1:0]          sum;
    logic [2:0]               rest, rest_q, digit_q, digit_q2;
    logic [31:0]              address_q, address_q2, address_q3;
    logic [HighW-1:0]         number, multiple, once, twice, twice_q, thrice, quotient_q;

    // 1. The digits' sum, and its rest from a table.
    assign padded = (Digits * DigitW)'(high);
    always_comb begin : add_digits
      sum = '0;
      for (int unsigned i = 0; i < Digits; i++) sum += SumW'(padded[i*DigitW+:DigitW]);
    end
    always_comb begin : reduce
      rest = '0;
      for (int unsigned value = 0; value < (1 << SumW); value++) begin
        if (sum == SumW'(value)) rest |= 3'(value % Odd);
      end
    end

    // 2. A multiple, of which the sums make the quotient.
    always_comb begin : begin_quotient
      number   = address_q[31:InterleaveLog+LowBits];
      multiple = Odd == 5 ? number - HighW'(rest_q) : HighW'(rest_q) - number;
      once     = Odd == 5 ? multiple - (multiple << First) : multiple + (multiple << First);
      twice    = once + (once << Second);
    end

    // 3.
    assign thrice = twice_q + (twice_q << (2 * Second));

    always_ff @(posedge clk_i) begin : registers
      rest_q     <= rest;
      address_q  <= address_i;
      digit_q    <= rest_q;
      address_q2 <= address_q;
      twice_q    <= twice;
      digit_q2   <= digit_q;
      address_q3 <= address_q2;
      quotient_q <= thrice + (thrice << (4 * Second));
    end
    assign digit   = digit_q2;
    assign inner   = quotient_q;
    assign address = address_q3;
  end

  // Wires from here on.
  always_comb begin : place
    plain  = (digit << LowBits) | (3'(address[31:InterleaveLog]) & 3'((1 << LowBits) - 1));
    turned = 3'(inner >> (RowLog - InterleaveLog)) & 3'((1 << HashBits) - 1);
  end
  assign partition_o = PartitionW'(plain ^ turned);
  assign local_o     = 32'({inner, address[InterleaveLog-1:0]});
endmodule

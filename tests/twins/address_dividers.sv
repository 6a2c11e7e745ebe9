// SPDX-License-Identifier: Apache-2.0
// An address divider for each number of partitions, without and with the hash.
module address_dividers #(
  localparam int unsigned Most = 8
) (
  input  logic                       clk_i,
  input  logic [31:0]                address_i,
  output logic [1:0][Most-1:0][2:0]  partition_o,
  output logic [1:0][Most-1:0][31:0] local_o
);
  for (genvar hash = 0; hash < 2; hash++) begin : gen_hash
    for (genvar i = 0; i < Most; i++) begin : gen_divider
      localparam int unsigned Width = i == 0 ? 1 : $clog2(i + 1);
      logic [Width-1:0] partition;
      address_divider #(
        .NumPartitions(i + 1),
        .Hash         (hash == 1)
      ) u_divider (
        .clk_i,
        .address_i,
        .partition_o(partition),
        .local_o    (local_o[hash][i])
      );
      assign partition_o[hash][i] = 3'(partition);
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// A lane of each half-warp in the load table: its bytes of a reply, its components of a texel, and the memory that
// keeps both until writeback takes them.
//
// A reply of the memory has 128 bytes at most; the low bits of the lane's address say where its bytes are. Bytes and
// halves of a word are extended; two and four words lie side by side.
module load_lane #(
  parameter int unsigned Rows = 128,
  localparam int unsigned RowW  = $clog2(Rows),
  localparam int unsigned Words = 4,
  localparam int unsigned Line  = g80_pkg::MaxTransactionBytes / 4
) (
  input  logic                   clk_i,

  // From the memory
  input  logic [Words-1:0]       memory_writes_i,
  input  logic [RowW-1:0]        memory_row_i,
  input  logic [Line-1:0][31:0]  data_i,
  input  logic [7:0]             bytes_i,          // of the reply, a power of two
  input  logic [6:0]             offset_i,         // of the lane in 128 bytes
  input  logic                   atomic_i,         // the words are those of one lane, at the front
  input  logic                   alone_i,          // one word, wherever it goes
  input  g80_pkg::mem_type_e     type_i,

  // From the texture unit
  input  logic [Words-1:0]       texture_writes_i,
  input  logic [RowW-1:0]        texture_row_i,
  input  logic [Words-1:0][31:0] texel_i,
  input  logic [Words-1:0][1:0]  component_i,      // for each word

  input  logic [RowW-1:0]        read_row_i,
  output logic [Words-1:0][31:0] read_data_o
);
  logic [6:0]             at;
  logic [1:0]             place;
  logic [15:0]            narrow;
  logic [Words-1:0][31:0] group;  // the 16 bytes in which all words of a lane are
  logic [Words-1:0][31:0] word, texture_word;

  assign at = atomic_i ? '0 : offset_i & 7'(bytes_i - 8'd1);

  always_comb begin : choose_bytes
    place = '0;
    word  = '0;
    group = data_i[4*at[6:4]+:4];
    for (int i = 0; i < Words; i++) begin
      place   = at[3:2] | (alone_i ? 2'd0 : 2'(i));
      word[i] = group[place];
    end
    narrow = at[1] ? word[0][31:16] : word[0][15:0];
    if (at[0]) narrow = {8'd0, narrow[15:8]};
    if (!atomic_i) begin
      case (type_i)
        g80_pkg::MemTypeU8:  word[0] = {24'd0, narrow[7:0]};
        g80_pkg::MemTypeS8:  word[0] = {{24{narrow[7]}}, narrow[7:0]};
        g80_pkg::MemTypeU16: word[0] = {16'd0, narrow};
        g80_pkg::MemTypeS16: word[0] = {{16{narrow[15]}}, narrow};
        default: ;
      endcase
    end
  end

  for (genvar w = 0; w < Words; w++) begin : gen_word
    assign texture_word[w] = texel_i[component_i[w]];

    sram_2w1r #(
      .Words(Rows),
      .Width(32)
    ) u_word (
      .clk_i,
      .write_a_i     (memory_writes_i[w]),
      .address_a_i   (memory_row_i),
      .data_a_i      (word[w]),
      .write_b_i     (texture_writes_i[w]),
      .address_b_i   (texture_row_i),
      .data_b_i      (texture_word[w]),
      .read_address_i(read_row_i),
      .read_data_o   (read_data_o[w])
    );
  end
endmodule

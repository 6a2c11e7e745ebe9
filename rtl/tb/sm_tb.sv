// SPDX-License-Identifier: Apache-2.0
// The multiprocessor and its coalescer alone. Blocks of one launch come from images, memory answers from images, and at
// the end memory is compared with an image. write_images.cpp says what is in them.
//
//   +images=FOLDER   of a kernel (.)
//   +latency=N       of memory, in scheduler cycles (100)
//   +cycles=N        shader cycles after which the run ends as stuck (1000000)
//   +wave=FILE       FST of everything, if built with run --wave
//
// One process drives all inputs while the clock is low, looks at the outputs when they have settled, and raises the
// clock. Memory serves the coalescer and the line port in order, each request as it comes; reads and old values of
// atomics come back so many cycles later. The coalescer has the clock of even shader cycles. Nothing answers a texture.
module sm_tb;
  localparam int unsigned Queue = 8;  // half-warps between address_unit and coalescer
  localparam int unsigned LineW = 8 * g80_pkg::MaxTransactionBytes;

  typedef logic [31:0] word_t;

  logic                       clk, core_clk, rst_n;
  logic [31:0]                cycle;
  g80_pkg::launch_beat_t      row;
  g80_pkg::cta_launch_t       cta;
  g80_pkg::cta_done_t         done;
  g80_pkg::kernel_fault_t     fault;
  g80_pkg::half_warp_access_t access, access_front;
  g80_pkg::mem_request_t      request;
  g80_pkg::mem_reply_t        reply;
  g80_pkg::line_request_t     line_request;
  g80_pkg::line_reply_t       line_reply;
  g80_pkg::tex_request_t      tex;
  g80_pkg::warp_ready_t       ready;
  logic row_valid, row_pop, cta_valid, cta_pop, done_push, fault_push;
  logic access_room, access_all_free, access_push, access_valid, access_pop;
  logic reply_valid, reply_pop, tex_push, tex_pop, line_push, line_valid, line_pop, idle;

  /* verilator lint_off WIDTH */  // straps are plain numbers
  sm u_sm (
    `include "sm_straps.svh"
    .clk_i            (clk),
    .rst_ni           (rst_n),
    .clock_i          (cycle),
    .launch_valid_i   (row_valid),
    .launch_i         (row),
    .launch_pop_o     (row_pop),
    .cta_valid_i      (cta_valid),
    .cta_i            (cta),
    .cta_pop_o        (cta_pop),
    .cta_done_room_i  (1'b1),
    .cta_done_push_o  (done_push),
    .cta_done_o       (done),
    .fault_room_i     (1'b1),
    .fault_push_o     (fault_push),
    .fault_o          (fault),
    .access_room_i    (access_room),
    .access_all_free_i(access_all_free),
    .access_push_o    (access_push),
    .access_o         (access),
    .reply_valid_i    (reply_valid),
    .reply_i          (reply),
    .reply_pop_o      (reply_pop),
    .tex_room_i       (1'b1),
    .tex_all_free_i   (1'b1),
    .tex_push_o       (tex_push),
    .tex_o            (tex),
    .tex_valid_i      (1'b0),
    .tex_i            (g80_pkg::TexReplyDefault),
    .tex_pop_o        (tex_pop),
    .line_room_i      (1'b1),
    .line_push_o      (line_push),
    .line_o           (line_request),
    .line_valid_i     (line_valid),
    .line_i           (line_reply),
    .line_pop_o       (line_pop),
    .warp_start_o     (),
    .ready_o          (ready),
    .issue_o          (),
    .release_o        (),
    .resolve_o        (),
    .barrier_opened_o ()
  );
  coalescer u_coalescer (
    `include "coalescer_straps.svh"
    .clk_i          (core_clk),
    .rst_ni         (rst_n),
    .access_valid_i (access_valid),
    .access_i       (access_front),
    .access_pop_o   (access_pop),
    .request_o      (request),
    .request_ready_i(1'b1),
    .idle_o         (idle)
  );
  /* verilator lint_on WIDTH */

  // Memory, by number of the word. A place of l[] or of a control stack begins to exist when it is touched.
  word_t memory[word_t], expected[word_t];

  function automatic void check(input logic exists, input word_t address, input g80_pkg::origin_t origin);
    if (!exists) $fatal(1, "address %h of the instruction at %h is in no image", address, origin.pc);
  endfunction

  function automatic logic [LineW-1:0] read(input word_t address, input logic [7:0] bytes, input logic known,
                                            input g80_pkg::origin_t origin);
    logic exists;
    read   = '0;
    exists = known;
    for (word_t w = 0; w < 32'(bytes) / 4; w++) begin
      if (memory.exists(address / 4 + w) != 0) begin
        exists         = 1'b1;
        read[32*w+:32] = memory[address/4+w];
      end
    end
    check(exists, address, origin);
  endfunction

  // What an atomic leaves of the old value. 64 bits know add, exchange and compare and swap.
  function automatic logic [63:0] atomic(input g80_pkg::mem_request_t r, input logic [63:0] old);
    logic [63:0] b, c;
    logic        less;
    b    = r.data[1:0];
    c    = r.data[3:2];
    less = r.atom_signed ? $signed(old[31:0]) < $signed(b[31:0]) : old[31:0] < b[31:0];
    if (r.atom_bytes == 4) {b[63:32], c[63:32]} = '0;
    case (r.atom_op)
      4'd0:    atomic = old + b;
      4'd1:    atomic = b;
      4'd2:    atomic = old == b ? c : old;
      4'd4:    atomic = old < b ? old + 64'd1 : '0;
      4'd5:    atomic = old == '0 || old > b ? b : old - 64'd1;
      4'd6:    atomic = less ? b : old;
      4'd7:    atomic = less ? old : b;
      4'd10:   atomic = old & b;
      4'd11:   atomic = old | b;
      4'd12:   atomic = old ^ b;
      default: atomic = old;
    endcase
  endfunction

  // Performs a transaction. Returns what a reply carries.
  function automatic logic [LineW-1:0] perform(input g80_pkg::mem_request_t r);
    logic        known, wide;
    word_t       at;
    logic [63:0] now;
    logic [g80_pkg::MaxTransactionBytes-1:0] enable;  // a field of two words
    enable  = r.byte_enable;
    known   = r.client != g80_pkg::MemClientGlobal;
    wide    = r.atom_bytes == 8;
    perform = '0;
    case (r.op)
      g80_pkg::MemOpRead: perform = read(r.virtual_address, r.bytes, known, r.origin);
      g80_pkg::MemOpWrite:
        for (word_t i = 0; i < 32'(r.bytes); i++) begin
          at = (r.virtual_address + i) / 4;
          if (enable[i]) begin
            check(known || memory.exists(at) != 0, r.virtual_address + i, r.origin);
            memory[at][8*(i%4)+:8] = r.data[i/4][8*(i%4)+:8];
          end
        end
      default: begin
        at = '0;
        for (word_t i = 124; i != 0; i -= 4) if (enable[i]) at = i;
        if (enable[0]) at = '0;
        at = (r.virtual_address + at) / 4;
        check(memory.exists(at) != 0, 4 * at, r.origin);
        perform[63:0] = {wide ? memory[at+1] : '0, memory[at]};
        now           = atomic(r, perform[63:0]);
        memory[at]    = now[31:0];
        if (wide) memory[at+1] = now[63:32];
      end
    endcase
  endfunction

  // Queues, with the cycle from which on an answer may leave
  g80_pkg::launch_beat_t      rows[$];
  g80_pkg::cta_launch_t       ctas[$];
  g80_pkg::half_warp_access_t accesses[$];
  g80_pkg::mem_reply_t        replies[$], answer;
  g80_pkg::line_reply_t       lines[$], line;
  logic [31:0]                reply_due[$], line_due[$];

  logic [31:0]                           latency, limit;
  int unsigned                           most, resident, ended;
  logic                                  idle_told;
  string                                 images, wave;
  logic [31:0]                           launches[1];
  logic [g80_pkg::LaunchBeatWidth-1:0]   beats[256];
  logic [g80_pkg::CtaLaunchWidth-1:0]    blocks[65536];

  task automatic start();
    if ($value$plusargs("images=%s", images) == 0) images = ".";
    if ($value$plusargs("latency=%d", latency) == 0) latency = 100;
    if ($value$plusargs("cycles=%d", limit) == 0) limit = 1000000;
    if ($value$plusargs("wave=%s", wave) != 0) begin
      $dumpfile(wave);
      $dumpvars;
    end
    for (int i = 0; i < 256; i++) beats[i] = '0;
    for (int i = 0; i < 65536; i++) blocks[i] = '0;
    $readmemh({images, "/launch.hex"}, launches);
    $readmemh({images, "/rows.hex"}, beats);
    $readmemh({images, "/ctas.hex"}, blocks);
    $readmemh({images, "/memory.hex"}, memory);
    $readmemh({images, "/expected.hex"}, expected);
    most = launches[0];
    for (int i = 0; i < 256 && beats[i][$high(beats[i])]; i++) rows.push_back(beats[i]);
    for (int i = 0; i < 65536 && blocks[i][$high(blocks[i])]; i++) ctas.push_back(blocks[i]);
    if (most == 0 || ctas.size() == 0 || expected.num() == 0) $fatal(1, "%s has no images", images);
    {resident, ended, idle_told, cycle} = '0;
    {clk, core_clk, rst_n}              = 3'b001;
    #1 rst_n = 1'b0;
  endtask

  // The inputs of the next edge
  task automatic drive();
    row_valid       = rows.size() != 0;
    row             = row_valid ? rows[0] : g80_pkg::LaunchBeatDefault;
    cta_valid       = ctas.size() != 0 && resident < most;
    cta             = cta_valid ? ctas[0] : g80_pkg::CtaLaunchDefault;
    access_room     = accesses.size() < Queue;
    access_all_free = accesses.size() == 0;
    access_valid    = accesses.size() != 0;
    access_front    = access_valid ? accesses[0] : g80_pkg::HalfWarpAccessDefault;
    reply_valid     = replies.size() != 0 && cycle >= reply_due[0];
    reply           = reply_valid ? replies[0] : g80_pkg::MemReplyDefault;
    line_valid      = lines.size() != 0 && cycle >= line_due[0];
    line_reply      = line_valid ? lines[0] : g80_pkg::LineReplyDefault;
  endtask

  // What the edge takes and gives
  task automatic exchange();
    if (fault_push)
      $fatal(1, "%s in block %0d,%0d at pc %h", fault.kind.name(), fault.cta_x, fault.cta_y, fault.origin.pc);
    if (tex_push || tex_pop) $fatal(1, "a texture at pc %h: there is no texture unit", tex.origin.pc);
    if (row_pop) void'(rows.pop_front());
    if (cta_pop) begin
      void'(ctas.pop_front());
      resident++;
      idle_told = 1'b0;
    end
    if (done_push) begin
      idle_told = done.idle;
      if (!done.idle) begin
        resident--;
        ended++;
      end
    end
    if (access_pop) void'(accesses.pop_front());
    if (access_push) accesses.push_back(access);
    if (reply_pop) begin
      void'(replies.pop_front());
      void'(reply_due.pop_front());
    end
    if (line_pop) begin
      void'(lines.pop_front());
      void'(line_due.pop_front());
    end
    if (request.valid) begin
      answer       = g80_pkg::MemReplyDefault;
      answer.valid = 1'b1;
      {answer.op, answer.client, answer.port}                      = {request.op, request.client, request.port};
      {answer.sm_in_tpc, answer.id, answer.half, answer.lanes}     = {request.sm_in_tpc, request.id, request.half,
                                                                      request.lanes};
      {answer.bytes, answer.origin, answer.virtual_address}        = {request.bytes, request.origin,
                                                                      request.virtual_address};
      answer.data = perform(request);
      if (request.op == g80_pkg::MemOpRead || request.op == g80_pkg::MemOpAtomic) begin
        replies.push_back(answer);
        reply_due.push_back(cycle + 2 * latency);
      end
    end
    if (line_push) begin
      line       = g80_pkg::LineReplyDefault;
      line.valid = 1'b1;
      {line.client, line.sm_in_tpc, line.tpc, line.id} = {line_request.client, line_request.sm_in_tpc, line_request.tpc,
                                                          line_request.id};
      {line.address, line.origin}                      = {line_request.address, line_request.origin};
      // Fetch goes past the end of the code.
      line.data = read(line_request.address, line_request.bytes, 1'b1, line_request.origin);
      lines.push_back(line);
      line_due.push_back(cycle + 2 * latency);
    end
  endtask

  task automatic compare();
    foreach (expected[at]) begin
      if (memory.exists(at) == 0 || memory[at] !== expected[at])
        $fatal(1, "%s: address %h has %h, not %h", images, 4 * at, memory[at], expected[at]);
    end
    $display("%s: %0d blocks, %0d shader cycles, %0d words as expected", images, ended, cycle, expected.num());
    $finish;
  endtask

  task automatic give_up();
    $display("waiting: %0d blocks for a place, %0d inside; warps %h, ready %h; for memory %h, ALU %h, barrier %h, ",
             ctas.size(), resident, ready.resident, ready.ready, ready.wait_memory, ready.wait_alu, ready.wait_barrier,
             "control %h, stores %h", ready.wait_control, ready.wait_drain);
    $display("queues: %0d accesses, %0d replies of memory, %0d lines; coalescer %s", accesses.size(), replies.size(),
             lines.size(), idle ? "idle" : "busy");
    $fatal(1, "%s: not at its end after %0d shader cycles", images, cycle);
  endtask

  initial begin : run
    start();
    forever begin
      if (!cycle[0]) drive();
      #1;
      if (rst_n && !cycle[0]) begin
        exchange();
        if (ctas.size() == 0 && resident == 0 && idle_told && idle && accesses.size() == 0) compare();
        if (cycle >= limit) give_up();
      end
      {clk, core_clk} = {1'b1, !cycle[0]};
      #1 {clk, core_clk} = '0;
      cycle++;
      rst_n = cycle >= 8;
    end
  end
endmodule

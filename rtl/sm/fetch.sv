// SPDX-License-Identifier: Apache-2.0
// Chooses, each scheduler cycle, the warp whose next instructions are fetched from the instruction cache.
// Twin of hw/sm/fetch.h, equal to it at every clock edge.
//
// An epoch's number comes back after 256 redirects. A warp waits with its fetches while an older one may still arrive
// under the number of a coming epoch; half of the numbers are in reserve for redirects without a fetch between them.
module fetch (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps
  input  logic [4:0]              cfg_fetch_bytes_i,      // 8 or 16
  input  logic [3:0]              cfg_ibuffer_entries_i,  // waiting instructions per warp

  // Launch state, stable while a grid runs
  input  logic [31:0]             launch_code_base_i,

  // From cta_launcher
  input  g80_pkg::redirect_t      start_i,

  // From reconvergence_stack
  input  g80_pkg::redirect_t      redirect_i,

  // From instruction_buffer
  input  g80_pkg::buffer_level_t  level_i,

  // From decode
  input  g80_pkg::decoded_group_t decoded_i,

  // From and to instruction_cache
  input  logic                    cache_ready_i,
  output g80_pkg::fetch_request_t request_o
);
  localparam int unsigned Warps = g80_pkg::MaxWarps;
  localparam int unsigned WarpW = $clog2(Warps);

  // Registers
  g80_pkg::fetch_request_t  request_d, request_q;
  logic [WarpW-1:0]         last_warp_d, last_warp_q;
  logic [Warps-1:0]         active_d, active_q;        // warps that run
  logic [Warps-1:0][31:0]   address_d, address_q;      // of the next fetch
  logic [Warps-1:0][7:0]    epoch_d, epoch_q;
  logic [Warps-1:0]         in_flight_d, in_flight_q;  // a fetch of the present epoch is not yet decoded
  logic [Warps-1:0][7:0]    stale_d, stale_q;          // fetches of older epochs not yet decoded,
  logic [Warps-1:0][7:0]    oldest_d, oldest_q;        // ... none of them older than this epoch

  // What arrives, and what new program counters make of the warps
  logic [Warps-1:0]       arrives, arrives_late, outdated, fills_buffer, starts, jumps, on_the_way, room, held;
  logic [Warps-1:0][31:0] address;
  logic [31:0]            start_address, jump_address;
  logic [5:0]             more;  // the arriving group and one more fetch

  assign start_address = launch_code_base_i + {8'd0, start_i.pc};
  assign jump_address  = launch_code_base_i + {8'd0, redirect_i.pc};
  assign more = {3'd0, decoded_i.count} + {3'd0, cfg_fetch_bytes_i[4:2]};

  for (genvar w = 0; w < Warps; w++) begin : gen_warp
    assign arrives[w]      = decoded_i.valid && decoded_i.warp == WarpW'(w) && decoded_i.epoch == epoch_q[w];
    assign arrives_late[w] = decoded_i.valid && decoded_i.warp == WarpW'(w) && decoded_i.epoch != epoch_q[w];
    assign fills_buffer[w] = {2'd0, level_i.count[w]} + more > {2'd0, cfg_ibuffer_entries_i};
    assign starts[w]  = start_i.valid && start_i.warp == WarpW'(w);
    assign jumps[w]   = redirect_i.valid && redirect_i.warp == WarpW'(w);
    assign epoch_d[w] = epoch_q[w] + {7'd0, starts[w]} + {7'd0, jumps[w]};
    assign address[w] = jumps[w] ? jump_address : starts[w] ? start_address : address_q[w];
    assign active_d[w] = jumps[w]  ? redirect_i.kind != g80_pkg::RedirectStop :
                         starts[w] ? start_i.kind != g80_pkg::RedirectStop : active_q[w];
    assign on_the_way[w] = in_flight_q[w] && !arrives[w] && !starts[w] && !jumps[w];

    // A redirect makes a fetch stale, unless it is withdrawn from the request register.
    logic [7:0] stale_left, age;
    logic       all_came;

    assign outdated[w] = in_flight_q[w] && !arrives[w] && (starts[w] || jumps[w]) &&
                         !(request_q.valid && !cache_ready_i && request_q.warp == WarpW'(w));
    assign stale_left  = stale_q[w] - {7'd0, arrives_late[w]};
    assign stale_d[w]  = stale_left + {7'd0, outdated[w]};
    assign all_came    = arrives_late[w] ? stale_q[w] == 8'd1 : stale_q[w] == '0;
    assign oldest_d[w] = outdated[w] && all_came ? epoch_q[w] : oldest_q[w];
    assign age         = epoch_d[w] - oldest_d[w];
    assign held[w]     = (outdated[w] || !all_came) && age >= 8'd128;

    // A redirect empties the warp's buffer at this edge.
    assign room[w] = (level_i.room[w] && !(arrives[w] && fills_buffer[w])) || starts[w] || jumps[w];
  end

  // A request stays until it is taken or a redirect makes it stale.
  logic             keep, found, send;
  logic [WarpW-1:0] warp;

  assign keep = request_q.valid && !cache_ready_i && epoch_d[request_q.warp] == request_q.epoch;

  // One fetch of a warp at a time, because replies for different lines may overtake each other.
  round_robin #(.Width(Warps)) u_round_robin (
    .wanting_i(active_d & ~on_the_way & room & ~held),
    .last_i   (last_warp_q),
    .found_o  (found),
    .index_o  (warp)
  );
  assign send = found && !keep;

  // A whole aligned block, or after a jump into the middle of one the largest aligned piece there. Each warp finds what
  // comes behind it while one is chosen.
  for (genvar w = 0; w < Warps; w++) begin : gen_sent
    logic        sent;
    logic [31:0] behind;

    assign behind = cfg_fetch_bytes_i == 5'd16 && !address[w][2] ? {address[w][31:4] + 28'd1, 4'd0} :
                    {address[w][31:3] + 29'd1, 3'd0};
    assign sent           = send && warp == WarpW'(w);
    assign address_d[w]   = sent ? behind : address[w];
    assign in_flight_d[w] = on_the_way[w] || sent;
  end

  logic [31:0] fetch_address;
  logic [4:0]  bytes;

  assign fetch_address = address[warp];

  always_comb begin : find_bytes
    bytes = cfg_fetch_bytes_i;
    if (fetch_address[2]) bytes = 5'd4;
    else if (fetch_address[3] && cfg_fetch_bytes_i == 5'd16) bytes = 5'd8;
  end

  always_comb begin : next_request
    request_d = request_q;
    request_d.valid = keep;
    if (send) begin
      request_d.valid   = 1'b1;
      request_d.warp    = warp;
      request_d.epoch   = epoch_d[warp];
      request_d.bytes   = bytes;
      request_d.address = fetch_address;
    end
  end

  assign last_warp_d = send ? warp : last_warp_q;

  assign request_o = request_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      request_q   <= g80_pkg::FetchRequestDefault;
      last_warp_q <= '0;
      active_q    <= '0;
      address_q   <= '0;
      epoch_q     <= '0;
      in_flight_q <= '0;
      stale_q     <= '0;
      oldest_q    <= '0;
    end else begin
      request_q   <= request_d;
      last_warp_q <= last_warp_d;
      active_q    <= active_d;
      address_q   <= address_d;
      epoch_q     <= epoch_d;
      in_flight_q <= in_flight_d;
      stale_q     <= stale_d;
      oldest_q    <= oldest_d;
    end
  end

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      WhatArrivesWasFetched: assert (!decoded_i.valid || decoded_i.epoch == epoch_q[decoded_i.warp] ||
                                     stale_q[decoded_i.warp] != '0);
      AddressIsAWord: assert (fetch_address[1:0] == '0);
      FetchIsAPowerOfTwo: assert (cfg_fetch_bytes_i == 5'd8 || cfg_fetch_bytes_i == 5'd16);
    end
  end
endmodule

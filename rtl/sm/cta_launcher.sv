// SPDX-License-Identifier: Apache-2.0
// Keeps the launch state of the SM and starts CTAs: words of the launch header, numbers of threads, warps, and the end
// of a CTA. Twin of hw/sm/cta_launcher.h, equal to it at every clock edge.
//
// A lane's coordinates are those of lane 0 and an offset, which is found once for a grid.
module cta_launcher #(
  localparam int unsigned Warps  = g80_pkg::MaxWarps,
  localparam int unsigned WarpW  = $clog2(Warps),
  localparam int unsigned Slots  = g80_pkg::MaxCtasPerSm,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned Lanes  = g80_pkg::WarpSize,
  localparam int unsigned LaneW  = $clog2(Lanes),
  localparam int unsigned FillW  = $clog2(g80_pkg::MaxSmLaunchWords + 1),
  localparam int unsigned Header = 4 + g80_pkg::MaxUserParams,  // words: block and grid dimensions, parameters
  localparam int unsigned HeadW  = $clog2(Header + 1)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Straps
  input  logic [WarpW:0]              cfg_max_warps_i,
  input  logic [SlotW:0]              cfg_max_ctas_i,
  input  logic [9:0]                  cfg_granule_mask_i,    // shared memory is allocated in powers of two, less 1
  input  logic [FillW-1:0]            cfg_words_i,           // of the header in a cycle
  input  logic [LaneW:0]              cfg_lanes_i,           // whose numbers leave in a cycle

  // Rows of the launch state, through a queue: only while the SM has no block
  input  logic                        row_valid_i,
  input  g80_pkg::launch_beat_t       row_i,
  output logic                        row_pop_o,

  // From and to the CTA scheduler, through queues
  input  logic                        cta_valid_i,
  input  g80_pkg::cta_launch_t        cta_i,
  output logic                        cta_pop_o,
  input  logic                        cta_done_room_i,
  output logic                        cta_done_push_o,
  output g80_pkg::cta_done_t          cta_done_o,

  // What the SM still waits for: from scoreboard, instruction_cache and address_unit
  input  logic [Warps-1:0]            drained_i,
  input  logic                        fetch_waits_i,
  input  logic                        accesses_busy_i,

  // To all blocks that use it
  output g80_pkg::launch_state_t      launch_o,

  // To all blocks with state of a warp
  output g80_pkg::warp_start_t        start_o,
  output g80_pkg::redirect_t          redirect_o,
  output logic [31:0]                 kernel_o,
  output logic [Warps-1:0]            ended_o,

  // To shared_memory and address_unit
  output g80_pkg::smem_start_t        smem_start_o,
  output g80_pkg::smem_fill_t         fill_o,
  input  logic                        fill_ready_i,

  // To register_file
  output g80_pkg::register_start_t    registers_o,
  output g80_pkg::thread_numbers_t    numbers_o,
  input  logic                        numbers_room_i
);
  localparam int unsigned CountW   = $clog2(g80_pkg::MaxWarpsPerCta + 1);
  localparam int unsigned ThreadsW = $clog2(g80_pkg::MaxThreadsPerCta + 1);
  localparam int unsigned OffsetW  = LaneW + 1;
  localparam int unsigned IndexW   = g80_pkg::ThreadIndexWidth;
  localparam int unsigned Fills    = g80_pkg::NumSmemBanks;

  // Registers
  logic [Lanes:1][OffsetW-1:0]    offset_x_d, offset_x_q;   // of 1 to 32 threads in a block of this grid
  logic [Lanes:1][OffsetW-1:0]    offset_y_d, offset_y_q, offset_z_d, offset_z_q;
  g80_pkg::warp_start_t           start_d, start_q;
  g80_pkg::redirect_t             redirect_d, redirect_q;
  logic [31:0]                    kernel_d, kernel_q;
  logic [Slots-1:0]               valid_d, valid_q;         // slots that hold a block
  logic [Slots-1:0][15:0]         x_d, x_q, y_d, y_q;       // of the block in its grid
  logic [Slots-1:0][WarpW-1:0]    first_warp_d, first_warp_q;
  logic [Slots-1:0][CountW-1:0]   num_warps_d, num_warps_q;
  logic [Slots-1:0][15:0]         base_d, base_q;           // of its s[]
  logic [Slots-1:0][Warps-1:0]    live_d, live_q;
  logic                           launching_d, launching_q;
  logic [SlotW-1:0]               launching_slot_d, launching_slot_q;
  logic [CountW-1:0]              next_warp_d, next_warp_q;
  logic [LaneW-1:0]               next_lane_d, next_lane_q;        // of the warp that starts
  g80_pkg::thread_index_t         first_thread_d, first_thread_q;  // ... in its lane 0
  g80_pkg::smem_start_t           smem_start_d, smem_start_q;
  g80_pkg::smem_fill_t            fill_d, fill_q;
  g80_pkg::register_start_t       registers_d, registers_q;
  g80_pkg::thread_numbers_t       numbers_d, numbers_q;
  logic [Warps-1:0]               ended_d, ended_q;
  logic [HeadW-1:0]               header_words_d, header_words_q;  // of the head of s[] still to write
  logic                           told_idle_d, told_idle_q;
  logic [2:0][Warps-1:0]          fresh_d, fresh_q;  // started in the last cycles: they may show the last drained warp

  g80_pkg::launch_state_t launch;

  launch_registers u_launch (
    .clk_i,
    .rst_ni,
    .row_valid_i,
    .row_i,
    .launch_o(launch)
  );
  assign launch_o  = launch;
  assign row_pop_o = row_valid_i;

  // What happens in this cycle: a block begins, words of its header leave, numbers of its threads leave
  logic idle, begins, header_goes, numbers_go, fill_waits;

  assign idle        = valid_q == '0 && !launching_q;
  assign fill_waits  = fill_q.valid && !fill_ready_i;  // the address unit has not taken it
  assign begins      = !launching_q && cta_valid_i && cta_i.kernel[7:0] == launch.number;  // all its rows are here
  assign header_goes = launching_q && !fill_waits && header_words_q != '0;
  assign numbers_go  = launching_q && !fill_waits && header_words_q == '0 && numbers_room_i;
  assign cta_pop_o   = begins;

  // Blocks whose warps have all drained end, one in a cycle.
  logic [Warps-1:0]            gone;
  logic [Slots-1:0]            empty, may_end, retires;
  logic [Slots-1:0][Warps-1:0] live_left;
  logic                        one_may_end, one_ends, tells_idle;
  logic [SlotW-1:0]            ending;

  assign gone = drained_i & ~(fresh_q[0] | fresh_q[1] | fresh_q[2]);

  for (genvar s = 0; s < Slots; s++) begin : gen_end
    assign live_left[s] = live_q[s] & ~gone;
    assign empty[s]     = live_left[s] == '0;
    assign may_end[s]   = valid_q[s] && empty[s] && !(launching_q && launching_slot_q == SlotW'(s));
    assign retires[s]   = one_ends && ending == SlotW'(s);
  end
  lowest_set #(.Width(Slots)) u_ending (
    .mask_i (may_end),
    .found_o(one_may_end),
    .index_o(ending)
  );
  assign one_ends = one_may_end && cta_done_room_i;
  assign ended_d  = one_ends ? ((Warps'(1) << num_warps_q[ending]) - Warps'(1)) << first_warp_q[ending] : '0;

  // A warp's last fetch, store and stack entry show on these wires before the warp has drained.
  assign tells_idle = !told_idle_q && idle && !cta_valid_i && !fetch_waits_i && !accesses_busy_i && cta_done_room_i;

  assign cta_done_push_o = one_ends || tells_idle;
  always_comb begin : report
    cta_done_o       = g80_pkg::CtaDoneDefault;
    cta_done_o.valid = 1'b1;
    cta_done_o.idle  = tells_idle;
    if (one_ends) begin
      cta_done_o.cta_x = x_q[ending];
      cta_done_o.cta_y = y_q[ending];
    end
  end

  // The first block of a grid finds the SM empty, and the offsets of its threads are found.
  logic first_of_grid;

  assign first_of_grid = begins && idle;

  logic [Lanes:1][OffsetW-1:0] offset_x, offset_y, offset_z;

  thread_offsets u_offsets (
    .block_x_i(launch.block_x[9:0]),
    .block_y_i(launch.block_y[9:0]),
    .x_o      (offset_x),
    .y_o      (offset_y),
    .z_o      (offset_z)
  );
  assign offset_x_d = first_of_grid ? offset_x : offset_x_q;
  assign offset_y_d = first_of_grid ? offset_y : offset_y_q;
  assign offset_z_d = first_of_grid ? offset_z : offset_z_q;

  // What a block that begins gets: the first free slot, also that of a block that ends now
  logic              slot_free;
  logic [SlotW-1:0]  free;
  logic [CountW-1:0] warps;
  logic [WarpW-1:0]  first_warp;
  logic [15:0]       granule_mask, share, base;

  lowest_set #(.Width(Slots)) u_free (
    .mask_i (~valid_q | retires),
    .found_o(slot_free),
    .index_o(free)
  );
  assign warps        = launch.threads[ThreadsW-1:LaneW] + CountW'(launch.threads[LaneW-1:0] != '0);
  assign first_warp   = WarpW'(free) * warps;
  assign granule_mask = 16'(cfg_granule_mask_i);
  assign share        = (launch.shared_bytes + granule_mask) & ~granule_mask;
  assign base         = 16'(free) * share;

  // The block whose warps start
  logic [15:0]       slot_x, slot_y, slot_base;
  logic [CountW-1:0] slot_warps;
  logic [WarpW-1:0]  warp;

  assign slot_x     = x_q[launching_slot_q];
  assign slot_y     = y_q[launching_slot_q];
  assign slot_base  = base_q[launching_slot_q];
  assign slot_warps = num_warps_q[launching_slot_q];
  assign warp       = first_warp_q[launching_slot_q] + next_warp_q;

  // The next words of the header at the start of s[]. Words beyond the block's share are not written.
  logic [Fills-1:0][31:0] words_left;
  logic [HeadW-1:0]       with_params, total, first_word, fill_count;
  logic [13:0]            shared_words;

  launch_header u_header (
    .clk_i,
    .row_valid_i,
    .row_i,
    .launch_i(launch),
    .cta_x_i (slot_x),
    .cta_y_i (slot_y),
    .first_i (first_word),
    .words_o (words_left)
  );
  assign with_params  = HeadW'(4) + launch.num_params[HeadW-1:0];
  assign shared_words = launch.shared_bytes[15:2];
  assign total        = shared_words < 14'(with_params) ? shared_words[HeadW-1:0] : with_params;
  assign first_word   = total - header_words_q;
  assign fill_count   = header_words_q < HeadW'(cfg_words_i) ? header_words_q : HeadW'(cfg_words_i);

  always_comb begin : fill
    fill_d       = fill_q;
    fill_d.valid = fill_waits || header_goes;
    if (header_goes) begin
      fill_d.first = slot_base[13:2] + 12'(first_word);
      fill_d.count = fill_count[FillW-1:0];
      for (int unsigned i = 0; i < Fills; i++)
        fill_d.data[i] = HeadW'(i) < fill_count ? words_left[i] : '0;
    end
  end

  always_comb begin : start_of_shared
    smem_start_d       = smem_start_q;
    smem_start_d.valid = begins;
    if (begins) begin
      smem_start_d.first = base[13:2];
      smem_start_d.count = launch.shared_bytes[14:2];
    end
  end

  // The next lanes of the warp that starts. Behind the last of them it goes.
  logic [ThreadsW-1:0] threads_left;
  logic [Lanes-1:0]    populated, before_end, sent;
  logic [LaneW:0]      end_lane;
  logic                last_lanes;

  assign threads_left = launch.threads[ThreadsW-1:0] - {next_warp_q, LaneW'(0)};
  assign end_lane     = {1'b0, next_lane_q} + cfg_lanes_i;
  assign last_lanes   = numbers_go && end_lane[LaneW];
  assign populated    = threads_left[ThreadsW-1:LaneW] != '0 ? '1 : (Lanes'(1) << threads_left[LaneW-1:0]) - Lanes'(1);
  assign before_end   = end_lane[LaneW] ? '1 : (Lanes'(1) << end_lane[LaneW-1:0]) - Lanes'(1);
  assign sent         = populated & before_end & ('1 << next_lane_q);

  // Behind the last lane: the first thread of the next warp
  logic [Lanes:0][IndexW-1:0] index;

  assign index[0] = first_thread_q;
  for (genvar l = 1; l <= Lanes; l++) begin : gen_lane
    g80_pkg::thread_index_t sum;

    add_threads u_index (
      .block_x_i (launch.block_x[9:0]),
      .block_y_i (launch.block_y[9:0]),
      .thread_i  (first_thread_q),
      .offset_x_i(offset_x_q[l]),
      .offset_y_i(offset_y_q[l]),
      .offset_z_i(offset_z_q[l]),
      .sum_o     (sum)
    );
    assign index[l] = sum;
  end

  // $r0 has x in bits 15:0, y in 25:16, z in 31:26.
  always_comb begin : numbers
    g80_pkg::thread_index_t thread;

    thread          = '0;
    numbers_d       = numbers_q;
    numbers_d.valid = numbers_go;
    if (numbers_go) begin
      numbers_d.warp  = warp;
      numbers_d.lanes = sent;
      for (int unsigned l = 0; l < Lanes; l++) begin
        thread = index[l];
        if (sent[l]) numbers_d.value.lane[l] = {thread.z, thread.y, 6'd0, thread.x};
      end
    end
  end

  always_comb begin : start_of_registers
    registers_d       = registers_q;
    registers_d.valid = numbers_go && next_lane_q == '0;
    if (registers_d.valid) begin
      registers_d.warp      = warp;
      registers_d.registers = launch.registers;
      registers_d.base_row  = 10'(warp) * 10'(launch.registers);
    end
  end

  always_comb begin : start_of_warp
    start_d    = g80_pkg::WarpStartDefault;
    redirect_d = g80_pkg::RedirectDefault;
    if (last_lanes) begin
      start_d.valid        = 1'b1;
      start_d.warp         = warp;
      start_d.cta_slot     = launching_slot_q;
      start_d.warp_in_cta  = next_warp_q[CountW-2:0];
      start_d.warps_in_cta = slot_warps;
      start_d.lanes        = populated;
      start_d.pc           = launch.start_pc;
      start_d.cta_x        = slot_x;
      start_d.cta_y        = slot_y;
      start_d.shared_base  = slot_base;
      start_d.shared_bytes = launch.shared_bytes;
      redirect_d.valid     = 1'b1;
      redirect_d.kind      = g80_pkg::RedirectStart;
      redirect_d.warp      = warp;
      redirect_d.pc        = launch.start_pc;
    end
  end

  always_comb begin : progress
    kernel_d         = kernel_q;
    launching_d      = launching_q;
    launching_slot_d = launching_slot_q;
    next_warp_d      = next_warp_q;
    next_lane_d      = next_lane_q;
    first_thread_d   = first_thread_q;
    header_words_d   = header_words_q;
    told_idle_d      = told_idle_q || tells_idle;
    if (header_goes) header_words_d = header_words_q - fill_count;
    if (numbers_go) next_lane_d = last_lanes ? '0 : end_lane[LaneW-1:0];
    if (last_lanes) begin
      next_warp_d    = next_warp_q + CountW'(1);
      first_thread_d = index[Lanes];
      launching_d    = next_warp_d != slot_warps;
    end
    if (begins) begin
      kernel_d         = cta_i.kernel;
      launching_d      = 1'b1;
      launching_slot_d = free;
      next_warp_d      = '0;
      next_lane_d      = '0;
      first_thread_d   = '0;
      header_words_d   = total;
      told_idle_d      = 1'b0;
    end
  end

  assign fresh_d = {fresh_q[1:0], last_lanes ? Warps'(1) << warp : '0};

  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic taken, starts;

    assign taken  = begins && free == SlotW'(s);
    assign starts = last_lanes && launching_slot_q == SlotW'(s);

    assign valid_d[s]      = (valid_q[s] && !retires[s]) || taken;
    assign x_d[s]          = taken ? cta_i.cta_x : x_q[s];
    assign y_d[s]          = taken ? cta_i.cta_y : y_q[s];
    assign first_warp_d[s] = taken ? first_warp : first_warp_q[s];
    assign num_warps_d[s]  = taken ? warps : num_warps_q[s];
    assign base_d[s]       = taken ? base : base_q[s];
    assign live_d[s]       = taken ? '0 : live_left[s] | (starts ? Warps'(1) << warp : '0);
  end

  assign start_o      = start_q;
  assign redirect_o   = redirect_q;
  assign kernel_o     = kernel_q;
  assign ended_o      = ended_q;
  assign smem_start_o = smem_start_q;
  assign fill_o       = fill_q;
  assign registers_o  = registers_q;
  assign numbers_o    = numbers_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : registers
    if (!rst_ni) begin
      offset_x_q       <= '0;
      offset_y_q       <= '0;
      offset_z_q       <= '0;
      start_q          <= g80_pkg::WarpStartDefault;
      redirect_q       <= g80_pkg::RedirectDefault;
      kernel_q         <= '0;
      valid_q          <= '0;
      x_q              <= '0;
      y_q              <= '0;
      first_warp_q     <= '0;
      num_warps_q      <= '0;
      base_q           <= '0;
      live_q           <= '0;
      launching_q      <= 1'b0;
      launching_slot_q <= '0;
      next_warp_q      <= '0;
      next_lane_q      <= '0;
      first_thread_q   <= '0;
      smem_start_q     <= '0;
      fill_q           <= '0;
      registers_q      <= '0;
      numbers_q        <= '0;
      ended_q          <= '0;
      header_words_q   <= '0;
      told_idle_q      <= 1'b1;
      fresh_q          <= '0;
    end else begin
      offset_x_q       <= offset_x_d;
      offset_y_q       <= offset_y_d;
      offset_z_q       <= offset_z_d;
      start_q          <= start_d;
      redirect_q       <= redirect_d;
      kernel_q         <= kernel_d;
      valid_q          <= valid_d;
      x_q              <= x_d;
      y_q              <= y_d;
      first_warp_q     <= first_warp_d;
      num_warps_q      <= num_warps_d;
      base_q           <= base_d;
      live_q           <= live_d;
      launching_q      <= launching_d;
      launching_slot_q <= launching_slot_d;
      next_warp_q      <= next_warp_d;
      next_lane_q      <= next_lane_d;
      first_thread_q   <= first_thread_d;
      smem_start_q     <= smem_start_d;
      fill_q           <= fill_d;
      registers_q      <= registers_d;
      numbers_q        <= numbers_d;
      ended_q          <= ended_d;
      header_words_q   <= header_words_d;
      told_idle_q      <= told_idle_d;
      fresh_q          <= fresh_d;
    end
  end

  logic [WarpW+4:0] warps_needed;  // slots 0 to the new one, each as large as this

  assign warps_needed = (WarpW+5)'(free) * (WarpW+5)'(warps) + (WarpW+5)'(warps);

  always @(posedge clk_i) begin : checks
    if (rst_ni) begin
      BlockHasASlot: assert (!begins || (slot_free && {1'b0, free} < cfg_max_ctas_i &&
                                         warps_needed <= (WarpW+5)'(cfg_max_warps_i)));
      RowComesBetweenGrids: assert (!row_valid_i || idle);
      BlockHasThreads: assert (!first_of_grid || (launch.block_x != '0 && launch.block_y != '0));
      HeaderIsNotLongerThanItsWords: assert (!header_goes || header_words_q <= total);
      ParametersFit: assert (!header_goes || launch.num_params <= 8'(g80_pkg::MaxUserParams));
      WarpExists: assert (!numbers_go || {1'b0, warp} < cfg_max_warps_i);
    end
  end
endmodule

// SPDX-License-Identifier: Apache-2.0
// Takes the compute class's methods from the push buffer, one packet at a time, and launches grids.
//
// Methods take effect in order. LAUNCH and QUERY_GET wait until the grid before them has ended and the memory system
// is idle. Then LAUNCH walks over the rows of the launch state, one at each edge or as fast as the SMs take them
// (row_interval()): its address (that of a bank of c[] is the buffer which the bank names) goes into `asked`, what
// the memories of ComputeState hold there into `read`, and it is checked as it leaves for the TPCs. The grid goes to
// the CTA scheduler when the last row has arrived there, and host.launch_cycles after the LAUNCH was accepted. CB_DATA
// takes the same stages to its buffer. Of the methods that write a memory one is parsed at an edge.
// QUERY_GET writes {sequence, 0, time in ns} (or only the sequence, if SHORT) to its address and informs the host when
// the write is performed.
// Idle: the AND of all blocks' idle_o comes over kControlWay registers, so the word is as old as that. It counts from
// the second edge on at which nothing of this block and the copy engine can be on its way to the memory system.
// A TLB flush ordered through the copy engine also waits for an idle machine, and the parser waits for it.
// Copies: with host.copy_channel they run beside grids. Only while the machine empties for a method, the copy engine
// has to hold its requests. Otherwise one channel does both in turn: a LAUNCH waits for the copies before it, and the
// copy engine holds its requests until the grid has ended and its stores are performed.
// The parser continues while a grid runs. An illegal LAUNCH only writes a record with the reason.
// After a fault or time-out every LAUNCH is refused until reset, and no method waits for idle.
// A fault of a store in flight at the end of the last block belongs to the grid too.
// Watchdog: a counter on the core clock that loses the frequency of the shader clock at each edge, so it counts shader
// cycles without a crossing.
#pragma once
#include <systemc>
#include <vector>

#include "hw/bundles/grid_bundles.h"
#include "hw/bundles/host_bundles.h"
#include "hw/bundles/launch_beat.h"
#include "hw/bundles/transaction.h"
#include "hw/common/clocked.h"
#include "hw/common/countdown.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/host/block_fit.h"
#include "hw/host/compute_state.h"
#include "hw/host/launch_log.h"
#include "hw/host/timer.h"

namespace g80 {

enum class CommandState : std::uint8_t { kParse, kWaitToLaunch, kSendLaunch, kWaitToQuery, kReadBuffer, kWrite };
inline const EnumText& enum_text(CommandState) {
  static const char* const names[] = {"PARSE",         "WAIT_TO_LAUNCH", "SEND_LAUNCH",
                                      "WAIT_TO_QUERY", "READ_BUFFER",    "WRITE"};
  static const EnumText text{"CommandState", names, 6};
  return text;
}

struct CommandProcessorRegs {
  CommandState state = CommandState::kParse;
  std::uint8_t next_word = 0;  // of the words that arrived together
  PushHeader packet;           // what is left of the packet being parsed
  std::uint8_t bound = 0;      // subchannels that carry the compute class
  std::uint32_t kernel = 0;    // number of the last accepted LAUNCH
  bool grid_running = false;   // from its LAUNCH on
  bool dead = false;           // a grid faulted or timed out
  Countdown setup;             // until the grid goes to the CTA scheduler
  bool watched = false;        // the grid has a watchdog
  Countdown watchdog;          // in the unit of its step
  LaunchWalk walk;
  MemoryAddress asked;
  MemoryRow read;
  std::uint8_t pause = 0;         // edges until the next row leaves
  std::uint32_t constant = 0;     // of CB_DATA
  bool textures_changed = false;  // since their rows were sent, or since reset
  LaunchBeat beat;
  GridStart grid;
  BlockFit fit;  // of a block as the methods say so far
  MemRequest request;
  bool short_query = false;
  bool fence_pending = false;  // the event goes out when the write is in memory
  std::uint32_t code_flushes = 0, texture_flushes = 0, tlb_flushes = 0;
  bool hold_copies = false;
  bool channel_taken = false;  // by a grid or its stores; without host.copy_channel
  bool looking = false;        // at the idle words
  std::uint16_t idle_way = 0;  // those that are on their way, the oldest one highest
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("state", s.state, 3);
    v("next_word", s.next_word, 3);
    visit_fields(s.packet, v);
    v("bound", s.bound);
    v("kernel", s.kernel);
    v("grid_running", s.grid_running);
    v("dead", s.dead);
    v("setup", s.setup);
    v("watched", s.watched);
    v.stored("watchdog", s.watchdog);  // it stands still while no grid runs
    visit_fields(s.walk, v);
    v("asked", s.asked);
    v("read", s.read);
    v("pause", s.pause);
    v("constant", s.constant);
    v("textures_changed", s.textures_changed);
    v("beat", s.beat);
    v("grid", s.grid);
    v("fit", s.fit);
    v("request", s.request);
    v("short_query", s.short_query);
    v("fence_pending", s.fence_pending);
    v("code_flushes", s.code_flushes);
    v("texture_flushes", s.texture_flushes);
    v("tlb_flushes", s.tlb_flushes);
    v("hold_copies", s.hold_copies);
    v("channel_taken", s.channel_taken);
    v("looking", s.looking);
    v("idle_way", s.idle_way, kControlWay);
  }
};

class CommandProcessor : public Clocked<CommandProcessorRegs> {
 public:
  CommandProcessor(const sc_core::sc_module_name& name, const Config& config);

  // From and to the host
  CrossingIn<PushWords> push_i{"push_i"};
  CrossingOut<HostEvent> event_o{"event_o"};
  // To and from the CTA scheduler
  Out<GridStart> grid_o{"grid_o"};
  In<GridStatus> status_i{"status_i"};
  // To the TPCs
  Out<LaunchBeat> launch_o{"launch_o"};
  // To the chip port: fences and constants, virtual addresses
  Out<MemRequest> request_o{"request_o"};
  In<bool> request_ready_i{"request_ready_i"};
  // To and from the copy engine
  Out<bool> hold_copies_o{"hold_copies_o"};
  In<bool> copy_idle_i{"copy_idle_i"};
  In<std::uint32_t> tlb_flush_orders_i{"tlb_flush_orders_i"};
  // From the memory system: read at every edge while a method waits for it
  sc_core::sc_in<bool> memory_idle_i{"memory_idle_i"};
  // To the caches: number of flushes ordered so far
  Out<std::uint32_t> code_flush_o{"code_flush_o"};
  Out<std::uint32_t> texture_flush_o{"texture_flush_o"};
  Out<std::uint32_t> tlb_flush_o{"tlb_flush_o"};

  struct Counters {
    std::uint64_t words = 0;
    std::uint64_t methods = 0;
    std::uint64_t unknown_methods = 0;  // accepted and without effect
    std::uint32_t last_unknown_method = 0;
    std::uint32_t last_unknown_value = 0;
    std::uint64_t refused_constants = 0;  // CB_DATA outside its buffer
    std::uint64_t launches = 0, refused_launches = 0;
    std::uint64_t queries = 0;
    G80_FIELDS(words, methods, unknown_methods, last_unknown_method, last_unknown_value, refused_constants, launches,
               refused_launches, queries);
  };
  const Counters& counters() const { return counters_; }
  const std::vector<LaunchRecord>& launches() const { return log_.records(); }
  /// As it was sent to the TPCs.
  const LaunchState& launch_state() const { return log_.launch(); }
  const std::array<std::uint32_t, kMaxUserParams>& launch_params() const { return log_.param(); }
  const TextureBindings& texture_bindings() const { return log_.textures(); }
  /// Something is parsed, waits or runs: for an idle report of the whole machine.
  bool busy() const { return q_.state != CommandState::kParse || q_.grid_running; }
  bool moves_unmarked(Picoseconds, bool with_stored) const override {
    return with_stored || (q_.grid_running && !q_.grid.valid);
  }

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void watch_grid();
  void take_late_fault();
  void parse();
  BlockNeeds block_needs() const { return {state_.threads, state_.registers, state_.shared_bytes}; }
  bool accept_method(std::uint32_t number, std::uint32_t value);
  void bind_class(std::uint32_t value);
  void read_rows();
  void write_constant();
  void note_unknown(std::uint32_t number, std::uint32_t value);
  bool channel_free() const;
  bool memory_quiet() const;
  bool quiet() const;
  void look_for_idle(bool wants_quiet);
  void hold_copies(bool wants_quiet);
  void begin_launch();
  void ask_for_row(unsigned row);
  void send_row();
  void refuse(LaunchError error);
  void start_grid();
  void query();
  void finish_write();
  void send_write(std::uint32_t address, const std::uint32_t* words, unsigned count);

  const Config& config_;
  const unsigned words_per_cycle_;
  const std::uint8_t chip_port_;
  const bool copy_channel_;
  const unsigned row_pause_;                 // edges between two rows
  const std::uint64_t core_hz_, shader_hz_;  // in one unit
  Stored<ComputeState> state_{*this, "compute"};
  Timer timer_;
  LaunchLog log_;
  Counters counters_;
};

}  // namespace g80

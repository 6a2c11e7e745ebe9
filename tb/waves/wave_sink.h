// SPDX-License-Identifier: Apache-2.0
// The one wave writer: everything traceable in the machine, the insides of its RTL too, and the clocks, in one VCD or
// FST file.
//
// Construct it with the clock domains (the first is the shader clock: it counts the window), call open() after the
// machine is built, and close() after the run, while the machine still exists; otherwise call
// close_after_machine().
//
// - It examines only marked objects and writes only changed fields. It is attached to the objects only
//   while the window is open.
// - It writes all changes of one point in time together when time advances, so coincident edges of two domains give
//   one point, in a fixed order.
// - The sink computes the clocks from Domain::edge_time, whether a domain runs or sleeps. So a machine with sleep
//   gives the same bytes as one without.
//
// - A window that begins later is a pending event until then: run the machine to a time or a condition, not until
//   SystemC has no events left.
// - The file is written under a temporary name and gets its own name when it is complete.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "hw/common/alarm.h"
#include "hw/common/domain.h"
#include "hw/common/traceable.h"
#include "tb/twins/low_phase.h"
#include "tb/waves/signal_table.h"
#include "tb/waves/trace_file.h"

namespace g80 {

struct WaveOptions {
  static constexpr Cycle kToTheEnd = ~Cycle{0};
  std::string file;  // .vcd or .fst
  Cycle from = 0;    // first and last shader cycle that is drawn
  Cycle to = kToTheEnd;
  std::string on;                   // an event: the window begins with begin(); this text is for messages
  std::vector<std::string> scopes;  // of TraceSelection
  WaveLevel level = WaveLevel::kRegisters;
  std::vector<const Traceable*> architecture = {};  // what the level of that name has
};

/// shader, core, dram: the domain's own name without _clk.
std::string clock_name(const Domain& domain);

/// What the sink draws for a clock domain, by signal number.
struct ClockSignals {
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t clk, cycle, rst_n, issue_en;
};
/// Declares them below the scope "clocks". issue_en exists where the domain has half-rate blocks.
ClockSignals declare_clock(SignalTable& table, const Domain& domain);

class WaveSink final : public TraceSink {
 public:
  WaveSink(const WaveOptions& options, std::vector<Domain*> domains);
  ~WaveSink() override;
  WaveSink(const WaveSink&) = delete;
  WaveSink& operator=(const WaveSink&) = delete;

  /// Finds the objects and writes the header. The machine is built; time has not passed `from`.
  void open();
  /// The window of options.on begins now: at this point in time, after all that has happened in it.
  void begin();
  /// Completes the file with all recorded data. May be called more than once.
  void close();
  /// The same after the traced objects were destroyed: does not detach from them.
  void close_after_machine();
  /// Throws WaveError if the disk is full. A sink in this state writes nothing more; the machine continues until
  /// this is called.
  void check_file() const;
  /// Sentences for the user after close(): nothing recorded, no value changed. Empty if everything is normal.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The window has begun: there is a file.
  bool has_traced() const { return has_traced_; }
  /// The present moment is inside the window.
  bool is_tracing() const;
  /// Field changes captured (without the clocks).
  std::uint64_t value_changes() const { return table_.changes() - initial_changes_; }
  const std::vector<Signal>& signals() const { return table_.signals(); }

  /// Asks every open sink to complete its file at the next clock edge. May be called from a signal handler.
  static void request_close() noexcept { close_requested_.store(true, std::memory_order_relaxed); }

  void edge_begin(Domain& domain) override;
  void edge_done(Domain& domain) override;
  void changed(std::uint32_t slot) override;

 private:
  enum class State { kNew, kArmed, kWaiting, kTracing, kClosed };
  struct LowBlock {
    LowPhase* block;
    std::uint32_t slot;
  };
  struct Clock {
    const Domain* domain;
    double mhz;
    bool in_reset;
    ClockSignals signals;
    Cycle edge;  // last rising edge drawn
    bool high;
    Picoseconds next;                  // time of the next event of this clock
    std::vector<LowBlock> low_blocks;  // blocks of this clock that move while it is low
    std::uint64_t settled;             // moves_ when they last did
  };

  void begin_window();
  void visit_marked();
  void start_clock(Clock& clock, Picoseconds now);
  void tick(Clock& clock);
  void end_reset(Clock& clock);
  void settle(Clock& clock);
  void update(std::uint32_t slot);
  void move_unmarked(Picoseconds time);
  void advance(Picoseconds now);
  void flush();
  void detach();
  void finish();

  static std::atomic<bool> close_requested_;

  WaveOptions options_;
  std::vector<Domain*> domains_;
  std::unique_ptr<TraceFile> file_;
  std::string temporary_;
  SignalTable table_;
  std::vector<Clock> clocks_;
  std::vector<std::uint32_t> marked_;  // slots to look at when the edge is done
  std::vector<std::uint8_t> is_marked_;
  std::vector<std::uint32_t> moving_;  // slots that change without a mark
  std::vector<std::uint8_t> is_moving_;
  State state_ = State::kNew;
  std::uint64_t moves_ = 0;  // edges and other moments so far at which the machine changed
  bool in_edge_ = false;
  bool has_traced_ = false;
  std::size_t written_ = 0;  // changes in the log that were dumped
  bool must_dump_ = false;   // the first point of the window is written even without a change
  Picoseconds from_time_ = 0, end_time_ = ~Picoseconds{0};
  Picoseconds point_ = 0;         // time of the changes that are not written yet
  std::unique_ptr<Alarm> alarm_;  // the window's first moment, where no clock edge may be
  std::uint64_t initial_changes_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace g80

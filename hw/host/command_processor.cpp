// SPDX-License-Identifier: Apache-2.0
#include "hw/host/command_processor.h"

#include <algorithm>

#include "hw/host/byte_mask.h"

namespace g80 {
namespace {

constexpr std::uint32_t kQueryShort = 1u << 15;  // QUERY_GET writes the sequence number only, no time

}  // namespace

CommandProcessor::CommandProcessor(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name),
      config_(config),
      words_per_cycle_(config.host.pushbuffer_words_per_cycle),
      chip_port_(static_cast<std::uint8_t>(config.gpu.num_tpcs)),
      copy_channel_(config.host.copy_channel),
      row_pause_(row_interval(config.clock.core_mhz, config.clock.shader_mhz) - 1),
      core_hz_(ClockTimes(config.clock.core_mhz).frequency()),
      shader_hz_(ClockTimes(config.clock.shader_mhz).frequency()),
      timer_(*this, "timer", core_hz_) {}

void CommandProcessor::reset() {
  state_.reset();
  timer_.forget_reads();
  log_ = {};
  counters_ = {};
}

void CommandProcessor::next() {
  if (request_ready_i.read()) d_.request.valid = false;
  d_.beat.valid = false;
  read_rows();
  watch_grid();
  count_blocks(d_.fit, block_needs(), config_.sm);
  const bool flush_ordered = tlb_flush_orders_i.read() != q_.tlb_flushes;
  const bool wants_quiet =
      flush_ordered || q_.state == CommandState::kWaitToLaunch || q_.state == CommandState::kWaitToQuery;
  const bool is_quiet = wants_quiet && quiet();
  if (is_quiet) d_.tlb_flushes = tlb_flush_orders_i.read();
  switch (q_.state) {
    case CommandState::kParse:
      if (!flush_ordered) parse();
      break;
    case CommandState::kWaitToLaunch:
      if (!flush_ordered && is_quiet && q_.fit.done()) begin_launch();
      break;
    case CommandState::kSendLaunch: send_row(); break;
    case CommandState::kWaitToQuery:
      if (!flush_ordered && is_quiet) query();
      break;
    case CommandState::kReadBuffer:
      if (q_.read.valid) write_constant();
      break;
    case CommandState::kWrite: finish_write(); break;
  }
  look_for_idle(wants_quiet || q_.fence_pending);
  hold_copies(wants_quiet || q_.fence_pending);
  const bool parsing = d_.state == CommandState::kParse && push_i->available();
  const bool sending = d_.beat.valid || q_.beat.valid || d_.asked.valid || d_.read.valid;
  const bool settled = d_.state == q_.state && d_.grid_running == q_.grid_running && d_.grid.valid == q_.grid.valid &&
                       d_.grid.abort == q_.grid.abort && d_.request.valid == q_.request.valid &&
                       d_.packet.count == q_.packet.count && d_.dead == q_.dead && d_.hold_copies == q_.hold_copies;
  const bool polls = ((wants_quiet || q_.fence_pending) && channel_free()) || d_.looking || q_.looking;
  if (!parsing && !sending && !polls && settled && d_.fit.done() && d_.tlb_flushes == q_.tlb_flushes) sleep();
}

// A posted store may fault after the last block has ended. The fault arrives here before memory is idle, and the host
// learns of the grid's end only after that. So the fault belongs to the last grid.
void CommandProcessor::take_late_fault() {
  const GridStatus& status = status_i.read();
  if (q_.dead || !status.fault.valid) return;
  CHECK(q_.kernel != 0, "{}: a fault was reported before the first grid", name());
  d_.dead = true;
  log_.late_fault(status.fault);
}

void CommandProcessor::watch_grid() {
  if (!q_.grid_running) {
    take_late_fault();
    return;
  }
  if (q_.state == CommandState::kSendLaunch) return;
  if (!q_.grid.valid) {
    d_.grid.valid = q_.setup.over(edge());
    if (!d_.grid.valid) wake_at(q_.setup.end());
    return;
  }
  const GridStatus& status = status_i.read();
  if (status.finished == q_.kernel) {
    log_.end(status.complete      ? LaunchOutcome::kComplete
             : status.fault.valid ? LaunchOutcome::kFault
                                  : LaunchOutcome::kTimeout,
             status.fault, edge());
    d_.dead = !status.complete;
    d_.grid = {};
    d_.grid_running = false;
  } else if (q_.watched) {
    d_.grid.abort = q_.watchdog.over(edge());
    if (!d_.grid.abort) wake_at(q_.watchdog.end());
  }
}

void CommandProcessor::parse() {
  if (!push_i->available()) return;
  const PushWords& words = push_i->front();
  CHECK(words.count != 0 && words.count <= words_per_cycle_, "{}: {} command words arrive together, {} may", name(),
        words.count, words_per_cycle_);
  bool wrote = false;
  while (d_.next_word < words.count && d_.state == CommandState::kParse && !wrote) {
    const std::uint32_t word = words.word[d_.next_word++];
    ++counters_.words;
    if (d_.packet.count == 0) {
      d_.packet = decode_header(word);
      continue;
    }
    const std::uint32_t number = d_.packet.method;
    --d_.packet.count;
    if (!d_.packet.same_method) d_.packet.method += 4;
    wrote = accept_method(number, word);
  }
  if (d_.next_word < words.count) return;  // the rest waits
  push_i->pop();
  d_.next_word = 0;
}

/// True if it wrote a row of a memory.
bool CommandProcessor::accept_method(std::uint32_t number, std::uint32_t value) {
  ++counters_.methods;
  if (number == method::kBindClass) {
    bind_class(value);
    return false;
  }
  const bool bound = ((q_.bound | d_.bound) >> d_.packet.subchannel & 1) != 0;
  if (!bound && number != method::kLaunch) {
    note_unknown(number, value);
    return false;
  }
  const BlockNeeds before = block_needs();
  const MethodEffect effect = apply_method(state_, number, value);
  if (block_needs() != before) d_.fit = {};
  if (is_texture_method(number)) d_.textures_changed = true;
  switch (effect) {
    case MethodEffect::kNone:
    case MethodEffect::kWriteMemory: break;
    case MethodEffect::kUnknown: note_unknown(number, value); break;
    case MethodEffect::kLaunch: d_.state = CommandState::kWaitToLaunch; break;
    case MethodEffect::kQuery:
      d_.short_query = (value & kQueryShort) != 0;
      d_.state = CommandState::kWaitToQuery;
      break;
    case MethodEffect::kWriteConstant:
      d_.constant = value;
      d_.asked = {true, 0, static_cast<std::uint8_t>(state_.cb_buffer)};
      d_.state = CommandState::kReadBuffer;
      break;
    case MethodEffect::kFlushCodeAndConstants: ++d_.code_flushes; break;
    case MethodEffect::kFlushTextures: ++d_.texture_flushes; break;
  }
  return effect == MethodEffect::kWriteMemory;
}

void CommandProcessor::bind_class(std::uint32_t value) {
  const auto bit = static_cast<std::uint8_t>(1u << d_.packet.subchannel);
  const bool compute = value == kComputeClassG80 || value == kComputeClassGt215;
  d_.bound = static_cast<std::uint8_t>(compute ? d_.bound | bit : d_.bound & ~bit);
  if (!compute) note_unknown(method::kBindClass, value);
}

void CommandProcessor::read_rows() {
  if (q_.pause != 0) return;
  d_.asked.valid = d_.read.valid = false;
  if (!q_.asked.valid) return;
  CHECK(q_.asked.row < launch_row::kEnd, "{}: row {} of the launch state is read", name(), q_.asked.row);
  d_.read = read_memories(state_, q_.asked);
}

void CommandProcessor::write_constant() {
  const std::optional<std::uint32_t> address = next_constant_address(state_, q_.read);
  if (address) return send_write(*address, &q_.constant, 1);
  ++counters_.refused_constants;
  d_.state = CommandState::kParse;
}

void CommandProcessor::note_unknown(std::uint32_t number, std::uint32_t value) {
  ++counters_.unknown_methods;
  counters_.last_unknown_method = number;
  counters_.last_unknown_value = value;
}

bool CommandProcessor::channel_free() const {
  return !q_.request.valid && (q_.dead || (!q_.grid_running && (copy_channel_ || copy_idle_i.read())));
}

// The SMs' word comes from the CTA scheduler and not with the wires of the memory system: it crosses a clock, and a way
// of the same length.
bool CommandProcessor::memory_quiet() const {
  return q_.dead || (status_i.read().sms_idle && (q_.idle_way >> (kControlWay - 1) & 1) != 0);
}

bool CommandProcessor::quiet() const { return channel_free() && memory_quiet(); }

void CommandProcessor::look_for_idle(bool wants_quiet) {
  const bool no_copy_starts = copy_idle_i.read() || q_.hold_copies;
  d_.looking =
      !d_.dead && ((wants_quiet && channel_free() && no_copy_starts) || (q_.channel_taken && !q_.grid_running));
  d_.idle_way = 0;
  if (!q_.looking || !d_.looking) return;
  constexpr unsigned kMask = (1u << kControlWay) - 1;
  d_.idle_way = static_cast<std::uint16_t>((q_.idle_way << 1 | (memory_idle_i.read() ? 1u : 0)) & kMask);
}

// This is where copies beside a grid are decided. The memory system would not become idle beside a long copy, so it
// pauses.
void CommandProcessor::hold_copies(bool wants_quiet) {
  if (!d_.grid_running && memory_quiet()) d_.channel_taken = false;
  d_.hold_copies = copy_channel_ ? wants_quiet && channel_free() && !copy_idle_i.read() : d_.channel_taken;
}

void CommandProcessor::begin_launch() {
  ++counters_.launches;
  log_.begin(q_.kernel + 1, edge());
  if (q_.dead) return refuse(LaunchError::kAfterFault);
  if ((q_.bound >> q_.packet.subchannel & 1) == 0) return refuse(LaunchError::kNoClass);
  d_.state = CommandState::kSendLaunch;
  d_.walk = {};
  // The first row is in no memory.
  d_.read.valid = true;
  d_.read.row = launch_row::kCode;
  ask_for_row(launch_row::kCode + 1);
  d_.grid_running = true;
  d_.channel_taken = !copy_channel_;
  d_.setup.load(config_.host.launch_cycles, edge());
  // 7 times a power of two, and the frequency is a constant: a shift.
  d_.watched = watchdog_clocks(state_.watchdog) != 0;
  d_.watchdog.load(watchdog_clocks(state_.watchdog) * core_hz_, edge(), shader_hz_);
}

void CommandProcessor::ask_for_row(unsigned row) {
  if (row == launch_row::kEnd) return;
  d_.asked = address_of(state_, row);
  d_.walk.row = static_cast<std::uint8_t>(next_launch_row(state_, row, q_.textures_changed));
}

void CommandProcessor::send_row() {
  if (q_.pause != 0) {
    --d_.pause;
    return;
  }
  ask_for_row(q_.walk.row);
  if (!q_.read.valid) return;
  const MemoryRow& read = q_.read;
  CHECK(read.row < launch_row::kEnd, "{}: row {} of the launch state is sent", name(), read.row);
  const LaunchError error = check_launch_row(state_, read, config_, q_.fit.blocks != 0, d_.walk.block_threads);
  if (error != LaunchError::kNone) return refuse(error);
  d_.beat = {true, read.row, launch_row_of(state_, read, q_.kernel + 1)};
  log_.send(d_.beat);
  if (read.row == launch_row::kLimits) return start_grid();
  d_.pause = static_cast<std::uint8_t>(row_pause_);
}

void CommandProcessor::refuse(LaunchError error) {
  log_.refuse(error, edge());
  ++counters_.refused_launches;
  d_.asked.valid = d_.read.valid = false;
  d_.state = CommandState::kParse;
  d_.grid_running = false;
}

// The last row leaves at this edge.
void CommandProcessor::start_grid() {
  d_.state = CommandState::kParse;
  d_.textures_changed = false;
  d_.kernel = q_.kernel + 1;
  d_.grid = {false,
             false,
             d_.kernel,
             q_.fit.blocks,
             static_cast<std::uint16_t>(state_.grid_x),
             static_cast<std::uint16_t>(state_.grid_y)};
  d_.setup.load(std::max<std::uint64_t>(q_.setup.left(edge()), kControlWay + 1), edge());
}

void CommandProcessor::query() {
  const std::uint64_t time = timer_.nanoseconds(edge());
  const std::uint32_t words[] = {state_.query_sequence, 0, static_cast<std::uint32_t>(time),
                                 static_cast<std::uint32_t>(time >> 32)};
  ++counters_.queries;
  send_write(state_.query.low, words, q_.short_query ? 1 : 4);
  d_.fence_pending = true;
}

/// Ends a write: that of a constant when the request has been taken, that of a fence when the word is in memory. The
/// fence then sends the host its event.
void CommandProcessor::finish_write() {
  if (q_.fence_pending) {
    if (!quiet() || !event_o->can_push()) return;
    event_o->push({HostEventKind::kFence, state_.query_sequence, timer_.nanoseconds(edge())});
    d_.fence_pending = false;
  } else if (d_.request.valid) {
    return;
  }
  d_.state = CommandState::kParse;
}

void CommandProcessor::send_write(std::uint32_t address, const std::uint32_t* words, unsigned count) {
  address &= ~(4 * count - 1);  // a query writes to an aligned address
  MemRequest& request = d_.request;
  request = {};
  request.valid = true;
  request.op = MemOp::kWrite;
  request.client = MemClient::kCopy;
  request.port = chip_port_;
  request.origin.sm = kNoSm;
  request.virtual_address = address & ~(kSectorBytes - 1);
  const unsigned first = address % kSectorBytes;
  request.byte_enable = byte_mask(first, 4 * count);
  for (unsigned i = 0; i < count; ++i) request.data[first / 4 + i] = words[i];
  d_.state = CommandState::kWrite;
}

void CommandProcessor::drive() {
  grid_o.write(q_.grid);
  launch_o.write(q_.beat);
  request_o.write(q_.request);
  code_flush_o.write(q_.code_flushes);
  texture_flush_o.write(q_.texture_flushes);
  tlb_flush_o.write(q_.tlb_flushes);
  hold_copies_o.write(q_.hold_copies);
}

}  // namespace g80

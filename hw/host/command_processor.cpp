// SPDX-License-Identifier: Apache-2.0
#include "hw/host/command_processor.h"

#include <cmath>

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
      copy_channel_(config.host.copy_channel) {}

void CommandProcessor::reset() {
  state_ = {};
  launch_ = {};
  launch_shown_ = false;
  records_.clear();
  counters_ = {};
}

void CommandProcessor::next() {
  if (q_.request.valid && request_ready_i.read()) d_.request.valid = false;
  watch_grid();
  count_blocks(d_.fit, block_needs(), config_.sm);
  const bool flush_ordered = tlb_flush_orders_i.read() != q_.tlb_flushes;
  const bool wants_quiet =
      flush_ordered || q_.state == CommandState::kWaitToLaunch || q_.state == CommandState::kWaitToQuery;
  const bool is_quiet = wants_quiet && quiet();
  if (flush_ordered && is_quiet) d_.tlb_flushes = tlb_flush_orders_i.read();
  switch (q_.state) {
    case CommandState::kParse:
      if (!flush_ordered) parse();
      break;
    case CommandState::kWaitToLaunch:
      if (!flush_ordered && is_quiet && q_.fit.done()) launch();
      break;
    case CommandState::kWaitToQuery:
      if (!flush_ordered && is_quiet) query();
      break;
    case CommandState::kWrite: finish_write(); break;
  }
  hold_copies(wants_quiet || q_.fence_pending);
  const bool parsing = d_.state == CommandState::kParse && push_i->available();
  const bool settled = d_.state == q_.state && d_.grid_running == q_.grid_running && d_.grid.valid == q_.grid.valid &&
                       d_.grid.abort == q_.grid.abort && d_.request.valid == q_.request.valid &&
                       d_.packet.count == q_.packet.count && d_.code_flushes == q_.code_flushes &&
                       d_.texture_flushes == q_.texture_flushes && d_.kernel == q_.kernel &&
                       d_.hold_copies == q_.hold_copies && d_.channel_taken == q_.channel_taken;
  const bool polls = ((wants_quiet || q_.fence_pending) && channel_free()) || (q_.channel_taken && !q_.grid_running);
  if (!parsing && !polls && settled && d_.fit.done() && d_.tlb_flushes == q_.tlb_flushes) sleep();
}

// A posted store may fault after the last block has ended. The fault arrives here before memory is idle, and the host
// learns of the grid's end only after that. So the fault belongs to the last grid.
void CommandProcessor::take_late_fault() {
  const GridStatus& status = status_i.read();
  if (q_.dead || !status.fault.valid) return;
  d_.dead = true;
  CHECK(!records_.empty(), "{}: a fault was reported before the first grid", name());
  records_.back().fault = status.fault;
  records_.back().outcome = LaunchOutcome::kFault;
}

void CommandProcessor::watch_grid() {
  if (!q_.grid_running) {
    take_late_fault();
    return;
  }
  if (!q_.grid.valid) {
    if (edge() >= q_.start_edge) {
      d_.grid.valid = true;
    } else {
      wake_at(q_.start_edge);
    }
    return;
  }
  // LAUNCH waits for the grid before it, so the running one is the last record.
  LaunchRecord& record = records_.back();
  const GridStatus& status = status_i.read();
  if (status.finished == q_.kernel) {
    record.ended = sc_core::sc_time_stamp().value();
    record.fault = status.fault;
    record.outcome = status.complete      ? LaunchOutcome::kComplete
                     : status.fault.valid ? LaunchOutcome::kFault
                                          : LaunchOutcome::kTimeout;
    d_.dead = !status.complete;
    d_.grid = {};
    d_.grid_running = false;
  } else if (q_.watchdog_edge != 0) {
    d_.grid.abort = edge() >= q_.watchdog_edge;
    if (!d_.grid.abort) wake_at(q_.watchdog_edge);
  }
}

void CommandProcessor::parse() {
  if (!push_i->available()) return;
  const PushWords& words = push_i->front();
  CHECK(words.count != 0 && words.count <= words_per_cycle_, "{}: {} command words arrive together, {} may", name(),
        words.count, words_per_cycle_);
  while (d_.next_word < words.count && d_.state == CommandState::kParse) {
    const std::uint32_t word = words.word[d_.next_word++];
    ++counters_.words;
    if (d_.packet.count == 0) {
      d_.packet = decode_header(word);
      continue;
    }
    const std::uint32_t number = d_.packet.method;
    --d_.packet.count;
    if (!d_.packet.same_method) d_.packet.method += 4;
    accept_method(number, word);
  }
  if (d_.next_word < words.count) return;  // the rest waits behind a launch or a query
  push_i->pop();
  d_.next_word = 0;
}

void CommandProcessor::accept_method(std::uint32_t number, std::uint32_t value) {
  ++counters_.methods;
  if (number == method::kBindClass) {
    bind_class(value);
    return;
  }
  const bool bound = ((q_.bound | d_.bound) >> d_.packet.subchannel & 1) != 0;
  if (!bound && number != method::kLaunch) {
    note_unknown(number, value);
    return;
  }
  const BlockNeeds before = block_needs();
  const MethodEffect effect = apply_method(state_, number, value);
  if (block_needs() != before) d_.fit = {};
  switch (effect) {
    case MethodEffect::kNone: break;
    case MethodEffect::kUnknown: note_unknown(number, value); break;
    case MethodEffect::kLaunch: d_.state = CommandState::kWaitToLaunch; break;
    case MethodEffect::kQuery:
      query_value_ = value;
      d_.state = CommandState::kWaitToQuery;
      break;
    case MethodEffect::kWriteConstant: write_constant(value); break;
    case MethodEffect::kFlushCodeAndConstants: ++d_.code_flushes; break;
    case MethodEffect::kFlushTextures: ++d_.texture_flushes; break;
  }
}

void CommandProcessor::bind_class(std::uint32_t value) {
  const auto bit = static_cast<std::uint8_t>(1u << d_.packet.subchannel);
  const bool compute = value == kComputeClassG80 || value == kComputeClassGt215;
  d_.bound = static_cast<std::uint8_t>(compute ? d_.bound | bit : d_.bound & ~bit);
  if (!compute) note_unknown(method::kBindClass, value);
}

void CommandProcessor::write_constant(std::uint32_t value) {
  const std::optional<std::uint32_t> address = next_constant_address(state_);
  if (!address) {
    ++counters_.refused_constants;
    return;
  }
  send_write(*address, &value, 1);
}

void CommandProcessor::note_unknown(std::uint32_t number, std::uint32_t value) {
  ++counters_.unknown_methods;
  counters_.last_unknown_method = number;
  counters_.last_unknown_value = value;
}

bool CommandProcessor::channel_free() const {
  return !q_.request.valid && (q_.dead || (!q_.grid_running && (copy_channel_ || copy_idle_i.read())));
}

// The SMs' word comes from the CTA scheduler and not with the wires of the memory system: it crosses a clock.
bool CommandProcessor::memory_quiet() const { return q_.dead || (status_i.read().sms_idle && memory_idle_i.read()); }

bool CommandProcessor::quiet() const { return channel_free() && memory_quiet(); }

// This is where copies beside a grid are decided. The memory system would not become idle beside a long copy, so it
// pauses.
void CommandProcessor::hold_copies(bool wants_quiet) {
  if (q_.channel_taken && !q_.grid_running && memory_quiet()) d_.channel_taken = false;
  d_.hold_copies = copy_channel_ ? wants_quiet && channel_free() && !copy_idle_i.read() : d_.channel_taken;
}

void CommandProcessor::launch() {
  LaunchRecord record;
  record.accepted = sc_core::sc_time_stamp().value();
  record.error = q_.dead                                         ? LaunchError::kAfterFault
                 : ((q_.bound >> q_.packet.subchannel) & 1) == 0 ? LaunchError::kNoClass
                                                                 : check_launch(state_, config_, q_.fit.blocks != 0);
  d_.state = CommandState::kParse;
  ++counters_.launches;
  if (record.error != LaunchError::kNone) {
    record.outcome = LaunchOutcome::kRefused;
    record.ended = record.accepted;
    records_.push_back(record);
    ++counters_.refused_launches;
    return;
  }
  launch_ = make_launch_state(state_);
  launch_shown_ = false;
  record.kernel = d_.kernel = q_.kernel + 1;
  records_.push_back(record);
  d_.grid_running = true;
  d_.grid = {false, false, d_.kernel, q_.fit.blocks};
  d_.channel_taken = !copy_channel_;
  d_.start_edge = edge() + config_.host.launch_cycles;
  const std::uint64_t clocks = watchdog_clocks(state_.watchdog);
  d_.watchdog_edge = 0;
  if (clocks != 0) {
    d_.watchdog_edge =
        edge() + static_cast<Cycle>(std::ceil(double(clocks) * config_.clock.core_mhz / config_.clock.shader_mhz));
  }
}

void CommandProcessor::query() {
  const std::uint64_t ticks = timer_ticks(sc_core::sc_time_stamp().value());
  const std::uint32_t words[4] = {state_.query_sequence, 0, static_cast<std::uint32_t>(ticks),
                                  static_cast<std::uint32_t>(ticks >> 32)};
  ++counters_.queries;
  send_write(state_.query.low, words, (query_value_ & kQueryShort) != 0 ? 1 : 4);
  d_.fence_pending = true;
}

/// Ends a write: that of a constant when the request has been taken, that of a fence when the word is in memory. The
/// fence then sends the host its event.
void CommandProcessor::finish_write() {
  if (q_.fence_pending) {
    if (!quiet() || !event_o->can_push()) return;
    event_o->push({HostEventKind::kFence, state_.query_sequence, timer_ticks(sc_core::sc_time_stamp().value())});
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
  request.bytes = kSectorBytes;
  request.origin.sm = kNoSm;
  request.virtual_address = address & ~(kSectorBytes - 1);
  const unsigned first = address % kSectorBytes;
  request.byte_enable = byte_mask(first, 4 * count);
  for (unsigned i = 0; i < count; ++i) request.data[first / 4 + i] = words[i];
  d_.state = CommandState::kWrite;
}

void CommandProcessor::drive() {
  grid_o.write(q_.grid);
  if (!launch_shown_) launch_o.write(launch_);
  launch_shown_ = true;
  request_o.write(q_.request);
  code_flush_o.write(q_.code_flushes);
  texture_flush_o.write(q_.texture_flushes);
  tlb_flush_o.write(q_.tlb_flushes);
  hold_copies_o.write(q_.hold_copies);
}

}  // namespace g80

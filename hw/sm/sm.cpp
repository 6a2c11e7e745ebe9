// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/sm.h"

#include <algorithm>
#include <iterator>

#include "hw/common/set_bits.h"

namespace g80 {

Sm::Sm(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned tpc, unsigned sm_in_tpc,
       Domain& shader, const TwinTable& twins)
    : SmPins(name),
      register_read_("register_read", config.sm.register_banks),
      blocks_(twins),
      warp_scheduler(blocks_.make<WarpScheduler>("warp_scheduler", config)),
      bank_conflict(blocks_.make<BankConflict>("bank_conflict", config)),
      registers(blocks_.make<RegisterFile>("register_file", config)),
      shared_memory(blocks_.make<SharedMemory>("shared_memory", config)),
      launcher(blocks_.make<CtaLauncher>("cta_launcher", config)),
      fetch(blocks_.make<Fetch>("fetch", config)),
      instruction_cache(blocks_.make<InstructionCache>("instruction_cache", config)),
      decode(blocks_.make<Decode>("decode", config)),
      instruction_buffer(blocks_.make<InstructionBuffer>("instruction_buffer", config, sm_id)),
      scoreboard(blocks_.make<Scoreboard>("scoreboard", config)),
      operand_collector(blocks_.make<OperandCollector>("operand_collector", config, tpc, sm_in_tpc)),
      reconvergence_stack(blocks_.make<ReconvergenceStack>("reconvergence_stack", config)),
      barrier(blocks_.make<Barrier>("barrier", config)),
      sp_array(blocks_.make<SpArray>("sp_array", config)),
      sfu(blocks_.make<Sfu>("sfu", config)),
      sfu_multipliers(config.sm.sfu_mul ? &blocks_.make<SfuMultipliers>("sfu_multipliers", config) : nullptr),
      dp(config.sm.num_dps != 0 ? &blocks_.make<Dp>("dp", config) : nullptr),
      address_unit(blocks_.make<AddressUnit>("address_unit", config, sm_id, sm_in_tpc)),
      constant_cache(blocks_.make<ConstantCache>("constant_cache", config)),
      load_table(blocks_.make<LoadTable>("load_table", config)),
      writeback(blocks_.make<Writeback>("writeback", config)),
      line_port(blocks_.make<LinePort>("line_port", tpc, sm_in_tpc)),
      fault_reporter(blocks_.make<FaultReporter>("fault_reporter", sm_id)) {
  registers.issue_i(issue);
  registers.unit_i(next_unit_);
  registers.start_i(register_start_);
  registers.numbers_i(thread_numbers_);
  registers.numbers_room_o(thread_numbers_room_);
  registers.busy_banks_i(busy_banks_);
  registers.written_ports_i(written_ports_);
  registers.write_i(register_write_);
  registers.flag_write_i(flag_write_);
  registers.addr_write_i(addr_write_);
  registers.increment_i(addr_increment_);
  registers.reading_o(reading_);
  registers.read_banks_o(read_banks_);
  registers.read_o(register_read_);
  registers.side_o(side_read_);
  registers.result_i[unit_number(ExecUnit::kSp)](sp_result_);
  registers.result_i[unit_number(ExecUnit::kSfu)](sfu_result_);
  registers.result_i[unit_number(ExecUnit::kMultiply)](multiply_result_);
  registers.result_i[unit_number(ExecUnit::kDp)](dp_result_);

  launcher.row_i(launch_i);
  launcher.launch_o(launch_);
  launcher.cta_i(cta_i);
  launcher.cta_done_o(cta_done_o);
  launcher.drained_i(drained_);
  launcher.fetch_waits_i(fetch_waits_);
  launcher.accesses_busy_i(accesses_busy_);
  launcher.start_o(warp_start);
  launcher.redirect_o(start_);
  launcher.kernel_o(kernel_);
  launcher.ended_o(ended_);
  launcher.smem_start_o(smem_start_);
  launcher.fill_o(smem_fill_);
  launcher.fill_ready_i(smem_fill_ready_);
  launcher.registers_o(register_start_);
  launcher.numbers_o(thread_numbers_);
  launcher.numbers_room_i(thread_numbers_room_);

  fetch.launch_i(launch_);
  fetch.start_i(start_);
  fetch.redirect_i(redirect_);
  fetch.level_i(level_);
  fetch.decoded_i(decoded_);
  fetch.cache_ready_i(fetch_ready_);
  fetch.request_o(fetch_request_);

  instruction_cache.fetch_i(fetch_request_);
  instruction_cache.fetch_ready_o(fetch_ready_);
  instruction_cache.reply_o(fetch_reply_);
  instruction_cache.kernel_i(kernel_);
  instruction_cache.line_o(icache_line_);
  instruction_cache.line_ready_i(icache_line_ready_);
  instruction_cache.fill_i(icache_fill_);
  instruction_cache.fill_ready_o(icache_fill_ready_);
  instruction_cache.waits_o(fetch_waits_);

  decode.launch_i(launch_);
  decode.reply_i(fetch_reply_);
  decode.decoded_o(decoded_);

  instruction_buffer.decoded_i(decoded_);
  instruction_buffer.start_i(start_);
  instruction_buffer.redirect_i(redirect_);
  instruction_buffer.pick_i(pick_);
  instruction_buffer.issue_o(issue);
  instruction_buffer.level_o(level_);

  scoreboard.decoded_i(decoded_);
  scoreboard.start_i(start_);
  scoreboard.redirect_i(redirect_);
  scoreboard.pick_i(pick_);
  scoreboard.resolve_i(resolve);
  scoreboard.barrier_open_i(barrier_opened);
  scoreboard.barrier_waiting_i(barrier_waiting_);
  scoreboard.release_i(release);
  scoreboard.ready_o(ready);
  scoreboard.drained_o(drained_);

  warp_scheduler.ready_i(ready);
  warp_scheduler.start_i(start_);
  warp_scheduler.collector_credit_i(collector_credit_);
  warp_scheduler.memory_credit_i(memory_credit_);
  warp_scheduler.load_credit_i(load_credit_);
  warp_scheduler.replay_i(smem_replay_);
  warp_scheduler.pick_o(pick_);

  operand_collector.issue_i(issue);
  operand_collector.masks_i(masks_);
  operand_collector.reading_i(reading_);
  operand_collector.read_banks_i(read_banks_);
  operand_collector.read_i(register_read_);
  operand_collector.side_i(side_read_);
  operand_collector.unit_o(next_unit_);
  operand_collector.smem_i(smem_reply_);
  operand_collector.const_i(const_reply_);
  operand_collector.freed_i(unit_freed_);
  operand_collector.answered_i(unit_answered_);
  operand_collector.sfu_dp_results_i(sfu_dp_results_);
  operand_collector.sp_o(to_sp_);
  operand_collector.sfu_o(to_sfu_);
  operand_collector.multiply_o(to_multipliers_);
  operand_collector.dp_o(to_dp_);
  operand_collector.sp_operands_o(sp_operands_);
  operand_collector.sfu_operands_o(sfu_operands_);
  operand_collector.multiply_operands_o(multiply_operands_);
  operand_collector.dp_operands_o(dp_operands_);
  operand_collector.address_o(to_address_);
  operand_collector.address_operands_o(address_operands_);
  operand_collector.control_o(control_);
  operand_collector.credit_o(collector_credit_);
  operand_collector.fault_o(collector_fault_);

  reconvergence_stack.launch_i(launch_);
  reconvergence_stack.start_i(warp_start);
  reconvergence_stack.control_i(control_);
  reconvergence_stack.redirect_o(redirect_);
  reconvergence_stack.resolve_o(resolve);
  reconvergence_stack.arrival_o(arrival_);
  reconvergence_stack.masks_o(masks_);
  reconvergence_stack.fault_o(stack_fault_);
  reconvergence_stack.access_o(stack_access_);
  reconvergence_stack.access_ready_i(stack_access_ready_);
  reconvergence_stack.fill_i(stack_fill_);

  barrier.start_i(warp_start);
  barrier.arrival_i(arrival_);
  barrier.resolve_i(resolve);
  barrier.opened_o(barrier_opened);
  barrier.waiting_o(barrier_waiting_);

  sp_array.dispatch_i(to_sp_);
  sp_array.operands_i(sp_operands_);
  sp_array.ahead_o(sp_ahead_);
  sp_array.result_o(sp_result_);
  sfu.dispatch_i(to_sfu_);
  sfu.operands_i(sfu_operands_);
  sfu.ahead_o(sfu_ahead_);
  sfu.result_o(sfu_result_);
  if (sfu_multipliers) {
    sfu_multipliers->dispatch_i(to_multipliers_);
    sfu_multipliers->operands_i(multiply_operands_);
    sfu_multipliers->ahead_o(multiply_ahead_);
    sfu_multipliers->result_o(multiply_result_);
  }
  if (dp) {
    dp->dispatch_i(to_dp_);
    dp->operands_i(dp_operands_);
    dp->ahead_o(dp_ahead_);
    dp->result_o(dp_result_);
  }

  address_unit.launch_i(launch_);
  address_unit.start_i(warp_start);
  address_unit.dispatch_i(to_address_);
  address_unit.operands_i(address_operands_);
  address_unit.fill_i(smem_fill_);
  address_unit.fill_ready_o(smem_fill_ready_);
  address_unit.stack_i(stack_access_);
  address_unit.stack_ready_o(stack_access_ready_);
  address_unit.smem_ready_i(smem_ready_);
  address_unit.const_ready_i(const_ready_);
  address_unit.load_freed_i(load_freed_);
  address_unit.smem_stored_i(smem_stored_);
  address_unit.smem_o(smem_request_);
  address_unit.const_o(const_request_);
  address_unit.open_o(load_open_);
  address_unit.lanes_o(load_lanes_);
  address_unit.increment_o(addr_increment_);
  address_unit.done_o(store_done_);
  address_unit.freed_o(unit_freed_);
  address_unit.answered_o(unit_answered_);
  address_unit.credit_o(memory_credit_);
  address_unit.fault_o(address_fault_);
  address_unit.busy_o(accesses_busy_);
  address_unit.access_o(access_o);
  address_unit.tex_o(tex_o);

  bank_conflict.request_i(smem_request_);
  bank_conflict.request_ready_o(smem_ready_);
  bank_conflict.pass_o(smem_pass_);
  bank_conflict.replay_o(smem_replay_);
  shared_memory.pass_i(smem_pass_);
  shared_memory.start_i(smem_start_);
  shared_memory.ended_i(ended_);
  shared_memory.reply_o(smem_reply_);
  shared_memory.stored_o(smem_stored_);

  constant_cache.request_i(const_request_);
  constant_cache.request_ready_o(const_ready_);
  constant_cache.reply_o(const_reply_);
  constant_cache.kernel_i(kernel_);
  constant_cache.line_o(ccache_line_);
  constant_cache.line_ready_i(ccache_line_ready_);
  constant_cache.fill_i(ccache_fill_);
  constant_cache.fill_ready_o(ccache_fill_ready_);

  load_table.open_i(load_open_);
  load_table.lanes_i(load_lanes_);
  load_table.rows_written_i(load_rows_);
  load_table.reply_i(reply_i);
  load_table.tex_i(tex_i);
  load_table.result_o(load_result_);
  load_table.freed_o(load_freed_);
  load_table.stack_o(stack_fill_);
  load_table.credit_o(load_credit_);
  load_table.fault_o(load_fault_);

  writeback.ahead_i[unit_number(ExecUnit::kSp)](sp_ahead_);
  writeback.result_i[unit_number(ExecUnit::kSp)](sp_result_);
  writeback.ahead_i[unit_number(ExecUnit::kSfu)](sfu_ahead_);
  writeback.result_i[unit_number(ExecUnit::kSfu)](sfu_result_);
  writeback.ahead_i[unit_number(ExecUnit::kMultiply)](multiply_ahead_);
  writeback.result_i[unit_number(ExecUnit::kMultiply)](multiply_result_);
  writeback.ahead_i[unit_number(ExecUnit::kDp)](dp_ahead_);
  writeback.result_i[unit_number(ExecUnit::kDp)](dp_result_);
  writeback.load_i(load_result_);
  writeback.store_i(store_done_);
  writeback.control_i(control_);
  writeback.release_o(release);
  writeback.load_rows_o(load_rows_);
  writeback.sfu_dp_results_o(sfu_dp_results_);
  writeback.busy_banks_o(busy_banks_);
  writeback.written_ports_o(written_ports_);
  writeback.write_o(register_write_);
  writeback.flag_write_o(flag_write_);
  writeback.addr_write_o(addr_write_);

  line_port.instruction_i(icache_line_);
  line_port.instruction_ready_o(icache_line_ready_);
  line_port.instruction_fill_o(icache_fill_);
  line_port.instruction_fill_ready_i(icache_fill_ready_);
  line_port.constant_i(ccache_line_);
  line_port.constant_ready_o(ccache_line_ready_);
  line_port.constant_fill_o(ccache_fill_);
  line_port.constant_fill_ready_i(ccache_fill_ready_);
  line_port.line_o(line_o);
  line_port.line_i(line_i);

  fault_reporter.start_i(warp_start);
  fault_reporter.stack_i(stack_fault_);
  fault_reporter.address_i(address_fault_);
  fault_reporter.load_i(load_fault_);
  fault_reporter.collector_i(collector_fault_);
  fault_reporter.fault_o(fault_o);

  // The SPs, SFUs and the fp64 unit run at the full shader clock, everything else at scheduler rate.
  for (ClockedBase* block : std::initializer_list<ClockedBase*>{
           &launcher, &fetch, &instruction_cache, &decode, &instruction_buffer, &scoreboard, &warp_scheduler,
           &registers, &operand_collector, &reconvergence_stack, &barrier, &address_unit, &bank_conflict,
           &shared_memory, &constant_cache, &load_table, &writeback, &line_port, &fault_reporter}) {
    shader.add(*block, Rate::kHalf);
  }
  for (ClockedBase* block : std::initializer_list<ClockedBase*>{&sp_array, &sfu}) shader.add(*block, Rate::kFull);
  if (sfu_multipliers) shader.add(*sfu_multipliers, Rate::kFull);
  if (dp) shader.add(*dp, Rate::kFull);
  if (twins.count(typeid(SpArray)) == 0) sp_array.run_at_odd_edges();
}

Sm::~Sm() = default;

void Sm::report_to(RetirementPort* port) {
  launcher.report_to(port);
  instruction_buffer.report_to(port);
  scoreboard.report_to(port);
  warp_scheduler.report_to(port);
  operand_collector.report_to(port);
  reconvergence_stack.report_to(port);
  address_unit.report_to(port);
  bank_conflict.report_to(port);
  shared_memory.report_to(port);
  writeback.report_to(port);
}

void Sm::attach(SmObserver& observer, RetirementPort::Reads reads) {
  const bool observed = reports_.observed();  // then what is under way stays so
  reports_.attach(observer, reads);
  if (!observed) report_to(&reports_);
}

void Sm::detach(SmObserver& observer) {
  reports_.detach(observer);
  if (!reports_.observed()) report_to(nullptr);
}

// Nothing behind an unresolved control instruction has issued, so it stands right before what waits. (A short one, trap
// or brkpt, is a fault, which names it.)
std::uint32_t Sm::pc(unsigned warp) const {
  const WarpMask bit = WarpMask{1} << warp;
  const ReconvergenceStackRegs& control = reconvergence_stack.registers();
  if ((control.resolve.warps & bit) != 0) return control.pc[warp];
  const bool waits = scoreboard.head(warp) != nullptr;
  const std::uint32_t next = waits ? instruction_buffer.head_pc(warp) : fetch.awaited_pc(warp, control.pc[warp]);
  return (scoreboard.registers().control & bit) != 0 ? next - isa::kControlBytes : next;
}

SmCounterBank Sm::counters(Cycle now) const {
  SmCounterBank bank;
  const WarpScheduler::Counters scheduler = warp_scheduler.counters(now);
  std::copy(std::begin(scheduler.stall), std::end(scheduler.stall), bank.stall.begin());
  bank.first_issue = warp_scheduler.first_issue().value_or(SmCounterBank::kNever);
  bank.last_retirement = writeback.last_retirement();
  bank.blocks = launcher.counters().blocks;
  bank.instructions = writeback.counters().instructions;
  bank.thread_instructions = writeback.counters().thread_instructions;
  bank.active_lanes = writeback.counters().active_lanes;
  bank.writeback_bank_conflicts = writeback.counters().bank_conflicts;
  bank.register_bank_conflicts = registers.counters().bank_conflicts;
  bank.branches = reconvergence_stack.counters().branches;
  bank.divergent_branches = reconvergence_stack.counters().divergent_branches;
  bank.stack_spills = reconvergence_stack.counters().spills;
  bank.stack_refills = reconvergence_stack.counters().refills;
  bank.barrier_arrivals = barrier.counters().arrivals;
  bank.barrier_openings = barrier.counters().openings;
  bank.barriers_divergent = barrier.counters().divergent;
  bank.barriers_missed = barrier.counters().missed;
  bank.shared_requests = bank_conflict.counters().requests;
  bank.shared_passes = bank_conflict.counters().passes;
  bank.shared_conflicts = bank_conflict.counters().conflicts;
  bank.sp_instructions = sp_array.counters().instructions;
  bank.sp_lanes = sp_array.counters().lanes;
  bank.sfu_instructions = sfu.counters().instructions;
  bank.sfu_lanes = sfu.counters().lanes;
  if (sfu_multipliers != nullptr) {
    bank.sfu_multiplies = sfu_multipliers->counters().instructions;
    bank.sfu_multiply_lanes = sfu_multipliers->counters().lanes;
  }
  if (dp != nullptr) {
    bank.dp_instructions = dp->counters().instructions;
    bank.dp_lanes = dp->counters().lanes;
  }
  std::copy_n(std::begin(sp_array.events()), bank.prof_trigger.size(), bank.prof_trigger.begin());
  bank.device_accesses = address_unit.counters().accesses;
  bank.icache_hits = instruction_cache.counters().hits;
  bank.icache_misses = instruction_cache.counters().misses;
  bank.icache_merges = instruction_cache.counters().merges;
  bank.ccache_hits = constant_cache.counters().hits;
  bank.ccache_misses = constant_cache.counters().misses;
  bank.ccache_merges = constant_cache.counters().merges;
  bank.ccache_passes = constant_cache.counters().passes;
  return bank;
}

void Sm::read_state(SmState& state) const {
  const ScoreboardRegs& board = scoreboard.registers();
  const LockTable& locks = shared_memory.locks();
  state.slot = launcher.registers().slot;
  state.ready = board.ready;
  state.control = board.control;
  state.ended = board.ended;
  state.drained = board.drained;
  const Issue& issued = instruction_buffer.registers().issue;
  const Pick& picked = warp_scheduler.registers().pick;
  state.leaving = (issued.valid ? WarpMask{1} << issued.warp : 0) | (picked.valid ? WarpMask{1} << picked.warp : 0);
  state.barrier_waiting = barrier.registers().waiting;
  state.stack_waiting = reconvergence_stack.registers().refilling;
  for (unsigned s = 0; s < kMaxCtasPerSm; ++s) {
    for (unsigned id = 0; id < kMaxBarriers; ++id) state.barrier[s][id] = barrier.state(s, id);
    state.barrier_expected[s] = static_cast<std::uint8_t>(barrier.expected(s));
  }
  bool in_flight = false;  // of warps that have not ended: one that waits at a barrier has nothing in flight
  for (const CtaSlot& slot : state.slot) {
    if (!slot.valid) continue;
    const WarpMask live = slot.live & ~board.ended;
    in_flight |= (live & board.control & ~board.ready.wait_barrier) != 0;
    for (const unsigned warp : set_bits(live)) in_flight |= board.in_flight[warp] != 0;
  }
  state.part = {{{"cta_launcher", launcher.registers().launching},
                 {"scoreboard", in_flight},
                 {"reconvergence_stack", state.stack_waiting != 0},
                 {"instruction_cache", !instruction_cache.idle()},
                 {"operand_collector", operand_collector.registers().occupied != 0},
                 {"address_unit", !address_unit.idle()},
                 {"constant_cache", !constant_cache.idle()},
                 {"load_table", load_table.registers().occupied != 0}}};
  for (unsigned w = 0; w < kMaxWarps; ++w) {
    SmState::Warp& warp = state.warp[w];
    warp.pc = pc(w);
    const DecodedInstruction* const head = scoreboard.head(w);
    warp.has_head = head != nullptr;
    warp.head = {};
    if (head != nullptr) warp.head = {instruction_buffer.head_pc(w), head->error, head->words};
    warp.in_flight = board.in_flight[w];
    warp.buffered = instruction_buffer.registers().level.count[w];
    warp.registers = static_cast<std::uint8_t>(registers.registers(w));
    const WarpPlace& place = address_unit.places()[w];
    warp.shared_base = place.shared_base;
    warp.shared_limit = place.shared_limit;
    warp.chip_warp = place.chip_warp;
    warp.populated = barrier.registers().populated[w];
    const ReconvergenceStack::Shown control = reconvergence_stack.warp(w);
    warp.active = control.lanes.active;
    warp.runnable = control.lanes.runnable;
    warp.broke = control.lanes.broke;
    warp.returned = control.lanes.returned;
    warp.stack_depth = control.depth;
    warp.stack_in_memory = control.in_memory;
    warp.stack_digest = control.memory_digest;
    warp.locks_held = locks.held(w);
    warp.locks_granted = shared_memory.counters().granted[w];
    warp.pending = scoreboard.pending(w);
  }
}

LaneWords Sm::peek(SmMemory memory, unsigned warp, unsigned index) const {
  LaneWords words{};
  switch (memory) {
    case SmMemory::kRegister: return registers.read(warp, index);
    case SmMemory::kFlags:
      for (unsigned lane = 0; lane < kWarpSize; ++lane) words[lane] = registers.flags(warp, index)[lane];
      break;
    case SmMemory::kAddress: return registers.addr(warp, index);
    case SmMemory::kControlStack: {
      const StackEntry entry = reconvergence_stack.entry(warp, index);
      words[0] = static_cast<std::uint32_t>(entry.type), words[1] = entry.mask, words[2] = entry.pc;
      break;
    }
    case SmMemory::kShared: words[0] = shared_memory.read_word(index); break;
    case SmMemory::kLock:
      shared_memory.locks().for_each_word(warp, [&](unsigned address) {
        if (index-- == 0) words[0] = address;
      });
      break;
  }
  return words;
}

}  // namespace g80

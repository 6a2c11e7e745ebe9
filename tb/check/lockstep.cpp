// SPDX-License-Identifier: Apache-2.0
// The steps of a grid in lock-step: begin, consume, finish.
#include "tb/check/lockstep.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "hw/common/set_bits.h"
#include "hw/mem/address_map.h"
#include "tb/check/lockstep_state.h"

namespace g80 {

LockStep::LockStep(const Config& config, Gpu& gpu)
    : config_(config),
      gpu_(gpu),
      arch_(static_cast<isa::Arch>(config.device.compute_minor)),
      performed_(&pool_),
      being_read_(&pool_),
      sent_(&pool_),
      expected_(&pool_) {
  const unsigned sms_per_tpc = config.gpu.sms_per_tpc;
  for (unsigned i = 0; i < gpu.num_sms(); ++i) {
    Sm& sm = *sms_.emplace_back(std::make_unique<Sm>());
    sm.index = i;
    sm.model = &gpu.sm(i);
    sm.path = sm.model->name();
    sm.coalescer = gpu.tpcs[i / sms_per_tpc]->coalescers[i % sms_per_tpc]->name();
    sm.model->attach(sm.log, RetirementPort::Reads::kValues);
  }
}

LockStep::~LockStep() {
  for (auto& sm : sms_) sm->model->detach(sm->log);
}

void LockStep::begin(golden::Program program, golden::Launch launch, const LineTable* lines) {
  lines_ = lines;
  program_ = std::move(program);
  launch_ = std::move(launch);
  texels_.clear();
  rewritten_.clear();
  for (auto& sm : sms_) {
    sm->executor = std::make_unique<golden::Executor>(program_, launch_);
    sm->locks.start(launch_.lock_flags, launch_.locks_per_warp);
  }
  active_ = true;
}

void LockStep::consume() {
  std::vector<PartitionLog>& logs = gpu_.partition_logs;
  for (unsigned p = 0; p < logs.size(); ++p) {
    for (const PerformEvent& event : logs[p].performed) {
      if (active_ || event.client == MemClient::kCopy) perform(event, p);
    }
    logs[p].performed.clear();
    for (const ReturnEvent& event : logs[p].returned) {
      check_bytes_read(event, p);
    }
    logs[p].returned.clear();
  }
  for (auto& sm : sms_) {
    sm->model->flush_reports();
    if (!active_) sm->log.clear();
    read_sm_log(*sm);
  }
}

void LockStep::finish() {
  consume();
  for (const auto& sm : sms_) {
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      if (!sm->warps[w].faulted) continue;
      throw LockStepError(
          fmt::format("lock-step: SM {}, warp slot {}: the model continued, but the reference faults: {}", sm->index, w,
                      golden::describe(sm->executor->fault())));
    }
  }
  for (const auto& sm : sms_) {
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      const Warp& warp = sm->warps[w];
      if (warp.state != nullptr) expect_ended(*sm, w, "the grid");
    }
    for (std::size_t i = 0; i < sm->num_shared; ++i) {
      const SharedAccess& access = sm->shared[i];
      if (access.unstored != 0) {
        differ(access.where, fmt::format("lanes {:08x} did not store to s[]", access.unstored),
               sm->block("bank_conflict"), "no pass served them");
      }
      if (access.passes.empty()) continue;
      const SmLog::Smem& pass = access.passes.front();
      Where where = access.where;
      where.cycle = pass.cycle;
      differ(where, fmt::format("lanes {:04x} of half-warp {} accessed s[], expected no access", pass.lanes, pass.half),
             sm->block("address_unit"), "the instruction accesses none, or has done so");
    }
  }
  for (const auto& [tag, e] : expected_) {
    const Sm& sm = *sms_[e.where.sm];
    if (e.unsent != 0) {
      differ(e.where, fmt::format("the access of lanes {:08x} did not leave the SM", e.unsent),
             sm.block("address_unit"), "it sent the other lanes");
    }
    differ(e.where, fmt::format("the access of lanes {:08x} never reached memory", e.remaining), sm.coalescer,
           "the address unit sent it, but no transaction serves these lanes");
  }
  if (!performed_.empty()) {
    const PerformEvent& event = performed_.begin()->second.front().event;
    throw LockStepError(
        fmt::format("lock-step: SM {}, warp slot {}, pc 0x{:x}: the model performed an access at 0x{:x} that belongs "
                    "to no instruction",
                    event.origin.sm, event.origin.warp, event.origin.pc, event.virtual_address));
  }
  abandon();
}

// Requires that a warp that has ended in the model has also ended in the reference.
void LockStep::expect_ended(const Sm& sm, unsigned slot, const char* what) const {
  const Warp& warp = sm.warps[slot];
  if (warp.events.empty() && warp.state->finished) return;
  Where where{sm.index, slot, 0, warp.state->pc, 0, 0};
  if (const golden::DecodedInstruction* next = program_.at(warp.state->pc)) where.w0 = next->w0, where.w1 = next->w1;
  if (!warp.events.empty()) {
    differ(where, fmt::format("{} ended, but the model never performed this access for every lane", what), sm.coalescer,
           "the executed instructions need memory that was never accessed");
  }
  differ(where, fmt::format("{} ended, but the reference has not executed this instruction", what),
         sm.block("reconvergence_stack"), "the warp ended too early");
}

void LockStep::confirm_fault(const KernelFault& fault, bool mapped) {
  consume();
  const unsigned index = fault.origin.sm < sms_.size() ? fault.origin.sm : 0;
  const Sm& sm = *sms_[index];
  const unsigned slot = fault.origin.warp % kMaxWarps;
  const Warp& warp = sm.warps[slot];
  if (warp.faulted) return;
  if (warp.state == nullptr) {
    differ({index, slot, shader_cycle(sc_core::sc_time_stamp().value()), fault.origin.pc, 0, 0},
           "the model reports a fault of an empty warp slot", sm.block("operand_collector"),
           "or the block that names the warp");
  }
  const bool page = fault.kind == FaultKind::kPageNotPresent;
  if (page && !mapped) {  // the reference has no pages, but it knows the addresses that the lanes access
    const auto found = expected_.find(fault.origin.tag.bits);
    if (found == expected_.end() || found->second.access.space != golden::Space::kGlobal) return;
    const golden::MemoryAccess& access = found->second.access;
    bool accessed = false;
    for (const unsigned lane : set_bits(access.lanes)) {
      accessed |= access.address[lane] / page_table::kPageBytes == fault.address / page_table::kPageBytes;
    }
    if (accessed) return;
    differ(found->second.where, fmt::format("page not present at 0x{:x}, which no lane accesses", fault.address),
           sm.coalescer, "or a later block that holds the transaction's address");
  }
  bool of_stack = false;
  std::string suspect = sm.block("address_unit");
  switch (fault.kind) {
    case FaultKind::kNone: suspect = sm.block("fault_reporter"); break;
    case FaultKind::kPageNotPresent: suspect = gpu_.tpcs[index / config_.gpu.sms_per_tpc]->tlb.name(); break;
    case FaultKind::kMisalignedAddress:
    case FaultKind::kGlobalLimit:
    case FaultKind::kSharedLimit:
    case FaultKind::kLocalLimit: break;
    default:
      of_stack = true;
      suspect = sm.block("reconvergence_stack");
      break;
  }
  for (const Warp::Event& event : warp.events) {
    // The reference waits for memory data, which the stopped grid never delivers: either before this instruction, or
    // for the load of this instruction itself, whose join flag would raise the fault afterwards.
    if (event.kind != SmLog::Kind::kIssue || event.issue.tag.bits != fault.origin.tag.bits) continue;
    if (&event != &warp.events.front() || (of_stack && event.issue.fetched.decoded().uses_load_table)) return;
  }
  differ({index, slot, shader_cycle(sc_core::sc_time_stamp().value()), fault.origin.pc, 0, 0},
         fmt::format("the model reports the fault {} at 0x{:x}; the reference has none",
                     enum_text(fault.kind).names[static_cast<unsigned>(fault.kind)], fault.address),
         suspect, page ? "the page is mapped" : "this block, or its input");
}

void LockStep::check_copy(std::uint32_t address, std::uint32_t physical, const void* data, std::size_t size) const {
  const std::uint8_t* const expected = image_.at(address);
  const auto* const seen = static_cast<const std::uint8_t*>(data);
  if (std::memcmp(expected, seen, size) == 0) return;
  std::uint32_t wrong = 0;
  while (expected[wrong] == seen[wrong]) ++wrong;
  const unsigned partition = locate_partition(AddressMap(config_), physical + wrong).partition;
  throw LockStepError(
      fmt::format("lock-step: the copy to the host: byte 0x{:x} is 0x{:02x}, expected 0x{:02x}; suspect: {} (DRAM data "
                  "path, or the copy engine: "
                  "every store reached the partition correctly)",
                  address + wrong, seen[wrong], expected[wrong], gpu_.channels[partition]->controller.name()));
}

void LockStep::abandon() {
  for (auto& sm : sms_) {
    sm->log.clear();
    sm->warps = {};
    for (auto& block : sm->blocks) block.reset();
    sm->num_shared = 0;
    sm->released.clear();
    sm->kept.clear();
    sm->free_kept.clear();
  }
  for (PartitionLog& log : gpu_.partition_logs) log.performed.clear(), log.returned.clear();
  being_read_.clear();
  performed_.clear();
  sent_.clear();
  expected_.clear();
  active_ = false;
}

}  // namespace g80

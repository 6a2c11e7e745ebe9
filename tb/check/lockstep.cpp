#include "tb/check/lockstep.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/common/check.h"
#include "hw/isa/disassembler.h"

namespace g80 {

using golden::AccessKind;
using golden::MemoryAccess;
using golden::PortStatus;
using golden::StepStatus;

/// One warp of the model and its reference state. Events wait here in order until the reference can take them.
struct LockStep::Warp {
  golden::BlockState* block = nullptr;
  golden::WarpState* state = nullptr;
  std::uint16_t shared_base = 0;
  bool faulted = false;  // the reference stopped here; what the model still does with the warp has no meaning
  struct Event {
    bool is_issue = false;
    SmLog::Issue issue;
  };
  std::deque<Event> events;
  std::deque<SmLog::Retire> retires;
};

struct LockStep::Sm {
  unsigned index = 0;
  SmLog log;
  std::array<Warp, kMaxWarps> warps;
  std::array<std::unique_ptr<golden::BlockState>, kMaxCtasPerSm> blocks;
  std::unique_ptr<golden::Executor> executor;
  std::unordered_map<std::uint32_t, std::vector<SmLog::Smem>> passes;  // by tag, reference data for reads
  std::unordered_map<std::uint32_t, Expected> shared_stores;
  std::unordered_map<std::uint32_t, unsigned> warp_of_tag;             // instructions in flight with s[] passes to come
};

/// The memory the reference sees while it steps one instruction of one warp.
class LockStep::Port final : public golden::MemoryPort {
 public:
  Port(LockStep& owner, Sm& sm, Warp& warp, const SmLog::Issue& issue)
      : MemoryPort(true), owner_(owner), sm_(sm), warp_(warp), issue_(issue) {}

  PortStatus global(MemoryAccess& access, unsigned& /*fault_lane*/) override {
    const std::uint32_t tag = issue_.tag.bits;
    if (access.kind == AccessKind::kStore || access.kind == AccessKind::kReduce) {
      Expected& expected = owner_.stores_[tag];
      fill(expected, access);
      owner_.settle_stores(tag);
      return PortStatus::kDone;
    }
    const auto found = owner_.performed_.find(tag);
    LaneMask seen = 0;
    if (found != owner_.performed_.end()) {
      for (const Transaction& t : found->second) seen |= LaneMask{t.event.lanes} << (kHalfWarp * t.event.half);
    }
    if ((seen & access.lanes) != access.lanes) return PortStatus::kNotReady;
    if (found == owner_.performed_.end()) return PortStatus::kDone;  // no lane accesses
    if (seen != access.lanes) fail(fmt::format("the model accessed memory for lanes {:08x}, expected {:08x}", seen, access.lanes));
    for (const Transaction& t : found->second) deliver(access, t);
    owner_.performed_.erase(found);
    return PortStatus::kDone;
  }

  PortStatus shared(MemoryAccess& access) override {
    const std::uint32_t tag = issue_.tag.bits;
    if (access.kind == AccessKind::kStore) {
      Expected& expected = sm_.shared_stores[tag];
      fill(expected, access);
      const auto early = sm_.passes.find(tag);
      if (early != sm_.passes.end()) {
        for (const SmLog::Smem& pass : early->second) check_shared_store(expected, pass);
        sm_.passes.erase(early);
      }
      if (expected.remaining == 0) sm_.shared_stores.erase(tag);
      return PortStatus::kDone;
    }
    const auto found = sm_.passes.find(tag);
    LaneMask seen = 0;
    if (found != sm_.passes.end()) {
      for (const SmLog::Smem& pass : found->second) seen |= LaneMask{pass.lanes} << (kHalfWarp * pass.half);
    }
    if ((seen & access.lanes) != access.lanes) return PortStatus::kNotReady;
    if (found == sm_.passes.end()) return PortStatus::kDone;
    for (const SmLog::Smem& pass : found->second) {
      for (unsigned rest = pass.lanes; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest)), lane = pass.half * kHalfWarp + l;
        const std::uint32_t seen_at = static_cast<std::uint32_t>(pass.address[l] - warp_.shared_base);
        if (seen_at != access.address[lane]) {
          fail(fmt::format("lane {} read s[0x{:x}], expected s[0x{:x}]", lane, seen_at, access.address[lane]));
        }
        access.data[0][lane] = pass.data[l];
      }
    }
    sm_.passes.erase(found);
    return PortStatus::kDone;
  }

  bool texture_read(std::uint32_t address, unsigned bytes, void* out) override {
    std::memcpy(out, owner_.image_.at(address), bytes);
    return true;
  }

  void check_shared_store(Expected& expected, const SmLog::Smem& pass) {
    for (unsigned rest = pass.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest)), lane = pass.half * kHalfWarp + l;
      const std::uint32_t at = static_cast<std::uint32_t>(pass.address[l] - warp_.shared_base);
      const std::uint32_t mask = pass.bytes == 4 ? ~0u : pass.bytes == 2 ? 0xffffu : 0xffu;
      if ((expected.remaining >> lane & 1) == 0 || at != expected.access.address[lane] ||
          (pass.data[l] & mask) != (expected.access.data[0][lane] & mask)) {
        fail(fmt::format("lane {} stored 0x{:x} to s[0x{:x}], expected {}", lane, pass.data[l] & mask, at,
                         (expected.remaining >> lane & 1) == 0 ? std::string("no store")
                                                               : fmt::format("0x{:x} to s[0x{:x}]", expected.access.data[0][lane] & mask,
                                                                             expected.access.address[lane])));
      }
      expected.remaining &= ~(LaneMask{1} << lane);
    }
  }

 private:
  void fill(Expected& expected, const MemoryAccess& access) {
    expected.access = access;
    expected.remaining = access.lanes;
    expected.sm = sm_.index;
    expected.warp = issue_.warp;
    expected.pc = issue_.ref.pc;
    expected.w0 = issue_.ref.decoded->w0;
    expected.w1 = issue_.ref.decoded->w1;
  }

  // Gives the lanes of a performed load or atomic their bytes.
  void deliver(MemoryAccess& access, const Transaction& t) {
    const PerformEvent& event = t.event;
    for (unsigned rest = event.lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = event.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(rest));
      const std::uint32_t at = access.address[lane] - event.virtual_address;
      if (at >= event.bytes || event.bytes - at < access.bytes) {
        fail(fmt::format("lane {} was served from 0x{:x}..0x{:x}, its address is 0x{:x}", lane, event.virtual_address,
                         event.virtual_address + event.bytes - 1, access.address[lane]));
      }
      for (unsigned word = 0; word < (access.bytes + 3u) / 4; ++word) access.data[word][lane] = 0;
      for (unsigned byte = 0; byte < access.bytes; byte += 4) {
        std::memcpy(&access.data[byte / 4][lane], &t.image[at + byte], std::min(4u, access.bytes - byte));
      }
      if (access.kind != AccessKind::kAtomic) continue;
      const std::uint64_t b = access.b[0][lane] | std::uint64_t{access.b[1][lane]} << 32;
      const std::uint64_t mask = access.bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
      if ((event.b & mask) != (b & mask) || event.atom_op != access.atom_op) {
        fail(fmt::format("lane {}: the partition performed operation {} with operand 0x{:x}, expected {} with 0x{:x}", lane, event.atom_op,
                         event.b & mask, access.atom_op, b & mask));
      }
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    owner_.differ(sm_, issue_.warp, issue_.cycle, issue_.ref.pc, issue_.ref.decoded->w0, issue_.ref.decoded->w1, what);
  }

  LockStep& owner_;
  Sm& sm_;
  Warp& warp_;
  const SmLog::Issue& issue_;
};

LockStep::LockStep(const Config& config, unsigned num_sms, std::vector<PartitionLog>& partition_logs)
    : config_(config), arch_(static_cast<isa::Arch>(config.device.compute_minor)), partition_logs_(partition_logs) {
  for (unsigned i = 0; i < num_sms; ++i) {
    sms_.push_back(std::make_unique<Sm>());
    sms_.back()->index = i;
  }
}

LockStep::~LockStep() = default;

SmLog* LockStep::sm_log(unsigned sm) { return &sms_[sm]->log; }

void LockStep::begin(golden::Program program, golden::Launch launch) {
  program_ = std::move(program);
  launch_ = std::move(launch);
  for (auto& sm : sms_) sm->executor = std::make_unique<golden::Executor>(program_, launch_);
  active_ = true;
}

void LockStep::differ(const Sm& sm, unsigned warp, Cycle cycle, std::uint32_t pc, std::uint32_t w0, std::uint32_t w1,
                      const std::string& what) const {
  isa::Instruction insn;
  const std::string text =
      isa::decode(w0, w1, arch_, insn) == isa::DecodeError::kNone ? isa::disassemble(insn) : std::string("illegal instruction");
  std::string block = "?";
  unsigned in_block = 0;
  if (const Warp& w = sm.warps[warp]; w.block != nullptr) {
    block = fmt::format("({},{})", w.block->index % launch_.grid_x, w.block->index / launch_.grid_x);
    in_block = w.state->index;
  }
  throw LockStepError(fmt::format("lock-step: cycle {}, SM {}, warp slot {} (block {}, warp {}), pc 0x{:x} `{}`: {}", cycle, sm.index, warp,
                                  block, in_block, pc, text, what));
}

// --- memory

void LockStep::apply_atomic(const PerformEvent& event) {
  const unsigned at = event.byte_enable[0] != 0 ? static_cast<unsigned>(__builtin_ctzll(event.byte_enable[0])) : 0;
  std::uint8_t* const memory = image_.at(event.virtual_address + at);
  if (event.atom_bytes == 8) {
    std::uint64_t old_value;
    std::memcpy(&old_value, memory, 8);
    const std::uint64_t value = isa::atomic64(event.atom_op, old_value, event.b, event.c);
    std::memcpy(memory, &value, 8);
  } else {
    std::uint32_t old_value;
    std::memcpy(&old_value, memory, 4);
    const std::uint32_t value = isa::atomic32(event.atom_op, event.atom_signed, old_value, static_cast<std::uint32_t>(event.b),
                                              static_cast<std::uint32_t>(event.c));
    std::memcpy(memory, &value, 4);
  }
}

void LockStep::perform(const PerformEvent& event) {
  if (event.client != MemClient::kGlobal) return;  // l[] is private: its loads are compared where they retire
  ++counters_.transactions;
  Transaction t;
  t.event = event;
  std::memcpy(t.image, image_.at(event.virtual_address), event.bytes);
  if (event.op == MemOp::kWrite) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(event.data);
    std::uint8_t* memory = image_.at(event.virtual_address);
    for (unsigned i = 0; i < event.bytes; ++i) {
      if ((event.byte_enable[i / 64] >> (i % 64) & 1) != 0) memory[i] = data[i];
    }
  } else if (event.op != MemOp::kRead) {
    apply_atomic(event);
  }
  performed_[event.origin.tag.bits].push_back(t);
  if (event.op == MemOp::kWrite || event.op == MemOp::kReduce) settle_stores(event.origin.tag.bits);
}

// Every enabled byte must come from a lane of the transaction, and every lane's bytes must be enabled.
void LockStep::check_store(Expected& expected, const Transaction& t) {
  const PerformEvent& event = t.event;
  const auto* data = reinterpret_cast<const std::uint8_t*>(event.data);
  std::uint64_t explained[2] = {0, 0};
  const MemoryAccess& access = expected.access;
  Sm& sm = *sms_[expected.sm];
  const auto fail = [&](const std::string& what) { differ(sm, expected.warp, 0, expected.pc, expected.w0, expected.w1, what); };
  for (unsigned rest = event.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = event.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(rest));
    if ((expected.remaining >> lane & 1) == 0) fail(fmt::format("the model stored for lane {}, which must not store", lane));
    const std::uint32_t at = access.address[lane] - event.virtual_address;
    if (at >= event.bytes || event.bytes - at < access.bytes) {
      fail(fmt::format("lane {} was stored at 0x{:x}..0x{:x}, its address is 0x{:x}", lane, event.virtual_address,
                       event.virtual_address + event.bytes - 1, access.address[lane]));
    }
    for (unsigned byte = 0; byte < access.bytes; ++byte) {
      const unsigned i = at + byte;
      if ((event.byte_enable[i / 64] >> (i % 64) & 1) == 0) fail(fmt::format("lane {}: byte {} was not stored", lane, byte));
      const auto want = static_cast<std::uint8_t>(access.data[byte / 4][lane] >> (byte % 4 * 8));
      if (data[i] == want) explained[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    expected.remaining &= ~(LaneMask{1} << lane);
  }
  for (unsigned i = 0; i < event.bytes; ++i) {
    if ((event.byte_enable[i / 64] & ~explained[i / 64]) >> (i % 64) & 1) {
      fail(fmt::format("0x{:02x} was stored at 0x{:x}, which no lane stores", data[i], event.virtual_address + i));
    }
  }
}

void LockStep::check_atomic(Expected& expected, const Transaction& t) {
  const PerformEvent& event = t.event;
  const MemoryAccess& access = expected.access;
  Sm& sm = *sms_[expected.sm];
  for (unsigned rest = event.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = event.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint64_t b = access.b[0][lane] | std::uint64_t{access.b[1][lane]} << 32;
    const std::uint64_t mask = access.bytes == 8 ? ~std::uint64_t{0} : 0xffffffffu;
    const std::uint32_t at = access.address[lane] - event.virtual_address;
    if ((expected.remaining >> lane & 1) == 0 || at >= event.bytes || (event.b & mask) != (b & mask) || event.atom_op != access.atom_op) {
      differ(sm, expected.warp, 0, expected.pc, expected.w0, expected.w1,
             fmt::format("lane {}: the partition performed operation {} with 0x{:x} near 0x{:x}, expected {} with 0x{:x} at 0x{:x}", lane,
                         event.atom_op, event.b & mask, event.virtual_address, access.atom_op, b & mask, access.address[lane]));
    }
    expected.remaining &= ~(LaneMask{1} << lane);
  }
}

// Matches performed stores with what the reference stored, once both are known.
void LockStep::settle_stores(std::uint32_t tag) {
  const auto expected = stores_.find(tag);
  if (expected == stores_.end()) return;
  const auto found = performed_.find(tag);
  if (found != performed_.end()) {
    for (const Transaction& t : found->second) {
      if (t.event.op == MemOp::kWrite) {
        check_store(expected->second, t);
      } else {
        check_atomic(expected->second, t);
      }
    }
    performed_.erase(found);
  }
  if (expected->second.remaining == 0) stores_.erase(expected);
}

// --- SMs

void LockStep::shared_pass(Sm& sm, const SmLog::Smem& pass) {
  ++counters_.shared_passes;
  const auto owner = sm.warp_of_tag.find(pass.tag.bits);
  CHECK(owner != sm.warp_of_tag.end(), "lock-step: SM {} accessed shared memory for an instruction that was not issued", sm.index);
  Warp& warp = sm.warps[owner->second];
  SmLog::Smem copy = pass;
  for (unsigned rest = pass.lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint32_t at = static_cast<std::uint32_t>(pass.address[l] - warp.shared_base);
    if (at + pass.bytes > warp.block->shared.size()) {
      throw LockStepError(fmt::format("lock-step: SM {}, warp slot {}: lane {} accessed s[0x{:x}] beyond its block's {} bytes", sm.index,
                                      owner->second, pass.half * kHalfWarp + l, at, warp.block->shared.size()));
    }
    std::uint8_t* const byte = warp.block->shared.data() + at;
    if (pass.write) {
      std::memcpy(byte, &pass.data[l], pass.bytes);
    } else {
      copy.data[l] = 0;
      std::memcpy(&copy.data[l], byte, pass.bytes);
    }
  }
  const auto stored = sm.shared_stores.find(pass.tag.bits);
  if (pass.write && stored != sm.shared_stores.end()) {
    SmLog::Issue issue;
    DecodedInstruction decoded;
    decoded.w0 = stored->second.w0, decoded.w1 = stored->second.w1;
    issue.warp = static_cast<std::uint8_t>(owner->second);
    issue.ref = {&decoded, stored->second.pc};
    Port(*this, sm, warp, issue).check_shared_store(stored->second, pass);
    if (stored->second.remaining == 0) sm.shared_stores.erase(stored);
  } else {
    sm.passes[pass.tag.bits].push_back(copy);
  }
}

void LockStep::read_sm_log(Sm& sm) {
  std::size_t start = 0, issue = 0, retire = 0, smem = 0;
  for (const SmLog::Kind kind : sm.log.order) {
    switch (kind) {
      case SmLog::Kind::kWarpStart: {
        const SmLog::WarpStart& event = sm.log.start[start++];
        if (event.warp_in_cta == 0) {
          sm.blocks[event.cta_slot] = std::make_unique<golden::BlockState>();
          sm.blocks[event.cta_slot]->start(launch_, event.cta_x + launch_.grid_x * event.cta_y);
        }
        Warp& warp = sm.warps[event.warp];
        CHECK(warp.events.empty(), "lock-step: SM {} restarted warp slot {} with unfinished instructions", sm.index, event.warp);
        warp.block = sm.blocks[event.cta_slot].get();
        warp.state = &warp.block->warps[event.warp_in_cta];
        warp.shared_base = event.shared_base;
        warp.faulted = false;
        break;
      }
      case SmLog::Kind::kIssue: {
        const SmLog::Issue& event = sm.log.issue[issue++];
        Warp& warp = sm.warps[event.warp];
        if (event.ref.decoded->reads_shared_operand || event.ref.decoded->insn.op == isa::Op::kStShared) {
          sm.warp_of_tag[event.tag.bits] = event.warp;
        }
        warp.events.push_back({true, event});
        advance(sm, warp);
        break;
      }
      case SmLog::Kind::kRetire: {
        const SmLog::Retire& event = sm.log.retire[retire++];
        Warp& warp = sm.warps[event.warp];
        warp.retires.push_back(event);
        warp.events.push_back({false, {}});
        advance(sm, warp);
        break;
      }
      case SmLog::Kind::kSmem: {
        const SmLog::Smem& pass = sm.log.smem[smem++];
        shared_pass(sm, pass);
        const auto owner = sm.warp_of_tag.find(pass.tag.bits);
        if (owner != sm.warp_of_tag.end()) advance(sm, sm.warps[owner->second]);
        break;
      }
    }
  }
  sm.log.clear();
}

// Takes the warp's events as far as the reference can follow.
void LockStep::advance(Sm& sm, Warp& warp) {
  if (warp.faulted) {
    warp.events.clear();
    warp.retires.clear();
  }
  while (!warp.events.empty()) {
    const Warp::Event& event = warp.events.front();
    if (event.is_issue) {
      if (!step(sm, warp, event.issue)) return;
    } else {
      compare(sm, warp, warp.retires.front());
      warp.retires.pop_front();
    }
    warp.events.pop_front();
  }
}

// Steps the reference over an issued instruction; false if it waits for memory.
bool LockStep::step(Sm& sm, Warp& warp, const SmLog::Issue& issue) {
  const auto fail = [&](const std::string& what) {
    differ(sm, issue.warp, issue.cycle, issue.ref.pc, issue.ref.decoded->w0, issue.ref.decoded->w1, what);
  };
  golden::WarpState& state = *warp.state;
  if (state.finished) fail("the model issued an instruction of a warp that has ended");
  if (state.pc != issue.ref.pc) fail(fmt::format("pc is 0x{:x}, expected 0x{:x}", issue.ref.pc, state.pc));
  if (state.active != issue.active) fail(fmt::format("active mask is {:08x}, expected {:08x}", issue.active, state.active));
  if (state.waiting != golden::kNoBarrier) fail(fmt::format("the warp passed barrier {} before it opened", state.waiting));
  sm.executor->special.clock = issue.clock;
  sm.executor->special.physid = issue.physid;
  Port port(*this, sm, warp, issue);
  golden::StepRecord record;
  switch (sm.executor->step(*warp.block, state, port, &record)) {
    case StepStatus::kNotReady: return false;
    case StepStatus::kFault: warp.faulted = true; return false;  // the model must report it too: see finish()
    case StepStatus::kWaiting:
    case StepStatus::kFinished:
    case StepStatus::kStepped: break;
  }
  if (record.decoded != nullptr && (record.decoded->w0 != issue.ref.decoded->w0 ||
                                    (record.decoded->insn.bytes == 8 && record.decoded->w1 != issue.ref.decoded->w1))) {
    fail(fmt::format("the instruction words are {:08x} {:08x}, expected {:08x} {:08x}", issue.ref.decoded->w0, issue.ref.decoded->w1,
                     record.decoded->w0, record.decoded->w1));
  }
  ++counters_.instructions;
  return true;
}

void LockStep::compare(Sm& sm, Warp& warp, const SmLog::Retire& retire) {
  ++counters_.results;
  sm.warp_of_tag.erase(retire.tag.bits);
  const golden::WarpState& state = *warp.state;
  const auto fail = [&](unsigned lane, const std::string& what, std::uint32_t expected, std::uint32_t seen) {
    differ(sm, retire.warp, retire.cycle, retire.pc, retire.decoded->w0, retire.decoded->w1,
           fmt::format("lane {}: {} is 0x{:08x}, expected 0x{:08x}", lane, what, seen, expected));
  };
  for (unsigned i = 0; i < retire.num_registers; ++i) {
    const unsigned reg = retire.first_register + i;
    if (reg >= state.r.size()) continue;  // not allocated: reads 0, writes are dropped
    for (LaneMask rest = retire.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      if (retire.value[i][l] != state.r[reg][l]) fail(l, fmt::format("$r{}", reg), state.r[reg][l], retire.value[i][l]);
    }
  }
  const isa::Instruction& insn = retire.decoded->insn;
  if (insn.writes_flags) {
    for (LaneMask rest = retire.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      const std::uint8_t expected = state.c[insn.flag_dst][l];
      if (retire.flags[l] != expected) fail(l, fmt::format("$c{}", insn.flag_dst), expected, retire.flags[l]);
    }
  }
  if (retire.decoded->writes.addrs != 0) {
    const unsigned a = static_cast<unsigned>(__builtin_ctz(retire.decoded->writes.addrs));
    for (LaneMask rest = retire.lanes; rest != 0; rest &= rest - 1) {
      const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
      if (retire.addr[l] != state.a[a][l]) fail(l, fmt::format("$a{}", a), state.a[a][l], retire.addr[l]);
    }
  }
}

void LockStep::consume() {
  if (!active_) {
    for (PartitionLog& log : partition_logs_) log.performed.clear();
    return;
  }
  for (PartitionLog& log : partition_logs_) {
    for (const PerformEvent& event : log.performed) perform(event);
    log.performed.clear();
  }
  for (auto& sm : sms_) {
    read_sm_log(*sm);
    for (Warp& warp : sm->warps) {
      if (!warp.events.empty()) advance(*sm, warp);
    }
  }
}

void LockStep::finish() {
  consume();
  for (const auto& sm : sms_) {
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      if (!sm->warps[w].faulted) continue;
      throw LockStepError(fmt::format("lock-step: SM {}, warp slot {}: the model went on where the reference faults: {}", sm->index, w,
                                      golden::describe(sm->executor->fault())));
    }
  }
  for (const auto& sm : sms_) {
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      const Warp& warp = sm->warps[w];
      if (!warp.events.empty()) {
        const SmLog::Issue& issue = warp.events.front().issue;
        differ(*sm, w, issue.cycle, issue.ref.pc, issue.ref.decoded ? issue.ref.decoded->w0 : 0, issue.ref.decoded ? issue.ref.decoded->w1 : 0,
               "the grid ended, but the model never performed this memory access for every lane");
      }
      if (warp.state != nullptr && !warp.state->finished) {
        throw LockStepError(fmt::format("lock-step: SM {}, warp slot {}: the grid ended, but the reference is still at pc 0x{:x}", sm->index, w,
                                        warp.state->pc));
      }
    }
    if (!sm->shared_stores.empty()) {
      const Expected& e = sm->shared_stores.begin()->second;
      differ(*sm, e.warp, 0, e.pc, e.w0, e.w1, fmt::format("lanes {:08x} never stored to s[]", e.remaining));
    }
  }
  if (!stores_.empty()) {
    const Expected& e = stores_.begin()->second;
    differ(*sms_[e.sm], e.warp, 0, e.pc, e.w0, e.w1, fmt::format("the stores of lanes {:08x} never reached memory", e.remaining));
  }
  if (!performed_.empty()) {
    const PerformEvent& event = performed_.begin()->second.front().event;
    throw LockStepError(fmt::format("lock-step: SM {}, warp slot {}, pc 0x{:x}: the model performed an access at 0x{:x} that no instruction made",
                                    event.origin.sm, event.origin.warp, event.origin.pc, event.virtual_address));
  }
  abandon();
}

void LockStep::abandon() {
  for (auto& sm : sms_) {
    sm->log.clear();
    sm->warps = {};
    for (auto& block : sm->blocks) block.reset();
    sm->passes.clear();
    sm->shared_stores.clear();
    sm->warp_of_tag.clear();
  }
  for (PartitionLog& log : partition_logs_) log.performed.clear();
  performed_.clear();
  stores_.clear();
  active_ = false;
}

}  // namespace g80

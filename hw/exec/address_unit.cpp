// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/address_unit.h"

#include "hw/bundles/half_warp_order.h"
#include "hw/common/delay_registers.h"
#include "hw/isa/field_codec.h"

namespace g80 {

using isa::MemType;
using isa::Op;
using isa::OperandKind;

namespace {

bool stores_to_shared(Op op) { return op == Op::kStShared || op == Op::kStSharedUnlock; }
bool is_texture(const AddressJob& job) { return job.dispatch.fetched.decoded().unit == isa::Unit::kTexture; }
bool is_on_chip(const AddressJob& job) { return job.kind == OperandKind::kShared || job.kind == OperandKind::kConst; }
HalfMask of_half(LaneMask lanes, unsigned half) { return static_cast<HalfMask>(lanes >> (kHalfWarp * half)); }

/// An address register belongs to this operand: with both an s[] and a c[] operand, to s[].
bool is_indexed(OperandKind kind, const isa::Instruction& insn) {
  return insn.addr_reg != 0 && (kind != OperandKind::kConst || insn.src[0].kind != OperandKind::kShared);
}

/// Lanes whose `bytes` do not lie at a multiple of their number, or not in the first `size` bytes.
struct BadLanes {
  unsigned misaligned, outside;
};
BadLanes bad_lanes(const PortWords& address, std::uint32_t bytes, std::uint64_t size) {
  const bool fits = size >= bytes;
  const std::uint32_t last = fits ? static_cast<std::uint32_t>(std::min(size - bytes, std::uint64_t{~0u})) : 0;
  std::uint32_t any = fits ? 0 : 1;
  for (const std::uint32_t each : address) any |= (each & (bytes - 1)) | static_cast<std::uint32_t>(each > last);
  BadLanes bad{0, 0};
  for (unsigned l = 0; any != 0 && l < kHalfWarp; ++l) {
    bad.misaligned |= static_cast<unsigned>((address[l] & (bytes - 1)) != 0) << l;
    bad.outside |= static_cast<unsigned>(!fits || address[l] > last) << l;
  }
  return bad;
}

}  // namespace

void lane_addresses(const isa::Operand& operand, const isa::Instruction& insn, const AddressLanes& lanes,
                    std::uint32_t* out) {
  if (operand.kind == OperandKind::kReg) {
    std::copy(lanes.base.begin(), lanes.base.end(), out);  // g[]: the register is the address
    return;
  }
  const bool indexed = is_indexed(operand.kind, insn);
  for (unsigned l = 0; l < kHalfWarp; ++l) out[l] = ((indexed ? lanes.addr[l] : 0) + operand.offset) & 0xffffu;
}

AddressUnit::AddressUnit(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned sm_in_tpc)
    : Clocked(name),
      address_cycles_(config.sm.address_cycles / kSchedulerPeriod),
      sm_id_(static_cast<std::uint8_t>(sm_id)),
      sm_in_tpc_(static_cast<std::uint8_t>(sm_in_tpc)),
      load_entries_(config.sm.load_table_entries),
      max_warps_(config.sm.max_warps) {
  access_o.wake_for_room(RoomWake::kAllFree);
  tex_o.wake_for_room(RoomWake::kAllFree);
}

void AddressUnit::reset() {
  on_chip_.clear();
  off_chip_.clear();
  stack_.clear();
  head_.clear();
  sent_stores_.clear();
  smem_.reset();
  constant_.reset();
  open_.reset();
  lanes_.reset();
  increment_.reset();
  done_.reset();
  fault_.reset();
  only_oldest_waits_ = counts_ = false;
  counters_ = {};
}

Origin AddressUnit::origin(const AddressJob& job) const {
  return {job.dispatch.tag, sm_id_, job.dispatch.warp, job.dispatch.fetched.pc};
}

const isa::Operand& AddressUnit::memory_operand(const AddressDispatch& dispatch) {
  const isa::Instruction& insn = dispatch.fetched.decoded().insn;
  const OperandKind wanted = dispatch.constant ? OperandKind::kConst : OperandKind::kShared;
  const isa::Operand* operand = &insn.src[0];
  for (const isa::Operand& source : insn.src) {
    if (source.kind == wanted) operand = &source;
  }
  return *operand;
}

AddressJob AddressUnit::describe(const AddressDispatch& dispatch) {
  AddressJob job;
  job.dispatch = dispatch;
  if (is_texture(job)) return job;
  const isa::Operand& operand = memory_operand(dispatch);
  job.kind = operand.kind;
  job.sign_extend = operand.type == MemType::kS16 || operand.type == MemType::kS8;
  const unsigned bytes = element_bytes(is_on_chip(job) ? operand.type : dispatch.fetched.decoded().insn.mem_type);
  job.bytes = static_cast<std::uint8_t>(bytes);
  if (job.kind == OperandKind::kLocal) {
    job.words = static_cast<std::uint8_t>(local_accesses(bytes));
    job.bytes = static_cast<std::uint8_t>(bytes / job.words);
  }
  return job;
}

AddressUnit::Window AddressUnit::window(const AddressJob& job) const {
  const LaunchState& launch = launch_i.read();
  const WarpPlace& place = places_[job.dispatch.warp];
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  switch (job.kind) {
    case OperandKind::kShared: return {true, place.shared_base, place.shared_limit};
    case OperandKind::kLocal: return {true, local_address(launch, place.chip_warp, 0, 0), launch.local_bytes};
    case OperandKind::kConst: {
      const ConstBankBinding& bank = launch.const_bank[memory_operand(job.dispatch).bank];
      return {bank.valid, bank.address, bank.bytes};
    }
    default: {
      const GlobalSpace& space = launch.global[insn.space];
      return {space.enabled, space.base, std::uint64_t{space.limit} + 1};
    }
  }
}

void AddressUnit::fault(const AddressJob& job, unsigned lane, bool misaligned, std::uint32_t address) {
  if (fault_->valid) return;  // the first one stays
  const FaultKind kind = misaligned                         ? FaultKind::kMisalignedAddress
                         : job.kind == OperandKind::kShared ? FaultKind::kSharedLimit
                         : job.kind == OperandKind::kLocal  ? FaultKind::kLocalLimit
                                                            : FaultKind::kGlobalLimit;
  fault_.load(instruction_fault(kind, lane, job.dispatch.fetched, origin(job), address));
}

// Forms and checks the address that stands in the instruction, the same in all lanes: l[] of a lane begins where its
// number says, which is added when the access leaves. False if the lanes fault.
bool AddressUnit::form(AddressJob& job) {
  static const AddressLanes none{};
  PortWords formed;
  lane_addresses(memory_operand(job.dispatch), job.dispatch.fetched.decoded().insn, none, formed.data());
  const std::uint32_t address = formed[0], bytes = job.bytes * job.words;
  const Window space = window(job);
  const bool misaligned = (address & (bytes - 1)) != 0,
             outside = !space.open || address + std::uint64_t{bytes} > space.bytes;
  job.no_data = job.kind == OperandKind::kConst && outside;
  job.address =
      job.kind == OperandKind::kLocal ? space.base + address / 4 * (4 * kWarpSize) + address % 4 : space.base + address;
  if (job.dispatch.lanes == 0 || (!misaligned && (!outside || job.no_data))) return true;
  fault(job, static_cast<unsigned>(__builtin_ctz(job.dispatch.lanes)), misaligned, address);
  return false;
}

// The new $a goes to the register file at once: whoever issued before this instruction has read the old one, and
// whoever needs the new one waits until the instruction is released.
void AddressUnit::increment(const AddressJob& job, unsigned half) {
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  AddrIncrement& out = increment_.edit();
  out.valid = true;
  out.warp = job.dispatch.warp;
  out.index = insn.addr_reg;
  out.half = static_cast<std::uint8_t>(half);
  out.lanes = of_half(job.dispatch.lanes, half);
  for (unsigned l = 0; l < kHalfWarp; ++l)
    out.value[l] = static_cast<std::uint16_t>(operands_i.read().addr[l] + static_cast<std::uint32_t>(insn.increment));
  report_increment(out);
}

void AddressUnit::report_increment(const AddrIncrement& increment) {
  if (reports_ == nullptr) return;
  std::copy(increment.value.begin(), increment.value.end(),
            &reports_->incremented(increment.warp, increment.index)[kHalfWarp * increment.half]);
}

// Takes the operands of a half-warp, forms its addresses and checks them. False if a lane faults.
template <unsigned kWords>
bool AddressUnit::take(const AddressJob& job, unsigned half, OperandRow<kWords>& row) {
  const AddressLanes& lanes = operands_i.read();
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  std::copy_n(std::begin(lanes.data), kWords, std::begin(row.data));
  row.lanes = of_half(job.dispatch.lanes, half);
  if (is_texture(job)) return true;
  if (insn.post_increment && is_indexed(job.kind, insn)) increment(job, half);
  PortWords address;
  lane_addresses(memory_operand(job.dispatch), insn, lanes, address.data());
  const Window space = window(job);
  const std::uint32_t bytes = job.bytes * job.words;
  const auto [misaligned, outside] = bad_lanes(address, bytes, space.open ? space.bytes : 0);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    row.address[l] = space.base + (job.kind == OperandKind::kLocal
                                       ? address[l] / 4 * (4 * kWarpSize) + 4 * (kHalfWarp * half + l) + address[l] % 4
                                       : address[l]);
  }
  const bool constant = job.kind == OperandKind::kConst;
  // The fault names the lowest lane with a bad address, and what is wrong there.
  if (const unsigned bad = (misaligned | (constant ? 0 : outside)) & row.lanes; bad != 0) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(bad));
    fault(job, kHalfWarp * half + lane, (misaligned >> lane & 1) != 0, address[lane]);
    return false;
  }
  if (constant) row.lanes = static_cast<HalfMask>(row.lanes & ~outside);
  return true;
}

// Puts a new access into its queue. Operands of its first half-warp with lanes are on the port. False if it waits for
// those of the second one.
template <class Queue>
bool AddressUnit::push(Queue& queue, const AddressJob& job) {
  const bool low = of_half(job.dispatch.lanes, 0) != 0, high = of_half(job.dispatch.lanes, 1) != 0;
  const unsigned first = low ? 0 : 1;
  // A fault: the instruction never completes.
  if (job.dispatch.operands && (low || high) && !take(job, first, queue.row(queue.size(), first))) return true;
  queue.set_faulted(queue.size(), false);
  queue.push(job);
  return !(job.dispatch.operands && low && high);
}

void AddressUnit::accept(const AddressDispatch& dispatch) {
  CHECK(!(dispatch.operands && dispatch.lanes != 0 && (q_.receives_on_chip || q_.receives_off_chip)),
        "{}: operands of two half-warps come at once", name());
  AddressJob job = describe(dispatch);
  if (!dispatch.operands && !form(job)) return;
  if (is_on_chip(job)) {
    d_.receives_on_chip = !push(on_chip_, job);
  } else {
    const unsigned before = off_chip_.size();
    d_.receives_off_chip = !push(off_chip_, job);
    counters_.accesses += off_chip_.size() - before;
  }
}

// Takes the second half-warp of the newest access with operands.
G80_INLINE void AddressUnit::receive() {
  const auto take_last = [this](auto& queue) {
    CHECK(!queue.empty(), "{}: operands of a second half-warp came for no access", name());
    const unsigned newest = queue.size() - 1;
    if (!take(queue.at(newest), 1, queue.row(newest, 1))) queue.set_faulted(newest, true);
  };
  if (q_.receives_on_chip) take_last(on_chip_);
  if (q_.receives_off_chip) take_last(off_chip_);
}

template <unsigned kWords>
PortWords AddressUnit::addresses(const AddressJob& job, unsigned half, const OperandRow<kWords>& row) {
  if (job.dispatch.operands) return row.address;
  PortWords out;
  const unsigned step = job.kind == OperandKind::kLocal ? 4 : 0;
  for (unsigned l = 0; l < kHalfWarp; ++l) out[l] = job.address + step * (kHalfWarp * half + l);
  return out;
}

bool AddressUnit::send_shared(unsigned half) {
  if (smem_->valid) return false;
  const AddressJob& job = on_chip_.front();
  const OnChip::Row& row = on_chip_.row(0, half);
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  SmemRequest& out = smem_.edit();
  out = {};
  out.valid = true;
  out.write = stores_to_shared(insn.op);
  out.lock = insn.op == Op::kLdSharedLock || insn.op == Op::kStSharedUnlock;
  out.warp = job.dispatch.warp;
  out.unit = job.dispatch.unit;
  out.half = static_cast<std::uint8_t>(half);
  out.bytes = job.bytes;
  out.sign_extend = job.sign_extend;
  out.lanes = of_half(job.dispatch.lanes, half);
  out.origin = origin(job);
  const auto inside = [](std::uint32_t address) { return static_cast<std::uint16_t>(address % kMaxSharedBytes); };
  if (job.dispatch.operands) {
    for (unsigned l = 0; l < kHalfWarp; ++l) out.address[l] = inside(row.address[l]);
  } else {
    out.address.fill(inside(job.address));
  }
  if (out.write) out.data = row.data[0];
  return true;
}

// The lanes of a half-warp, or all if the address stands in the instruction. Where none lies in its bank, the answer
// is 0.
bool AddressUnit::send_constant(unsigned half) {
  const AddressJob& job = on_chip_.front();
  const OnChip::Row& row = on_chip_.row(0, half);
  const bool direct = !job.dispatch.operands;
  const LaneMask lanes = !direct ? LaneMask{row.lanes} << (kHalfWarp * half) : job.no_data ? 0 : job.dispatch.lanes;
  if (lanes == 0) {
    d_.answered |= WarpMask{1} << job.dispatch.unit;
    return true;
  }
  if (constant_->valid) return false;
  ConstRequest& out = constant_.edit();
  out = {};
  out.valid = true;
  out.id = job.dispatch.unit;
  out.warp = job.dispatch.warp;
  out.bytes = job.bytes;
  out.direct = direct;
  out.lanes = lanes;
  out.origin = origin(job);
  const PortWords address = addresses(job, half, row);
  std::copy_n(address.begin(), direct ? 1 : kHalfWarp, out.address.begin());
  return true;
}

// Scheduler cycles in which the addresses of a half-warp follow that of its first lane.
unsigned AddressUnit::address_wait(unsigned half) {
  const AddressJob& job = off_chip_.front();
  const HalfMask lanes = of_half(job.dispatch.lanes, half);
  if (is_in_order(addresses(job, half, off_chip_.row(0, half)), lanes, job.bytes)) return 0;
  return address_cycles_ * (static_cast<unsigned>(__builtin_popcount(lanes)) - 1);
}

bool AddressUnit::send_access(unsigned half) {
  if (!access_o->can_push()) return false;
  AccessProgress& progress = d_.off_chip_progress;
  if (!progress.waits) progress.wait = static_cast<std::uint8_t>(address_wait(half));
  progress.waits = progress.wait != 0;
  if (progress.waits) {
    --progress.wait;
    return false;
  }
  const AddressJob& job = off_chip_.front();
  const OffChip::Row& row = off_chip_.row(0, half);
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  const unsigned word = d_.off_chip_progress.word;
  HalfWarpAccess out;
  out.valid = true;
  switch (insn.op) {
    case Op::kLdGlobal:
    case Op::kLdLocal: out.op = MemOp::kRead; break;
    case Op::kStGlobal:
    case Op::kStLocal: out.op = MemOp::kWrite; break;
    case Op::kRed: out.op = MemOp::kReduce; break;
    default: out.op = MemOp::kAtomic; break;
  }
  out.client = job.kind == OperandKind::kLocal ? MemClient::kLocal : MemClient::kGlobal;
  out.half = static_cast<std::uint8_t>(half);
  out.lanes = of_half(job.dispatch.lanes, half);
  out.bytes = job.bytes;
  out.atom_op = static_cast<std::uint8_t>(insn.atom_op);
  out.atom_signed = insn.mem_type == MemType::kS32;
  out.id = static_cast<std::uint8_t>(d_.off_chip_progress.load_id | word << 6);
  out.origin = origin(job);
  out.address = addresses(job, half, row);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    out.address[l] += word * 4 * kWarpSize;
    if (out.op == MemOp::kRead) continue;
    if (out.client == MemClient::kLocal) {
      out.data[l][0] = row.data[word][l];
    } else {
      for (unsigned i = 0; i < 4; ++i) out.data[l][i] = row.data[i][l];
    }
  }
  access_o->push(out);
  report_access(out);
  return true;
}

void AddressUnit::report_access(const HalfWarpAccess& access) {
  if (reports_ == nullptr || access.client != MemClient::kGlobal) return;
  SmReport::Access& entry = reports_->at(edge()).access.add();
  entry = {access.origin.tag, access.half, access.lanes, access.address, {}};
  for (unsigned l = 0; l < kHalfWarp; ++l) entry.data[l] = access.data[l][0];
}

// It keeps accesses waiting for a few cycles in the life of a block.
void AddressUnit::send_head() {
  if (head_.empty() || smem_->valid) return;
  const SmemFill& fill = head_.front();
  CHECK(fill.count <= kHalfWarp, "{}: {} words of a block's head come at once", name(), fill.count);
  SmemRequest& out = smem_.edit();
  out = {};
  out.valid = out.write = out.header = true;
  out.lanes = static_cast<HalfMask>((1u << fill.count) - 1);
  for (unsigned l = 0; l < fill.count; ++l) {
    out.address[l] = static_cast<std::uint16_t>(4 * (fill.first + l));
    out.data[l] = fill.data[l];
  }
  ++d_.stores_sent;
  head_.pop();
}

void AddressUnit::send_stack() {
  if (!access_o->can_push()) return;
  const StackAccess& access = stack_.front();
  HalfWarpAccess out;
  out.valid = true;
  out.op = access.write ? MemOp::kWrite : MemOp::kRead;
  out.client = MemClient::kStack;
  out.lanes = 1;
  out.bytes = kStackEntryBytes;
  out.id = stack_id(access);
  out.origin = {access.tag, sm_id_, access.warp, access.pc};
  out.address[0] = stack_address(launch_i.read(), places_[access.warp].chip_warp, access.number);
  if (access.write) {
    const auto words = stack_words(access.entry);
    std::copy(words.begin(), words.end(), out.data[0].begin());
  }
  access_o->push(out);
  stack_.pop();
  d_.stack_went = true;
}

bool AddressUnit::send_texture(unsigned half) {
  if (!tex_o->can_push()) return false;
  const AddressJob& job = off_chip_.front();
  const OffChip::Row& row = off_chip_.row(0, half);
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  TexRequest out;
  out.valid = true;
  out.op = insn.op == Op::kTexFetch ? TexOp::kFetch : insn.op == Op::kTexSize ? TexOp::kSize : TexOp::kSample;
  out.sm_in_tpc = sm_in_tpc_;
  out.half = static_cast<std::uint8_t>(half);
  out.lanes = of_half(job.dispatch.lanes, half);
  out.id = d_.off_chip_progress.load_id;
  out.texture = insn.tex % kMaxTextures;
  out.sampler = insn.sampler;
  out.offset = {insn.tex_offset[0], insn.tex_offset[1], insn.tex_offset[2]};
  out.origin = origin(job);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    for (unsigned i = 0; i < insn.tex_sources; ++i) out.coord[l][i] = row.data[i][l];
  }
  tex_o->push(out);
  return true;
}

void AddressUnit::open_load(const AddressJob& job) {
  const auto id = static_cast<unsigned>(d_.loads == ~std::uint64_t{0} ? 64 : __builtin_ctzll(~d_.loads));
  CHECK(id < load_entries_, "{}: a load needs a load_table entry, but none is free", name());
  d_.loads |= std::uint64_t{1} << id;
  d_.off_chip_progress.load_id = static_cast<std::uint8_t>(id);
  LoadOpen& out = open_.edit();
  out.valid = true;
  out.id = static_cast<std::uint8_t>(id);
  out.warp = job.dispatch.warp;
  out.fetched = job.dispatch.fetched;
  out.tag = job.dispatch.tag;
  out.lanes = job.dispatch.lanes;
}

// Enters the lanes of a half-warp in the load_table: where each finds its bytes. Texels have no such place.
void AddressUnit::enter_lanes(unsigned half) {
  d_.off_chip_progress.entered = static_cast<std::uint8_t>(d_.off_chip_progress.entered | 1u << half);
  LoadLanes& out = lanes_.edit();
  out.valid = true;
  out.id = d_.off_chip_progress.load_id;
  out.half = static_cast<std::uint8_t>(half);
  out.offset = {};
  if (is_texture(off_chip_.front())) return;
  const PortWords address = addresses(off_chip_.front(), half, off_chip_.row(0, half));
  for (unsigned l = 0; l < kHalfWarp; ++l) out.offset[l] = static_cast<std::uint8_t>(address[l] % kMaxTransactionBytes);
}

// Frees the collector unit of a memory instruction whose requests have all been sent, and returns its credit.
void AddressUnit::release(const AddressJob& job) {
  d_.freed |= WarpMask{1} << job.dispatch.unit;
  ++d_.credit.memory;
}

StoreDone AddressUnit::store_done(const AddressJob& job) {
  StoreDone done;
  done.valid = true;
  done.warp = job.dispatch.warp;
  done.fetched = job.dispatch.fetched;
  done.tag = job.dispatch.tag;
  done.lanes = job.dispatch.lanes;
  return done;
}

// Reports the oldest store to s[] to writeback when the banks have performed it.
void AddressUnit::report_shared_store() {
  d_.stores_performed = static_cast<std::uint8_t>(d_.stores_performed + smem_stored_i.read());
  if (sent_stores_.empty() || static_cast<std::int8_t>(sent_stores_.front().after - d_.stores_performed) > 0) return;
  done_.load(sent_stores_.front().done);
  sent_stores_.pop();
}

void AddressUnit::work_on_chip() {
  if (on_chip_.empty()) return;
  const AddressJob& job = on_chip_.front();
  if (on_chip_.faulted(0)) {
    d_.on_chip_upper = false;
    on_chip_.pop();
    return;
  }
  const bool constant = job.kind == OperandKind::kConst;
  const bool is_store = stores_to_shared(job.dispatch.fetched.decoded().insn.op);
  if (is_store && sent_stores_.full()) return;
  const bool low = of_half(job.dispatch.lanes, 0) != 0, high = of_half(job.dispatch.lanes, 1) != 0;
  if (low || high) {
    const unsigned half = low && !d_.on_chip_upper ? 0 : 1;
    if (constant ? !send_constant(half) : !send_shared(half)) return;
    d_.stores_sent = static_cast<std::uint8_t>(d_.stores_sent + is_store);
    const bool direct = constant && !job.dispatch.operands;  // one request for all lanes
    if (half == 0 && high && !direct) {
      d_.on_chip_upper = true;
      return;
    }
  }
  d_.on_chip_upper = false;
  if (is_store) {
    release(job);
    sent_stores_.push({store_done(job), d_.stores_sent});
  }
  on_chip_.pop();
}

G80_INLINE void AddressUnit::work_off_chip() {
  if (!stack_.empty() && (off_chip_.empty() || !q_.stack_went)) {
    send_stack();
    return;
  }
  if (off_chip_.empty()) return;
  const AddressJob& job = off_chip_.front();
  AccessProgress& progress = d_.off_chip_progress;
  if (off_chip_.faulted(0)) {
    progress = {};
    off_chip_.pop();
    return;
  }
  const bool loads = job.dispatch.fetched.decoded().uses_load_table;
  if (loads && progress.entered == 0) open_load(job);
  const bool low = of_half(job.dispatch.lanes, 0) != 0, high = of_half(job.dispatch.lanes, 1) != 0;
  if ((low || high) && progress.word < job.words) {
    const unsigned half = low && !progress.upper ? 0 : 1;
    if (loads && (progress.entered >> half & 1) == 0) enter_lanes(half);
    if (is_texture(job) ? !send_texture(half) : !send_access(half)) return;
    d_.stack_went = false;
    progress.upper = half == 0 && high;
    progress.word = static_cast<std::uint8_t>(progress.word + !progress.upper);
    if (progress.word < job.words) return;
  }
  // Stores to s[] go first; the issue port lets one come in every second cycle at most.
  if (!loads && done_->valid) return;
  release(job);
  if (!loads) done_.load(store_done(job));
  progress = {};
  off_chip_.pop();
}

void AddressUnit::start_warp(const WarpStart& start) {
  places_[start.warp] = {start.shared_base, start.shared_bytes, sm_id_ * max_warps_ + start.warp};
}

/// Addresses follow each other to the coalescer, and nothing else happens: no output changes.
G80_INLINE bool AddressUnit::only_counts() const {
  const AccessProgress& progress = q_.off_chip_progress;
  return only_oldest_waits_ && progress.waits && progress.wait != 0 && !off_chip_.faulted(0) &&
         !dispatch_i.read().valid && !load_freed_i.read().valid && !start_i.read().valid && !fill_i.read().valid &&
         !stack_i.read().valid && !smem_stored_i.read();
}

void AddressUnit::next() {
  counts_ = only_counts();
  if (counts_) {
    --d_.off_chip_progress.wait;
    return;
  }
  if (open_->valid) open_.reset();
  if (lanes_->valid) lanes_.drop();
  if (increment_->valid) increment_.drop();
  if (done_->valid) done_.reset();
  d_.freed = 0;
  d_.answered = 0;
  d_.receives_on_chip = d_.receives_off_chip = false;
  if (smem_->valid && smem_ready_i.read()) smem_.drop();
  if (constant_->valid && const_ready_i.read()) constant_.drop();
  if (const LoadFreed& freed = load_freed_i.read(); freed.valid) d_.loads &= ~(std::uint64_t{1} << freed.id);
  if (const WarpStart& start = start_i.read(); start.valid) start_warp(start);
  receive();
  if (const AddressDispatch& dispatch = dispatch_i.read(); dispatch.valid) accept(dispatch);
  if (q_.fill_ready && fill_i.read().valid) head_.push(fill_i.read());
  report_shared_store();
  send_head();
  work_on_chip();
  const bool no_room = !off_chip_.empty() && waits_for_room();
  work_off_chip();
  if (q_.stack_ready && stack_i.read().valid) stack_.push(stack_i.read());
  d_.stack_ready = !stack_.full();
  d_.fill_ready = !head_.full();
  d_.busy = !off_chip_.empty() || !stack_.empty() || !access_o->all_free() || !tex_o->all_free();
  const bool came = dispatch_i.read().valid || load_freed_i.read().valid || d_.receives_on_chip || d_.receives_off_chip;
  const bool quiet = on_chip_.empty() && sent_stores_.empty() && !smem_stored_i.read() && !smem_->valid &&
                     !constant_->valid && stack_.empty() && head_.empty();
  const bool shows =
      open_->valid || lanes_->valid || increment_->valid || done_->valid || d_.freed != 0 || d_.answered != 0;
  const bool only_oldest = !came && quiet && !shows;
  only_oldest_waits_ = only_oldest && !no_room && !d_.stack_went;  // so the place that it has seen stays free
  if (only_oldest && (off_chip_.empty() || no_room)) sleep();
}

/// The oldest access finds no place behind the unit. Its queue wakes the unit.
bool AddressUnit::waits_for_room() const {
  if (off_chip_.faulted(0)) return false;
  return is_texture(off_chip_.front()) ? !tex_o->can_push() : !access_o->can_push();
}

void AddressUnit::drive() {
  if (counts_) return;
  smem_.drive(smem_o);
  constant_.drive(const_o);
  open_.drive(open_o);
  lanes_.drive(lanes_o);
  increment_.drive(increment_o);
  done_.drive(done_o);
  freed_o.write(q_.freed);
  answered_o.write(q_.answered);
  credit_o.write(q_.credit);
  fault_.drive(fault_o);
  stack_ready_o.write(q_.stack_ready);
  fill_ready_o.write(q_.fill_ready);
  busy_o.write(q_.busy);
}

}  // namespace g80

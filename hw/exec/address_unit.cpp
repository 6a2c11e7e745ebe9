// SPDX-License-Identifier: Apache-2.0
#include "hw/exec/address_unit.h"

#include "hw/isa/field_codec.h"

namespace g80 {

using isa::MemType;
using isa::Op;
using isa::OperandKind;

namespace {

bool stores_to_shared(Op op) { return op == Op::kStShared || op == Op::kStSharedUnlock; }

}  // namespace

void lane_addresses(const isa::Operand& operand, const isa::Instruction& insn, const AddressLanes& lanes,
                    std::uint32_t* out) {
  if (operand.kind == OperandKind::kReg) {
    std::copy(lanes.base.begin(), lanes.base.end(), out);  // g[]: the register is the address
    return;
  }
  // With both an s[] and a c[] operand, the address register belongs to s[].
  const bool has_shared = insn.src[0].kind == OperandKind::kShared;
  const bool indexed = insn.addr_reg != 0 && (operand.kind != OperandKind::kConst || !has_shared);
  const std::uint32_t offset = insn.post_increment && indexed ? 0 : operand.offset;
  for (unsigned l = 0; l < kHalfWarp; ++l) out[l] = ((indexed ? lanes.addr[l] : 0) + offset) & 0xffffu;
}

AddressUnit::AddressUnit(const sc_core::sc_module_name& name, const Config& config, unsigned sm_id, unsigned sm_in_tpc)
    : Clocked(name),
      sm_id_(static_cast<std::uint8_t>(sm_id)),
      sm_in_tpc_(static_cast<std::uint8_t>(sm_in_tpc)),
      load_entries_(config.sm.load_table_entries),
      max_warps_(config.sm.max_warps) {
  reset();
}

void AddressUnit::reset() {
  on_chip_.clear();
  off_chip_.clear();
  stack_.clear();
  head_.clear();
  sent_stores_.clear();
  receiver_ = Receiver::kNone;
  stores_sent_ = stores_performed_ = 0;
  free_loads_ = load_entries_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << load_entries_) - 1;
}

Origin AddressUnit::origin(const Job& job) const {
  return {job.dispatch.tag, sm_id_, job.dispatch.warp, job.dispatch.fetched.pc};
}

bool AddressUnit::check(const Job& job, unsigned half, HalfMask bad, FaultKind kind) {
  if (bad == 0) return true;
  if (!d_.fault.valid) {
    const unsigned lane = kHalfWarp * half + static_cast<unsigned>(__builtin_ctz(bad));
    d_.fault = {};
    d_.fault.valid = true;
    d_.fault.kind = kind;
    d_.fault.lane = static_cast<std::uint8_t>(lane);
    d_.fault.address = job.address[lane];
    d_.fault.words[0] = job.dispatch.fetched.w0();
    d_.fault.words[1] = job.dispatch.fetched.w1();
    d_.fault.origin = origin(job);
  }
  return false;
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

// What is the same in all lanes of a new job.
void AddressUnit::prepare(Job& job) {
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  job.lanes = job.dispatch.lanes;
  job.num_parts = 2;
  if (job.dispatch.fetched.decoded().unit == isa::Unit::kTexture) return;
  const isa::Operand& operand = memory_operand(job.dispatch);
  job.kind = operand.kind;
  job.sign_extend = operand.type == MemType::kS16 || operand.type == MemType::kS8;
  const bool own_type = job.kind != OperandKind::kReg && job.kind != OperandKind::kLocal;
  const unsigned bytes = element_bytes(own_type ? operand.type : insn.mem_type);
  job.bytes = static_cast<std::uint8_t>(bytes);
  if (job.kind == OperandKind::kLocal && bytes > 4) {
    job.num_parts = static_cast<std::uint8_t>(2 * local_accesses(bytes));
    job.bytes = 4;
  }
}

// The new $a goes to the register file at once: whoever issued before this instruction has read the old one, and
// whoever needs the new one waits until the instruction is released.
void AddressUnit::increment(const Job& job, unsigned half, const PortWords& addr) {
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  AddrIncrement& out = d_.increment;
  out.valid = true;
  out.warp = job.dispatch.warp;
  out.index = insn.addr_reg;
  out.half = static_cast<std::uint8_t>(half);
  out.lanes = static_cast<HalfMask>(job.dispatch.lanes >> (kHalfWarp * half));
  for (unsigned l = 0; l < kHalfWarp; ++l)
    out.value[l] = static_cast<std::uint16_t>(addr[l] + static_cast<std::uint32_t>(insn.increment));
  if (reports_ == nullptr) return;
  std::copy(out.value.begin(), out.value.end(), &reports_->incremented(out.warp, out.index)[kHalfWarp * half]);
}

// Takes the operands of a half-warp, forms its addresses and checks them. False if a lane faults.
bool AddressUnit::take(Job& job, unsigned half, const AddressLanes& lanes) {
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  job.arrived = static_cast<std::uint8_t>(job.arrived | 1u << half);
  for (unsigned i = 0; i < 4; ++i)
    std::copy(lanes.data[i].begin(), lanes.data[i].end(), &job.data[i][kHalfWarp * half]);
  if (job.dispatch.fetched.decoded().unit == isa::Unit::kTexture) return true;
  if (insn.post_increment && insn.addr_reg != 0) increment(job, half, lanes.addr);
  std::uint32_t* const addresses = &job.address[kHalfWarp * half];
  const isa::Operand& operand = memory_operand(job.dispatch);
  lane_addresses(operand, insn, lanes, addresses);

  const LaunchState& launch = launch_i.read();
  const WarpPlace& place = places_[job.dispatch.warp];
  const bool own_type = job.kind != OperandKind::kReg && job.kind != OperandKind::kLocal;
  const unsigned bytes = element_bytes(own_type ? operand.type : insn.mem_type);
  unsigned misaligned = 0, outside = 0, no_data = 0;
  std::uint32_t limit = 0;
  const GlobalSpace* space = nullptr;
  const ConstBankBinding* bank = nullptr;
  switch (job.kind) {
    case OperandKind::kShared: limit = place.shared_limit; break;
    case OperandKind::kLocal: limit = launch.local_bytes; break;
    case OperandKind::kConst: bank = &launch.const_bank[operand.bank]; break;
    default: space = &launch.global[insn.space]; break;
  }
  for (unsigned rest = job.dispatch.lanes >> (kHalfWarp * half) & 0xffffu; rest != 0; rest &= rest - 1) {
    const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
    const unsigned bit = 1u << l;
    const std::uint32_t address = addresses[l];
    if (address % bytes != 0) misaligned |= bit;
    if (bank != nullptr) {
      if (!bank->valid || address + bytes > bank->bytes) no_data |= bit;
    } else if (space != nullptr) {
      if (!space->enabled || address > space->limit || space->limit - address < bytes - 1) outside |= bit;
    } else if (address + bytes > limit) {
      outside |= bit;
    }
  }
  const FaultKind outside_kind = space != nullptr                  ? FaultKind::kGlobalLimit
                                 : job.kind == OperandKind::kLocal ? FaultKind::kLocalLimit
                                                                   : FaultKind::kSharedLimit;
  // The fault names the lowest lane with a bad address, and what is wrong there.
  const unsigned bad = misaligned | outside;
  if (!check(job, half, static_cast<HalfMask>(bad),
             (misaligned & bad & (~bad + 1)) != 0 ? FaultKind::kMisalignedAddress : outside_kind))
    return false;

  for (unsigned l = 0; l < kHalfWarp; ++l) {
    switch (job.kind) {
      case OperandKind::kShared: addresses[l] += place.shared_base; break;
      case OperandKind::kConst: addresses[l] += bank->address; break;
      case OperandKind::kLocal:
        addresses[l] = local_address(launch, place.chip_warp, kHalfWarp * half + l, addresses[l]);
        break;
      default: addresses[l] += space->base; break;
    }
  }
  job.lanes &= ~(LaneMask{no_data} << (kHalfWarp * half));  // c[] outside its bank reads 0
  return true;
}

// Takes a new job. Operands of its first half-warp with lanes are on the port; without operands nothing is to come.
void AddressUnit::accept(const AddressDispatch& dispatch) {
  static const AddressLanes none{};
  const bool low = (dispatch.lanes & 0xffffu) != 0, high = dispatch.lanes >> kHalfWarp != 0;
  Job job;
  job.dispatch = dispatch;
  prepare(job);
  // A fault: the instruction never completes.
  if (!dispatch.operands) {
    if (!take(job, 0, none) || !take(job, 1, none)) return;
  } else if (low || high) {
    if (!take(job, low ? 0 : 1, operands_i.read())) return;
  }
  const bool on_chip = job.kind == OperandKind::kShared || job.kind == OperandKind::kConst;
  accesses_ += !on_chip;
  (on_chip ? on_chip_ : off_chip_).push(job);
  if (dispatch.operands && low && high) receiver_ = on_chip ? Receiver::kOnChip : Receiver::kOffChip;
}

// Takes the second half-warp of the newest job with operands.
void AddressUnit::receive() {
  if (receiver_ == Receiver::kNone) return;
  Queue& queue = receiver_ == Receiver::kOnChip ? on_chip_ : off_chip_;
  CHECK(!queue.empty(), "{}: operands of a second half-warp came for no access", name());
  Job& job = queue.at(queue.size() - 1);
  job.faulted = !take(job, 1, operands_i.read());
  receiver_ = Receiver::kNone;
}

bool AddressUnit::send_shared(const Job& job, unsigned half) {
  if (d_.smem.valid) return false;
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  SmemRequest& out = d_.smem;
  out = {};
  out.valid = true;
  out.write = stores_to_shared(insn.op);
  out.lock = insn.op == Op::kLdSharedLock || insn.op == Op::kStSharedUnlock;
  out.warp = job.dispatch.warp;
  out.unit = job.dispatch.unit;
  out.half = static_cast<std::uint8_t>(half);
  out.bytes = job.bytes;
  out.sign_extend = job.sign_extend;
  out.lanes = static_cast<HalfMask>(job.lanes >> (kHalfWarp * half));
  out.origin = origin(job);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    out.address[l] = static_cast<std::uint16_t>(job.address[half * kHalfWarp + l]);
    out.data[l] = out.write ? job.data[0][half * kHalfWarp + l] : 0;
  }
  return true;
}

// The lanes of a half-warp, or all if the address stands in the instruction. Where none lies in its bank, the answer
// is 0.
bool AddressUnit::send_constant(const Job& job, unsigned half) {
  const bool direct = !job.dispatch.operands;
  const LaneMask lanes = direct ? job.lanes : job.lanes & 0xffffu << (kHalfWarp * half);
  if (lanes == 0) {
    d_.answered |= WarpMask{1} << job.dispatch.unit;
    return true;
  }
  if (d_.constant.valid) return false;
  ConstRequest& out = d_.constant;
  out = {};
  out.valid = true;
  out.id = job.dispatch.unit;
  out.warp = job.dispatch.warp;
  out.bytes = job.bytes;
  out.direct = direct;
  out.lanes = lanes;
  out.origin = origin(job);
  std::copy_n(&job.address[kHalfWarp * half], direct ? 1 : kHalfWarp, out.address.begin());
  return true;
}

bool AddressUnit::send_access(const Job& job, unsigned half, unsigned word) {
  if (!access_o->can_push()) return false;
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
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
  out.lanes = static_cast<HalfMask>(job.lanes >> (kHalfWarp * half));
  out.bytes = job.bytes;
  out.atom_op = static_cast<std::uint8_t>(insn.atom_op);
  out.atom_signed = insn.mem_type == MemType::kS32;
  out.id = static_cast<std::uint8_t>(job.load_id | word << 6);
  out.origin = origin(job);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    const unsigned lane = half * kHalfWarp + l;
    out.address[l] = job.address[lane] + word * 4 * kWarpSize;
    if (out.op == MemOp::kRead) continue;
    if (out.client == MemClient::kLocal) {
      out.data[l][0] = job.data[word][lane];
    } else {
      for (unsigned i = 0; i < 4; ++i) out.data[l][i] = job.data[i][lane];
    }
  }
  access_o->push(out);
  if (reports_ != nullptr && out.client == MemClient::kGlobal) {
    SmReport::Access& entry = reports_->at(edge()).access.add();
    entry = {job.dispatch.tag, out.half, out.lanes, out.address, {}};
    for (unsigned l = 0; l < kHalfWarp; ++l) entry.data[l] = out.data[l][0];
  }
  return true;
}

// Sends the oldest words of the head of a new block.
void AddressUnit::send_head() {
  if (head_.empty() || d_.smem.valid) return;
  const SmemFill& fill = head_.front();
  CHECK(fill.count <= kHalfWarp, "{}: {} words of a block's head come at once", name(), fill.count);
  SmemRequest& out = d_.smem;
  out = {};
  out.valid = out.write = out.header = true;
  out.lanes = static_cast<HalfMask>((1u << fill.count) - 1);
  for (unsigned l = 0; l < fill.count; ++l) {
    out.address[l] = static_cast<std::uint16_t>(4 * (fill.first + l));
    out.data[l] = fill.data[l];
  }
  ++stores_sent_;
  head_.pop();
}

// Sends the oldest access to a control stack.
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
}

bool AddressUnit::send_texture(const Job& job, unsigned half) {
  if (!tex_o->can_push()) return false;
  const isa::Instruction& insn = job.dispatch.fetched.decoded().insn;
  TexRequest out;
  out.valid = true;
  out.op = insn.op == Op::kTexFetch ? TexOp::kFetch : insn.op == Op::kTexSize ? TexOp::kSize : TexOp::kSample;
  out.sm_in_tpc = sm_in_tpc_;
  out.half = static_cast<std::uint8_t>(half);
  out.lanes = static_cast<HalfMask>(job.lanes >> (kHalfWarp * half));
  out.id = job.load_id;
  out.texture = insn.tex;
  out.sampler = insn.sampler;
  out.num_coords = insn.tex_sources;
  out.offset = {insn.tex_offset[0], insn.tex_offset[1], insn.tex_offset[2]};
  out.origin = origin(job);
  for (unsigned l = 0; l < kHalfWarp; ++l) {
    for (unsigned i = 0; i < 4; ++i) {
      out.coord[l][i] = i < insn.tex_sources ? job.data[i][half * kHalfWarp + l] : 0;
    }
  }
  tex_o->push(out);
  return true;
}

void AddressUnit::open_load(Job& job) {
  CHECK(free_loads_ != 0, "{}: a load needs a load_table entry, but none is free", name());
  job.load_id = static_cast<std::uint8_t>(__builtin_ctzll(free_loads_));
  free_loads_ &= free_loads_ - 1;
  job.opened = true;
  d_.open = {};
  d_.open.valid = true;
  d_.open.id = job.load_id;
  d_.open.warp = job.dispatch.warp;
  d_.open.fetched = job.dispatch.fetched;
  d_.open.tag = job.dispatch.tag;
  d_.open.lanes = job.lanes;
}

// Enters the lanes of a half-warp in the load_table: where each finds its bytes, and its new $a.
void AddressUnit::enter_lanes(Job& job, unsigned half) {
  job.entered = static_cast<std::uint8_t>(job.entered | 1u << half);
  d_.lanes.valid = true;
  d_.lanes.id = job.load_id;
  d_.lanes.half = static_cast<std::uint8_t>(half);
  for (unsigned l = 0; l < kHalfWarp; ++l)
    d_.lanes.offset[l] = static_cast<std::uint8_t>(job.address[kHalfWarp * half + l] % kMaxTransactionBytes);
}

// Frees the collector unit of a memory instruction whose requests have all been sent, and returns its credit.
void AddressUnit::release(const Job& job) {
  d_.freed |= WarpMask{1} << job.dispatch.unit;
  ++d_.credit.memory;
}

StoreDone AddressUnit::store_done(const Job& job) {
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
  if (smem_stored_i.read()) ++stores_performed_;
  if (sent_stores_.empty() || static_cast<std::int32_t>(sent_stores_.front().after - stores_performed_) > 0) return;
  d_.done = sent_stores_.front().done;
  sent_stores_.pop();
}

void AddressUnit::work_on_chip() {
  if (on_chip_.empty()) return;
  Job& job = on_chip_.front();
  if (job.faulted) {
    on_chip_.pop();
    return;
  }
  const bool constant = job.kind == OperandKind::kConst;
  const bool is_store = stores_to_shared(job.dispatch.fetched.decoded().insn.op);
  if (is_store && sent_stores_.full()) return;
  while (job.next_part < job.num_parts) {
    const unsigned half = job.next_part;
    if ((job.dispatch.lanes >> (kHalfWarp * half) & 0xffffu) == 0) {
      ++job.next_part;
      continue;
    }
    if ((job.arrived >> half & 1) == 0) return;
    if (constant ? !send_constant(job, half) : !send_shared(job, half)) return;
    stores_sent_ += is_store;
    ++job.next_part;
    break;
  }
  const bool direct = constant && !job.dispatch.operands;  // one request for all lanes
  const bool rest = !direct && job.next_part == 1 && (job.dispatch.lanes >> kHalfWarp) != 0;
  if (rest) return;
  if (is_store) {
    release(job);
    sent_stores_.push({store_done(job), stores_sent_});
  }
  on_chip_.pop();
}

void AddressUnit::work_off_chip() {
  if (!stack_.empty()) {
    send_stack();
    return;
  }
  if (off_chip_.empty()) return;
  Job& job = off_chip_.front();
  if (job.faulted) {
    off_chip_.pop();
    return;
  }
  const DecodedInstruction& decoded = job.dispatch.fetched.decoded();
  if (decoded.uses_load_table && !job.opened) open_load(job);
  while (job.next_part < job.num_parts) {
    const unsigned half = job.next_part % 2, word = job.next_part / 2;
    if ((job.lanes >> (kHalfWarp * half) & 0xffffu) == 0) {
      ++job.next_part;
      continue;
    }
    if ((job.arrived >> half & 1) == 0) return;
    if (decoded.uses_load_table && (job.entered >> half & 1) == 0) enter_lanes(job, half);
    const bool sent = decoded.unit == isa::Unit::kTexture ? send_texture(job, half) : send_access(job, half, word);
    if (!sent) return;
    ++job.next_part;
    break;
  }
  // The job stays if a later part still has active lanes.
  for (unsigned part = job.next_part; part < job.num_parts; ++part) {
    if ((job.lanes >> (kHalfWarp * (part % 2)) & 0xffffu) != 0) return;
  }
  if (!decoded.uses_load_table && d_.done.valid) return;
  release(job);
  if (!decoded.uses_load_table) d_.done = store_done(job);
  off_chip_.pop();
}

void AddressUnit::next() {
  d_.open = {};
  d_.lanes.valid = d_.increment.valid = false;
  d_.done = {};
  d_.freed = 0;
  d_.answered = 0;
  if (q_.smem.valid && smem_ready_i.read()) d_.smem.valid = false;
  if (q_.constant.valid && const_ready_i.read()) d_.constant.valid = false;
  if (const LoadFreed& freed = load_freed_i.read(); freed.valid) free_loads_ |= std::uint64_t{1} << freed.id;
  if (const WarpStart& start = start_i.read(); start.valid) {
    places_[start.warp] = {start.shared_base, start.shared_bytes, sm_id_ * max_warps_ + start.warp};
  }
  receive();
  if (const AddressDispatch& dispatch = dispatch_i.read(); dispatch.valid) accept(dispatch);
  if (q_.fill_ready && fill_i.read().valid) head_.push(fill_i.read());
  report_shared_store();
  send_head();
  work_on_chip();
  work_off_chip();
  if (q_.stack_ready && stack_i.read().valid) stack_.push(stack_i.read());
  d_.stack_ready = !stack_.full();
  d_.fill_ready = !head_.full();
  d_.busy = !off_chip_.empty() || !stack_.empty() || !access_o->all_free() || !tex_o->all_free();
  const bool quiet = on_chip_.empty() && sent_stores_.empty() && !smem_stored_i.read() && off_chip_.empty() &&
                     !d_.smem.valid && !d_.constant.valid && stack_.empty() && head_.empty();
  if (quiet && !d_.open.valid && !d_.lanes.valid && !d_.increment.valid && !d_.done.valid && d_.freed == 0 &&
      d_.answered == 0 && !load_freed_i.read().valid)
    sleep();
}

void AddressUnit::drive() {
  smem_o.write(q_.smem);
  const_o.write(q_.constant);
  open_o.write(q_.open);
  if (q_.lanes.valid || lanes_o.read().valid) lanes_o.write(q_.lanes);
  if (q_.increment.valid || increment_o.read().valid) increment_o.write(q_.increment);
  done_o.write(q_.done);
  freed_o.write(q_.freed);
  answered_o.write(q_.answered);
  credit_o.write(q_.credit);
  fault_o.write(q_.fault);
  stack_ready_o.write(q_.stack_ready);
  fill_ready_o.write(q_.fill_ready);
  busy_o.write(q_.busy);
}

}  // namespace g80

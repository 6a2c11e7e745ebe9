// SPDX-License-Identifier: Apache-2.0
#include "hw/sm/load_table.h"

#include "hw/bundles/launch_state.h"
#include "hw/common/delay_registers.h"
#include "hw/common/set_bits.h"
#include "hw/config/pipeline_depth.h"
#include "hw/isa/field_codec.h"

namespace g80 {

using isa::MemType;

LoadTable::LoadTable(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), way_back_(*this, "way_back", 1 + return_extra_cycles(config) / kSchedulerPeriod) {}

void LoadTable::reset() {
  completed_ = {};
  way_back_.clear();
  complete_.clear();
}

void LoadTable::raise(const LoadEntry& entry, LaneMask lanes, std::uint32_t address) {
  if (d_.fault.valid) return;
  const unsigned lane = lanes != 0 ? static_cast<unsigned>(__builtin_ctz(lanes)) : 0;
  d_.fault = instruction_fault(FaultKind::kPageNotPresent, lane, entry.fetched,
                               {entry.tag, 0, entry.warp, entry.fetched.pc}, address);
}

// `lanes` have got a word. True if no lane of the load waits any longer.
bool LoadTable::completes(unsigned id, unsigned word, LaneMask lanes) {
  std::array<LaneMask, 4>& pending = pending_[id];
  CHECK(is_open(id) && (pending[word] & lanes) == lanes,
        "{}: entry {} received data for lanes {:08x}, which do not wait", name(), id, lanes);
  pending[word] &= ~lanes;
  return (pending[0] | pending[1] | pending[2] | pending[3]) == 0;
}

// Writes the bytes of a reply to the lanes that wait for them.
void LoadTable::take(const MemReply& reply) {
  const unsigned id = reply.id % kMaxLoads, word = reply.id / kMaxLoads;
  LoadEntry& entry = entries_[id];
  const LaneMask lanes = LaneMask{reply.lanes} << (kHalfWarp * reply.half);
  if (reply.fault != MemFault::kNone) {
    // A store or control-stack access has no entry; the reply names it.
    if (reply.op == MemOp::kWrite || reply.op == MemOp::kReduce || reply.client == MemClient::kStack) {
      LoadEntry store;
      store.warp = reply.origin.warp;
      store.tag = reply.origin.tag;
      store.fetched.pc = reply.origin.pc;
      raise(store, lanes, reply.virtual_address);
    } else {
      CHECK(lanes != 0 && reply.bytes != 0, "{}: a fault for entry {} names no lane", name(), id);
      raise(entry, lanes,
            reply.virtual_address | (entry.offset[static_cast<unsigned>(__builtin_ctz(lanes))] & (reply.bytes - 1u)));
    }
    return;
  }
  if (reply.client == MemClient::kStack) {
    const unsigned at = stack_id_place(reply.id) * kStackEntryBytes / 4;
    d_.stack = {true, stack_id_warp(reply.id), stack_entry(reply.data[at], reply.data[at + 1])};
    return;
  }
  CHECK(is_open(id), "{}: entry {} was given lanes {:08x}, it was never opened", name(), id, lanes);
  const isa::Instruction& insn = entry.fetched.decoded().insn;
  const MemType type = insn.mem_type;
  const unsigned bytes = reply.client == MemClient::kLocal ? std::min(4u, element_bytes(type)) : element_bytes(type);
  CHECK(reply.bytes <= kMaxTransactionBytes && word + bytes / 4 <= entry.data.size(),
        "{}: entry {} received {} bytes for word {}, which do not fit", name(), id, reply.bytes, word);
  const bool one_word = bytes == 4 && reply.op != MemOp::kAtomic;  // the usual case
  for (const unsigned l : set_bits(lanes)) {
    if (reply.op == MemOp::kAtomic) {
      for (unsigned i = 0; i < bytes / 4; ++i) entry.data[i][l] = reply.data[i];
      continue;
    }
    const unsigned at = entry.offset[l] & (reply.bytes - 1u);
    CHECK(at + bytes <= kMaxTransactionBytes, "{}: entry {}, lane {} reads {} bytes at offset {} of a reply of {}",
          name(), id, l, bytes, at, reply.bytes);
    if (one_word) {
      entry.data[word][l] = reply.data[at / 4];
      continue;
    }
    const std::uint32_t value = reply.data[at / 4] >> (at % 4 * 8);
    switch (type) {
      case MemType::kU8: entry.data[0][l] = value & 0xff; break;
      case MemType::kS8: entry.data[0][l] = static_cast<std::uint32_t>(static_cast<std::int8_t>(value)); break;
      case MemType::kU16: entry.data[0][l] = value & 0xffff; break;
      case MemType::kS16: entry.data[0][l] = static_cast<std::uint32_t>(static_cast<std::int16_t>(value)); break;
      default:
        for (unsigned i = 0; i < bytes / 4; ++i) entry.data[word + i][l] = reply.data[at / 4 + i];
        break;
    }
  }
  completed_.memory = completes(id, word, lanes);
  if (completed_.memory) completed_.memory_id = static_cast<std::uint8_t>(id);
}

void LoadTable::take(const TexReply& reply) {
  const unsigned id = reply.id % kMaxLoads;
  LoadEntry& entry = entries_[id];
  const LaneMask lanes = LaneMask{reply.lanes} << (kHalfWarp * reply.half);
  if (reply.fault != MemFault::kNone) {
    raise(entry, lanes, reply.fault_address);
    return;
  }
  CHECK(is_open(id), "{}: entry {} was given lanes {:08x}, it was never opened", name(), id, lanes);
  unsigned at = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if ((entry.fetched.decoded().insn.tex_mask >> component & 1) == 0) continue;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      if ((reply.lanes >> l & 1) != 0) entry.data[at][reply.half * kHalfWarp + l] = reply.texel[l][component];
    }
    ++at;
  }
  completed_.texture = completes(id, 0, lanes);
  if (completed_.texture) completed_.texture_id = static_cast<std::uint8_t>(id);
}

void LoadTable::next() {
  d_.freed = {};
  d_.stack = {};
  if (const LoadOpen& open = open_i.read(); open.valid) {
    LoadEntry& entry = entries_[open.id];
    CHECK(!is_open(open.id), "{}: entry {} was opened twice", name(), open.id);
    entry.warp = open.warp;
    entry.fetched = open.fetched;
    entry.tag = open.tag;
    entry.lanes = open.lanes;
    const bool wide_local = open.fetched.decoded().insn.op == isa::Op::kLdLocal;
    const unsigned words = wide_local ? local_accesses(element_bytes(open.fetched.decoded().insn.mem_type)) : 1;
    pending_[open.id] = {};
    for (unsigned i = 0; i < words; ++i) pending_[open.id][i] = open.lanes;
    d_.occupied |= std::uint64_t{1} << open.id;
    if (open.lanes == 0) complete_.push(open.id);
  }
  if (const LoadLanes& lanes = lanes_i.read(); lanes.valid) {
    CHECK(lanes.id < kMaxLoads && is_open(lanes.id), "{}: lanes came for entry {}, which is not open", name(),
          lanes.id);
    LoadEntry& entry = entries_[lanes.id];
    std::copy(lanes.offset.begin(), lanes.offset.end(), &entry.offset[kHalfWarp * lanes.half]);
  }
  completed_ = {};
  const bool replied = reply_i->available(), sampled = tex_i->available();
  if (replied) {
    take(reply_i->front());
    reply_i->pop();
  }
  if (sampled) {
    take(tex_i->front());
    tex_i->pop();
  }
  completed_.valid = completed_.memory || completed_.texture;
  const Completed arrived = way_back_.shift(completed_);
  if (arrived.valid && arrived.memory) complete_.push(arrived.memory_id);
  if (arrived.valid && arrived.texture) complete_.push(arrived.texture_id);
  if (!d_.leaving && !complete_.empty()) {
    CHECK(complete_.front() < kMaxLoads, "{}: entry {} is complete, but there are {}", name(), complete_.front(),
          kMaxLoads);
    d_.leaving = true;
    d_.result = complete_.front();
    d_.part = 0;
    complete_.pop();
  }
  d_.shows = false;
  if (d_.leaving) send_part();
  if (complete_.empty() && !d_.leaving && !d_.shows && way_back_.empty() && !replied && !sampled &&
      !open_i.read().valid && !lanes_i.read().valid && !d_.freed.valid && !d_.stack.valid)
    sleep();
}

// The next half register, if writeback has room for the whole one. The last one frees the entry.
void LoadTable::send_part() {
  const unsigned half = d_.part % 2;
  if (half == 0 && static_cast<std::uint8_t>(d_.rows - rows_written_i.read()) >= kLoadRows) return;
  const unsigned registers = entries_[d_.result].fetched.decoded().writes.registers.count();
  CHECK(registers <= 4, "{}: entry {} writes {} registers", name(), d_.result, registers);
  d_.rows = static_cast<std::uint8_t>(d_.rows + (half == 0));
  d_.shows = true;
  d_.leaving = half == 0 || d_.part + 1u < 2 * registers;
  d_.part = (d_.part + 1u) % 8;
  if (d_.leaving) return;
  d_.occupied &= ~(std::uint64_t{1} << d_.result);
  d_.freed = {true, d_.result};
  ++d_.credit.load;
}

void LoadTable::drive() {
  if (q_.shows) {
    CHECK(q_.result < kMaxLoads, "{}: entry {} leaves, but there are {}", name(), q_.result, kMaxLoads);
    const unsigned shown = (q_.part + 7u) % 8;
    const LoadEntry& entry = entries_[q_.result];
    LoadResult out;
    out.valid = true;
    out.id = q_.result;
    out.warp = entry.warp;
    out.fetched = entry.fetched;
    out.tag = entry.tag;
    out.word = static_cast<std::uint8_t>(shown / 2);
    out.half = static_cast<std::uint8_t>(shown % 2);
    out.lanes = static_cast<HalfMask>(entry.lanes >> (kHalfWarp * out.half));
    out.last = !q_.leaving;
    // Only lanes of the load have data, and only if it writes a register.
    if (!entry.fetched.decoded().writes.registers.empty()) {
      for (const unsigned l : set_bits(out.lanes)) out.data[l] = entry.data[out.word][kHalfWarp * out.half + l];
    }
    result_o.write(out);
  } else if (result_o.read().valid) {
    result_o.write({});
  }
  freed_o.write(q_.freed);
  stack_o.write(q_.stack);
  credit_o.write(q_.credit);
  fault_o.write(q_.fault);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// load_table and a twin of it side by side: loads of every kind, whose replies come in pieces and in any order.
#pragma once
#include <algorithm>

#include "hw/isa/field_codec.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/load_table.h"
#include "tests/twins/pair.h"

namespace g80::testing {

struct WatchedLoadTable final : LoadTable {
  using LoadTable::LoadTable;
  unsigned complete() const { return complete_.size(); }
};

class LoadTablePair final : public Pair<LoadTable, WatchedLoadTable> {
 public:
  LoadTablePair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(2500);  // over the edges in reset, in which nothing is taken
  }
  std::string configuration() const { return fmt::format("return latency {}", config_.sm.return_latency); }

 private:
  /// A load as this test knows it: for each half-warp whose lanes it has sent the lanes that wait for each word.
  struct Load {
    bool open = false, texture = false;
    FetchedInstruction fetched;
    unsigned words = 1, next_half = 0;  // separate words; half-warps sent
    LaneMask lanes = 0;
    std::array<LaneMask, 4> pending{};
  };

  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.return_latency = 12 + 2 * (random() % (random() % 4 != 0 ? 4 : 122));
    return config;
  }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }

  void reset() override {
    Pair::reset();
    open_.write({});
    lanes_.write({});
    rows_written_.write(0);
    loads_ = {};
    resets_ = false;
  }
  bool is_reset_now() override {
    if (rarely(600)) resets_ = true;
    return resets_ && queue(block_.reply_i).size() == 0 && queue(block_.tex_i).size() == 0;
  }
  void stimulate() override {
    send();
    note_inputs();
  }
  void send() {
    if (rarely(150)) opens_ = random_() % 5, answers_ = random_() % 5, writes_ = random_() % 5;
    if (rarely(700)) opens_ = 4, answers_ = rarely(2) ? 4 : 0, writes_ = rarely(2) ? 4 : 0;
    const auto rows = static_cast<std::uint8_t>(block_.registers().rows - rows_written_.read());
    if (rows != 0 && often(writes_))
      rows_written_.write(static_cast<std::uint8_t>(rows_written_.read() + 1 + random_() % rows));
    lanes_.write(random_half());
    open_.write(often(opens_) ? random_open() : LoadOpen{});
    if (resets_) return;
    // Both sides take what comes at the same edge, or the comparison has ended.
    if (queue(block_.reply_i).can_push() && queue(twin_.reply_i).can_push() && often(answers_)) {
      if (const std::optional<MemReply> reply = random_reply()) {
        queue(block_.reply_i).push(*reply);
        queue(twin_.reply_i).push(*reply);
      }
    }
    if (queue(block_.tex_i).can_push() && queue(twin_.tex_i).can_push() && often(answers_)) {
      if (const std::optional<TexReply> reply = random_texels()) {
        queue(block_.tex_i).push(*reply);
        queue(twin_.tex_i).push(*reply);
      }
    }
  }
  FetchedInstruction random_load() {
    static const std::vector<isa::Row> rows = [] {
      std::vector<isa::Row> of_loads;
      for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
        FetchedInstruction insn;
        insn.words = row.match;
        if (!row.graphics && insn.decoded().uses_load_table) of_loads.push_back(row);
      }
      return of_loads;
    }();
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      const std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
      FetchedInstruction insn;
      insn.words = ((bits & ~std::uint64_t{0x1f0}) & ~row.mask) | row.match;
      insn.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
      const DecodedInstruction& decoded = insn.decoded();
      if (decoded.error == isa::DecodeError::kNone && decoded.uses_load_table &&
          decoded.insn.dst.index <= kMaxRegistersPerThread - 4)
        return insn;
    }
  }
  LoadOpen random_open() {
    LoadOpen open;
    open.id = static_cast<std::uint8_t>(random_() % kMaxLoads);
    if (loads_[open.id].open) return open;
    open.valid = true;
    open.warp = static_cast<std::uint8_t>(random_() % kMaxWarps);
    open.fetched = random_load();
    open.tag.bits = static_cast<std::uint32_t>(random_());
    open.lanes = random_lanes(random_) | LaneMask{random_lanes(random_)} << kHalfWarp;
    const DecodedInstruction& decoded = open.fetched.decoded();
    Load& load = loads_[open.id];
    load = {};
    load.open = true;
    load.texture = decoded.unit == isa::Unit::kTexture;
    load.fetched = open.fetched;
    load.lanes = open.lanes;
    if (decoded.insn.op == isa::Op::kLdLocal) load.words = std::max(1u, isa::element_bytes(decoded.insn.mem_type) / 4);
    if (open.lanes == 0) ++cases_["load without lanes"];
    if (decoded.writes.registers.empty()) ++cases_["load without a register"];
    if (load.words > 1) ++cases_[fmt::format("{} words, one by one", load.words)];
    if (load.texture) ++cases_[fmt::format("components {:x}", decoded.insn.tex_mask)];
    return open;
  }
  /// Lanes of the half-warp that comes next.
  static LaneMask half_of(const Load& load) { return load.lanes & (load.next_half == 0 ? 0xffffu : 0xffff0000u); }
  LoadLanes random_half() {
    LoadLanes lanes;
    const unsigned id = random_() % kMaxLoads;
    Load& load = loads_[id];
    while (load.next_half < 2 && half_of(load) == 0) ++load.next_half;
    if (!load.open || load.next_half == 2) return lanes;
    lanes.valid = true;
    lanes.id = static_cast<std::uint8_t>(id);
    lanes.half = static_cast<std::uint8_t>(load.next_half);
    const unsigned bytes = isa::element_bytes(load.fetched.decoded().insn.mem_type);
    for (std::uint8_t& offset : lanes.offset) offset = static_cast<std::uint8_t>(random_() % 128 / bytes * bytes);
    sent_ = id;
    return lanes;
  }
  /// A load of which lanes wait, or none. Its lanes came before this cycle.
  Load* waiting(bool texture) {
    for (unsigned tries = 0; tries < 8; ++tries) {
      Load& load = loads_[random_() % kMaxLoads];
      if (load.open && load.texture == texture &&
          (load.pending[0] | load.pending[1] | load.pending[2] | load.pending[3]))
        return &load;
    }
    return nullptr;
  }
  std::uint8_t id_of(const Load& load) const { return static_cast<std::uint8_t>(&load - loads_.data()); }
  /// Of the lanes that wait for a word, some of a half-warp.
  HalfMask take_lanes(Load& load, unsigned word, unsigned half, bool served) {
    const unsigned waiting = load.pending[word] >> (kHalfWarp * half) & 0xffffu;
    unsigned lanes = waiting & static_cast<unsigned>(random_());
    if (lanes == 0 || rarely(3)) lanes = waiting;
    if (served) load.pending[word] &= ~(lanes << (kHalfWarp * half));
    return static_cast<HalfMask>(lanes);
  }
  MemFault random_fault() { return static_cast<MemFault>(1 + random_() % 2); }
  std::optional<MemReply> random_reply() {
    MemReply reply;
    reply.valid = true;
    reply.bytes = static_cast<std::uint8_t>(32u << random_() % 3);
    reply.origin = random_origin(random_);
    reply.origin.warp %= kMaxWarps;
    reply.virtual_address = static_cast<std::uint32_t>(random_()) / 128 * 128;
    for (std::uint32_t& word : reply.data) word = static_cast<std::uint32_t>(random_());
    if (rarely(12)) {  // of a store or a control stack
      reply.client = rarely(2) ? MemClient::kStack : MemClient::kGlobal;
      reply.id = static_cast<std::uint8_t>(random_());
      if (reply.client == MemClient::kGlobal) reply.op = rarely(2) ? MemOp::kWrite : MemOp::kReduce;
      if (reply.client == MemClient::kGlobal || rarely(6)) {
        if (!rarely(4)) return std::nullopt;
        reply.fault = random_fault();
        reply.half = random_() % 2;
        reply.lanes = random_lanes(random_);
        ++cases_[reply.client == MemClient::kStack ? "fault of a control stack" : "fault of a store"];
        return reply;
      }
      reply.lanes = 1;
      for (unsigned i = 1; i < reply.data.size(); i += 2)
        reply.data[i] = (reply.data[i] & 0xf8ffffffu) | static_cast<std::uint32_t>(1 + random_() % 6) << 24;
      ++cases_["entry of a control stack"];
      return reply;
    }
    Load* load = waiting(false);
    if (load == nullptr) return std::nullopt;
    const isa::Instruction& insn = load->fetched.decoded().insn;
    unsigned word = random_() % 4;
    while (load->pending[word] == 0) word = (word + 1) % 4;
    reply.half = (load->pending[word] & 0xffffu) == 0 || (load->pending[word] > 0xffffu && rarely(2)) ? 1 : 0;
    reply.id = static_cast<std::uint8_t>(id_of(*load) + kMaxLoads * word);
    if (insn.op == isa::Op::kLdLocal) reply.client = MemClient::kLocal;
    if (insn.op == isa::Op::kAtom) reply.op = MemOp::kAtomic;
    if (rarely(40)) {
      reply.fault = random_fault();
      ++cases_[insn.op == isa::Op::kAtom ? "fault of an atomic" : "fault of a load"];
      if (block_.registers().fault.valid) ++cases_["fault after the first"];
    }
    reply.lanes = take_lanes(*load, word, reply.half, reply.fault == MemFault::kNone);
    ++cases_[fmt::format("{} of type {}", insn.op == isa::Op::kAtom ? "atomic" : "load",
                         static_cast<unsigned>(insn.mem_type))];
    return reply;
  }
  std::optional<TexReply> random_texels() {
    Load* load = waiting(true);
    if (load == nullptr) return std::nullopt;
    TexReply reply;
    reply.valid = true;
    reply.half = (load->pending[0] & 0xffffu) == 0 || (load->pending[0] > 0xffffu && rarely(2)) ? 1 : 0;
    reply.id = id_of(*load);
    reply.origin = random_origin(random_);
    for (auto& texel : reply.texel) {
      for (std::uint32_t& component : texel) component = static_cast<std::uint32_t>(random_());
    }
    if (rarely(40)) {
      reply.fault = random_fault();
      reply.fault_address = static_cast<std::uint32_t>(random_());
      ++cases_["fault of a texture"];
    }
    reply.lanes = take_lanes(*load, 0, reply.half, reply.fault == MemFault::kNone);
    return reply;
  }

  void note_inputs() {
    replies_ = queue(block_.reply_i).size(), texels_ = queue(block_.tex_i).size();
    rows_free_ = static_cast<std::uint8_t>(block_.registers().rows - rows_written_.read()) < kLoadRows;
  }
  void note_cases() override {
    // Replies can only come once the block has the lanes.
    if (lanes_.read().valid) {
      Load& load = loads_[sent_];
      for (unsigned word = 0; word < load.words; ++word) load.pending[word] |= half_of(load);
      ++load.next_half;
    }
    const bool replied = queue(block_.reply_i).size() < replies_, sampled = queue(block_.tex_i).size() < texels_;
    if (replied && sampled) ++cases_["memory and texture unit at once"];
    const LoadTableRegs& now = block_.registers();
    if (block_.complete() > 1) ++cases_["several wait for writeback"];
    if (now.leaving && !now.shows && !rows_free_) ++cases_["writeback has no room"];
    if (now.freed.valid) {
      loads_[now.freed.id].open = false;
      ++cases_[fmt::format("{} half registers", now.part == 0 ? 8 : now.part)];
    }
    if (now.occupied == ~std::uint64_t{0}) ++cases_["64 loads"];
  }

  Wire<LoadOpen>& open_ = wire(block_.open_i);
  Wire<LoadLanes>& lanes_ = wire(block_.lanes_i);
  Wire<std::uint8_t>& rows_written_ = wire(block_.rows_written_i);
  std::array<Load, kMaxLoads> loads_{};
  unsigned sent_ = 0;  // the load whose lanes are on their way
  unsigned replies_ = 0, texels_ = 0;
  bool rows_free_ = false, resets_ = false;
  unsigned opens_ = 3, answers_ = 3, writes_ = 3;
};

}  // namespace g80::testing

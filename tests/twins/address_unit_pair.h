// SPDX-License-Identifier: Apache-2.0
// address_unit and a twin of it side by side: accesses of every kind as the collector sends them, most of them to
// addresses that exist, with neighbours that take them fast or slowly.
#pragma once
#include <algorithm>

#include "hw/bundles/half_warp_order.h"
#include "hw/exec/address_unit.h"
#include "hw/isa/field_codec.h"
#include "hw/isa/opcode_table.h"
#include "hw/sm/load_table.h"
#include "tests/twins/pair.h"

namespace g80::testing {

struct WatchedAddressUnit final : AddressUnit {
  using AddressUnit::AddressUnit;
  unsigned on_chip() const { return on_chip_.size(); }
  unsigned off_chip() const { return off_chip_.size(); }
  bool stores_full() const { return sent_stores_.full(); }
};

class AddressUnitPair final : public Pair<AddressUnit, WatchedAddressUnit, unsigned, unsigned> {
 public:
  AddressUnitPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make,
             load_config("tiny", {"sm.load_table_entries=64",
                                  fmt::format("sm.address_cycles={}", std::array{0, 2, 4, 4, 8}[random() % 5])}),
             {1 + static_cast<unsigned>(random() % 6)}, random() % 30, random() % 3) {
    pass(2500);  // over the edges in reset
    launch_.write(random_launch());
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      start_.write(random_start(warp));
      pass(1000);
    }
    start_.write({});
  }
  std::string configuration() const {
    return fmt::format("depth {}, {} cycles for an address", queue(block_.access_o).depth(), config_.sm.address_cycles);
  }

 private:
  bool often(unsigned quarters) { return random_() % 4 < quarters; }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  bool is_reset_now() override { return rarely(250); }
  void reset() override {
    dispatch_.write({});
    operands_.write({});
    stack_.write({});
    fill_.write({});
    start_.write({});
    load_freed_.write({});
    smem_stored_.write(false);
    second_.reset();
    stores_ = performed_ = 0;
    Pair::reset();
  }

  void stimulate() override {
    send();
    before_ = {block_.registers(), block_.fault_o.read().valid, block_.const_o.read().valid,
               block_.smem_o.read().valid};
    accesses_ = queue(block_.access_o).size();
  }
  void send() {
    if (rarely(150)) {
      sends_ = random_() % 5, takes_ = random_() % 5, answers_ = random_() % 5, frees_ = random_() % 5;
      others_ = rarely(2) ? 0 : 1 + random_() % 12;
    }
    if (rarely(150)) sends_ = takes_ = answers_ = 4, frees_ = 0;
    if (rarely(400)) sends_ = takes_ = 4, answers_ = others_ = 0;
    if (!second_ && rarely(300)) launch_.write(random_launch());
    if (rarely(100)) quiet_ = random_() % 100;
    const bool quiet = quiet_ > 0;
    if (quiet) --quiet_;
    const unsigned warp = random_() % kMaxWarps;
    start_.write(!quiet && rarely(20) && !(second_ && second_->warp == warp) ? random_start(warp) : WarpStart{});
    stack_.write(!quiet && others_ != 0 && rarely(others_) ? random_stack() : StackAccess{});
    fill_.write(!quiet && others_ != 0 && rarely(others_) ? random_fill() : SmemFill{});
    smem_ready_.write(often(takes_));
    const_ready_.write(often(takes_));
    const SmemRequest& request = block_.smem_o.read();
    if (request.valid && request.write && smem_ready_.read()) ++stores_;
    // What leaves now the banks have performed a cycle later at the earliest.
    smem_stored_.write(performed_ != 0 && (often(answers_) || performed_ > 40));
    performed_ = stores_ - smem_stored_.read();
    stores_ = performed_;
    load_freed_.write(random_freed());
    if (queue(block_.access_o).available() && often(takes_)) queue(block_.access_o).pop(), queue(twin_.access_o).pop();
    if (queue(block_.tex_o).available() && often(takes_)) queue(block_.tex_o).pop(), queue(twin_.tex_o).pop();
    send(!quiet && often(sends_));
  }
  LoadFreed random_freed() {
    const std::uint64_t loads = block_.registers().loads;
    const auto id = static_cast<std::uint8_t>(random_() % kMaxLoads);
    return (loads >> id & 1) != 0 && often(frees_) ? LoadFreed{true, id} : LoadFreed{};
  }

  LaunchState random_launch() {
    LaunchState launch;
    launch.local_base = word() & ~3u;
    launch.local_bytes = rarely(8) ? 0 : 1u << (rarely(3) ? random_() % 17 : 16);
    launch.stack_base = word() & ~7u;
    launch.stack_depth = 1 + random_() % kMaxStackDepth;
    for (ConstBankBinding& bank : launch.const_bank)
      bank = {!rarely(6), word() & ~255u, rarely(3) ? static_cast<std::uint32_t>(random_() % 0x400) : 0x10000};
    for (GlobalSpace& space : launch.global)
      space = {!rarely(12), word() & ~255u,
               rarely(4) ? ~0u : static_cast<std::uint32_t>(0x100 + random_() % 0x10000) | 15};
    return launch;
  }
  WarpStart random_start(unsigned warp) {
    WarpStart start;
    start.valid = true;
    start.warp = static_cast<std::uint8_t>(warp);
    start.shared_bytes = static_cast<std::uint16_t>(rarely(3) ? random_() % 0x800 : 0x2000);
    start.shared_base = static_cast<std::uint16_t>(random_() % 0x2000 / 16 * 16);
    limit_[warp] = start.shared_bytes;
    return start;
  }
  StackAccess random_stack() {
    StackAccess access;
    access.valid = true;
    access.write = rarely(2);
    access.warp = static_cast<std::uint8_t>(random_() % kMaxWarps);
    access.number = static_cast<std::uint16_t>(random_() % kMaxStackDepth);
    access.entry = {word() & 0xffffffu, static_cast<StackEntryType>(1 + random_() % 6), word()};
    access.pc = word() & 0xffffffu;
    access.tag.bits = word();
    return access;
  }
  SmemFill random_fill() {
    SmemFill fill;
    fill.valid = true;
    fill.count = static_cast<std::uint8_t>(1 + random_() % kHalfWarp);
    fill.first = static_cast<std::uint16_t>(random_() % (kMaxSharedBytes / 4 - kHalfWarp));
    for (std::uint32_t& each : fill.data) each = word();
    return fill;
  }

  /// A memory or texture instruction, or one with an operand from s[] or c[].
  FetchedInstruction random_instruction() {
    static const std::vector<isa::Row> rows = [] {
      std::vector<isa::Row> of_accesses;
      for (const isa::Row& row : isa::OpcodeTable::get().rows()) {
        FetchedInstruction insn;
        insn.words = row.match;
        const DecodedInstruction& decoded = insn.decoded();
        const unsigned copies = decoded.unit == isa::Unit::kMemory ? 8 : decoded.unit == isa::Unit::kTexture ? 4 : 1;
        if (!row.graphics) of_accesses.insert(of_accesses.end(), copies, row);
      }
      return of_accesses;
    }();
    const bool both = rarely(12);  // an operand from s[] and one from c[]
    for (;;) {
      const isa::Row& row = rows[random_() % rows.size()];
      const std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
      FetchedInstruction insn;
      insn.words = (bits & ~row.mask) | row.match;
      insn.pc = word() & 0xffffff;
      const DecodedInstruction& decoded = insn.decoded();
      if (both && !(decoded.reads_shared_operand && decoded.reads_const_operand)) continue;
      if (decoded.error == isa::DecodeError::kNone &&
          (accesses(decoded) || decoded.reads_shared_operand || decoded.reads_const_operand))
        return insn;
    }
  }
  static bool accesses(const DecodedInstruction& decoded) {
    return decoded.unit == isa::Unit::kMemory || decoded.unit == isa::Unit::kTexture;
  }
  /// As the collector decides it.
  static bool has_operands(const DecodedInstruction& decoded, bool constant) {
    const isa::Instruction& insn = decoded.insn;
    if (decoded.unit == isa::Unit::kTexture) return true;
    if (decoded.unit != isa::Unit::kMemory)
      return insn.addr_reg != 0 && !(constant && insn.src[0].kind == isa::OperandKind::kShared);
    return insn.addr_reg != 0 || insn.src[0].kind == isa::OperandKind::kReg ||
           insn.src[1].kind != isa::OperandKind::kNone;
  }
  static const isa::Operand& memory_operand(const AddressDispatch& dispatch) {
    const isa::Instruction& insn = dispatch.fetched.decoded().insn;
    const isa::OperandKind wanted = dispatch.constant ? isa::OperandKind::kConst : isa::OperandKind::kShared;
    for (unsigned i : {2, 1}) {
      if (insn.src[i].kind == wanted) return insn.src[i];
    }
    return insn.src[0];
  }
  std::uint32_t size_of_space(const AddressDispatch& dispatch) const {
    const isa::Operand& operand = memory_operand(dispatch);
    const LaunchState& launch = launch_.read();
    switch (operand.kind) {
      case isa::OperandKind::kShared: return limit_[dispatch.warp];
      case isa::OperandKind::kLocal: return launch.local_bytes;
      case isa::OperandKind::kConst: return launch.const_bank[operand.bank].bytes;
      default: return launch.global[dispatch.fetched.decoded().insn.space].limit;
    }
  }
  std::optional<AddressDispatch> random_dispatch() {
    AddressDispatch dispatch;
    dispatch.valid = true;
    dispatch.warp = static_cast<std::uint8_t>(random_() % kMaxWarps);
    dispatch.unit = static_cast<std::uint8_t>(random_() % kMaxCollectorUnits);
    dispatch.tag.bits = word();
    dispatch.lanes = random_lanes(random_) | LaneMask{random_lanes(random_)} << kHalfWarp;
    const bool direct = rarely(4);  // more of those whose address stands in the instruction
    for (unsigned tries = 0; tries < 12; ++tries) {
      dispatch.fetched = random_instruction();
      const DecodedInstruction& decoded = dispatch.fetched.decoded();
      const bool shared = decoded.reads_shared_operand, constant = decoded.reads_const_operand;
      if (!accesses(decoded)) {
        dispatch.constant = constant && (!shared || rarely(2));
        if (dispatch.lanes == 0) dispatch.lanes = 1u << random_() % kWarpSize;
      } else {
        dispatch.constant = false;
      }
      dispatch.operands = has_operands(decoded, dispatch.constant);
      if (direct && dispatch.operands) continue;
      if (dispatch.operands || memory_operand(dispatch).offset + 16u <= size_of_space(dispatch) || rarely(3)) break;
    }
    const DecodedInstruction& decoded = dispatch.fetched.decoded();
    const isa::OperandKind kind = memory_operand(dispatch).kind;
    const bool on_chip =
        decoded.unit != isa::Unit::kTexture && (kind == isa::OperandKind::kShared || kind == isa::OperandKind::kConst);
    if (on_chip ? block_.on_chip() >= 2 * kMaxCollectorUnits : block_.off_chip() >= kMaxCollectorUnits)
      return std::nullopt;
    if (decoded.uses_load_table &&
        static_cast<unsigned>(__builtin_popcountll(block_.registers().loads)) + block_.off_chip() >= kMaxLoads)
      return std::nullopt;
    return dispatch;
  }
  /// Operands of a half-warp whose addresses exist, nearly always.
  AddressLanes random_operands(const AddressDispatch& dispatch) {
    const DecodedInstruction& decoded = dispatch.fetched.decoded();
    const isa::Operand& operand = memory_operand(dispatch);
    const std::uint32_t size = std::max(size_of_space(dispatch), 32u);
    const unsigned step = 1u << random_() % 6;
    const std::uint32_t first = static_cast<std::uint32_t>(random_()) % size / 16 * 16;
    const bool bad = rarely(12);
    const bool own_type = operand.kind == isa::OperandKind::kShared || operand.kind == isa::OperandKind::kConst;
    const bool global = !own_type && operand.kind != isa::OperandKind::kLocal;
    const std::uint32_t last =  // that fits
        size_of_space(dispatch) + global - isa::element_bytes(own_type ? operand.type : decoded.insn.mem_type);
    const unsigned bytes = isa::element_bytes(decoded.insn.mem_type);
    const std::uint32_t segment = first / (kHalfWarp * bytes) * (kHalfWarp * bytes);
    // While no load is freed, all leave at once and fill the table.
    const bool in_order = !bad && (frees_ == 0 || rarely(3)) && segment + kHalfWarp * bytes <= size;
    const unsigned out_of_place = frees_ == 0 ? kHalfWarp : static_cast<unsigned>(random_()) % 32;
    AddressLanes lanes;
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      std::uint32_t address = bad && rarely(3) ? word() : (first + l * step) % (size - 15) / 16 * 16;
      if (in_order && l != out_of_place) address = segment + l * bytes;
      if (!in_order && rarely(20)) address = last;
      if (bad && rarely(4)) address += static_cast<std::uint32_t>(random_()) % 8;
      lanes.base[l] = address;
      lanes.addr[l] = (decoded.insn.post_increment ? address : address - operand.offset) & 0xffffu;
      for (PortWords& data : lanes.data) data[l] = word();
    }
    return lanes;
  }
  void send(bool wanted) {
    const std::optional<AddressDispatch> second = second_;
    second_.reset();
    dispatch_.write({});
    if (second) operands_.write(random_operands(*second));
    const std::optional<AddressDispatch> dispatch = wanted ? random_dispatch() : std::nullopt;
    if (!dispatch) return;
    const bool port = dispatch->operands && dispatch->lanes != 0;
    if (port && second) return;
    dispatch_.write(*dispatch);
    ++cases_["dispatch"];
    if (second) ++cases_["dispatch beside a second half-warp"];
    if (!port) return;
    operands_.write(random_operands(*dispatch));
    if ((dispatch->lanes & 0xffffu) != 0 && dispatch->lanes >> kHalfWarp != 0) second_ = dispatch;
  }

  void note_cases() override {
    const Before& before = before_;
    const bool accessed = queue(block_.access_o).size() > accesses_;
    const AddressUnitRegs& now = block_.registers();
    const bool second_came = before.registers.receives_on_chip || before.registers.receives_off_chip;
    // An access whose first half-warp has a fault does not come in, so its second one is not taken.
    if (second_ && !now.receives_on_chip && !now.receives_off_chip) {
      second_.reset();
      ++cases_["fault in the first half-warp"];
    }
    const KernelFault& fault = block_.fault_o.read();
    if (fault.valid && !before.fault) {
      ++cases_[fmt::format("fault {}", enum_text(fault.kind).names[static_cast<unsigned>(fault.kind)])];
      if (second_came && fault.lane >= kHalfWarp) ++cases_["fault in the second half-warp"];
      if (dispatch_.read().valid && !dispatch_.read().operands) ++cases_["fault of an address in the instruction"];
    }
    if (block_.increment_o.read().valid) ++cases_["increment"];
    if (now.answered != 0) ++cases_["c[] outside its bank"];
    if (block_.open_o.read().valid && block_.open_o.read().lanes == 0) ++cases_["load without lanes"];
    if (now.loads == ~std::uint64_t{0}) ++cases_["64 loads"];
    if (block_.on_chip() == 2 * kMaxCollectorUnits) ++cases_["accesses on chip fill their queue"];
    if (block_.off_chip() == kMaxCollectorUnits) ++cases_["accesses to memory fill their queue"];
    if (block_.stores_full()) ++cases_["stores fill their queue"];
    if (block_.done_o.read().valid && now.off_chip_progress.word != 0) ++cases_["store to memory waits for one to s[]"];
    if (now.off_chip_progress.waits) ++cases_["addresses of other lanes follow"];
    if (now.off_chip_progress.waits && !now.stack_ready) ++cases_["a control stack's entries go first meanwhile"];
    if (now.off_chip_progress.word == 3) ++cases_["fourth word of a lane"];
    const ConstRequest& constant = block_.const_o.read();
    if (constant.valid && constant.direct && !before.constant) ++cases_["c[] at one address"];
    if (block_.smem_o.read().valid && block_.smem_o.read().header) ++cases_["head of s[]"];
    if (before.smem && !smem_ready_.read()) ++cases_["shared memory makes it wait"];
    if (queue(block_.tex_o).size() == queue(block_.tex_o).depth()) ++cases_["the texture unit makes it wait"];
    if (!accessed) return;
    const HalfWarpAccess& access = queue(block_.access_o).newest();
    if (access.client == MemClient::kGlobal && is_in_order(access.address, access.lanes, access.bytes) &&
        config_.sm.address_cycles != 0)
      ++cases_[fmt::format("in order, {} bytes", access.bytes)];
    ++cases_[fmt::format("{} of {}", enum_text(access.op).names[static_cast<unsigned>(access.op)],
                         enum_text(access.client).names[static_cast<unsigned>(access.client)])];
  }

  Wire<LaunchState>& launch_ = wire(block_.launch_i);
  Wire<WarpStart>& start_ = wire(block_.start_i);
  Wire<AddressDispatch>& dispatch_ = wire(block_.dispatch_i);
  Wire<AddressLanes>& operands_ = wire(block_.operands_i);
  Wire<StackAccess>& stack_ = wire(block_.stack_i);
  Wire<SmemFill>& fill_ = wire(block_.fill_i);
  Wire<bool>& smem_ready_ = wire(block_.smem_ready_i);
  Wire<bool>& const_ready_ = wire(block_.const_ready_i);
  Wire<bool>& smem_stored_ = wire(block_.smem_stored_i);
  Wire<LoadFreed>& load_freed_ = wire(block_.load_freed_i);
  struct Before {
    AddressUnitRegs registers;
    bool fault, constant, smem;  // is shown
  };
  Before before_{};
  unsigned accesses_ = 0;                         // in the queue before the edge
  std::array<std::uint16_t, kMaxWarps> limit_{};  // of each warp's s[]
  std::optional<AddressDispatch> second_;         // whose second half-warp comes next
  unsigned stores_ = 0, performed_ = 0;           // half-warps that the banks have, and may have performed
  unsigned sends_ = 3, takes_ = 3, answers_ = 3, frees_ = 3, others_ = 0, quiet_ = 0;
};

}  // namespace g80::testing

// SPDX-License-Identifier: Apache-2.0
// address_unit and a twin of it side by side: accesses of every kind as the collector sends them, most of them to
// addresses that exist, with neighbours that take them fast or slowly.
#pragma once
#include <algorithm>

#include "hw/bundles/half_warp_order.h"
#include "hw/exec/address_unit.h"
#include "hw/isa/field_codec.h"
#include "hw/isa/opcode_table.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class AddressUnitPair {
 public:
  using MakeTwin = std::unique_ptr<AddressUnit> (*)(const char* name, const Config& config, unsigned sm_id,
                                                    unsigned sm_in_tpc);

  AddressUnitPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(load_config("tiny", {"sm.load_table_entries=64",
                                     fmt::format("sm.address_cycles={}", std::array{0, 2, 4, 4, 8}[random() % 5])})),
        sm_id_(random() % 30),
        sm_in_tpc_(random() % 3),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        of_block_(shader_, "block", 1 + random() % 6),
        of_twin_(shader_, "twin", of_block_.access.depth()),
        block_("block", config_, sm_id_, sm_in_tpc_),
        made_twin_(make("twin", config_, sm_id_, sm_in_tpc_)),
        twin_(*made_twin_) {
    connect(block_, of_block_);
    connect(twin_, of_twin_);
    // Over the edges in reset. Inputs change between edges.
    sc_core::sc_start(sc_core::sc_time(2500, sc_core::SC_PS));
    launch_.write(random_launch());
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      start_.write(random_start(warp));
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    }
    start_.write({});
  }
  std::string configuration() const {
    return fmt::format("SM {}, depth {}, {} cycles for an address", sm_id_, of_block_.access.depth(),
                       config_.sm.address_cycles);
  }

  std::optional<std::string> cycle() {
    if (rarely(250)) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const AddressUnitRegs before = block_.registers();
    const std::uint64_t activations = shader_.activations();
    const std::size_t accesses = of_block_.access.size(), textures = of_block_.tex.size();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - activations;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    note_cases(before, of_block_.access.size() > accesses);
    if (auto found = difference("accesses", of_block_.access.size(), of_twin_.access.size())) return found;
    if (auto found = difference("texture accesses", of_block_.tex.size(), of_twin_.tex.size())) return found;
    if (of_block_.access.size() > accesses) {
      if (auto found = difference("access_o", of_block_.access.newest(), of_twin_.access.newest())) return found;
    }
    if (of_block_.tex.size() > textures) {
      if (auto found = difference("tex_o", of_block_.tex.newest(), of_twin_.tex.newest())) return found;
    }
    if (auto found = compare_outputs()) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  struct Watched final : AddressUnit {
    using AddressUnit::AddressUnit;
    unsigned on_chip() const { return on_chip_.size(); }
    unsigned off_chip() const { return off_chip_.size(); }
    bool stores_full() const { return sent_stores_.full(); }
  };
  /// What only one of the two drives.
  struct Side {
    Side(Domain& shader, const std::string& name, unsigned depth)
        : access((name + "_access").c_str(), &shader, nullptr, depth, 1),
          tex((name + "_tex").c_str(), &shader, nullptr, depth, 1),
          smem((name + "_smem").c_str()),
          constant((name + "_const").c_str()),
          open((name + "_open").c_str()),
          lanes((name + "_lanes").c_str()),
          increment((name + "_increment").c_str()),
          done((name + "_done").c_str()),
          freed((name + "_freed").c_str()),
          answered((name + "_answered").c_str()),
          credit((name + "_credit").c_str()),
          fault((name + "_fault").c_str()),
          stack_ready((name + "_stack_ready").c_str()),
          fill_ready((name + "_fill_ready").c_str()),
          busy((name + "_busy").c_str()) {}
    CrossingFifo<HalfWarpAccess> access;
    CrossingFifo<TexRequest> tex;
    Wire<SmemRequest> smem;
    Wire<ConstRequest> constant;
    Wire<LoadOpen> open;
    Wire<LoadLanes> lanes;
    Wire<AddrIncrement> increment;
    Wire<StoreDone> done;
    Wire<WarpMask> freed, answered;
    Wire<Credits> credit;
    Wire<KernelFault> fault;
    Wire<bool> stack_ready, fill_ready, busy;
  };

  void connect(AddressUnit& each, Side& side) {
    each.launch_i(launch_);
    each.start_i(start_);
    each.dispatch_i(dispatch_);
    each.operands_i(operands_);
    each.stack_i(stack_);
    each.fill_i(fill_);
    each.smem_ready_i(smem_ready_);
    each.const_ready_i(const_ready_);
    each.load_freed_i(load_freed_);
    each.smem_stored_i(smem_stored_);
    each.stack_ready_o(side.stack_ready);
    each.fill_ready_o(side.fill_ready);
    each.smem_o(side.smem);
    each.const_o(side.constant);
    each.open_o(side.open);
    each.lanes_o(side.lanes);
    each.increment_o(side.increment);
    each.done_o(side.done);
    each.freed_o(side.freed);
    each.answered_o(side.answered);
    each.credit_o(side.credit);
    each.fault_o(side.fault);
    each.busy_o(side.busy);
    each.access_o(side.access);
    each.tex_o(side.tex);
    shader_.add(each);
  }
  std::optional<std::string> compare_outputs() const {
    const Side &a = of_block_, &b = of_twin_;
    if (auto found = difference("smem_o", a.smem.read(), b.smem.read())) return found;
    if (auto found = difference("const_o", a.constant.read(), b.constant.read())) return found;
    if (auto found = difference("open_o", a.open.read(), b.open.read())) return found;
    if (auto found = difference("lanes_o", a.lanes.read(), b.lanes.read())) return found;
    if (auto found = difference("increment_o", a.increment.read(), b.increment.read())) return found;
    if (auto found = difference("done_o", a.done.read(), b.done.read())) return found;
    if (auto found = difference("freed_o", a.freed.read(), b.freed.read())) return found;
    if (auto found = difference("answered_o", a.answered.read(), b.answered.read())) return found;
    if (auto found = difference("credit_o", a.credit.read(), b.credit.read())) return found;
    if (auto found = difference("fault_o", a.fault.read(), b.fault.read())) return found;
    if (auto found = difference("stack_ready_o", a.stack_ready.read(), b.stack_ready.read())) return found;
    if (auto found = difference("fill_ready_o", a.fill_ready.read(), b.fill_ready.read())) return found;
    return difference("busy_o", a.busy.read(), b.busy.read());
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  bool often(unsigned quarters) { return random_() % 4 < quarters; }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

  void reset() {
    dispatch_.write({});
    operands_.write({});
    stack_.write({});
    fill_.write({});
    start_.write({});
    load_freed_.write({});
    smem_stored_.write(false);
    second_.reset();
    stores_ = performed_ = 0;
    reset_both(block_, twin_);
    ++cases_["reset"];
  }

  void stimulate() {
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
    const AddressUnitRegs& now = block_.registers();
    if (now.smem.valid && now.smem.write && smem_ready_.read()) ++stores_;
    // What leaves now the banks have performed a cycle later at the earliest.
    smem_stored_.write(performed_ != 0 && (often(answers_) || performed_ > 40));
    performed_ = stores_ - smem_stored_.read();
    stores_ = performed_;
    load_freed_.write(random_freed());
    if (of_block_.access.available() && often(takes_)) of_block_.access.pop(), of_twin_.access.pop();
    if (of_block_.tex.available() && often(takes_)) of_block_.tex.pop(), of_twin_.tex.pop();
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

  void note_cases(const AddressUnitRegs& before, bool accessed) {
    const AddressUnitRegs& now = block_.registers();
    const bool second_came = before.receives_on_chip || before.receives_off_chip;
    // An access whose first half-warp has a fault does not come in, so its second one is not taken.
    if (second_ && !now.receives_on_chip && !now.receives_off_chip) {
      second_.reset();
      ++cases_["fault in the first half-warp"];
    }
    if (now.fault.valid && !before.fault.valid) {
      ++cases_[fmt::format("fault {}", enum_text(now.fault.kind).names[static_cast<unsigned>(now.fault.kind)])];
      if (second_came && now.fault.lane >= kHalfWarp) ++cases_["fault in the second half-warp"];
      if (dispatch_.read().valid && !dispatch_.read().operands) ++cases_["fault of an address in the instruction"];
    }
    if (now.increment.valid) ++cases_["increment"];
    if (now.answered != 0) ++cases_["c[] outside its bank"];
    if (now.open.valid && now.open.lanes == 0) ++cases_["load without lanes"];
    if (now.loads == ~std::uint64_t{0}) ++cases_["64 loads"];
    if (block_.on_chip() == 2 * kMaxCollectorUnits) ++cases_["accesses on chip fill their queue"];
    if (block_.off_chip() == kMaxCollectorUnits) ++cases_["accesses to memory fill their queue"];
    if (block_.stores_full()) ++cases_["stores fill their queue"];
    if (now.done.valid && now.off_chip_progress.word != 0) ++cases_["store to memory waits for one to s[]"];
    if (now.off_chip_progress.waits) ++cases_["addresses of other lanes follow"];
    if (now.off_chip_progress.waits && !now.stack_ready) ++cases_["a control stack's entries go first meanwhile"];
    if (now.off_chip_progress.word == 3) ++cases_["fourth word of a lane"];
    if (now.constant.valid && now.constant.direct && !before.constant.valid) ++cases_["c[] at one address"];
    if (now.smem.valid && now.smem.header) ++cases_["head of s[]"];
    if (before.smem.valid && !smem_ready_.read()) ++cases_["shared memory makes it wait"];
    if (of_block_.tex.size() == of_block_.tex.depth()) ++cases_["the texture unit makes it wait"];
    if (!accessed) return;
    const HalfWarpAccess& access = of_block_.access.newest();
    if (access.client == MemClient::kGlobal && is_in_order(access.address, access.lanes, access.bytes) &&
        config_.sm.address_cycles != 0)
      ++cases_[fmt::format("in order, {} bytes", access.bytes)];
    ++cases_[fmt::format("{} of {}", enum_text(access.op).names[static_cast<unsigned>(access.op)],
                         enum_text(access.client).names[static_cast<unsigned>(access.client)])];
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  const unsigned sm_id_, sm_in_tpc_;
  Domain shader_;
  Wire<LaunchState> launch_{"launch"};
  Wire<WarpStart> start_{"start"};
  Wire<AddressDispatch> dispatch_{"dispatch"};
  Wire<AddressLanes> operands_{"operands"};
  Wire<StackAccess> stack_{"stack"};
  Wire<SmemFill> fill_{"fill"};
  Wire<bool> smem_ready_{"smem_ready"}, const_ready_{"const_ready"}, smem_stored_{"smem_stored"};
  Wire<LoadFreed> load_freed_{"load_freed"};
  Side of_block_, of_twin_;
  Watched block_;
  const std::unique_ptr<AddressUnit> made_twin_;
  AddressUnit& twin_;
  std::array<std::uint16_t, kMaxWarps> limit_{};  // of each warp's s[]
  std::optional<AddressDispatch> second_;         // whose second half-warp comes next
  unsigned stores_ = 0, performed_ = 0;           // half-warps that the banks have, and may have performed
  unsigned sends_ = 3, takes_ = 3, answers_ = 3, frees_ = 3, others_ = 0, quiet_ = 0;
};

}  // namespace g80::testing

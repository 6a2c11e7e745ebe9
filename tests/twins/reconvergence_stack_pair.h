// SPDX-License-Identifier: Apache-2.0
// reconvergence_stack and a twin of it side by side: warps that start, branch, call, loop and end, with stacks of
// random sizes, a memory that answers late and sometimes wrongly, and instructions that do not fit the stack.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "hw/sm/reconvergence_stack.h"
#include "tests/support/fetched_instruction.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class WatchedReconvergenceStack final : public ReconvergenceStack {
 public:
  using ReconvergenceStack::ReconvergenceStack;
  bool memory_queue_full() const { return to_memory_.full(); }
};

class ReconvergenceStackPair final : public Pair<ReconvergenceStack, WatchedReconvergenceStack> {
 public:
  ReconvergenceStackPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : ReconvergenceStackPair(random, cases, make, random() % 6 == 0) {}
  std::string configuration() const {
    return fmt::format("{} of {} entries on chip, branch latency {}, first: {}", config_.sm.stack_on_chip,
                       config_.sm.stack_depth, config_.sm.branch_latency, to_text(config_.sm.divergence_first));
  }

 private:
  ReconvergenceStackPair(std::mt19937& random, Cases& cases, MakeTwin make, bool deep)
      : Pair(random, cases, make, random_config(random, deep), {}), deep_(deep) {
    new_grid();
    pass(2500);  // over the edges in reset, in which nothing starts
    FieldEditor filler(random());
    block_.edit_fields(filler);  // what no reset sets; a twin's memories have contents of their own
  }
  enum Kind : unsigned {
    kBranch,
    kJoinat,
    kBreakaddr,
    kCall,
    kCallLimited,
    kBreak,
    kReturn,
    kQuadon,
    kQuadpop,
    kExit,
    kJoin,
    kBar,
    kBreakpoint,
    kTrap,
    kKinds
  };

  static Config random_config(std::mt19937& random, bool deep) {
    Config config = load_config("tiny");
    config.sm.divergence_first = random() % 2 != 0 ? DivergenceFirst::kTaken : DivergenceFirst::kFallthrough;
    const unsigned sizes[] = {1, 2, 3, 4, 8, 64};
    config.sm.stack_on_chip = sizes[random() % 6];
    config.sm.stack_depth = deep ? 400 : std::max(4u, config.sm.stack_on_chip + static_cast<unsigned>(random() % 12));
    const unsigned least = 16 + 2 * config.icache.l1_latency;
    const unsigned rows[] = {0, 1, 2, 5, 30};
    config.sm.branch_latency = least + 2 * rows[random() % (deep ? 3 : 5)];
    return config;
  }
  /// Every kind of control instruction, with targets of its own.
  static const FetchedInstruction& instruction(Kind kind, unsigned variant) {
    constexpr unsigned kVariants = 8;
    static const std::vector<FetchedInstruction> all = [] {
      const char* const texts[] = {"bra {:#x}",
                                   "joinat {:#x}",
                                   "breakaddr {:#x}",
                                   "call {:#x}",
                                   "call lim {:#x}",
                                   "break",
                                   "ret",
                                   "quadon",
                                   "quadpop",
                                   "exit (never) nop",
                                   "join (never) nop",
                                   "bar inc wait 0x1 0xfff",
                                   "brkpt",
                                   "trap"};
      static_assert(std::size(texts) == kKinds);
      std::vector<FetchedInstruction> made;
      for (const char* text : texts) {
        for (unsigned i = 0; i < kVariants; ++i)
          made.push_back(test::fetched(fmt::format(fmt::runtime(text), 8 + 0x1238 * i * i)));
      }
      return made;
    }();
    return all[kind * kVariants + variant % kVariants];
  }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[random_() % list.size()];
  }
  static WarpMask bit(unsigned warp) { return WarpMask{1} << warp; }

  bool is_reset_now() override { return rarely(deep_ ? 10000 : 120); }
  std::optional<std::string> other_difference() override {
    return stack_difference(control_.read().valid ? control_.read().warp : random_() % kMaxWarps);
  }
  void reset() override {
    Pair::reset();
    running_ = in_flight_ = 0;
    reads_.clear();
    new_grid();
  }
  void new_grid() {
    LaunchState launch;
    launch.stack_depth = rarely(3) || deep_ ? 0 : 1 + random_() % std::min(2 * config_.sm.stack_depth, 8191u);
    launch.call_limit_log = one_of<std::uint8_t>({0, 1, 2, 3, 13, 14, 15, 200});
    launch_.write(launch);
    warps_ = deep_ ? 1 + random_() % 2 : 1 + random_() % kMaxWarps;
  }

  void stimulate() override {
    before_ = block_.registers();
    counted_ = block_.counters();
    const ReconvergenceStackRegs& now = before_;
    if (rarely(200)) quiet_ = random_() % 30 + 80;
    ++edges_;
    if (deep_)
      grows_ = edges_ < 1800 ? 10 : 1;
    else if (rarely(150))
      grows_ = 1 + random_() % 9;
    if (rarely(300)) stalled_ = rarely(3) ? 60 + random_() % 400 : 0;
    if (quiet_ > 0) --quiet_;
    if (stalled_ > 0) --stalled_;
    start_.write({});
    fill_.write({});
    ready_.write(stalled_ == 0 && !rarely(3));
    if (now.access.valid && ready_.read()) take(now.access);
    if (!reads_.empty() && !rarely(3)) send_entry();
    send_instruction(now);
    if (quiet_ == 0 && rarely(3)) start_warp();
  }
  void take(const StackAccess& access) {
    if (access.write) {
      memory_[{access.warp, access.number}] = access.entry;
    } else {
      reads_.push_back(access);
    }
  }
  void send_entry() {
    const std::size_t i = random_() % reads_.size();
    const StackAccess read = reads_[i];
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
    StackEntry entry = memory_[{read.warp, read.number}];
    if (!deep_ && rarely(3)) {  // the kernel has overwritten it
      entry = stack_entry(static_cast<std::uint32_t>(random_()), static_cast<std::uint32_t>(random_()));
      if (!rarely(3)) entry.type = StackEntryType::kCall;  // of which the warp has not been told
      ++cases_["entry overwritten"];
    }
    fill_.write({true, read.warp, entry});
  }
  void start_warp() {
    const auto w = static_cast<std::uint8_t>(random_() % warps_);
    if ((in_flight_ & bit(w)) != 0 || ((running_ & bit(w)) != 0 && (deep_ || !rarely(50)))) return;
    if (control_.read().valid && control_.read().warp == w) return;
    WarpStart start;
    start.valid = true;
    start.warp = w;
    start.lanes = rarely(3) ? static_cast<LaneMask>(random_()) : ~LaneMask{0};
    start.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
    start_.write(start);
    running_ |= bit(w);
  }
  void send_instruction(const ReconvergenceStackRegs& now) {
    ControlEvent event;
    event.warp = static_cast<std::uint8_t>(random_() % warps_);
    event.tag.bits = static_cast<std::uint32_t>(random_());
    const WarpMask may = rarely(300) && !deep_ ? ~WarpMask{0} : running_;
    event.valid = quiet_ == 0 && !rarely(4) && (may & ~in_flight_ & bit(event.warp)) != 0;
    if (!event.valid) {
      if (rarely(2)) event = {};
      return control_.write(event);
    }
    const LaneMask active = now.masks.mask[event.warp];
    const Kind kind = choose(event.warp);
    event.fetched = instruction(kind, random_());
    const auto target = event.fetched.decoded().insn.target;
    event.fetched.pc = kind == kBranch && rarely(8) ? target - 8 : static_cast<std::uint32_t>(random_()) & 0xfffff8;
    if (event.fetched.pc > 0xfffff0) event.fetched.pc = 0;
    const bool some = kind == kBranch ? !rarely(4) : rarely(3);
    event.taken = some ? active & static_cast<LaneMask>(random_()) : rarely(kind == kBranch ? 2 : 20) ? 0 : active;
    if (kind == kBreakpoint && rarely(2)) event.taken = 0;
    if (!deep_ && rarely(150))
      event.fetched.error =
          rarely(2) ? isa::DecodeError::kUnalignedLong : static_cast<isa::DecodeError>(1 + random_() % 7);
    control_.write(event);
    in_flight_ |= bit(event.warp);
    kind_[event.warp] = kind;
  }
  /// Mostly one that fits the youngest entry.
  Kind choose(unsigned w) {
    if (!deep_ && rarely(30)) return static_cast<Kind>(random_() % kKinds);
    if (rarely(60)) return kBar;
    const ReconvergenceStack::Shown shown = block_.warp(w);
    StackEntryType top{};
    if (shown.depth > shown.in_memory)
      top = block_.entry(w, shown.depth - 1).type;
    else if (shown.depth != 0)
      top = memory_[{w, shown.in_memory - 1}].type;
    if (top == StackEntryType::kQuadon)
      return rarely(10) && !deep_ ? kBreakpoint : rarely(10) && !deep_ ? kExit : kQuadpop;
    const bool full = shown.depth >= config_.sm.stack_depth;
    const bool ends = shown.depth == 0 && rarely(15);
    if (!ends && (shown.depth == 0 || random_() % 10 < grows_) && !(full && (deep_ || !rarely(20)))) {
      if (rarely(15)) return kQuadon;
      return one_of({kBranch, kBranch, kBranch, kJoinat, kJoinat, kBreakaddr, kCall, kCall, kCallLimited});
    }
    if (rarely(deep_ ? 200 : 6)) return one_of({kExit, kExit, kReturn, kReturn, kBreak, kJoin});
    switch (top) {
      case StackEntryType::kBranch:
      case StackEntryType::kJoinat: return kJoin;
      case StackEntryType::kBreak: return kBreak;
      case StackEntryType::kCall:
      case StackEntryType::kCallLimited: return kReturn;
      default: return rarely(8) && !deep_ ? kJoin : rarely(2) ? kReturn : kExit;
    }
  }

  std::optional<std::string> stack_difference(unsigned w) {
    const ReconvergenceStack::Shown block = block_.warp(w), twin = twin_.warp(w);
    const auto number = [w](const char* what) { return fmt::format("{} of warp {}", what, w); };
    if (auto found = difference(number("runnable").c_str(), block.lanes.runnable, twin.lanes.runnable)) return found;
    if (auto found = difference(number("broke").c_str(), block.lanes.broke, twin.lanes.broke)) return found;
    if (auto found = difference(number("returned").c_str(), block.lanes.returned, twin.lanes.returned)) return found;
    if (auto found = difference(number("depth").c_str(), block.depth, twin.depth)) return found;
    if (auto found = difference(number("in_memory").c_str(), block.in_memory, twin.in_memory)) return found;
    if (auto found = difference(number("digest").c_str(), block.memory_digest, twin.memory_digest)) return found;
    if (block.depth == block.in_memory) return std::nullopt;
    const unsigned one = block.in_memory + random_() % (block.depth - block.in_memory);
    return difference(number("an entry").c_str(), block_.entry(w, one), twin_.entry(w, one));
  }

  void note_cases() override {
    const ReconvergenceStackRegs& before = before_;
    const ReconvergenceStack::Counters& counted = counted_;
    const ReconvergenceStackRegs& now = block_.registers();
    const ReconvergenceStack::Counters& count = block_.counters();
    if (!ran_) in_flight_ &= now.refilling;  // the others have met a fault
    if (count.divergent_branches != counted.divergent_branches) ++cases_["diverges"];
    if (count.spills != counted.spills) ++cases_["spill"];
    if (count.refills != counted.refills) {
      ++cases_["refill"];
      const StackFill& fill = fill_.read();
      if (fill.valid && (now.refilling >> fill.warp & 1) != 0) ++cases_["waits again at once"];
    }
    if (block_.memory_queue_full()) ++cases_["queue to memory full"];
    if (before.access.valid && now.access.valid && !ready_.read()) ++cases_["access refused"];
    if (now.fault.valid && !before.fault.valid)
      ++cases_[fmt::format("fault {}", enum_text(now.fault.kind).names[static_cast<unsigned>(now.fault.kind)])];
    if (control_.read().valid && fill_.read().valid) ++cases_["instruction and entry at once"];
    if (now.arrival.valid) {
      ++cases_["arrival"];
      in_flight_ &= ~bit(now.arrival.warp);
    }
    if (now.resolve.warps == 0) return;
    in_flight_ &= ~now.resolve.warps;
    const auto w = static_cast<unsigned>(__builtin_ctz(now.resolve.warps));
    if (control_.read().valid && control_.read().warp == w) ++cases_["executed as it comes"];
    if (fill_.read().valid && fill_.read().warp == w) ++cases_["goes on as its entry comes"];
    if (now.resolve.ended) {
      ++cases_["ends"];
      running_ &= ~bit(w);
    }
    const unsigned was = before.depth[w], is = now.depth[w];
    if (is == 255) ++cases_["255 entries or more"];
    if (is + 1 < was && was < 255) ++cases_[now.resolve.ended ? "ends with several entries" : "drops several entries"];
    const bool jumps = now.redirect.valid && !now.resolve.ended;
    switch (kind_[w]) {
      case kCallLimited: ++cases_[jumps ? "limited call" : "call beyond the limit"]; break;
      case kBreak:
        if (jumps) ++cases_["break that jumps"];
        break;
      case kReturn:
        if (jumps) ++cases_["return that jumps"];
        break;
      case kExit:
        if (jumps) ++cases_["exit of some"];
        break;
      case kJoin: ++cases_[jumps ? "join of the first side" : "join of the second side"]; break;
      case kQuadpop: ++cases_["quadpop"]; break;
      case kBranch:
        if (!jumps && was == is) ++cases_["branch that does not jump"];
        break;
      default: break;
    }
  }

  Wire<LaunchState>& launch_ = wire(block_.launch_i);
  Wire<WarpStart>& start_ = wire(block_.start_i);
  Wire<ControlEvent>& control_ = wire(block_.control_i);
  Wire<bool>& ready_ = wire(block_.access_ready_i);
  Wire<StackFill>& fill_ = wire(block_.fill_i);
  const bool deep_;  // one or two warps fill their stacks
  ReconvergenceStackRegs before_;
  ReconvergenceStack::Counters counted_;
  std::map<std::pair<unsigned, unsigned>, StackEntry> memory_;  // warp, number
  std::vector<StackAccess> reads_;                              // that wait for their entry
  WarpMask running_ = 0, in_flight_ = 0;
  std::array<Kind, kMaxWarps> kind_{};  // of the last instruction
  unsigned warps_ = 1, edges_ = 0, quiet_ = 0, stalled_ = 0, grows_ = 5;
};

}  // namespace g80::testing

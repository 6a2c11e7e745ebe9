// SPDX-License-Identifier: Apache-2.0
// scoreboard and a twin of it side by side: random instructions that issue and finish in any order, warps that start,
// jump and end, barriers.
#pragma once
#include <algorithm>
#include <deque>

#include "hw/isa/opcode_table.h"
#include "hw/sm/scoreboard.h"
#include "rtl/adapters/decoded_fields.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class ScoreboardPair final : public Pair<Scoreboard> {
 public:
  ScoreboardPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}) {
    pass(500);
  }
  std::string configuration() const { return fmt::format("multiplies to the SFUs: {}", config_.sm.sfu_mul); }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.sfu_mul = random() % 2 != 0;
    return config;
  }
  std::optional<std::string> other_difference() override {
    const unsigned warp = random_() % kMaxWarps;
    if (block_.head(warp) != twin_.head(warp)) return "head";  // equal instructions are one object
    return difference("pending", block_.pending(warp), twin_.pending(warp));
  }
  void reset() override {
    Pair::reset();
    issued_.clear();
    for (auto& queue : queue_) queue.clear();
    pick_.write({});
    release_.write({});
  }
  /// Few warps, so that what happens to one meets what happened to it before.
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3 * 15 + 1);
  }
  WarpMask some_warps(unsigned one_in) { return rarely(one_in) ? WarpMask{1} << some_warp() : 0; }

  /// One with few registers, so that instructions depend on each other.
  FetchedInstruction random_instruction() {
    const std::vector<isa::Row>& rows = isa::OpcodeTable::get().rows();
    const isa::Row& row = rows[random_() % rows.size()];
    std::uint64_t bits = std::uint64_t{random_()} << 32 | random_();
    if (!rarely(3)) bits &= random_registers_;
    FetchedInstruction insn;
    insn.words = (bits & ~row.mask) | row.match;
    if ((insn.words & 1) == 0) insn.words &= 0xffffffff;
    insn.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
    if (rarely(20)) insn.error = static_cast<isa::DecodeError>(random_() % enum_text(isa::DecodeError{}).count);
    insn.error = insn.decoded().error;
    return insn;
  }
  void stimulate() override {
    if (rarely(100)) quiet_ = random_() % 40;
    if (rarely(200)) backlog_ = random_() % (rarely(4) ? 400 : 30);
    if (rarely(200)) random_registers_ = ~std::uint64_t{0} << 32 | (random_() & random_());
    if (quiet_ > 0) --quiet_;
    const bool busy = quiet_ == 0;
    const ScoreboardRegs& now = block_.registers();
    std::array<unsigned, kMaxWarps> in_flight{};
    for (unsigned w = 0; w < kMaxWarps; ++w) in_flight[w] = now.in_flight[w];

    Pick pick;
    if (const std::uint8_t warp = some_warp();
        busy && !rarely(4) && block_.head(warp) != nullptr && in_flight[warp] < 200) {
      pick.valid = true;
      pick.warp = warp;
    }
    Release release;
    unsigned released = 0;
    if (busy && issued_.size() > backlog_) {
      const unsigned most = rarely(10) ? kMaxReleases : random_() % 3;
      for (; released < most && !issued_.empty(); ++released) {
        const std::size_t at = random_() % issued_.size();
        release.entry[released] = issued_[at];
        --in_flight[issued_[at].warp];
        if (pick.valid && pick.warp == issued_[at].warp) ++cases_["pick beside a release of its warp"];
        if (released > 0 && release.entry[released - 1].warp == issued_[at].warp) ++cases_["two of a warp finish"];
        issued_[at] = issued_.back();
        issued_.pop_back();
      }
      if (released == kMaxReleases) ++cases_["as many finish as can"];
    }
    DecodedGroup group;
    if (busy && !rarely(3)) {
      group.valid = true;
      group.warp = some_warp();
      group.epoch = static_cast<std::uint8_t>(now.epoch[group.warp] - (rarely(5) ? 1 : 0));
      const unsigned left =
          static_cast<unsigned>(queue_[group.warp].size()) - (pick.valid && pick.warp == group.warp ? 1u : 0u);
      group.count = static_cast<std::uint8_t>(
          std::min<std::uint64_t>(kMaxBufferEntries - left, random_() % (kMaxDecodeGroup + 1)));
      for (FetchedInstruction& insn : group.insn) insn = random_instruction();
      if (group.epoch != now.epoch[group.warp]) ++cases_["group of an old epoch"];
      if (pick.valid && pick.warp == group.warp && left == 0) ++cases_["last one picked beside an arrival"];
    }
    // What a pick issues is in flight from the next cycle on.
    if (pick.valid) {
      Release::Entry entry;
      entry.valid = true;
      entry.warp = pick.warp;
      entry.fetched = queue_[pick.warp].front();
      entry.tag.bits = static_cast<std::uint32_t>(random_());
      issued_.push_back(entry);
      queue_[pick.warp].pop_front();
      ++in_flight[pick.warp];
      if ((now.ready.ready >> pick.warp & 1) == 0) ++cases_["pick with a hazard"];
    }
    if (group.valid && group.epoch == now.epoch[group.warp])
      queue_[group.warp].insert(queue_[group.warp].end(), group.insn.begin(), group.insn.begin() + group.count);
    const auto redirect = [&](bool stack) {
      if (!busy || !rarely(stack ? 20 : 10)) return Redirect{};
      Redirect made{true, RedirectKind::kStart, some_warp(), 4 * (static_cast<std::uint32_t>(random_()) & 0xffff)};
      if (in_flight[made.warp] != 0 || (stack && !rarely(8)))
        made.kind = rarely(3) ? RedirectKind::kStop : RedirectKind::kJump;
      if (made.kind == RedirectKind::kStart && !block_.pending(made.warp).empty())
        ++cases_["start in a slot with pending results"];
      if (pick.valid && pick.warp == made.warp) ++cases_["redirect beside a pick"];
      queue_[made.warp].clear();
      return made;
    };
    const Redirect start = redirect(false), jump = redirect(true);
    if (jump.valid && start.valid && jump.warp == start.warp) ++cases_["start and redirect of one warp"];
    Resolve resolve;
    if (busy) resolve.warps = some_warps(3) | some_warps(20);
    if (busy && rarely(30)) {
      resolve.ended = true;
      resolve.ended_warp = some_warp();
      if (in_flight[resolve.ended_warp] != 0) ++cases_["ended with instructions in flight"];
    }
    if (busy || rarely(30)) waiting_.write((waiting_.read() | some_warps(10)) & ~(some_warps(8) | some_warps(8)));
    open_.write(busy ? some_warps(10) : 0);
    pick_.write(pick);
    decoded_.write(group);
    start_.write(start);
    redirect_.write(jump);
    resolve_.write(resolve);
    release_.write(release);
  }
  void note_cases() override {
    const WarpReady& ready = block_.ready_o.read();
    struct Noted {
      Cases& cases;
      void operator()(const char* name, WarpMask mask, unsigned = 0) {
        if (mask != 0) ++cases[name];
      }
    } noted{cases_};
    visit_fields(ready, noted);
    const WarpMask units[] = {ready.sp, ready.sfu, ready.dp, ready.memory, ready.texture, ready.control};
    for (unsigned i = 0; i < std::size(units); ++i)
      if (units[i] != 0) ++cases_[fmt::format("unit {}", enum_text(isa::Unit{}).names[i])];
    if (block_.drained_o.read() != 0) ++cases_["drained"];
    const auto& in_flight = block_.registers().in_flight;
    if (*std::max_element(in_flight.begin(), in_flight.end()) >= 64) ++cases_["64 of a warp in flight"];
  }

  Wire<DecodedGroup>& decoded_ = wire(block_.decoded_i);
  Wire<Redirect>& start_ = wire(block_.start_i);
  Wire<Redirect>& redirect_ = wire(block_.redirect_i);
  Wire<Pick>& pick_ = wire(block_.pick_i);
  Wire<Resolve>& resolve_ = wire(block_.resolve_i);
  Wire<WarpMask>& open_ = wire(block_.barrier_open_i);
  Wire<WarpMask>& waiting_ = wire(block_.barrier_waiting_i);
  Wire<Release>& release_ = wire(block_.release_i);
  std::array<std::deque<FetchedInstruction>, kMaxWarps> queue_;  // waiting instructions
  std::vector<Release::Entry> issued_;                           // and not yet finished
  std::uint64_t random_registers_ = ~std::uint64_t{0};
  unsigned quiet_ = 0, backlog_ = 4;
};

}  // namespace g80::testing

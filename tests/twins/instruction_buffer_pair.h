// SPDX-License-Identifier: Apache-2.0
// instruction_buffer and a twin of it side by side: random groups of instructions, picks and redirects.
#pragma once
#include "hw/sm/instruction_buffer.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class InstructionBufferPair final : public Pair<InstructionBuffer, InstructionBuffer, unsigned> {
 public:
  InstructionBufferPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}, random() % 30) {
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} entries, {} bytes a fetch", config_.sm.ibuffer_entries, config_.sm.fetch_bytes);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.fetch_bytes = 8u << random() % 2;
    config.sm.ibuffer_entries = config.sm.fetch_bytes / 4 + random() % (9 - config.sm.fetch_bytes / 4);
    return config;
  }
  void note_cases() override {}
  std::optional<std::string> other_difference() override {
    const unsigned warp = random_() % kMaxWarps;
    return difference("head_pc", block_.head_pc(warp), twin_.head_pc(warp));
  }
  void reset() override {
    Pair::reset();
    pick_.write({});
  }
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3 * 15 + 1);
  }
  void stimulate() override {
    if (rarely(100)) quiet_ = random_() % 40;
    if (quiet_ > 0) --quiet_;
    const InstructionBufferRegs& now = block_.registers();

    Pick pick;
    if (const std::uint8_t warp = some_warp(); quiet_ == 0 && !rarely(4) && now.level.count[warp] != 0) {
      pick.valid = true;
      pick.warp = warp;
      pick.to_multipliers = rarely(3);
    }
    DecodedGroup group;
    if (quiet_ == 0 && !rarely(3)) {
      group.valid = true;
      group.warp = some_warp();
      group.epoch = static_cast<std::uint8_t>(now.epoch[group.warp] - (rarely(5) ? 1 : 0));
      const unsigned left = now.level.count[group.warp] - (pick.valid && pick.warp == group.warp ? 1u : 0u);
      const unsigned room = config_.sm.ibuffer_entries > left ? config_.sm.ibuffer_entries - left : 0;
      group.count = static_cast<std::uint8_t>(std::min<std::uint64_t>(room, 1 + random_() % kMaxDecodeGroup));
      for (FetchedInstruction& insn : group.insn) {
        insn.pc = static_cast<std::uint32_t>(random_()) & 0xffffff;
        insn.error = static_cast<isa::DecodeError>(random_() % 8);
        insn.words = std::uint64_t{random_()} << 32 | random_();
      }
      if (group.epoch != now.epoch[group.warp])
        ++cases_["group of an old epoch"];
      else if (group.count == room)
        ++cases_["buffer full"];
      if (pick.valid && pick.warp == group.warp) ++cases_["pick beside an arrival"];
      if (pick.valid && pick.warp == group.warp && left == 0) ++cases_["last one picked beside an arrival"];
    }
    const auto redirect = [&](RedirectKind kind) {
      return rarely(30) ? Redirect{true, kind, some_warp(), 4 * (static_cast<std::uint32_t>(random_()) & 0xffff)}
                        : Redirect{};
    };
    const Redirect start = quiet_ == 0 ? redirect(RedirectKind::kStart) : Redirect{};
    Redirect jump = quiet_ == 0 ? redirect(RedirectKind::kJump) : Redirect{};
    if (jump.valid && start.valid && rarely(2)) jump.warp = start.warp;
    if (jump.valid && group.valid && jump.warp == group.warp) ++cases_["redirect beside an arrival"];
    if (jump.valid && pick.valid && jump.warp == pick.warp) ++cases_["redirect beside a pick"];
    if (jump.valid && start.valid && jump.warp == start.warp) ++cases_["start and redirect of one warp"];
    pick_.write(pick);
    decoded_.write(group);
    start_.write(start);
    redirect_.write(jump);
  }

  Wire<DecodedGroup>& decoded_ = wire(block_.decoded_i);
  Wire<Redirect>& start_ = wire(block_.start_i);
  Wire<Redirect>& redirect_ = wire(block_.redirect_i);
  Wire<Pick>& pick_ = wire(block_.pick_i);
  unsigned quiet_ = 0;
};

}  // namespace g80::testing

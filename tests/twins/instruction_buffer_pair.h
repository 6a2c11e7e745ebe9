// SPDX-License-Identifier: Apache-2.0
// instruction_buffer and a twin of it side by side: random groups of instructions, picks and redirects.
#pragma once
#include "hw/sm/instruction_buffer.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class InstructionBufferPair {
 public:
  using MakeTwin = std::unique_ptr<InstructionBuffer> (*)(const char* name, const Config& config, unsigned sm_id);

  InstructionBufferPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        sm_id_(random() % 30),
        block_("block", config_, sm_id_),
        made_twin_(make("twin", config_, sm_id_)),
        twin_(*made_twin_) {
    for (InstructionBuffer* each : {&block_, &twin_}) {
      each->decoded_i(decoded_);
      each->start_i(start_);
      each->redirect_i(redirect_);
      each->pick_i(pick_);
      shader_.add(*each);
    }
    block_.issue_o(block_issue_);
    twin_.issue_o(twin_issue_);
    block_.level_o(block_level_);
    twin_.level_o(twin_level_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const {
    return fmt::format("SM {}, {} entries, {} bytes a fetch", sm_id_, config_.sm.ibuffer_entries,
                       config_.sm.fetch_bytes);
  }

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) {
      reset();
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    if (auto found = difference("issue_o", block_issue_.read(), twin_issue_.read())) return found;
    if (auto found = difference("level_o", block_level_.read(), twin_level_.read())) return found;
    const unsigned warp = random_() % kMaxWarps;
    if (auto found = difference("head_pc", block_.head_pc(warp), twin_.head_pc(warp))) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.sm.fetch_bytes = 8u << random() % 2;
    config.sm.ibuffer_entries = config.sm.fetch_bytes / 4 + random() % (9 - config.sm.fetch_bytes / 4);
    return config;
  }
  void reset() {
    reset_both(block_, twin_);
    pick_.write({});
    ++cases_["reset"];
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  std::uint8_t some_warp() {
    return static_cast<std::uint8_t>(rarely(4) ? random_() % kMaxWarps : random_() % 3 * 15 + 1);
  }
  void stimulate() {
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

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  const unsigned sm_id_;
  Wire<DecodedGroup> decoded_{"decoded"};
  Wire<Redirect> start_{"start"}, redirect_{"redirect"};
  Wire<Pick> pick_{"pick"};
  Wire<Issue> block_issue_{"block_issue"}, twin_issue_{"twin_issue"};
  Wire<BufferLevel> block_level_{"block_level"}, twin_level_{"twin_level"};
  InstructionBuffer block_;
  const std::unique_ptr<InstructionBuffer> made_twin_;
  InstructionBuffer& twin_;
  unsigned quiet_ = 0;
};

}  // namespace g80::testing

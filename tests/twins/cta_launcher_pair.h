// SPDX-License-Identifier: Apache-2.0
// cta_launcher and a twin of it side by side: grids of every shape, blocks that come and warps that end at any time.
#pragma once
#include <algorithm>

#include "hw/sm/cta_launcher.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class CtaLauncherPair {
 public:
  using MakeTwin = std::unique_ptr<CtaLauncher> (*)(const char* name, const Config& config);

  CtaLauncherPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        config_(random_config(random)),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        of_block_(shader_, "block"),
        of_twin_(shader_, "twin"),
        block_("block", config_),
        made_twin_(make("twin", config_)),
        twin_(*made_twin_) {
    connect(block_, of_block_);
    connect(twin_, of_twin_);
    // Over the edges in reset, in which nothing is taken. Inputs change between edges.
    sc_core::sc_start(sc_core::sc_time(2500, sc_core::SC_PS));
  }
  std::string configuration() const {
    const auto& sm = config_.sm;
    return fmt::format("{} warps, {} blocks, granule {}, {} words, {} lanes", sm.max_warps, sm.max_ctas,
                       sm.shared_granule, sm.launch_words, sm.launch_lanes);
  }

  std::optional<std::string> cycle() {
    if (rarely(900)) {
      reset_both(block_, twin_);
      ++cases_["reset"];
      if (auto found = drawn_difference(block_, twin_)) return "in reset: " + *found;
    }
    stimulate();
    const CtaLauncherRegs before = block_.registers();
    const unsigned came = of_block_.ctas.size(), reports = of_block_.done.size();
    const std::uint64_t activations = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - activations;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    note_cases(before, of_block_.ctas.size() != came, reports);
    if (auto found = difference("blocks left", of_block_.ctas.size(), of_twin_.ctas.size())) return found;
    if (auto found = difference("reports sent", of_block_.done.size(), of_twin_.done.size())) return found;
    if (of_block_.done.size() > 0) {
      if (auto found = difference("cta_done_o", of_block_.done.newest(), of_twin_.done.newest())) return found;
    }
    if (auto found = difference("launch_o", of_block_.launch.read(), of_twin_.launch.read())) return found;
    if (auto found = difference("start_o", of_block_.start.read(), of_twin_.start.read())) return found;
    if (auto found = difference("redirect_o", of_block_.redirect.read(), of_twin_.redirect.read())) return found;
    if (auto found = difference("kernel_o", of_block_.kernel.read(), of_twin_.kernel.read())) return found;
    if (auto found = difference("ended_o", of_block_.ended.read(), of_twin_.ended.read())) return found;
    if (auto found = difference("smem_start_o", of_block_.smem_start.read(), of_twin_.smem_start.read())) return found;
    if (auto found = difference("fill_o", of_block_.fill.read(), of_twin_.fill.read())) return found;
    if (auto found = difference("registers_o", of_block_.registers.read(), of_twin_.registers.read())) return found;
    if (auto found = difference("numbers_o", of_block_.numbers.read(), of_twin_.numbers.read())) return found;
    if (auto found = difference("counters", block_.counters(), twin_.counters())) return found;
    return drawn_difference(block_, twin_);
  }

 private:
  static constexpr unsigned kReports = 2;  // places for reports to the CTA scheduler

  /// What only one of the two drives or reads.
  struct Side {
    Side(Domain& shader, const std::string& name)
        : ctas((name + "_ctas").c_str(), nullptr, &shader, 4, 1),
          done((name + "_done").c_str(), &shader, nullptr, kReports, 1),
          launch((name + "_launch").c_str()),
          start((name + "_start").c_str()),
          redirect((name + "_redirect").c_str()),
          kernel((name + "_kernel").c_str()),
          ended((name + "_ended").c_str()),
          smem_start((name + "_smem_start").c_str()),
          fill((name + "_fill").c_str()),
          registers((name + "_registers").c_str()),
          numbers((name + "_numbers").c_str()) {}
    CrossingFifo<CtaLaunch> ctas;
    CrossingFifo<CtaDone> done;
    Wire<LaunchState> launch;
    Wire<WarpStart> start;
    Wire<Redirect> redirect;
    Wire<std::uint32_t> kernel;
    Wire<WarpMask> ended;
    Wire<SmemStart> smem_start;
    Wire<SmemFill> fill;
    Wire<RegisterStart> registers;
    Wire<ThreadNumbers> numbers;
  };

  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    auto& sm = config.sm;
    sm.max_warps = random() % 2 != 0 ? kMaxWarps : 1 + random() % kMaxWarps;
    sm.max_ctas = random() % 2 != 0 ? kMaxCtasPerSm : 1 + random() % kMaxCtasPerSm;
    sm.shared_granule = 4u << random() % 9;
    sm.launch_words = 1 + random() % kNumSmemBanks;
    sm.launch_lanes = random() % 2 != 0 ? 1u << (1 + random() % 5) : 1 + random() % kWarpSize;
    return config;
  }
  void connect(CtaLauncher& each, Side& side) {
    each.launch_i(launch_);
    each.launch_o(side.launch);
    each.cta_i(side.ctas);
    each.cta_done_o(side.done);
    each.drained_i(drained_);
    each.fetch_waits_i(fetch_waits_);
    each.accesses_busy_i(accesses_busy_);
    each.start_o(side.start);
    each.redirect_o(side.redirect);
    each.kernel_o(side.kernel);
    each.ended_o(side.ended);
    each.smem_start_o(side.smem_start);
    each.fill_o(side.fill);
    each.fill_ready_i(fill_ready_);
    each.registers_o(side.registers);
    each.numbers_o(side.numbers);
    each.numbers_room_i(numbers_room_);
    shader_.add(each);
  }
  bool rarely(unsigned one_in) { return random_() % one_in == 0; }
  /// Bits of which few, some or many are set.
  std::uint32_t random_word() {
    const auto bits = static_cast<std::uint32_t>(random_());
    return rarely(4) ? bits & static_cast<std::uint32_t>(random_()) : bits;
  }

  LaunchState random_launch() {
    LaunchState launch;
    const unsigned most = std::min(kMaxThreadsPerCta, config_.sm.max_warps * kWarpSize);
    const auto size = [this](unsigned limit) {
      return static_cast<std::uint16_t>(1 + random_() % std::min(limit, rarely(2) ? limit : 8));
    };
    launch.block_x = rarely(6) ? 1 : size(most);
    launch.block_y = size(most / launch.block_x);
    launch.block_z = size(std::min(64u, most / launch.block_x / launch.block_y));
    if (rarely(8)) std::swap(launch.block_x, launch.block_y);
    launch.threads = static_cast<std::uint16_t>(launch.block_x * launch.block_y * launch.block_z);
    launch.code_base = random_word();
    launch.start_pc = random_word() & 0xffffff;
    launch.grid_x = static_cast<std::uint16_t>(random_());
    launch.grid_y = static_cast<std::uint16_t>(random_());
    launch.grid_id = static_cast<std::uint16_t>(random_());
    launch.registers = static_cast<std::uint8_t>(random_() % (kMaxRegistersPerThread + 1));
    const unsigned rows = kMaxRegistersPerSm / kWarpSize / config_.sm.max_warps;
    launch.registers = static_cast<std::uint8_t>(std::min<unsigned>(launch.registers, rows));
    launch.num_params = static_cast<std::uint8_t>(rarely(4) ? kMaxUserParams : random_() % (kMaxUserParams + 1));
    for (std::uint32_t& word : launch.param) word = random_word();
    launch.shared_bytes = static_cast<std::uint16_t>(random_() % (rarely(2) ? 1024 : kMaxSharedBytes + 1));
    if (rarely(8)) launch.shared_bytes = static_cast<std::uint16_t>(random_() % 24);
    launch.num_barriers = static_cast<std::uint8_t>(1 + random_() % kMaxBarriers);
    launch.local_base = random_word(), launch.local_bytes = random_word();
    launch.stack_base = random_word(), launch.stack_depth = random_word();
    launch.call_limit_log = static_cast<std::uint8_t>(random_());
    for (ConstBankBinding& bank : launch.const_bank) bank = {rarely(2), random_word(), random_word()};
    for (GlobalSpace& space : launch.global) space = {rarely(2), random_word(), random_word()};
    launch.textures.header_base = random_word();
    for (TableBinding& texture : launch.textures.texture) texture = {rarely(2), random_word()};
    for (TableBinding& sampler : launch.textures.sampler) sampler = {rarely(2), random_word()};
    return launch;
  }
  /// How many blocks of the grid fit in the SM at a time.
  unsigned fitting() const {
    const LaunchState& launch = launch_.read();
    const unsigned warps = (launch.threads + kWarpSize - 1) / kWarpSize;
    const unsigned granule = config_.sm.shared_granule, share = (launch.shared_bytes + granule - 1) / granule * granule;
    const unsigned by_shared = share == 0 ? kMaxCtasPerSm : kMaxSharedBytes / share;
    return std::min({config_.sm.max_ctas, config_.sm.max_warps / warps, by_shared});
  }
  unsigned resident() const {
    unsigned blocks = 0;
    for (const CtaSlot& slot : block_.registers().slot) blocks += slot.valid;
    return blocks;
  }

  void stimulate() {
    if (rarely(250)) {
      comes_one_in_ = 1 + random_() % (rarely(2) ? 3 : 60);
      drains_one_in_ = 4 << random_() % 8;
      held_one_in_ = 1 + random_() % 6;
    }
    if (quiet_ > 0) {
      --quiet_;
      return;
    }
    if (rarely(60)) quiet_ = random_() % 30;
    const CtaLauncherRegs& now = block_.registers();
    if (resident() == 0 && !now.launching && of_block_.ctas.size() == 0 && rarely(3)) {
      launch_.write(random_launch());
      kernel_ += 1 + random_() % 3;
      ++cases_["new grid"];
    }
    if (resident() + of_block_.ctas.size() < fitting() && of_block_.ctas.can_push() && of_twin_.ctas.can_push() &&
        rarely(comes_one_in_)) {
      const CtaLaunch cta = {true, static_cast<std::uint16_t>(random_()), static_cast<std::uint16_t>(random_()),
                             kernel_};
      of_block_.ctas.push(cta);
      of_twin_.ctas.push(cta);
    }
    WarpMask drained = drained_.read();
    if (now.start.valid && !rarely(8)) drained &= ~(WarpMask{1} << now.start.warp);
    for (unsigned w = 0; w < kMaxWarps; ++w) {
      if (rarely(drains_one_in_)) drained |= WarpMask{1} << w;
    }
    if (rarely(40)) drained = ~WarpMask{0};  // several blocks end at once
    drained_.write(drained);
    fill_ready_.write(!rarely(held_one_in_ + 1));
    numbers_room_.write(!rarely(held_one_in_ + 1));
    fetch_waits_.write(rarely(held_one_in_ + 1));
    accesses_busy_.write(rarely(held_one_in_ + 1));
    if (rarely(held_one_in_) && of_block_.done.available() && of_twin_.done.available()) {
      of_block_.done.pop();
      of_twin_.done.pop();
    }
  }

  void note_cases(const CtaLauncherRegs& before, bool begun, unsigned reports) {
    const CtaLauncherRegs& now = block_.registers();
    const LaunchState& launch = of_block_.launch.read();
    if (begun) {
      if (launch.shared_bytes < 4) ++cases_["no header"];
      if (launch.shared_bytes >= 4 && launch.shared_bytes / 4u < 4u + launch.num_params) ++cases_["header cut short"];
      if (now.header_words == 4 + kMaxUserParams) ++cases_["longest header"];
      if (before.slot[now.launching_slot].valid) ++cases_["slot of a block that has just ended"];
      if (now.slot[now.launching_slot].num_warps == kMaxWarpsPerCta) ++cases_["block of 16 warps"];
      if (resident() == kMaxCtasPerSm) ++cases_["8 blocks"];
    }
    if (now.fill.valid && before.fill.valid && now.fill.first == before.fill.first && !fill_ready_.read())
      ++cases_["address unit takes no words"];
    if (now.launching && now.header_words == 0 && !now.fill.valid && !numbers_room_.read())
      ++cases_["no room for numbers"];
    if (now.numbers.valid && now.numbers.lanes == 0) ++cases_["lanes without threads"];
    if (now.start.valid) {
      if (now.start.lanes != ~LaneMask{0}) ++cases_["warp of fewer threads"];
      if (launch.block_x > kWarpSize) ++cases_["rows longer than a warp"];
      if (launch.block_x < kWarpSize && launch.block_y > 1 && launch.block_z > 1) ++cases_["three dimensions"];
      if (launch.block_x == 1) ++cases_["one thread in a row"];
    }
    unsigned over = 0;
    for (unsigned s = 0; s < kMaxCtasPerSm; ++s) over += before.slot[s].valid && before.slot[s].live == 0;
    if (over > (before.launching ? 2u : 1u)) ++cases_["several blocks over"];
    if (over > 1 && reports == kReports) ++cases_["no room for a report"];
    if (now.ended != 0) ++cases_["block ends"];
    if (now.ended != 0 && now.launching) ++cases_["block ends while another begins"];
    if (now.told_idle && !before.told_idle) ++cases_["idle"];
    if (!now.told_idle && !before.told_idle && resident() == 0 && !now.launching) {
      if (fetch_waits_.read()) ++cases_["a fetch waits"];
      if (accesses_busy_.read()) ++cases_["an access is on its way"];
    }
  }

  std::mt19937& random_;
  Cases& cases_;
  const Config config_;
  Domain shader_;
  Wire<LaunchState> launch_{"launch"};
  Wire<WarpMask> drained_{"drained"};
  Wire<bool> fetch_waits_{"fetch_waits"}, accesses_busy_{"accesses_busy"};
  Wire<bool> fill_ready_{"fill_ready"}, numbers_room_{"numbers_room"};
  Side of_block_, of_twin_;
  CtaLauncher block_;
  const std::unique_ptr<CtaLauncher> made_twin_;
  CtaLauncher& twin_;
  std::uint32_t kernel_ = 1;
  unsigned quiet_ = 0, comes_one_in_ = 3, drains_one_in_ = 64, held_one_in_ = 3;
};

}  // namespace g80::testing

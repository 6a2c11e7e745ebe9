// SPDX-License-Identifier: Apache-2.0
// cta_launcher and a twin of it side by side: grids of every shape, whose rows come fast or slowly, blocks that come
// and warps that end at any time.
#pragma once
#include <algorithm>
#include <deque>

#include "hw/sm/cta_launcher.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class CtaLauncherPair final : public Pair<CtaLauncher> {
 public:
  CtaLauncherPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {kPlaces}) {
    pass(2500);  // over the edges in reset, in which nothing is taken
  }
  std::string configuration() const {
    const auto& sm = config_.sm;
    return fmt::format("{} warps, {} blocks, granule {}, {} words, {} lanes", sm.max_warps, sm.max_ctas,
                       sm.shared_granule, sm.launch_words, sm.launch_lanes);
  }

 private:
  static constexpr unsigned kPlaces = 4;  // of each queue

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
  /// Bits of which few, some or many are set.
  std::uint32_t random_word() {
    const auto bits = static_cast<std::uint32_t>(random_());
    return rarely(4) ? bits & static_cast<std::uint32_t>(random_()) : bits;
  }

  LaunchState random_launch() {
    LaunchState launch;
    launch.number = static_cast<std::uint8_t>(kernel_);
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
    launch.num_params = static_cast<std::uint8_t>(rarely(4)   ? random_() % (kMaxUserParams + 1)
                                                  : rarely(8) ? kMaxUserParams
                                                              : random_() % 8);
    launch.shared_bytes = static_cast<std::uint16_t>(random_() % (rarely(2) ? 1024 : kMaxSharedBytes + 1));
    if (rarely(8)) launch.shared_bytes = static_cast<std::uint16_t>(random_() % 24);
    launch.local_base = random_word(), launch.local_bytes = random_word() & 0x1ffff;
    launch.stack_base = random_word(), launch.stack_depth = random_word() & 0x1fff;
    launch.call_limit_log = static_cast<std::uint8_t>(random_());
    for (ConstBankBinding& bank : launch.const_bank) bank = {rarely(2), random_word(), random_word() & 0x1ffff};
    for (GlobalSpace& space : launch.global) space = {rarely(2), random_word(), random_word()};
    return launch;
  }
  /// How many blocks of the grid fit in the SM at a time.
  unsigned fitting() const {
    const LaunchState& launch = launch_;
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

  /// Not beside an entry, which would wait for a launch that the reset has taken away.
  bool is_reset_now() override {
    return rarely(500) && queue(block_.cta_i).size() == 0 && queue(block_.row_i).size() == 0;
  }
  void reset() override {
    Pair::reset();
    has_grid_ = false;
    rows_.clear();
    launch_ = LaunchState{};
  }
  void begin_grid() {
    using namespace launch_row;
    kernel_ += 1 + random_() % 3;
    std::array<std::uint32_t, kMaxUserParams> param{};
    for (std::uint32_t& word : param) word = random_word();
    const LaunchState launch = random_launch();
    for (const LaunchBeat& row : sm_rows(launch, param)) {
      const bool is_used = row.row == kGrid || row.row == kBlock || row.row >= kParam;
      if (!is_used && !rarely(10)) continue;  // what the launcher alone does not use
      rows_.push_back(row);
      store_row(row, launch_, param);
    }
    rows_one_in_ = rarely(3) ? 1 + random_() % 4 : 1;
    has_grid_ = true;
    ++cases_["new grid"];
  }
  void send_row() {
    if (rows_.empty() || !queue(block_.row_i).can_push() || !queue(twin_.row_i).can_push() || !rarely(rows_one_in_))
      return;
    queue(block_.row_i).push(rows_.front());
    queue(twin_.row_i).push(rows_.front());
    rows_.pop_front();
  }
  void stimulate() override {
    send();
    before_ = block_.registers();
    came_ = queue(block_.cta_i).size(), reports_ = queue(block_.cta_done_o).size();
  }
  void send() {
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
    if (resident() == 0 && !now.launching && queue(block_.cta_i).size() == 0 && rows_.empty() &&
        queue(block_.row_i).size() == 0 && (!has_grid_ || rarely(3)))
      begin_grid();
    send_row();
    if (resident() + queue(block_.cta_i).size() < fitting() && queue(block_.cta_i).can_push() &&
        queue(twin_.cta_i).can_push() && rarely(comes_one_in_)) {
      const CtaLaunch cta = {true, static_cast<std::uint16_t>(random_()), static_cast<std::uint16_t>(random_()),
                             kernel_};
      queue(block_.cta_i).push(cta);
      queue(twin_.cta_i).push(cta);
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
    if (rarely(held_one_in_) && queue(block_.cta_done_o).available() && queue(twin_.cta_done_o).available()) {
      queue(block_.cta_done_o).pop();
      queue(twin_.cta_done_o).pop();
    }
  }

  void note_cases() override {
    const CtaLauncherRegs& before = before_;
    const bool begun = queue(block_.cta_i).size() != came_;
    if (came_ != 0 && resident() == 0 && !rows_.empty()) ++cases_["a block waits for the last row"];
    const unsigned reports = reports_;
    const CtaLauncherRegs& now = block_.registers();
    const LaunchState& launch = launch_;
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
    if (over > 1 && reports == kPlaces) ++cases_["no room for a report"];
    if (now.ended != 0) ++cases_["block ends"];
    if (now.ended != 0 && now.launching) ++cases_["block ends while another begins"];
    if (now.told_idle && !before.told_idle) ++cases_["idle"];
    if (!now.told_idle && !before.told_idle && resident() == 0 && !now.launching) {
      if (fetch_waits_.read()) ++cases_["a fetch waits"];
      if (accesses_busy_.read()) ++cases_["an access is on its way"];
    }
  }

  LaunchState launch_;
  std::deque<LaunchBeat> rows_;  // still to send
  bool has_grid_ = false;
  Wire<WarpMask>& drained_ = wire(block_.drained_i);
  Wire<bool>& fetch_waits_ = wire(block_.fetch_waits_i);
  Wire<bool>& accesses_busy_ = wire(block_.accesses_busy_i);
  Wire<bool>& fill_ready_ = wire(block_.fill_ready_i);
  Wire<bool>& numbers_room_ = wire(block_.numbers_room_i);
  CtaLauncherRegs before_;
  unsigned came_ = 0, reports_ = 0;  // entries of the queues before the edge
  std::uint32_t kernel_ = 1;
  unsigned quiet_ = 0, comes_one_in_ = 3, drains_one_in_ = 64, held_one_in_ = 3, rows_one_in_ = 1;
};

}  // namespace g80::testing

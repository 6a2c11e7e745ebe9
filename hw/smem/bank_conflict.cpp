// SPDX-License-Identifier: Apache-2.0
#include "hw/smem/bank_conflict.h"

#include "hw/bundles/retirement_port.h"
#include "hw/common/set_bits.h"

namespace g80 {

namespace {

constexpr HalfMask kAllLanes = 0xffff;
constexpr std::uint32_t kAllBanks = (1u << kNumSmemBanks) - 1;
constexpr HalfMask kLane[kHalfWarp] = {0x1,   0x2,   0x4,   0x8,   0x10,   0x20,   0x40,   0x80,
                                       0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};

}  // namespace

HalfMask select_pass(HalfMask pending, const HalfWords& word, bool write) {
  if (pending == 0) return 0;
  HalfMask served = 0;
  std::uint32_t busy_banks = 0;
  const std::uint16_t broadcast = word[static_cast<unsigned>(__builtin_ctz(pending))];
  if (!write) {
    busy_banks |= 1u << broadcast % kNumSmemBanks;
    for (unsigned l = 0; l < kHalfWarp; ++l) served |= word[l] == broadcast ? kLane[l] : 0;  // as vectors of the host
    served = static_cast<HalfMask>(served & pending);
    if (served == pending) return served;
  }
  if (pending == kAllLanes) {
    std::uint32_t wanted_banks = 0;
    for (const std::uint16_t each : word) wanted_banks |= 1u << each % kNumSmemBanks;
    if (wanted_banks == kAllBanks) return pending;
  }
  for (const unsigned l : set_bits(pending & ~served)) {
    const std::uint32_t bank = 1u << word[l] % kNumSmemBanks;
    if ((busy_banks & bank) != 0) continue;
    busy_banks |= bank;
    served = static_cast<HalfMask>(served | 1u << l);
  }
  return served;
}

BankConflict::BankConflict(const sc_core::sc_module_name& name, const Config& config)
    : Clocked(name), pass_interval_(smem_pass_interval(config)) {}

void BankConflict::next() {
  const SmemRequest& request = request_i.read();
  if (request.valid && q_.ready) {
    queue_.push(request);
    if (queue_.size() == 1) d_.pending = request.lanes;
    counters_.requests += !request.header;
  }
  d_.pass = {};
  if (q_.wait > 0) d_.wait = static_cast<std::uint8_t>(q_.wait - 1);
  if (!queue_.empty() && q_.wait == 0) {
    const SmemRequest& head = queue_.front();
    HalfWords word;
    for (unsigned l = 0; l < kHalfWarp; ++l) word[l] = static_cast<std::uint16_t>(head.address[l] / 4);
    const HalfMask served = select_pass(d_.pending, word, head.write);
    counters_.passes += !head.header;
    if (d_.pending != head.lanes) {
      ++counters_.conflicts;
      if (reports_ != nullptr && reports_->reports_profile()) reports_->at(edge()).conflict.add().pc = head.origin.pc;
    }
    d_.pending = static_cast<HalfMask>(d_.pending & ~served);
    d_.pass.valid = true;
    d_.pass.lanes = served;
    d_.pass.last = d_.pending == 0;
    d_.pass.request = head;
    d_.wait = static_cast<std::uint8_t>(pass_interval_ - 1);
    if (d_.pass.last) {
      queue_.pop();
      if (!queue_.empty()) d_.pending = queue_.front().lanes;
    }
  }
  d_.ready = !queue_.full();
  if (queue_.empty() && !d_.pass.valid && d_.wait == 0) sleep();
}

}  // namespace g80

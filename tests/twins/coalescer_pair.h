// SPDX-License-Identifier: Apache-2.0
// coalescer and a twin of it side by side, with random half-warps and a random arbiter.
#pragma once
#include "hw/mem/coalescer.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class CoalescerPair final : public Pair<Coalescer, Coalescer, unsigned, unsigned> {
 public:
  CoalescerPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, random_config(random), {}, random() % kMaxTpcs, random() % kMaxSmsPerTpc) {
    pass(500);
  }
  std::string configuration() const {
    return fmt::format("{} rule{}, queue {}, {} cycles per transaction",
                       config_.coalescer.segment_rule ? "segment" : "strict",
                       config_.coalescer.share_words ? " with shared words" : "", config_.coalescer.queue,
                       config_.coalescer.cycles_per_transaction);
  }

 private:
  static Config random_config(std::mt19937& random) {
    Config config = load_config("tiny");
    config.coalescer.segment_rule = random() % 2 != 0;
    config.coalescer.share_words = random() % 2 != 0;
    config.coalescer.cycles_per_transaction = std::array{1u, 1u, 1u, 2u, 16u}[random() % 5];
    config.coalescer.queue = std::array{1u, 2u, 3u, 8u, 64u}[random() % 5];
    return config;
  }
  void stimulate() override {
    counted_ = block_.counters();
    if (quiet_ > 0) --quiet_;
    if (random_() % 200 == 0) quiet_ = random_() % 60;
    if (random_() % 60 == 0)
      arbiter_ = std::min(4u, static_cast<unsigned>(random_() % 8));  // 0 takes nothing, 4 everything
    ready_.write(random_() % 4 < arbiter_);
    if (quiet_ == 0 && random_() % 3 == 0 && queue(block_.access_i).can_push() && queue(twin_.access_i).can_push()) {
      const HalfWarpAccess access = random_access();
      queue(block_.access_i).push(access);
      queue(twin_.access_i).push(access);
    }
  }
  HalfWarpAccess random_access() {
    HalfWarpAccess access;
    access.valid = true;
    const unsigned op = random_() % 8;
    access.op = op < 4 ? MemOp::kRead : op < 6 ? MemOp::kWrite : op == 6 ? MemOp::kReduce : MemOp::kAtomic;
    access.client =
        std::array{MemClient::kLocal, MemClient::kStack, MemClient::kGlobal}[std::min<std::size_t>(random_() % 6, 2)];
    access.half = random_() % 2;
    access.lanes = random_lanes(random_);
    access.bytes = static_cast<std::uint8_t>(op < 6 ? 1u << random_() % 5 : 4u << random_() % 2);
    access.atom_op = static_cast<std::uint8_t>(random_() % 16);
    access.atom_signed = random_() % 2 != 0;
    access.id = static_cast<std::uint8_t>(random_());
    access.origin = random_origin(random_);
    const unsigned bytes = access.bytes, pattern = random_() % 3 == 0 ? 0 : random_() % 9;
    const std::uint32_t base =
        static_cast<std::uint32_t>(random_() % 16 == 0 ? 0xffffff00u : random_()) & ~(kHalfWarp * bytes - 1);
    for (unsigned l = 0; l < kHalfWarp; ++l) {
      std::uint32_t address = base + l * bytes;  // 0: in place
      switch (pattern) {
        case 1: address += bytes; break;                                                        // one word too far
        case 2: address = base + (kHalfWarp - 1 - l) * bytes; break;                            // reversed
        case 3: address = base; break;                                                          // one word for all
        case 4: address = base + random_() % kHalfWarp * bytes; break;                          // inside one segment
        case 5: address = base + 64 - 2 * bytes + l * bytes; break;                             // across a boundary
        case 6: address = static_cast<std::uint32_t>(random_()) % 4096 / bytes * bytes; break;  // anywhere
        case 7: address = base + (l ^ (random_() % 8 == 0 ? 1 : 0)) * bytes; break;  // one lane out of place, perhaps
        case 8: address += random_() % 8 == 0 ? 0x1000 : 0; break;  // one lane at its place elsewhere, perhaps
        default: break;
      }
      access.address[l] = address;
      for (std::uint32_t& word : access.data[l]) word = static_cast<std::uint32_t>(random_());
    }
    return access;
  }
  void note_cases() override {
    const Coalescer::Counters& before = counted_;
    const Coalescer::Counters& now = block_.counters();
    const CoalescerRegs& registers = block_.registers();
    const std::string rule = config_.coalescer.segment_rule ? "segment rule: " : "strict rule: ";
    if (registers.offered && !ready_.read()) ++cases_["transaction refused"];
    if (!queue(block_.access_i).can_push()) ++cases_["accesses wait"];
    if (registers.idle) ++cases_["idle"];
    if (now.half_warps != before.half_warps && registers.made == 0) ++cases_["access without lanes"];
    if (now.half_warps != before.half_warps && registers.made == 16) ++cases_[rule + "16 transactions"];
    if (now.gld_coherent != before.gld_coherent || now.gst_coherent != before.gst_coherent)
      ++cases_[rule + "coalesced"];
    if (now.gld_incoherent != before.gld_incoherent || now.gst_incoherent != before.gst_incoherent)
      ++cases_[rule + "uncoalesced"];
    if (now.gld_incoherent != before.gld_incoherent && registers.made == 1 && !config_.coalescer.segment_rule)
      ++cases_["lanes share a word"];
    if (now.atomics != before.atomics) ++cases_[rule + "atomic"];
    if (now.local_load != before.local_load || now.local_store != before.local_store) ++cases_[rule + "local"];
    if (now.stack_transactions != before.stack_transactions) ++cases_[rule + "control stack"];
    if (now.gst_32b + now.gst_64b + now.gst_128b != before.gst_32b + before.gst_64b + before.gst_128b) {
      ++cases_[fmt::format("{}store of {} bytes", rule, now.bytes - before.bytes)];
    }
    if (registers.offered && sent_ + config_.coalescer.queue == now.transactions) ++cases_["queue full"];
    if (now.transactions < sent_) sent_ = 0;
    if (registers.offered && ready_.read()) ++sent_;
  }

  Wire<bool>& ready_ = wire(block_.request_ready_i);
  Coalescer::Counters counted_;
  unsigned quiet_ = 0, arbiter_ = 4;
  std::uint64_t sent_ = 0;
};

}  // namespace g80::testing

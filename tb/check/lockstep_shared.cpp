// SPDX-License-Identifier: Apache-2.0
// Shared memory: the lanes and addresses of each pass, the data in the banks, and the lanes that get a lock.
#include <fmt/format.h>

#include <cstring>

#include "tb/check/lockstep_state.h"

namespace g80 {

using golden::AccessKind;
using golden::MemoryAccess;
using golden::PortStatus;

namespace {

std::uint32_t mask_of(unsigned bytes) { return bytes == 4 ? ~0u : bytes == 2 ? 0xffffu : 0xffu; }

}  // namespace

PortStatus LockStep::Port::shared(MemoryAccess& access) {
  const std::uint32_t tag = issue_.tag.bits;
  Warp& warp = sm_.warps[issue_.warp];
  if (access.kind == AccessKind::kStore || access.kind == AccessKind::kUnlock) {
    owner_.compare_access_operands(sm_, issue_, access, operands_);
    Expected& expected = sm_.shared_stores[tag];
    expected.access = access;
    expected.remaining = access.lanes;
    expected.where = where_of(sm_, issue_);
    const auto early = sm_.passes.find(tag);
    if (early != sm_.passes.end()) {
      for (const SmLog::Smem& pass : early->second) owner_.check_shared_store(expected.where, warp, expected, pass);
      sm_.passes.erase(early);
    }
    if (expected.remaining == 0) sm_.shared_stores.erase(tag);
    return PortStatus::kDone;
  }
  const auto found = sm_.passes.find(tag);
  LaneMask seen = 0;
  if (found != sm_.passes.end()) {
    for (const SmLog::Smem& pass : found->second) seen |= LaneMask{pass.lanes} << (kHalfWarp * pass.half);
  }
  if ((seen & access.lanes) != access.lanes) return PortStatus::kNotReady;
  if (found == sm_.passes.end()) return PortStatus::kDone;
  access.granted = 0;
  for (const SmLog::Smem& pass : found->second) {
    owner_.check_lock_wanted(where_of(sm_, issue_), access, pass);
    access.granted |= LaneMask{pass.granted} << (kHalfWarp * pass.half);
    for_lanes(pass.lanes, [&](unsigned l) {
      const unsigned lane = pass.half * kHalfWarp + l;
      const std::uint32_t seen_at = static_cast<std::uint32_t>(pass.address[l] - warp.shared_base);
      if ((access.lanes >> lane & 1) == 0 || seen_at != access.address[lane]) {
        Where where = where_of(sm_, issue_);
        where.cycle = pass.cycle;
        owner_.differ(
            where,
            fmt::format("lane {} reads s[0x{:x}], expected {}", lane, seen_at,
                        (access.lanes >> lane & 1) != 0 ? fmt::format("s[0x{:x}]", access.address[lane]) : "no access"),
            sm_.block("address_unit"), "this block computes the addresses of s[]");
      }
      access.data[0][lane] = pass.data[l];
    });
  }
  sm_.passes.erase(found);
  return PortStatus::kDone;
}

void LockStep::check_shared_store(const Where& at_issue, const Warp& warp, Expected& expected,
                                  const SmLog::Smem& pass) {
  Where where = at_issue;
  where.cycle = pass.cycle;
  check_lock_wanted(where, expected.access, pass);
  const std::uint32_t mask = mask_of(pass.bytes);
  for_lanes(pass.lanes, [&](unsigned l) {
    const unsigned lane = pass.half * kHalfWarp + l;
    const std::uint32_t at = static_cast<std::uint32_t>(pass.address[l] - warp.shared_base);
    const bool wanted = (expected.remaining >> lane & 1) != 0;
    if (!wanted || at != expected.access.address[lane] ||
        (pass.data[l] & mask) != (expected.access.data[0][lane] & mask)) {
      differ(where,
             fmt::format("lane {} stores 0x{:x} to s[0x{:x}], expected {}", lane, pass.data[l] & mask, at,
                         wanted ? fmt::format("0x{:x} to s[0x{:x}]", expected.access.data[0][lane] & mask,
                                              expected.access.address[lane])
                                : std::string("no store")),
             sms_[where.sm]->block("address_unit"), "its operands are correct");
    }
    expected.remaining &= ~(LaneMask{1} << lane);
  });
}

void LockStep::check_lock_wanted(const Where& where, const MemoryAccess& access, const SmLog::Smem& pass) const {
  const bool wanted = access.kind == AccessKind::kLock || access.kind == AccessKind::kUnlock;
  if (pass.lock == wanted) return;
  differ(where, wanted ? "accesses s[] without its lock" : "changes a lock of s[], but is no lock instruction",
         sms_[where.sm]->block("address_unit"), "this block sets the kind of the access");
}

// Compares the locks that a pass grants with those that the reference grants after all earlier passes.
void LockStep::check_locks(Sm& sm, const Where& where, unsigned slot, const SmLog::Smem& pass) {
  LaneMask granted = 0;
  for_lanes(pass.lock ? pass.lanes : 0, [&](unsigned l) {
    if (pass.write) {
      sm.locks.unlock(slot, pass.address[l]);
    } else if (sm.locks.lock(slot, pass.address[l])) {
      granted |= LaneMask{1} << l;
    }
  });
  if (granted == pass.granted) return;
  const unsigned l = static_cast<unsigned>(__builtin_ctz(granted ^ pass.granted));
  differ(where,
         fmt::format("lane {} {} the lock of s[0x{:x}], expected the opposite", pass.half * kHalfWarp + l,
                     (granted >> l & 1) != 0 ? "does not get" : "gets", pass.address[l] - sm.warps[slot].shared_base),
         sm.block("shared_memory"), "its lock table");
}

// Requires that each lane of a request is served once, and that a bank reads or writes one word per pass.
void LockStep::check_pass(Sm& sm, const Where& where, const SmLog::Smem& pass) {
  const std::string suspect = sm.block("bank_conflict");
  if (const unsigned stray = pass.lanes & ~pass.requested; stray != 0) {
    differ(where,
           fmt::format("lane {} is served, but requests nothing",
                       pass.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(stray))),
           suspect, "lanes of the pass");
  }
  const std::uint32_t key = pass.tag.bits * 2 + pass.half;
  const auto earlier =
      pass.last && pass.lanes == pass.requested ? sm.served.end() : sm.served.try_emplace(key, 0).first;
  if (earlier != sm.served.end()) {
    if (const unsigned twice = earlier->second & pass.lanes; twice != 0) {
      differ(
          where,
          fmt::format("lane {} is served twice", pass.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(twice))),
          suspect, "an earlier pass of the request served it");
    }
    earlier->second = static_cast<HalfMask>(earlier->second | pass.lanes);
    if (pass.last) {
      if (const unsigned never = pass.requested & ~unsigned{earlier->second}; never != 0) {
        differ(where,
               fmt::format("lane {} is never served: this was the last pass",
                           pass.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(never))),
               suspect, "lanes of the pass");
      }
      sm.served.erase(earlier);
    }
  }
  std::array<std::int32_t, kNumSmemBanks> word;
  word.fill(-1);
  for_lanes(pass.lanes, [&](unsigned l) {
    const std::int32_t wanted = pass.address[l] / 4;
    std::int32_t& served = word[static_cast<unsigned>(wanted) % kNumSmemBanks];
    if (served >= 0 && (pass.write || served != wanted)) {
      differ(where,
             fmt::format("lane {}: bank {} serves word 0x{:x} and word 0x{:x} in one pass", pass.half * kHalfWarp + l,
                         static_cast<unsigned>(wanted) % kNumSmemBanks, served, wanted),
             suspect, "a bank conflict was missed");
    }
    served = wanted;
  });
}

void LockStep::shared_pass(Sm& sm, const SmLog::Smem& pass) {
  ++counters_.shared_passes;
  const auto owner = sm.warp_of_tag.find(pass.tag.bits);
  CHECK(owner != sm.warp_of_tag.end(), "lock-step: {} accessed shared memory for an instruction that is not in flight",
        sm.path);
  const unsigned slot = owner->second;
  Warp& warp = sm.warps[slot];
  if (warp.faulted) return;
  Where where{sm.index, slot, pass.cycle, 0, 0, 0};
  for (const InFlight& instruction : warp.in_flight) {
    if (instruction.tag.bits == pass.tag.bits)
      where.pc = instruction.fetched.pc, where.w0 = instruction.fetched.w0(), where.w1 = instruction.fetched.w1();
  }
  if (pass.bytes != 1 && pass.bytes != 2 && pass.bytes != 4) {
    differ(where, fmt::format("accesses {} bytes per lane, expected 1, 2 or 4", pass.bytes), sm.block("bank_conflict"),
           "request of the pass");
  }
  check_pass(sm, where, pass);
  check_locks(sm, where, slot, pass);
  SmLog::Smem copy = pass;
  for_lanes(pass.lanes, [&](unsigned l) {
    const unsigned lane = pass.half * kHalfWarp + l;
    const std::uint32_t at = static_cast<std::uint32_t>(pass.address[l] - warp.shared_base);
    if (at + pass.bytes > warp.block->shared.size()) {
      differ(where,
             fmt::format("lane {} accesses s[0x{:x}] beyond its block's {} bytes", lane, at, warp.block->shared.size()),
             sm.block("address_unit"), "this block checks the limit");
    }
    std::uint8_t* const byte = warp.block->shared.data() + at;
    if (pass.write) {
      std::memcpy(byte, &pass.data[l], pass.bytes);
      return;
    }
    copy.data[l] = 0;
    std::memcpy(&copy.data[l], byte, pass.bytes);
    if (((copy.data[l] ^ pass.data[l]) & mask_of(pass.bytes)) != 0) {
      differ(where,
             fmt::format("lane {}: s[0x{:x}] is 0x{:x}, expected 0x{:x}", lane, at, pass.data[l] & mask_of(pass.bytes),
                         copy.data[l]),
             sm.block("shared_memory"), "the banks do not hold the last stored value");
    }
  });
  const auto stored = sm.shared_stores.find(pass.tag.bits);
  if (pass.write && stored != sm.shared_stores.end()) {
    check_shared_store(stored->second.where, warp, stored->second, pass);
    if (stored->second.remaining == 0) sm.shared_stores.erase(stored);
  } else {
    sm.passes[pass.tag.bits].push_back(copy);
  }
  advance(sm, slot);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Shared memory: the lanes and addresses of each pass, the data in the banks, and the lanes that get a lock.
#include <fmt/format.h>

#include "hw/common/set_bits.h"
#include "tb/check/lockstep_state.h"

namespace g80 {

using golden::AccessKind;
using golden::MemoryAccess;
using golden::PortStatus;

namespace {

/// Calls f(lane) for each lane of a half-warp. All of them, the usual case, are a loop that the compiler turns into
/// vectors.
template <class F>
void for_lanes_of_half(HalfMask lanes, const F& f) {
  if (lanes == 0xffff) {
    for (unsigned l = 0; l < kHalfWarp; ++l) f(l);
  } else {
    for (const unsigned l : set_bits(lanes)) f(l);
  }
}

}  // namespace

PortStatus LockStep::Port::shared(MemoryAccess& access) {
  Warp& warp = sm_.warps[issue_.warp];
  SharedAccess* found = sm_.shared_access(issue_.tag);
  if (access.kind == AccessKind::kStore || access.kind == AccessKind::kUnlock) {
    owner_.compare_access_operands(sm_, issue_, access, operands_);
    SharedAccess& stored = found != nullptr ? *found : sm_.add_shared_access(issue_);
    if (found == nullptr) stored.finished = true;
    stored.unstored = access.lanes;
    stored.unlocks = access.kind == AccessKind::kUnlock;
    stored.address = access.address;
    stored.data = access.data[0];
    for (const SmLog::Smem& pass : stored.passes) owner_.check_shared_store(warp, stored, pass);
    stored.passes.clear();
    sm_.drop_if_done(stored);
    return PortStatus::kDone;
  }
  LaneMask seen = 0;
  if (found != nullptr) {
    for (const SmLog::Smem& pass : found->passes) seen |= LaneMask{pass.lanes} << (kHalfWarp * pass.half);
  }
  if ((seen & access.lanes) != access.lanes) return PortStatus::kNotReady;
  access.granted = 0;
  if (found == nullptr) return PortStatus::kDone;
  for (const SmLog::Smem& pass : found->passes) {
    owner_.check_lock_wanted(where_of(sm_, issue_), access.kind == AccessKind::kLock, pass);
    access.granted |= LaneMask{pass.granted} << (kHalfWarp * pass.half);
    const unsigned first = pass.half * kHalfWarp;
    const auto seen_at = [&](unsigned l) { return std::uint32_t{pass.address[l]} - warp.shared_base; };
    std::uint32_t difference = pass.lanes & ~(access.lanes >> first);
    for_lanes_of_half(pass.lanes, [&](unsigned l) {
      difference |= seen_at(l) ^ access.address[first + l];
      access.data[0][first + l] = pass.data[l];
    });
    for (const unsigned l : set_bits(difference == 0 ? 0 : pass.lanes)) {
      const unsigned lane = first + l;
      const bool wanted = (access.lanes >> lane & 1) != 0;
      if (wanted && seen_at(l) == access.address[lane]) continue;
      Where where = where_of(sm_, issue_);
      where.cycle = pass.cycle;
      owner_.differ(where,
                    fmt::format("lane {} reads s[0x{:x}], expected {}", lane, seen_at(l),
                                wanted ? fmt::format("s[0x{:x}]", access.address[lane]) : "no access"),
                    sm_.block("address_unit"), "this block computes the addresses of s[]");
    }
  }
  found->passes.clear();
  sm_.drop_if_done(*found);
  return PortStatus::kDone;
}

void LockStep::check_shared_store(const Warp& warp, SharedAccess& access, const SmLog::Smem& pass) {
  Where where = access.where;
  where.cycle = pass.cycle;
  check_lock_wanted(where, access.unlocks, pass);
  const std::uint32_t mask = mask_of(pass.bytes);
  for (const unsigned l : set_bits(pass.lanes)) {
    const unsigned lane = pass.half * kHalfWarp + l;
    const std::uint32_t at = static_cast<std::uint32_t>(pass.address[l] - warp.shared_base);
    const bool wanted = (access.unstored >> lane & 1) != 0;
    if (!wanted || at != access.address[lane] || (pass.data[l] & mask) != (access.data[lane] & mask)) {
      differ(where,
             fmt::format("lane {} stores 0x{:x} to s[0x{:x}], expected {}", lane, pass.data[l] & mask, at,
                         wanted ? fmt::format("0x{:x} to s[0x{:x}]", access.data[lane] & mask, access.address[lane])
                                : std::string("no store")),
             sms_[where.sm]->block("address_unit"), "its operands are correct");
    }
    access.unstored &= ~(LaneMask{1} << lane);
  }
}

void LockStep::check_lock_wanted(const Where& where, bool wanted, const SmLog::Smem& pass) const {
  if (pass.lock == wanted) return;
  differ(where, wanted ? "accesses s[] without its lock" : "changes a lock of s[], but is no lock instruction",
         sms_[where.sm]->block("address_unit"), "this block sets the kind of the access");
}

// Compares the locks that a pass grants with those that the reference grants after all earlier passes.
void LockStep::check_locks(Sm& sm, const Where& where, unsigned slot, const SmLog::Smem& pass) {
  LaneMask granted = 0;
  for (const unsigned l : set_bits(pass.lock ? pass.lanes : 0)) {
    if (pass.write) {
      sm.locks.unlock(slot, pass.address[l]);
    } else if (sm.locks.lock(slot, pass.address[l])) {
      granted |= LaneMask{1} << l;
    }
  }
  if (granted == pass.granted) return;
  const unsigned l = static_cast<unsigned>(__builtin_ctz(granted ^ pass.granted));
  differ(where,
         fmt::format("lane {} {} the lock of s[0x{:x}], expected the opposite", pass.half * kHalfWarp + l,
                     (granted >> l & 1) != 0 ? "does not get" : "gets", pass.address[l] - sm.warps[slot].shared_base),
         sm.block("shared_memory"), "its lock table");
}

// Requires that each lane of a request is served once, and that a bank reads or writes one word per pass.
void LockStep::check_pass(const Sm& sm, const Where& where, SharedAccess& access, const SmLog::Smem& pass) {
  const auto fail = [&](const std::string& what, const char* reason) {
    differ(where, what, sm.block("bank_conflict"), reason);
  };
  const auto first_lane = [&](unsigned lanes) {
    return pass.half * kHalfWarp + static_cast<unsigned>(__builtin_ctz(lanes));
  };
  HalfMask& served = access.served[pass.half];
  if (const unsigned stray = pass.lanes & ~pass.requested; stray != 0) {
    fail(fmt::format("lane {} is served, but requests nothing", first_lane(stray)), "lanes of the pass");
  }
  if (const unsigned twice = served & pass.lanes; twice != 0) {
    fail(fmt::format("lane {} is served twice", first_lane(twice)), "an earlier pass of the request served it");
  }
  served = static_cast<HalfMask>(served | pass.lanes);
  if (pass.last) {
    if (const unsigned never = pass.requested & ~unsigned{served}; never != 0) {
      fail(fmt::format("lane {} is never served: this was the last pass", first_lane(never)), "lanes of the pass");
    }
    served = 0;
  }
  std::array<unsigned, kNumSmemBanks> word{};
  unsigned busy = 0;  // banks
  for (const unsigned l : set_bits(pass.lanes)) {
    const unsigned wanted = pass.address[l] / 4u, bank = wanted % kNumSmemBanks;
    if ((busy >> bank & 1) != 0 && (pass.write || word[bank] != wanted)) {
      fail(fmt::format("lane {}: bank {} serves word 0x{:x} and word 0x{:x} in one pass", pass.half * kHalfWarp + l,
                       bank, word[bank], wanted),
           "a bank conflict was missed");
    }
    busy |= 1u << bank;
    word[bank] = wanted;
  }
}

void LockStep::shared_pass(Sm& sm, const SmLog::Smem& pass) {
  ++counters_.shared_passes;
  SharedAccess* const access = sm.shared_access(pass.tag);
  CHECK(access != nullptr && !access->finished,
        "lock-step: {} accessed shared memory for an instruction that is not in flight", sm.path);
  const unsigned slot = access->where.warp;
  Warp& warp = sm.warps[slot];
  if (warp.faulted) return;
  Where where = access->where;
  where.cycle = pass.cycle;
  if (pass.bytes != 1 && pass.bytes != 2 && pass.bytes != 4) {
    differ(where, fmt::format("accesses {} bytes per lane, expected 1, 2 or 4", pass.bytes), sm.block("bank_conflict"),
           "request of the pass");
  }
  check_pass(sm, where, *access, pass);
  check_locks(sm, where, slot, pass);
  std::vector<std::uint8_t>& shared = warp.block->shared;
  const auto at = [&](unsigned l) { return std::uint32_t{pass.address[l]} - warp.shared_base; };
  const auto size = static_cast<std::uint32_t>(shared.size());
  const auto is_beyond = [&](unsigned l) { return size < pass.bytes || at(l) > size - pass.bytes; };
  std::uint32_t beyond = 0;
  for_lanes_of_half(pass.lanes, [&](unsigned l) { beyond |= is_beyond(l) ? 1u : 0u; });
  for (const unsigned l : set_bits(beyond == 0 ? 0 : pass.lanes)) {
    if (!is_beyond(l)) continue;
    differ(
        where,
        fmt::format("lane {} accesses s[0x{:x}] beyond its block's {} bytes", pass.half * kHalfWarp + l, at(l), size),
        sm.block("address_unit"), "this block checks the limit");
  }
  if (pass.write) {
    for (const unsigned l : set_bits(pass.lanes)) put_word(&shared[at(l)], pass.bytes, pass.data[l]);
    if (access->unstored != 0) {
      check_shared_store(warp, *access, pass);
    } else {
      access->passes.push_back(pass);
    }
  } else {
    SmLog::Smem& read = access->passes.emplace_back(pass);
    const std::uint32_t mask = mask_of(pass.bytes);
    std::uint32_t difference = 0;
    for_lanes_of_half(pass.lanes, [&](unsigned l) {
      read.data[l] = word_of(&shared[at(l)], pass.bytes);
      difference |= (read.data[l] ^ pass.data[l]) & mask;
    });
    for (const unsigned l : set_bits(difference == 0 ? 0 : pass.lanes)) {
      if (((read.data[l] ^ pass.data[l]) & mask) == 0) continue;
      differ(where,
             fmt::format("lane {}: s[0x{:x}] is 0x{:x}, expected 0x{:x}", pass.half * kHalfWarp + l, at(l),
                         pass.data[l] & mask, read.data[l]),
             sm.block("shared_memory"), "the banks do not hold the last stored value");
    }
  }
  advance(sm, slot);
}

}  // namespace g80

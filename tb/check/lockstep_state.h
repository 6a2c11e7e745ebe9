// SPDX-License-Identifier: Apache-2.0
// The state of lock-step between events. Internal to tb/check/lockstep*.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <utility>

#include "tb/check/backlog.h"
#include "tb/check/lockstep.h"

namespace g80 {

/// Place of a difference, for the sentence.
struct LockStep::Where {
  unsigned sm = 0, warp = 0;
  Cycle cycle = 0;
  std::uint32_t pc = 0, w0 = 0, w1 = 0;
};

/// A mismatch and the suspected block.
struct LockStep::Finding {
  std::string what, suspect, reason;
};

/// A performed transaction that is not yet matched with its instruction.
struct LockStep::Transaction {
  PerformEvent event;
  std::uint8_t image[kMaxTransactionBytes];  // reads: the reference's bytes at that moment
};

/// An access of the reference to device memory, and the part that the model has not done yet.
struct LockStep::Expected {
  golden::MemoryAccess access;
  LaneMask unsent = 0;     // lanes that have not left the address unit
  LaneMask remaining = 0;  // lanes whose access has not been performed
  Where where;

  bool is_done() const { return (unsent | remaining) == 0; }
  /// The reference waits for what it reads.
  bool reads() const { return access.kind == golden::AccessKind::kLoad || access.kind == golden::AccessKind::kAtomic; }
};

/// An instruction between its issue and its result.
struct LockStep::InFlight {
  Tag tag;
  FetchedInstruction fetched;
  LaneMask lanes = 0;
  Cycle issued = 0;
  bool collected = false;  // its operands have left the collector
};

/// The operand words of an instruction at the output of the collector.
struct LockStep::OperandView {
  const LaneWords* words = nullptr;
  unsigned count = 0;
  bool as_stored = true;
};

/// An instruction that may access s[]: from its issue until it has finished, the reference has taken its passes, and
/// all its lanes have stored.
struct LockStep::SharedAccess {
  Tag tag;
  Where where;
  bool finished = false;
  std::array<HalfMask, 2> served{};  // by half-warp: lanes of the request's passes so far
  std::vector<SmLog::Smem> passes;   // that the reference has not taken; reads with the reference's data
  // What the reference stores:
  LaneMask unstored = 0;
  bool unlocks = false;
  LaneWords address, data;

  bool is_done() const { return finished && passes.empty() && unstored == 0; }
};

/// One warp of the model and its reference state. Events wait here in order until the reference can take them.
struct LockStep::Warp {
  golden::BlockState* block = nullptr;
  golden::WarpState* state = nullptr;
  std::uint16_t shared_base = 0;
  bool faulted = false;  // the reference stopped here; later events of the model's warp are ignored
  // State of the model, independent of the reference:
  std::vector<InFlight> in_flight;
  bool at_barrier = false;    // its last instruction is a bar that has not been released in the scoreboard
  bool control_open = false;  // the stack has not executed the last control instruction
  InFlight control;
  // For the reference:
  static constexpr int kNotCollected = -1, kNone = -2, kInLog = -3;
  struct Event {
    SmLog::Kind kind = SmLog::Kind::kIssue;
    int operands = kNotCollected;  // issue: place among the SM's kept operands, or one of the following
    SmLog::Issue issue;
  };
  Backlog<Event> events;
  Backlog<SmLog::Retire> retires;
  Backlog<SmLog::Control> controls;

  /// An event that is not an issue.
  void add_event(SmLog::Kind kind) {
    Event& event = events.add();
    event.kind = kind;
    event.operands = kNone;
  }
};

struct LockStep::Sm {
  unsigned index = 0;
  std::string path, coalescer;  // names in the hierarchy
  SmPins* model = nullptr;
  SmLog log;
  std::array<Warp, kMaxWarps> warps;
  std::array<std::unique_ptr<golden::BlockState>, kMaxCtasPerSm> blocks;
  std::unique_ptr<golden::Executor> executor;
  Backlog<SmLog::Release> released;  // the result is not written yet
  std::vector<SharedAccess> shared;  // the first `num_shared` are in use, in any order
  std::size_t num_shared = 0;
  golden::LockTable locks;  // by warp slot and address in the SM
  /// Operands that wait for the reference.
  struct KeptOperands {
    std::vector<LaneWords> words;
    bool as_stored = true;
  };
  std::deque<KeptOperands> kept;
  std::vector<int> free_kept;
  OperandView in_log;  // of the event that is being read

  /// Null if there is none.
  SharedAccess* shared_access(Tag tag) {
    for (std::size_t i = 0; i < num_shared; ++i) {
      if (shared[i].tag.bits == tag.bits) return &shared[i];
    }
    return nullptr;
  }
  SharedAccess& add_shared_access(const SmLog::Issue& issue) {
    if (num_shared == shared.size()) shared.emplace_back();
    SharedAccess& access = shared[num_shared++];
    access.tag = issue.tag;
    access.where = where_of(*this, issue);
    access.finished = false;
    access.served = {};
    access.passes.clear();
    access.unstored = 0;
    return access;
  }
  void drop_if_done(SharedAccess& access) {
    if (access.is_done()) std::swap(access, shared[--num_shared]);
  }
  /// Full name of one of the SM's blocks.
  std::string block(const char* name) const { return path + "." + name; }
};

/// Bits of an element of 1, 2 or 4 bytes.
inline std::uint32_t mask_of(unsigned bytes) { return bytes == 4 ? ~0u : bytes == 2 ? 0xffffu : 0xffu; }
/// Its value in memory. A copy of so many bytes would be a call for each lane.
inline std::uint32_t word_of(const std::uint8_t* at, unsigned bytes) {
  std::uint32_t word = *at;
  if (bytes == 4) std::memcpy(&word, at, 4);
  if (bytes == 2) std::memcpy(&word, at, 2);
  return word;
}
inline void put_word(std::uint8_t* at, unsigned bytes, std::uint32_t word) {
  *at = static_cast<std::uint8_t>(word);
  if (bytes == 4) std::memcpy(at, &word, 4);
  if (bytes == 2) std::memcpy(at, &word, 2);
}

/// Lanes in which two values differ where `mask` is set.
inline LaneMask differing_lanes(const LaneWords& a, const LaneWords& b, std::uint32_t mask) {
  if (std::memcmp(&a, &b, sizeof a) == 0) return 0;  // the usual case
  LaneMask lanes = 0;
  for (unsigned l = 0; l < kWarpSize; ++l) lanes |= LaneMask{((a[l] ^ b[l]) & mask) != 0} << l;
  return lanes;
}

/// The memory the reference sees while it steps one instruction of one warp.
class LockStep::Port final : public golden::MemoryPort {
 public:
  Port(LockStep& owner, Sm& sm, const SmLog::Issue& issue, const OperandView& operands)
      : MemoryPort(true), owner_(owner), sm_(sm), issue_(issue), operands_(operands) {}

  golden::PortStatus global(golden::MemoryAccess& access, unsigned& fault_lane) override;
  golden::PortStatus shared(golden::MemoryAccess& access) override;
  bool texture_read(std::uint32_t address, unsigned bytes, void* out) override;

 private:
  LockStep& owner_;
  Sm& sm_;
  const SmLog::Issue& issue_;
  const OperandView& operands_;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The retirement port of an SM: what it did in one scheduler cycle, for the testbench. Lock-step and the profile of the
// code read it; nothing of the machine does. hw/sm/README.md lists its fields.
//
// Every list has a fixed number of entries, as a port of an SM in RTL has, and the blocks CHECK that they suffice. A
// cycle in which nothing happened may be left out: then the reason of the last Stall goes on.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hw/bundles/sm_bundles.h"
#include "hw/common/check.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"

namespace g80 {

/// The first `count` entries are valid.
template <class T, unsigned kMost>
struct ReportList {
  std::uint8_t count = 0;
  std::array<T, kMost> entry{};
  /// The next entry, with the contents of an earlier cycle: the caller writes what the entry's count or kind shows.
  T& add() {
    CHECK(count < kMost, "an SM reports more than {} entries of a kind in one scheduler cycle", kMost);
    return entry[count++];
  }
  const T* begin() const { return entry.data(); }
  const T* end() const { return entry.data() + count; }
  G80_FIELDS((count, 4), entry);
};

struct SmReport {
  struct WarpStart {
    std::uint8_t warp, cta_slot, warp_in_cta, warps_in_cta;
    std::uint16_t cta_x, cta_y;
    std::uint16_t shared_base;  // of the block's s[] in the SM's shared memory
    G80_FIELDS((warp, 5), (cta_slot, 3), (warp_in_cta, 4), (warps_in_cta, 5), cta_x, cta_y, shared_base);
  };
  /// The instruction of the last pick leaves the instruction buffer.
  struct HandOut {
    std::uint8_t warp;
    std::uint32_t pc;
    G80_FIELDS((warp, 5), (pc, 24));
  };
  /// An instruction enters the operand collector: from here on its lanes are known.
  struct Issue {
    Tag tag;
    std::uint8_t warp;
    FetchedInstruction fetched;
    LaneMask active;              // of the warp
    LaneMask lanes;               // of them those in which the guard holds
    std::uint32_t clock, physid;  // what a move from a special register would read
    G80_FIELDS((uid, tag.bits, 0), (warp, 5), (insn, fetched, 0), active, lanes, clock, physid);
  };
  /// The operands with which an instruction leaves the collector: for each register, s[] and c[] source in order its
  /// words; of g[], l[] and s[] accesses the address register (g[] only) and the data stored.
  struct Operands {
    Tag tag;
    std::uint8_t warp;
    bool as_stored;  // the registers among them hold these values
    std::uint8_t count;
    std::array<LaneWords, 6> words;
    G80_FIELDS((uid, tag.bits, 0), (warp, 5), as_stored, (count, 3), words);
  };
  /// State of a warp after a control instruction.
  struct Control {
    Tag tag;
    std::uint8_t warp;
    bool ended;
    std::uint32_t pc;
    LaneMask active;
    G80_FIELDS((uid, tag.bits, 0), (warp, 5), ended, (pc, 24), active);
  };
  /// Half a warp's access to g[], as it leaves the SM.
  struct Access {
    Tag tag;
    std::uint8_t half;
    HalfMask lanes;
    std::array<std::uint32_t, kHalfWarp> address;
    std::array<std::uint32_t, kHalfWarp> data;  // first word of what is stored
    G80_FIELDS((uid, tag.bits, 0), (half, 1), lanes, address, data);
  };
  /// A pass of a half-warp through the banks of shared memory was chosen that is not its first.
  struct Conflict {
    std::uint32_t pc;
    G80_FIELDS((pc, 24));
  };
  /// A pass through the banks of shared memory.
  struct Smem {
    Tag tag;
    bool write;
    bool last;  // of its half-warp
    std::uint8_t half;
    HalfMask lanes;
    HalfMask requested;  // lanes of the half-warp's request
    std::uint8_t bytes;
    bool lock;                                     // a read asked for locks, a write gave them back
    HalfMask granted;                              // lanes that got the lock
    std::array<std::uint16_t, kHalfWarp> address;  // in the SM's shared memory
    std::array<std::uint32_t, kHalfWarp> data;
    G80_FIELDS((uid, tag.bits, 0), write, last, (half, 1), lanes, requested, (bytes, 3), lock, granted, (address, 14),
               data);
  };
  /// An instruction has finished. Values that it wrote into registers, flags and $a, in `lanes`; of a 16-bit half in
  /// the low half. Flags and $a are those that the instruction names.
  struct Retire {
    Tag tag;
    std::uint8_t warp;
    FetchedInstruction fetched;
    LaneMask lanes;
    std::uint8_t first_register, num_registers;
    LaneMask loaded;  // lanes in which the registers were written
    std::array<LaneWords, 4> value;
    LaneFlags flags;
    LaneWords addr;
    /// An assignment that leaves out values which the instruction does not write.
    void take(const Retire& from) {
      tag = from.tag, warp = from.warp, fetched = from.fetched, lanes = from.lanes;
      first_register = from.first_register, num_registers = from.num_registers, loaded = from.loaded;
      std::copy_n(from.value.begin(), num_registers, value.begin());
      const DecodedInstruction& decoded = fetched.decoded();
      if (decoded.insn.writes_flags) flags = from.flags;
      if (decoded.writes.addrs != 0) addr = from.addr;
    }
    G80_FIELDS((uid, tag.bits, 0), (warp, 5), (insn, fetched, 0), lanes, (first_register, 7), (num_registers, 3),
               loaded, value, flags, (addr, 16));
  };
  /// The scoreboard was informed that an instruction has finished.
  struct Release {
    std::uint8_t warp;
    FetchedInstruction fetched;
    G80_FIELDS((warp, 5), (insn, fetched, 0));
  };
  /// What the scheduler decided, and to which warp the cycle is charged. `pick.stall` says why nothing issued.
  struct Stall {
    bool valid = false;
    bool behind = false;    // the warp's last instruction holds it up, not its next one
    std::uint8_t warp = 0;  // picked, or waits
    StallReason reason = StallReason::kNoWarp;
    // Scheduler cycles before this one that no report told, and what they are charged to.
    bool asleep_behind = false;
    std::uint8_t asleep_warp = 0;
    StallReason asleep_reason = StallReason::kNoWarp;
    std::uint64_t asleep = 0;
    G80_FIELDS(valid, behind, (warp, 5), (reason, 4), asleep_behind, (asleep_warp, 5), (asleep_reason, 4), asleep);
  };

  static constexpr unsigned kDispatches = 5;  // to the SPs, the SFUs twice, the fp64 unit, the address unit

  Cycle cycle = 0;  // shader cycle
  Stall stall;
  ReportList<WarpStart, 1> start;
  ReportList<Release, kMaxReleases> release;
  WarpMask opened = 0;  // warps that the scoreboard was told a barrier releases
  ReportList<HandOut, 1> hand_out;
  ReportList<Issue, 1> issue;
  ReportList<Operands, kDispatches> operands;
  ReportList<Control, 1> control;
  ReportList<Access, 1> access;
  ReportList<Conflict, 1> conflict;
  ReportList<Smem, 1> smem;
  WarpMask ended = 0;  // warps of blocks that have ended: shared memory takes back their locks
  ReportList<Retire, kMaxReleases> retire;
  G80_FIELDS(cycle, stall, start, release, opened, hand_out, issue, operands, control, access, conflict, smem, ended,
             retire);
  /// Empties the lists; entries keep their contents.
  void clear() {
    stall.valid = false;
    start.count = release.count = hand_out.count = issue.count = operands.count = control.count = 0;
    access.count = conflict.count = smem.count = retire.count = 0;
    opened = ended = 0;
  }
};

class SmObserver {
 public:
  virtual ~SmObserver() = default;
  /// Called once for each scheduler cycle in which the SM reported something, in order of time.
  virtual void observe(const SmReport& report) = 0;
};

/// Gathers the report of one scheduler cycle from the blocks of an SM, and hands it to the observers when a later cycle
/// begins or somebody asks. Blocks hold a pointer to it, null while nobody observes.
class RetirementPort {
 public:
  /// What an observer reads beside the events of instructions, as blocks report only what somebody reads: for a profile
  /// of the code what each cycle is charged to, hand-outs and conflicts; to check the machine operands and results.
  enum class Reads : std::uint8_t { kProfile = 1, kValues = 2, kAll = 3 };

  void attach(SmObserver& observer, Reads reads) {
    observers_.push_back({&observer, reads});
    note_reads();
  }
  void detach(const SmObserver& observer) {
    flush();
    observers_.erase(std::remove_if(observers_.begin(), observers_.end(),
                                    [&](const Observer& one) { return one.observer == &observer; }),
                     observers_.end());
    note_reads();
  }
  bool observed() const { return !observers_.empty(); }
  bool reports_profile() const { return reports_profile_; }
  bool reports_values() const { return reports_values_; }

  /// The report of scheduler cycle `edge`, for a block to fill in.
  SmReport& at(Cycle edge) {
    if (report_.cycle != edge) {
      flush();
      report_.cycle = edge;
    }
    filled_ = true;
    return report_;
  }
  /// The address unit has incremented a warp's $a, long before the instruction finishes.
  LaneWords& incremented(unsigned warp, unsigned index) { return incremented_[warp][index]; }
  /// Hands out what has been gathered.
  void flush() {
    if (!filled_) return;
    filled_ = false;
    for (const Observer& one : observers_) one.observer->observe(report_);
    report_.clear();
  }

 private:
  struct Observer {
    SmObserver* observer;
    Reads reads;
  };
  void note_reads() {
    unsigned reads = 0;
    for (const Observer& one : observers_) reads |= static_cast<unsigned>(one.reads);
    reports_profile_ = (reads & static_cast<unsigned>(Reads::kProfile)) != 0;
    reports_values_ = (reads & static_cast<unsigned>(Reads::kValues)) != 0;
  }

  std::vector<Observer> observers_;
  bool reports_profile_ = false, reports_values_ = false;
  SmReport report_;
  bool filled_ = false;
  std::array<std::array<LaneWords, 8>, kMaxWarps> incremented_{};
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Lock-step: the golden reference executes every instruction that the model issues; the checker compares the output of
// each stage.
//
// Each SM and each partition logs events at the boundaries of its stages. The checker merges the logs in fixed order:
// first the accesses that partitions performed (they define the memory order, and the reference's memory image follows
// it), then each SM's reports. The reference steps each warp in program order. A load waits until the model has
// performed the access, and reads the bytes of the reference's image at that moment. Stores are compared byte by byte.
// Stages are compared in pipeline order, so the first mismatch names the block that caused it. It ends the
// run with cycle, SM, warp, lane, pc, instruction, expected and actual value, and the suspect (docs/checks.md).
//
// Files: lockstep_warps.cpp steps the reference and compares issue, control and results; lockstep_operands.cpp the
// collector's operands; lockstep_shared.cpp passes through shared memory; lockstep_memory.cpp accesses,
// transactions and bytes of device memory. lockstep_diagnosis.cpp writes the sentence and explains hangs;
// lockstep_state.h has the state between events.
#pragma once
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "hw/bundles/event_log.h"
#include "hw/common/check.h"
#include "hw/config/config.h"
#include "hw/gpu/gpu.h"
#include "tb/check/sm_log.h"
#include "tb/golden/executor.h"
#include "tb/golden/memory_image.h"
#include "toolchain/cubin/line_table.h"

namespace g80 {

/// Model and reference differ (exit code 4: the model broke one of its own checks).
struct LockStepError : ModelError {
  explicit LockStepError(const std::string& text, Cycle cycle = 0) : ModelError(text), cycle(cycle) {}
  Cycle cycle;  // shader cycle of the mismatch; 0: unknown
};

class LockStep {
 public:
  /// Attaches itself to the retirement ports of the machine's SMs and empties those of its partitions.
  LockStep(const Config& config, Gpu& gpu);
  ~LockStep();

  /// The reference's device memory, by virtual address. The driver mirrors host copies into it.
  golden::MemoryImage& image() { return image_; }

  /// A grid is about to start.
  /// `lines`: source lines of the program, for messages; they outlive the grid.
  void begin(golden::Program program, golden::Launch launch, const LineTable* lines = nullptr);
  /// Processes all events logged so far. Throws LockStepError on the first mismatch.
  void consume();
  /// The grid has ended: everything must have been matched.
  void finish();
  /// The machine hangs. Throws LockStepError if the reference can advance: then the hang is a bug of the model.
  void explain_hang();
  /// The model has reported a kernel fault. Throws LockStepError if the reference has none there. `mapped`: the driver
  /// has mapped the fault's address.
  void confirm_fault(const KernelFault& fault, bool mapped);
  /// Compares the bytes that a copy read from `address` with the reference's memory. Only after grids that finished.
  void check_copy(std::uint32_t address, std::uint32_t physical, const void* data, std::size_t size) const;
  /// The driver has started copy `number` between the host and `bytes` bytes of device memory. Partitions report its
  /// transactions: what it writes comes into the image in their order, and what it reads is compared.
  void begin_copy(std::uint32_t number, std::uint32_t physical, std::uint32_t address, std::uint32_t bytes);
  /// Processes what the log has of such copies, before the driver mirrors or compares a later one itself.
  void settle_copies() {
    if (!copies_.empty()) consume();
  }
  /// A fault stopped the grid: events in flight stay unmatched.
  void abandon();

  struct Counters {
    std::uint64_t instructions = 0;  // issued by the model and stepped by the reference
    std::uint64_t operands = 0;      // instructions whose operands were compared
    std::uint64_t results = 0;       // retirements compared
    std::uint64_t transactions = 0;  // memory transactions compared
    std::uint64_t shared_passes = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  class Port;
  struct InFlight;
  struct Warp;
  struct Sm;
  struct Where;
  struct Transaction;
  struct Expected;
  struct SharedAccess;
  struct Finding;
  struct OperandView;

  // Warps
  void read_sm_log(Sm& sm);
  void start_warp(Sm& sm, const SmLog::WarpStart& start);
  void give_initial_words(golden::BlockState& block, unsigned shared_base) const;
  void give_initial_words(golden::WarpState& warp, unsigned slot) const;
  void issued(Sm& sm, const SmLog::Issue& issue);
  void collected(Sm& sm, const SmLog::Operands& operands);
  void controlled(Sm& sm, const SmLog::Control& control);
  void retired(Sm& sm, const SmLog::Retire& retire);
  void released(Sm& sm, const SmLog::Release& release);
  void opened(Sm& sm, const SmLog::Open& open);
  void expect_ended(const Sm& sm, unsigned slot, const char* what) const;
  void advance(Sm& sm, unsigned slot);
  bool step(Sm& sm, unsigned slot, const SmLog::Issue& issue, const OperandView& operands);
  void compare_operands(const Sm& sm, const SmLog::Issue& issue, const golden::StepRecord& record,
                        const OperandView& operands);
  void compare_access_operands(const Sm& sm, const SmLog::Issue& issue, const golden::MemoryAccess& access,
                               const OperandView& operands);
  [[noreturn]] void operand_differs(const Sm& sm, const SmLog::Issue& issue, unsigned lane, std::uint32_t seen,
                                    std::uint32_t expected, const std::string& name, const char* block,
                                    const char* reason) const;
  void compare_control(const Sm& sm, const SmLog::Control& control);
  void compare_result(const Sm& sm, const SmLog::Retire& retire);
  bool may_texels_be_stale() const;

  // Shared memory
  void shared_pass(Sm& sm, const SmLog::Smem& pass);
  void check_pass(const Sm& sm, const Where& where, SharedAccess& access, const SmLog::Smem& pass);
  void check_locks(Sm& sm, const Where& where, unsigned slot, const SmLog::Smem& pass);
  void check_lock_wanted(const Where& where, bool wanted, const SmLog::Smem& pass) const;
  void check_shared_store(const Warp& warp, SharedAccess& access, const SmLog::Smem& pass);

  // Device memory
  void sent(Sm& sm, const SmLog::Access& access);
  void finish_access(Sm& sm, std::uint32_t tag, const Expected& expected);
  void perform(const PerformEvent& event, unsigned partition);
  void check_bytes_read(const ReturnEvent& returned, unsigned partition);
  void perform_copy(const PerformEvent& event, unsigned partition);
  void write_image(const PerformEvent& event);
  void apply_atomic(const PerformEvent& event);
  Expected& expect(Sm& sm, const SmLog::Issue& issue, const golden::MemoryAccess& access);
  void settle(std::uint32_t tag, Expected& expected);
  void check_sent(Expected& expected, const SmLog::Access& access);
  const std::uint8_t* begin_read(const PerformEvent& event, unsigned partition);
  void check_transaction(Expected& expected, const PerformEvent& event, const std::uint8_t* image);
  void check_store(const Where& where, Expected& expected, const PerformEvent& event, unsigned lane);
  void check_stray_bytes(const Where& where, const Expected& expected, const PerformEvent& event);

  // Diagnosis
  static Where where_of(const Sm& sm, const SmLog::Issue& issue);
  [[noreturn]] void differ(const Where& where, const std::string& what, const std::string& suspect,
                           const std::string& reason) const;
  Finding stuck_instruction(const Sm& sm, const InFlight& oldest) const;
  Finding stuck_warp(const Sm& sm, unsigned slot) const;
  Finding stuck_end(const Sm& sm, unsigned slot) const;
  Cycle shader_cycle(Picoseconds time) const;

  const Config& config_;
  Gpu& gpu_;
  isa::Arch arch_;
  golden::MemoryImage image_;
  golden::Program program_;
  golden::Launch launch_;
  const LineTable* lines_ = nullptr;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::pmr::unsynchronized_pool_resource pool_;                                      // memory of the entries below
  std::pmr::unordered_map<std::uint32_t, std::pmr::vector<Transaction>> performed_;  // by tag: not yet matched
  std::pmr::unordered_map<std::uint64_t, Transaction> being_read_;  // by reading_key: its data have not come yet
  std::pmr::unordered_map<std::uint32_t, std::pmr::vector<SmLog::Access>> sent_;  // by tag: not stepped yet
  std::pmr::unordered_map<std::uint32_t, Expected> expected_;                     // by tag: stepped or waiting to be
  struct Copy {
    std::uint32_t to_virtual;  // what turns its physical addresses into virtual ones, added to them
    std::uint32_t pieces;      // transactions to come
  };
  std::unordered_map<std::uint32_t, Copy> copies_;  // by uid
  // Numbers of blocks of memory in this launch: read through textures; written, once there are some of these.
  std::unordered_set<std::uint32_t> texels_, rewritten_;
  Counters counters_;
  bool active_ = false;
};

}  // namespace g80

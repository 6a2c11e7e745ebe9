// Lock-step: the golden reference executes every instruction the model issues, and every result is compared.
//
// Each SM and each partition writes a log. The checker merges them in fixed order: first what the partitions performed (the
// moment at which memory order is made; the reference's memory image follows it), then each SM's issues, shared-memory
// passes and retirements. The reference steps each warp in program order; a load waits until the model's access has been
// performed and gets the bytes its own image held at that moment; stores are compared byte by byte with what was performed.
// The first difference ends the run with cycle, SM, warp, lane, pc, instruction, expected and seen.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "hw/common/check.h"
#include "hw/common/event_log.h"
#include "hw/config/config.h"
#include "hw/sm/sm_log.h"
#include "tb/golden/executor.h"
#include "tb/golden/memory_image.h"

namespace g80 {

/// Model and reference differ (exit code 4: the model broke one of its own checks).
struct LockStepError : ModelError {
  using ModelError::ModelError;
};

class LockStep {
 public:
  /// `partition_logs`: what each partition writes; the checker empties them.
  LockStep(const Config& config, unsigned num_sms, std::vector<PartitionLog>& partition_logs);
  ~LockStep();

  SmLog* sm_log(unsigned sm);

  /// The reference's device memory, by virtual address. The driver mirrors host copies into it.
  golden::MemoryImage& image() { return image_; }

  /// A grid is about to start.
  void begin(golden::Program program, golden::Launch launch);
  /// Works off everything logged so far. Throws LockStepError on the first difference.
  void consume();
  /// The grid has ended: everything must have been matched.
  void finish();
  /// The grid was stopped by a fault: what was in flight stays unmatched.
  void abandon();

  struct Counters {
    std::uint64_t instructions = 0;   // issued by the model and stepped by the reference
    std::uint64_t results = 0;        // retirements compared
    std::uint64_t transactions = 0;   // memory transactions compared
    std::uint64_t shared_passes = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  class Port;
  struct Sm;
  struct Warp;

  /// A performed transaction on its way to the instruction it belongs to.
  struct Transaction {
    PerformEvent event;
    std::uint8_t image[kMaxTransactionBytes];  // loads: the reference's bytes at that moment
  };
  /// What an instruction's memory access must look like, for lanes not yet seen.
  struct Expected {
    golden::MemoryAccess access;
    LaneMask remaining = 0;
    unsigned sm = 0, warp = 0;
    std::uint32_t pc = 0, w0 = 0, w1 = 0;
  };

  void perform(const PerformEvent& event);
  void check_store(Expected& expected, const Transaction& transaction);
  void apply_atomic(const PerformEvent& event);
  void check_atomic(Expected& expected, const Transaction& transaction);
  void settle_stores(std::uint32_t tag);
  void read_sm_log(Sm& sm);
  void advance(Sm& sm, Warp& warp);
  bool step(Sm& sm, Warp& warp, const SmLog::Issue& issue);
  void compare(Sm& sm, Warp& warp, const SmLog::Retire& retire);
  void shared_pass(Sm& sm, const SmLog::Smem& pass);
  [[noreturn]] void differ(const Sm& sm, unsigned warp, Cycle cycle, std::uint32_t pc, std::uint32_t w0, std::uint32_t w1,
                           const std::string& what) const;

  const Config& config_;
  isa::Arch arch_;
  golden::MemoryImage image_;
  golden::Program program_;
  golden::Launch launch_;
  std::vector<PartitionLog>& partition_logs_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::unordered_map<std::uint32_t, std::vector<Transaction>> performed_;  // by tag
  std::unordered_map<std::uint32_t, Expected> stores_;                     // stepped, not yet performed
  Counters counters_;
  bool active_ = false;
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// One warp's access to memory, and the port through which the reference performs it.
//
// Stand-alone runs use ImagePort (image_port.h). In lock-step the checker implements the port: it compares addresses
// and store data with what the model did, and supplies the values that the model's access returned.
#pragma once
#include <cstdint>

#include "hw/common/types.h"
#include "hw/isa/instruction.h"
#include "tb/golden/fault.h"

namespace g80::golden {

enum class AccessKind : std::uint8_t { kLoad, kStore, kReduce, kAtomic, kLock, kUnlock };

struct MemoryAccess {
  AccessKind kind = AccessKind::kLoad;
  Space space = Space::kGlobal;
  std::uint8_t bytes = 4;         // per lane: 1, 2, 4, 8, 16
  std::uint8_t global_space = 0;  // g[] number
  std::uint8_t atom_op = 0;       // encoded operation
  bool atom_signed = false;
  LaneMask lanes = 0;
  LaneMask granted = 0;  // kLock: lanes that got the lock, set by the port
  LaneWords address;     // byte address in the space; for g[] the address in memory, base added
  LaneWords data[4];     // loads: raw bytes, zero-extended; stores: bytes; atomics: old value
  LaneWords b[2], c[2];  // atomics: operands

  /// Of a lane's data.
  unsigned words() const { return bytes <= 4 ? 1 : bytes / 4u; }
};

enum class PortStatus : std::uint8_t { kDone, kNotReady, kFault };

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;

  /// True if s[] accesses come through shared(); otherwise the executor uses the block's own array.
  bool external_shared() const { return external_shared_; }

  /// Performs a g[] access. kNotReady leaves everything unchanged and the step is retried later; kFault names the lane.
  virtual PortStatus global(MemoryAccess& access, unsigned& fault_lane) = 0;
  /// Performs an s[] access of operand fetch, load, store, lock or unlock (only if external_shared()).
  virtual PortStatus shared(MemoryAccess& access) = 0;
  virtual bool texture_read(std::uint32_t address, unsigned bytes, void* out) = 0;

 protected:
  explicit MemoryPort(bool external_shared) : external_shared_(external_shared) {}

 private:
  bool external_shared_;
};

}  // namespace g80::golden

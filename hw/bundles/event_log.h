// SPDX-License-Identifier: Apache-2.0
// Event logs for the checker: each SM and each partition writes its own log; the checker merges them in fixed order.
//
// A log pointer is null when checking is off; units only write, never read. The log numbers the events. A unit says at
// which edge of the core clock something happens; who reads the log makes a time of it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "hw/bundles/transaction.h"

namespace g80 {

/// A transaction performed at a partition: this defines the memory order.
struct PerformEvent {
  Cycle edge = 0;
  MemOp op = MemOp::kRead;
  MemClient client = MemClient::kGlobal;
  std::uint8_t half = 0;
  HalfMask lanes = 0;
  std::uint8_t bytes = 32;
  std::uint8_t atom_op = 0;
  bool atom_signed = false;
  std::uint8_t atom_bytes = 4;
  Origin origin;
  std::uint32_t virtual_address = 0;
  std::uint64_t byte_enable[2] = {0, 0};
  std::uint64_t b = 0, c = 0;                         // operands of an atomic
  std::uint32_t data[kMaxTransactionBytes / 4] = {};  // write: what is written; otherwise see ReturnEvent
  std::uint64_t number = 0;                           // in this partition
};

/// What the log has of a transaction that a partition performs at `edge`, its `number`-th.
inline PerformEvent perform_event(const MemRequest& request, std::uint64_t number, Cycle edge) {
  PerformEvent event;
  event.number = number;
  event.edge = edge;
  event.op = request.op;
  event.client = request.client;
  event.half = request.half;
  event.lanes = request.lanes;
  event.bytes = request.bytes;
  event.atom_op = request.atom_op;
  event.atom_signed = request.atom_signed;
  event.atom_bytes = request.atom_bytes;
  event.origin = request.origin;
  event.virtual_address = request.virtual_address;
  std::copy(request.byte_enable.begin(), request.byte_enable.end(), event.byte_enable);
  if (request.op == MemOp::kReduce || request.op == MemOp::kAtomic) {
    event.b = request.data[0] | std::uint64_t{request.data[1]} << 32;
    event.c = request.data[2] | std::uint64_t{request.data[3]} << 32;
  }
  if (request.op == MemOp::kWrite) std::copy(request.data.begin(), request.data.end(), event.data);
  return event;
}

/// The DRAM data of a read or atomic that was performed before.
struct ReturnEvent {
  std::uint64_t number = 0;                           // of the PerformEvent
  std::uint32_t data[kMaxTransactionBytes / 4] = {};  // read: what was read; atomic: old value
};

struct PartitionLog {
  static constexpr unsigned kPlaces = 256;

  std::vector<PerformEvent> performed;
  std::vector<ReturnEvent> returned;

  /// A transaction is performed. One that returns data lies in a `place` of the unit until then.
  void perform(const MemRequest& request, Cycle edge, unsigned place = kPlaces) {
    performed.push_back(perform_event(request, ++number_, edge));
    number_at_[place] = number_;
  }
  /// The data of the transaction in `place` have come.
  void give_back(unsigned place, const void* data, unsigned bytes) {
    ReturnEvent& event = returned.emplace_back();
    event.number = number_at_[place];
    std::memcpy(event.data, data, bytes);
  }

 private:
  std::uint64_t number_ = 0;
  std::array<std::uint64_t, kPlaces + 1> number_at_{};
};

}  // namespace g80

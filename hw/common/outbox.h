// SPDX-License-Identifier: Apache-2.0
// What a group of blocks does to others while it is stepped beside other groups: it is done behind the turn, in the
// order of the groups. Most wakes take a shorter way (Domain's Inbox).
#pragma once
#include <exception>
#include <functional>
#include <vector>

#include "hw/common/types.h"

namespace g80 {

class Domain;
class Traceable;

struct Outbox {
  struct Wake {
    Domain* domain;
    unsigned index;
    Cycle edge;
  };
  std::vector<Wake> wakes;                    // of domains that do not run in this turn, and of late edges
  std::vector<std::function<void()>> writes;  // of wires that blocks of another clock read
  bool in_order = true;                       // observers are told behind the edge, else at once
  std::vector<Traceable*> changed;            // whose observers are to be told
  std::exception_ptr error;                   // of the block that ended the group's turn

  bool is_empty() const { return wakes.empty() && writes.empty() && changed.empty() && !error; }

  /// That of the group which this thread steps; null: everything happens at once.
  static inline thread_local Outbox* current = nullptr;
  /// Some domain steps its groups side by side.
  static inline bool in_use = false;
  /// `current`; the host looks for what belongs to its thread only where there are several.
  static Outbox* of_thread() { return __builtin_expect(in_use, 0) ? current : nullptr; }
};

}  // namespace g80

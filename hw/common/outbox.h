// SPDX-License-Identifier: Apache-2.0
// What a group of blocks does to others while it is stepped beside other groups: it is done behind the edge, in the
// order of the groups.
#pragma once
#include <exception>
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
  std::vector<Wake> wakes;          // of Domain::wake_at()
  bool in_order = true;             // observers are told behind the edge, else at once
  std::vector<Traceable*> changed;  // whose observers are to be told
  std::exception_ptr error;         // of the block that ended the group's turn

  /// That of the group which this thread steps; null: everything happens at once.
  static inline thread_local Outbox* current = nullptr;
};

}  // namespace g80

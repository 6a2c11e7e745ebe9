// Finds the field that a fault names, among everything a machine shows to waves and everything it stores.
#pragma once
#include <string>
#include <vector>

#include "hw/common/traceable.h"

namespace g80 {

/// A field of the machine that a fault can be in.
struct FaultTarget {
  std::string name;  // as waves show it
  Traceable* item = nullptr;
  std::uint32_t first = 0;         // number of its first leaf in the item
  std::uint32_t count = 1;         // leaves: more than one for a struct or array
  unsigned width = 1;              // bits of a leaf
  const EnumText* text = nullptr;  // names of its values, if it is an enumeration
};

/// Every field below the top of the SystemC hierarchy, stored ones included, in the hierarchy's order.
std::vector<FaultTarget> list_fault_targets();

/// The field called `path`, in full or by the end of its name; a struct or array gives all its leaves. Throws
/// InputError: `path` names nothing (with the nearest names), several things, or what is computed for display.
FaultTarget find_fault_target(const std::string& path);

}  // namespace g80

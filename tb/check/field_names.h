// SPDX-License-Identifier: Apache-2.0
// The fields of a machine by name: all traced fields and, if requested, stored values.
#pragma once
#include <string>
#include <vector>

#include "hw/common/traceable.h"

namespace g80 {

struct Field {
  std::string name;  // as waves show it
  Traceable* item = nullptr;
  std::uint32_t first = 0;         // number of its first leaf in the item
  std::uint32_t count = 1;         // leaves: more than one for a struct or array
  unsigned width = 1;              // bits of a leaf
  const EnumText* text = nullptr;  // names of its values, if it is an enumeration
};

/// Every leaf field of the SystemC hierarchy, in its order; with or without values that only memories store.
std::vector<Field> list_fields(bool with_stored);

/// The field called `path`, in full or by the end of its name; a struct or array gives all its leaves. Throws
/// InputError: `path` is unknown (with similar names), ambiguous, or a whole block. `whole`: a wire, a
/// queue or the registers of a block may be named as a whole, too.
Field find_field(const std::string& path, const std::vector<Field>& all, bool whole = false);

/// "similar names are a, b, c" for an unknown `path`.
std::string nearest_fields(const std::string& path, const std::vector<Field>& all);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Finds the field that a fault names, among all traced fields and stored values of a machine.
#pragma once
#include <string>

#include "tb/check/field_names.h"

namespace g80 {

/// The field called `path`, in full or by the end of its name; a struct or array gives all its leaves. Throws
/// InputError: `path` is unknown (with similar names), ambiguous, or a value that exists for display only.
Field find_fault_target(const std::string& path);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Finds the field that a fault names, among everything a machine shows to waves and everything it stores.
#pragma once
#include <string>

#include "tb/check/field_names.h"

namespace g80 {

/// The field called `path`, in full or by the end of its name; a struct or array gives all its leaves. Throws
/// InputError: `path` names nothing (with the nearest names), several things, or what is computed for display.
Field find_fault_target(const std::string& path);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Surfer command files (.sucl) of the same views: surfer DUMP -c VIEW.sucl
//
// A command acts on the last added item. If the dump lacks a variable, Surfer skips it, and its commands act on the
// item before. So a command file is for waves of the whole machine.
#pragma once
#include <string>
#include <vector>

#include "tb/waves/wave_view.h"

namespace g80 {

/// Name of a signal as Surfer lists it: the elements of an array stand in a scope with the array's name.
std::string surfer_name(const Signal& signal);

/// Text of the command file. Surfer has no translate filters: instructions are words, and there are no source lines.
std::string surfer_text(const ViewSpec& view, const std::vector<Signal>& signals);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The scenario of a bare kernel file: its launch and its data come from the command line.
//
//   --arg EXPR                               a number, of the parameter's type
//   --arg TYPE:EXPR                          of this type
//   --arg [out:]TYPE[COUNT][>FILE][=INIT]    a buffer; its address is the parameter
//
// EXPR, COUNT and INIT are expressions of scenario files. INIT may also be iota, random, random:SEED or @FILE. Buffers
// are named arg0, arg1, ... by their position.
#pragma once
#include <string>

#include "app/command/commands.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// True for files of kernels without a scenario: .sasm, .cubin, .ptx, .cu.
bool is_bare_kernel(const std::string& path);

/// Throws InputError.
Scenario bare_scenario(const std::string& file, const RunCommand& options);

/// The --dump assignments that stand for `>FILE`.
std::vector<std::string> argument_dumps(const RunCommand& options);

}  // namespace g80

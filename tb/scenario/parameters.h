// SPDX-License-Identifier: Apache-2.0
// The parameters of a launch as words, checked against the kernel's parameter list.
#pragma once
#include <cstdint>
#include <vector>

#include "tb/scenario/arguments.h"
#include "tb/scenario/buffer_data.h"
#include "tb/scenario/scenario.h"
#include "toolchain/cubin/module.h"

namespace g80 {

/// Words from s[0x10]. `buffers` have their addresses; their names are numbers in the expressions. Throws InputError
/// that names parameter and type: another number of parameters, a buffer or a real number where the kernel takes none,
/// a type of another size, a structure.
std::vector<std::uint32_t> parameter_words(const LaunchDecl& decl, const Kernel& kernel, const NameTable& arguments,
                                           const std::vector<Buffer>& buffers);

}  // namespace g80

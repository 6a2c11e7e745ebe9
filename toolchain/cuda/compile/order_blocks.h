// SPDX-License-Identifier: Apache-2.0
// The order of a function's blocks, where `goto` leads upwards.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "toolchain/cuda/compile/close_loop.h"

namespace g80::cuda {

/// True of clang's names of the blocks of a loop statement.
bool is_statement(std::string_view name);

/// Puts code behind the jump to it where `goto` leads back to what is no beginning of a loop:
/// `goto test; work: ...; test: if (locked()) goto work;`. Then loops stand as statements make them. `next`: the
/// numbers of the blocks to which each leads.
void order_blocks(std::vector<Block>& blocks, const std::vector<std::vector<std::size_t>>& next);

}  // namespace g80::cuda

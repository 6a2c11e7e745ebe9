// SPDX-License-Identifier: Apache-2.0
// The GPU binary inside a host program: g80 cc embeds it, the runtime extracts it.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// The GPU binary for a cubin.
std::string embed_cubin(const std::string& cubin);
/// The cubin in a GPU binary. Throws SourceError if it is something else.
std::string_view embedded_cubin(const void* binary);

}  // namespace g80::cuda

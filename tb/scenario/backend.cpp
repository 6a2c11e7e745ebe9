// SPDX-License-Identifier: Apache-2.0
// Common to both backends: the check of a launch against the device's limits, and the table of bound textures.
#include "tb/scenario/backend.h"

#include <algorithm>

namespace g80 {

LaunchShape launch_shape(const LaunchRequest& request) {
  // A cubin of another tool may leave header and parameters out of its shared-memory size.
  const auto parameters = kParameterBase + static_cast<std::uint32_t>(request.params.size() * 4);
  LaunchShape shape;
  shape.grid = request.grid;
  shape.block = request.block;
  shape.registers_per_thread = std::max(request.kernel->reg, 1u);
  shape.shared_bytes = block_shared_bytes(std::max(request.kernel->smem, parameters), request.dynamic_shared);
  return shape;
}

void replace_binding(std::vector<TextureBinding>& bindings, const TextureBinding& binding) {
  const auto same = std::find_if(bindings.begin(), bindings.end(),
                                 [&](const TextureBinding& one) { return one.unit == binding.unit; });
  if (same != bindings.end()) {
    *same = binding;
  } else {
    bindings.push_back(binding);
  }
}

}  // namespace g80

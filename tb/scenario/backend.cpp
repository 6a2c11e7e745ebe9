// The launch as the device's limits see it.
#include "tb/scenario/backend.h"

#include <algorithm>

namespace g80 {

LaunchShape launch_shape(const LaunchRequest& request) {
  // A cubin of another tool may count neither header nor parameters.
  const auto parameters = kParameterBase + static_cast<std::uint32_t>(request.params.size() * 4);
  LaunchShape shape;
  shape.grid = request.grid;
  shape.block = request.block;
  shape.registers_per_thread = std::max(request.kernel->reg, 1u);
  shape.shared_bytes = std::max(request.kernel->smem, parameters) + request.dynamic_shared;
  return shape;
}

}  // namespace g80

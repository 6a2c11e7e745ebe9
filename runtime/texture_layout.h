// SPDX-License-Identifier: Apache-2.0
// Converts the settings of a texture reference, for both APIs.
#pragma once
#include <cuda_runtime_api.h>

#include "runtime/channel_format.h"
#include "tb/scenario/texture_descriptor.h"

namespace g80::cuda {

/// `normalized`: integers are read as fractions.
TexelElement texel_element(const ChannelFormat& format, bool normalized);

/// `normalized`: coordinates run from 0 to 1. Without that the chip cannot wrap or mirror.
TextureWrap texture_wrap(cudaTextureAddressMode mode, bool normalized);

}  // namespace g80::cuda

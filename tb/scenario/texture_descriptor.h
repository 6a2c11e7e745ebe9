// Texture declarations of a scenario as the chip's texture header and sampler words.
#pragma once
#include "tb/scenario/arguments.h"
#include "tb/scenario/backend.h"
#include "tb/scenario/buffer_data.h"
#include "tb/scenario/scenario.h"

namespace g80 {

/// Encodes `decl` over the allocated buffers. Throws InputError if the buffer is missing or too small.
TextureBinding describe_texture(const TextureDecl& decl, const std::vector<Buffer>& buffers, const NameTable& names);

}  // namespace g80

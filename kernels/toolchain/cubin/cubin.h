// The text cubin of CUDA 1.x and 2.x: reader and writer.
//
//   file    = { setting | block }
//   setting = ("architecture" | "abiversion" | "modname") "{" word "}"
//   block   = "consts" "{" name segname segnum offset bytes [type] [mem] "}"      a __constant__ variable
//           | "reloc" "{" name segname segnum offset bytes [type] [mem] "}"       a __device__ variable, address in c14
//           | "sampler" "{" name texunit "}"                                      a texture reference
//           | "code" "{" name lmem smem reg bar { param } bincode { const } "}"   a kernel
//   param   = "param" "{" name type offset [bytes] "}"
//   const   = "const" "{" segname segnum offset bytes mem "}"                     words read as c<segnum>[offset ..]
//   bincode = "bincode" "{" { word } "}"    mem = "mem" "{" { word } "}"          lowest address first
// Every lower-case item is "key = value" on a line of its own. Numbers are decimal or 0x hex. A `mem` has
// (bytes + 3) / 4 words. Settings and items may come in any order, blocks any number of times.
// `param`, `type` and the `mem` of a reloc are additions of this project; files without them are complete.
#pragma once
#include <string>
#include <string_view>

#include "kernels/toolchain/cubin/module.h"

namespace g80 {

/// Reads a cubin. `filename` is only for messages. Throws SourceError naming file and line.
Module read_cubin(std::string_view text, const std::string& filename);

/// Writes a cubin that read_cubin turns back into the same module.
std::string write_cubin(const Module& module);

}  // namespace g80

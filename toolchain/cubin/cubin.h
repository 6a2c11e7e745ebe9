// SPDX-License-Identifier: Apache-2.0
// The text cubin of CUDA 1.x and 2.x: reader and writer.
//
//   file    = { setting | block }
//   setting = ("architecture" | "abiversion" | "modname") "{" word "}"
//   block   = "consts" "{" name segname segnum offset bytes [type] [mem] "}"      a __constant__ variable
//           | "reloc" "{" name segname segnum offset bytes [type] [mem] "}"       a __device__ variable, address in c14
//           | "sampler" "{" name texunit "}"                                      a texture reference
//           | "code" "{" name lmem smem reg bar { param } bincode { const } { lines } "}"   a kernel
//   param   = "param" "{" name type offset [bytes] "}"
//   lines   = "lines" "{" path { address ":" line } "}"                           source lines of the code
//   const   = "const" "{" segname segnum offset bytes mem "}"                     words read as c<segnum>[offset ..]
//   bincode = "bincode" "{" { word } "}"    mem = "mem" "{" { word } "}"          lowest address first
// Every lower-case item is "key = value" on a line of its own. Numbers are decimal or 0x hex. A `mem` has
// (bytes + 3) / 4 words. Settings and items may come in any order, blocks any number of times.
// A `lines` block is written on one line of the file. Addresses are bytes from the kernel's first word and ascend
// through all of a kernel's blocks; line 0 ends a run of code that has a line. In the path, and in a modname, bytes
// that would end a word stand as %xx, as does %.
// `param`, `type`, `lines` and the `mem` of a reloc are additions of this project; files without them are complete.
#pragma once
#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace g80 {

/// Reads a cubin. `filename` is only for messages. Throws SourceError naming file and line.
Module read_cubin(std::string_view text, const std::string& filename);

/// Writes a cubin that read_cubin turns back into the same module.
std::string write_cubin(const Module& module);

}  // namespace g80

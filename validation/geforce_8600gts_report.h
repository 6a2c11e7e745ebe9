// SPDX-License-Identifier: Apache-2.0
// The output of deviceQuery for the card of the author of "Threads and Blocks in Detail in CUDA".
#pragma once

namespace g80::silicon {

inline constexpr char kGeForce8600GtsReport[] =
    "There is 1 device supporting CUDA\n"
    "\n"
    "Device 0: \"GeForce 8600 GTS\"\n"
    "  Major revision number:                         1\n"
    "  Minor revision number:                         1\n"
    "  Total amount of global memory:                 268173312 bytes\n"
    "  Total amount of constant memory:               65536 bytes\n"
    "  Total amount of shared memory per block:       16384 bytes\n"
    "  Total number of registers available per block: 8192\n"
    "  Warp size:                                     32\n"
    "  Maximum number of threads per block:           512\n"
    "  Maximum sizes of each dimension of a block:    512 x 512 x 64\n"
    "  Maximum sizes of each dimension of a grid:     65535 x 65535 x 1\n"
    "  Maximum memory pitch:                          262144 bytes\n"
    "  Texture alignment:                             256 bytes\n"
    "  Clock rate:                                    1458000 kilohertz\n"
    "\n"
    "Test PASSED\n";

}  // namespace g80::silicon

/* SPDX-License-Identifier: Apache-2.0
   Stands where a program looks for a library that is not part of this project, and says so. */
#pragma GCC system_header
#pragma clang diagnostic fatal \
    "-W#warning \
    " cooperative groups are not part of g80 : they came with CUDA 9(here __syncthreads is the only barrier) "

/* SPDX-License-Identifier: Apache-2.0
   Stands where a program looks for a library that is not part of this project, and says so. */
#pragma GCC system_header
#pragma clang diagnostic fatal "-W#warnings"
#warning "Direct3D interoperability is not part of g80: the modelled machine computes and has no display"

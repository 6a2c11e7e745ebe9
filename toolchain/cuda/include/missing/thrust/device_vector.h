// SPDX-License-Identifier: Apache-2.0
// Stands where a program looks for a library that is not part of this project, and says so. Other headers are links.
#pragma GCC system_header
#pragma clang diagnostic fatal "-W#warnings"
#warning "Thrust is not part of g80: a program that uses its templates cannot be compiled"

// SPDX-License-Identifier: Apache-2.0
// libstdc++ writes __attribute__((__noinline__)), which the qualifier of CUDA would spoil.
#pragma GCC system_header
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")

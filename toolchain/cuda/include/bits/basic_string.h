// SPDX-License-Identifier: Apache-2.0
// <string>, and with it <iostream> and its like, brought these with g++ up to 4.6: programs of that time rely on it.
#pragma GCC system_header
#include_next <bits/basic_string.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

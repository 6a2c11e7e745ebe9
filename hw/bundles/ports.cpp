// SPDX-License-Identifier: Apache-2.0
// The ports of every bundle, compiled once. CMakeLists.txt compiles this file with -O1: the functions that run at every
// clock edge are inline in the blocks, so more optimisation here gains no speed.
#include "hw/bundles/signals.h"

#define G80_COMPILE_PORTS(T) G80_PORTS_OF_SIGNAL(, T)
#define G80_COMPILE_FIFO_PORTS(T) G80_PORTS_OF_CROSSING(, T)
G80_SIGNALS(G80_COMPILE_PORTS)
G80_CROSSINGS(G80_COMPILE_FIFO_PORTS)

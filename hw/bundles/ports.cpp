// SPDX-License-Identifier: Apache-2.0
// Not optimised much: what runs at every edge is inline where it is used.
#include "hw/bundles/signals.h"

#define G80_COMPILE_PORTS(T) G80_PORTS_OF_SIGNAL(, T)
#define G80_COMPILE_FIFO_PORTS(T) G80_PORTS_OF_CROSSING(, T)
G80_SIGNALS(G80_COMPILE_PORTS)
G80_CROSSINGS(G80_COMPILE_FIFO_PORTS)

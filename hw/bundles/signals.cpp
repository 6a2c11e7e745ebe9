// SPDX-License-Identifier: Apache-2.0
#include "hw/bundles/signals.h"

#define G80_COMPILE_WIRE(T) template class g80::Wire<T>;
#define G80_COMPILE_FIFO(T) template class g80::CrossingFifo<T>;
G80_SIGNALS(G80_COMPILE_WIRE)
G80_CROSSINGS(G80_COMPILE_FIFO)

// SPDX-License-Identifier: Apache-2.0
// Ctrl-C in the debugger: it halts the machine instead of ending the run.
#pragma once

namespace g80 {

/// While held, Ctrl-C is stored for take_held_interrupt(), also for machines built in this time.
void hold_interrupts(bool hold);
/// True if one was received.
bool interrupt_held();
/// True if one was received; clears it.
bool take_held_interrupt();

}  // namespace g80

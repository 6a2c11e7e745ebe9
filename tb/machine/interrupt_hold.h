// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while a person debugs: it halts the machine instead of ending the run.
#pragma once

namespace g80 {

/// While held, Ctrl-C is kept for take_held_interrupt(); a machine that is built meanwhile catches it so.
void hold_interrupts(bool hold);
/// One came.
bool interrupt_held();
/// One came, and is forgotten.
bool take_held_interrupt();

}  // namespace g80

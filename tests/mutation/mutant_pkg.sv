// SPDX-License-Identifier: Apache-2.0
// Which mutant of the RTL runs: the environment variable G80_MUTANT of the simulation (rtl_switch.cpp).
package mutant_pkg;
  import "DPI-C" function int unsigned g80_mutant();

  int unsigned number = g80_mutant();
endpackage

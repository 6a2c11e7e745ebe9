// SPDX-License-Identifier: Apache-2.0
// A model of twin_mutants.cmake, which has all mistakes of a twin, with one of them.
#pragma once

namespace g80::testing {

/// The mistake that models built from now on have; 0 is none.
inline unsigned selected_mutant = 0;

template <class Model>
struct SelectedMutant : Model {
  explicit SelectedMutant(const char* name) : Model(name) { this->__PVT__mutant_pkg->number = selected_mutant; }
};

}  // namespace g80::testing

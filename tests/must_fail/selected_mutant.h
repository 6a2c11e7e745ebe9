// SPDX-License-Identifier: Apache-2.0
// A model of twin_mutants.cmake that has all mistakes of a twin, with one of them.
#pragma once

namespace g80::testing {

/// Number 0 is none.
template <class Model, unsigned kNumber>
struct SelectedMutant : Model {
  explicit SelectedMutant(const char* name) : Model(name) { this->__PVT__mutant_pkg->number = kNumber; }
};

}  // namespace g80::testing

// SPDX-License-Identifier: Apache-2.0
// Precompiled for every test program with SystemC: the slow headers, read once.
#pragma once
#include "hw/common/systemc_pch.h"
#include "tests/support/test_pch.h"

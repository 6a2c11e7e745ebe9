// SPDX-License-Identifier: Apache-2.0
// Precompiled by every SystemC target: the slow headers, read once.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include <fmt/format.h>

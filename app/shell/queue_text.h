// SPDX-License-Identifier: Apache-2.0
// Text about the queues of a halted machine and their entries, and about the places that hold one uid.
#pragma once
#include <cstdint>
#include <string>

namespace g80 {

/// Every non-empty queue between blocks, with its entries from the head.
std::string queues_text();
/// Wires and queues that show the uid.
std::string places_text(std::uint32_t uid);

}  // namespace g80

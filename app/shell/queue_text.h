// SPDX-License-Identifier: Apache-2.0
// Where things in flight are: the queues of a machine that stands, entry by entry, and the places of one uid.
#pragma once
#include <cstdint>
#include <string>

namespace g80 {

/// Every queue between blocks that holds something, and each of its entries from the head.
std::string queues_text();
/// Wires and queues that show the uid.
std::string places_text(std::uint32_t uid);

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// The pinned ranges of host memory, which the device can access.
#include <algorithm>
#include <cstring>

#include "hw/bundles/host_bundles.h"
#include "hw/bundles/page_table.h"
#include "hw/common/check.h"

namespace g80 {

std::uint64_t HostMemory::place(Window window, std::uint64_t alignment) {
  window.address = page_table::kHostWindow;
  auto next = windows_.begin();
  while (next != windows_.end() && next->address < window.address + window.reserved) {
    window.address = (next->address + next->reserved + alignment - 1) / alignment * alignment;
    ++next;
  }
  windows_.insert(next, window);
  return window.address;
}

std::uint64_t HostMemory::pin_pages(void* bytes, std::uint64_t count) {
  auto* const memory = static_cast<std::uint8_t*>(bytes);
  const std::uint64_t pages = (count + page_table::kPageBytes - 1) / page_table::kPageBytes;
  return place({pages * page_table::kPageBytes, count, memory, memory}, page_table::kPageBytes);
}

void HostMemory::unpin(std::uint64_t address) {
  const auto found =
      std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return w.address == address; });
  CHECK(found != windows_.end(), "{}: no host memory is pinned at {:#x}", name(), address);
  windows_.erase(found);
}

const HostMemory::Window& HostMemory::window_of(std::uint64_t address, unsigned count) const {
  const auto found = std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) {
    return address >= w.address && address - w.address + count <= w.reserved;
  });
  CHECK(found != windows_.end(), "{}: {} bytes at {:#x} are not pinned", name(), count, address);
  return *found;
}

void HostMemory::read(std::uint64_t host_address, void* bytes, unsigned count) {
  const Window& window = window_of(host_address, count);
  const unsigned present = window.present(host_address, count);
  if (present < count) std::memset(bytes, 0xff, count);
  if (present != 0) std::memcpy(bytes, window.readable + (host_address - window.address), present);
}

void HostMemory::write(std::uint64_t host_address, const void* bytes, unsigned count) {
  const Window& window = window_of(host_address, count);
  CHECK(window.writable != nullptr, "{}: a write of {} bytes at {:#x}, which is read-only", name(), count,
        host_address);
  if (const unsigned present = window.present(host_address, count); present != 0)
    std::memcpy(window.writable + (host_address - window.address), bytes, present);
}

}  // namespace g80

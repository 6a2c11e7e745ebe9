// SPDX-License-Identifier: Apache-2.0
#include "runtime/heap.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/bundles/page_table.h"

namespace g80::cuda {
namespace {

constexpr std::uint32_t kGranule = 256;
constexpr std::uint64_t kPage = page_table::kPageBytes;
// Space in front of the first allocation, which a context on the chip uses for itself.
constexpr std::uint64_t kFrontBytes = kPage;

constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// The address of a block in which `bytes` are free.
std::uint32_t Heap::new_block(std::uint64_t bytes) {
  const std::uint64_t front = blocks_.empty() ? kFrontBytes : 0, whole = round_up(bytes, kPage) + front;
  const std::uint32_t address = backend_.allocate(whole, "device memory", Backend::Contents::kClearIfUsed, placement_);
  const auto first = static_cast<std::uint32_t>(front / kGranule), all = static_cast<std::uint32_t>(whole / kGranule);
  blocks_.emplace(address, Block{RangeAllocator(first, all - first)});
  return address;
}

std::uint32_t Heap::allocate(std::uint64_t bytes) {
  ++num_allocations_;
  if (placement_ == Placement::kGuarded) {
    const std::string name = fmt::format("allocation {}", num_allocations_);
    const std::uint32_t address = backend_.allocate(bytes, name, Backend::Contents::kClearIfUsed);
    allocations_[address] = {address, 0};
    return address;
  }
  const std::uint64_t wanted = std::min<std::uint64_t>(bytes, 0xffffffffu);
  const auto granules = static_cast<std::uint32_t>(round_up(wanted, kGranule) / kGranule);
  const auto take = [&](std::uint32_t block_address, Block& block) -> std::optional<std::uint32_t> {
    const std::optional<std::uint32_t> first = block.free.take(granules);
    if (!first) return std::nullopt;
    const std::uint32_t address = block_address + *first * kGranule;
    if (*first < block.used_granules) backend_.fill({address, static_cast<std::uint32_t>(bytes)}, 0);
    block.granules += granules;
    allocations_[address] = {block_address, granules};
    return address;
  };
  for (auto& [address, block] : blocks_) {
    if (const auto piece = take(address, block)) return *piece;
  }
  const std::uint32_t address = new_block(bytes);
  return *take(address, blocks_.at(address));
}

bool Heap::release(std::uint32_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  const Allocation allocation = found->second;
  allocations_.erase(found);
  if (placement_ == Placement::kGuarded) {
    backend_.release(address);
    return true;
  }
  Block& block = blocks_.at(allocation.block);
  const std::uint32_t first = (address - allocation.block) / kGranule;
  block.free.give_back(first, allocation.granules);
  block.granules -= allocation.granules;
  block.used_granules = std::max(block.used_granules, first + allocation.granules);
  if (block.granules == 0) {
    backend_.release(allocation.block);
    blocks_.erase(allocation.block);
  }
  return true;
}

std::uint64_t Heap::free_bytes() const {
  std::uint64_t bytes = backend_.free_bytes();
  if (placement_ == Placement::kGuarded) return bytes;
  if (blocks_.empty()) bytes -= std::min(bytes, kFrontBytes);
  for (const auto& [address, block] : blocks_) bytes += std::uint64_t{block.free.free_pages()} * kGranule;
  return bytes;
}

}  // namespace g80::cuda

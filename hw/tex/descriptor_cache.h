// SPDX-License-Identifier: Apache-2.0
// Holds the texture headers and samplers in use, decoded, and fetches the 32 bytes of one on its first use.
//
// Entries are found by their address in memory, so a new binding needs no flush; new content in the same place does.
// Not a module: texture_unit gives it ports. One fetch at a time.
#pragma once
#include <array>

#include "hw/bundles/transaction.h"
#include "hw/common/check.h"
#include "hw/tex/texture_header.h"

namespace g80 {

template <class Descriptor, Descriptor (*kDecode)(const std::uint32_t*)>
class DescriptorCache {
 public:
  static constexpr unsigned kEntries = 16;

  void flush() {
    for (Entry& entry : entry_) entry.valid = false;
    if (fetch_ != Fetch::kIdle) stale_ = true;
    failed_ = false;
  }
  void reset() {
    flush();
    fetch_ = Fetch::kIdle;
    stale_ = false;
  }

  struct Result {
    const Descriptor* descriptor = nullptr;
    MemFault fault = MemFault::kNone;  // it could not be read
  };
  /// The descriptor at `address`; neither descriptor nor fault means: ask again later, it is being fetched.
  Result get(std::uint32_t address, const Origin& origin) {
    const Entry& entry = entry_[index(address)];
    if (entry.valid && entry.address == address) return {&entry.descriptor, MemFault::kNone};
    if (failed_ && address_ == address) {
      failed_ = false;
      return {nullptr, fault_};
    }
    if (fetch_ == Fetch::kIdle) {
      fetch_ = Fetch::kToSend;
      failed_ = stale_ = false;
      address_ = address;
      origin_ = origin;
    }
    return {};
  }

  bool has_read() const { return fetch_ == Fetch::kToSend; }
  std::uint32_t take_read() {
    fetch_ = Fetch::kSent;
    return address_;
  }
  const Origin& origin() const { return origin_; }
  void arrive(const MemReply& reply) {
    CHECK(fetch_ == Fetch::kSent, "a texture descriptor arrived, but none was requested");
    fetch_ = Fetch::kIdle;
    if (stale_) return;
    if (reply.fault != MemFault::kNone) {
      failed_ = true;
      fault_ = reply.fault;
      return;
    }
    entry_[index(address_)] = {true, address_, kDecode(reply.data.data())};
  }
  bool idle() const { return fetch_ == Fetch::kIdle; }
  /// Gives random bits to entries that are not valid, for --x random.
  void fill_unused(FieldEditor& filler) {
    for (Entry& entry : entry_) {
      if (entry.valid) continue;
      filler.fill(entry.address);
      filler.fill(entry.descriptor);
    }
    if (fetch_ == Fetch::kIdle) filler.fill(address_);
  }

 private:
  enum class Fetch : std::uint8_t { kIdle, kToSend, kSent };
  struct Entry {
    bool valid = false;
    std::uint32_t address = 0;
    Descriptor descriptor;
  };
  static unsigned index(std::uint32_t address) { return address / kTextureHeaderBytes % kEntries; }

  std::array<Entry, kEntries> entry_{};
  Fetch fetch_ = Fetch::kIdle;
  bool stale_ = false;   // flushed while it was being fetched
  bool failed_ = false;  // the last fetch
  MemFault fault_ = MemFault::kNone;
  std::uint32_t address_ = 0;
  Origin origin_;
};

using HeaderCache = DescriptorCache<TextureHeader, decode_texture_header>;
using SamplerCache = DescriptorCache<TextureSampler, decode_texture_sampler>;

}  // namespace g80

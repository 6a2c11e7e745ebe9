// SPDX-License-Identifier: Apache-2.0
// Holds the texture headers and samplers in use, decoded, and fetches the 32 bytes of one on its first use.
//
// Entries are found by their address in memory, so a new binding needs no flush; new content in the same place does.
// Requests inside the unit refer to an entry by its number, and it is not replaced before the last of them has left.
// Not a module: texture_unit gives it ports. One fetch at a time.
#pragma once
#include <array>

#include "hw/bundles/transaction.h"
#include "hw/common/check.h"
#include "hw/common/store.h"
#include "hw/tex/texture_header.h"

namespace g80 {

enum class DescriptorFetch : std::uint8_t { kIdle, kToSend, kSent };
inline const EnumText& enum_text(DescriptorFetch) {
  static const char* const names[] = {"-", "to send", "sent"};
  static const EnumText text{"DescriptorFetch", names, 3};
  return text;
}

template <class Descriptor, Descriptor (*kDecode)(const std::uint32_t*)>
class DescriptorCache {
 public:
  static constexpr unsigned kEntries = 16;
  static constexpr std::uint8_t kNone = kEntries;

  void flush() {
    for (Entry& entry : entry_) entry.valid = false;
    if (fetch_ != DescriptorFetch::kIdle) stale_ = true;
  }
  void reset() {
    entry_ = {};
    fetch_ = DescriptorFetch::kIdle;
    stale_ = failed_ = false;
    fault_ = MemFault::kNone;
    address_ = 0;
    origin_ = {};
  }

  struct Result {
    std::uint8_t entry = kNone;
    MemFault fault = MemFault::kNone;  // it could not be read
    bool pending() const { return entry == kNone && fault == MemFault::kNone; }
  };
  /// The entry of the descriptor at `address`. While it is pending, ask again.
  Result get(std::uint32_t address, const Origin& origin) {
    const std::uint8_t index = index_of(address);
    const Entry& entry = entry_[index];
    if (entry.valid && entry.address == address) return {index, MemFault::kNone};
    if (failed_) {  // the one that asked is the first to ask again
      failed_ = false;
      return {kNone, fault_};
    }
    if (fetch_ == DescriptorFetch::kIdle && entry.uses == 0) {
      fetch_ = DescriptorFetch::kToSend;
      stale_ = false;
      address_ = address;
      origin_ = origin;
    }
    return {};
  }
  const Descriptor& descriptor(unsigned entry) const { return entry_[entry % kEntries].descriptor; }
  /// A request that uses the entry enters the unit, or leaves it.
  void take(unsigned entry) {
    if (entry != kNone) ++entry_[entry % kEntries].uses;
  }
  void release(unsigned entry) {
    if (entry != kNone) --entry_[entry % kEntries].uses;
  }

  bool has_read() const { return fetch_ == DescriptorFetch::kToSend; }
  std::uint32_t take_read() {
    fetch_ = DescriptorFetch::kSent;
    return address_;
  }
  const Origin& origin() const { return origin_; }
  void arrive(const MemReply& reply) {
    CHECK(fetch_ == DescriptorFetch::kSent, "a texture descriptor arrived, but none was requested");
    fetch_ = DescriptorFetch::kIdle;
    if (stale_) return;
    if (reply.fault != MemFault::kNone) {
      failed_ = true;
      fault_ = reply.fault;
      return;
    }
    Entry& entry = entry_[index_of(address_)];
    entry.valid = true;
    entry.address = address_;
    entry.descriptor = kDecode(reply.data.data());
  }
  bool idle() const { return fetch_ == DescriptorFetch::kIdle; }
  /// The read is with the memory.
  bool sent() const { return fetch_ == DescriptorFetch::kSent; }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("entry", s.entry_);
    v("fetch", s.fetch_, 2);
    v("stale", s.stale_);
    v("failed", s.failed_);
    v("fault", s.fault_, 2);
    v("address", s.address_);
    v("origin", s.origin_);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (auto& entry : s.entry_) {
        if (!v.fills() || entry.valid) continue;
        v.fill(entry.address);
        v.fill(entry.descriptor);
      }
    }
  }

 private:
  struct Entry {
    std::uint16_t uses = 0;  // requests inside the unit, whether it is valid or not
    bool valid = false;
    std::uint32_t address = 0;
    Descriptor descriptor;
    G80_FIELDS(uses, valid, address, descriptor);
  };
  static std::uint8_t index_of(std::uint32_t address) { return address / kTextureHeaderBytes % kEntries; }

  std::array<Entry, kEntries> entry_{};
  DescriptorFetch fetch_ = DescriptorFetch::kIdle;
  bool stale_ = false;   // flushed while it was being fetched
  bool failed_ = false;  // the last fetch
  MemFault fault_ = MemFault::kNone;
  std::uint32_t address_ = 0;
  Origin origin_;
};

using HeaderCache = DescriptorCache<TextureHeader, decode_texture_header>;
using SamplerCache = DescriptorCache<TextureSampler, decode_texture_sampler>;

}  // namespace g80

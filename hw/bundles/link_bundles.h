// SPDX-License-Identifier: Apache-2.0
// The packets of the host link: transaction layer packets of PCI Express.
#pragma once
#include <array>
#include <cstdint>

#include "hw/common/fields.h"
#include "hw/common/types.h"

namespace g80 {

/// Reads and writes go up to the host, completions of reads come down.
enum class LinkOp : std::uint8_t { kRead, kWrite, kCompletion };
inline const EnumText& enum_text(LinkOp) {
  static const char* const names[] = {"READ", "WRITE", "COMPLETION"};
  static const EnumText text{"LinkOp", names, 3};
  return text;
}

/// Who sends a packet, and gets its completions: the copy engine, or the port of the memory network.
enum class LinkClient : std::uint8_t { kCopy, kPort };
inline const EnumText& enum_text(LinkClient) {
  static const char* const names[] = {"COPY", "PORT"};
  static const EnumText text{"LinkClient", names, 2};
  return text;
}

struct LinkPacket {
  bool valid = false;
  LinkOp op = LinkOp::kRead;
  LinkClient client = LinkClient::kCopy;
  std::uint8_t tag = 0;    // of a read and its completions, among those of its client
  std::uint8_t first = 0;  // of a completion: where its bytes stand among those of the read
  std::uint8_t count = 0;  // bytes wanted, or carried
  bool last = false;       // completion of its read
  std::uint64_t address = 0;
  std::array<std::uint8_t, kMaxTransactionBytes> data{};  // 128: the smallest maximum payload of a device
  G80_FIELDS(valid, (op, 2), (client, 1), tag, first, count, last, address, data);
};

}  // namespace g80

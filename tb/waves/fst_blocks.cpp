// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/fst_blocks.h"

#include <endian.h>
#include <gtkwave/lz4.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "hw/common/check.h"

namespace g80 {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kChangesOfABlock = 4'000'000;
constexpr std::uint8_t kBlockType = 8;           // FST_BL_VCDATA_DYN_ALIAS2
constexpr std::size_t kShortestToCompress = 33;  // bytes of a chain
constexpr std::size_t kLongestChange = 16;       // bytes: a distance and a value
constexpr int kPackingLevel = 1;                 // of zlib

void put_number(Bytes& to, std::uint64_t number) {  // seven bits a byte, low ones first
  for (; number >> 7 != 0; number >>= 7) to.push_back(static_cast<std::uint8_t>(number | 0x80));
  to.push_back(static_cast<std::uint8_t>(number));
}
void put_signed(Bytes& to, std::int64_t number) {
  while (number < -64 || number > 63) {
    to.push_back(static_cast<std::uint8_t>((number & 0x7f) | 0x80));
    number >>= 7;
  }
  to.push_back(static_cast<std::uint8_t>(number & 0x7f));
}
void put_word(Bytes& to, std::uint64_t word) {
  for (int shift = 56; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(word >> shift));
}
void put(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

/// Compressed by zlib, or as they are if that is not shorter.
Bytes packed(const Bytes& bytes) {
  Bytes out(compressBound(bytes.size()));
  uLongf size = out.size();
  if (compress2(out.data(), &size, bytes.data(), bytes.size(), kPackingLevel) != Z_OK || size >= bytes.size())
    return bytes;
  out.resize(size);
  return out;
}

}  // namespace

void FstBlocks::open(const std::string& path, const std::vector<std::uint8_t>& widths,
                     const std::vector<std::uint64_t>& values, Picoseconds time) {
  CHECK(file_ == nullptr && widths.size() == values.size(), "{} signals with {} values", widths.size(), values.size());
  file_ = std::fopen(path.c_str(), "ab");
  if (file_ == nullptr) failure_ = std::strerror(errno);
  chains_.resize(widths.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    chains_[i].width = widths[i];
    chains_[i].value = chains_[i].put_value = values[i];
  }
  time_ = time;
  begin_block();
}

void FstBlocks::begin_block() {
  first_values_.clear();
  for (Chain& chain : chains_) {
    for (unsigned bit = chain.width; bit-- > 0;) first_values_.push_back((chain.value >> bit & 1) != 0 ? '1' : '0');
    chain.used = chain.step = chain.put_step = 0;
  }
  steps_.clear();
  put_number(steps_, time_);
  step_ = 0;
  changes_ = 0;
  begin_ = time_;
}

void FstBlocks::advance(Picoseconds time) {
  if (changes_ >= kChangesOfABlock) {
    write_block();
    begin_block();
  }
  put_number(steps_, time - time_);
  time_ = time;
  ++step_;
}

/// The last change of the chain is complete.
void FstBlocks::append(Chain& chain) {
  std::uint64_t number = std::uint64_t{chain.step - chain.put_step} << 1;
  if (chain.width == 1) number = (number | chain.value) << 1;
  chain.put_value = chain.value;
  chain.put_step = chain.step;
  if (chain.bytes.size() < chain.used + kLongestChange) chain.bytes.resize(2 * chain.bytes.size() + kLongestChange);
  std::uint8_t* at = chain.bytes.data() + chain.used;
  for (; number >> 7 != 0; number >>= 7) *at++ = static_cast<std::uint8_t>(number | 0x80);
  *at++ = static_cast<std::uint8_t>(number);
  if (chain.width != 1) {
    const std::uint64_t bits = htobe64(chain.value << (64 - chain.width));  // more than it has, behind its end
    std::memcpy(at, &bits, sizeof bits);
    at += (chain.width + 7) / 8;
  }
  chain.used = static_cast<std::uint32_t>(at - chain.bytes.data());
}

/// The changes of all signals, and where those of each are.
void FstBlocks::put_chains(Bytes& block) const {
  const std::size_t begin = block.size();
  block.push_back('4');  // they are packed by LZ4
  std::uint32_t longest = 0;
  for (const Chain& chain : chains_) longest = std::max(longest, chain.used);
  Bytes index, lz4(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(longest))));
  const auto by_end = [](std::string_view text) {  // most that differ do there
    constexpr std::size_t kEnd = 32;
    return std::hash<std::string_view>{}(text.substr(text.size() - std::min(text.size(), kEnd))) + text.size();
  };
  // Chains, and the first signal that has each, from 1
  std::unordered_map<std::string_view, std::int64_t, decltype(by_end)> known(chains_.size(), by_end);
  std::size_t last_place = 0;
  std::int64_t last_alias = 0;
  std::uint64_t unchanged = 0;  // signals since the last one with changes
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const std::string_view text(reinterpret_cast<const char*>(chains_[i].bytes.data()), chains_[i].used);
    if (text.empty()) {
      ++unchanged;
      continue;
    }
    if (unchanged != 0) put_number(index, unchanged << 1);
    unchanged = 0;
    const auto [first, is_new] = known.try_emplace(text, static_cast<std::int64_t>(i) + 1);
    if (!is_new) {
      put_signed(index, (last_alias == first->second ? 0 : -first->second) * 2 + 1);
      last_alias = first->second;
      continue;
    }
    const std::size_t place = block.size() - begin;
    put_signed(index, static_cast<std::int64_t>(place - last_place) * 2 + 1);
    last_place = place;
    int size = 0;
    if (text.size() >= kShortestToCompress) {
      size = LZ4_compress_default(text.data(), reinterpret_cast<char*>(lz4.data()), static_cast<int>(text.size()),
                                  static_cast<int>(lz4.size()));
    }
    if (size != 0 && static_cast<std::size_t>(size) < text.size()) {
      put_number(block, text.size());
      block.insert(block.end(), lz4.begin(), lz4.begin() + size);
    } else {
      put_number(block, 0);  // as it is
      block.insert(block.end(), text.begin(), text.end());
    }
  }
  if (unchanged != 0) put_number(index, unchanged << 1);
  put(block, index);
  put_word(block, index.size());
}

void FstBlocks::write_block() {
  if (changes_ == 0 || !failure_.empty()) return;
  std::uint64_t bytes_of_changes = 0;
  for (Chain& chain : chains_) {
    settle(chain);
    bytes_of_changes += chain.used;
  }
  Bytes& block = block_;
  block.clear();
  put_word(block, begin_);
  put_word(block, time_);
  put_word(block, bytes_of_changes);
  const Bytes values = packed(first_values_);
  put_number(block, first_values_.size());
  put_number(block, values.size());
  put_number(block, chains_.size());
  put(block, values);
  put_number(block, chains_.size());
  put_chains(block);
  const Bytes times = packed(steps_);
  put(block, times);
  put_word(block, steps_.size());
  put_word(block, times.size());
  put_word(block, std::uint64_t{step_} + 1);

  Bytes head{kBlockType};
  put_word(head, block.size() + sizeof(std::uint64_t));
  errno = 0;
  if (std::fwrite(head.data(), 1, head.size(), file_) != head.size() ||
      std::fwrite(block.data(), 1, block.size(), file_) != block.size() || std::fflush(file_) != 0) {
    failure_ = std::strerror(errno);
    return;
  }
  ++count_;
}

void FstBlocks::close() {
  if (file_ == nullptr) return;
  write_block();
  if (std::fclose(file_) != 0 && failure_.empty()) failure_ = std::strerror(errno);
  file_ = nullptr;
}

}  // namespace g80

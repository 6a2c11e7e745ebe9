// SPDX-License-Identifier: Apache-2.0
#include "hw/common/fields.h"

#include "hw/common/check.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a leaf's bits are found in the word that its bytes make");

namespace g80 {

namespace {
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::uint64_t ones(unsigned count) { return ~std::uint64_t{0} >> (64 - count); }
}  // namespace

void KnownFields::change(std::uint32_t leaf, std::uint64_t value) {
  values_[leaf] = value;
  LeafChange& noted = changes_->emplace_back();  // no copy of one: it would wait for its parts
  noted.value = value;
  noted.leaf = leaf;
}

KnownFields::Way KnownFields::meet_first(fields_detail::Memory block) {
  if (learning_) return Way::kInside;  // it is a part of one
  learning_ = plain_ = true;
  block_ = block;
  first_ = leaf_;
  places_.assign(block.bytes, {});
  return Way::kLearn;
}

void KnownFields::learn(fields_detail::Memory leaf, unsigned width) {
  const auto offset = reinterpret_cast<std::uintptr_t>(leaf.at) - reinterpret_cast<std::uintptr_t>(block_.at);
  const std::uint32_t number = leaf_ - first_;
  // All of it in one word
  plain_ = plain_ && offset < block_.bytes && offset % kWord + leaf.bytes <= kWord && number < Place::kPadding;
  if (!plain_) return;
  for (std::size_t i = 0; i < leaf.bytes; ++i) {
    places_[offset + i] = {static_cast<std::uint16_t>(number), static_cast<std::uint8_t>(8 * (offset % kWord)),
                           static_cast<std::uint8_t>(8 * leaf.bytes), static_cast<std::uint8_t>(width)};
  }
}

/// The first visit of the inside of a block has ended.
KnownFields::Way KnownFields::learnt() {
  learning_ = false;
  const std::size_t copy = copies_.size();
  blocks_.push_back({nullptr, copy, block_.bytes, leaf_ - first_});
  ++next_;
  if (!plain_) {  // once more, to learn of the blocks in it
    leaf_ = first_;
    return Way::kInside;
  }
  blocks_.back().layout = &*layouts_->insert(places_).first;
  copies_.resize(copy + (block_.bytes + kWord - 1) / kWord);
  if (block_.bytes != 0) std::memcpy(&copies_[copy], block_.at, block_.bytes);
  return Way::kPassed;
}

void KnownFields::compare(const Block& block, fields_detail::Memory now) {
  CHECK(now.bytes == block.bytes, "an array of {} bytes had {} before", now.bytes, block.bytes);
  const auto* const bytes = static_cast<const unsigned char*>(now.at);
  const Place* const places = block.layout->data();
  std::uint64_t* const copy = copies_.data() + block.copy;
  const auto load = [=](std::size_t w, std::size_t count = kWord) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + w * kWord, count);
    return value;
  };
  const auto compare_word = [=](std::size_t w, std::uint64_t value) {
    std::uint64_t differing = value ^ copy[w];
    if (differing == 0) return;
    copy[w] = value;
    do {
      const unsigned byte = static_cast<unsigned>(__builtin_ctzll(differing)) / 8;
      const Place& place = places[w * kWord + byte];
      if (place.leaf == Place::kPadding) {
        differing &= ~(std::uint64_t{0xff} << 8 * byte);
        continue;
      }
      if ((differing >> place.low & ones(place.width)) != 0)
        change(leaf_ + place.leaf, value >> place.low & ones(place.width));
      differing &= ~(ones(place.bits) << place.low);
    } while (differing != 0);
  };
  constexpr std::size_t kRow = 4;  // words that are compared at once
  const std::size_t words = block.bytes / kWord;
  std::size_t w = 0;
  for (; w + kRow <= words; w += kRow) {
    std::uint64_t differing = 0;
    for (std::size_t i = w; i < w + kRow; ++i) differing |= load(i) ^ copy[i];
    if (differing == 0) continue;
    for (std::size_t i = w; i < w + kRow; ++i) compare_word(i, load(i));
  }
  for (; w < words; ++w) compare_word(w, load(w));
  if (block.bytes % kWord != 0) compare_word(w, load(w, block.bytes % kWord));
}

}  // namespace g80

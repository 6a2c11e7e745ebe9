// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compiler/codegen/bit_set.h"

namespace g80::codegen {

bool BitSet::merge(const BitSet& other) {
  std::uint64_t grown = 0;
  std::size_t missing = 0;
  auto mine = chunks_.begin();
  for (const Chunk& chunk : other.chunks_) {
    while (mine != chunks_.end() && mine->index < chunk.index) ++mine;
    if (mine == chunks_.end() || mine->index != chunk.index) {
      ++missing;
      continue;
    }
    grown |= chunk.bits & ~mine->bits;
    mine->bits |= chunk.bits;
  }
  if (missing == 0) return grown != 0;
  // inserts missing chunks from the back, so that every chunk moves once
  std::size_t from = chunks_.size(), to = from + missing;
  chunks_.resize(to);
  for (auto chunk = other.chunks_.rbegin(); missing > 0; ++chunk) {
    while (from > 0 && chunks_[from - 1].index > chunk->index) chunks_[--to] = chunks_[--from];
    if (from > 0 && chunks_[from - 1].index == chunk->index) continue;
    chunks_[--to] = *chunk;
    --missing;
  }
  return true;
}

void BitSet::remove(const BitSet& other) {
  auto theirs = other.chunks_.begin();
  for (Chunk& chunk : chunks_) {
    while (theirs != other.chunks_.end() && theirs->index < chunk.index) ++theirs;
    if (theirs == other.chunks_.end()) break;
    if (theirs->index == chunk.index) chunk.bits &= ~theirs->bits;
  }
  chunks_.erase(std::remove_if(chunks_.begin(), chunks_.end(), [](const Chunk& chunk) { return chunk.bits == 0; }),
                chunks_.end());
}

bool BitSet::contains(const BitSet& other) const {
  auto mine = chunks_.begin();
  for (const Chunk& chunk : other.chunks_) {
    while (mine != chunks_.end() && mine->index < chunk.index) ++mine;
    if (mine == chunks_.end() || mine->index != chunk.index || (chunk.bits & ~mine->bits) != 0) return false;
  }
  return true;
}

bool BitSet::intersects(const BitSet& other) const {
  auto mine = chunks_.begin();
  for (const Chunk& chunk : other.chunks_) {
    while (mine != chunks_.end() && mine->index < chunk.index) ++mine;
    if (mine == chunks_.end()) return false;
    if (mine->index == chunk.index && (chunk.bits & mine->bits) != 0) return true;
  }
  return false;
}

}  // namespace g80::codegen

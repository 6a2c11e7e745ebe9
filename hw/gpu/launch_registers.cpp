// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/launch_registers.h"

#include <cstring>
#include <utility>

namespace g80 {

void LaunchRegisters::reset() {
  way_.clear();
  words_.fill({});
  launch_ = LaunchState{};
  textures_ = TextureBindings{};
  launch_shown_ = textures_shown_ = false;
}

void LaunchRegisters::next() {
  const LaunchBeat beat = way_.shift(beat_i.read());
  if (beat.valid) {
    store_row(beat, launch_, textures_);
    (beat.row < launch_row::kTables ? launch_shown_ : textures_shown_) = false;
  }
  ChipWords words{code_flush_i.read(), texture_flush_i.read(), tlb_flush_i.read(), page_directory_i.read()};
  bool moves = false;
  for (ChipWords& stage : words_) {
    moves |= std::memcmp(&stage, &words, sizeof words) != 0;
    std::swap(stage, words);
  }
  if (way_.empty() && !moves) sleep();
}

void LaunchRegisters::drive() {
  if (!launch_shown_) launch_o.write(launch_);
  if (!textures_shown_) textures_o.write(textures_);
  launch_shown_ = textures_shown_ = true;
  const ChipWords& words = words_.back();
  code_flush_o.write(words.code_flush);
  texture_flush_o.write(words.texture_flush);
  tlb_flush_o.write(words.tlb_flush);
  page_directory_o.write(words.page_directory);
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/launch_registers.h"

#include <cstring>
#include <utility>

namespace g80 {

void LaunchRegisters::reset() {
  way_.clear();
  words_.fill({});
  launch_ = LaunchState{};
  tables_.reset();
  launch_shown_ = false;
}

void LaunchRegisters::next() {
  const LaunchBeat beat = way_.shift(beat_i.read());
  tables_.hand_over(true);
  if (beat.valid && beat.row >= launch_row::kTables) {
    tables_.load(beat);
  } else if (beat.valid) {
    store_row(beat, launch_);
    launch_shown_ = false;
  }
  ChipWords words{code_flush_i.read(), texture_flush_i.read(), tlb_flush_i.read(), page_directory_i.read()};
  bool moves = false;
  for (ChipWords& stage : words_) {
    moves |= std::memcmp(&stage, &words, sizeof words) != 0;
    std::swap(stage, words);
  }
  if (way_.empty() && !moves && !tables_->valid) sleep();
}

void LaunchRegisters::drive() {
  if (!launch_shown_) launch_o.write(launch_);
  launch_shown_ = true;
  tables_.drive(tables_o);
  const ChipWords& words = words_.back();
  code_flush_o.write(words.code_flush);
  texture_flush_o.write(words.texture_flush);
  tlb_flush_o.write(words.tlb_flush);
  page_directory_o.write(words.page_directory);
}

}  // namespace g80

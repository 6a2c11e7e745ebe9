// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/launch_bus.h"

#include <cstring>
#include <utility>

namespace g80 {

LaunchBus::LaunchBus(const sc_core::sc_module_name& name, unsigned num_sms) : Clocked(name), sm_o("sm_o", num_sms) {
  for (CrossingOut<LaunchBeat>& sm : sm_o) sm.wake_for_room(RoomWake::kNever);  // it has room
}

void LaunchBus::reset() {
  way_.clear();
  words_.fill({});
  tables_.reset();
}

void LaunchBus::next() {
  const LaunchBeat beat = way_.shift(beat_i.read());
  tables_.hand_over(true);
  if (beat.valid && launch_row::is_of_texture(beat.row)) {
    tables_.load(beat);
  } else if (beat.valid) {
    for (CrossingOut<LaunchBeat>& sm : sm_o) sm->push(beat);
  }
  ChipWords words{code_flush_i.read(), texture_flush_i.read(), tlb_flush_i.read(), page_directory_i.read()};
  bool moves = false;
  for (ChipWords& stage : words_) {
    moves |= std::memcmp(&stage, &words, sizeof words) != 0;
    std::swap(stage, words);
  }
  if (way_.empty() && !moves && !tables_->valid) sleep();
}

void LaunchBus::drive() {
  tables_.drive(tables_o);
  const ChipWords& words = words_.back();
  code_flush_o.write(words.code_flush);
  texture_flush_o.write(words.texture_flush);
  tlb_flush_o.write(words.tlb_flush);
  page_directory_o.write(words.page_directory);
}

}  // namespace g80

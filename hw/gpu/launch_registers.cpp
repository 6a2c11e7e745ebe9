// SPDX-License-Identifier: Apache-2.0
#include "hw/gpu/launch_registers.h"

namespace g80 {

void LaunchRegisters::reset() {
  way_.clear();
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
  if (way_.empty()) sleep();
}

void LaunchRegisters::drive() {
  if (!launch_shown_) launch_o.write(launch_);
  if (!textures_shown_) textures_o.write(textures_);
  launch_shown_ = textures_shown_ = true;
}

}  // namespace g80

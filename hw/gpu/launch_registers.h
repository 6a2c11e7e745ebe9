// SPDX-License-Identifier: Apache-2.0
// The launch state in a TPC: what the launch bus brings, a row at an edge, is kept for its SMs and its texture unit.
//
// The rows have come over kControlWay registers. They change only between two grids.
#pragma once
#include "hw/bundles/launch_beat.h"
#include "hw/common/clocked.h"
#include "hw/common/delay_registers.h"
#include "hw/common/wire.h"

namespace g80 {

class LaunchRegisters : public Clocked<NoRegs> {
 public:
  explicit LaunchRegisters(const sc_core::sc_module_name& name) : Clocked(name) {}

  // From the command processor
  In<LaunchBeat> beat_i{"beat_i"};
  // To the SMs and to the texture unit
  Out<LaunchState> launch_o{"launch_o"};
  Out<TextureBindings> textures_o{"textures_o"};

 protected:
  void next() override;
  void drive() override;
  void reset() override;
  void visit_members(FieldEditor&) override { launch_shown_ = textures_shown_ = false; }  // it may have changed them

  DelayRegisters<LaunchBeat> way_{*this, "way", kControlWay};
  Stored<LaunchState> launch_{*this, "launch"};
  Stored<TextureBindings> textures_{*this, "textures"};
  bool launch_shown_ = false, textures_shown_ = false;  // on the wires as they stand
};

}  // namespace g80

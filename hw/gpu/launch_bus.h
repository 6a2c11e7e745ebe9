// SPDX-License-Identifier: Apache-2.0
// The end of the launch bus in a TPC: each row goes on to the SMs, through a queue to each of them, or to the texture
// unit.
//
// The rows have come over kControlWay registers, and no faster than an SM takes them. They come only between two grids.
// What else stands on wires from the units that serve the whole chip comes beside them: a flush is here before the rows
// of a launch behind it.
#pragma once
#include <array>

#include "hw/bundles/launch_beat.h"
#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/delay_registers.h"
#include "hw/common/output_register.h"
#include "hw/common/wire.h"

namespace g80 {

/// Flushes so far, and the physical address of the page directory.
struct ChipWords {
  std::uint32_t code_flush = 0, texture_flush = 0, tlb_flush = 0, page_directory = 0;
  G80_FIELDS(code_flush, texture_flush, tlb_flush, page_directory);
};

class LaunchBus : public Clocked<NoRegs> {
 public:
  LaunchBus(const sc_core::sc_module_name& name, unsigned num_sms);

  // From the command processor; the page directory's address from the copy engine
  In<LaunchBeat> beat_i{"beat_i"};
  In<std::uint32_t> code_flush_i{"code_flush_i"}, texture_flush_i{"texture_flush_i"}, tlb_flush_i{"tlb_flush_i"};
  In<std::uint32_t> page_directory_i{"page_directory_i"};
  // To the second level of the caches, the texture unit and the TLB
  Out<std::uint32_t> code_flush_o{"code_flush_o"}, texture_flush_o{"texture_flush_o"}, tlb_flush_o{"tlb_flush_o"};
  Out<std::uint32_t> page_directory_o{"page_directory_o"};
  // Rows to the SMs, and those of tables to the texture unit
  Ports<CrossingOut<LaunchBeat>> sm_o;
  Out<LaunchBeat> tables_o{"tables_o"};

 protected:
  void next() override;
  void drive() override;
  void reset() override;

  DelayRegisters<LaunchBeat> way_{*this, "way", kControlWay};
  Stored<std::array<ChipWords, kControlWay>> words_{*this, "words"};
  OutputRegister<LaunchBeat> tables_{*this, "tables"};
};

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A CTA launcher with register file, its CTA queue fed by the test; what it sends for shared memory is kept.
#pragma once
#include <map>
#include <vector>

#include "hw/sm/cta_launcher.h"
#include "tests/sm/register_file_wires.h"
#include "tests/support/systemc_test.h"

namespace g80::test {

struct LauncherBench {
  explicit LauncherBench(const std::vector<std::string>& sets = {})
      : config(load_config("tiny", sets)),
        domain("shader", 0, 1000, 1, false),
        registers("registers", config),
        launcher("launcher", config),
        rows("rows", nullptr, &domain, launch_row::kEnd, 1),
        ctas("ctas", nullptr, &domain, 4, 1),
        done("done", &domain, nullptr, 4, 1) {
    launcher.row_i(rows);
    launcher.launch_o(launch_out);
    launcher.cta_i(ctas);
    launcher.cta_done_o(done);
    launcher.drained_i(drained);
    launcher.fetch_waits_i(fetch_waits);
    launcher.accesses_busy_i(accesses_busy);
    launcher.start_o(start);
    launcher.redirect_o(redirect);
    launcher.kernel_o(kernel);
    launcher.ended_o(ended);
    launcher.smem_start_o(smem_start);
    launcher.fill_o(fill);
    launcher.fill_ready_i(fill_ready);
    fill_ready.write(true);
    launcher.registers_o(register_wires.start);
    launcher.numbers_o(register_wires.numbers);
    launcher.numbers_room_i(register_wires.numbers_room);
    register_wires.bind(registers);
    domain.add(registers, Rate::kHalf);
    domain.add(launcher, Rate::kHalf);
    launch.threads = launch.block_x = 40;
    launch.registers = 4;
    launch.shared_bytes = 256;
    launch.grid_x = 9;
    launch.num_params = 1;
    launch.number = 1;
    param[0] = 0xabcd;
  }
  /// Sends the launch state. The last row is taken at the edge before it returns.
  void send_rows() {
    for (const LaunchBeat& row : sm_rows(launch, param)) rows.push(row);
    while (rows.size() != 0) sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
  }
  /// Runs scheduler cycles and keeps every warp start.
  void run(unsigned cycles) {
    if (!(launch_out.read() == launch)) send_rows();
    for (unsigned i = 0; i < cycles; ++i) {
      sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_PS));
      const SmemFill& words = fill.read();
      for (unsigned w = 0; words.valid && w < words.count; ++w) head[words.first + w] = words.data[w];
      if (start.read().valid) starts.push_back(start.read());
    }
  }
  Config config;
  LaunchState launch;
  std::array<std::uint32_t, kMaxUserParams> param{};
  Domain domain;
  RegisterFile registers;
  CtaLauncher launcher;
  CrossingFifo<LaunchBeat> rows;
  CrossingFifo<CtaLaunch> ctas;
  CrossingFifo<CtaDone> done;
  Wire<LaunchState> launch_out{"launch_out"};
  Wire<WarpMask> drained{"drained"};
  Wire<bool> fetch_waits{"fetch_waits"}, accesses_busy{"accesses_busy"};
  Wire<WarpStart> start{"start"};
  Wire<Redirect> redirect{"redirect"};
  Wire<std::uint32_t> kernel{"kernel"};
  Wire<SmemStart> smem_start{"smem_start"};
  Wire<SmemFill> fill{"fill"};
  Wire<bool> fill_ready{"fill_ready"};
  RegisterFileWires register_wires{config};
  Wire<WarpMask> ended{"ended"};
  std::vector<WarpStart> starts;
  std::map<unsigned, std::uint32_t> head;  // words of shared memory that were sent
};

}  // namespace g80::test

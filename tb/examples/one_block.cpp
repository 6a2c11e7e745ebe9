// SPDX-License-Identifier: Apache-2.0
// One block of the machine on plain SystemC: sc_clock, sc_signals, and a VCD file by sc_trace.
//
// Shared memory has 16 banks; word w lies in bank w % 16. The 16 lanes of a half-warp read every STRIDE-th word. A bank
// serves one word per pass, so the block splits the read into passes without bank conflicts.
//
//     build/release/bin/one_block [STRIDE [NAME]]     # prints each pass, writes NAME.vcd
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <systemc>

#include "hw/smem/bank_conflict.h"

int sc_main(int argc, char** argv) {
  const unsigned stride = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 0)) : 4;
  const char* name = argc > 2 ? argv[2] : "one_block";

  sc_core::sc_clock clk("clk", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> rst_n("rst_n"), ready("ready"), replay("replay");
  sc_core::sc_signal<g80::SmemRequest> request("request");
  sc_core::sc_signal<g80::SmemPass> pass("pass");

  g80::BankConflict block("bank_conflict", g80::load_config("8600gts"));
  block.clk_i(clk);
  block.rst_ni(rst_n);
  block.request_i(request);
  block.request_ready_o(ready);
  block.pass_o(pass);
  block.replay_o(replay);

  sc_core::sc_trace_file* const vcd = sc_core::sc_create_vcd_trace_file(name);
  vcd->set_time_unit(1, sc_core::SC_PS);
  sc_core::sc_trace(vcd, clk, "clk");
  sc_core::sc_trace(vcd, rst_n, "rst_n");
  sc_core::sc_trace(vcd, request, "request");  // a field each: request.valid, request.address(3), ...
  sc_core::sc_trace(vcd, ready, "ready");
  sc_core::sc_trace(vcd, pass, "pass");
  sc_core::sc_trace(vcd, replay, "replay");

  sc_core::sc_start(5, sc_core::SC_NS);  // in reset; from here on between the edges
  rst_n = true;
  g80::SmemRequest read;
  read.valid = true;
  read.lanes = 0xffff;
  for (unsigned lane = 0; lane < g80::kHalfWarp; ++lane)
    read.address[lane] = static_cast<std::uint16_t>(4 * stride * lane);
  request = read;
  sc_core::sc_start(clk.period());
  request = g80::SmemRequest{};

  for (unsigned count = 1; pass.read().valid; ++count) {
    std::printf("%s: pass %u serves lanes %04x\n", sc_core::sc_time_stamp().to_string().c_str(), count,
                unsigned{pass.read().lanes});
    sc_core::sc_start(clk.period());
  }
  sc_core::sc_close_vcd_trace_file(vcd);
  return 0;
}

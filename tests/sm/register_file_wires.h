// SPDX-License-Identifier: Apache-2.0
// A register file with a wire at each of its ports.
#pragma once
#include "hw/sm/register_file.h"

namespace g80::test {

struct RegisterFileWires {
  explicit RegisterFileWires(const Config& config) : read("register_read", config.sm.register_banks) {}
  void bind(RegisterFile& file) {
    file.issue_i(issue);
    file.unit_i(unit);
    file.start_i(start);
    file.numbers_i(numbers);
    file.numbers_room_o(numbers_room);
    file.busy_banks_i(busy);
    file.written_ports_i(written);
    file.result_i(result);
    file.write_i(write);
    file.flag_write_i(flag_write);
    file.addr_write_i(addr_write);
    file.increment_i(increment);
    file.reading_o(reading);
    file.read_banks_o(read_banks);
    file.read_o(read);
    file.side_o(side);
  }
  Wire<Issue> issue{"register_issue"};
  Wire<std::uint8_t> unit{"register_unit"};
  Wire<RegisterStart> start{"register_start"};
  Wire<ThreadNumbers> numbers{"thread_numbers"};
  Wire<bool> numbers_room{"thread_numbers_room"};
  Wire<std::uint32_t> busy{"busy_banks"};
  Wire<std::uint8_t> written{"written_ports"};
  sc_core::sc_vector<Wire<ExecResult>> result{"unit_result", kExecUnits};
  Wire<std::uint32_t> reading{"reading"}, read_banks{"read_banks"};
  sc_core::sc_vector<Wire<RegisterRead>> read;
  sc_core::sc_vector<Wire<RegisterWrite>> write{"register_write", kWritePorts};
  sc_core::sc_vector<Wire<FlagWrite>> flag_write{"flag_write", kFlagWrites};
  Wire<AddrWrite> addr_write{"addr_write"};
  Wire<AddrIncrement> increment{"increment"};
  Wire<SideRead> side{"side_read"};
};

}  // namespace g80::test

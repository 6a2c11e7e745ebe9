// SPDX-License-Identifier: Apache-2.0
// line_port and a twin of it side by side, with random misses of both caches and a random second level.
#pragma once
#include "hw/cache/line_port.h"
#include "tests/twins/pair.h"

namespace g80::testing {

class LinePortPair final : public Pair<LinePort, LinePort, unsigned, unsigned> {
 public:
  LinePortPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : Pair(random, cases, make, load_config("tiny"), {kDepth}, random() % kMaxTpcs, random() % kMaxSmsPerTpc) {
    pass(500);
  }
  std::string configuration() const { return "any TPC and SM"; }

 private:
  static constexpr unsigned kDepth = 4;  // of the queues to and from the second level

  void reset() override {
    for (const LinePort* each : {&block_, &twin_}) {
      while (queue(each->line_o).available()) queue(each->line_o).pop();
    }
    // An edge must have run since the last pop: in reset the ports look at the places of the clock's present edge.
    block_.wake();
    twin_.wake();
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
    Pair::reset();
  }
  void note_cases() override {}
  void stimulate() override {
    send();
    note_inputs();
  }
  void send() {
    if (quiet_ > 0) --quiet_;
    if (random_() % 150 == 0) quiet_ = random_() % 40;
    if (random_() % 60 == 0) misses_ = random_() % 5, takes_ = random_() % 5, answers_ = random_() % 5;
    const auto often = [&](unsigned quarters) { return random_() % 4 < quarters; };
    instruction_.write(quiet_ == 0 && often(misses_) ? random_request(MemClient::kInstruction) : LineRequest{});
    constant_.write(quiet_ == 0 && often(misses_) ? random_request(MemClient::kConstant) : LineRequest{});
    instruction_fill_ready_.write(often(takes_));
    constant_fill_ready_.write(often(takes_));
    if (often(takes_) && queue(block_.line_o).available() && queue(twin_.line_o).available()) {
      queue(block_.line_o).pop();
      queue(twin_.line_o).pop();
    }
    if (quiet_ == 0 && often(answers_) && queue(block_.line_i).can_push() && queue(twin_.line_i).can_push()) {
      const LineReply line = random_line();
      queue(block_.line_i).push(line);
      queue(twin_.line_i).push(line);
    }
  }
  LineRequest random_request(MemClient client) {
    LineRequest request;
    request.valid = true;
    request.client = client;
    request.sm_in_tpc = random_() % 4;
    request.tpc = random_() % 16;
    request.id = static_cast<std::uint8_t>(random_());
    request.bytes = static_cast<std::uint8_t>(random_());
    request.address = static_cast<std::uint32_t>(random_());
    request.origin = random_origin(random_);
    return request;
  }
  LineReply random_line() {
    LineReply line;
    line.valid = random_() % 2 != 0;  // not looked at
    line.client = random_() % 2 != 0 ? MemClient::kInstruction : MemClient::kConstant;
    line.fault = static_cast<MemFault>(random_() % 3);
    line.sm_in_tpc = random_() % 4;
    line.tpc = random_() % 16;
    line.id = static_cast<std::uint8_t>(random_());
    line.address = static_cast<std::uint32_t>(random_());
    line.origin = random_origin(random_);
    for (std::uint32_t& word : line.data) word = static_cast<std::uint32_t>(random_());
    return line;
  }
  void note_inputs() {
    const LinePortRegs& registers = block_.registers();
    if (instruction_.read().valid && constant_.read().valid) ++cases_["both caches miss"];
    if (!registers.instruction_ready) ++cases_["instruction queue full"];
    if (!registers.constant_ready) ++cases_["constant queue full"];
    if (!queue(block_.line_o).can_push_at(clock_.first_edge_after_now())) ++cases_["link full"];
    if (registers.constant_first) ++cases_["turn of the constant cache"];
    if (registers.instruction_fill.valid && !instruction_fill_ready_.read()) ++cases_["instruction line waits"];
    if (registers.constant_fill.valid && !constant_fill_ready_.read()) ++cases_["constant line waits"];
    if (registers.instruction_fill.valid && registers.constant_fill.valid) ++cases_["both lines offered"];
  }

  Wire<LineRequest>& instruction_ = wire(block_.instruction_i);
  Wire<LineRequest>& constant_ = wire(block_.constant_i);
  Wire<bool>& instruction_fill_ready_ = wire(block_.instruction_fill_ready_i);
  Wire<bool>& constant_fill_ready_ = wire(block_.constant_fill_ready_i);
  unsigned quiet_ = 0, misses_ = 2, takes_ = 2, answers_ = 2;  // of four
};

}  // namespace g80::testing

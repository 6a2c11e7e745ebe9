// SPDX-License-Identifier: Apache-2.0
// line_port and a twin of it side by side, with random misses of both caches and a random second level.
#pragma once
#include "hw/cache/line_port.h"
#include "tests/twins/comparison.h"

namespace g80::testing {

class LinePortPair {
 public:
  using MakeTwin = std::unique_ptr<LinePort> (*)(const char* name, unsigned tpc, unsigned sm_in_tpc);

  LinePortPair(std::mt19937& random, Cases& cases, MakeTwin make)
      : random_(random),
        cases_(cases),
        tpc_(random() % kMaxTpcs),
        sm_in_tpc_(random() % kMaxSmsPerTpc),
        shader_("shader", 0, 1000, 2, random() % 2 != 0),
        block_("block", tpc_, sm_in_tpc_),
        made_twin_(make("twin", tpc_, sm_in_tpc_)),
        twin_(*made_twin_) {
    connect(block_, of_block_);
    connect(twin_, of_twin_);
    sc_core::sc_start(sc_core::sc_time(500, sc_core::SC_PS));  // inputs change between edges
  }
  std::string configuration() const { return fmt::format("TPC {}, SM {}", tpc_, sm_in_tpc_); }

  std::optional<std::string> cycle() {
    if (random_() % 600 == 0) reset();
    stimulate();
    note_inputs();
    const std::uint64_t before = shader_.activations();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    const std::uint64_t ran = shader_.activations() - before;
    if (ran == 1) return "one of them sleeps";
    if (ran == 0) ++cases_["asleep"];
    if (auto found = difference("lines left", of_block_.fills.size(), of_twin_.fills.size())) return found;
    if (auto found = difference("requests sent", of_block_.requests.size(), of_twin_.requests.size())) return found;
    if (of_block_.requests.available()) {
      if (auto found = difference("line_o", of_block_.requests.newest(), of_twin_.requests.newest())) return found;
    }
    if (auto found =
            difference("instruction_ready_o", of_block_.instruction_ready.read(), of_twin_.instruction_ready.read()))
      return found;
    if (auto found = difference("constant_ready_o", of_block_.constant_ready.read(), of_twin_.constant_ready.read()))
      return found;
    if (auto found =
            difference("instruction_fill_o", of_block_.instruction_fill.read(), of_twin_.instruction_fill.read()))
      return found;
    if (auto found = difference("constant_fill_o", of_block_.constant_fill.read(), of_twin_.constant_fill.read()))
      return found;
    return drawn_difference(block_, twin_);
  }

 private:
  static constexpr unsigned kDepth = 4;  // of the queues to and from the second level

  /// What only one of the two drives or reads.
  struct Side {
    explicit Side(Domain& shader, const std::string& name)
        : requests((name + "_requests").c_str(), &shader, nullptr, kDepth, 1),
          fills((name + "_fills").c_str(), nullptr, &shader, kDepth, 1),
          instruction_ready((name + "_instruction_ready").c_str()),
          constant_ready((name + "_constant_ready").c_str()),
          instruction_fill((name + "_instruction_fill").c_str()),
          constant_fill((name + "_constant_fill").c_str()) {}
    CrossingFifo<LineRequest> requests;
    CrossingFifo<LineReply> fills;
    Wire<bool> instruction_ready, constant_ready;
    Wire<LineReply> instruction_fill, constant_fill;
  };

  void connect(LinePort& each, Side& side) {
    each.instruction_i(instruction_);
    each.instruction_ready_o(side.instruction_ready);
    each.instruction_fill_o(side.instruction_fill);
    each.instruction_fill_ready_i(instruction_fill_ready_);
    each.constant_i(constant_);
    each.constant_ready_o(side.constant_ready);
    each.constant_fill_o(side.constant_fill);
    each.constant_fill_ready_i(constant_fill_ready_);
    each.line_o(side.requests);
    each.line_i(side.fills);
    shader_.add(each);
  }
  void reset() {
    for (Side* side : {&of_block_, &of_twin_}) {
      while (side->requests.available()) side->requests.pop();
    }
    // An edge must have run since the last pop: in reset the ports look at the places of the clock's present edge.
    block_.wake();
    twin_.wake();
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS));
    reset_both(block_, twin_);
    ++cases_["reset"];
  }
  void stimulate() {
    if (quiet_ > 0) --quiet_;
    if (random_() % 150 == 0) quiet_ = random_() % 40;
    if (random_() % 60 == 0) misses_ = random_() % 5, takes_ = random_() % 5, answers_ = random_() % 5;
    const auto often = [&](unsigned quarters) { return random_() % 4 < quarters; };
    instruction_.write(quiet_ == 0 && often(misses_) ? random_request(MemClient::kInstruction) : LineRequest{});
    constant_.write(quiet_ == 0 && often(misses_) ? random_request(MemClient::kConstant) : LineRequest{});
    instruction_fill_ready_.write(often(takes_));
    constant_fill_ready_.write(often(takes_));
    if (often(takes_) && of_block_.requests.available() && of_twin_.requests.available()) {
      of_block_.requests.pop();
      of_twin_.requests.pop();
    }
    if (quiet_ == 0 && often(answers_) && of_block_.fills.can_push() && of_twin_.fills.can_push()) {
      const LineReply line = random_line();
      of_block_.fills.push(line);
      of_twin_.fills.push(line);
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
    line.bytes = static_cast<std::uint8_t>(random_());
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
    if (!of_block_.requests.can_push_at(shader_.first_edge_after_now())) ++cases_["link full"];
    if (registers.constant_first) ++cases_["turn of the constant cache"];
    if (registers.instruction_fill.valid && !instruction_fill_ready_.read()) ++cases_["instruction line waits"];
    if (registers.constant_fill.valid && !constant_fill_ready_.read()) ++cases_["constant line waits"];
    if (registers.instruction_fill.valid && registers.constant_fill.valid) ++cases_["both lines offered"];
  }

  std::mt19937& random_;
  Cases& cases_;
  const unsigned tpc_, sm_in_tpc_;
  Domain shader_;
  Wire<LineRequest> instruction_{"instruction"}, constant_{"constant"};
  Wire<bool> instruction_fill_ready_{"instruction_fill_ready"}, constant_fill_ready_{"constant_fill_ready"};
  Side of_block_{shader_, "block"}, of_twin_{shader_, "twin"};
  LinePort block_;
  const std::unique_ptr<LinePort> made_twin_;
  LinePort& twin_;
  unsigned quiet_ = 0, misses_ = 2, takes_ = 2, answers_ = 2;  // of four
};

}  // namespace g80::testing

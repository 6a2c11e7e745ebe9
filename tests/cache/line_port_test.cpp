// SPDX-License-Identifier: Apache-2.0
// The line port with a queue behind it that nobody reads: what it cannot send on it does not accept.
#include "hw/cache/line_port.h"

#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// Offers requests with the addresses 0, 1, 2, ...
class Offerer final : public Clocked<NoRegs> {
 public:
  explicit Offerer(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_out<LineRequest> request_o{"request_o"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  std::uint32_t taken = 0;

 private:
  void next() override { taken += offered_ && ready_i.read(); }
  void drive() override {
    LineRequest request;
    request.valid = true;
    request.address = taken;
    request_o.write(request);
    offered_ = true;
  }
  bool offered_ = false;
};

using LinePortTest = testing::SystemCTest;

TEST_F(LinePortTest, AFullQueueStopsBothCachesAndLosesNothing) {
  for (const bool constants : {false, true}) {
    renew_context();
    Domain domain("domain", 0, 1000, 2, false);
    CrossingFifo<LineRequest> out("out", &domain, nullptr, 3, 1);
    CrossingFifo<LineReply> in("in", nullptr, &domain, 4, 1);
    Offerer offerer("offerer");
    LinePort port("port", 1, 0);
    Wire<LineRequest> request("request"), none("none");
    Wire<bool> ready("ready"), other_ready("other_ready"), yes("yes");
    Wire<LineReply> instruction_fill("instruction_fill"), constant_fill("constant_fill");
    offerer.request_o(request);
    offerer.ready_i(ready);
    port.instruction_i(constants ? none : request);
    port.instruction_ready_o(constants ? other_ready : ready);
    port.instruction_fill_o(instruction_fill);
    port.instruction_fill_ready_i(yes);
    port.constant_i(constants ? request : none);
    port.constant_ready_o(constants ? ready : other_ready);
    port.constant_fill_o(constant_fill);
    port.constant_fill_ready_i(yes);
    port.line_o(out);
    port.line_i(in);
    domain.add(offerer, constants ? Rate::kFull : Rate::kHalf);
    domain.add(port);
    const auto run = [](unsigned edges) { sc_core::sc_start(sc_core::sc_time(1000.0 * edges, sc_core::SC_PS)); };
    run(60);
    EXPECT_FALSE(ready.read());
    EXPECT_EQ(offerer.taken, 3u + 2u) << "the queue behind it, and its own";
    for (std::uint32_t expected = 0; expected < 30; ++expected) {
      ASSERT_TRUE(out.available());
      EXPECT_EQ(out.front().address, expected);
      out.pop();
      run(4);
    }
  }
}

}  // namespace
}  // namespace g80

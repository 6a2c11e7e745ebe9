// SPDX-License-Identifier: Apache-2.0
// A register outside Regs reaches its wire one edge after it was loaded, only then, and waves and faults see it.
#include "hw/common/output_register.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "hw/bundles/signals.h"
#include "hw/common/clocked.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

/// Asks for a higher line at every fourth edge; the request is taken at the edge after next.
class Sender final : public Clocked<NoRegs> {
 public:
  explicit Sender(const sc_core::sc_module_name& name) : Clocked(name) {}
  Out<LineRequest> line_o{"line_o"};
  OutputRegister<LineRequest> line{*this, "line"};

 private:
  void next() override {
    if (edge() % 4 == 0) {
      LineRequest request;
      request.valid = true;
      request.address = static_cast<std::uint32_t>(edge());
      line.load(request);
    } else if (edge() % 4 == 2) {
      line.drop();
    }
  }
  void drive() override { line.drive(line_o); }
  void reset() override { line.reset(); }
};

/// Counts how often a wire was written with something new.
class CountedChanges final : public TraceSink {
 public:
  explicit CountedChanges(Traceable& item) : item_(item) { item.attach_trace(*this, 0); }
  ~CountedChanges() override { item_.detach_trace(*this); }
  unsigned count = 0;

 private:
  void changed(std::uint32_t) override { ++count; }
  Traceable& item_;
};

struct OutputRegisterTest : testing::SystemCTest {
  OutputRegisterTest() {
    sender.line_o(wire);
    clock.add(sender);
  }
  /// To a moment between edge `edge` and the next one.
  void run_to(Cycle edge) {
    while (clock.edge() < edge) sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  }
  Domain clock{"clock", 0, 1000, 1, false};
  Wire<LineRequest> wire{"wire"};
  Sender sender{"sender"};
};

TEST_F(OutputRegisterTest, TheWireShowsWhatWasLoadedUntilItIsEmptied) {
  CountedChanges changes(wire);
  run_to(8);
  EXPECT_TRUE(wire.read().valid);
  EXPECT_EQ(wire.read().address, 8u);
  run_to(9);
  EXPECT_TRUE(wire.read().valid);
  run_to(10);
  EXPECT_FALSE(wire.read().valid);
  EXPECT_EQ(wire.read().address, 8u) << "the other bits stay";
  const unsigned before = changes.count;
  run_to(18);
  EXPECT_EQ(wire.read().address, 16u);
  EXPECT_EQ(changes.count - before, 4u) << "loaded and emptied twice";
}

/// Numbers of the leaves by their names.
struct NamedLeaves final : FieldVisitor {
  std::map<std::string, std::uint32_t> number;
  std::map<std::string, std::uint64_t> value;
  void enter(const char*, int) override {}
  void leave() override {}
  void leaf(const char* name, int, std::uint64_t bits, unsigned, const EnumText*) override {
    number.emplace(name, static_cast<std::uint32_t>(number.size()));
    value[name] = bits;
  }
};

TEST_F(OutputRegisterTest, WavesShowItAndAFaultReachesTheWire) {
  run_to(4);
  NamedLeaves leaves;
  sender.trace_fields(leaves);
  EXPECT_EQ(leaves.value.at("valid"), 1u);
  EXPECT_EQ(leaves.value.at("address"), 4u);
  FieldEditor flip(leaves.number.at("address"), 1, {true, 1});
  sender.edit_fields(flip);
  EXPECT_EQ(flip.changed(), 1u);
  EXPECT_EQ(wire.read().address, 5u) << "at once, as a flop that a particle hits";
}

}  // namespace
}  // namespace g80

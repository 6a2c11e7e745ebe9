// SPDX-License-Identifier: Apache-2.0
// sc_trace of a bundle: every field is in SystemC's VCD file, by its name, with its width and values.
#include "hw/common/sc_trace.h"

#include <array>
#include <map>

#include "tests/support/systemc_test.h"
#include "tests/support/vcd_reader.h"

namespace g80 {
namespace {

enum class Colour : std::uint8_t { kRed, kGreen, kBlue };

struct TracedOrigin {
  std::uint8_t warp = 0;
  G80_FIELDS((warp, 5));
};
struct TracedBundle {
  bool valid = false;
  Colour colour = Colour::kRed;
  std::array<std::uint16_t, 2> address{};
  std::uint64_t wide = 0;
  std::int32_t number = 0;
  std::array<TracedOrigin, 2> origin{};
  std::uint32_t data = 0;
  const std::uint32_t* elsewhere = nullptr;
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("valid", s.valid);
    v("colour", s.colour, 2);
    v("address", s.address, 14);
    v("wide", s.wide);
    v("number", s.number);
    v("origin", s.origin);
    v.stored("data", s.data);
    v.shown("sum", s.address[0] + s.address[1]);
    v.unseen("elsewhere", s.elsewhere);
  }
};

using ScTrace = testing::SystemCTest;

TEST_F(ScTrace, TracesEveryFieldOfABundleByNameWidthAndValue) {
  const std::uint32_t outside = 7;
  TracedBundle bundle;
  bundle.elsewhere = &outside;
  const sc_core::sc_clock clk("clk", 2, sc_core::SC_NS);
  const std::string name = ::testing::TempDir() + "g80_sc_trace";
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(name.c_str());
  file->set_time_unit(1, sc_core::SC_PS);
  sc_trace(file, bundle, "bundle");
  sc_core::sc_start(3, sc_core::SC_NS);
  bundle.valid = true;
  bundle.colour = Colour::kBlue;
  bundle.address = {0x3ffc, 8};
  bundle.wide = 0x123456789abcdefull;
  bundle.number = -2;
  bundle.origin[1].warp = 23;
  bundle.data = 0xcafe0000;
  sc_core::sc_start(2, sc_core::SC_NS);
  sc_core::sc_close_vcd_trace_file(file);

  const testing::Vcd vcd(name + ".vcd");
  const std::string start = "SystemC.bundle.";
  const std::map<std::string, unsigned> widths = {
      {start + "valid", 1},       {start + "colour", 2},         {start + "address(0)", 14},
      {start + "address(1)", 14}, {start + "wide", 64},          {start + "number", 32},
      {start + "data", 32},       {start + "origin(0).warp", 5}, {start + "origin(1).warp", 5},
  };
  EXPECT_EQ(vcd.widths, widths) << "what is computed, or lies elsewhere, cannot be traced";
  const std::map<std::string, std::uint64_t> values = {
      {"valid", 1},
      {"colour", 2},
      {"address(0)", 0x3ffc},
      {"address(1)", 8},
      {"wide", 0x123456789abcdefull},
      {"number", 0xfffffffe},
      {"data", 0xcafe0000},
      {"origin(0).warp", 0},
      {"origin(1).warp", 23},
  };
  for (const auto& [field, value] : values) {
    EXPECT_EQ(vcd.at(start + field, 2'000), 0u) << field;
    EXPECT_EQ(vcd.at(start + field, 4'000), value) << field;
  }
}

}  // namespace
}  // namespace g80

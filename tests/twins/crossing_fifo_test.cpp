// SPDX-License-Identifier: Apache-2.0
// The asynchronous FIFO in SystemVerilog against the one in SystemC: what both sides see, at every edge of both clocks.
#include "hw/common/crossing_fifo.h"

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hw/common/clocked.h"
#include "tb/twins/verilated_time.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

#include "Vcrossing_fifos.h"

namespace g80 {

namespace {

struct Shape {
  unsigned depth, edges, free_edges, way;
};
constexpr Shape kShapes[] = {
    {1, 2, 1, 1}, {2, 1, 4, 0}, {5, 3, 1, 0}, {8, 2, 2, 5}, {16, 4, 8, 0}};  // as in crossing_fifos.sv
constexpr unsigned kFifos = std::size(kShapes);

/// A block that calls a function at each edge of its clock.
class AtEachEdge final : public Clocked<NoRegs> {
 public:
  AtEachEdge(const sc_core::sc_module_name& name, std::function<void(Cycle)> call)
      : Clocked(name), call_(std::move(call)) {}

 private:
  void next() override { call_(edge()); }
  void drive() override {}
  const std::function<void(Cycle)> call_;
};

/// The model. The edges of a time come together, when the next time begins.
class Pins {
 public:
  Pins() {
    Verilated::threadContextp(Verilated::defaultContextp());  // of the models to come
    model_ = std::make_unique<Vcrossing_fifos>("crossing_fifos");
    model_->eval();
    model_->rst_ni = 1;
    model_->eval();
  }
  Vcrossing_fifos* operator->() { return model_.get(); }

  void write_edge_at(Picoseconds now) { edge(now, model_->write_clk_i); }
  void read_edge_at(Picoseconds now) { edge(now, model_->read_clk_i); }
  /// All edges before `now`.
  void go_to(Picoseconds now) {
    if (waiting_.empty() || now == time_) return;
    for (CData* clock : waiting_) *clock = 1;
    model_->eval();
    model_->write_clk_i = model_->read_clk_i = 0;
    model_->push_i = model_->pop_i = 0;
    model_->eval();
    together += waiting_.size() == 2;
    waiting_.clear();
  }
  unsigned together = 0;  // times with an edge of both clocks

 private:
  void edge(Picoseconds now, CData& clock) {
    time_ = now;
    waiting_.push_back(&clock);
  }

  std::unique_ptr<Vcrossing_fifos> model_;
  std::vector<CData*> waiting_;
  Picoseconds time_ = 0;
};

struct Clocks {
  double writer_mhz, reader_mhz;
};
void PrintTo(const Clocks& c, std::ostream* out) { *out << c.writer_mhz << " to " << c.reader_mhz << " MHz"; }

class CrossingFifoTwinTest : public testing::SystemCTest, public ::testing::WithParamInterface<Clocks> {};

TEST_P(CrossingFifoTwinTest, IsEqualAtEveryEdge) {
  const Clocks& clocks = GetParam();
  std::mt19937 random(random_seed());
  Domain writer("writer", 0, clocks.writer_mhz, 0, true), reader("reader", 1, clocks.reader_mhz, 0, true);
  std::vector<std::unique_ptr<CrossingFifo<std::uint32_t>>> fifos;
  for (const Shape& s : kShapes) {
    const std::string name = fmt::format("fifo{}", fifos.size());
    fifos.push_back(std::make_unique<CrossingFifo<std::uint32_t>>(name.c_str(), &writer, &reader, s.depth, s.edges,
                                                                  s.free_edges, s.way));
  }
  Pins pins;
  unsigned full[kFifos] = {}, popped[kFifos] = {};
  AtEachEdge pusher("pusher", [&](Cycle edge) {
    const Picoseconds now = writer.edge_time(edge);
    pins.go_to(now);
    const unsigned share = 1 + edge / 256 % 8;  // of 8: quiet and busy stretches
    for (unsigned i = 0; i < kFifos; ++i) {
      ASSERT_EQ(pins->can_push_o >> i & 1, fifos[i]->can_push()) << "fifo " << i << ", writer edge " << edge;
      ASSERT_EQ(pins->all_free_o >> i & 1, fifos[i]->all_free()) << "fifo " << i << ", writer edge " << edge;
      full[i] += !fifos[i]->can_push();
      if (!fifos[i]->can_push() || random() % 8 >= share) continue;
      pins->push_i |= 1u << i;
      pins->data_i[i] = random();
      fifos[i]->push(pins->data_i[i]);
    }
    pins.write_edge_at(now);
  });
  AtEachEdge popper("popper", [&](Cycle edge) {
    const Picoseconds now = reader.edge_time(edge);
    pins.go_to(now);
    const unsigned share = 1 + edge / 320 % 8;
    for (unsigned i = 0; i < kFifos; ++i) {
      ASSERT_EQ(pins->available_o >> i & 1, fifos[i]->available()) << "fifo " << i << ", reader edge " << edge;
      if (!fifos[i]->available()) continue;
      ASSERT_EQ(pins->front_o[i], fifos[i]->front()) << "fifo " << i << ", reader edge " << edge;
      if (random() % 8 >= share) continue;
      pins->pop_i |= 1u << i;
      fifos[i]->pop();
      ++popped[i];
    }
    pins.read_edge_at(now);
  });
  writer.add(pusher);
  reader.add(popper);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_GE(writer.edge() + reader.edge(), 100000u);
  for (unsigned i = 0; i < kFifos; ++i) {
    EXPECT_GE(full[i], 100u) << "fifo " << i;
    EXPECT_GE(popped[i], 2000u) << "fifo " << i;
  }
  EXPECT_GT(pins.together, 100u);
}

INSTANTIATE_TEST_SUITE_P(Clocks, CrossingFifoTwinTest,
                         ::testing::Values(Clocks{1350, 575}, Clocks{575, 1350}, Clocks{1000, 1000}, Clocks{1000, 500},
                                           Clocks{1458, 675}));

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// A small machine for the wave tests: two clock domains, a half-rate block, nested fields, enumerations, a crossing.
#pragma once
#include <array>
#include <memory>

#include "hw/common/clocked.h"
#include "hw/common/crossing_fifo.h"
#include "hw/common/domain.h"
#include "hw/common/wire.h"

namespace g80 {

enum class Mood : std::uint8_t { kIdle, kBusy, kWaitMemory };
inline const EnumText& enum_text(Mood) {
  static const char* const names[] = {"IDLE", "BUSY", "WAIT_MEMORY"};
  static const EnumText text{"Mood", names, 3};
  return text;
}

struct Beat {
  bool valid = false;
  std::uint32_t value = 0;
  std::array<std::uint8_t, 3> lanes{};
  G80_FIELDS(valid, value, (lanes, 5));
};

struct CounterRegs {
  std::uint64_t wide = 0;
  Mood mood = Mood::kIdle;
  Beat out;
  Beat history[2];
  std::uint8_t square[2][2] = {};
  G80_FIELDS(wide, (mood, 2), out, history, square);
};

// Emits a beat every `period` edges and sleeps in between.
class Beater final : public Clocked<CounterRegs> {
 public:
  Beater(const sc_core::sc_module_name& name, unsigned period) : Clocked(name), period_(period) {}
  sc_core::sc_out<Beat> out_o{"out_o"};
  sc_core::sc_out<bool> busy_o{"busy_o"};

 private:
  void next() override {
    const bool beat = edge() % period_ == 0;
    if (beat) {
      d_.history[1] = q_.history[0];
      d_.history[0] = q_.out;
      const auto lane = static_cast<std::uint8_t>(edge() % 32);
      d_.out = {true, static_cast<std::uint32_t>(edge()), {lane, static_cast<std::uint8_t>(lane ^ 1), 31}};
      d_.square[1][0] = lane;
      d_.wide = q_.wide + (std::uint64_t{1} << 33) + 1;
      d_.mood = Mood::kBusy;
    } else {
      d_.out.valid = false;
      d_.mood = Mood::kWaitMemory;
      if (!q_.out.valid && q_.mood == Mood::kWaitMemory) {
        wake_at((edge() / period_ + 1) * period_);
        sleep();
      }
    }
  }
  void drive() override {
    out_o.write(q_.out);
    busy_o.write(q_.mood == Mood::kBusy);
  }
  unsigned period_;
};

// Pushes what it receives into a crossing.
class Sender final : public Clocked<NoRegs> {
 public:
  explicit Sender(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_in<Beat> in_i{"in_i"};
  sc_core::sc_port<CrossingWriteIf<Beat>> to{"to"};

 private:
  void next() override {
    if (in_i.read().valid && to->can_push()) to->push(in_i.read());
    if (!in_i.read().valid) sleep();
  }
  void drive() override {}
};

// Keeps the last beat of a crossing.
struct ReceiverRegs {
  std::uint32_t last = 0;
  std::uint16_t received = 0;
  G80_FIELDS(last, (received, 12));
};
class Receiver final : public Clocked<ReceiverRegs> {
 public:
  explicit Receiver(const sc_core::sc_module_name& name) : Clocked(name) {}
  sc_core::sc_port<CrossingReadIf<Beat>> from{"from"};

 private:
  void next() override {
    if (!from->available()) {
      sleep();
      return;
    }
    d_.last = from->front().value;
    d_.received = static_cast<std::uint16_t>(q_.received + 1);
    from->pop();
  }
  void drive() override {}
};

struct WaveMachine {
  WaveMachine(bool no_sleep, unsigned period, double memory_mhz)
      : shader("shader_clk", 0, 1350, 2, no_sleep), memory("dram_clk", 1, memory_mhz, 3, no_sleep) {
    top = std::make_unique<Top>("gpu", shader, memory, period);
  }
  struct Top final : sc_core::sc_module {
    Top(const sc_core::sc_module_name& name, Domain& shader, Domain& memory, unsigned period)
        : sc_module(name),
          beater("beater", period),
          slow_beater("slow_beater", 2 * period),
          fifo("crossing", &shader, &memory, 4, 2) {
      beater.out_o(pick);
      beater.busy_o(busy);
      slow_beater.out_o(slow);
      slow_beater.busy_o(slow_busy);
      sender.in_i(pick);
      sender.to(fifo);
      receiver.from(fifo);
      shader.add(beater);
      shader.add(slow_beater, Rate::kHalf);
      shader.add(sender);
      memory.add(receiver);
    }
    Beater beater, slow_beater;
    Sender sender{"sender"};
    Receiver receiver{"receiver"};
    Wire<Beat> pick{"pick"}, slow{"slow"}, poked{"poked"};
    Wire<bool> busy{"busy"}, slow_busy{"slow_busy"};
    CrossingFifo<Beat> fifo;
  };
  Domain shader, memory;
  std::unique_ptr<Top> top;
  std::vector<Domain*> domains() { return {&shader, &memory}; }
};

}  // namespace g80

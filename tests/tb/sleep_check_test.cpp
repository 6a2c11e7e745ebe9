// SPDX-License-Identifier: Apache-2.0
// A block that sleeps when it should not is reported with its cycle and field; one that may sleep is left alone.
#include "tb/check/sleep_check.h"

#include <gmock/gmock.h>

#include "hw/common/fifo.h"
#include "hw/common/wire.h"
#include "hw/smem/bank_conflict.h"
#include "tb/driver/advance.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using ::testing::HasSubstr;

enum class Fault { kNone, kRegister, kStore, kMemory, kWire };

struct NapRegs {
  std::uint32_t rings = 0;
  std::array<std::uint32_t, 4> word{};
  template <class S, class V>
  static constexpr void visit(S& s, V& v) {
    v("rings", s.rings);
    v.stored("word", s.word);
  }
};

/// Rings every 50 edges. With a fault it does something else at edge 40, for which it does not wake.
class Nap final : public Clocked<NapRegs> {
 public:
  Nap(const sc_core::sc_module_name& name, Fault fault) : Clocked(name), fault_(fault) {}
  sc_core::sc_out<std::uint32_t> out_o{"out_o"};

 private:
  void next() override {
    if (edge() % 50 == 0) ++d_.rings;
    if (edge() == 40 && fault_ == Fault::kRegister) d_.rings = 7;
    if (edge() == 40 && fault_ == Fault::kStore) late_.push(3);
    if (edge() == 40 && fault_ == Fault::kMemory) d_.word[2] = 9;
    wake_at((edge() / 50 + 1) * 50);
    sleep();
  }
  void drive() override { out_o.write(q_.rings + (edge() == 40 && fault_ == Fault::kWire ? 1 : 0)); }
  void reset() override { late_.clear(); }

  const Fault fault_;
  Fifo<std::uint8_t, 2> late_{*this, "late"};
};

class SleepTest : public testing::SystemCTest {
 protected:
  std::string run(unsigned edges) {
    try {
      for (unsigned k = 0; k < edges; ++k) advance_time(sc_core::sc_time(1, sc_core::SC_NS));
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  }
  std::string run_nap(Fault fault) {
    Domain clock("clock", 0, 1000, 1, false);
    Nap nap("nap", fault);
    Wire<std::uint32_t> out("out");
    nap.out_o(out);
    clock.add(nap);
    SleepCheck check({&clock});
    const std::string broken = run(130);
    EXPECT_GE(check.probes(), 38u);  // it sleeps nearly always
    return broken;
  }
};

TEST_F(SleepTest, ABlockThatWakesInTimeIsLeftAlone) { EXPECT_EQ(run_nap(Fault::kNone), ""); }
TEST_F(SleepTest, ARegisterThatChangesIsReported) {
  EXPECT_EQ(run_nap(Fault::kRegister),
            "sleep: cycle 40, nap sleeps, but would change rings from 0x0 to 0x7: a wake-up is lost");
}
TEST_F(SleepTest, AStoreThatChangesIsReported) {
  EXPECT_EQ(run_nap(Fault::kStore),
            "sleep: cycle 50, nap sleeps, but would change late.count from 0x0 to 0x1: a wake-up is lost");
}
TEST_F(SleepTest, AWordOfAMemoryThatChangesIsReportedWhenTheBlockWakes) {
  EXPECT_EQ(run_nap(Fault::kMemory),
            "sleep: cycle 50, nap sleeps, but would change word[2] from 0x0 to 0x9: a wake-up is lost");
}
TEST_F(SleepTest, AWireThatChangesIsReported) {
  EXPECT_EQ(run_nap(Fault::kWire), "sleep: cycle 40, nap sleeps, but would drive out: a wake-up is lost");
}

/// A wire that wakes nobody.
template <class T>
class SilentWire final : public wire_detail::Interface<T> {
 public:
  const T& read() const override { return value; }
  const T& get_data_ref() const override { return value; }
  void write(const T& next) override { value = next; }
  T value{};
};

TEST_F(SleepTest, ABlockOfTheMachineThatIsNotWokenIsReported) {
  const Config config = load_config("tiny");
  Domain clock("clock", 0, 1000, 1, false);
  BankConflict block("bank_conflict", config);
  SilentWire<SmemRequest> request;
  Wire<bool> ready("ready"), replay("replay");
  Wire<SmemPass> pass("pass");
  block.request_i(request);
  block.request_ready_o(ready);
  block.pass_o(pass);
  block.replay_o(replay);
  clock.add(block);
  SleepCheck check({&clock});
  ASSERT_EQ(run(20), "");
  request.value.valid = true;
  request.value.lanes = 1;
  EXPECT_THAT(run(20), HasSubstr("bank_conflict sleeps, but would change "));
}

}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// Each rule of the protocol monitors: a pair of blocks that keeps it is left alone, one that breaks it is stopped with
// a sentence that names the wire, the cycle and the rule. On a whole machine every handshake is found.
#include "tb/check/protocol_monitor.h"

#include <gmock/gmock.h>

#include <cstring>
#include <deque>
#include <functional>
#include <random>

#include "hw/gpu/gpu.h"
#include "tb/driver/advance.h"
#include "tests/support/random_seed.h"
#include "tests/support/systemc_test.h"

namespace g80 {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

template <class T>
struct Spoken {
  T value{};
  G80_FIELDS(value);
};

/// Drives what a function says for each edge.
template <class T>
class Speaker final : public Clocked<Spoken<T>> {
 public:
  explicit Speaker(const sc_core::sc_module_name& name) : Clocked<Spoken<T>>(name) {}
  sc_core::sc_out<T> out_o{"out_o"};
  std::function<T(Cycle)> says = [](Cycle) { return T{}; };

 private:
  void next() override { this->d_.value = says(this->edge()); }
  void drive() override { out_o.write(this->q_.value); }
};

LineRequest request(std::uint8_t id, std::uint32_t address = 0x40) {
  LineRequest line;
  line.valid = true;
  line.id = id;
  line.address = address;
  return line;
}
LineReply reply(std::uint8_t id, std::uint32_t address = 0x40) {
  LineReply line;
  line.valid = true;
  line.id = id;
  line.address = address;
  return line;
}

class ProtocolTest : public testing::SystemCTest {
 protected:
  static constexpr Cycle kBound = 30;
  ProtocolTest() {
    asks.out_o(line), takes.out_o(ready), answers.out_o(fill), issues.out_o(issue), returns.out_o(credit);
    for (ClockedBase* block : std::initializer_list<ClockedBase*>{&asks, &takes, &answers, &issues, &returns}) {
      clock.add(*block);
    }
    takes.says = [](Cycle) { return true; };
  }
  /// The first broken rule within `edges` edges; empty if none.
  std::string run(Cycle edges) {
    try {
      for (Cycle k = 0; k < edges; ++k) {
        advance_time(sc_core::sc_time(1, sc_core::SC_NS));
        if (each_edge) each_edge(clock.edge());
        monitors.look();
      }
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  }

  Domain clock{"clock", 0, 1000, 1, false};
  Wire<LineRequest> line{"line"};
  Wire<bool> ready{"line_ready"};
  Wire<LineReply> fill{"fill"};
  Wire<Issue> issue{"issue"};
  Wire<Credits> credit{"credit"};
  Speaker<LineRequest> asks{"asks"};
  Speaker<bool> takes{"takes"};
  Speaker<LineReply> answers{"answers"};
  Speaker<Issue> issues{"issues"};
  Speaker<Credits> returns{"returns"};
  std::function<void(Cycle)> each_edge;
  ProtocolMonitors monitors{{&clock}, kBound};
};

TEST_F(ProtocolTest, AnOfferThatWaitsAndGoesIsLeftAlone) {
  monitors.offer(line, &ready);
  std::mt19937 random(random_seed());
  // A driver as the protocol wants it: it keeps its offer until it has seen valid and ready together.
  asks.says = [&](Cycle) {
    const LineRequest shown = line.read();
    if (shown.valid && !ready.read()) return shown;
    return random() % 3 != 0 ? request(static_cast<std::uint8_t>(random()), static_cast<std::uint32_t>(random()))
                             : LineRequest{};
  };
  takes.says = [&](Cycle) { return random() % 4 == 0; };
  EXPECT_EQ(run(3000), "");
}

TEST_F(ProtocolTest, AnOfferMustNotBeTakenBack) {
  monitors.offer(line, &ready);
  takes.says = [](Cycle) { return false; };
  asks.says = [](Cycle edge) { return edge >= 5 && edge < 9 ? request(1) : LineRequest{}; };
  EXPECT_EQ(run(20), "protocol: cycle 9, line: the offer was taken back before it was accepted");
}

TEST_F(ProtocolTest, AnOfferMustNotBeTakenBackAtTheEdgeAtWhichReadyRises) {
  monitors.offer(line, &ready);
  takes.says = [](Cycle edge) { return edge >= 9; };
  asks.says = [](Cycle edge) { return edge >= 5 && edge < 9 ? request(1) : LineRequest{}; };
  EXPECT_THAT(run(20), HasSubstr("taken back"));
}

TEST_F(ProtocolTest, AnOfferMustNotChangeWhileItWaits) {
  monitors.offer(line, &ready);
  takes.says = [](Cycle) { return false; };
  asks.says = [](Cycle edge) { return request(1, edge < 12 ? 0x40 : 0x80); };
  EXPECT_THAT(run(20), AllOf(StartsWith("protocol: cycle 12, line: the offer changed while it waited"),
                             HasSubstr("address=0x80")));
}

TEST_F(ProtocolTest, AStaleOfferMayBeTakenBackAndNoOther) {
  monitors.offer(line, &ready, [](const LineRequest& offered) { return offered.id == 1; });
  takes.says = [](Cycle) { return false; };
  asks.says = [](Cycle edge) { return request(edge < 9 ? 1 : 2, edge < 15 ? 0x40 : 0x80); };
  EXPECT_THAT(run(20), StartsWith("protocol: cycle 15, line: the offer changed while it waited"));
}

TEST_F(ProtocolTest, AnOfferMustBeTakenWithinTheBound) {
  monitors.offer(line, &ready);
  takes.says = [](Cycle) { return false; };
  asks.says = [](Cycle edge) { return edge < 5 ? LineRequest{} : request(1); };
  EXPECT_EQ(run(3 * kBound), "protocol: cycle 36, line: the offer has not been accepted since cycle 5");
}

TEST_F(ProtocolTest, EachRequestIsAnsweredOnce) {
  monitors.offer(line, &ready);
  monitors.offer(fill, nullptr);
  monitors.answers(line, fill);
  asks.says = [](Cycle edge) {
    return edge >= 5 && edge < 8 ? request(static_cast<std::uint8_t>(edge)) : LineRequest{};
  };
  // The answers come in another order, as they may here.
  answers.says = [](Cycle edge) {
    return edge >= 10 && edge < 13 ? reply(static_cast<std::uint8_t>(17 - edge)) : LineReply{};
  };
  EXPECT_EQ(run(3 * kBound), "");
}

TEST_F(ProtocolTest, AnAnswerWithoutARequestIsReported) {
  monitors.offer(line, &ready);
  monitors.offer(fill, nullptr);
  monitors.answers(line, fill);
  asks.says = [](Cycle edge) { return edge == 5 ? request(1) : LineRequest{}; };
  answers.says = [](Cycle edge) { return edge == 9 || edge == 11 ? reply(1) : LineReply{}; };
  EXPECT_THAT(run(20), AllOf(StartsWith("protocol: cycle 12, fill for line: an answer came that no request waits for"),
                             HasSubstr("id=1 ")));
}

TEST_F(ProtocolTest, AnAnswerThatIsMissingIsReported) {
  monitors.offer(line, &ready);
  monitors.offer(fill, nullptr);
  monitors.answers(line, fill);
  asks.says = [](Cycle edge) { return edge == 5 ? request(1) : LineRequest{}; };
  EXPECT_EQ(run(3 * kBound), "protocol: cycle 37, fill for line: a request of cycle 6 has no answer yet");
}

struct Padded {
  bool valid;
  std::uint32_t word;
  G80_FIELDS(valid, word);
};

TEST(ProtocolOfOffers, BytesBetweenTheFieldsDoNotCount) {
  Padded a, b;
  std::memset(static_cast<void*>(&a), 0, sizeof a);
  std::memset(static_cast<void*>(&b), 0xff, sizeof b);
  a.valid = b.valid = true;
  a.word = b.word = 7;
  EXPECT_NE(std::memcmp(&a, &b, sizeof a), 0);
  EXPECT_TRUE(protocol::same(a, b));
  b.word = 8;
  EXPECT_FALSE(protocol::same(a, b));
}

TEST_F(ProtocolTest, AnswersComeInOrderWhereThatIsPromised) {
  const Picoseconds now = 0;
  protocol::Answers in_order("s", protocol::Place(clock, now), Exchange::kShared);
  protocol::Answers in_any_order("any", protocol::Place(clock, now), Exchange::kDram);
  for (protocol::Answers* answers : {&in_order, &in_any_order}) answers->asked(1), answers->asked(2);
  const auto text = [] { return std::string("unit=2"); };
  in_any_order.answered(2, text);
  EXPECT_THAT(
      [&] {
        try {
          in_order.answered(2, text);
        } catch (const ModelError& error) {
          return std::string(error.what());
        }
        return std::string();
      }(),
      HasSubstr("s: an answer overtook that to an earlier request (unit=2)"));
}

TEST_F(ProtocolTest, CreditsAreConserved) {
  monitors.credits(
      issue, [](const Issue&) { return true; }, credit, &Credits::collector, 2);
  unsigned taken = 0, back = 0;
  std::mt19937 random(random_seed());
  issues.says = [&](Cycle) {
    Issue value;
    value.valid = taken - back < 2 && random() % 2 != 0;
    value.tag.bits = taken += value.valid ? 1 : 0;
    return value;
  };
  unsigned arrived = 0;
  returns.says = [&](Cycle) {
    arrived += issue.read().valid ? 1 : 0;
    if (back < arrived && random() % 2 == 0) ++back;
    Credits value;
    value.collector = static_cast<std::uint8_t>(back);
    return value;
  };
  EXPECT_EQ(run(2000), "");
}

TEST_F(ProtocolTest, ACreditMustNotBeMade) {
  monitors.credits(
      issue, [](const Issue&) { return true; }, credit, &Credits::collector, 2);
  issues.says = [](Cycle edge) {
    Issue value;
    value.valid = edge == 5;
    return value;
  };
  returns.says = [](Cycle edge) {
    Credits value;
    value.collector = edge >= 11 ? 2 : 0;
    return value;
  };
  EXPECT_EQ(run(20), "protocol: cycle 11, credit: 2 credits came back, but only 1 were taken");
}

TEST_F(ProtocolTest, MoreCreditsThanThereAreMustNotBeTaken) {
  monitors.credits(
      issue, [](const Issue&) { return true; }, credit, &Credits::collector, 2);
  issues.says = [](Cycle edge) {
    Issue value;
    value.valid = edge >= 5;
    value.tag.bits = static_cast<std::uint32_t>(edge);
    return value;
  };
  EXPECT_EQ(run(20), "protocol: cycle 8, credit: 3 credits are taken, but only 2 exist");
}

TEST_F(ProtocolTest, ACreditMustNotBeLost) {
  monitors.credits(
      issue, [](const Issue&) { return true; }, credit, &Credits::collector, 2);
  issues.says = [](Cycle edge) {
    Issue value;
    value.valid = edge == 5;
    return value;
  };
  EXPECT_EQ(run(20), "");
  EXPECT_THROW(monitors.launch_finished(), ModelError);
}

/// A queue that a test can break.
template <class T>
class AnyQueue final : public Traceable {
 public:
  explicit AnyQueue(const char* name = "queue") : name_(name) {}
  const char* trace_name() const override { return name_; }
  void trace_fields(FieldVisitor&) const override {}
  unsigned size() const { return static_cast<unsigned>(items.size()); }
  unsigned depth() const { return 3; }
  const T& newest() const { return items.back(); }
  const T& front() const { return items.front(); }
  bool read_by_host() const { return false; }
  ClockedBase* driver() override { return writer; }
  void changes() { mark_changed(); }
  void push(const T& item) { items.push_back(item), changes(); }
  void pop() { items.pop_front(), changes(); }
  std::deque<T> items;
  ClockedBase* writer = nullptr;

 private:
  const char* const name_;
};
using BadQueue = AnyQueue<LineReply>;

struct QueueFault {
  const char* name;
  std::function<void(BadQueue&)> breaks;
  const char* says;
};
void PrintTo(const QueueFault& fault, std::ostream* out) { *out << fault.name; }

class ProtocolOfQueues : public ProtocolTest, public ::testing::WithParamInterface<QueueFault> {};

TEST_P(ProtocolOfQueues, AreKept) {
  BadQueue queue;
  queue.writer = &asks;
  monitors.queue(queue);
  each_edge = [&](Cycle edge) {
    if (edge == 23) {  // it holds two entries
      GetParam().breaks(queue);
      queue.changes();
    } else if (edge % 2 == 0 && queue.size() < 2) {
      queue.items.push_back(reply(static_cast<std::uint8_t>(edge)));
      queue.changes();
    } else if (edge % 3 == 0 && queue.size() != 0) {
      queue.items.pop_front();
      queue.changes();
    }
  };
  const std::string broken = run(60);
  monitors.stop();  // the queue goes first
  if (*GetParam().says == '\0') {
    EXPECT_EQ(broken, "");
  } else {
    EXPECT_THAT(broken, HasSubstr(GetParam().says));
  }
}

const QueueFault kQueueFaults[] = {
    {"nothing", [](BadQueue& queue) { queue.items.push_back(reply(1)); }, ""},
    {"loses_two", [](BadQueue& queue) { queue.items.clear(); }, "queue: 2 entries became 0 at once"},
    {"overflows",
     [](BadQueue& queue) {
       while (queue.size() < 4) queue.items.push_back(reply(1));
     },
     "queue: 4 entries in 3 places"},
    {"changes_an_entry",
     [](BadQueue& queue) {
       queue.items.back().address ^= 4;
       queue.items.pop_front();
     },
     "queue: the entry at its head is not the one that was written"},
};

INSTANTIATE_TEST_SUITE_P(Rules, ProtocolOfQueues, ::testing::ValuesIn(kQueueFaults),
                         [](const auto& info) { return info.param.name; });

TEST_F(ProtocolTest, AnEntryMustBeTakenWithinTheBound) {
  BadQueue queue;
  queue.writer = &asks;
  monitors.queue(queue);
  each_edge = [&](Cycle edge) {
    if (edge != 5) return;
    queue.items.push_back(reply(1));
    queue.changes();
  };
  EXPECT_THAT(run(3 * kBound), HasSubstr("queue: the entry at its head has not been taken since cycle "));
  monitors.stop();
}

TEST(ProtocolOfAMachine, EveryHandshakeIsFound) {
  for (const char* preset : {"tiny", "8600gts", "8800gtx"}) {
    testing::SystemCTest::renew_context();
    Gpu gpu("gpu", load_config(preset));
    ProtocolMonitors monitors({&gpu.shader, &gpu.core, &gpu.dram}, 1000);
    monitors.watch_machine(gpu.config);
    const std::vector<std::string> list = monitors.list();
    const unsigned sms = gpu.num_sms(), tpcs = gpu.config.gpu.num_tpcs, partitions = gpu.config.gpu.num_partitions;
    std::map<std::string, unsigned> kinds;
    for (const std::string& line : list) ++kinds[line.substr(line.find(": ") + 2, 10)];
    // Handshakes: 9 in an SM and 1 to its arbiter, 8 of a TPC, 4 of a partition, 15 of the chip.
    EXPECT_EQ(kinds["held until"], 10 * sms + 8 * tpcs + 4 * partitions + 15) << preset;
    // Queues: 10 between an SM and the core clock, 2 at each DRAM, 4 of the host.
    EXPECT_EQ(kinds["first in, "], 10 * sms + 2 * partitions + 4) << preset;
    EXPECT_EQ(kinds["answered o"], 11 * sms + 4 * tpcs + 3 * partitions + 5) << preset;
    EXPECT_THAT(list, Contains(HasSubstr("sm0.smem_reply for gpu.tpc0.sm0.smem_request: answered once, in order")));
    EXPECT_EQ(kinds["all places"], 3u) << preset;  // both crossbars, second level TLB
    EXPECT_THAT(list, Contains(HasSubstr("sm0.collector_credit: ")));
  }
}

}  // namespace
}  // namespace g80

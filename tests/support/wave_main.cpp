// SPDX-License-Identifier: Apache-2.0
// main() of every SystemC test program: GoogleTest plus --wave FILE (and --wave-scope GLOB, --wave-level 0..3).
//
// --wave-views DIR writes the project's GTKWave views of that hierarchy, with their filters.
// A test draws whatever hierarchy it builds. If more than one test runs, each file carries the name of its test.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <systemc>

#include "hw/common/domain.h"
#include "tb/waves/standard_views.h"
#include "tb/waves/wave_sink.h"
#include "tests/support/systemc_test.h"

// The SystemC library wants sc_main to exist; GoogleTest owns main().
int sc_main(int, char**) { return 0; }

namespace g80::testing {
namespace {

class WaveRecorder final : public TestObserver {
 public:
  WaveOptions options;
  std::string views;  // folder, empty = none

  void test_begins() override { starter_ = std::make_unique<Starter>(*this); }
  void test_ends() override {
    if (sink_ == nullptr) return;
    sink_->close_after_machine();  // the test's objects are destroyed by now
    for (const std::string& warning : sink_->warnings()) std::printf("%s\n", warning.c_str());
    sink_.reset();
  }

 private:
  // SystemC calls it when the hierarchy is complete, before anything runs.
  class Starter final : public sc_core::sc_module {
   public:
    explicit Starter(WaveRecorder& recorder)
        : sc_module(sc_core::sc_module_name("wave_starter")), recorder_(recorder) {}
    void start_of_simulation() override { recorder_.open(); }

   private:
    WaveRecorder& recorder_;
  };

  void open() {
    std::vector<Domain*> domains;
    find_domains(sc_core::sc_get_top_level_objects(), domains);
    std::sort(domains.begin(), domains.end(), [](Domain* a, Domain* b) { return a->number() < b->number(); });
    WaveOptions named = options;
    const auto* unit = ::testing::UnitTest::GetInstance();
    if (unit->test_to_run_count() > 1) {
      const auto* test = unit->current_test_info();
      named.file.insert(named.file.rfind('.'), std::string(".") + test->test_suite_name() + "." + test->name());
      std::replace(named.file.begin() + static_cast<long>(options.file.rfind('.')), named.file.end(), '/', '_');
    }
    sink_ = std::make_unique<WaveSink>(named, domains);
    try {
      sink_->open();
      if (!views.empty()) write_views(views, standard_views(), sink_->signals(), views + "/filters");
    } catch (const WaveError& error) {  // a test without a traceable object, among others that have some
      std::printf("no waves: %s\n", error.what());
    }
  }
  static void find_domains(const std::vector<sc_core::sc_object*>& objects, std::vector<Domain*>& domains) {
    for (sc_core::sc_object* object : objects) {
      if (auto* domain = dynamic_cast<Domain*>(object)) domains.push_back(domain);
      find_domains(object->get_child_objects(), domains);
    }
  }

  std::unique_ptr<Starter> starter_;
  std::unique_ptr<WaveSink> sink_;
};

}  // namespace
}  // namespace g80::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  g80::testing::WaveRecorder recorder;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--wave" && (value.size() > 4 && value.rfind('.') == value.size() - 4)) {
      recorder.options.file = value;
    } else if (flag == "--wave-views" && !value.empty()) {
      recorder.views = value;
    } else if (flag == "--wave-scope" && !value.empty()) {
      recorder.options.scopes.push_back(value);
    } else if (flag == "--wave-level" && value.size() == 1 && value[0] >= '0' && value[0] <= '3') {
      recorder.options.level = static_cast<g80::WaveLevel>(value[0] - '0');
    } else {
      std::fprintf(stderr,
                   "usage: %s [--gtest_...] [--wave FILE.vcd|FILE.fst] [--wave-scope GLOB] [--wave-level 0|1|2|3] "
                   "[--wave-views DIR]\n",
                   argv[0]);
      return 2;
    }
    ++i;
  }
  if (!recorder.options.file.empty()) g80::testing::test_observer = &recorder;
  return RUN_ALL_TESTS();
}

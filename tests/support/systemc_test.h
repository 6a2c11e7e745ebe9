// SPDX-License-Identifier: Apache-2.0
// Every GoogleTest case gets a SystemC kernel of its own.
#pragma once
#include <gtest/gtest.h>
#include <systemc>

#include <sysc/kernel/sc_simcontext.h>

namespace g80::testing {

/// Told when a test's SystemC kernel begins and ends: the wave recorder of the test programs (--wave FILE).
class TestObserver {
 public:
  virtual ~TestObserver() = default;
  virtual void test_begins() = 0;
  virtual void test_ends() = 0;
};
inline TestObserver* test_observer = nullptr;

class SystemCTest : public ::testing::Test {
 public:
  SystemCTest() {
    renew_context();
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    if (test_observer != nullptr) test_observer->test_begins();
  }
  ~SystemCTest() override {
    if (test_observer != nullptr) test_observer->test_ends();
    // The context owns nothing the test did not create; the next test installs its own.
    sc_core::sc_curr_simcontext = nullptr;
    sc_core::sc_default_global_context = nullptr;
  }
  /// A second machine in the same test, after the first is gone. SystemC keeps one simulation context per program, and
  /// a finished one cannot be elaborated again.
  static void renew_context() {
    auto* context = new sc_core::sc_simcontext();
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }
};

}  // namespace g80::testing

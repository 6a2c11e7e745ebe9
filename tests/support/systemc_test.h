// Every GoogleTest case gets a SystemC kernel of its own.
#pragma once
#include <gtest/gtest.h>
#include <systemc>

#include <sysc/kernel/sc_simcontext.h>

namespace g80::testing {

class SystemCTest : public ::testing::Test {
 public:
  SystemCTest() {
    // SystemC keeps one simulation context per program; a finished one cannot be elaborated again.
    context_ = new sc_core::sc_simcontext();
    sc_core::sc_curr_simcontext = context_;
    sc_core::sc_default_global_context = context_;
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  }
  ~SystemCTest() override {
    // The context owns nothing the test did not create; the next test installs its own.
    sc_core::sc_curr_simcontext = nullptr;
    sc_core::sc_default_global_context = nullptr;
  }

 private:
  sc_core::sc_simcontext* context_;
};

}  // namespace g80::testing

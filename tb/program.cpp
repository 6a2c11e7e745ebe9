// g80: runs, assembles and inspects programs for the modelled GPU. This file maps mistakes to exit codes.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <systemc>

#include "hw/common/check.h"
#include "hw/config/config.h"
#include "kernels/toolchain/cubin/module.h"
#include "tb/machine/interrupt.h"
#include "tb/main/commands.h"
#include "tb/report/run_result.h"
#include "tb/scenario/input_error.h"
#include "tb/waves/trace_file.h"

int main(int argc, char** argv) {
  const auto fail = [](const char* what, int code) {
    fmt::print(stderr, "g80: {}\n", what);
    return code;
  };
  try {
    return g80::run_command_line(argc, argv);
  } catch (const g80::InputError& error) {
    return fail(error.what(), g80::kExitInput);
  } catch (const g80::ConfigError& error) {
    return fail(error.what(), g80::kExitInput);
  } catch (const g80::SourceError& error) {
    return fail(error.what(), g80::kExitInput);
  } catch (const g80::WaveError& error) {
    return fail(error.what(), g80::kExitInput);
  } catch (const g80::Interrupted& error) {
    return fail(error.what(), 128 + error.signal);
  } catch (const g80::ModelError& error) {
    return fail(error.what(), g80::kExitModel);
  } catch (const std::bad_alloc&) {
    return fail("the host has not enough memory for this run", g80::kExitInput);
  } catch (const std::exception& error) {
    return fail(fmt::format("internal error: {}", error.what()).c_str(), g80::kExitModel);
  }
}

/// The SystemC library refers to it; the program starts in main.
int sc_main(int, char**) { return 0; }

// g80: runs, assembles and inspects programs for the modelled GPU. This file maps mistakes to exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <systemc>

#include "hw/common/check.h"
#include "hw/config/config.h"
#include "kernels/toolchain/cubin/module.h"
#include "tb/machine/interrupt.h"
#include "tb/main/commands.h"
#include "tb/report/run_result.h"
#include "tb/scenario/input_error.h"
#include "tb/waves/trace_file.h"

namespace {

/// Messages quote what users wrote. It may be binary, and it may be long.
std::string printable(std::string_view text, bool one_line) {
  constexpr std::size_t kLongest = 2000, kEnd = 200;
  const bool cut = text.size() > kLongest;
  const std::string_view begin = text.substr(0, cut ? kLongest - kEnd : text.size());
  std::string out;
  const auto add = [&out, one_line](std::string_view part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < 0x20 && (one_line || c != '\n')) || byte == 0x7f) {
        out += fmt::format("\\x{:02x}", byte);
      } else {
        out += c;
      }
    }
  };
  add(begin);
  if (cut) out += fmt::format(" [{} more] ", text.size() - kLongest);
  if (cut) add(text.substr(text.size() - kEnd));
  return out;
}

int fail(std::string_view what, int code) {
  std::fputs(("g80: " + printable(what, code == g80::kExitInput) + "\n").c_str(), stderr);
  return code;
}

/// A listing that did not reach its reader whole is no success.
int with_output_written(int code) {
  std::cout.flush();
  const bool written = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written || code != g80::kExitPass) return code;
  return fail("standard output cannot be written", g80::kExitInput);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return with_output_written(g80::run_command_line(argc, argv));
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
  } catch (const std::system_error& error) {  // of the host: streams and files
    return fail(error.what(), g80::kExitInput);
  } catch (const std::exception& error) {
    return fail(fmt::format("internal error: {}", error.what()), g80::kExitModel);
  }
}

/// The SystemC library refers to it; the program starts in main.
int sc_main(int, char**) { return 0; }

// SPDX-License-Identifier: Apache-2.0
#include "app/run/report_exception.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "hw/common/check.h"
#include "hw/config/config.h"
#include "input/input_error.h"
#include "tb/check/hang_report.h"
#include "tb/machine/interrupt.h"
#include "tb/scenario/run_result.h"
#include "tb/waves/trace_file.h"
#include "toolchain/cubin/module.h"

namespace g80 {
namespace {

/// Makes a message printable: it may quote user input, which may be binary or very long.
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

/// Files of the current folder by their names from there.
std::string with_relative_paths(std::string_view what) {
  std::string text(what);
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string() + '/';
  if (folder.size() < 2) return text;
  for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
    const bool begins = at == 0 || std::string_view(" '\"`(=").find(text[at - 1]) != std::string_view::npos;
    begins ? void(text.erase(at, folder.size())) : void(++at);
  }
  return text;
}

}  // namespace

int report_failure(std::string_view what, int code) {
  std::fputs(("g80: " + printable(with_relative_paths(what), code == kExitInput) + "\n").c_str(), stderr);
  return code;
}

int report_exception() {
  try {
    throw;
  } catch (const InputError& error) {
    return report_failure(error.what(), kExitInput);
  } catch (const ConfigError& error) {
    return report_failure(error.what(), kExitInput);
  } catch (const SourceError& error) {
    return report_failure(error.what(), kExitInput);
  } catch (const WaveError& error) {
    return report_failure(error.what(), kExitInput);
  } catch (const Interrupted& error) {
    return report_failure(error.what(), 128 + error.signal);
  } catch (const MachineHung& error) {
    return report_failure(error.what(), kExitHang);
  } catch (const ModelError& error) {
    return report_failure(error.what(), kExitModel);
  } catch (const std::bad_alloc&) {
    return report_failure("the host does not have enough memory for this run", kExitInput);
  } catch (const std::system_error& error) {  // of the host: streams and files
    return report_failure(error.what(), kExitInput);
  } catch (const std::exception& error) {
    return report_failure(fmt::format("internal error: {}", error.what()), kExitModel);
  }
}

}  // namespace g80

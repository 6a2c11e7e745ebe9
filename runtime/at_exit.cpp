// SPDX-License-Identifier: Apache-2.0
// The end of the program: finishes the work of all contexts, completes records, writes the statistics.
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "app/run/report_exception.h"
#include "runtime/api.h"
#include "runtime/context.h"

namespace g80::cuda {
namespace {

bool ended = false;
pid_t program = 0;  // the process that has loaded the library
std::terminate_handler next_terminate_handler = nullptr;

/// Other threads that are in a call finish it first; later calls return an error.
int finish_work() {
  const bool inside_call = Call::is_open();  // the program's handler of a signal calls exit()
  const Call call;
  if (std::exchange(ended, true)) return 0;
  int code = 0;
  bool told = caught_signal() != 0;
  const auto attempt = [&](const auto& step, bool known = false) {
    try {
      step();
      return true;
    } catch (const Interrupted&) {
      if (!std::exchange(told, true)) code = report_exception();
    } catch (...) {
      const int its_code = known ? code : report_exception();
      code = code != 0 ? code : its_code;
    }
    return false;
  };
  for_each_context([&](CUctx_st& context) {
    if (context.process != getpid()) return;
    bool known = has_failed();  // what completing the records will say
    if (!known && !inside_call) {
      if (attempt([&] { context.device.finish_work(); })) return void(attempt([&] { context.reset(); }));
      known = true;
    }
    attempt([&] { context.device.complete_records(); }, known);
  });
  attempt([] { Session::current().write_results(); });
  attempt([] { check_interrupt([] { return "at the end of the program"; }); });
  return code;
}

/// A child that fork() made of a program with contexts. Their work and the records are its parent's. It has one thread,
/// so it takes no lock: a thread that it does not have may hold it.
bool has_work_of_parent() {
  const pid_t process = getpid();
  return process != program && !contexts().empty() &&
         std::none_of(contexts().begin(), contexts().end(), [&](const auto& one) { return one->process == process; });
}

void finish() {
  const int code = has_work_of_parent() ? 0 : finish_work();
  // The program's own output: nothing destroys the stream objects of this library, so nobody else flushes them.
  for (std::ostream* const stream : {&std::cout, &std::clog}) stream->flush();
  for (std::wostream* const stream : {&std::wcout, &std::wclog}) stream->flush();
  if (code == 0) return;
  std::fflush(nullptr);
  std::_Exit(code);
}

/// An exception that nobody catches ends the program without its exit handlers.
[[noreturn]] void finish_and_terminate() {
  finish();
  next_terminate_handler();
  std::abort();
}

/// Exit handlers run in the reverse order of their registration. This one is registered when the library is loaded,
/// before the program has made static objects, so it runs after their destructors, which may still use the device.
/// on_exit, because it also works where static objects are not destroyed (runtime/shared).
__attribute__((constructor)) void register_end() {
  program = getpid();
  on_exit([](int, void*) { finish(); }, nullptr);
  next_terminate_handler = std::set_terminate(finish_and_terminate);
}

}  // namespace

bool has_ended() { return ended || has_failed(); }

}  // namespace g80::cuda

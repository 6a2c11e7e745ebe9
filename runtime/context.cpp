// SPDX-License-Identifier: Apache-2.0
#include "runtime/context.h"

#include <unistd.h>

#include <algorithm>

#include "runtime/api.h"

namespace g80::cuda {
namespace {

using Stack = std::vector<CUctx_st*>;

/// Of this thread; the last one is current. Null before its first context and after its end.
thread_local Stack* stack = nullptr;

/// Ends what the runtime made for a thread together with it. The first thread ends with the program: its exit handlers
/// and static objects still use the context.
struct EndOfThread {
  ~EndOfThread() {
    if (gettid() == getpid()) return;
    const Call call;
    const std::unique_ptr<Stack> ended(std::exchange(stack, nullptr));
    if (has_ended()) return;
    try {
      for (CUctx_st* const context : *ended) {
        context->current = false;
        if (context->of_runtime) destroy_context(*context);
      }
    } catch (...) {
      exit_with_exception();
    }
  }
};

Stack& stack_of_thread() {
  if (stack == nullptr) {
    stack = new Stack;
    static thread_local const EndOfThread end;
  }
  return *stack;
}

}  // namespace

std::vector<std::unique_ptr<CUctx_st>>& contexts() {
  static auto& all = *new std::vector<std::unique_ptr<CUctx_st>>;
  return all;
}

bool is_context(const CUctx_st* context) {
  return std::any_of(contexts().begin(), contexts().end(), [&](const auto& one) { return one.get() == context; });
}

CUctx_st* current_context_if_any() { return stack != nullptr && !stack->empty() ? stack->back() : nullptr; }

CUctx_st& current_context() {
  if (CUctx_st* const context = current_context_if_any()) return *context;
  CUctx_st& made = make_context(true);
  push_context(made);
  return made;
}

CUctx_st& make_context(bool of_runtime) { return *contexts().emplace_back(std::make_unique<CUctx_st>(of_runtime)); }

void push_context(CUctx_st& context) {
  context.current = true;
  stack_of_thread().push_back(&context);
}

CUctx_st& pop_context() {
  CUctx_st& context = *stack->back();
  stack->pop_back();
  context.current = false;
  return context;
}

void destroy_context(CUctx_st& context) {
  context.reset();
  if (stack != nullptr) stack->erase(std::remove(stack->begin(), stack->end(), &context), stack->end());
  const auto is_it = [&](const auto& one) { return one.get() == &context; };
  contexts().erase(std::find_if(contexts().begin(), contexts().end(), is_it));
}

}  // namespace g80::cuda

void CUctx_st::reset() {
  device.reset();
  streams.clear();
  events.clear();
  modules.clear();
  functions.clear();
  textures.clear();
  constants.clear();
}

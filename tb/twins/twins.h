// SPDX-License-Identifier: Apache-2.0
// The twins that this program has: models of blocks in RTL. Nothing outside of rtl/ refers to them: where rtl/ is
// linked, each enters itself here, and without it there are none.
#pragma once
#include <utility>

#include "hw/common/blocks.h"

namespace g80 {

struct TwinInfo {
  const char* name;       // as --rtl spells it
  const char* source;     // the SystemVerilog module
  const char* decides;    // one line
  std::type_index block;  // class of the SystemC block
  TwinMaker make;         // in the place of the block
  TwinMaker make_beside;  // the block with its twin beside it (checked_twin.h)
  // The same with the block of the one model of the multiprocessor (rtl/adapters/sm_model.h); null where it has none.
  TwinMaker make_part = nullptr, make_part_beside = nullptr;
};
/// Every block that has a twin, by name.
const std::vector<TwinInfo>& twins();
/// From which the models of twins that are made from now on draw the bits of what has no reset; 0: all are 0.
void set_model_seed(std::uint32_t seed);
std::uint32_t model_seed();
/// Enters a twin: a static object beside its adapter.
struct TwinEntry {
  explicit TwinEntry(const TwinInfo& twin);
};

namespace twins_detail {
template <std::size_t>
using Argument = const BlockArgument&;
template <class Twin, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return std::is_constructible_v<Twin, const char*, Argument<I>...>;
}
template <class Twin, std::size_t... I>
std::unique_ptr<ClockedBase> make(const char* name, const BlockArguments& arguments, std::index_sequence<I...>) {
  CHECK(arguments.size() == sizeof...(I), "the twin {} takes {} arguments, its block {}", name, sizeof...(I),
        arguments.size());
  return std::make_unique<Twin>(name, arguments[I]...);
}
}  // namespace twins_detail

/// Calls the twin's constructor, which has the parameters of its block's.
template <class Twin, std::size_t kCount = 0>
std::unique_ptr<ClockedBase> make_twin_block(const char* name, const BlockArguments& arguments) {
  static_assert(kCount < 10, "the twin needs a constructor with the parameters of its block's");
  if constexpr (twins_detail::takes<Twin>(std::make_index_sequence<kCount>())) {
    return twins_detail::make<Twin>(name, arguments, std::make_index_sequence<kCount>());
  } else {
    return make_twin_block<Twin, kCount + 1>(name, arguments);
  }
}

template <class Twin>
std::unique_ptr<ClockedBase> make_twin_beside(const char* name, const BlockArguments& arguments) {
  std::unique_ptr<ClockedBase> twin = make_twin_block<Twin>(name, arguments);
  static_cast<Twin&>(*twin).run_beside();
  return twin;
}

template <class Twin>
TwinInfo twin_info(const char* name, const char* source) {
  return {
      name, source, Twin::kDecides, typeid(typename Twin::SystemCBlock), make_twin_block<Twin>, make_twin_beside<Twin>};
}
/// `Part`: the adapter on the part.
template <class Twin, class Part>
TwinInfo twin_info(const char* name, const char* source) {
  TwinInfo info = twin_info<Twin>(name, source);
  info.make_part = make_twin_block<Part>;
  info.make_part_beside = make_twin_beside<Part>;
  return info;
}

}  // namespace g80

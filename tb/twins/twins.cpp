// SPDX-License-Identifier: Apache-2.0
#include "tb/twins/twins.h"

#include <algorithm>
#include <string_view>

namespace g80 {
namespace {

std::vector<TwinInfo>& entered() {  // before main(), in any order
  static std::vector<TwinInfo> list;
  return list;
}
std::uint32_t seed_of_models = 0;

}  // namespace

void set_model_seed(std::uint32_t seed) { seed_of_models = seed; }
std::uint32_t model_seed() { return seed_of_models; }

const std::vector<TwinInfo>& twins() { return entered(); }

TwinEntry::TwinEntry(const TwinInfo& twin) {
  std::vector<TwinInfo>& list = entered();
  const auto behind = [](const TwinInfo& a, const TwinInfo& b) { return std::string_view(a.name) < b.name; };
  list.insert(std::upper_bound(list.begin(), list.end(), twin, behind), twin);
}

}  // namespace g80

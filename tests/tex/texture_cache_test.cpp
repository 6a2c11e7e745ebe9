// SPDX-License-Identifier: Apache-2.0
#include "hw/tex/texture_cache.h"

#include <gtest/gtest.h>

#include "hw/common/check.h"

namespace g80 {
namespace {

TEST(TextureCache, TakesTheLinesThatWereAskedForEachOnce) {
  TextureCache cache(load_config("tiny"));
  std::array<std::uint16_t, kMaxTexturePorts> slots{};
  for (const std::uint32_t line : {5u, 100u, 300u}) {
    PortLines row;
    row.ports = 1;
    row.line[0] = line;
    EXPECT_EQ(cache.look_up(row, 0, slots).miss, 0u);
  }
  const auto arrive = [&cache](unsigned id) {
    MemReply reply;
    reply.id = static_cast<std::uint8_t>(id);
    cache.arrive(reply);
  };
  for (unsigned asked = 0; asked < 3; ++asked) {
    for (unsigned id = asked; id < 5; ++id) EXPECT_THROW(arrive(id), ModelError) << asked << ' ' << id;
    EXPECT_EQ(cache.take_read().row, asked);
  }
  for (const unsigned id : {2u, 0u, 1u}) {
    arrive(id);
    EXPECT_THROW(arrive(id), ModelError) << id;
  }
}

}  // namespace
}  // namespace g80

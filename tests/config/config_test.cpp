// What a configuration must hold, and what each mistake in one is told as.
#include "hw/config/config.h"

#include <gtest/gtest.h>

namespace g80 {
namespace {
TEST(Presets, AllLoad) {
  for (const std::string& name : preset_names()) {
    load_config(name);
  }
}
}  // namespace
}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// What names a kernel in a manifest.
#include <gtest/gtest.h>

#include "tb/scenario/run_scenario.h"
#include "toolchain/assembler/assembler.h"

namespace g80 {
namespace {

TEST(KernelHash, NamesTheCodeAndNotTheFileItCameFrom) {
  const std::string text = ".arch sm_10\n.kernel k\n  mov b32 $r1 0x1\n  exit nop\n";
  const std::string hash = kernel_hash(assemble(text, "a/k.sasm"));
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(kernel_hash(assemble(text, "/elsewhere/k.sasm")), hash);
  EXPECT_EQ(kernel_hash(assemble("// a line more\n" + text, "k.sasm")), hash);
  EXPECT_NE(kernel_hash(assemble(".arch sm_10\n.kernel k\n  mov b32 $r1 0x2\n  exit nop\n", "a/k.sasm")), hash);
}

}  // namespace
}  // namespace g80

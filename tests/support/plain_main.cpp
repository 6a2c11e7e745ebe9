// SPDX-License-Identifier: Apache-2.0
// main() of every test program without SystemC.
#include <gmock/gmock.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}

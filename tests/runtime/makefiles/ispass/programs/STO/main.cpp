// SPDX-License-Identifier: Apache-2.0
// Compiled by g++, with the SDK's headers after the toolkit's.
#include <bank_checker.h>
#include <cutil_inline.h>

extern "C" unsigned sum_of_squares();

int main() {
  BankChecker checker;
  cutilSafeCall(cudaThreadSynchronize());
  printf("%u squares, %u accesses\n", sum_of_squares(), checker.accesses());
}

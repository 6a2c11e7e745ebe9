// SPDX-License-Identifier: Apache-2.0
#include <bank_checker.h>

BankChecker checker;

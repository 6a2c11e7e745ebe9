// SPDX-License-Identifier: Apache-2.0
#ifndef _BANK_CHECKER_H_
#define _BANK_CHECKER_H_
class BankChecker {
 public:
  BankChecker() : accesses_(0) {}
  void access() { ++accesses_; }
  unsigned accesses() const { return accesses_; }

 private:
  unsigned accesses_;
};
#endif

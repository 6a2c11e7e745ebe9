// SPDX-License-Identifier: Apache-2.0
// The rules of GDDR3 as the chips know them: from the history of commands alone. The controller decides from the first
// edge at which each command is legal (dram_timing.h), so the two find each other's mistakes.
#pragma once
#include <array>
#include <cstdint>

#include "hw/bundles/dram_pins.h"
#include "hw/common/fields.h"
#include "hw/common/limits.h"
#include "hw/common/types.h"
#include "hw/config/config.h"

namespace g80 {

class DramRules {
 public:
  /// Clocks since a command: a counter that stops behind the longest rule, which also stands for never.
  using Age = std::int16_t;  // the host compares many at once
  static constexpr unsigned kAgeBits = 11;
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;  // the open row
    G80_FIELDS(open, (row, kDramRowBits));
  };

  explicit DramRules(const Config& config);

  /// The command at this edge. Returns the rule that it breaks, or null.
  const char* broken_by(const DramCommand& command, Cycle edge);
  /// The last edge at which REF may come: behind it the cells have lost what they held. kNever before the first
  /// command: a chip that nobody has talked to holds nothing.
  Cycle refresh_by() const;
  const Bank& bank(unsigned number) const { return banks_[number]; }
  void clear();
  /// Hardware counts at each clock; the model, before each command and for who looks.
  void count_to(Cycle edge);
  /// False if all ages have stopped at this edge.
  bool counts(Cycle edge) const { return edge < counted_ + static_cast<Cycle>(long_ago_); }

  template <class S, class V>
  static void visit(S& s, V& v) {
    v("bank", s.banks_);
    v("activate", s.ages_[kActivate], kAgeBits);
    v("precharge", s.ages_[kPrecharge], kAgeBits);
    v("read", s.ages_[kRead], kAgeBits);
    v("write", s.ages_[kWrite], kAgeBits);
    v("last", s.ages_[kLast], kAgeBits);
    v("wrote", s.wrote_);
    v("begun", s.begun_);
    v.stored("unrefreshed", s.unrefreshed_, kRefreshBits);  // it never stands still
    v.unseen("counted", s.counted_);
  }

 private:
  static constexpr unsigned kRefreshBits = 24;  // nine times the largest tREFI
  /// Of each bank since a command of this kind; and of any bank, the elements named below.
  enum Row { kActivate, kPrecharge, kRead, kWrite, kLast, kRows };
  enum { kColumn = 4, kWriteData, kRefresh };  // behind the last four ACTs, the last one first: RD or WR, WR, REF
  static_assert(kRefresh < kMaxDramBanks);

  unsigned since(Row row, unsigned element) const { return static_cast<unsigned>(ages_[row][element]); }
  const char* activate(unsigned number, std::uint32_t row);
  const char* precharge(unsigned number);
  const char* move_data(unsigned number, bool write);
  const char* refresh();

  const decltype(Config::dram) dram_;
  const Age long_ago_;  // no rule between two commands but tREFI lasts longer
  std::array<Bank, kMaxDramBanks> banks_{};
  std::array<std::array<Age, kMaxDramBanks>, kRows> ages_;
  bool wrote_ = false;             // the last RD or WR was a WR
  bool begun_ = false;             // a command has come
  std::uint32_t unrefreshed_ = 0;  // clocks since the last REF, or since the first command
  Cycle counted_ = 0;              // the edge up to which all have counted
};

}  // namespace g80

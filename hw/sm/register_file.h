// SPDX-License-Identifier: Apache-2.0
// The register file of an SM: $r in single-ported banks, $c and $a beside them.
//
// Each bank has one port of 16 lanes a shader cycle: in a scheduler cycle it writes what writeback has for it, or reads
// one register of a warp, a half-warp in each shader cycle, or does nothing. The launcher's words for $r0 of a new warp
// wait in a queue for a cycle in which their bank has nothing else to do; the warp's first instruction is fetched
// meanwhile. One entry of the queue is written in a cycle. When the oldest has waited for kNumbersPatience cycles, no
// bank is read until it is written: it takes the next slot in which writeback does not write its bank, which comes
// after kMostWritesInARow slots at most (writeback.h).
// The way from the banks to the collector units has kOperandPorts ports, as many as a MAD has sources. A port passes
// eight lanes a shader cycle, so a register takes it for two scheduler cycles. SPs and SFUs share the ports.
// Beside the banks there are kFlagWrites write ports of $c, a write port of $a for results and one for the address
// unit's increments, a read port of each, and the launcher's.
// The file takes an instruction from the issue wire in the same cycle as operand_collector; what it has read is on the
// wires to the collector a scheduler cycle later.
//
// A row, and a $c or $a of a warp, has a bit that says whether it was written since the warp started. A read of a row
// that was not gives the words of sm.init, of a $c or $a 0; the first write fills with them what it leaves out.
//
// A write is on its port in its cycle; lanes that leave their execution unit in it come from the unit's result wire:
// they belong to the upper half-warp, whose turn is in the second shader cycle. Then the cells change.
//
// From:  instruction_buffer (issue), operand_collector (its next unit), writeback, address_unit, cta_launcher,
// execution units
// To:    operand_collector
#pragma once
#include <array>
#include <vector>

#include "hw/bundles/exec_bundles.h"
#include "hw/bundles/register_bundles.h"
#include "hw/common/clocked.h"
#include "hw/common/limits.h"
#include "hw/common/wire.h"
#include "hw/config/config.h"
#include "hw/config/initial_word.h"

namespace g80 {

inline constexpr unsigned kNumAddressRegisters = 5;  // $a0 (constant 0) to $a4
inline constexpr unsigned kOperandPorts = 3;         // registers on their way to the collector units at once
inline constexpr unsigned kMaxThreadNumbers = 4;     // entries of numbers of threads that can wait for their bank
inline constexpr unsigned kNumbersPatience = 63;     // cycles

struct RegisterFileRegs {
  std::uint32_t reading = 0;     // collector units with register reads to do
  std::uint32_t read_banks = 0;  // whose ports bring a register
  bool numbers_room = true;      // room for numbers of threads
  bool writes_numbers = false;   // the slot of a bank is theirs
  std::uint8_t numbers_age = 0;  // cycles that they wait since the last one had a slot, kNumbersPatience or more
  G80_FIELDS((reading, 16), read_banks, numbers_room, writes_numbers, (numbers_age, 6));
};

class RegisterFile : public Clocked<RegisterFileRegs> {
 public:
  RegisterFile(const sc_core::sc_module_name& name, const Config& config);

  In<Issue> issue_i{"issue_i"};
  In<std::uint8_t> unit_i{"unit_i"};  // of the collector, which takes the issued instruction
  In<RegisterStart> start_i{"start_i"};
  In<ThreadNumbers> numbers_i{"numbers_i"};
  In<std::uint32_t> busy_banks_i{"busy_banks_i"};       // banks that are written in the next cycle
  In<std::uint8_t> written_ports_i{"written_ports_i"};  // ports that write (bit = WritePort)
  Ports<In<RegisterWrite>> write_i;                     // each writes another bank
  Ports<In<FlagWrite>> flag_write_i;
  In<AddrWrite> addr_write_i{"addr_write_i"};
  In<AddrIncrement> increment_i{"increment_i"};
  Ports<In<ExecResult>> result_i;  // of each ExecUnit
  Out<std::uint32_t> reading_o{"reading_o"};
  Out<std::uint32_t> read_banks_o{"read_banks_o"};
  Ports<Out<RegisterRead>> read_o;  // of each bank
  Out<SideRead> side_o{"side_o"};
  Out<bool> numbers_room_o{"numbers_room_o"};

  struct Counters {
    std::uint64_t bank_conflicts = 0;  // register reads that waited for their bank
    G80_FIELDS(bank_conflicts);
  };
  const Counters& counters() const { return counters_; }

  unsigned bank(unsigned warp, unsigned reg) const { return register_bank(warp, reg, num_banks_); }

  /// What a warp's registers hold. Virtual, because an RTL twin keeps them in its own memories.
  virtual LaneWords read(unsigned warp, unsigned reg) const {
    LaneWords words;
    read_row(warp, reg, words);
    return words;
  }
  virtual LaneFlags flags(unsigned warp, unsigned index) const {
    return (flags_written_[warp] >> index & 1) != 0 ? flags_[warp][index] : LaneFlags{};
  }
  virtual LaneWords addr(unsigned warp, unsigned index) const { return addr_row(warp, index); }
  virtual unsigned registers(unsigned warp) const { return warps_[warp].registers; }

 protected:
  struct Warp {
    std::uint16_t base = 0;
    std::uint8_t registers = 0;
    G80_FIELDS((base, 10), registers);
  };
  /// One register read to do: its half, if the operand has 16 bits, and its bank.
  static constexpr std::uint8_t kWhole = 3;  // both halves: -1 in two bits
  struct Read {
    std::uint8_t reg = 0;
    std::uint8_t half = kWhole;
    std::uint8_t bank = 0;
    G80_FIELDS(reg, (half, 2), (bank, 5));
  };
  /// The reads of the instruction in a collector unit, one for each word of its operands.
  struct Reader {
    std::uint8_t warp = 0;
    std::uint16_t waiting = 0;  // words whose reads are not granted
    std::array<Read, kOperandWords> read;
    G80_FIELDS((warp, 5), (waiting, kOperandWords), read);
  };
  /// Numbers of threads that wait for their bank, without what the warp has written to its $r0 since.
  struct WaitingNumbers {
    std::uint8_t warp = 0;
    LaneMask low = 0, high = 0;  // lanes of each half of the words
    LaneWords value{};
    G80_FIELDS((warp, 5), low, high, value);
  };
  void next() override;
  void drive() override;
  void reset() override;
  /// A register that is not allocated reads 0.
  void read_row(unsigned warp, unsigned reg, LaneWords& to) const {
    const unsigned row = warps_[warp].base + reg;
    if (reg >= warps_[warp].registers || row >= rows_.size()) {
      to = {};
    } else if (row_written_[row] != 0) {
      to = rows_[row];
    } else {
      fill_row(row, to);
    }
  }
  /// $a0 reads 0, and so do the numbers that name no register: a write to them is dropped.
  const LaneWords& addr_row(unsigned warp, unsigned index) const {
    return (addrs_written_[warp] >> index & 1) != 0 ? addrs_[warp][index] : zero_;
  }
  void fill_row(unsigned row, LaneWords& words) const;
  LaneWords& row_to_write(unsigned row);
  LaneFlags& flags_to_write(unsigned warp, unsigned index);
  LaneWords& addr_to_write(unsigned warp, unsigned index);
  void accept(const Issue& issue);
  void add_reads(Reader& reader, const DecodedInstruction& decoded, const isa::Operand& operand, unsigned slot) const;
  void add_read(Reader& reader, unsigned reg, unsigned to, unsigned half = kWhole) const;
  void read_banks(std::uint32_t& busy);
  void grant_numbers(std::uint32_t busy);
  void write_numbers();
  WarpMask warps_without_numbers() const;
  void start(const RegisterStart& start);
  void write(const RegisterWrite& write);
  const ExecResult& late_lanes(const LateLanes& late) const;
  void add_late_lanes(const LateLanes& late, LaneWords& value) const;
  void visit_members(FieldVisitor& visitor) const override { cells(*this, visitor); }
  void visit_members(FieldEditor& editor) override { cells(*this, editor); }
  template <class S, class V>
  static void cells(S& s, V& v) {
    v("reader", s.readers_);
    v.stored("read", s.reads_);
    v.stored("side", s.side_);
    v.stored("numbers", s.numbers_);
    v.index("num_numbers", s.num_numbers_, kMaxThreadNumbers + 1);
    v.index("order", s.order_, kMaxCollectorUnits);
    v.index("ordered", s.num_ordered_, kMaxCollectorUnits + 1);
    v.stored("written_numbers", s.written_numbers_);
    v.stored("warp", s.warps_);
    v.stored("row", s.rows_);
    v.stored("row_written", s.row_written_, 1);
    v.stored("flags", s.flags_, 4);
    v.stored("flags_written", s.flags_written_, 4);
    v.stored("addr", s.addrs_, 16);
    v.stored("addrs_written", s.addrs_written_, kNumAddressRegisters);
    if constexpr (std::is_same_v<V, FieldEditor>) {
      for (unsigned i = 0; v.fills() && i < s.rows_.size(); ++i) {
        if (s.row_written_[i] == 0) v.fill(s.rows_[i]);
      }
      for (unsigned w = 0; v.fills() && w < kMaxWarps; ++w) {
        if (s.flags_written_[w] == 0) v.fill(s.flags_[w], 4);
        if (s.addrs_written_[w] == 0) v.fill(s.addrs_[w], 16);
      }
    }
  }

  const unsigned num_banks_;
  const InitialWords initial_;
  std::vector<LaneWords> rows_;
  std::vector<std::uint8_t> row_written_;  // since its warp started: 0 or 1
  std::array<Warp, kMaxWarps> warps_{};
  std::array<std::array<LaneFlags, 4>, kMaxWarps> flags_{};
  std::array<std::array<LaneWords, kNumAddressRegisters>, kMaxWarps> addrs_{};
  std::array<std::uint8_t, kMaxWarps> flags_written_{}, addrs_written_{};  // bit n: $cn, $an
  const LaneWords zero_{};
  std::array<Reader, kMaxCollectorUnits> readers_{};
  std::array<std::uint8_t, kMaxCollectorUnits> order_{};  // units with reads to do, oldest first
  unsigned num_ordered_ = 0;
  // What the ports show. One that is not in use keeps its last contents.
  std::array<RegisterRead, kMaxRegisterBanks> reads_{};
  SideRead side_;
  std::array<WaitingNumbers, kMaxThreadNumbers> numbers_{};  // oldest first
  unsigned num_numbers_ = 0;
  WaitingNumbers written_numbers_;  // those that have a slot
  Counters counters_;
};

}  // namespace g80

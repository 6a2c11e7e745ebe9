// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/trace_file.h"

#include <gtkwave/fstapi.h>
#include <verilated_vcd_c.h>

#include <algorithm>
#include <bitset>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <sstream>
#include <utility>

#include "hw/common/set_bits.h"
#include "hw/common/version.h"
#include "tb/waves/fst_blocks.h"

namespace g80 {

namespace {

static_assert(kStructMark == static_cast<char>(0x80 + VLT_TRACE_SCOPE_STRUCT), "Verilator's mark of a struct");

unsigned num_words(unsigned width) { return width > 32 ? 2 : 1; }

std::string binary(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + (value & 1)));
    value >>= 1;
  } while (value != 0);
  return digits;
}

// The FST writer puts its own version and the date of the run into the header, and it does not know the blocks behind
// its own. This replaces them, so that a wave file depends on its inputs only. The header has block type 0, a length of
// 8 bytes and 65 bytes of counts and times, then 128 bytes of version and 119 of date.
void complete_header(const std::string& path, const FstBlocks& blocks) {
  constexpr std::size_t kVersionBytes = 128, kDateBytes = 119;
  constexpr long kEndOffset = 17, kBlocksOffset = 65, kVersionOffset = 74, kDateOffset = kVersionOffset + kVersionBytes;
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  if (file == nullptr) throw WaveError("cannot reopen " + path);
  const auto put_word = [&](long offset, std::uint64_t word) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(word >> (56 - 8 * i));
    return std::fseek(file, offset, SEEK_SET) == 0 && std::fwrite(bytes, 1, 8, file) == 8;
  };
  char version[9] = {}, made_by[kVersionBytes] = {};
  std::snprintf(made_by, sizeof made_by, "g80 %s", kVersion);
  char date[kDateBytes] = "Wed Nov  8 00:00:00 2006\n";  // the day the 8800 GTX was announced
  const bool known =
      std::fseek(file, kVersionOffset, SEEK_SET) == 0 && std::fread(version, 1, 8, file) == 8 &&
      std::string(version) == "fstWrite" && std::fseek(file, kVersionOffset, SEEK_SET) == 0 &&
      std::fwrite(made_by, 1, kVersionBytes, file) == kVersionBytes && std::fseek(file, kDateOffset, SEEK_SET) == 0 &&
      std::fwrite(date, 1, kDateBytes, file) == kDateBytes &&
      (blocks.count() == 0 || (put_word(kEndOffset, blocks.time()) && put_word(kBlocksOffset, blocks.count() + 1)));
  if (std::fclose(file) != 0 || !known) throw WaveError("the header of " + path + " could not be completed");
}

// Verilator's VCD writer retries a failed write forever. This file reports success instead and keeps the error.
class ErrorKeepingFile final : public VerilatedVcdFile {
 public:
  bool open(const std::string& name) override {
    const std::string made_by = std::string("$comment made by g80 ") + kVersion + " $end\n";
    return VerilatedVcdFile::open(name) && write(made_by.data(), static_cast<ssize_t>(made_by.size())) >= 0;
  }
  ssize_t write(const char* bytes, ssize_t count) override {
    if (!failure_.empty()) return count;
    errno = 0;
    const ssize_t written = VerilatedVcdFile::write(bytes, count);
    if (written >= 0 || errno == EAGAIN || errno == EINTR) return written;
    failure_ = std::strerror(errno);
    return count;
  }
  const std::string& failure() const { return failure_; }

 private:
  std::string failure_;
};

// The FST writer maps its files into memory, where a full disk ends the program with SIGBUS. So free space is checked.
constexpr std::uint64_t kSpareBytes = 16u << 20;

bool is_almost_full(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  return !error && space.available < kSpareBytes;
}

/// Numbers of signals: cheap to fill, and to empty in ascending order.
class NumberSet {
 public:
  void resize(std::size_t count) {
    words_.assign((count + 63) / 64, 0);
    summary_.assign((words_.size() + 63) / 64, 0);
  }
  void set(std::uint32_t i) {
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
    summary_[i / 4096] |= std::uint64_t{1} << (i / 64 % 64);
  }
  template <class Visit>
  void drain(Visit visit) {
    for (std::uint32_t s = 0; s < summary_.size(); ++s) {
      for (const unsigned used : set_bits(std::exchange(summary_[s], 0))) {
        const std::uint32_t w = s * 64 + used;
        for (const unsigned bit : set_bits(std::exchange(words_[w], 0))) visit(w * 64 + bit);
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_, summary_;
};

class VcdFile final : public TraceFile {
 public:
  VcdFile() : file_(&bytes_) {
    file_.spTrace()->addInitCb(&VcdFile::declare_all, this);
    file_.spTrace()->addFullCb(static_cast<VerilatedVcd::dumpCb_t>(&VcdFile::write_all), this);
    file_.spTrace()->addChgCb(static_cast<VerilatedVcd::dumpCb_t>(&VcdFile::write_changes), this);
  }
  ~VcdFile() override {
    if (file_.isOpen()) file_.close();
  }

  void open(const std::string& path, SignalTable& table) override {
    table_ = &table;
    file_.set_time_unit("1ps");
    file_.set_time_resolution("1ps");
    file_.open(path.c_str());
    if (!file_.isOpen()) throw WaveError("cannot write the wave file " + path);
  }
  void dump(Picoseconds time) override {
    if (!failure().empty()) return table_->log().clear();
    file_.dump(std::uint64_t{time});
  }
  void close() override {
    if (file_.isOpen()) file_.close();
  }
  std::string failure() const override { return bytes_.failure(); }

 private:
  using Buffer = VerilatedVcd::Buffer;

  static void declare_all(void* user, VerilatedVcd* trace, std::uint32_t code) {
    auto& self = *static_cast<VcdFile*>(user);
    const SignalTable& table = *self.table_;
    self.codes_.clear();
    self.changed_.resize(table.size());
    self.base_ = code;
    std::uint32_t next = 0;
    trace->scopeEscape(' ');
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      const SignalTable::Declaration& signal = table.declaration(i);
      trace->pushNamePrefix(signal.scope + ' ');
      declare(*trace, code + next, signal, table.width(i));
      trace->popNamePrefix();
      self.codes_.push_back(next);
      next += num_words(table.width(i));
    }
    trace->scopeEscape('.');
  }
  static void declare(VerilatedVcd& trace, std::uint32_t code, const SignalTable::Declaration& signal, unsigned width) {
    const bool array = signal.index >= 0;
    const int msb = static_cast<int>(width) - 1;
    if (width == 1) {
      trace.declBit(code, signal.name.c_str(), array, signal.index);
    } else if (width <= 32) {
      trace.declBus(code, signal.name.c_str(), array, signal.index, msb, 0);
    } else {
      trace.declQuad(code, signal.name.c_str(), array, signal.index, msb, 0);
    }
  }
  static void write_all(void* user, Buffer* buffer) {
    auto& self = *static_cast<VcdFile*>(user);
    SignalTable& table = *self.table_;
    table.log().clear();
    std::uint32_t* base = buffer->oldp(self.base_);
    for (std::uint32_t i = 0; i < table.size(); ++i) {
      const unsigned width = table.width(i);
      const std::uint64_t value = table.value(i);
      std::uint32_t* old = base + self.codes_[i];
      if (width == 1) {
        buffer->fullBit(old, static_cast<CData>(value));
      } else if (width <= 8) {
        buffer->fullCData(old, static_cast<CData>(value), static_cast<int>(width));
      } else if (width <= 16) {
        buffer->fullSData(old, static_cast<SData>(value), static_cast<int>(width));
      } else if (width <= 32) {
        buffer->fullIData(old, static_cast<IData>(value), static_cast<int>(width));
      } else {
        buffer->fullQData(old, value, static_cast<int>(width));
      }
    }
  }
  static void write_changes(void* user, Buffer* buffer) {
    auto& self = *static_cast<VcdFile*>(user);
    SignalTable& table = *self.table_;
    std::uint32_t* base = buffer->oldp(self.base_);
    for (const LeafChange& change : table.log()) self.changed_.set(change.leaf);
    table.log().clear();
    self.changed_.drain([&](std::uint32_t i) {
      const unsigned width = table.width(i);
      const std::uint64_t value = table.value(i);
      std::uint32_t* old = base + self.codes_[i];
      // chg, not full: at coincident edges a field may change and change back.
      if (width == 1) {
        buffer->chgBit(old, static_cast<CData>(value));
      } else if (width <= 8) {
        buffer->chgCData(old, static_cast<CData>(value), static_cast<int>(width));
      } else if (width <= 16) {
        buffer->chgSData(old, static_cast<SData>(value), static_cast<int>(width));
      } else if (width <= 32) {
        buffer->chgIData(old, static_cast<IData>(value), static_cast<int>(width));
      } else {
        buffer->chgQData(old, value, static_cast<int>(width));
      }
    });
  }
  ErrorKeepingFile bytes_;
  VerilatedVcdC file_;
  SignalTable* table_ = nullptr;
  std::uint32_t base_ = 0;
  std::vector<std::uint32_t> codes_;  // word offset of each signal from base_
  NumberSet changed_;
};

/// GTKWave's library makes the file, with the names of the signals and their first values. Changes are collected here
/// and encoded by another thread.
class FstFile final : public TraceFile {
 public:
  ~FstFile() override {
    if (beginning_ != nullptr) fstWriterClose(beginning_);
  }
  void open(const std::string& path, SignalTable& table) override {
    path_ = path;
    table_ = &table;
    check_free_space();
    if (!failure_.empty()) throw WaveError("cannot write the wave file " + path + ": " + failure_);
    beginning_ = fstWriterCreate(path.c_str(), 1);
    if (beginning_ == nullptr) throw WaveError("cannot write the wave file " + path);
    fstWriterSetPackType(beginning_, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(beginning_, "1ps");
    declare_enums();
    for (std::uint32_t i = 0; i < table.size(); ++i) declare(table.declaration(i), table.width(i));
    enter("");
  }
  void dump(Picoseconds time) override {
    if (++dumps_ % kDumpsPerCheck == 0) check_free_space();
    if (!failure().empty()) return table_->log().clear();
    if (beginning_ != nullptr) return begin(time);
    steps_.push_back({time, table_->log().size()});
    const std::size_t changes = table_->log().size();
    if (changes >= kMostChanges || (changes >= kEnoughChanges && !is_encoding())) encode();
  }
  void close() override {
    if (beginning_ != nullptr) fstWriterClose(std::exchange(beginning_, nullptr));
    if (!blocks_.is_open()) return;
    encode();
    wait();
    blocks_.close();
    if (failure_.empty()) failure_ = blocks_.failure();
    if (failure_.empty()) complete_header(path_, blocks_);
  }
  std::string failure() const override { return failure_; }

 private:
  static constexpr unsigned kDumpsPerCheck = 1024;
  // A batch is encoded when the one before it is, and waits for that when it has the most.
  static constexpr std::size_t kEnoughChanges = 1 << 16, kMostChanges = 1 << 21;
  struct Step {
    Picoseconds time;
    std::size_t end;  // of its changes
  };
  struct Batch {
    std::vector<Step> steps;
    std::vector<LeafChange> changes;
  };
  static constexpr std::size_t kSoon = 16, kSooner = 6;  // changes ahead

  // All enumerations first: viewers refuse files whose enumerations are not numbered in order.
  void declare_enums() {
    for (const SignalTable::EnumUse& use : table_->enums()) {
      std::vector<std::string> values;
      std::vector<const char*> names, literals;
      for (unsigned v = 0; v < use.text->count; ++v) values.push_back(binary(v));
      for (unsigned v = 0; v < use.text->count; ++v) {
        names.push_back(use.text->names[v]);
        literals.push_back(values[v].c_str());
      }
      enums_.push_back(fstWriterCreateEnumTable(beginning_, use.text->type, use.text->count, use.width, names.data(),
                                                literals.data()));
    }
  }
  void declare(const SignalTable::Declaration& signal, unsigned width) {
    enter(signal.scope);
    std::string name = signal.name;
    if (signal.index >= 0) name += '[' + std::to_string(signal.index) + ']';
    if (width > 1) name += " [" + std::to_string(width - 1) + ":0]";
    if (signal.enum_id != 0) fstWriterEmitEnumTableRef(beginning_, enums_[signal.enum_id - 1]);
    fstWriterCreateVar(beginning_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, name.c_str(), 0);
  }
  /// Leaves the present scope for another one.
  void enter(const std::string& scope) {
    if (scope == scope_) return;
    const auto ends = [](const std::string& text, std::size_t at) { return at == text.size() || text[at] == ' '; };
    std::size_t common = 0;  // characters of scopes that stay open
    for (std::size_t i = 0; i <= std::min(scope.size(), scope_.size()); ++i) {
      if (ends(scope, i) && ends(scope_, i)) common = i;
      if (i == scope.size() || i == scope_.size() || scope[i] != scope_[i]) break;
    }
    if (!scope_.empty() && common != scope_.size()) {
      const auto left =
          std::count(scope_.begin() + static_cast<std::ptrdiff_t>(common == 0 ? 0 : common + 1), scope_.end(), ' ');
      for (std::ptrdiff_t i = 0; i <= left; ++i) fstWriterSetUpscope(beginning_);
    }
    std::istringstream entered(scope.substr(common));
    for (std::string name; entered >> name;) {
      const bool is_struct = name.back() == kStructMark;
      if (is_struct) name.pop_back();
      fstWriterSetScope(beginning_, is_struct ? FST_ST_VCD_STRUCT : FST_ST_VCD_SCOPE, name.c_str(), nullptr);
    }
    scope_ = scope;
  }
  void begin(Picoseconds time) {
    std::vector<std::uint8_t> widths;
    std::vector<std::uint64_t> values;
    fstWriterEmitTimeChange(beginning_, time);
    for (std::uint32_t i = 0; i < table_->size(); ++i) {
      const unsigned width = table_->width(i);
      const std::uint64_t value = table_->value(i);
      widths.push_back(static_cast<std::uint8_t>(width));
      values.push_back(value);
      const std::string bits = std::bitset<64>(value).to_string();
      fstWriterEmitValueChange(beginning_, i + 1, bits.data() + (64 - width));
    }
    fstWriterClose(std::exchange(beginning_, nullptr));
    table_->log().clear();
    blocks_.open(path_, widths, values, time);
    failure_ = blocks_.failure();
  }
  void encode() {
    wait();
    encoding_.steps.swap(steps_);
    encoding_.changes.swap(table_->log());
    steps_.clear();
    table_->log().clear();
    // In this thread, when it waits, if there is no other to be had
    done_ = std::async(std::launch::async | std::launch::deferred, [this] { append_changes(); });
  }
  void append_changes() {
    const std::vector<LeafChange>& changes = encoding_.changes;
    std::size_t i = 0;
    for (const Step& step : encoding_.steps) {
      blocks_.advance(step.time);
      for (; i < step.end; ++i) {
        if (i + kSoon < changes.size()) blocks_.expect(changes[i + kSoon].leaf, changes[i + kSooner].leaf);
        blocks_.change(changes[i].leaf, changes[i].value);
      }
    }
  }
  bool is_encoding() const {
    return done_.valid() && done_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
  }
  void wait() {
    if (!done_.valid()) return;
    done_.get();
    if (failure_.empty()) failure_ = blocks_.failure();
  }
  void check_free_space() {
    if (is_almost_full(path_)) failure_ = "the disk has less than 16 MiB of free space";
  }

  void* beginning_ = nullptr;  // of the library; null: nothing is open, or the file has its beginning
  std::vector<fstEnumHandle> enums_;
  std::string scope_;  // the present one while signals are declared
  FstBlocks blocks_;
  std::string path_, failure_;
  unsigned dumps_ = 0;
  SignalTable* table_ = nullptr;
  std::vector<Step> steps_;  // of the changes in the table's log
  Batch encoding_;
  std::future<void> done_;  // encoding_ is in blocks_
};

bool ends_with(const std::string& text, const char* suffix) {
  const std::string end = suffix;
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::unique_ptr<TraceFile> TraceFile::create(const std::string& file) {
  Verilated::traceEverOn(true);
  if (ends_with(file, ".vcd")) return std::make_unique<VcdFile>();
  if (ends_with(file, ".fst")) return std::make_unique<FstFile>();
  throw WaveError("the wave file " + file + " must end in .vcd or .fst");
}

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
#include "tb/waves/trace_file.h"

#include <verilated_fst_c.h>
#include <verilated_vcd_c.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <system_error>
#include <type_traits>

#include "hw/common/version.h"
#include "tb/waves/fst_blocks.h"

#if VERILATOR_VERSION_INTEGER < 5006000 || VERILATOR_VERSION_INTEGER >= 5007000
#error "trace_file.cpp uses internals of the trace writers of Verilator 5.006: review it before another release is used"
#endif

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

void declare_enums(VerilatedVcd&, const SignalTable&) {}
// Declares all enumerations first: viewers refuse files whose enumerations are not numbered in order.
void declare_enums(VerilatedFst& trace, const SignalTable& table) {
  int id = 0;
  for (const SignalTable::EnumUse& use : table.enums()) {
    std::vector<std::string> values;
    std::vector<const char*> names, literals;
    for (unsigned v = 0; v < use.text->count; ++v) values.push_back(binary(v));
    for (unsigned v = 0; v < use.text->count; ++v) {
      names.push_back(use.text->names[v]);
      literals.push_back(values[v].c_str());
    }
    trace.declDTypeEnum(++id, use.text->type, use.text->count, use.width, names.data(), literals.data());
  }
}

void declare(VerilatedVcd& trace, std::uint32_t code, const SignalTable::Declaration& signal, unsigned width) {
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
void declare(VerilatedFst& trace, std::uint32_t code, const SignalTable::Declaration& signal, unsigned width) {
  const bool array = signal.index >= 0;
  const int msb = static_cast<int>(width) - 1;
  const int dtype = signal.enum_id == 0 ? -1 : static_cast<int>(signal.enum_id);
  const char* name = signal.name.c_str();
  if (width == 1) {
    trace.declBit(code, name, dtype, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, array, signal.index);
  } else if (width <= 32) {
    trace.declBus(code, name, dtype, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, array, signal.index, msb, 0);
  } else {
    trace.declQuad(code, name, dtype, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, array, signal.index, msb, 0);
  }
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

template <class File>
File make_file([[maybe_unused]] ErrorKeepingFile& bytes) {
  if constexpr (std::is_same_v<File, VerilatedVcdC>) {
    return File(&bytes);
  } else {
    return File();
  }
}

template <class File, class Trace>
class TraceFileOf final : public TraceFile {
 public:
  TraceFileOf() : file_(make_file<File>(bytes_)) {
    file_.spTrace()->addInitCb(&TraceFileOf::declare_all, this);
    file_.spTrace()->addFullCb(static_cast<typename Trace::dumpCb_t>(&TraceFileOf::write_all), this);
    file_.spTrace()->addChgCb(static_cast<typename Trace::dumpCb_t>(&TraceFileOf::write_changes), this);
  }
  ~TraceFileOf() override {
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
    if (failure().empty()) file_.dump(std::uint64_t{time});
  }
  void close() override {
    if (file_.isOpen()) file_.close();
  }
  std::string failure() const override { return bytes_.failure(); }

 private:
  using Buffer = typename Trace::Buffer;

  static void declare_all(void* user, Trace* trace, std::uint32_t code) {
    auto& self = *static_cast<TraceFileOf*>(user);
    const SignalTable& table = *self.table_;
    self.codes_.clear();
    self.base_ = code;
    std::uint32_t next = 0;
    declare_enums(*trace, table);
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
  static void write_all(void* user, Buffer* buffer) {
    auto& self = *static_cast<TraceFileOf*>(user);
    SignalTable& table = *self.table_;
    table.dirty().clear();
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
    auto& self = *static_cast<TraceFileOf*>(user);
    SignalTable& table = *self.table_;
    std::uint32_t* base = buffer->oldp(self.base_);
    table.dirty().drain([&](std::uint32_t i) {
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
  ErrorKeepingFile bytes_;  // of a VCD
  File file_;
  SignalTable* table_ = nullptr;
  std::uint32_t base_ = 0;
  std::vector<std::uint32_t> codes_;  // word offset of each signal from base_
};

// Verilator's writer makes the file, with the names of the signals and their first values. Changes are collected here
// and encoded by another thread.
class FstFile final : public TraceFile {
 public:
  void open(const std::string& path, SignalTable& table) override {
    path_ = path;
    table_ = &table;
    look_at_disk();
    if (!failure_.empty()) throw WaveError("cannot write the wave file " + path + ": " + failure_);
    beginning_.open(path, table);
  }
  void dump(Picoseconds time) override {
    if (++dumps_ % kDumpsPerLook == 0) look_at_disk();
    if (!failure().empty()) return;
    if (!blocks_.is_open()) {
      beginning_.dump(time);
      beginning_.close();
      std::vector<std::uint8_t> widths;
      std::vector<std::uint64_t> values;
      for (std::uint32_t i = 0; i < table_->size(); ++i) {
        widths.push_back(static_cast<std::uint8_t>(table_->width(i)));
        values.push_back(table_->value(i));
      }
      blocks_.open(path_, widths, values, time);
      failure_ = blocks_.failure();
      return;
    }
    changes_.push_back({time, kStep});
    table_->dirty().drain([this](std::uint32_t i) { changes_.push_back({table_->value(i), i}); });
    if (changes_.size() >= kMostChanges) encode();
  }
  void close() override {
    beginning_.close();
    if (!blocks_.is_open()) return;
    encode();
    wait();
    blocks_.close();
    if (failure_.empty()) failure_ = blocks_.failure();
    if (failure_.empty()) complete_header(path_, blocks_);
  }
  std::string failure() const override { return failure_; }

 private:
  static constexpr unsigned kDumpsPerLook = 1024;
  static constexpr std::size_t kMostChanges = 1 << 16;
  static constexpr std::uint32_t kStep = ~0u;
  struct Change {
    std::uint64_t value;  // of a step: the time
    std::uint32_t signal;
    std::uint32_t place() const { return signal == kStep ? 0 : signal; }
  };
  static constexpr std::size_t kSoon = 16, kSooner = 6;  // changes ahead

  void encode() {
    wait();
    encoding_.swap(changes_);
    changes_.clear();
    try {
      done_ = std::async(std::launch::async, [this] { append_changes(); });
    } catch (const std::system_error&) {  // there is no thread to be had
      append_changes();
    }
  }
  void append_changes() {
    const std::size_t count = encoding_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Change& change = encoding_[i];
      if (i + kSoon < count) blocks_.expect(encoding_[i + kSoon].place(), encoding_[i + kSooner].place());
      if (change.signal == kStep) {
        blocks_.advance(change.value);
      } else {
        blocks_.change(change.signal, change.value);
      }
    }
  }
  void wait() {
    if (!done_.valid()) return;
    done_.get();
    if (failure_.empty()) failure_ = blocks_.failure();
  }
  void look_at_disk() {
    if (is_almost_full(path_)) failure_ = "the disk has less than 16 MiB of free space";
  }

  TraceFileOf<VerilatedFstC, VerilatedFst> beginning_;
  FstBlocks blocks_;
  std::string path_, failure_;
  unsigned dumps_ = 0;
  SignalTable* table_ = nullptr;
  std::vector<Change> changes_, encoding_;
  std::future<void> done_;  // encoding_ is in blocks_
};

bool ends_with(const std::string& text, const char* suffix) {
  const std::string end = suffix;
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::unique_ptr<TraceFile> TraceFile::create(const std::string& file) {
  Verilated::traceEverOn(true);
  if (ends_with(file, ".vcd")) return std::make_unique<TraceFileOf<VerilatedVcdC, VerilatedVcd>>();
  if (ends_with(file, ".fst")) return std::make_unique<FstFile>();
  throw WaveError("the wave file " + file + " must end in .vcd or .fst");
}

}  // namespace g80

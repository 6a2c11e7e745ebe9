// SPDX-License-Identifier: Apache-2.0
// The target of Verilator's generated trace code: all signals of one verilated model and their values.
//
// The code is generated for Verilator's FST writer and bound to these classes by cmake/VerilatedSources.cmake. It
// declares every signal of the SystemVerilog source with its scope, width and enumeration, with structs and arrays
// split, and stores their values on request. It then computes signals that the optimizer has merged into expressions;
// without observers a model only keeps a few flags for this.
//
// - Not here: the pins of Verilator's wrapper (the module has the same), loop indices (scopes unnamedblk), and memories
//   of more entries than --trace-max-array.
// - A signal of more than 64 bits is shown as an array of 32-bit words, word 0 the lowest.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/common/fields.h"

class VerilatedModel;

namespace g80 {

// NOLINTBEGIN(readability-identifier-naming): Verilator's names, which its generated code calls
class RtlTrace {
 public:
  class Buffer;
  using DeclareCallback = void (*)(void* model, RtlTrace*, std::uint32_t base);
  using ValueCallback = void (*)(void* model, Buffer*);

  /// Shows every signal with its value of the last update() as fields, structs entered and left.
  void visit(FieldVisitor& visitor) const;
  /// Takes the present values from the model.
  void update();

  // From here on: what the generated code calls.
  void addModel(VerilatedModel*) {}
  void addInitCb(DeclareCallback declare, void* model) { declare(model, this, 0); }
  void addFullCb(ValueCallback all, void* model) {
    all_ = all;
    model_ = model;
  }
  void scopeEscape(char) {}
  void pushNamePrefix(const std::string& prefix) { prefixes_.push_back(prefix); }
  void popNamePrefix(unsigned count = 1) { prefixes_.resize(prefixes_.size() - count); }
  /// A signal (the name, where its value is, the number of its enumeration or -1, its highest and lowest bit), a scope
  /// that the next lines are in (the name alone), or the end of some scopes (no name, their count).
  struct Line {
    const char* name;
    int code = -1;
    int type = -1;
    int high = 0;
    int low = 0;
  };
  template <std::size_t kCount>
  void declare(const Line (&lines)[kCount]) {
    for (const Line& line : lines) declare(line);
  }
  void declDTypeEnum(int type, const char* name, std::uint32_t count, unsigned, const char** names,
                     const char** values);

 private:
  struct Step {  // of the walk through the signals
    enum class Kind : std::uint8_t { kEnter, kLeave, kLeaf } kind;
    std::string name;
    int index;           // of an array element, -1 = none
    std::uint32_t code;  // where a leaf's value begins in values_
    unsigned width;
    const EnumText* text;
  };

  void declare(const Line& line);
  void go_to(const std::vector<std::string>& scope);

  std::vector<std::string> prefixes_;
  std::vector<std::string> scope_;  // entered at the end of steps_
  std::vector<Step> steps_;
  std::vector<const EnumText*> types_;  // by the model's number of the enumeration
  std::vector<std::uint32_t> values_;   // 32 bits each, by code
  ValueCallback all_ = nullptr;
  void* model_ = nullptr;
};

/// Where the generated code stores values.
class RtlTrace::Buffer {
 public:
  explicit Buffer(std::uint32_t* values) : values_(values) {}

  std::uint32_t* oldp(std::uint32_t code) { return values_ + code; }
  void fullBit(std::uint32_t* at, std::uint32_t value) { *at = value; }
  void fullCData(std::uint32_t* at, std::uint32_t value, int) { *at = value; }
  void fullSData(std::uint32_t* at, std::uint32_t value, int) { *at = value; }
  void fullIData(std::uint32_t* at, std::uint32_t value, int) { *at = value; }
  void fullQData(std::uint32_t* at, std::uint64_t value, int) {
    at[0] = static_cast<std::uint32_t>(value);
    at[1] = static_cast<std::uint32_t>(value >> 32);
  }
  void fullWData(std::uint32_t* at, const std::uint32_t* words, int width) {
    for (int word = 0; 32 * word < width; ++word) at[word] = words[word];
  }

 private:
  std::uint32_t* values_;
};

/// The argument of a model's trace().
class RtlTraceFile {
 public:
  explicit RtlTraceFile(RtlTrace& trace) : trace_(trace) {}
  bool isOpen() const { return false; }
  RtlTrace* spTrace() { return &trace_; }

 private:
  RtlTrace& trace_;
};
// NOLINTEND(readability-identifier-naming)

}  // namespace g80

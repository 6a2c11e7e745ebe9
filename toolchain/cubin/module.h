// SPDX-License-Identifier: Apache-2.0
// A program: the contents of a cubin, and the output of assembler and compiler.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hw/isa/encoding.h"
#include "toolchain/cubin/line_table.h"

namespace g80 {

/// Types of parameters and variables.
enum class DataType : std::uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kF32, kU64, kF64, kPtr };
std::string_view data_type_name(DataType type);  // "u8" .. "f64", "ptr"
std::optional<DataType> parse_data_type(std::string_view name);
unsigned data_type_bytes(DataType type);  // also the natural alignment; a pointer has 4

/// First byte of the parameters in s[]: the launch header comes before.
inline constexpr std::uint32_t kParameterBase = 0x10;
/// The most bytes of parameters a launch can carry (64 words).
inline constexpr std::uint32_t kParameterBytes = 256;
/// What an instruction can address: s[] of a block, l[] of a thread, one constant bank.
inline constexpr std::uint32_t kSharedBytes = 0x4000, kLocalBytes = 0x10000, kConstantBankBytes = 0x10000;
/// Constant banks as CUDA code uses them.
inline constexpr unsigned kUserConstantBank = 0, kLiteralBank = 1, kDeviceAddressBank = 14;

/// A kernel parameter; `offset` is its byte address in s[].
struct Parameter {
  std::string name;
  DataType type = DataType::kU32;
  std::uint32_t offset = kParameterBase;
  std::uint32_t bytes = 0;  // of a structure or array of that element type; 0: one element
};
std::uint32_t parameter_bytes(const Parameter& parameter);

/// Words the kernel reads as c<bank>[offset ..]: its literal pool (bank 1).
struct ConstantSegment {
  unsigned bank = kLiteralBank;
  std::uint32_t offset = 0;
  std::vector<std::uint32_t> words;
};

struct Kernel {
  std::string name;
  std::uint32_t lmem = 0;  // bytes of l[] per thread
  std::uint32_t smem = 0;  // bytes of s[]: launch header, parameters and static shared variables
  std::uint32_t reg = 0;   // 32-bit registers per thread
  std::uint32_t bar = 0;   // barriers, as the file states it
  std::vector<Parameter> params;
  std::vector<std::uint32_t> code;  // branch targets count from the first word
  std::vector<ConstantSegment> constants;
  LineTable lines;  // source lines of the code; empty: unknown
};

/// "pc 0x48 `bra 0x48` (k.cu:4)", for messages.
std::string place_text(const Kernel& kernel, std::uint32_t pc, isa::Arch arch);

/// A __constant__ variable: bytes [offset, offset + bytes) of a module-wide constant bank.
struct ConstantVariable {
  std::string name;
  unsigned bank = kUserConstantBank;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::optional<DataType> type;      // unknown in files of other tools
  std::vector<std::uint32_t> words;  // initial value, (bytes + 3) / 4 words; empty: none given, zero
};

/// A __device__ variable: the loader places it in global memory and writes its address to c14[offset].
struct DeviceVariable {
  std::string name;
  unsigned bank = kDeviceAddressBank;
  std::uint32_t offset = 0;  // of the address in the constant bank
  std::uint32_t bytes = 0;   // size of the variable
  std::optional<DataType> type;
  std::vector<std::uint32_t> words;  // initial value, as above
};

/// A word of a variable's initial value that is known when the program is loaded: the address of a __device__ variable.
struct AddressWord {
  std::string variable;      // a __constant__ or __device__ variable
  std::uint32_t offset = 0;  // bytes into it
  std::string target;        // a __device__ variable
  std::uint32_t addend = 0;  // bytes; sums are modulo 2^32
};

struct TextureReference {
  std::string name;
  unsigned unit = 0;
};

struct Module {
  isa::Arch arch = isa::Arch::kSm10;
  unsigned abi_version = 0;
  std::string name;
  std::vector<ConstantVariable> constants;
  std::vector<DeviceVariable> device_variables;
  std::vector<AddressWord> addresses;
  std::vector<TextureReference> textures;
  std::vector<Kernel> kernels;

  /// By its name, or by the name it has in the CUDA program, or its end, if only one kernel has that.
  const Kernel* find_kernel(std::string_view kernel_name) const;
  std::vector<std::string> kernel_names() const;
};

/// The initial words of a variable of the module with the addresses filled in; `placed` has those of the __device__
/// variables.
std::vector<std::uint32_t> loaded_words(const Module& module, const ConstantVariable& variable,
                                        const std::map<std::string, std::uint32_t>& placed);
std::vector<std::uint32_t> loaded_words(const Module& module, const DeviceVariable& variable,
                                        const std::map<std::string, std::uint32_t>& placed);

/// A fault of an input file; what() is one sentence that starts with "file:line:" (and column, where known).
class SourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The whole file or stream, without a byte order mark. Throws SourceError naming the file if it cannot be read or is
/// not of a size that a program can have.
std::string read_text(std::istream& in, const std::string& name);
std::string read_text_file(const std::string& path);

}  // namespace g80

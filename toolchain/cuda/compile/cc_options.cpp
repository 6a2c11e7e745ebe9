// SPDX-License-Identifier: Apache-2.0
#include "toolchain/cuda/compile/cc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "input/input_error.h"
#include "input/regular_file.h"
#include "toolchain/compiler/ir/compile_options.h"
#include "toolchain/cubin/module.h"
#include "toolchain/cuda/compile/ir_text.h"

namespace g80::cuda {
namespace {

bool yes_or_no(const std::string& option, const std::string& value) {
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  throw InputError(
      fmt::format("cc: {} is '{}'; allowed are true and false", option.substr(0, option.find('=')), value));
}

unsigned number(const std::string& option, const std::string& value, unsigned least, unsigned most) {
  unsigned result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size() || result < least || result > most) {
    throw InputError(fmt::format("cc: {} is '{}'; allowed are {} to {}", option, value, least, most));
  }
  return result;
}

/// Reads words one after the other. The value of an option is in the same word or is the next word.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}
  bool next() {
    if (at_ == words_.size()) return false;
    word_ = words_[at_++];
    return true;
  }
  const std::string& word() const { return word_; }

  /// True if the word is one of the option's names; `value` gets what follows = or comes next. Only lists of words for
  /// other programs may be empty, as variables of a Makefile are.
  bool takes(std::initializer_list<const char*> names, std::string& value) {
    const bool may_be_empty = starts_with(*names.begin(), "-X") || std::strcmp(*names.begin(), "-run-args") == 0;
    for (const std::string name : names) {
      if (word_ != name && !starts_with(word_, name + "=")) continue;
      const bool apart = word_ == name;
      if (apart && at_ == words_.size()) throw InputError(fmt::format("cc: {} needs a value", name));
      value = apart ? words_[at_++] : word_.substr(name.size() + 1);
      if (value.empty() && !may_be_empty) throw InputError(fmt::format("cc: {} needs a value", name));
      return true;
    }
    return false;
  }
  /// Takes the next word if it is one digit: a level that is a separate word, as in -O 2.
  bool takes_level(std::string& value) {
    if (at_ == words_.size() || words_[at_].size() != 1 ||
        std::isdigit(static_cast<unsigned char>(words_[at_][0])) == 0)
      return false;
    value = words_[at_++];
    return true;
  }
  bool is(std::initializer_list<const char*> names) const {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return word_ == name; });
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::string word_;
};

void split_commas(const std::string& text, std::vector<std::string>& out) {
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma != at) out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
}

/// Splits a text into words at the separators, but not inside quotes or behind a backslash.
std::vector<std::string> words_of(const std::string& text, const char* separators) {
  std::vector<std::string> words(1);
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size()) {
      words.back() += text[++at];
    } else if (c == quote || (quote == '\0' && (c == '"' || c == '\''))) {
      quote = quote == '\0' ? c : '\0';
    } else if (quote == '\0' && std::strchr(separators, c) != nullptr) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

/// True if the text contains CUDA code: programs from Windows have kernels in files that end in .cpp.
bool holds_kernels(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const std::string code = line.substr(0, line.find("//"));
    if (code.find("__global__") != std::string::npos) return true;
  }
  return false;
}

void take_file(const std::string& word, bool as_cuda, CcOptions& options) {
  if (!std::filesystem::exists(word)) throw InputError(fmt::format("cc: {}: there is no such file", word));
  if (const std::string why = why_no_regular_file(word); !why.empty())
    throw InputError(fmt::format("cc: {}: the file cannot be read ({})", word, why));
  const std::string suffix = std::filesystem::path(word).extension().string();
  const auto is = [&](std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* one) { return suffix == one; });
  };
  if (is({".cu"}) || as_cuda) {
    options.cuda_sources.push_back(word);
  } else if (is({".cpp", ".cc", ".cxx", ".c"})) {
    const bool kernels = holds_kernels(word);
    if (kernels) options.notes.push_back(fmt::format("{} holds kernels and is compiled as CUDA", word));
    (kernels ? options.cuda_sources : options.host_sources).push_back(word);
  } else if (is({".o", ".a", ".so"})) {
    options.objects.push_back(word);
  } else {
    throw InputError(
        fmt::format("cc: {}: a source ends in .cu, .cpp, .cc, .cxx or .c, an object in .o, .a or .so", word));
  }
}

constexpr const char* k64Bits = "host programs are always 64-bit; the option is ignored";

/// An option of nvcc that has no effect here, or that is not supported.
struct OtherOption {
  enum Kind { kIgnored, kNoted, kRefused };
  std::initializer_list<const char*> names;
  enum Value { kNone, kTaken } value;
  Kind kind;
  const char* reason;
};

constexpr const char* kNoLinkedDeviceCode =
    "device code cannot be linked on this generation: kernels call functions of their own file only";
constexpr const char* kRounded =
    "compute capability 1.x has neither denormals nor correctly rounded division and root; __fdiv_rn and __fsqrt_rn "
    "are there";
constexpr const char* kReference = "run the program with G80_RUN=\"--model golden\" instead";

const OtherOption kOtherOptions[] = {
    // clang-format off
    {{"-m64", "--machine=64"}, OtherOption::kNone, OtherOption::kIgnored, "it is so"},
    {{"-link", "--link"}, OtherOption::kNone, OtherOption::kIgnored, "it is so"},
    {{"-lineinfo", "--generate-line-info"}, OtherOption::kNone, OtherOption::kIgnored, "line numbers are always included"},
    {{"-extdeb", "--extern-debug-info", "-src-in-ptx", "--source-in-ptx"}, OtherOption::kNone, OtherOption::kIgnored, "line numbers are always included"},
    {{"-cudart", "--cudart"}, OtherOption::kTaken, OtherOption::kIgnored, "there is one runtime"},
    {{"-lcudart", "-lcuda"}, OtherOption::kNone, OtherOption::kIgnored, "its functions are linked"},
    {{"-noprof", "--dont-use-profile", "-qpp-config", "--qpp-config"}, OtherOption::kNone, OtherOption::kIgnored, "there is no driver profile"},
    {{"--no-align-double", "-nohdinitlist", "--no-host-device-initializer-list", "-restrict", "--restrict", "-nodlink", "--no-device-link"},
     // clang-format on
     OtherOption::kNone,
     OtherOption::kIgnored,
     "it is so"},
    // clang-format off
    {{"-ccbin", "--compiler-bindir"}, OtherOption::kTaken, OtherOption::kIgnored, "clang compiles the host code"},
    {{"--host-compilation", "-host-compilation"}, OtherOption::kTaken, OtherOption::kIgnored, "the host code is C++"},
    {{"-Xopencc", "--opencc-options", "-Xcudafe", "--cudafe-options", "-Xfatbin", "--fatbin-options", "-Xnvlink", "--nvlink-options"},
     // clang-format on
     OtherOption::kTaken,
     OtherOption::kIgnored,
     "g80 cc does not use this program"},
    // clang-format off
    {{"-keep-dir", "--keep-dir"}, OtherOption::kTaken, OtherOption::kIgnored, "kept files are beside the output"},
    {{"-dir", "--export-dir", "-ext", "--extern-mode", "-int", "--intern-mode"}, OtherOption::kTaken, OtherOption::kIgnored, "the program holds its code"},
    {{"-e", "--entries"}, OtherOption::kTaken, OtherOption::kIgnored, "all kernels are compiled"},
    {{"-idp", "--input-drive-prefix", "-ddp", "--dependency-drive-prefix", "-dp", "--drive-prefix", "-cl-version", "--cl-version"},
     // clang-format on
     OtherOption::kTaken,
     OtherOption::kIgnored,
     "for Windows"},
    // clang-format off
    {{"-use-local-env", "--use-local-env"}, OtherOption::kNone, OtherOption::kIgnored, "for Windows"},
    {{"-ldir", "--libdevice-directory", "-target-cpu-arch", "--target-cpu-architecture"}, OtherOption::kTaken, OtherOption::kIgnored, "only for later chips"},
    {{"-m32", "--machine=32"}, OtherOption::kNone, OtherOption::kNoted, k64Bits},
    {{"-G", "-G0", "-G1", "-G2", "-G3", "--device-debug"}, OtherOption::kNone, OtherOption::kNoted, "cuda-gdb is not supported; run the program with G80_RUN=\"--shell\", --wave or --trace instead"},
    {{"-deviceemu", "--device-emulation", "-multicore", "--multicore"}, OtherOption::kNone, OtherOption::kRefused, kReference},
    {{"-dc", "--device-c", "-dw", "--device-w", "-dlink", "--device-link"}, OtherOption::kNone, OtherOption::kRefused, kNoLinkedDeviceCode},
    {{"-fatbin", "--fatbin"}, OtherOption::kNone, OtherOption::kRefused, "a program has code for one architecture; use -cubin or -ptx"},
    {{"-gpu", "--gpu"}, OtherOption::kNone, OtherOption::kRefused, "there is no step between CUDA and PTX; use -ptx"},
    {{"-clean", "--clean-targets"}, OtherOption::kNone, OtherOption::kRefused, "g80 cc deletes no files; use rm"},
    // clang-format on
};

/// True if the word is one of the options above, with its value. Throws InputError if it is refused.
bool refuse_or_ignore(Words& words, CcOptions& options) {
  const std::string word = words.word();
  std::string value;
  for (const OtherOption& option : kOtherOptions) {
    if (option.value == OtherOption::kTaken ? !words.takes(option.names, value) : !words.is(option.names)) continue;
    if (option.kind == OtherOption::kRefused) throw InputError(fmt::format("cc: {}: {}", word, option.reason));
    if (option.kind == OtherOption::kNoted) options.notes.push_back(fmt::format("{}: {}", word, option.reason));
    return true;
  }
  // Options that choose between the only supported behaviour and another one.
  if (words.takes({"-m", "--machine"}, value)) {
    if (value == "32") options.notes.push_back(fmt::format("{} {}: {}", word, value, k64Bits));
    if (value != "32" && value != "64")
      throw InputError(fmt::format("cc: {} is '{}'; allowed are 32 and 64", word, value));
    return true;
  }
  const bool flushes = words.takes({"-ftz", "--ftz"}, value);
  if (flushes || words.takes({"-prec-div", "--prec-div", "-prec-sqrt", "--prec-sqrt"}, value)) {
    if (yes_or_no(word, value) != flushes) throw InputError(fmt::format("cc: {}: {}", word, kRounded));
    return true;
  }
  if (words.takes({"-rdc", "--relocatable-device-code"}, value)) {
    if (yes_or_no(word, value)) throw InputError(fmt::format("cc: {}: {}", word, kNoLinkedDeviceCode));
    return true;
  }
  return false;
}

/// The options of -Xcompiler. nvcc of that time also preprocessed kernels with the host's compiler, so -D and the like
/// apply to both passes.
void take_host_options(const std::vector<std::string>& words, CcOptions& options) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (word == "-m32") {
      options.notes.push_back(fmt::format("-Xcompiler {}: {}", word, k64Bits));
    } else if (word.size() > 1 && word[0] == '/' && !std::filesystem::exists(word)) {
      options.notes.push_back(fmt::format("-Xcompiler {}: this option of another compiler is ignored", word));
    } else if (starts_with(word, "-std=")) {
      options.standard = word.substr(5);
    } else if ((word == "-I" || word == "-D" || word == "-U") && k + 1 < words.size()) {
      options.preprocessor.push_back(word + words[++k]);
    } else if ((word == "-include" || word == "-isystem") && k + 1 < words.size()) {
      options.preprocessor.insert(options.preprocessor.end(), {word, words[++k]});
    } else if (starts_with(word, "-I") || starts_with(word, "-D") || starts_with(word, "-U")) {
      options.preprocessor.push_back(word);
    } else if (starts_with(word, "-Wl,") || starts_with(word, "-L") || starts_with(word, "-l")) {
      options.objects.push_back(word);
    } else {
      options.host_flags.push_back(word);
    }
  }
}

/// The folders of -I and -L: separated by commas, with or without = in front.
void take_folders(const std::string& option, std::string value, std::vector<std::string>& out) {
  if (starts_with(value, "=")) value.erase(0, 1);
  std::vector<std::string> folders;
  split_commas(value, folders);
  for (const std::string& folder : folders) out.push_back(option + folder);
}

/// Options of ptxas without effect: optimisation is always full, and the chip has no choice of caches or calls.
constexpr const char* kPtxasIgnored[] = {"-O",
                                         "--opt-level",
                                         "-dlcm=",
                                         "--def-load-cache=",
                                         "-dscm=",
                                         "--def-store-cache=",
                                         "-abi=",
                                         "-arch=",
                                         "--gpu-name=",
                                         "-w",
                                         "--disable-warnings",
                                         "--warn-",
                                         "-warn-"};

bool take_option(Words& words, CcOptions& options) {
  std::string value;
  const std::string word = words.word();
  if (words.takes({"-o", "--output-file"}, value)) {
    options.output = value;
  } else if (words.takes({"-arch", "--gpu-architecture", "--gpu-name"}, value)) {
    options.arch = cc_architecture("cc: -arch", value);
  } else if (words.takes({"-code", "--gpu-code"}, value)) {
    options.code = cc_architecture("cc: -code", value);
  } else if (words.takes({"-gencode", "--generate-code"}, value)) {
    options.generated.push_back(value);
  } else if (words.takes({"-odir", "--output-directory"}, value)) {
    options.output_folder = value;
  } else if (words.takes({"--gpu-module"}, value)) {
    options.gpu_code = value;
  } else if (words.takes({"-maxrregcount", "--maxrregcount"}, value)) {
    options.max_registers = number("-maxrregcount", value, kLeastRegisterLimit, kMostRegisterLimit);
  } else if (words.takes({"-fmad", "--fmad"}, value)) {
    options.fmad = yes_or_no("--fmad", value);
  } else if (words.is({"-use_fast_math", "--use_fast_math"})) {
    options.fast_math = true;
  } else if (words.is({"-c", "--compile"})) {
    options.output_kind = CcOutput::kObject;
  } else if (words.is({"-ptx", "--ptx"})) {
    options.output_kind = CcOutput::kPtx;
  } else if (words.is({"-cubin", "--cubin"})) {
    options.output_kind = CcOutput::kCubin;
  } else if (words.is({"-cuda", "--cuda"})) {
    options.output_kind = CcOutput::kCuda;
  } else if (words.is({"-E", "--preprocess"})) {
    options.output_kind = CcOutput::kPreprocessed;
  } else if (words.is({"-run", "--run"})) {
    options.run = true;
  } else if (words.takes({"-run-args", "--run-args"}, value)) {
    split_commas(value, options.run_arguments);
  } else if (words.is({"-shared", "--shared"})) {
    options.host_flags.push_back("-fPIC");
    options.shared = true;
  } else if (words.is({"-keep", "--keep", "-save-temps", "--save-temps"})) {
    options.keep = true;
  } else if (words.is({"-v", "--verbose"})) {
    if (options.run_mode == RunMode::kQuiet) options.run_mode = RunMode::kTold;
  } else if (words.is({"-dryrun", "--dryrun"})) {
    options.run_mode = RunMode::kDry;
  } else if (words.is({"-V", "--version"})) {
    options.version = true;
  } else if (words.is({"-M", "--generate-dependencies", "-MM", "--generate-nonsystem-dependencies"})) {
    options.dependencies = words.is({"-M", "--generate-dependencies"}) ? "-M" : "-MM";
    options.output_kind = CcOutput::kObject;
  } else if (words.is({"-MD", "-MMD", "-MP"})) {
    options.host_flags.push_back(word);
  } else if (words.is({"-MF", "-MT", "-MQ"})) {
    words.takes({word.c_str()}, value);
    options.host_flags.insert(options.host_flags.end(), {word, value});
  } else if (words.is({"-lib", "--lib"})) {
    options.output_kind = CcOutput::kLibrary;
  } else if (words.is({"-h", "--help"})) {
    options.help = true;
  } else if (words.takes({"-Xcompiler", "--compiler-options"}, value)) {
    take_host_options(words_of(value, ", \t"), options);
  } else if (words.takes({"-Xlinker", "--linker-options"}, value)) {
    if (!value.empty()) options.objects.push_back("-Wl," + value);
  } else if (words.takes({"-Xptxas", "--ptxas-options", "-po"}, value)) {
    for (const std::string& flag : words_of(value, ", \t")) {
      if (flag == "-v" || flag == "--verbose") {
        options.resource_usage = true;
      } else if (flag.find("maxrregcount=") <= 2) {
        options.max_registers =
            number("-Xptxas -maxrregcount", flag.substr(flag.find('=') + 1), kLeastRegisterLimit, kMostRegisterLimit);
      } else if (std::none_of(std::begin(kPtxasIgnored), std::end(kPtxasIgnored),
                              [&](const char* one) { return starts_with(flag, one); })) {
        throw InputError(fmt::format("cc: -Xptxas is '{}'; known are -v, -O0 to -O3 and -maxrregcount=N", value));
      }
    }
  } else if (words.takes({"-isystem", "--system-include"}, value)) {
    options.preprocessor.insert(options.preprocessor.end(), {"-isystem", value});
  } else if (words.takes({"-I", "--include-path"}, value)) {
    take_folders("-I", value, options.preprocessor);
  } else if (words.takes({"-D", "--define-macro"}, value)) {
    options.preprocessor.push_back("-D" + value);
  } else if (words.takes({"-U", "--undefine-macro"}, value)) {
    options.preprocessor.push_back("-U" + value);
  } else if (words.takes({"-L", "--library-path"}, value)) {
    take_folders("-L", value, options.objects);
  } else if (words.takes({"-l", "--library"}, value)) {
    options.objects.push_back("-l" + value);
  } else if (words.takes({"--optimize"}, value) || (words.is({"-O"}) && words.takes_level(value))) {
    options.host_flags.push_back("-O" + value);
  } else if (words.is({"--debug"})) {
    options.host_flags.push_back("-g");
  } else if (words.is({"--profile"})) {
    options.host_flags.push_back("-pg");
  } else if (words.is({"--disable-warnings"})) {
    options.host_flags.push_back("-w");
  } else if (words.takes({"-std", "--std"}, value)) {
    options.standard = value;
  } else if (words.takes({"-include", "--pre-include"}, value)) {
    options.preprocessor.insert(options.preprocessor.end(), {"-include", value});
  } else if (starts_with(word, "-I")) {
    take_folders("-I", word.substr(2), options.preprocessor);
  } else if (starts_with(word, "-L")) {
    take_folders("-L", word.substr(2), options.objects);
  } else if (starts_with(word, "-D") || starts_with(word, "-U")) {
    options.preprocessor.push_back(word);
  } else if (starts_with(word, "-l")) {
    options.objects.push_back(word);
  } else if (starts_with(word, "-O") || starts_with(word, "-W") ||
             words.is({"-g", "-w", "-pg", "-pthread", "-fopenmp"})) {
    options.host_flags.push_back(word);
  } else {
    return false;
  }
  return true;
}

}  // namespace

isa::Arch cc_architecture(const std::string& option, const std::string& value) {
  // nvcc also accepts names of virtual architectures. sm_20 and above are for other chips.
  std::optional<isa::Arch> lowest;
  std::string names = value;
  for (const char* key : {"arch=", "code="}) {
    if (const std::size_t at = names.find(key); at != std::string::npos) names.erase(at, std::strlen(key));
  }
  std::vector<std::string> list;
  split_commas(names, list);
  // -gencode names the virtual architecture first; the code architectures follow.
  if (list.size() > 1 && value.find("code=") != std::string::npos) list.erase(list.begin());
  for (std::string name : list) {
    name.erase(std::remove_if(name.begin(), name.end(),
                              [](char c) { return c == '[' || c == ']' || c == '\'' || c == '"' || c == '\\'; }),
               name.end());
    const auto arch = isa::parse_arch(starts_with(name, "compute_") ? "sm_" + name.substr(8) : name);
    if (arch) lowest = lowest ? std::min(*lowest, *arch) : *arch;
  }
  if (lowest) return *lowest;
  throw InputError(fmt::format("{} is '{}'; allowed are sm_10, sm_11, sm_12 and sm_13", option, value));
}

namespace {

/// Chooses one of the -gencode options, because a program contains code for one architecture here. Options of later
/// chips are ignored.
void choose_generated(CcOptions& options) {
  if (options.generated.empty()) return;
  std::optional<isa::Arch> lowest;
  for (const std::string& value : options.generated) {
    try {
      const isa::Arch arch = cc_architecture("cc: -gencode", value);
      lowest = lowest ? std::min(*lowest, arch) : arch;
    } catch (const InputError&) {
      if (options.generated.size() == 1) throw;
    }
  }
  if (!lowest)
    throw InputError(
        "cc: -gencode: none of these architectures is supported; allowed are sm_10, sm_11, sm_12 and sm_13");
  options.arch = *lowest;
  if (options.generated.size() > 1)
    options.notes.push_back(fmt::format("of {} -gencode options the lowest is used: {}", options.generated.size(),
                                        isa::arch_name(*lowest)));
}

/// The command line with each -optf FILE replaced by the words of the file.
std::vector<std::string> with_option_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  Words words(arguments);
  while (words.next()) {
    std::string value;
    if (!words.takes({"-optf", "--options-file"}, value)) {
      all.push_back(words.word());
      continue;
    }
    std::vector<std::string> files;
    split_commas(value, files);
    for (const std::string& path : files) {
      try {
        const std::vector<std::string> more = words_of(read_text_file(path), " \t\r\n");
        all.insert(all.end(), more.begin(), more.end());
      } catch (const SourceError& error) {
        throw InputError(fmt::format("cc: -optf: {}", error.what()));
      }
    }
  }
  return all;
}

}  // namespace

CcOptions parse_cc_options(const std::vector<std::string>& arguments) {
  CcOptions options;
  const std::vector<std::string> all = with_option_files(arguments);
  Words words(all);
  bool as_cuda = false;
  while (words.next()) {
    std::string language;
    if (words.takes({"-x", "--x"}, language)) {
      if (language != "cu" && language != "c++" && language != "c")
        throw InputError(fmt::format("cc: -x is '{}'; allowed are cu, c++ and c", language));
      as_cuda = language == "cu";
      continue;
    }
    if (refuse_or_ignore(words, options) || take_option(words, options)) continue;
    if (words.word().size() > 1 && words.word()[0] == '-') {
      throw InputError(fmt::format("cc: {} is not an option of g80 cc; --help lists them", words.word()));
    }
    take_file(words.word(), as_cuda, options);
  }
  options.arch = std::max(options.arch, options.code);
  choose_generated(options);
  if (options.help || options.version) return options;
  const std::size_t sources = options.cuda_sources.size() + options.host_sources.size();
  if (sources + options.objects.size() == 0) throw InputError("cc: no source file is given");
  const bool one_result = options.output_kind == CcOutput::kProgram || options.output_kind == CcOutput::kLibrary;
  if (!one_result && !options.output.empty() && sources > 1) {
    throw InputError("cc: -o names one file, but several sources are compiled");
  }
  const bool gpu_only = options.output_kind == CcOutput::kPtx || options.output_kind == CcOutput::kCubin;
  if (gpu_only && (options.cuda_sources.empty() || !options.host_sources.empty())) {
    throw InputError("cc: -ptx and -cubin are for .cu files");
  }
  if (options.output_kind == CcOutput::kCuda && (options.cuda_sources.empty() || !options.host_sources.empty())) {
    throw InputError("cc: -cuda is for .cu files");
  }
  if (options.run && options.output_kind != CcOutput::kProgram)
    throw InputError("cc: -run needs a program, not an intermediate file");
  if (!options.gpu_code.empty() && options.cuda_sources.size() != 1) {
    throw InputError("cc: --gpu-module is for exactly one .cu file");
  }
  return options;
}

const char* cc_help() {
  return R"(Usage: g80 cc FILES [options] -o PROGRAM

Compiles CUDA programs of the 1.x to 3.x era into host programs that run their kernels on the modelled chip.
FILES: .cu, .cpp .cc .cxx .c (host code), .o .a .so

  -o F                        output file (default: a.out)
  -c, -ptx, -cubin            stop at the object file, the PTX, the machine code; -lib: a static library
  -M, -MM                     print a rule for make instead: what the object depends on (-MM: without system headers)
  -cuda, -E                   stop at a C++ file for the host's compiler; at the preprocessor's output
  -run, -run-args A,B         run the program
  -shared                     make a shared library
  -optf F                     more options, from a file
  -arch=sm_10|11|12|13        compute capability of the kernels (default: sm_10, which runs everywhere); -gencode and -code too
  -x cu                       the files that follow are CUDA, whatever their names
  -maxrregcount=N             registers per thread at most
  --fmad=true|false           fuse f32 multiplications and additions (default: true; mad truncates the product)
  -use_fast_math              sinf is __sinf, and so on; division is __fdividef
  -I -D -U -include           preprocessor
  -O -g -W -std -l -L         host compiler and linker; -Xcompiler A,B and -Xlinker X pass others on
  -Xptxas -v                  print registers and memory of every kernel
  --gpu-module F.cubin|.sasm  machine code for the kernels of the .cu file, instead of compiling them
  -odir D                     folder of the output files
  -keep                       leave the PTX and the machine code beside the output
  -v, -dryrun                 print the commands; only print them

The program reads G80_DEVICE (preset or configuration file) and G80_RUN (options of g80 run); docs/cuda.md.
Makefiles that want nvcc and a toolkit's folder find them in build/release/cuda: CUDA_INSTALL_PATH, CUDA_DIR, CUDA_PATH.
)";
}

const char* cc_version() {
  return "nvcc: compiler driver of g80, a model of NVIDIA's Tesla generation of GPUs\n"
         "Cuda compilation tools, release 3.2, V3.2.0\n";
}

}  // namespace g80::cuda

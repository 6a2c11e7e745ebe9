#include "kernels/toolchain/cuda/compile/cc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "tb/scenario/input_error.h"

namespace g80::cuda {
namespace {

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

bool yes_or_no(const std::string& option, const std::string& value) {
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  throw InputError(fmt::format("cc: {} is '{}'; allowed are true and false", option, value));
}

unsigned number(const std::string& option, const std::string& value, unsigned least, unsigned most) {
  unsigned result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size() || result < least || result > most) {
    throw InputError(fmt::format("cc: {} is '{}'; allowed are {} to {}", option, value, least, most));
  }
  return result;
}

isa::Arch architecture(const std::string& value) {
  // nvcc takes names of virtual architectures, too
  const std::string name = starts_with(value, "compute_") ? "sm_" + value.substr(8) : value;
  if (const auto arch = isa::parse_arch(name)) return *arch;
  throw InputError(fmt::format("cc: -arch is '{}'; this generation has sm_10, sm_11, sm_12 and sm_13", value));
}

/// Reads words one after the other; an option's value is part of its word or the next one.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}
  bool next() {
    if (at_ == words_.size()) return false;
    word_ = words_[at_++];
    return true;
  }
  const std::string& word() const { return word_; }

  /// True if the word is one of the option's names; `value` gets what follows = or comes next.
  bool takes(std::initializer_list<const char*> names, std::string& value) {
    for (const std::string name : names) {
      if (word_ == name) {
        if (at_ == words_.size()) throw InputError(fmt::format("cc: {} needs a value", name));
        value = words_[at_++];
        return true;
      }
      if (starts_with(word_, (name + "=").c_str())) {
        value = word_.substr(name.size() + 1);
        return true;
      }
    }
    return false;
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

void take_file(const std::string& word, CcOptions& options) {
  const std::string suffix = std::filesystem::path(word).extension().string();
  const auto is = [&](std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* one) { return suffix == one; });
  };
  if (is({".cu"})) {
    options.cuda_sources.push_back(word);
  } else if (is({".cpp", ".cc", ".cxx", ".c"})) {
    options.host_sources.push_back(word);
  } else if (is({".o", ".a", ".so"})) {
    options.objects.push_back(word);
  } else {
    throw InputError(fmt::format("cc: {}: a source ends in .cu, .cpp, .cc, .cxx or .c, an object in .o, .a or .so", word));
  }
  if (!std::filesystem::exists(word)) throw InputError(fmt::format("cc: {}: there is no such file", word));
}

/// Options that mean something else on another machine, or nothing here.
bool refuse_or_ignore(Words& words) {
  const std::string& word = words.word();
  if (words.is({"-m64", "--machine=64", "-lineinfo", "--generate-line-info", "-cudart=static", "--cudart=static", "-lcudart", "-lcuda",
                "-lcutil", "-lcutil_x86_64", "-lcutil_i386", "-ftz=true", "--ftz=true"})) {
    return true;
  }
  if (words.is({"-prec-div=true", "--prec-div=true", "-prec-sqrt=true", "--prec-sqrt=true", "-ftz=false", "--ftz=false"})) {
    throw InputError(fmt::format("cc: {}: compute capability 1.x has neither denormals nor correctly rounded division and root; "
                                 "__fdiv_rn and __fsqrt_rn are there",
                                 word));
  }
  if (words.is({"-prec-div=false", "--prec-div=false", "-prec-sqrt=false", "--prec-sqrt=false"})) return true;
  if (words.is({"-m32", "--machine=32"})) throw InputError("cc: -m32: host programs are 64-bit programs here");
  if (words.is({"-deviceemu"})) throw InputError("cc: -deviceemu: run the program with G80_RUN=\"--model golden\" instead");
  if (words.is({"-G", "--device-debug"})) throw InputError("cc: -G: there is no debugger for kernels; --wave and --trace show them");
  if (words.is({"-dc", "-rdc=true", "--relocatable-device-code=true"})) {
    throw InputError(fmt::format("cc: {}: device code cannot be linked on this generation: kernels call functions of their own file only", word));
  }
  return false;
}

/// -gencode arch=compute_10,code=sm_10: one of several for which nvcc made code. A program holds code for one here: the oldest
/// runs on most presets. Later generations in the list are not for this one.
void take_generation(const std::string& value, std::optional<isa::Arch>& oldest) {
  constexpr const char* kVirtual = "arch=compute_";
  if (!starts_with(value, kVirtual)) throw InputError(fmt::format("cc: -gencode is '{}'; it begins with {}", value, kVirtual));
  const std::size_t begin = std::string(kVirtual).size();
  const auto arch = isa::parse_arch("sm_" + value.substr(begin, value.find(',') - begin));
  if (arch && (!oldest || *arch < *oldest)) oldest = *arch;
}

bool take_option(Words& words, CcOptions& options) {
  std::string value;
  const std::string word = words.word();
  if (words.takes({"-o", "--output-file"}, value)) {
    options.output = value;
  } else if (words.takes({"-arch", "--gpu-architecture", "-code", "--gpu-code"}, value)) {
    options.arch = architecture(value);
  } else if (words.takes({"--gpu-module"}, value)) {
    options.gpu_code = value;
  } else if (words.takes({"-maxrregcount", "--maxrregcount"}, value)) {
    options.max_registers = number("-maxrregcount", value, 1, 124);
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
  } else if (words.is({"-keep", "--keep"})) {
    options.keep = true;
  } else if (words.is({"-v", "--verbose"})) {
    options.verbose = true;
  } else if (words.is({"-h", "--help"})) {
    options.help = true;
  } else if (words.takes({"-Xcompiler", "--compiler-options"}, value)) {
    split_commas(value, options.host_flags);
  } else if (words.takes({"-Xlinker", "--linker-options"}, value)) {
    options.objects.push_back("-Wl," + value);
  } else if (words.takes({"-Xptxas", "--ptxas-options"}, value)) {
    if (value != "-v") throw InputError(fmt::format("cc: -Xptxas is '{}'; only -v is known", value));
    options.resource_usage = true;
  } else if (words.takes({"-std", "--std"}, value)) {
    options.standard = value;
  } else if (words.takes({"-include"}, value)) {
    options.preprocessor.insert(options.preprocessor.end(), {"-include", value});
  } else if (words.is({"-I", "-D", "-U", "-L", "-l"})) {
    words.takes({word.c_str()}, value);
    (word == "-L" || word == "-l" ? options.objects : options.preprocessor).push_back(word + value);
  } else if (starts_with(word, "-I") || starts_with(word, "-D") || starts_with(word, "-U")) {
    options.preprocessor.push_back(word);
  } else if (starts_with(word, "-L") || starts_with(word, "-l")) {
    options.objects.push_back(word);
  } else if (starts_with(word, "-O") || starts_with(word, "-W") || words.is({"-g", "-w", "-pg", "-pthread", "-fopenmp"})) {
    options.host_flags.push_back(word);
  } else {
    return false;
  }
  return true;
}

}  // namespace

CcOptions parse_cc_options(const std::vector<std::string>& arguments) {
  CcOptions options;
  Words words(arguments);
  std::optional<isa::Arch> oldest;
  std::string generation;
  while (words.next()) {
    if (words.takes({"-gencode", "--generate-code"}, generation)) {
      take_generation(generation, oldest);
      continue;
    }
    if (refuse_or_ignore(words) || take_option(words, options)) continue;
    if (words.word().size() > 1 && words.word()[0] == '-') {
      throw InputError(fmt::format("cc: {} is not an option of g80 cc; --help lists them", words.word()));
    }
    take_file(words.word(), options);
  }
  if (options.help) return options;
  if (oldest) options.arch = *oldest;
  if (!generation.empty() && !oldest) throw InputError(fmt::format("cc: -gencode is '{}'; this generation has compute_10 to compute_13", generation));
  const std::size_t sources = options.cuda_sources.size() + options.host_sources.size();
  if (sources + options.objects.size() == 0) throw InputError("cc: no source file is given");
  if (options.output_kind != CcOutput::kProgram && !options.output.empty() && sources > 1) {
    throw InputError("cc: -o names one file, but several sources are compiled");
  }
  const bool gpu_only = options.output_kind == CcOutput::kPtx || options.output_kind == CcOutput::kCubin;
  if (gpu_only && (options.cuda_sources.empty() || !options.host_sources.empty())) {
    throw InputError("cc: -ptx and -cubin are for .cu files");
  }
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
  -c, -ptx, -cubin            stop at the object file, the PTX, the machine code
  -arch=sm_10|11|12|13        compute capability of the kernels (default: sm_10, which runs everywhere)
  -gencode arch=compute_..,.. several may be given: the oldest that this generation has is made
  -maxrregcount=N             registers per thread at most
  --fmad=true|false           fuse f32 multiplications and additions (default: true; mad truncates the product)
  -use_fast_math              sinf is __sinf, and so on; division is __fdividef
  -I -D -U -include           preprocessor
  -O -g -W -std -l -L         host compiler and linker; -Xcompiler A,B and -Xlinker X pass others on
  -Xptxas -v                  print registers and memory of every kernel
  --gpu-module F.cubin|.sasm  machine code for the kernels of the .cu file, instead of compiling them
  -keep                       leave the PTX and the machine code beside the output
  -v                          print the commands

The program reads G80_DEVICE (preset or configuration file) and G80_RUN (options of g80 run); docs/cuda.md.
)";
}

}  // namespace g80::cuda

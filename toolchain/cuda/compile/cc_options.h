// SPDX-License-Identifier: Apache-2.0
// The command line of `g80 cc`: the options of nvcc of CUDA 1.x to 3.x. Unknown options are errors.
#pragma once
#include <string>
#include <vector>

#include "hw/isa/encoding.h"
#include "toolchain/cuda/compile/command.h"

namespace g80::cuda {

/// The output: a program, object files, or an intermediate file.
enum class CcOutput { kProgram, kLibrary, kObject, kCuda, kPreprocessed, kPtx, kCubin };

struct CcOptions {
  std::vector<std::string> cuda_sources;  // .cu
  std::vector<std::string> host_sources;  // .cpp .cc .cxx .c
  std::vector<std::string> objects;       // .o .a .so, and -l, -L, in order
  CcOutput output_kind = CcOutput::kProgram;
  std::string output;
  isa::Arch arch = isa::Arch::kSm10;       // of the machine code
  isa::Arch code = isa::Arch::kSm10;       // of -code: `arch` is at least this
  std::string choose_arch;                 // CompileOptions::choose_arch, if not that of cc
  std::vector<std::string> preprocessor;   // -I, -D, -U, -include
  std::vector<std::string> host_flags;     // -O, -g, -W, -std and what -Xcompiler passes
  std::string standard;                    // of -std
  std::vector<std::string> generated;      // of -gencode
  std::vector<std::string> notes;          // options that were accepted but have no effect
  std::string output_folder;               // of -odir
  std::string gpu_code;                    // .cubin or .sasm to use for the kernels
  std::vector<std::string> run_arguments;  // of -run-args
  std::string dependencies;                // -M or -MM: a rule for make is all that is wanted
  unsigned max_registers = 0;
  RunMode run_mode = RunMode::kQuiet;
  bool fmad = true, fast_math = false, keep = false, resource_usage = false, help = false, version = false, run = false,
       shared = false;
};

/// The feature level of -arch, -code or -gencode ("sm_11", "compute_10,sm_10", "arch=compute_11,code=sm_11"): of
/// several the lowest, whose code runs on all devices that the others would. Throws InputError if there is none of this
/// generation.
isa::Arch cc_architecture(const std::string& option, const std::string& value);

/// Throws InputError.
CcOptions parse_cc_options(const std::vector<std::string>& arguments);

/// The text of --help.
const char* cc_help();
/// The text of --version, of which Makefiles and scripts read the line with "release".
const char* cc_version();

}  // namespace g80::cuda

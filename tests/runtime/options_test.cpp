// SPDX-License-Identifier: Apache-2.0
// Every option that the manuals of nvcc 1.x to 5.0 list: it means something, it is ignored for a reason, or one
// sentence refuses it.
#include <gtest/gtest.h>

#include <algorithm>

#include "input/input_error.h"
#include "tests/runtime/program_runner.h"
#include "toolchain/cuda/compile/cc_options.h"

namespace {

using namespace g80::testing;
using g80::cuda::CcOptions;
using g80::cuda::CcOutput;
using g80::cuda::parse_cc_options;

struct Row {
  std::vector<std::string> words;
  const char* outcome;  // "means", "ignored", or what a note or a refusal says
};

const Row kRows[] = {
    // Which step
    // clang-format off
    {{"-cuda"}, "means"}, {{"--cuda"}, "means"}, {{"-cubin"}, "means"}, {{"--cubin"}, "means"}, {{"-ptx"}, "means"}, {{"--ptx"}, "means"},
    {{"-fatbin"}, "a program has code for one architecture"}, {{"--fatbin"}, "a program has code for one architecture"}, {{"-gpu"}, "use -ptx"}, {{"--gpu"}, "use -ptx"},
    {{"-E"}, "means"}, {{"--preprocess"}, "means"}, {{"-c"}, "means"}, {{"--compile"}, "means"},
    {{"-link"}, "ignored"}, {{"--link"}, "ignored"}, {{"-run"}, "means"}, {{"--run"}, "means"}, {{"-run-args", "a,b"}, "means"}, {{"--run-args=a,b"}, "means"},
    {{"-dc"}, "device code cannot be linked"}, {{"--device-c"}, "device code cannot be linked"}, {{"-dw"}, "device code cannot be linked"},
    {{"--device-w"}, "device code cannot be linked"}, {{"-dlink"}, "device code cannot be linked"}, {{"--device-link"}, "device code cannot be linked"},
    {{"-rdc=true"}, "device code cannot be linked"}, {{"-rdc", "true"}, "device code cannot be linked"},
    {{"--relocatable-device-code=true"}, "device code cannot be linked"}, {{"-rdc=false"}, "ignored"}, {{"--relocatable-device-code=false"}, "ignored"},
    // Files and folders
    {{"-o", "x"}, "means"}, {{"--output-file=x"}, "means"}, {{"-include", "x.h"}, "means"}, {{"--pre-include=x.h"}, "means"}, {{"-lm"}, "means"},
    {{"-l", "m"}, "means"}, {{"--library=m"}, "means"}, {{"-DX=1"}, "means"}, {{"-D", "X"}, "means"}, {{"--define-macro=X"}, "means"}, {{"-UX"}, "means"},
    {{"--undefine-macro", "X"}, "means"}, {{"-Ix"}, "means"}, {{"-I", "x,y"}, "means"}, {{"-I=x"}, "means"}, {{"--include-path=x"}, "means"},
    {{"-isystem", "x"}, "means"}, {{"-isystem=x"}, "means"}, {{"--system-include=x"}, "means"}, {{"-Lx"}, "means"}, {{"--library-path=x"}, "means"},
    {{"-odir", "x"}, "means"}, {{"--output-directory=x"}, "means"}, {{"-ccbin", "/usr/bin/g++-4.4"}, "ignored"}, {{"--compiler-bindir=/usr/bin"}, "ignored"},
    {{"-cudart", "shared"}, "ignored"}, {{"-cudart=static"}, "ignored"}, {{"--cudart=none"}, "ignored"}, {{"-ldir", "x"}, "ignored"},
    {{"--libdevice-directory=x"}, "ignored"},
    // The compiler and the linker
    {{"-pg"}, "means"}, {{"--profile"}, "means"}, {{"-g"}, "means"}, {{"--debug"}, "means"}, {{"-G"}, "cuda-gdb is not supported"}, {{"-G0"}, "cuda-gdb is not supported"},
    {{"--device-debug"}, "cuda-gdb is not supported"}, {{"-extdeb"}, "ignored"}, {{"--extern-debug-info"}, "ignored"}, {{"-lineinfo"}, "ignored"},
    {{"--generate-line-info"}, "ignored"}, {{"-O3"}, "means"}, {{"-O", "2"}, "means"}, {{"--optimize=2"}, "means"}, {{"-m64"}, "ignored"}, {{"-m", "64"}, "ignored"},
    {{"-m32"}, "always 64-bit"}, {{"-m", "32"}, "always 64-bit"}, {{"--machine=32"}, "always 64-bit"}, {{"--machine", "64"}, "ignored"},
    {{"--machine=16"}, "allowed are 32 and 64"}, {{"-shared"}, "means"}, {{"--shared"}, "means"}, {{"-x", "cu"}, "means"}, {{"--x=c++"}, "means"},
    {{"-w"}, "means"}, {{"--disable-warnings"}, "means"}, {{"-deviceemu"}, "--model golden"}, {{"--device-emulation"}, "--model golden"},
    {{"-multicore"}, "--model golden"}, {{"--host-compilation", "C++"}, "ignored"}, {{"--host-compilation=C"}, "ignored"},
    // Passed on
    {{"-Xcompiler", "-Wall,-fPIC"}, "means"}, {{"--compiler-options", "-fno-strict-aliasing"}, "means"}, {{"-Xcompiler=\"-O3 -Wall\""}, "means"},
    {{"-Xcompiler", "-m32"}, "always 64-bit"}, {{"-Xcompiler", "/EHsc,/W3,/nologo,/O2,/Zi,/MT"}, "another compiler"}, {{"-Xlinker", "-s"}, "means"}, {{"-Xlinker", ""}, "ignored"}, {{"-Xcompiler", ""}, "ignored"},
    {{"--linker-options=-s"}, "means"}, {{"-Xopencc", "-LIST:source=on"}, "ignored"}, {{"--opencc-options=-O0"}, "ignored"}, {{"-Xcudafe", "x"}, "ignored"},
    {{"--cudafe-options=x"}, "ignored"}, {{"-Xptxas", "-v"}, "means"}, {{"--ptxas-options=-v,-O2,-maxrregcount=16"}, "means"}, {{"-Xptxas=-dlcm=cg"}, "ignored"},
    {{"-Xptxas", "-abi=no"}, "ignored"}, {{"-Xptxas", "--opt-level=2"}, "ignored"}, {{"-Xptxas", "--frobnicate"}, "known are -v"}, {{"-Xfatbin", "x"}, "ignored"},
    {{"--fatbin-options=x"}, "ignored"}, {{"-Xnvlink", "x"}, "ignored"}, {{"--nvlink-options=x"}, "ignored"},
    // What the driver does
    {{"-noprof"}, "ignored"}, {{"--dont-use-profile"}, "ignored"}, {{"-v"}, "means"}, {{"--verbose"}, "means"}, {{"-keep"}, "means"}, {{"--keep"}, "means"},
    {{"-save-temps"}, "means"}, {{"--save-temps"}, "means"}, {{"-keep-dir", "x"}, "ignored"}, {{"--keep-dir=x"}, "ignored"}, {{"-clean"}, "use rm"},
    {{"--clean-targets"}, "use rm"}, {{"-idp", "/"}, "ignored"}, {{"--input-drive-prefix=/"}, "ignored"}, {{"-ddp", "/"}, "ignored"},
    {{"--dependency-drive-prefix=/"}, "ignored"}, {{"-dp", "/"}, "ignored"}, {{"--drive-prefix=/"}, "ignored"}, {{"--cl-version", "2008"}, "ignored"},
    {{"--use-local-env"}, "ignored"}, {{"--no-align-double"}, "ignored"}, {{"-nohdinitlist"}, "ignored"}, {{"--no-host-device-initializer-list"}, "ignored"},
    {{"-nodlink"}, "ignored"}, {{"--no-device-link"}, "ignored"}, {{"-h"}, "means"}, {{"--help"}, "means"},
    // Code
    {{"-arch", "sm_13"}, "means"}, {{"-arch=compute_11"}, "means"}, {{"--gpu-architecture=sm_12"}, "means"}, {{"--gpu-name=sm_11"}, "means"},
    {{"-arch=sm_20"}, "allowed are sm_10"}, {{"-code", "sm_11"}, "means"}, {{"--gpu-code=sm_11"}, "means"},
    {{"-gencode", "arch=compute_11,code=sm_11"}, "means"}, {{"--generate-code=arch=compute_13,code=sm_13"}, "means"}, {{"-dir", "x"}, "ignored"},
    {{"--export-dir=x"}, "ignored"}, {{"-ext", "all"}, "ignored"}, {{"--extern-mode=real"}, "ignored"}, {{"-int", "none"}, "ignored"},
    {{"--intern-mode=real"}, "ignored"}, {{"-e", "k"}, "ignored"}, {{"--entries=k"}, "ignored"}, {{"-maxrregcount", "32"}, "means"},
    {{"--maxrregcount=32"}, "means"}, {{"-maxrregcount=3"}, "allowed are 4 to 124"}, {{"-maxrregcount=0x10"}, "allowed are 4 to 124"}, {{"-use_fast_math"}, "means"}, {{"--use_fast_math"}, "means"},
    {{"-ftz=true"}, "ignored"}, {{"-ftz", "true"}, "ignored"}, {{"--ftz=false"}, "neither denormals"}, {{"-prec-div=false"}, "ignored"},
    {{"--prec-div", "true"}, "neither denormals"}, {{"-prec-sqrt", "false"}, "ignored"}, {{"--prec-sqrt=true"}, "neither denormals"},
    {{"--prec-sqrt=maybe"}, "--prec-sqrt is 'maybe'; allowed are true and false"}, {{"-fmad=false"}, "means"}, {{"--fmad", "false"}, "means"},
    {{"-src-in-ptx"}, "ignored"}, {{"--source-in-ptx"}, "ignored"}, {{"-restrict"}, "ignored"}, {{"--restrict"}, "ignored"}, {{"-std=c++98"}, "means"},
    {{"-M"}, "means"}, {{"--generate-dependencies"}, "means"}, {{"-MM"}, "means"}, {{"-MMD"}, "means"}, {{"-MF", "x"}, "means"},
    {{"-lib"}, "means"}, {{"--lib"}, "means"}, {{"-dryrun"}, "means"}, {{"--dryrun"}, "means"}, {{"-V"}, "means"}, {{"--version"}, "means"},
    {{"--frobnicate"}, "is not an option of g80 cc"}, {{"-o"}, "-o needs a value"}, {{"-o", ""}, "-o needs a value"}, {{"-include="}, "-include needs a value"}, {{"-D", ""}, "-D needs a value"}, {{"--maxrregcount"}, "--maxrregcount needs a value"}};
// clang-format on

/// Everything that an option could change, as text.
std::string state_of(const CcOptions& o) {
  std::string text;
  const auto list = [&](const std::vector<std::string>& words) {
    for (const std::string& word : words) text += word + " ";
    text += "| ";
  };
  for (const auto* words :
       {&o.cuda_sources, &o.host_sources, &o.objects, &o.preprocessor, &o.host_flags, &o.run_arguments})
    list(*words);
  for (const std::string& word : {o.output, o.standard, o.output_folder, o.gpu_code, o.dependencies})
    text += word + " | ";
  for (const int number : {static_cast<int>(o.output_kind), static_cast<int>(o.arch), static_cast<int>(o.max_registers),
                           int{o.fmad}, int{o.fast_math}, int{o.keep}, static_cast<int>(o.run_mode),
                           int{o.resource_usage}, int{o.help}, int{o.run}, int{o.shared}, int{o.version}}) {
    text += std::to_string(number) + " ";
  }
  return text;
}

TEST(NvccOptions, MeanSomethingAreIgnoredForAReasonOrAreRefusedWithOneSentence) {
  const std::string file = write("option.cu", "int main() {}\n");
  const std::string plain = state_of(parse_cc_options({file}));
  for (const Row& row : kRows) {
    std::string words, said;
    for (const std::string& word : row.words) words += word + " ";
    SCOPED_TRACE(words);
    const std::string outcome = row.outcome;
    std::vector<std::string> arguments = {file};  // in front: the last option may lack its value
    arguments.insert(arguments.end(), row.words.begin(), row.words.end());
    try {
      const CcOptions options = parse_cc_options(arguments);
      for (const std::string& note : options.notes) said += note;
      // The file of -x is behind it; the default of these is what they ask for
      const bool as_it_is = outcome != "means" || row.words[0] == "-x" || row.words[0] == "--x=c++";
      EXPECT_EQ(state_of(options) == plain, as_it_is) << state_of(options);
    } catch (const g80::InputError& error) {
      said = error.what();
      EXPECT_EQ(said.rfind("cc: ", 0), 0u) << said;
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
    const std::string expected = outcome == "means" || outcome == "ignored" ? "" : outcome;
    EXPECT_NE(said.find(expected), std::string::npos) << said;
    EXPECT_EQ(said.empty(), expected.empty()) << said;
  }
}

TEST(NvccOptions, OfTheHostsCompilerAreWordsAsAShellMakesThem) {
  const std::string file = write("option.cu", "int main() {}\n");
  const auto parsed = [&](const std::string& value) { return parse_cc_options({file, "-Xcompiler", value}); };
  using List = std::vector<std::string>;
  EXPECT_EQ(parsed("-Wall,-O2").host_flags, (List{"-Wall", "-O2"}));
  EXPECT_EQ(parsed(" -Wall  -O2 ").host_flags, (List{"-Wall", "-O2"}));
  EXPECT_EQ(parsed("\"-Wall,-O2\"").host_flags, (List{"-Wall,-O2"}));
  EXPECT_EQ(parsed("'-Wl,-rpath,x'").objects, (List{"-Wl,-rpath,x"}));
  EXPECT_EQ(parsed("-Wl\\,-rpath\\,x").objects, (List{"-Wl,-rpath,x"}));
  EXPECT_EQ(parsed("-DA=1 -I x -Uy -include z.h").preprocessor, (List{"-DA=1", "-Ix", "-Uy", "-include", "z.h"}))
      << "for kernels, too";
  EXPECT_EQ(parsed("-std=gnu++98").standard, "gnu++98");
  EXPECT_EQ(parsed("-DNAME='\"a,b c\"'").preprocessor, (List{"-DNAME=\"a,b c\""}));
  EXPECT_EQ(parsed("").host_flags, List{});
}

TEST(NvccOptions, ComeFromAFileToo) {
  const std::string file = write("option.cu", "int main() {}\n");
  const std::string list = write("list.txt", "-arch=sm_12\n--fmad=false \"-DNAME=a b\"\n" + file + "\n");
  const CcOptions options = parse_cc_options({"-optf", list, "-O2"});
  EXPECT_EQ(options.arch, g80::isa::Arch::kSm12);
  EXPECT_FALSE(options.fmad);
  EXPECT_EQ(options.preprocessor, std::vector<std::string>{"-DNAME=a b"});
  EXPECT_EQ(options.cuda_sources, std::vector<std::string>{file});
  EXPECT_EQ(options.host_flags, std::vector<std::string>{"-O2"});
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      parse_cc_options({"--options-file=" + path});
    } catch (const g80::InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string none = temporary("none.txt"), folder = temporary("");
  EXPECT_EQ(refusal(none), "cc: -optf: " + none + ": the file cannot be read (No such file or directory)");
  EXPECT_EQ(refusal(folder),
            "cc: -optf: " + folder + ": the file cannot be read (it is a folder; allowed are regular files)");
}

TEST(NvccOptions, OfTheMachineCodeMayStandBeforeThoseOfTheSource) {
  const std::string file = write("option.cu", "int main() {}\n");
  EXPECT_EQ(parse_cc_options({file, "-arch=compute_10", "-code=sm_13"}).arch, g80::isa::Arch::kSm13);
  EXPECT_EQ(parse_cc_options({file, "-code=sm_13", "-arch=compute_10"}).arch, g80::isa::Arch::kSm13);
}

class Steps : public ProgramTest {
 protected:
  const std::string file = write("step.cu", R"(#include <stdio.h>
__constant__ int more = 40;
__global__ void k(int* p) { *p = more + STEP; }
extern "C" int step() {
  int h = 0, *d;
  cudaMalloc((void**)&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  return h;
}
#ifndef NO_MAIN
int main(int argc, char** argv) { printf("%d %s\n", step(), argc > 2 ? argv[2] : ""); return argc; }
#endif
)");
  const std::string g80_cc = std::string("G80_RUN='--model golden' ") + G80_PROGRAM + " cc ";
};

TEST_F(Steps, ACppFileForAnotherCompilerMakesTheSameObject) {
  ASSERT_EQ(run(g80_cc + "-cuda -DSTEP=2 -odir " + temporary("") + " " + file).output, "");
  const std::string cpp = temporary("step.cu.cpp"), object = temporary("step.o");
  const Outcome made = run("c++ -c " + cpp + " -o " + object);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_EQ(compile_and_run(object, "step", "G80_RUN='--model golden'").output, "42 \n");
}

TEST_F(Steps, ThePreprocessorAlonePrintsToStandardOutput) {
  const Outcome outcome = run(g80_cc + "-E -DSTEP=7 " + file);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.output.find("*p = more + 7;"), std::string::npos);
  EXPECT_EQ(run(g80_cc + "-E -DSTEP=8 " + file + " -o " + temporary("step.ii")).output, "");
  EXPECT_EQ(run("grep -c 'more + 8' " + temporary("step.ii")).output, "1\n");
}

TEST_F(Steps, AProgramRunsWithArgumentsAndItsCodeIsTheCommands) {
  const Outcome outcome =
      run(g80_cc + "-run -run-args x,y -Xcompiler -DSTEP=3 " + file + " -o " + temporary("step_run"));
  EXPECT_EQ(outcome.output, "43 y\n");
  EXPECT_EQ(outcome.code, 3);
}

TEST_F(Steps, ASharedLibraryTakesTheRuntimeOfItsProgram) {
  ASSERT_EQ(run(g80_cc + "-shared -DNO_MAIN -DSTEP=4 " + file + " -o " + temporary("libstep.so")).output, "");
  const std::string user = write(
      "step_user.cpp", "#include <stdio.h>\nextern \"C\" int step();\nint main() { printf(\"%d\\n\", step()); }\n");
  const Outcome outcome =
      compile_and_run(user + " " + temporary("libstep.so"), "step_user", "G80_RUN='--model golden'");
  EXPECT_EQ(outcome.output, "44\n");
}

// In a parallel region clang does not say which function calls: what both sides have must be the host's. Threads have
// contexts of their own.
TEST_F(Steps, OpenMpAndOptionsOfAnotherGxxAreTaken) {
  const std::string threads = write("threads.cu", R"(#ifdef _OPENMP
#include <omp.h>
#endif
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
__global__ void k(int* p) { *p += 1; }
int main() {
  int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
  {
    int *p, from = abs(-4), h;
    memcpy(&h, &from, sizeof h);
    assert(sqrtf(h) == 2);
    cudaMalloc((void**)&p, sizeof h);
    cudaMemcpy(p, &from, sizeof from, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    n += h;
  }
  printf("%d\n", n);
#ifdef _OPENMP
  omp_set_num_threads(3);
#pragma omp parallel
  if (omp_get_thread_num() == 2) printf("%d threads\n", omp_get_num_threads());
#endif
}
)");
  const std::string options = "-Xcompiler -Wall,-Werror,-fweb,-frename-registers,-funroll-all-loops,-Wno-long-double ";
  const Outcome without = compile_and_run(
      options + "-Xcompiler -Wno-unknown-pragmas,-Wno-source-uses-openmp " + threads, "threads", "LC_ALL=C");
  EXPECT_EQ(without.output, "5\n5\n");
  for (const char* library : {"", " -lgomp", " -Xlinker -lgomp"}) {
    EXPECT_EQ(compile_and_run(options + "-Xcompiler -fopenmp " + threads + library, "threads", "LC_ALL=C").output,
              "5\n5\n5\n15\n3 threads\n")
        << library;
  }
}

// What clang says then: of the header, or of the library.
TEST_F(Steps, MissingOpenMpIsNamed) {
  const std::string folder = temporary("no_openmp");
  ASSERT_EQ(run("mkdir -p " + folder).code, 0);
  for (const auto& [tool, said] : {std::pair{"clang", "x.cu:1:10: fatal error: 'omp.h' file not found"},
                                   std::pair{"clang++", "/usr/bin/ld: cannot find -lomp"}}) {
    const std::string path =
        write(std::string("no_openmp/") + tool, std::string("#!/bin/sh\necho \"") + said + "\" >&2\nexit 1\n");
    ASSERT_EQ(run("chmod +x " + path).code, 0);
    const Outcome refused = run("PATH=" + folder + ":$PATH " + G80_PROGRAM + " cc -DSTEP=1 -Xcompiler -fopenmp " +
                                file + " -o " + temporary("x"));
    EXPECT_NE(refused.output.find("OpenMP, and clang's library for it (omp.h, libomp) is not installed: install it"),
              std::string::npos)
        << refused.output;
    ASSERT_EQ(run("rm " + path).code, 0);
  }
}

TEST(Options, OfMakefilesOfTheTimeAreTaken) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string file = write("make.cu", "__global__ void k(int* a) { atomicAdd(a, VALUE); }\nint main() {}\n");
  struct Row {
    const char *options, *said;  // "": without a word
  };
  for (const Row& row : {
           Row{"-arch sm_11 -m64 -O2 --compiler-options -fno-strict-aliasing", ""},
           Row{"-gencode=arch=compute_11,code=\\\"sm_11,compute_11\\\"", ""},
           Row{"-gencode arch=compute_11,code=sm_11 -gencode arch=compute_13,code=sm_13 -gencode "
               "arch=compute_20,code=sm_20",
               "g80: note: of 3 -gencode options the lowest is used: sm_11\n"},
           Row{"-arch=compute_11 -code=sm_11 --ptxas-options=-v,-O3", "registers, 24 bytes shared"},
           Row{"--gpu-architecture sm_11 -po maxrregcount=16 -Xopencc -O3 -use_fast_math", ""},
           Row{"-arch=sm_11 -ccbin /usr/bin/g++ -maxrregcount 32 -keep-dir x --host-compilation C++ -Xptxas -O2", ""},
           Row{"-arch=sm_11 -m32", "g80: note: -m32: host programs are always 64-bit"},
           Row{"-arch=sm_11 -G", "g80: note: -G: cuda-gdb is not supported"},
       }) {
    SCOPED_TRACE(row.options);
    const Outcome outcome = compile(file + " -DVALUE=3 " + row.options, temporary("make"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    if (row.said[0] == '\0') {
      EXPECT_EQ(outcome.output, "");
    } else {
      EXPECT_NE(outcome.output.find(row.said), std::string::npos) << outcome.output;
    }
  }
}

TEST(Options, KernelsInAFileOfAnotherNameAreFound) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  const std::string text =
      "#include \"stdafx.h\"\n#include <stdio.h>\n__global__ void k(int* a) { *a = 7; }\n"
      "int main() { int h, *d; cudaMalloc((void**)&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, "
      "cudaMemcpyDeviceToHost);\n"
      "printf(\"%d\\n\", h); }\n";
  const Outcome found = compile_and_run(write("example.cpp", text), "example", kGolden);
  EXPECT_EQ(found.output, "7\n");
  EXPECT_NE(compile(temporary("example.cpp"), temporary("example")).output.find("compiled as CUDA"), std::string::npos);
  EXPECT_EQ(compile("-x cu " + write("example.inc", text), temporary("example")).output, "");
}

}  // namespace

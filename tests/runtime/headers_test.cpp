// SPDX-License-Identifier: Apache-2.0
// The headers of CUDA in front of programs of their time: with every language standard, in every order, beside an
// installed toolkit, with what the compilers of 2007 to 2012 took.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "tests/runtime/program_runner.h"
#include "toolchain/cuda/compile/dialect.h"

namespace {

using namespace g80::testing;

constexpr const char* kOnGolden = "G80_RUN='--model golden'";
const std::string kFolder = "toolchain/cuda/include";

std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> headers_in(const std::string& folder) {
  std::vector<std::filesystem::path> headers;
  for (const auto& entry : std::filesystem::directory_iterator(source(folder))) {
    if (entry.path().extension() == ".h") headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  return headers;
}

/// Those that a program can include: not the parts of the mathematics library, not what stands for a missing library.
std::vector<std::filesystem::path> public_headers() {
  std::vector<std::filesystem::path> headers;
  for (const std::string& folder : {kFolder, kFolder + "/sdk"}) {
    for (const std::filesystem::path& path : headers_in(folder)) {
      if (contents(path).find("#warning") == std::string::npos) headers.push_back(path);
    }
  }
  EXPECT_GT(headers.size(), 60u);
  return headers;
}

/// True if it only includes another one.
bool forwards(const std::filesystem::path& path) {
  std::istringstream lines(contents(path));
  unsigned code = 0;
  for (std::string line; std::getline(lines, line);) code += !line.empty() && line[0] != '/' && line[0] != '#';
  return code == 0;
}

std::string include_lines(const std::vector<std::filesystem::path>& headers) {
  std::string lines;
  for (const std::filesystem::path& path : headers) lines += "#include <" + path.filename().string() + ">\n";
  return lines;
}

const std::string kSystemHeaders =
    "#include <algorithm>\n#include <cmath>\n#include <complex>\n#include <fstream>\n#include <iostream>\n#include "
    "<map>\n"
    "#include <sstream>\n#include <string>\n#include <vector>\n#include <math.h>\n#include <stdio.h>\n#include "
    "<sys/time.h>\n";

class ToolkitHeaders : public ProgramTest {};

TEST_F(ToolkitHeaders, CompileTogetherWithEveryStandardInBothOrders) {
  std::vector<std::filesystem::path> headers = public_headers();
  const std::string kernel = "__global__ void k(float2* p) { p[threadIdx.x] = make_float2(sinf(p->x), p->y); }\n";
  const std::string cuda =
      write("together.cu", kSystemHeaders + include_lines(headers) + kernel + "int main() { k<<<1, 32>>>(0); }\n");
  std::reverse(headers.begin(), headers.end());
  const std::string host = write("together_host.cpp", include_lines(headers) + kSystemHeaders +
                                                          "dim3 extent(float4 v) { return dim3((unsigned)v.x); }\n");
  for (const char* standard : {"c++98", "gnu++98", "gnu++11", "gnu++17"}) {
    const Outcome outcome = run(std::string(G80_PROGRAM) + " cc -Wall -Werror -c -odir " + temporary("") +
                                " -std=" + standard + " " + cuda + " " + host);
    EXPECT_EQ(outcome.code, 0) << standard << "\n" << outcome.output;
    EXPECT_EQ(outcome.output, "") << standard;
  }
}

TEST_F(ToolkitHeaders, CompileAloneInTheOldestStandard) {
  std::string files;
  for (const std::filesystem::path& path : public_headers()) {
    if (!forwards(path))
      files += " " + write("alone_" + path.stem().string() + ".cpp", "#include <" + path.filename().string() + ">\n");
  }
  const Outcome outcome = run("clang -fsyntax-only -Wall -Werror -std=gnu++98 -I " + source(kFolder) + " -idirafter " +
                              source(kFolder + "/sdk") + files);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(ToolkitHeaders, CompileAsC) {
  std::string text;
  for (const char* name :
       {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "builtin_types.h", "cuda_profiler_api.h", "cuComplex.h",
        "driver_functions.h", "vector_functions.h", "cuda_gl_interop.h", "cudaGL.h"}) {
    text += std::string("#include <") + name + ">\n";
  }
  text +=
      "float4 sum(float4 a, struct cudaDeviceProp* p) { a.x += (float)p->major; return make_float4(a.x, 0, 0, 0); }\n"
      "cuComplex square(cuComplex a) { return cuCmulf(a, a); }\n"
      "size_t volume(struct cudaExtent e) { return make_cudaExtent(e.depth, e.height, e.width).depth; }\n";
  for (const char* standard : {"gnu89", "gnu99", "gnu11"}) {
    const Outcome outcome =
        compile("-c -std=" + std::string(standard) + " " + write("headers_c.c", text), temporary("headers_c.o"));
    EXPECT_EQ(outcome.code, 0) << standard << "\n" << outcome.output;
  }
}

TEST_F(ToolkitHeaders, CompileAloneInTheOldestCWithoutAWarning) {
  for (const std::filesystem::path& path : headers_in(kFolder)) {
    if (contents(path).find("#warning") != std::string::npos) continue;
    const Outcome outcome = run("printf '#include \"" + path.string() +
                                "\"\nint own;\n' | gcc -std=c89 -pedantic-errors -Wall -Werror -fsyntax-only -x c -");
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.code, 0);
  }
}

/// What every makefile passes: the folder of a toolkit, in which each of our headers has another one of its name.
TEST_F(ToolkitHeaders, AreFoundBeforeThoseOfAnInstalledToolkit) {
  const std::filesystem::path toolkit = temporary("toolkit");
  std::filesystem::create_directories(toolkit / "include");
  for (const std::filesystem::path& path : headers_in(kFolder)) {
    std::ofstream(toolkit / "include" / path.filename()) << "#error the toolkit's " << path.filename() << "\n";
  }
  const std::string text =
      "#include <cuda.h>\n#include \"cuda_runtime.h\"\n#include <cutil_inline.h>\n#include <vector_types.h>\n";
  const std::string cuda = write(
      "toolkit.cu", text + "__global__ void k(float* p) { p[threadIdx.x] = blockIdx.x; }\nint main() { return 0; }\n");
  const std::string host = write("toolkit_host.cpp", text), folder = (toolkit / "include").string();
  const std::string cc = std::string(G80_PROGRAM) + " cc ", files = cuda + " " + host;
  // The preprocessor is enough to meet an #error.
  for (const std::string& options : {"-I" + folder, "-I " + folder, "-I=" + folder, "-I.," + folder,
                                     "--include-path=" + folder, "-isystem " + folder, "-Xcompiler -I" + folder}) {
    const Outcome outcome = run(cc + "-E " + options + " " + files + " > " + temporary("toolkit.ii"));
    EXPECT_EQ(outcome.code, 0) << options << "\n" << outcome.output;
  }
  const Outcome inside =
      run("cd " + folder + " && CPATH=" + folder + " " + cc + "-c -I. -odir " + temporary("") + " " + files);
  EXPECT_EQ(inside.code, 0) << "in the toolkit's own folder\n" << inside.output;
}

/// Programs ship the SDK's headers with changes of their own, and CUDPP or Thrust, which no toolkit of the time had:
/// each of them in every place in which a program's own header can be.
TEST_F(ToolkitHeaders, LeaveWhatTheToolkitNeverHadToTheProgramThatBringsIt) {
  std::filesystem::create_directories(temporary("brings/inc/thrust"));
  std::filesystem::create_directories(temporary("brings/src/thrust"));
  std::string text;
  unsigned count = 0;
  for (const std::string folder : {"/sdk", "/missing", "/missing/thrust"}) {
    for (const std::filesystem::path& path : headers_in(kFolder + folder)) {
      const std::string name = (folder == "/missing/thrust" ? "thrust/" : "") + path.filename().string();
      const std::string own = "#pragma once\nenum { kOwn" + std::to_string(count) + " };\n";
      write("brings/inc/" + name, own);
      write("brings/src/" + name, own);
      text += "#include <" + name + ">\nint use" + std::to_string(count) + " = kOwn" + std::to_string(count) + ";\n";
      ++count;
    }
  }
  EXPECT_GT(count, 60u);
  const std::string cuda = write("brings.cu", text), host = write("brings_host.cpp", text);
  const std::string cc = std::string(G80_PROGRAM) + " cc -c -odir " + temporary("") + " ",
                    inc = temporary("brings/inc");
  for (const std::string& how : {"-I" + inc, "-isystem " + inc, "-Xcompiler -I" + inc}) {
    const Outcome outcome = run(cc + how + " " + cuda + " " + host);
    EXPECT_EQ(outcome.code, 0) << how << "\n" << outcome.output;
  }
  for (const char* variable : {"CPATH=", "CPLUS_INCLUDE_PATH="}) {
    const Outcome outcome = run(variable + inc + " " + cc + cuda + " " + host);
    EXPECT_EQ(outcome.code, 0) << variable << "\n" << outcome.output;
  }
  const Outcome beside = run(cc + write("brings/src/beside.cu", text));
  EXPECT_EQ(beside.code, 0) << beside.output;
  if (run("g++ --version").code != 0) return;
  const Outcome gxx = run("g++ -I" + source(kFolder) + " -I" + inc + " -c " + host + " -o " + temporary("brings.o"));
  EXPECT_EQ(gxx.code, 0) << "the toolkit first, as in the SDK's Makefiles\n" << gxx.output;
}

TEST_F(ToolkitHeaders, SayWhatALibraryIsThatAProgramDoesNotBring) {
  for (const auto& [header, sentence] :
       {std::pair("cudpp.h", "CUDPP is not part of g80"), std::pair("thrust/sort.h", "Thrust is not part of g80"),
        std::pair("cufft.h", "CUFFT is not part of g80")}) {
    const Outcome outcome =
        compile("-c " + write("wants.cu", "#include <" + std::string(header) + ">\n"), temporary("wants.o"));
    EXPECT_EQ(outcome.code, 2) << header;
    EXPECT_NE(outcome.output.find(sentence), std::string::npos) << outcome.output;
  }
}

/// Programs ask with #ifdef which header of the toolkit is there.
TEST_F(ToolkitHeaders, DefineTheGuardsOfTheToolkit) {
  std::string text;
  unsigned guards = 0;
  for (const std::filesystem::path& path : headers_in(kFolder)) {
    const std::string name = path.filename().string(), header = contents(path);
    // Of the toolkit's own headers the guard is the name, but for these.
    std::string guard = "__";
    for (const char c : path.stem().string()) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    guard += "_H__";
    if (name == "cuda.h") guard = "__cuda_cuda_h__";
    if (name == "cuComplex.h") guard = "CU_COMPLEX_H_";
    if (header.find("#define " + guard + "\n") == std::string::npos) continue;
    text += "#include <" + name + ">\n#ifndef " + guard + "\n#error " + name + "\n#endif\n";
    ++guards;
  }
  EXPECT_GT(guards, 35u);
  for (const char* guard :
       {"__DRIVER_TYPES_H__", "__CUDA_RUNTIME_H__", "__CUDA_RUNTIME_API_H__", "__cuda_cuda_h__", "__VECTOR_TYPES_H__",
        "__VECTOR_FUNCTIONS_H__", "__HOST_DEFINES_H__", "__DEVICE_LAUNCH_PARAMETERS_H__", "__CUDA_GL_INTEROP_H__",
        "__BUILTIN_TYPES_H__", "__MATH_FUNCTIONS_H__"}) {
    EXPECT_NE(text.find(guard), std::string::npos) << guard;
  }
  const Outcome outcome = compile("-c " + write("guards.cpp", text), temporary("guards.o"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

/// As the SDK's helper_cuda.h of 2012 to 2018: a name that is missing, or two of one number, end the compilation.
TEST_F(ToolkitHeaders, NameTheErrorsThatLaterProgramsList) {
  const auto cases = [](const std::string& prefix, const std::string& names) {
    std::istringstream words(names);
    std::string text;
    for (std::string name; words >> name;) text += "  case " + prefix + name + ": return 1;\n";
    return text;
  };
  const std::string runtime = cases(
      "cudaError",
      "MissingConfiguration MemoryAllocation InitializationError LaunchFailure PriorLaunchFailure LaunchTimeout "
      "LaunchOutOfResources "
      "InvalidDeviceFunction InvalidConfiguration InvalidDevice InvalidValue InvalidPitchValue InvalidSymbol "
      "MapBufferObjectFailed "
      "UnmapBufferObjectFailed InvalidHostPointer InvalidDevicePointer InvalidTexture InvalidTextureBinding "
      "InvalidChannelDescriptor "
      "InvalidMemcpyDirection AddressOfConstant TextureFetchFailed TextureNotBound SynchronizationError "
      "InvalidFilterSetting "
      "InvalidNormSetting MixedDeviceExecution CudartUnloading Unknown NotYetImplemented MemoryValueTooLarge "
      "InvalidResourceHandle "
      "NotReady InsufficientDriver SetOnActiveProcess InvalidSurface NoDevice ECCUncorrectable "
      "SharedObjectSymbolNotFound "
      "SharedObjectInitFailed UnsupportedLimit DuplicateVariableName DuplicateTextureName DuplicateSurfaceName "
      "DevicesUnavailable "
      "InvalidKernelImage NoKernelImageForDevice IncompatibleDriverContext PeerAccessAlreadyEnabled "
      "PeerAccessNotEnabled "
      "DeviceAlreadyInUse ProfilerDisabled ProfilerNotInitialized ProfilerAlreadyStarted ProfilerAlreadyStopped Assert "
      "TooManyPeers "
      "HostMemoryAlreadyRegistered HostMemoryNotRegistered OperatingSystem PeerAccessUnsupported "
      "LaunchMaxDepthExceeded "
      "LaunchFileScopedTex LaunchFileScopedSurf SyncDepthExceeded LaunchPendingCountExceeded NotPermitted NotSupported "
      "HardwareStackError IllegalInstruction MisalignedAddress InvalidAddressSpace InvalidPc IllegalAddress InvalidPtx "
      "InvalidGraphicsContext NvlinkUncorrectable JitCompilerNotFound CooperativeLaunchTooLarge StartupFailure "
      "ApiFailureBase");
  const std::string driver =
      cases("CUDA_ERROR_",
            "INVALID_VALUE OUT_OF_MEMORY NOT_INITIALIZED DEINITIALIZED PROFILER_DISABLED PROFILER_NOT_INITIALIZED "
            "PROFILER_ALREADY_STARTED "
            "PROFILER_ALREADY_STOPPED NO_DEVICE INVALID_DEVICE INVALID_IMAGE INVALID_CONTEXT CONTEXT_ALREADY_CURRENT "
            "MAP_FAILED UNMAP_FAILED "
            "ARRAY_IS_MAPPED ALREADY_MAPPED NO_BINARY_FOR_GPU ALREADY_ACQUIRED NOT_MAPPED NOT_MAPPED_AS_ARRAY "
            "NOT_MAPPED_AS_POINTER "
            "ECC_UNCORRECTABLE UNSUPPORTED_LIMIT CONTEXT_ALREADY_IN_USE PEER_ACCESS_UNSUPPORTED INVALID_PTX "
            "INVALID_GRAPHICS_CONTEXT "
            "INVALID_SOURCE FILE_NOT_FOUND SHARED_OBJECT_SYMBOL_NOT_FOUND SHARED_OBJECT_INIT_FAILED OPERATING_SYSTEM "
            "INVALID_HANDLE "
            "NOT_FOUND NOT_READY ILLEGAL_ADDRESS LAUNCH_OUT_OF_RESOURCES LAUNCH_TIMEOUT LAUNCH_INCOMPATIBLE_TEXTURING "
            "PEER_ACCESS_ALREADY_ENABLED PEER_ACCESS_NOT_ENABLED PRIMARY_CONTEXT_ACTIVE CONTEXT_IS_DESTROYED ASSERT "
            "TOO_MANY_PEERS "
            "HOST_MEMORY_ALREADY_REGISTERED HOST_MEMORY_NOT_REGISTERED HARDWARE_STACK_ERROR ILLEGAL_INSTRUCTION "
            "MISALIGNED_ADDRESS "
            "INVALID_ADDRESS_SPACE INVALID_PC LAUNCH_FAILED NOT_PERMITTED NOT_SUPPORTED UNKNOWN");
  const std::string file =
      write("errors.cpp",
            "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <stdio.h>\n"
            "int known(cudaError_t error) { switch (error) { case cudaSuccess: return 0;\n" +
                runtime +
                "}\nreturn -1; }\n"
                "int known(CUresult error) { switch (error) { case CUDA_SUCCESS: return 0;\n" +
                driver +
                "}\nreturn -1; }\n"
                "int main() { printf(\"%d %d %s, %s\\n\", known(cudaErrorAssert), known(CUDA_ERROR_ASSERT),\n"
                "cudaGetErrorName(cudaErrorPeerAccessNotEnabled), "
                "cudaGetErrorString(cudaErrorPeerAccessAlreadyEnabled)); }\n");
  const Outcome outcome = compile_and_run(file, "errors", kOnGolden);
  EXPECT_EQ(outcome.output, "1 1 cudaErrorPeerAccessNotEnabled, peer access is already enabled\n");
}

TEST_F(ToolkitHeaders, HaveTheSdksComparisonsOfEveryType) {
  const std::string file = write("compare.cu", R"(
#include <helper_functions.h>
int main() {
  int a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 5};
  unsigned char c[2] = {250, 3}, d[2] = {3, 250};
  if (!compareData(a, a, 4, 0.15f, 0.0f) || compareData(a, b, 4, 0.15f, 0.0f) || !compareData(a, b, 4, 1, 0.0f)) return 1;
  if (!compareDataAsFloatThreshold(a, b, 4, 0.15f, 0.25f) || compareData(c, d, 2, 200.0f, 0.0f)) return 2;
  return MIN(0, 1) + MAX(-1, 0);
}
)");
  EXPECT_EQ(compile_and_run(file, "compare", kOnGolden).code, 0);
}

/// Kernels of a program that shows them with OpenGL are tried without.
TEST_F(ToolkitHeaders, OfGraphicsAreNoErrorUntilAProgramCallsThem) {
  const std::string head =
      "#include <cuda_gl_interop.h>\n#include <cudaGL.h>\n#include <cutil_gl_error.h>\n#include "
      "<cutil_gl_inline.h>\n#include <helper_cuda_gl.h>\n"
      "#include <helper_gl.h>\n#include <rendercheck_gl.h>\n"
      "GLuint buffer;\ncudaGraphicsResource* shared;\nCheckRender* check;\n";
  EXPECT_EQ(
      compile("-c " + write("graphics.cu", head + "__global__ void k(int* p) { *p = 1; }\n"), temporary("graphics.o"))
          .code,
      0);
  std::string calls;
  unsigned number = 0;
  for (const char* call : {"cudaGLSetGLDevice(0)",
                           "cudaGraphicsGLRegisterBuffer(&shared, buffer, 0)",
                           "cudaGraphicsGLRegisterImage(&shared, buffer, 0, 0)",
                           "cudaGLRegisterBufferObject(buffer)",
                           "cudaGLMapBufferObject(0, buffer)",
                           "cudaGLMapBufferObjectAsync(0, buffer, 0)",
                           "cudaGLUnmapBufferObject(buffer)",
                           "cudaGLUnmapBufferObjectAsync(buffer, 0)",
                           "cudaGLUnregisterBufferObject(buffer)",
                           "cudaGLSetBufferObjectMapFlags(buffer, 0)",
                           "cudaGraphicsUnregisterResource(shared)",
                           "cudaGraphicsResourceSetMapFlags(shared, 0)",
                           "cudaGraphicsMapResources(1, &shared, 0)",
                           "cudaGraphicsUnmapResources(1, &shared, 0)",
                           "cudaGraphicsResourceGetMappedPointer(0, 0, shared)",
                           "cudaGraphicsSubResourceGetMappedArray(0, shared, 0, 0)",
                           "cuGLInit()",
                           "check = new CheckBackBuffer(512, 512, 4)",
                           "cutilGLDeviceInit(0, 0)",
                           "findCudaGLDevice(0, 0)",
                           "sdkCheckErrorGL(0, 0)",
                           "cutCheckErrorGL(0, 0)"}) {
    calls += "  " + std::string(call) + ";\n";
    ++number;
  }
  const Outcome outcome =
      compile("-Xcompiler -ferror-limit=0 -c " + write("graphics.cpp", head + "void calls() {\n" + calls + "}\n"),
              temporary("graphics.o"));
  EXPECT_EQ(outcome.code, 2);
  unsigned told = 0;
  const std::string sentence = "is unavailable: graphics interoperability is not part of g80";
  for (std::size_t at = outcome.output.find(sentence); at != std::string::npos;
       at = outcome.output.find(sentence, at + 1))
    ++told;
  EXPECT_EQ(told, number) << outcome.output;
}

TEST_F(ToolkitHeaders, BringWhatGxx4Brought) {
  const std::string file = write("gxx4.cu", R"(
#include <iostream>
#include <inttypes.h>
struct Node {
  int value;
  int get() { if (this) return value; return -1; }
  __device__ int found() { if (this == 0) return -2; return value; }
};
__global__ void k(Node* none, int* to) { *to = none->found(); }
Node* volatile nobody = 0;
int main() {
  double step = 2.5;
  int narrow[2] = {step, 1}, h = 0, *d;
  sleep(0);
  cudaMalloc((void**)&d, 4);
  k<<<1, 1>>>(0, d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d %d %d %"PRId64" %zu\n", narrow[0], nobody->get(), h, (int64_t)7, strlen("four"));
}
)");
  for (const char* standard : {"", "-std=gnu++98 ", "-O2 -std=c++98 "}) {
    const Outcome outcome = compile_and_run(standard + file, "gxx4", kOnGolden);
    EXPECT_EQ(outcome.output, "2 -1 -2 7 4\n") << standard;
  }
}

TEST_F(ToolkitHeaders, LetARuntimeProgramCallTheDriver) {
  const std::string file = write("mixed.cu", R"(
#include <cuda.h>
#include <stdio.h>
int main() {
  void* p;
  size_t free = 0, total = 0, bytes = 0;
  CUcontext context = 0;
  CUdeviceptr start = 0;
  printf("%d ", (int)cuMemGetInfo(&free, &total));
  if (cudaMalloc(&p, 256) != cudaSuccess) return 1;
  printf("%d ", (int)cuMemGetInfo(&free, &total));
  if (total == 0 || cuCtxAttach(&context, 0) != CUDA_SUCCESS || context == 0) return 2;
  if (cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)(size_t)p) != CUDA_SUCCESS || bytes != 256) return 3;
  printf("%d %d\n", start == (CUdeviceptr)(size_t)p, (int)cuMemsetD8(start, 1, 256));
}
)");
  EXPECT_EQ(compile_and_run(file, "mixed", kOnGolden).output, "3 0 1 0\n");
}

/// Before CUDA 3.2 sizes were unsigned int.
TEST_F(ToolkitHeaders, TakeSizesOfBothWidths) {
  const std::string text = R"(
#include <cuda.h>
#include <stdio.h>
static const char* ptx =
    ".version 1.4\n.target sm_10\n.global .u32 word;\n.tex .u64 image;\n.entry k() { exit; }\n";
template <class Size>
static void use(CUmodule module, CUtexref image) {
  struct {
    Size value, behind;
  } sizes[7];
  CUdeviceptr rows = 0, start = 0;
  for (int k = 0; k < 7; ++k) sizes[k].value = sizes[k].behind = 12345;
  int result = cuDeviceTotalMem(&sizes[0].value, 0) + cuMemGetInfo(&sizes[1].value, &sizes[2].value) +
               cuMemAllocPitch(&rows, &sizes[3].value, 100, 3, 4) +
               cuMemGetAddressRange(&start, &sizes[4].value, rows) +
               cuModuleGetGlobal(&start, &sizes[5].value, module, "word") +
               cuTexRefSetAddress(&sizes[6].value, image, rows + 4, 64);
  printf("%d: %d %d", result, sizes[0].value == sizes[2].value, sizes[1].value < sizes[2].value);
  for (int k = 3; k < 7; ++k) printf(" %d", (int)sizes[k].value);
  for (int k = 0; k < 7; ++k) result += sizes[k].behind != 12345;
  result += cuModuleGetGlobal(&start, (Size*)0, module, "word");
  sizes[0].value = 7;
  const int wrong = cuModuleGetGlobal(&start, &sizes[0].value, module, "none") != CUDA_SUCCESS;
  printf(" %d %d %d\n", result, wrong, (int)sizes[0].value);
}
int main() {
  CUcontext context;
  CUmodule module;
  CUtexref image;
  CUdeviceptr start = 0;
  if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoadData(&module, ptx)) return 1;
  if (cuModuleGetTexRef(&image, module, "image")) return 2;
  use<size_t>(module, image);
  use<unsigned int>(module, image);
  return cuModuleGetGlobal(&start, NULL, module, "word") + cuModuleGetGlobal(&start, 0, module, "word");
}
)";
  for (const char* name : {"sizes.cpp", "sizes.cu"}) {
    for (const char* standard : {"-std=c++98 ", "-std=gnu++17 "}) {
      const Outcome outcome = compile_and_run(standard + write(name, text), "sizes", kOnGolden);
      const std::string line = "0: 1 1 256 768 4 4 0 1 7\n";
      EXPECT_EQ(outcome.output, line + line) << name << " " << standard;
      EXPECT_EQ(outcome.code, 0);
    }
  }
}

// Spellings that clang does not take. Positions stay, so a message names the line and column of the program.

std::string rewritten(const std::string& text) {
  const std::string result = g80::cuda::in_clangs_dialect(text);
  EXPECT_EQ(result.size(), text.size());
  EXPECT_EQ(std::count(result.begin(), result.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
  return result;
}

TEST(Dialect, BlanksInsideTheBracketsOfALaunchAreTakenOut) {
  // clang-format off
  EXPECT_EQ(rewritten("k << < 1, 4 >> > (d);"), "k <<<  1, 4 >>>  (d);");
  EXPECT_EQ(rewritten("k< <<1, 4> >>(d);"), "k<<< 1, 4>>> (d);");
  EXPECT_EQ(rewritten("k < < < 1, 4 > > > (d);"), "k <<<   1, 4 >>>   (d);");
  EXPECT_EQ(rewritten("k <<\n< grid,\n block >>\n> (d);"), "k <<<\n grid,\n block >>>\n (d);");
  EXPECT_EQ(rewritten("k<<<1, 4>> >(d);"), "k<<<1, 4>>> (d);");
  EXPECT_EQ(rewritten("k<T> << <f(a >> 1), (b >> c), n >> 2 >> >\n(d);"), "k<T> <<< f(a >> 1), (b >> c), n >> 2 >>> \n(d);");
  EXPECT_EQ(rewritten("#define RUN(k) k << <1, 2>> > \\\n  (d)"), "#define RUN(k) k <<< 1, 2>>>  \\\n  (d)");
  EXPECT_EQ(rewritten("k<<<1, V<W<int> >::n>>>(d);"), "k<<<1, V<W<int> >::n>>>(d);");
  // clang-format on
}

TEST(Dialect, ADeviceBesideASharedIsTakenOut) {
  EXPECT_EQ(rewritten("__device__ __shared__ float s[32];"), "           __shared__ float s[32];");
  EXPECT_EQ(rewritten("__shared__ __device__ int s;"), "__shared__            int s;");
  EXPECT_EQ(rewritten("extern __device__\n  __shared__ int s[];"), "extern           \n  __shared__ int s[];");
  EXPECT_EQ(rewritten("__device__ static __shared__ int s;"), "           static __shared__ int s;");
}

TEST(Dialect, NothingElseIsTouched) {
  for (const char* text :
       {"k<<<1, 4>>>(d);", "\"k << < 1 >> > (d)\"; // k << < 1 >> > (d)\n/* k << < 1 >> > (d) */ 'x'",
        "x = a << b < c; y = a >> b > c;", "std::vector<std::vector<std::set<int> > > v; A<B<C<int>> > (w);",
        "std::ostream& operator<< <T>(std::ostream& out, const T& t);", "R\"(k << < 1 >> > (d))\"",
        "__device__ int f(); __shared__ int s;", "int n = 1'000; k<<<n, 1>>>(d); '\\''; \"\\\"\"",
        "#error don't\nk<<<1, 4>>>(d);", "", "<", "<<", "'", "\"", "/*", "//", "k << ", "R\"", "__device__"}) {
    EXPECT_EQ(rewritten(text), text);
  }
}

TEST_F(ToolkitHeaders, ProgramsInTheSpellingsOfTheTimeRun) {
  write("spaced_kernels.cuh",
        "template <int n> __global__ void k(int* p) {\n  __device__ __shared__ int s[32];\n  s[threadIdx.x] = "
        "threadIdx.x + n;\n"
        "  __syncthreads();\n  p[threadIdx.x] = s[31 - threadIdx.x];\n}\n"
        "template <int n> void launch(int* p) { k<n> << < 1, 32 >> > (p); }\n");
  const std::string file = write("spaced.cu", R"(#include <stdio.h>
#include "spaced_kernels.cuh"
int main() {
  int *d, h[32];
  cudaMalloc((void**)&d, sizeof h);
  k<1> << < 1, 32 >> > (d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d ", h[3]);
  launch<100>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
}
)");
  EXPECT_EQ(compile_and_run(file, "spaced", kOnGolden).output, "29 128\n");
  // The relative path of a makefile, from another folder, and a message with line and column of the program
  const std::string there = "cd " + temporary("common") + " && " + G80_PROGRAM + " cc ";
  std::filesystem::create_directories(temporary("common"));
  EXPECT_EQ(run(there + "-c -I.. ../spaced.cu -o spaced.o").code, 0);
  write("wrong_spaced.cu", "__global__ void k(int* p) {}\nint main() {\n  k << < 1, 4 >> > (0); wrong;\n}\n");
  const Outcome wrong = run(there + "../wrong_spaced.cu -o wrong");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.output.find("../wrong_spaced.cu:3:25: error: use of undeclared identifier 'wrong'"),
            std::string::npos)
      << wrong.output;
}

TEST_F(ToolkitHeaders, AKernelThatIsADeviceFunctionTooIsOneClearError) {
  const Outcome outcome = compile(
      write("both.cu", "__global__ __device__ void k(float* p) { p[threadIdx.x] = 1; }\nint main() { return 0; }\n"),
      temporary("both"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.output.find("both.cu:1:12: error: 'device' and 'global' attributes are not compatible"),
            std::string::npos)
      << outcome.output;
}

}  // namespace

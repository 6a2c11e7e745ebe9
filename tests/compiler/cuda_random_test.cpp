// SPDX-License-Identifier: Apache-2.0
// Random CUDA kernels through clang and our compiler: what they store is what the host computes. A kernel that fails is
// shrunk before it is shown.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/compiler/cuda_execution.h"
#include "tests/compiler/cuda_text.h"
#include "tests/compiler/ptx_runner.h"
#include "tests/compiler/random_cuda.h"
#include "tests/support/random_seed.h"
#include "toolchain/cuda/compile/rotations.h"
#include "toolchain/cuda/compile/signed_extracts.h"

namespace g80 {
namespace {

constexpr unsigned kRandomThreads = 24;
constexpr unsigned kWords = 36;     // of results of each thread
constexpr unsigned kOwnWords = 20;  // where those in shared memory begin, and then those in global memory
constexpr const char* kPrelude =
    "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n"
    "typedef unsigned int u32; typedef unsigned long long u64;\n"
    "#define FINISH out[0] = v0; out[1] = v1; out[2] = v2; out[3] = v3; out[4] = v4; out[5] = v5; out[6] = (u32)v6; "
    "out[7] = (u32)(v6 >> 32); out[8] = (u32)v7; out[9] = (u32)(v7 >> 32); "
    "for (u32 k = 0; k < 8; ++k) out[10 + k] = a[k]; ((unsigned short*)out)[36] = v8; ((short*)out)[37] = v9; "
    "FINISH_OWN\n";

/// What all threads read; one barrier, and then they only read it.
std::uint32_t edge_word(std::uint32_t k) { return k * 0x9e3779b9u >> 2 * k; }
std::uint32_t tile_word(std::uint32_t k, const std::vector<std::uint32_t>& in) {
  return k < kRandomThreads ? in[k] * 3 + 1 : in[k - kRandomThreads] ^ 5;
}
std::string edge_text() {
  std::string text = "__attribute__((constant)) u32 edge[16] = {";
  for (std::uint32_t k = 0; k < 16; ++k) text += std::to_string(edge_word(k)) + "u, ";
  return text + "};\n#define FINISH_OWN for (u32 k = 0; k < 8; ++k) out[20 + k] = own[t * 8 + k]\n";
}
constexpr const char* kFillMemories =
    "__attribute__((shared, aligned(16))) u32 tile[32], own[192]; const u32* all = in; u32* mine = out + t * 36 + 28;\n"
    "tile[t] = all[t] * 3 + 1; if (t < 8) tile[24 + t] = all[t] ^ 5;\n"
    "for (u32 k = 0; k < 8; ++k) { own[t * 8 + k] = k * 11 + all[t * 4 + 3]; mine[k] = k * 7 + all[t * 4 + 2]; }\n"
    "__syncthreads();\n";
constexpr const char* kPointers = "const u32 *r0 = tile, *r1 = a; u32 *w0 = own + t * 8, *w1 = mine;\n";

std::string kernel_text(const std::string& name, const CudaNode& program, bool with_memories) {
  std::string text =
      "extern \"C\" __global__ void " + name + "(u32* out, const u32* in) {\n" +
      "u32 t = __nvvm_read_ptx_sreg_tid_x();\n" + (with_memories ? kFillMemories : "") +
      "in += t * 4; out += t * 36;\n" +
      "u32 v0 = in[0], v1 = in[1], v2 = in[2], v3 = in[3], v4 = t, v5 = 0; u64 v6 = in[0] | (u64)in[1] "
      "<< 32, v7 = v0; unsigned short v8 = ((const unsigned short*)in)[5]; short v9 = ((const short*)in)[6];\n" +
      "u32 a[8] __attribute__((aligned(16))); for (u32 k = 0; k < 8; ++k) a[k] = k * 5 + v1;\n" +
      (with_memories ? kPointers : "");
  text += cuda_text(program);
  return text + "FINISH;\n}\n";
}

std::vector<std::uint32_t> on_host(const CudaNode& program, const std::vector<std::uint32_t>& in, bool with_memories) {
  std::vector<std::uint32_t> out, tile, edge;
  for (std::uint32_t k = 0; k < 32; ++k) tile.push_back(tile_word(k, in));
  for (std::uint32_t k = 0; k < 16; ++k) edge.push_back(edge_word(k));
  for (std::uint32_t t = 0; t < kRandomThreads; ++t) {
    CudaState s;
    const std::uint32_t* p = &in[4 * t];
    s.v = {
        p[0], p[1], p[2], p[3], t, 0, p[0] | std::uint64_t{p[1]} << 32, p[0], kept_in(8, p[2] >> 16), kept_in(9, p[3])};
    for (std::uint32_t k = 0; k < 8; ++k) s.a[k] = k * 5 + p[1];
    for (std::uint32_t k = 0; k < 8 && with_memories; ++k) {
      s.own[k] = k * 11 + p[3];
      s.mine[k] = k * 7 + p[2];
    }
    s.tile = tile.data();
    s.all = in.data();
    s.edge = edge.data();
    cuda_execute(program, s);
    for (unsigned k = 0; k < 6; ++k) out.push_back(static_cast<std::uint32_t>(s.v[k]));
    for (unsigned k = 6; k < 8; ++k) {
      out.push_back(static_cast<std::uint32_t>(s.v[k]));
      out.push_back(static_cast<std::uint32_t>(s.v[k] >> 32));
    }
    out.insert(out.end(), s.a.begin(), s.a.end());
    out.push_back(static_cast<std::uint32_t>(s.v[8] | s.v[9] << 16));
    out.resize(t * kWords + kOwnWords);
    out.insert(out.end(), s.own.begin(), s.own.end());
    out.insert(out.end(), s.mine.begin(), s.mine.end());
  }
  return out;
}

bool has_clang() { return std::system("clang --version > /dev/null 2>&1") == 0; }

std::size_t kernels_with_calls = 0;

/// PTX of a CUDA text.
std::string clang(const std::string& text, const std::string& level) {
  const std::string base = testing::TempDir() + "g80_random_" + std::to_string(::getpid());
  std::ofstream(base + ".cu") << text;
  const std::string command = "clang -x cuda --cuda-gpu-arch=sm_20 -nocudainc -nocudalib --cuda-path=" + base +
                              ".none -ffp-contract=off -w -S " + "--cuda-device-only -O" + level + " " + base +
                              ".cu -o " + base + ".ptx 2> " + base + ".err";
  const int status = std::system(command.c_str());
  std::ifstream file(base + (status == 0 ? ".ptx" : ".err"));
  std::string result((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const char* suffix : {".cu", ".ptx", ".err"}) std::remove((base + suffix).c_str());
  if (status != 0) throw std::runtime_error("clang: " + result.substr(0, 2000));
  return cuda::mend_rotations(cuda::mend_signed_extracts(result));
}

std::string program_text(const std::vector<CudaTree>& programs, bool with_memories) {
  std::string text = std::string(kPrelude) + kCudaFunctions + kCudaLeaveFunction;
  text += with_memories ? edge_text() + kCudaMemoryFunctions : "#define FINISH_OWN\n";
  std::map<std::uint64_t, CudaTree> functions;
  for (const CudaTree& program : programs) cuda_functions_of(*program, functions);
  for (const auto& [number, body] : functions) text += cuda_function_text(number, *body);
  text += "#undef LEAVE\n#define LEAVE { FINISH; return; }\n";
  for (std::size_t k = 0; k < programs.size(); ++k)
    text += kernel_text("k" + std::to_string(k), *programs[k], with_memories);
  return text;
}

/// The numbers of the programs whose results differ. Levels with an f: the other side of branches runs first.
std::vector<std::size_t> failures(const std::vector<CudaTree>& programs, const std::string& level,
                                  const std::vector<std::uint32_t>& in, bool with_memories) {
  const std::string text = program_text(programs, with_memories);
  CompileOptions options;
  options.arch = level[0] == '0' ? isa::Arch::kSm10 : isa::Arch::kSm13;
  const bool falls = level.back() == 'f';
  PtxProgram device(clang(text, level.substr(0, 1)), options,
                    falls ? DivergenceFirst::kFallthrough : DivergenceFirst::kTaken);
  for (const KernelInfo& kernel : device.result().kernels) kernels_with_calls += !kernel.functions.empty();
  const std::uint32_t input = device.upload(in),
                      output = device.upload(std::vector<std::uint32_t>(kWords * kRandomThreads));
  std::vector<std::size_t> failed;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    device.run("k" + std::to_string(k), 1, kRandomThreads, {output, 0, input, 0});
    if (device.download<std::uint32_t>(output, kWords * kRandomThreads) != on_host(*programs[k], in, with_memories))
      failed.push_back(k);
  }
  return failed;
}

void for_every_block(const CudaTree& node, const std::function<void(CudaNode&)>& apply) {
  if (node->kind == CudaNode::kBlock) apply(*node);
  for (const CudaTree& child : node->children) for_every_block(child, apply);
}

/// Leaves out statements as long as the result stays wrong.
void shrink(const CudaTree& program, const std::string& level, const std::vector<std::uint32_t>& in,
            bool with_memories) {
  unsigned tries = 60;
  for (bool again = true; again;) {
    again = false;
    std::vector<CudaNode*> blocks;
    for_every_block(program, [&](CudaNode& block) { blocks.push_back(&block); });
    for (CudaNode* block : blocks) {
      for (std::size_t k = 0; k < block->children.size() && tries > 0; --tries) {
        const std::vector<CudaTree> old = block->children;
        block->children.erase(block->children.begin() + static_cast<std::ptrdiff_t>(k));
        if (!failures({program}, level, in, with_memories).empty()) {
          again = true;
        } else {
          block->children = old;
          ++k;
        }
      }
      if (again) break;
    }
  }
}

/// `functions`: random ones that the programs of a batch may call.
void run_batches(const std::string& level, unsigned batches, unsigned programs_each, unsigned statements,
                 unsigned depth, std::uint32_t seed, unsigned functions = 0, bool with_memories = false) {
  if (!has_clang()) GTEST_SKIP() << "clang was not found";
  SCOPED_TRACE("seed " + std::to_string(seed) + ", -O" + level);
  std::mt19937 rng(seed);
  std::vector<std::uint32_t> in;
  for (unsigned k = 0; k < 4 * kRandomThreads; ++k) in.push_back(rng() >> (rng() % 4 == 0 ? rng() % 32 : 0));
  for (unsigned batch = 0; batch < batches; ++batch) {
    CudaGenerator generator(seed + 1000 * batch);
    for (unsigned k = 0; k < functions; ++k) generator.add_function(4 + k, 2);
    if (with_memories) generator.use_memories(level[0] != '0', level[0] != '0');  // -O0 keeps pointers in memory
    std::vector<CudaTree> programs;
    for (unsigned k = 0; k < programs_each; ++k) programs.push_back(generator.block(statements, depth));
    const std::vector<std::size_t> failed = failures(programs, level, in, with_memories);
    if (failed.empty()) continue;
    const CudaTree program = programs[failed[0]];
    shrink(program, level, in, with_memories);
    FAIL() << failed.size() << " of " << programs_each << " programs of batch " << batch
           << " differ; the first, shrunk:\n"
           << program_text({program}, with_memories);
  }
}

TEST(RandomCuda, OptimisedExpressionsComputeWhatTheHostComputes) { run_batches("2", 6, 150, 6, 0, 1); }
TEST(RandomCuda, OptimisedControlFlowComputesWhatTheHostComputes) { run_batches("2", 4, 100, 5, 3, 2); }
TEST(RandomCuda, UnoptimisedExpressionsComputeWhatTheHostComputes) { run_batches("0", 4, 150, 5, 0, 3); }
TEST(RandomCuda, UnoptimisedControlFlowComputesWhatTheHostComputes) { run_batches("0", 4, 100, 4, 3, 4); }

void run_calls(const std::string& level, std::uint32_t seed) {
  kernels_with_calls = 0;
  run_batches(level, 1, 30, 4, 2, seed, 5);
  if (!has_clang()) return;
  EXPECT_GT(kernels_with_calls, 10u) << "most programs should call";
}
TEST(RandomCuda, OptimisedCallsComputeWhatTheHostComputes) { run_calls("2", 5); }
TEST(RandomCuda, OptimisedCallsDoNotDependOnTheOrderOfDivergentWays) { run_calls("2f", 6); }
TEST(RandomCuda, UnoptimisedCallsComputeWhatTheHostComputes) { run_calls("0", 7); }

/// Stencils, halos, pointers: an access is of one memory or another, and clang makes one access of those of two ways.
void run_memories(const std::string& level, std::uint32_t seed, unsigned batches) {
  run_batches(level, batches, 30, 6, 2, random_seed() + seed, 1, true);
}
TEST(RandomCuda, OptimisedAccessesOfAnyMemoryComputeWhatTheHostComputes) { run_memories("2", 8, 2); }
TEST(RandomCuda, OptimisedAccessesOfAnyMemoryDoNotDependOnTheOrderOfDivergentWays) { run_memories("2f", 9, 1); }
TEST(RandomCuda, LessOptimisedAccessesOfAnyMemoryComputeWhatTheHostComputes) { run_memories("1", 10, 1); }
TEST(RandomCuda, UnoptimisedAccessesOfAnyMemoryComputeWhatTheHostComputes) { run_memories("0", 11, 1); }

}  // namespace
}  // namespace g80

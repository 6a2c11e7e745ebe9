// SPDX-License-Identifier: Apache-2.0
// A CUDA kernel that is a tree as C.
#pragma once
#include <cstdint>
#include <string>

#include "tests/compiler/cuda_operations.h"
#include "tests/compiler/cuda_tree.h"

namespace g80 {

inline std::string cuda_text(const CudaNode& n, unsigned depth = 0) {
  const auto child = [&](std::size_t k) { return cuda_text(*n.children[k], depth + 1); };
  const auto variable = [&] { return "v" + std::to_string(n.op); };
  const auto fill = [&](const char* pattern) {
    std::string text;
    for (const char* c = pattern; *c != 0; ++c)
      text += *c == '@' ? child(0) : *c == '#' ? child(1) : std::string(1, *c);
    return text;
  };
  const auto fill_access = [&](const char* pattern) {
    std::string text;
    for (const char* c = pattern; *c != 0; ++c)
      text += *c == '@' ? kCudaPointers[n.op] : *c == '#' ? child(0) : *c == '%' ? child(1) : std::string(1, *c);
    return text;
  };
  const auto element = [&](unsigned memory, const std::string& index) {
    return std::string(kCudaMemories[memory].base) + "[(" + index + ") & " +
           std::to_string(kCudaMemories[memory].words - 1) + "]";
  };
  const std::string i = "i" + std::to_string(depth);
  const std::string next = "next" + std::to_string(n.number), exit = "exit" + std::to_string(n.number);
  switch (n.kind) {
    case CudaNode::kNumber: return std::to_string(static_cast<std::uint32_t>(n.number)) + "u";
    case CudaNode::kVariable: return is_short_variable(n.op) ? "((u32)" + variable() + ")" : variable();
    case CudaNode::kElement: return element(n.op, child(0));
    case CudaNode::kThrough: return fill_access(kCudaReads[n.number]);
    case CudaNode::kUnary: return fill(kCudaUnary[n.op]);
    case CudaNode::kBinary: return fill(kCudaBinary[n.op]);
    case CudaNode::kChoice: return "(((" + child(0) + ") & 1) != 0 ? " + child(1) + " : " + child(2) + ")";
    case CudaNode::kCall:
      return (n.body ? "f" + std::to_string(n.number) : std::string(n.op == 0 ? "distance" : "walk")) + "((u32)(" +
             child(0) + "), (u32)(" + child(1) + "))";
    case CudaNode::kAssign: return variable() + " = " + child(0) + ";\n";
    case CudaNode::kStoreElement:
      return "{ u32 at = (" + child(0) + ") & 7; " + element(n.op, "at") + " = (u32)(" + child(1) + "); }\n";
    case CudaNode::kPoint: {
      const auto place = [&](std::size_t k) {
        const CudaMemory& memory = kCudaMemories[n.number >> 8 * k & 0xff];
        return std::string(memory.base) + " + 4 * ((u32)(" + child(k) + ") % " + std::to_string(memory.words / 4) +
               "u)";
      };
      const std::string to = std::string(kCudaPointers[n.op]) + " = ";
      if (n.children.size() == 1) return to + place(0) + ";\n";
      return to + "((" + child(2) + ") & 1) != 0 ? " + place(0) + " : " + place(1) + ";\n";
    }
    case CudaNode::kStoreThrough: return fill_access(kCudaWrites[n.number]) + ";\n";
    case CudaNode::kAtomicAdd:
      return variable() + " = (u32)__nvvm_atom_add_gen_i((int*)(((" + child(0) + ") & 1) != 0 ? &" +
             element(kOwn, child(1)) + " : &" + element(kMine, child(1)) + "), (int)(u32)(" + child(2) + "));\n";
    case CudaNode::kIf: return "if (((" + child(0) + ") & 1) != 0) {\n" + child(1) + "} else {\n" + child(2) + "}\n";
    case CudaNode::kFor:
      return "{ u32 e = (u32)((" + child(0) + ") & 7); for (u32 " + i + " = 0; " + i + " < e; ++" + i + ") {\n" +
             child(1) + "if ((v0 & 15) == 15) break;\n" + variable() + " += " + i + ";\n" + next + ":;\n}\n" + exit +
             ":; }\n";
    case CudaNode::kWhile:
      return "{ u32 " + i + " = 0; while (((" + child(0) + ") & 3) != 0 && " + i + " < 5) {\n" + child(1) + next +
             ":; ++" + i + ";\n}\n" + exit + ":; }\n";
    case CudaNode::kSwitch: {
      std::string text = "switch ((u32)((" + child(0) + ") & 3) % " + std::to_string(n.children.size() - 1) + "u) {\n";
      for (std::size_t k = 1; k < n.children.size(); ++k)
        text += "case " + std::to_string(k - 1) + ": {\n" + child(k) + "} break;\n";
      return text + "}\n";
    }
    case CudaNode::kBreak: return "goto " + exit + ";\n";
    case CudaNode::kContinue: return "goto " + next + ";\n";
    case CudaNode::kReturn: return "LEAVE;\n";
    default: {
      std::string text;
      for (const CudaTree& c : n.children) text += cuda_text(*c, depth + 1);
      return text;
    }
  }
}

inline std::string cuda_function_text(std::uint64_t number, const CudaNode& body) {
  return "static __device__ __attribute__((noinline)) u32 f" + std::to_string(number) +
         "(u32 x, u32 y) {\nu32 v0 = x, v1 = y, v2 = x + y, v3 = x ^ y, v4 = x & y, v5 = 0; u64 v6 = x | (u64)y << 32, "
         "v7 = "
         "x; unsigned short v8 = y; short v9 = x;\nu32 a[8]; for (u32 k = 0; k < 8; ++k) a[k] = k * 3 + y;\n" +
         cuda_text(body) + "LEAVE;\n}\n";
}
inline constexpr const char* kCudaLeaveFunction =
    "#define LEAVE return ((((((v0 * 3 + v1) * 3 + v2) * 3 + v3) * 3 + v4) * 3 + v5) * 5 + v8) * 5 + (u32)v9 + "
    "(u32)(v6 >> 32) + (u32)v7 + "
    "a[x & 7]\n";

}  // namespace g80

// SPDX-License-Identifier: Apache-2.0
// PTX programs of any length, one shape per kind of work that a compiler can do too much of. The bench measures their
// compile time, a test counts the steps.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace g80 {

/// Writes a kernel `k(p, n)` around a body. Registers: %r, %rd, %p; %r0 is the thread number, %rd0 and %r1 hold p and
/// n, %rd1 the address of the thread's own word.
class SizedProgram {
 public:
  SizedProgram& line(const std::string& text) {
    body_ += text + "\n";
    return *this;
  }
  std::string finish(const std::string& variables = "") const {
    return ".version 1.4\n.target sm_13\n.entry k(.param .u64 p, .param .u32 n)\n{\n"
           ".reg .u32 %r<1000>;\n.reg .u64 %rd<1000>;\n.reg .pred %p<1000>;\n" +
           variables +
           "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p];\nld.param.u32 %r1, [n];\nmul.wide.u32 %rd1, %r0, 4;\n"
           "add.u64 %rd1, %rd0, %rd1;\n" +
           body_ + "exit;\n}\n";
  }

 private:
  std::string body_;
};

namespace sized {

inline std::string number(std::size_t i) { return std::to_string(i); }
inline std::string reg(std::size_t i) { return "%r" + number(i); }
inline std::string wide(std::size_t i) { return "%rd" + number(i); }

/// `values` words are loaded, each instruction changes one of them with another's help, all are stored.
inline std::string live_words(std::size_t instructions, std::size_t values) {
  SizedProgram program;
  for (std::size_t i = 0; i < values; ++i)
    program.line("ld.global.u32 " + reg(10 + i) + ", [%rd1+" + number(512 * 4 * i) + "];");
  const char* ops[] = {"add.u32", "xor.b32", "sub.u32", "max.s32", "or.b32"};
  for (std::size_t i = 0; i < instructions; ++i) {
    const std::string to = reg(10 + i % values);
    program.line(std::string(ops[i % 5]) + " " + to + ", " + to + ", " + reg(10 + (i * 7 + 3) % values) + ";");
  }
  for (std::size_t i = 0; i < values; ++i)
    program.line("st.global.u32 [%rd1+" + number(512 * 4 * i) + "], " + reg(10 + i) + ";");
  return program.finish();
}

inline std::string live_wide(std::size_t instructions, std::size_t values) {
  SizedProgram program;
  for (std::size_t i = 0; i < values; ++i)
    program.line("ld.global.u64 " + wide(10 + i) + ", [%rd1+" + number(512 * 8 * i) + "];");
  const char* ops[] = {"add.u64", "xor.b64", "sub.u64", "or.b64"};
  for (std::size_t i = 0; i < instructions; ++i) {
    const std::string to = wide(10 + i % values);
    program.line(std::string(ops[i % 4]) + " " + to + ", " + to + ", " + wide(10 + (i * 7 + 3) % values) + ";");
  }
  for (std::size_t i = 0; i < values; ++i)
    program.line("st.global.u64 [%rd1+" + number(512 * 8 * i) + "], " + wide(10 + i) + ";");
  return program.finish();
}

/// Small blocks: ifs with an access of their own, one behind the other.
inline std::string small_blocks(std::size_t instructions) {
  SizedProgram program;
  program.line("mov.u32 %r10, %r0;");
  for (std::size_t i = 0; i < instructions / 8; ++i) {
    const std::string label = "L" + number(i);
    program.line("setp.gt.s32 %p1, %r10, " + number(3 * i) + ";");
    program.line("@%p1 bra " + label + ";");
    for (int k = 0; k < 2; ++k) {
      program.line("ld.global.u32 %r11, [%rd1+" + number(4 * i + 4096 * k) + "];");
      program.line("mad.lo.u32 %r10, %r11, %r10, %r11;");
      program.line("xor.b32 %r10, %r10, %r0;");
    }
    program.line(label + ":");
  }
  program.line("st.global.u32 [%rd1], %r10;");
  return program.finish();
}

/// Nests of `depth` loops, one behind the other.
inline std::string loop_nests(std::size_t instructions, std::size_t depth) {
  SizedProgram program;
  program.line("mov.u32 %r10, %r0;");
  for (std::size_t nest = 0; nest < instructions / (6 * depth); ++nest) {
    const auto label = [&](std::size_t level) { return "L" + number(nest) + "_" + number(level); };
    for (std::size_t level = 0; level < depth; ++level) {
      program.line("mov.u32 " + reg(20 + level) + ", 0;").line(label(level) + ":");
      program.line("xor.b32 %r10, %r10, " + reg(20 + level) + ";");
    }
    for (std::size_t level = depth; level-- > 0;) {
      program.line("mad.lo.u32 %r10, %r10, %r1, " + number(level + nest) + ";");
      program.line("add.u32 " + reg(20 + level) + ", " + reg(20 + level) + ", 1;");
      program.line("setp.lt.u32 %p1, " + reg(20 + level) + ", %r1;").line("@%p1 bra " + label(level) + ";");
    }
  }
  program.line("st.global.u32 [%rd1], %r10;");
  return program.finish();
}

/// A switch: a chain of tests, each with a case of its own; all cases meet.
inline std::string switch_chain(std::size_t instructions) {
  SizedProgram program, cases;
  const std::size_t count = instructions / 8;
  program.line("ld.global.u32 %r10, [%rd1];").line("mov.u32 %r11, %r0;");
  for (std::size_t i = 0; i < count; ++i) {
    program.line("setp.eq.u32 %p1, %r10, " + number(7 * i) + ";").line("@%p1 bra CASE" + number(i) + ";");
  }
  program.line("bra DONE;");
  for (std::size_t i = 0; i < count; ++i) {
    program.line("CASE" + number(i) + ":").line("ld.global.u32 %r12, [%rd1+" + number(4 * i) + "];");
    program.line("mad.lo.u32 %r11, %r12, %r1, " + number(i) + ";").line("add.u32 %r11, %r11, %r12;");
    program.line("xor.b32 %r11, %r11, " + number(i * i) + ";").line("st.global.u32 [%rd1+4], %r11;");
    program.line("bra DONE;");
  }
  program.line("DONE:").line("st.global.u32 [%rd1], %r11;");
  return program.finish();
}

/// An if inside an if inside an if, each with code on both sides.
inline std::string nested_ifs(std::size_t instructions) {
  SizedProgram program;
  program.line("mov.u32 %r10, %r0;");
  const std::size_t depth = instructions / 8;
  for (std::size_t i = 0; i < depth; ++i) {
    program.line("ld.global.u32 %r11, [%rd1+" + number(4 * i) + "];").line("setp.gt.u32 %p1, %r11, %r10;");
    program.line("@%p1 bra L" + number(i) + ";").line("xor.b32 %r10, %r10, %r11;");
  }
  for (std::size_t i = depth; i-- > 0;) {
    program.line("add.u32 %r10, %r10, " + number(i) + ";").line("st.global.u32 [%rd1+" + number(4 * i) + "], %r10;");
    program.line("L" + number(i) + ":").line("mul.lo.u32 %r10, %r10, %r0;");
  }
  program.line("st.global.u32 [%rd1], %r10;");
  return program.finish();
}

/// Nests of `depth` ifs with an else each, one behind the other.
inline std::string if_nests(std::size_t instructions, std::size_t depth) {
  SizedProgram program;
  program.line("mov.u32 %r10, %r0;");
  for (std::size_t nest = 0; nest < instructions / (9 * depth); ++nest) {
    const auto label = [&](const char* kind, std::size_t level) { return kind + number(nest) + "_" + number(level); };
    for (std::size_t level = 0; level < depth; ++level) {
      program.line("ld.global.u32 %r11, [%rd1+" + number(4 * level) + "];").line("setp.gt.u32 %p1, %r11, %r10;");
      program.line("@%p1 bra " + label("ELSE", level) + ";").line("xor.b32 %r10, %r10, %r11;");
    }
    for (std::size_t level = depth; level-- > 0;) {
      program.line("st.global.u32 [%rd1], %r10;").line("bra " + label("END", level) + ";");
      program.line(label("ELSE", level) + ":").line("mad.lo.u32 %r10, %r10, %r1, " + number(level + nest) + ";");
      program.line("st.global.u32 [%rd1+4], %r10;").line(label("END", level) + ":").line("add.u32 %r10, %r10, 3;");
    }
  }
  program.line("st.global.u32 [%rd1], %r10;");
  return program.finish();
}

/// Switches of `count` cases, one behind the other, each in a loop of its own that some cases leave.
inline std::string switches(std::size_t instructions, std::size_t count) {
  SizedProgram program;
  program.line("mov.u32 %r11, %r0;");
  for (std::size_t k = 0; k < instructions / (7 * count + 4); ++k) {
    const auto label = [&](const char* kind, std::size_t i = 0) { return kind + number(k) + "_" + number(i); };
    program.line("mov.u32 %r13, 0;")
        .line(label("TURN") + ":")
        .line("ld.global.u32 %r10, [%rd1+" + number(4 * k) + "];");
    for (std::size_t i = 0; i < count; ++i) {
      program.line("setp.eq.u32 %p1, %r10, " + number(7 * i) + ";").line("@%p1 bra " + label("CASE", i) + ";");
    }
    program.line("bra " + label("NEXT") + ";");
    for (std::size_t i = 0; i < count; ++i) {
      program.line(label("CASE", i) + ":").line("ld.global.u32 %r12, [%rd1+" + number(4 * i) + "];");
      program.line("mad.lo.u32 %r11, %r12, %r1, " + number(i) + ";").line("add.u32 %r11, %r11, %r12;");
      program.line("st.global.u32 [%rd1+4], %r11;");
      program.line("bra " + label(i % 8 == 7 ? "DONE" : "NEXT") + ";");
    }
    program.line(label("NEXT") + ":").line("add.u32 %r13, %r13, 1;").line("setp.lt.u32 %p1, %r13, %r1;");
    program.line("@%p1 bra " + label("TURN") + ";").line(label("DONE") + ":");
  }
  program.line("st.global.u32 [%rd1], %r11;");
  return program.finish();
}

/// Small blocks, one behind the other, that change `values` words, which live from the first to the last.
inline std::string live_blocks(std::size_t instructions, std::size_t values) {
  SizedProgram program;
  for (std::size_t i = 0; i < values; ++i)
    program.line("ld.global.u32 " + reg(10 + i) + ", [%rd1+" + number(512 * 4 * i) + "];");
  for (std::size_t i = 0; i < instructions / 6; ++i) {
    const std::string to = reg(10 + i % values), from = reg(10 + (i * 7 + 3) % values);
    program.line("setp.gt.s32 %p1, " + from + ", " + to + ";").line("@%p1 bra L" + number(i) + ";");
    program.line("mad.lo.u32 " + to + ", " + from + ", " + to + ", %r0;")
        .line("xor.b32 " + to + ", " + to + ", " + from + ";");
    program.line("st.global.u32 [%rd1], " + to + ";")
        .line("L" + number(i) + ":")
        .line("add.u32 " + to + ", " + to + ", %r1;");
  }
  for (std::size_t i = 0; i < values; ++i)
    program.line("st.global.u32 [%rd1+" + number(512 * 4 * i) + "], " + reg(10 + i) + ";");
  return program.finish();
}

/// Accesses to shared and local memory at addresses that are known only when the kernel runs.
inline std::string memory_accesses(std::size_t instructions) {
  SizedProgram program;
  program.line("shl.b32 %r10, %r0, 2;").line("mov.u32 %r13, tile;").line("add.u32 %r10, %r10, %r13;");
  program.line("and.b32 %r14, %r0, 60;").line("mov.u32 %r15, mine;").line("add.u32 %r14, %r14, %r15;");
  program.line("mov.u32 %r11, %r1;");
  for (std::size_t i = 0; i < instructions / 7; ++i) {
    program.line("ld.shared.u32 %r12, [%r10+" + number(4 * (i % 64)) + "];").line("add.u32 %r11, %r11, %r12;");
    program.line("st.shared.u32 [%r10+" + number(4 * (i * 5 % 64)) + "], %r11;");
    program.line("st.local.u32 [%r14+" + number(4 * (i % 16)) + "], %r11;").line("xor.b32 %r11, %r11, %r1;");
    program.line("ld.local.u32 %r12, [%r14+" + number(4 * (i * 3 % 16)) + "];").line("add.u32 %r11, %r11, %r12;");
  }
  program.line("st.global.u32 [%rd1], %r11;");
  return program.finish(".shared .u32 tile[1024];\n.local .u32 mine[64];\n");
}

/// Many predicates at once: more than there are flag registers.
inline std::string live_predicates(std::size_t instructions) {
  SizedProgram program;
  program.line("mov.u32 %r10, %r0;");
  for (std::size_t i = 0; i < instructions / 16; ++i) {
    for (std::size_t k = 0; k < 8; ++k)
      program.line("setp.gt.s32 %p" + number(k + 1) + ", %r10, " + number(i * 8 + k) + ";");
    for (std::size_t k = 0; k < 8; ++k)
      program.line("@%p" + number((k * 3) % 8 + 1) + " add.u32 %r10, %r10, " + reg(k % 2) + ";");
  }
  program.line("st.global.u32 [%rd1], %r10;");
  return program.finish();
}

struct Shape {
  const char* name;
  std::function<std::string(std::size_t instructions)> make;
};

inline const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes = {
      {"straight", [](std::size_t n) { return live_words(n, 16); }},
      {"spill_words", [](std::size_t n) { return live_words(n, 200); }},
      {"spill_wide", [](std::size_t n) { return live_wide(n / 2, 100); }},
      {"wide", [](std::size_t n) { return live_wide(n / 2, 12); }},
      {"blocks", small_blocks},
      {"loops", [](std::size_t n) { return loop_nests(n, 6); }},
      {"switch", switch_chain},
      {"nested_ifs", nested_ifs},
      {"if_nests", [](std::size_t n) { return if_nests(n, 12); }},
      {"switches", [](std::size_t n) { return switches(n, 24); }},
      {"live_blocks", [](std::size_t n) { return live_blocks(n, 200); }},
      {"memory", memory_accesses},
      {"predicates", live_predicates},
  };
  return kShapes;
}

}  // namespace sized
}  // namespace g80

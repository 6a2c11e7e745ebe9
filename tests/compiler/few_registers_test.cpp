// SPDX-License-Identifier: Apache-2.0
// What happens where registers are short: values are computed again, wait in l[] around loops, and a few registers are
// saved where that lets more blocks be resident.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/compiler/kernel_runner.h"
#include "tests/compiler/ptx_runner.h"
#include "tests/support/random_seed.h"

namespace g80 {
namespace {

using ir::Op;
using ir::Type;
using ir::ValueId;

/// The sum of words at `count` addresses, then the exclusive or of that with all the addresses, last one first.
ir::Function addresses_used_twice(unsigned count) {
  ir::Function f;
  f.name = "addresses";
  add_parameters(f);
  f.add_block();
  const auto op = [&](Op o, ValueId a, ValueId b) { return f.append1(0, make_inst(o, {a, b}), Type::kI32); };
  const ValueId offset = op(Op::kShl, f.append1(0, make_inst(Op::kSpecial, {}), Type::kI32), f.i32(2));
  const ValueId in = op(Op::kAdd, load_parameter(f, 0, 1), offset);
  std::vector<ValueId> addresses;
  ValueId sum = f.i32(0);
  for (unsigned k = 0; k < count; ++k) {
    addresses.push_back(op(Op::kAdd, in, f.i32(4 * k + 4)));
    sum = op(Op::kAdd, sum, f.append1(0, make_inst(Op::kLoad, {addresses.back()}), Type::kI32));
  }
  for (unsigned k = count; k-- > 0;) sum = op(Op::kSub, op(Op::kXor, sum, addresses[k]), sum);
  const ValueId out = op(Op::kAdd, load_parameter(f, 0, 0), offset);
  f.append(0, make_inst(Op::kStore, {out, op(Op::kXor, sum, in)}), {});
  f.append(0, make_inst(Op::kExit, {}), {});
  return f;
}

TEST(FewRegisters, SumsOfARegisterInUseAreComputedAgain) {
  std::vector<std::uint32_t> input(128);
  for (std::uint32_t i = 0; i < input.size(); ++i) input[i] = 2654435761u * i;
  CompileOptions options;
  for (options.max_registers = 6; options.max_registers < 12; ++options.max_registers) {
    SCOPED_TRACE(options.max_registers);
    const CompileResult result = expect_same(addresses_used_twice(20), input, {64, 1, 1}, options);
    EXPECT_EQ(result.kernels[0].spill_loads + result.kernels[0].spill_stores, 0u);
    EXPECT_EQ(result.kernels[0].local_bytes, 0u);
    EXPECT_LE(result.kernels[0].registers, options.max_registers);
  }
}

TEST(FewRegisters, ACoupleIsSavedForAnotherResidentBlock) {
  // kept, nine addresses take twelve registers: two blocks of 256 threads instead of three
  const CompileResult free = expect_same(addresses_used_twice(9), std::vector<std::uint32_t>(128, 7), {64, 1, 1});
  EXPECT_LE(free.kernels[0].registers, 10u);
  EXPECT_EQ(free.kernels[0].spill_loads + free.kernels[0].spill_stores, 0u);
}

constexpr unsigned kAddresses = 18, kPasses = 3;

/// Words at addresses of three operations each, in front of the loop that reads and writes them: in + 4 * (t ^ i).
std::string addresses_in_front_of_a_loop(bool reads_thread_behind) {
  std::string body;
  const auto line = [&](const std::string& text) { body += "  " + text + ";\n"; };
  for (unsigned i = 0; i < kAddresses; ++i) {
    const std::string a = "%a" + std::to_string(i);
    line("xor.b32 " + a + ", %t, " + std::to_string(i + 1));
    line("shl.b32 " + a + ", " + a + ", 2");
    line("add.u32 " + a + ", " + a + ", %in");
  }
  body += "LOOP:\n";
  for (unsigned i = 0; i < kAddresses; ++i) {
    line("ld.global.u32 %v, [%a" + std::to_string(i) + "]");
    line("add.u32 %s, %s, %v");
    line("st.global.u32 [%a" + std::to_string((5 * i + 3) % kAddresses) + "], %s");
  }
  line("sub.u32 %n, %n, 1");
  line("setp.ne.u32 %p, %n, 0");
  line("@%p bra LOOP");
  if (reads_thread_behind) line("add.u32 %s, %s, %t");
  return ".version 1.4\n.target sm_13\n.entry k (.param .u32 out, .param .u32 in, .param .u32 passes)\n{\n"
         "  .reg .u32 %a<18>, %t, %in, %out, %n, %s, %v;\n  .reg .pred %p;\n  ld.param.u32 %out, [out];\n"
         "  ld.param.u32 %in, [in];\n  ld.param.u32 %n, [passes];\n  cvt.u32.u16 %t, %tid.x;\n  mov.u32 %s, 0;\n" +
         body + "  st.global.u32 [%out], %s;\n  exit;\n}\n";
}

/// Nobody may read the thread number in the loop, and even behind it: then it lives on for the addresses alone.
TEST(FewRegisters, AddressesInFrontOfALoopAreMadeInItFromWhatTheyShare) {
  for (const bool reads_thread_behind : {true, false}) {
    CompileOptions options = PtxProgram::sm13();
    for (options.max_registers = 6; options.max_registers < 12; options.max_registers += 2) {
      SCOPED_TRACE(options.max_registers);
      PtxProgram program(addresses_in_front_of_a_loop(reads_thread_behind), options);
      const KernelInfo& info = program.result().kernels[0];
      EXPECT_LE(info.registers, options.max_registers);
      EXPECT_EQ(info.spill_loads + info.spill_stores, 0u);

      std::vector<std::uint32_t> words(32);
      for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 2654435761u * (i + 1);
      const std::uint32_t in = program.upload(words), out = program.upload(std::vector<std::uint32_t>(1, 0));
      program.run("k", 1, 1, {out, in, kPasses});
      std::uint32_t sum = 0;
      for (unsigned pass = 0; pass < kPasses; ++pass) {
        for (unsigned i = 0; i < kAddresses; ++i) words[(5 * i + 3) % kAddresses + 1] = sum += words[i + 1];
      }
      EXPECT_EQ(program.download<std::uint32_t>(in, words.size()), words);
      EXPECT_EQ(program.download<std::uint32_t>(out, 1), std::vector<std::uint32_t>{sum});
    }
  }
}

constexpr unsigned kValues = 24;

/// Each value is computed from the one before, and all are read at the end.
std::string chained_values() {
  std::string body;
  for (unsigned i = 1; i < kValues; ++i) {
    const std::string a = "%a" + std::to_string(i), before = "%a" + std::to_string(i - 1);
    body += "  mul24.lo.u32 " + a + ", " + before + ", " + before + ";\n";
  }
  for (unsigned i = kValues; i-- > 0;) body += "  sub.u32 %s, %a" + std::to_string(i) + ", %s;\n";
  return ".version 1.4\n.target sm_13\n.entry k (.param .u32 out, .param .u32 in)\n{\n  .reg .u32 %a<24>, "
         "%s, %out;\n  ld.param.u32 %out, [out];\n  ld.param.u32 %a0, [in];\n  mov.u32 %s, 0;\n" +
         body + "  st.global.u32 [%out], %s;\n  exit;\n}\n";
}

TEST(FewRegisters, ASpilledValueThatTheNextInstructionReadsIsNotLoaded) {
  CompileOptions options = PtxProgram::sm13();
  options.max_registers = 8;
  PtxProgram program(chained_values(), options);
  EXPECT_GT(program.result().kernels[0].spill_stores, 0u);
  EXPECT_EQ(program.result().kernels[0].spill_loads, program.result().kernels[0].spill_stores);
  const std::uint32_t out = program.upload(std::vector<std::uint32_t>(1, 0));
  program.run("k", 1, 1, {out, 12345677});
  std::vector<std::uint32_t> values{12345677};
  while (values.size() < kValues) {
    const std::uint64_t factor = values.back() & 0xffffffu;
    values.push_back(static_cast<std::uint32_t>(factor * factor));
  }
  std::uint32_t sum = 0;
  for (unsigned i = kValues; i-- > 0;) sum = values[i] - sum;
  EXPECT_EQ(program.download<std::uint32_t>(out, 1), std::vector<std::uint32_t>{sum});
}

constexpr unsigned kIdle = 6, kBusy = 8, kRounds = 3, kTurns = 4;

/// Six values wait while a loop works on eight others.
std::string waiting_values() {
  std::string body;
  const auto line = [&](const std::string& text) { body += "  " + text + ";\n"; };
  const auto reg = [](const char* kind, unsigned i) { return "%" + std::string(kind) + std::to_string(i); };
  for (unsigned i = 0; i < kIdle; ++i) line("ld.global.u32 " + reg("a", i) + ", [%in+" + std::to_string(4 * i) + "]");
  line("mov.u32 %o, 0");
  body += "OUTER:\n";
  line("mov.u32 %s, %o");
  line("mov.u32 %i, 0");
  body += "INNER:\n";
  line("add.u32 %t, %in, %i");
  for (unsigned j = 0; j < kBusy; ++j) {
    line("ld.global.u32 " + reg("b", j) + ", [%t+" + std::to_string(64 + 4 * j) + "]");
  }
  for (unsigned j = 0; j < kBusy; ++j) {
    line("xor.b32 " + reg("b", j) + ", " + reg("b", j) + ", " + reg("b", (j + 3) % kBusy));
    line("add.u32 %s, %s, " + reg("b", j));
  }
  line("add.u32 %i, %i, 4");
  line("setp.lt.u32 %p, %i, %turns");
  line("@%p bra INNER");
  for (unsigned i = 0; i < kIdle; ++i) {
    line("shr.u32 %t, " + reg("a", i) + ", 3");
    line("xor.b32 " + reg("a", i) + ", " + reg("a", i) + ", %s");
    line("add.u32 " + reg("a", i) + ", " + reg("a", i) + ", %t");
  }
  line("add.u32 %o, %o, 1");
  line("setp.lt.u32 %p, %o, %rounds");
  line("@%p bra OUTER");
  for (unsigned i = 0; i < kIdle; ++i) line("st.global.u32 [%out+" + std::to_string(4 * i) + "], " + reg("a", i));
  return ".version 1.4\n.target sm_13\n.entry k (.param .u32 out, .param .u32 in, .param .u32 rounds, .param .u32 "
         "turns)"
         "\n{\n  .reg .u32 %a<6>, %b<8>, %o, %i, %s, %t, %in, %out, %rounds, %turns;\n  .reg .pred %p;\n"
         "  ld.param.u32 %out, [out];\n  ld.param.u32 %in, [in];\n  ld.param.u32 %rounds, [rounds];\n"
         "  ld.param.u32 %turns, [turns];\n" +
         body + "  exit;\n}\n";
}

TEST(FewRegisters, ValuesThatALoopOnlyKeepsWaitInMemory) {
  CompileOptions options = PtxProgram::sm13();
  options.max_registers = 14;
  PtxProgram program(waiting_values(), options);
  const KernelInfo& info = program.result().kernels[0];
  EXPECT_LE(info.registers, 14u);
  // one store and one load each, where a load for every reader would be two
  EXPECT_GT(info.spill_loads, 0u);
  EXPECT_LE(info.spill_loads, kIdle);
  EXPECT_LE(info.spill_stores, kIdle);

  std::vector<std::uint32_t> input(32);
  for (std::uint32_t i = 0; i < input.size(); ++i) input[i] = 2654435761u * (i + 1);
  const std::uint32_t in = program.upload(input), out = program.upload(std::vector<std::uint32_t>(kIdle, 0));
  program.run("k", 1, 1, {out, in, kRounds, 4 * kTurns});
  std::vector<std::uint32_t> a(input.begin(), input.begin() + kIdle), b(kBusy);
  for (std::uint32_t o = 0; o < kRounds; ++o) {
    std::uint32_t sum = o;
    for (std::uint32_t i = 0; i < kTurns; ++i) {
      for (unsigned j = 0; j < kBusy; ++j) b[j] = input[16 + i + j];
      for (unsigned j = 0; j < kBusy; ++j) sum += b[j] ^= b[(j + 3) % kBusy];
    }
    for (std::uint32_t& word : a) word = (word ^ sum) + (word >> 3);
  }
  EXPECT_EQ(program.download<std::uint32_t>(out, kIdle), a);
}

/// A constant address may lie behind the kernel's arrays, where spilled registers have their places.
TEST(FewRegisters, AStoreOutsideOfTheArraysIsNoStoreOfASpilledRegister) {
  CompileOptions options = PtxProgram::sm13();
  options.max_registers = 8;
  const unsigned wanted = compile_ptx(chained_values(), "spills.ptx", options).kernels[0].spill_stores;
  ASSERT_GT(wanted, 0u);
  for (const unsigned address : {4, 100, 40000}) {
    std::string text = chained_values();
    text.insert(text.find("  exit;"), "  st.local.u32 [array+" + std::to_string(address) + "], %s;\n");
    text.insert(text.find("  .reg"), "  .local .align 4 .b8 array[4];\n");
    const CompileResult result = compile_ptx(text, "outside.ptx", options);
    const std::vector<std::uint32_t>& code = result.module.kernels[0].code;
    unsigned stores = 0, there = 0;
    for (std::size_t i = 0; i < code.size(); i += isa::is_long(code[i]) ? 2 : 1) {
      isa::Instruction insn;
      isa::decode(code[i], i + 1 < code.size() ? code[i + 1] : 0, isa::Arch::kSm13, insn);
      stores += insn.op == isa::Op::kStLocal;
      there += insn.op == isa::Op::kStLocal && insn.src[0].offset == address;
    }
    EXPECT_EQ(result.kernels[0].spill_stores, wanted) << address;
    EXPECT_EQ(stores, wanted + 1) << address;
    EXPECT_GE(there, 1u) << address;
  }
}

/// Random code with far more values at once than there are registers: words, pairs of words, 16-bit halves and
/// predicates, in a loop. It prints as PTX and is executed here.
class ManyValues {
 public:
  static constexpr unsigned kWords = 150, kWides = 40, kPredicates = 7, kLength = 500, kTurns = 2;

  explicit ManyValues(std::mt19937& random) {
    for (unsigned k = 0; k < kLength; ++k) {
      const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
      ops_.push_back(
          {pick(9), pick(kWords), pick(kWords), pick(kWords), pick(kWides), pick(kWides), pick(kPredicates)});
    }
  }

  std::string text() const {
    std::string body;
    const auto line = [&](const std::string& text) { body += text + ";\n"; };
    const auto w = [](unsigned i) { return "%w" + std::to_string(i); };
    const auto d = [](unsigned i) { return "%d" + std::to_string(i); };
    for (unsigned i = 0; i < kWords; ++i) line("ld.global.u32 " + w(i) + ", [%in+" + std::to_string(4 * i) + "]");
    for (unsigned i = 0; i < kWides; ++i)
      line("ld.global.u64 " + d(i) + ", [%in+" + std::to_string(4 * kWords + 8 * i) + "]");
    for (unsigned i = 0; i < kPredicates; ++i)
      line("setp.lt.u32 %p" + std::to_string(i) + ", " + w(i) + ", " + w(i + 9));
    line("mov.u32 %turn, 0");
    body += "LOOP:\n";
    for (const Op& op : ops_) {
      const std::string p = "%p" + std::to_string(op.p);
      switch (op.kind) {
        case 0: line("add.u32 " + w(op.to) + ", " + w(op.a) + ", " + w(op.b)); break;
        case 1: line("xor.b32 " + w(op.to) + ", " + w(op.to) + ", " + w(op.a)); break;
        case 2: line("mul.lo.u32 " + w(op.to) + ", " + w(op.a) + ", " + w(op.b)); break;
        case 3: line("add.u64 " + d(op.wide) + ", " + d(op.wide) + ", " + d(op.other)); break;
        case 4: line("mul.wide.u32 " + d(op.wide) + ", " + w(op.a) + ", " + w(op.b)); break;
        case 5: line("cvt.u32.u64 " + w(op.to) + ", " + d(op.wide)); break;
        case 6: line("setp.lt.u32 " + p + ", " + w(op.a) + ", " + w(op.b)); break;
        case 7: line("@" + p + " sub.u32 " + w(op.to) + ", " + w(op.to) + ", " + w(op.a)); break;
        default:
          line("cvt.u16.u32 %h0, " + w(op.a));
          line("cvt.u16.u32 %h1, " + w(op.b));
          line("mul.wide.u16 " + w(op.to) + ", %h0, %h1");
          break;
      }
    }
    line("add.u32 %turn, %turn, 1");
    line("setp.lt.u32 %again, %turn, " + std::to_string(kTurns));
    line("@%again bra LOOP");
    for (unsigned i = 0; i < kWords; ++i) line("st.global.u32 [%out+" + std::to_string(4 * i) + "], " + w(i));
    for (unsigned i = 0; i < kWides; ++i)
      line("st.global.u64 [%out+" + std::to_string(4 * kWords + 8 * i) + "], " + d(i));
    return ".version 1.4\n.target sm_13\n.entry k (.param .u32 out, .param .u32 in)\n{\n.reg .u32 %w<" +
           std::to_string(kWords) + ">, %in, %out, %turn;\n.reg .u64 %d<" + std::to_string(kWides) +
           ">;\n.reg .u16 %h<2>;\n.reg .pred %p<" + std::to_string(kPredicates) +
           ">, %again;\nld.param.u32 %out, [out];\nld.param.u32 %in, [in];\n" + body + "exit;\n}\n";
  }

  /// What is stored, of what was loaded.
  std::vector<std::uint32_t> run(const std::vector<std::uint32_t>& input) const {
    std::vector<std::uint32_t> w(input.begin(), input.begin() + kWords);
    std::vector<std::uint64_t> d;
    for (unsigned i = 0; i < kWides; ++i)
      d.push_back(input[kWords + 2 * i] | std::uint64_t{input[kWords + 2 * i + 1]} << 32);
    std::vector<bool> p;
    for (unsigned i = 0; i < kPredicates; ++i) p.push_back(w[i] < w[i + 9]);
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      for (const Op& op : ops_) {
        switch (op.kind) {
          case 0: w[op.to] = w[op.a] + w[op.b]; break;
          case 1: w[op.to] ^= w[op.a]; break;
          case 2: w[op.to] = w[op.a] * w[op.b]; break;
          case 3: d[op.wide] += d[op.other]; break;
          case 4: d[op.wide] = std::uint64_t{w[op.a]} * w[op.b]; break;
          case 5: w[op.to] = static_cast<std::uint32_t>(d[op.wide]); break;
          case 6: p[op.p] = w[op.a] < w[op.b]; break;
          case 7:
            if (p[op.p]) w[op.to] -= w[op.a];
            break;
          default: w[op.to] = (w[op.a] & 0xffffu) * (w[op.b] & 0xffffu); break;
        }
      }
    }
    for (const std::uint64_t wide : d) {
      w.push_back(static_cast<std::uint32_t>(wide));
      w.push_back(static_cast<std::uint32_t>(wide >> 32));
    }
    return w;
  }

 private:
  struct Op {
    unsigned kind, to, a, b, wide, other, p;
  };
  std::vector<Op> ops_;
};

TEST(FewRegisters, HundredsOfSpilledValuesKeepTheirValues) {
  std::mt19937 random(random_seed());
  for (const unsigned registers : {0u, 32u, 16u}) {
    SCOPED_TRACE(registers);
    const ManyValues code(random);
    CompileOptions options = PtxProgram::sm13();
    options.max_registers = registers;
    PtxProgram program(code.text(), options);
    EXPECT_GT(program.result().kernels[0].spill_loads, 300u);
    std::vector<std::uint32_t> input(ManyValues::kWords + 2 * ManyValues::kWides);
    for (std::uint32_t& word : input) word = static_cast<std::uint32_t>(random());
    const std::uint32_t in = program.upload(input);
    const std::uint32_t out = program.upload(std::vector<std::uint32_t>(input.size(), 0));
    program.run("k", 1, 1, {out, in});
    EXPECT_EQ(program.download<std::uint32_t>(out, input.size()), code.run(input));
  }
}

}  // namespace
}  // namespace g80

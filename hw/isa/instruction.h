// SPDX-License-Identifier: Apache-2.0
// A decoded instruction: every field of the encoding by name, nothing packed.
//
// decode() fills it from one or two 32-bit words, encode() is its inverse. Golden reference, SM pipeline, assembler and
// disassembler all read this struct; only encoding.cpp knows a bit position.
#pragma once
#include <cstdint>

namespace g80::isa {

// Where the operands are, by operation (src[] is in the order of the assembly text):
//   two operands   add sub subr addc set max min shl shr mul, logic, fp: src[0], src[1]; the second may be kImm
//   three operands mad sad fmad slct dfma: src[0], src[1], src[2] (mad: src[0] * src[1] + src[2]); quadop: src[0],
//       src[1]
//   short and immediate mad, fmad, sad: src[2] repeats dst
//   neg of a product (fmad, dfma, dmul) is src[0].neg; "not" of logic operations is neg
//   loads          dst; src[0] is the kConst, kShared or kLocal operand, or for g[] the register holding the address
//   stores, red    src[0] likewise, src[1] the data; atom: dst, src[0] address, src[1] operand, src[2] new value of cas
//   shl $a, add $a dst kAddr; src[0] the register or $a, src[1] kImm; mov $r,$a: src[0] kAddr; mov $r,$sr: src[0]
//       kSpecial
//   mov $r,$c: flag_src; mov $c,$r, vote, ld lock: writes_flags and flag_dst
//   textures       dst.index is the first result register and the first source register; tex_sources sources from there
// dst_type, src_type, src2_type hold the format of every arithmetic operation (kB16/kB32 where sign does not matter);
// memory accesses use mem_type. A 16-bit immediate operation uses immediate[15:0].

/// What the instruction does. One value per semantic operation; size and sign are fields.
enum class Op : std::uint8_t {
  kInvalid,
  // moves
  kMov,
  kMovFromFlags,
  kMovFromAddr,
  kMovFromSpecial,
  kMovToFlags,
  kShlAddr,
  kAddAddr,
  // dedicated loads and stores
  kLdConst,
  kLdShared,
  kLdSharedLock,
  kStShared,
  kStSharedUnlock,
  kLdLocal,
  kStLocal,
  kLdGlobal,
  kStGlobal,
  kRed,
  kAtom,
  // integer
  kAdd,
  kSub,
  kSubr,
  kAddc,
  kSet,
  kMax,
  kMin,
  kShl,
  kShr,
  kMul16,
  kMul24,
  kMad16,
  kMad24,
  kSad,
  kAnd,
  kOr,
  kXor,
  kMov2,
  // conversions
  kCvtI2I,
  kCvtI2F,
  kCvtF2I,
  kCvtF2F,
  // fp32
  kFadd,
  kFmul,
  kFmad,
  kFmax,
  kFmin,
  kFset,
  kSlct,
  kQuadop,
  // special functions
  kPresin,
  kPreex2,
  kRcp,
  kRsqrt,
  kLg2,
  kSin,
  kCos,
  kEx2,
  // fp64
  kDfma,
  kDadd,
  kDmul,
  kDmax,
  kDmin,
  kDset,
  // warp-wide and markers
  kVote,
  kNop,
  kPmevent,
  // textures
  kTexAuto,
  kTexFetch,
  kTexBias,
  kTexLod,
  kTexSize,
  kTexCsaa,
  // control flow
  kBra,
  kCall,
  kRet,
  kBreakaddr,
  kBreak,
  kQuadon,
  kQuadpop,
  kBar,
  kTrap,
  kJoinat,
  kBrkpt,
  kCount
};

enum class Form : std::uint8_t { kShort, kLong, kImmediate, kControl, kShortControl };

/// The execution resource an instruction issues to.
enum class Unit : std::uint8_t { kSp, kSfu, kDp, kMemory, kTexture, kControl };

enum class OperandKind : std::uint8_t {
  kNone,
  kReg,      // $r<index>, 32 bits
  kHalf,     // 16-bit half: $r<index/2>, low if index even, high if odd
  kPair,     // $r<index>d, 64 bits
  kQuad,     // $r<index>q, 128 bits (memory and texture data only)
  kShared,   // s[offset], element type `type`; the instruction's address register may index it
  kConst,    // c<bank>[offset]; 16-bit element if `type` is kU16, else 32-bit
  kImm,      // Instruction::immediate
  kAddr,     // $a<index>
  kFlags,    // $c<index>
  kSpecial,  // special register <index>
  kDiscard,  // destination '#': no register written; `type` is kU16, kB32 or kB64 by the width it would have had
  kLocal,    // l[offset]; the instruction's address register may index it
};

/// Element type of a memory access.
enum class MemType : std::uint8_t { kU8, kS8, kU16, kS16, kB64, kB128, kB32, kU32, kS32, kU64 };

struct Operand {
  OperandKind kind = OperandKind::kNone;
  std::uint8_t index = 0;  // register number (half number for kHalf)
  std::uint8_t bank = 0;   // constant bank
  MemType type = MemType::kB32;
  std::uint16_t offset = 0;  // byte offset of a memory operand (already scaled); with post-increment: unused
  bool neg = false;          // arithmetic negation (also "invert" for logic operations)
  bool abs = false;
};

/// Rounding codes of the machine.
enum class Round : std::uint8_t { kRn, kRm, kRp, kRz };

/// Operation of red/atom, as encoded.
enum class AtomOp : std::uint8_t {
  kAdd = 0,
  kExch = 1,
  kCas = 2,
  kInc = 4,
  kDec = 5,
  kMax = 6,
  kMin = 7,
  kAnd = 10,
  kOr = 11,
  kXor = 12
};

/// Number format of one side of a conversion, compare or multiply.
enum class NumType : std::uint8_t {
  kU8,
  kS8,
  kU16,
  kS16,
  kU24,
  kS24,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF64,
  kB16,
  kB32
};

inline constexpr std::uint8_t kAlways = 0x0f;

/// Of every instruction that may branch, join, wait at a barrier or exit; only trap and brkpt have a short form.
inline constexpr std::uint32_t kControlBytes = 8;

struct Instruction {
  Op op = Op::kInvalid;
  Form form = Form::kLong;
  Unit unit = Unit::kSp;
  std::uint8_t bytes = 8;  // 4 short, 8 long

  // guard: executes in a lane iff condition(flags $c<pred_reg>) holds; also the input of vote
  std::uint8_t cond = kAlways;  // 5-bit condition code
  std::uint8_t flag_src = 0;    // $c read by the guard, by addc as carry-in, and by mov $r,$c
  bool writes_flags = false;
  std::uint8_t flag_dst = 0;        // $c written
  bool exit = false, join = false;  // act after the operation, whatever the guard says

  Operand dst;
  Operand src[3];               // in the order of the semantics: s1, s2, s3
  std::uint32_t immediate = 0;  // value of the kImm operand

  // the one memory operand or access
  std::uint8_t addr_reg = 0;         // $a index, 0 = none ($a0 reads 0)
  bool post_increment = false;       // address = $a; then $a += increment
  std::int32_t increment = 0;        // bytes, sign-extended as the form says
  MemType mem_type = MemType::kB32;  // ld/st/red/atom access type
  std::uint8_t space = 0;            // g[] space
  AtomOp atom_op = AtomOp::kAdd;

  // modifiers
  NumType dst_type = NumType::kB32;
  NumType src_type = NumType::kB32;   // of s1
  NumType src2_type = NumType::kB32;  // of s2 where it may differ (mul 16x16)
  bool saturate = false;
  bool high = false;      // mul24/mad24: bits 47:16 of the product
  bool integral = false;  // cvt f2f: round to an integral value
  Round round = Round::kRn;
  Op mad_op = Op::kAdd;          // kMad16/kMad24: kAdd, kSub, kSubr or kAddc of product and s3
  std::uint8_t compare = 0;      // set/fset/dset: bit 0 less, 1 equal, 2 greater, 3 unordered
  std::uint8_t lane_mask = 0xf;  // long mov: lanes with (lane & 3) == i enabled by bit i
  bool sfu_hint = false;         // mov "sfu"
  std::uint8_t quad_lane = 0;    // quadop: source lane selector
  std::uint8_t quad_op[4] = {0, 0, 0, 0};
  bool vote_all = false;  // vote: all, else any
  std::uint8_t pm_event = 0;

  // textures: sources are registers dst.index ..; results packed from dst.index
  std::uint8_t tex = 0, sampler = 0;
  std::uint8_t tex_sources = 1;
  std::uint8_t tex_mask = 0xf;  // bit 0 r, 1 g, 2 b, 3 a
  bool tex_live = false, tex_deriv = false, tex_cube = false;
  std::int8_t tex_offset[3] = {0, 0, 0};

  // control flow
  std::uint32_t target = 0;  // byte address in code space
  bool call_limited = false;
  std::uint8_t barrier = 0;
  bool bar_arrive = false, bar_wait = false, bar_all = false;
  std::uint16_t bar_count = 0;

  // Bits of the word that the operation ignores and that differ from what encode() writes by itself (exclusive or).
  // No meaning: kept so that encode(decode(word)) is the word.
  std::uint32_t ignored0 = 0, ignored1 = 0;
};

}  // namespace g80::isa

// SPDX-License-Identifier: Apache-2.0
// A decoded instruction as the packed struct g80_pkg::decoded_instruction_t: its fields, their widths and the names of
// their values. In the machine no wire carries it: each block selects what it needs from a micro-op.
#pragma once
#include <string>
#include <vector>

#include "hw/bundles/decoded_instruction.h"
#include "hw/common/fields.h"
#include "hw/isa/opcode_table.h"

namespace g80::isa {

/// The operations as opcodes.def names them: kTexAuto is TEX_AUTO.
inline const EnumText& enum_text(Op) {
  static const std::vector<std::string> spelt = [] {
    std::vector<std::string> names(static_cast<unsigned>(Op::kCount));
    names[static_cast<unsigned>(Op::kInvalid)] = "INVALID";
    const auto add = [&names](Op op, const std::string& enumerator) {
      std::string name;
      for (std::size_t i = 1; i < enumerator.size(); ++i) {
        const char c = enumerator[i];
        if (c >= 'A' && c <= 'Z' && i > 1 && enumerator[i - 1] >= 'a') name += '_';
        name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
      }
      names[static_cast<unsigned>(op)] = name;
    };
#define G80_INSN(op, ...) add(Op::op, #op);
#include "hw/isa/opcodes.def"
    return names;
  }();
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all;
    for (const std::string& name : spelt) all.push_back(name.c_str());
    return all;
  }();
  static const EnumText text{"Op", names.data(), static_cast<unsigned>(names.size())};
  return text;
}

namespace decoded_detail {
template <class Type>
EnumText named_types(const char* type, unsigned count) {
  static std::vector<std::string> spelt;
  static std::vector<const char*> names;
  for (unsigned i = 0; i < count; ++i) spelt.emplace_back(type_name(static_cast<Type>(i)));
  for (const std::string& name : spelt) names.push_back(name.c_str());
  return {type, names.data(), count};
}
}  // namespace decoded_detail

inline const EnumText& enum_text(NumType) {
  static const EnumText text = decoded_detail::named_types<NumType>("NumType", 15);
  return text;
}
inline const EnumText& enum_text(MemType) {
  static const EnumText text = decoded_detail::named_types<MemType>("MemType", 10);
  return text;
}
inline const EnumText& enum_text(Form) {
  static const char* const names[] = {"SHORT", "LONG", "IMMEDIATE", "CONTROL", "SHORT_CONTROL"};
  static const EnumText text{"Form", names, 5};
  return text;
}
inline const EnumText& enum_text(Unit) {
  static const char* const names[] = {"SP", "SFU", "DP", "MEMORY", "TEXTURE", "CONTROL"};
  static const EnumText text{"Unit", names, 6};
  return text;
}
inline const EnumText& enum_text(OperandKind) {
  static const char* const names[] = {"-",   "REG",  "HALF",  "PAIR",    "QUAD",    "SHARED", "CONST",
                                      "IMM", "ADDR", "FLAGS", "SPECIAL", "DISCARD", "LOCAL"};
  static const EnumText text{"OperandKind", names, 13};
  return text;
}

template <class V>
void visit_fields(const Operand& s, V& v) {
  v("kind", s.kind);
  v("index", s.index, 7);
  v("bank", s.bank, 4);
  v("type", s.type);
  v("offset", s.offset);
  v("neg", s.neg);
  v("abs", s.abs);
}
/// All fields but the ignored bits, which have no meaning.
template <class V>
void visit_fields(const Instruction& s, V& v) {
  v("op", s.op);
  v("form", s.form);
  v("unit", s.unit);
  v("bytes", s.bytes, 4);
  v("cond", s.cond, 5);
  v("flag_src", s.flag_src, 2);
  v("writes_flags", s.writes_flags);
  v("flag_dst", s.flag_dst, 2);
  v("exit", s.exit);
  v("join", s.join);
  v("dst", s.dst);
  v("src", s.src);
  v("immediate", s.immediate);
  v("addr_reg", s.addr_reg, 3);
  v("post_increment", s.post_increment);
  v("increment", s.increment, 18);
  v("mem_type", s.mem_type);
  v("space", s.space, 4);
  v("atom_op", s.atom_op, 4);
  v("dst_type", s.dst_type);
  v("src_type", s.src_type);
  v("src2_type", s.src2_type);
  v("saturate", s.saturate);
  v("high", s.high);
  v("integral", s.integral);
  v("round", s.round, 2);
  v("mad_op", s.mad_op);
  v("compare", s.compare, 4);
  v("lane_mask", s.lane_mask, 4);
  v("sfu_hint", s.sfu_hint);
  v("quad_lane", s.quad_lane, 3);
  v("quad_op", s.quad_op, 2);
  v("vote_all", s.vote_all);
  v("pm_event", s.pm_event, 4);
  v("tex", s.tex, 8);
  v("sampler", s.sampler, 5);
  v("tex_sources", s.tex_sources, 3);
  v("tex_mask", s.tex_mask, 4);
  v("tex_live", s.tex_live);
  v("tex_deriv", s.tex_deriv);
  v("tex_cube", s.tex_cube);
  v("tex_offset", s.tex_offset, 4);
  v("target", s.target, 24);
  v("call_limited", s.call_limited);
  v("barrier", s.barrier, 4);
  v("bar_arrive", s.bar_arrive);
  v("bar_wait", s.bar_wait);
  v("bar_all", s.bar_all);
  v("bar_count", s.bar_count, 12);
}

}  // namespace g80::isa

namespace g80 {

template <class V>
void visit_fields(const DecodedInstruction& s, V& v) {
  v("insn", s.insn);
  v("error", s.error);
  v("arch", s.arch, 2);
  v("unit", s.unit);
  v("reads", s.reads);
  v("writes", s.writes);
  v("control", s.control);
  v("drains", s.drains);
  v("long_latency", s.long_latency);
  v("uses_load_table", s.uses_load_table);
  v("wide", s.wide);
  v("multiplies_fp32", s.multiplies_fp32);
  v("reads_shared_operand", s.reads_shared_operand);
  v("takes_shared_port", s.takes_shared_port);
  v("reads_const_operand", s.reads_const_operand);
}

}  // namespace g80

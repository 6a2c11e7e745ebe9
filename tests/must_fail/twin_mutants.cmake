# SPDX-License-Identifier: Apache-2.0
# Twins with one mistake each. twin_mutants_test.cpp requires that the comparison of tests/twins finds every one of them.
# One build has all mutants of a twin, and the test selects one after the other.
# g80_mutant(<stem> <number> <module> <expression> <what it becomes>)
# g80_mutants(<stem> [<module whose class the adapter needs>]): class V<stem>_mutants with all of them
set(g80_mutants)
set(g80_mutant_headers)
macro(g80_mutant stem number module replace by)
  file(GLOB mutated_module ${CMAKE_SOURCE_DIR}/rtl/*/${module}.sv)
  string(APPEND ${stem}_manifest "${number}\t${mutated_module}\t${replace}\t${by}\n")
  list(APPEND ${stem}_mutated ${mutated_module})
  set(${stem}_count ${number})
endmacro()
macro(g80_mutants stem)
  list(REMOVE_DUPLICATES ${stem}_mutated)
  set(manifest ${CMAKE_BINARY_DIR}/generated/${stem}_mutants.tsv)
  file(CONFIGURE OUTPUT ${manifest} CONTENT "${${stem}_manifest}" @ONLY)
  file(GLOB mutated ${CMAKE_SOURCE_DIR}/rtl/*/${stem}.sv)
  g80_verilate(${stem}_mutants SOURCE ${mutated} PREFIX V${stem}_mutants OPTIMIZE -O0 MUTANTS ${manifest}
               MUTATED ${${stem}_mutated})
  list(APPEND g80_mutants ${stem}_mutants)
  foreach(part __024root mutant_pkg ${ARGN})
    string(APPEND g80_mutant_headers "#include \"V${stem}_mutants_${part}.h\"\n")
  endforeach()
  string(APPEND g80_mutant_headers "#include \"V${stem}_mutants.h\"\n")
  g80_class_name(class ${stem})
  string(APPEND g80_mutant_headers "inline constexpr unsigned k${class}Mutants = ${${stem}_count};\n")
endmacro()

# Bank conflicts.
# Broadcasts one word to all lanes that write it, too.
g80_mutant(bank_conflict 1 select_pass "!write_i && (lowest & same_word) != '0"
           "(lowest & same_word) != '0")
# Passes follow each other at full rate, whatever the configuration.
g80_mutant(bank_conflict 2 bank_conflict "cfg_pass_interval_i - 2'd1"
           "2'd0")
# Is ready only if no request is in the queue.
g80_mutant(bank_conflict 3 bank_conflict "!count_next[1]"
           "count_next == '0")
# Two lanes of one bank but of different words are served together.
g80_mutant(bank_conflict 4 select_pass "(below & same_bank) == '0"
           "1'b1")
# Asks for a replay after the last pass, too: one pin alone is wrong.
g80_mutant(bank_conflict 5 bank_conflict "pass_q.valid && !pass_q.last"
           "pass_q.valid")
# Forgets the lanes of a request that waits behind the one it has served.
g80_mutant(bank_conflict 6 bank_conflict "last && second_valid ? second.lanes : left"
           "left")
# The queue hands out the pushed request in place of the one that waits.
g80_mutant(bank_conflict 7 pair_queue "count_q == '0"
           "push_i")
# Counts the first pass of a request as a conflict, too: a counter alone is wrong.
g80_mutant(bank_conflict 8 bank_conflict_observer "send_i && conflict_i"
           "send_i")
g80_mutants(bank_conflict)

# Decode.
# A long instruction may begin at any word.
g80_mutant(decode 1 decode "starts[w] && reply_i.data[w][0] && pc[2] == w[0]"
           "starts[w] && reply_i.data[w][0]")
# An instruction that came one chip later is taken.
g80_mutant(decode 2 decode "decoded.arch > cfg_arch_i"
           "decoded.arch > cfg_arch_i + 2'd1")
# The second word of a long instruction begins one of its own.
g80_mutant(decode 3 decode "reply_i.bytes > 5'(4 * w) && !second_half"
           "reply_i.bytes > 5'(4 * w)")
# Works in reset.
g80_mutant(decode 4 decode "!rst_ni"
           "1'b0")
g80_mutants(decode)

# Fetch.
# A request that a redirect has made stale stays.
g80_mutant(fetch 1 fetch "request_q.valid && !cache_ready_i && epoch_d[request_q.warp] == request_q.epoch"
           "request_q.valid && !cache_ready_i")
# Does not see that the arriving group fills the buffer.
g80_mutant(fetch 2 fetch "level_i.room[w] && !(arrives[w] && fills_buffer[w])"
           "level_i.room[w]")
# Fetches a whole block from the middle of one.
g80_mutant(fetch 3 fetch "(fetch_pc[2])"
           "fetch_pc[2] && fetch_pc[3]")
# The warp fetched last comes first again.
g80_mutant(fetch 4 round_robin "IndexW'(i) > last_i"
           "IndexW'(i) >= last_i")
# Epochs come back although a fetch of the first one is on its way.
g80_mutant(fetch 5 fetch "stale_d[w] != '0 && age >= 8'd128"
           "1'b0")
# A request that is withdrawn is waited for.
g80_mutant(fetch 6 fetch "!(request_q.valid && !cache_ready_i && request_q.warp == WarpW'(w))"
           "1'b1")
# The oldest stale fetch is the newest one.
g80_mutant(fetch 7 fetch "outdated[w] && stale_left == '0"
           "outdated[w]")
g80_mutants(fetch)

# The instruction buffer.
# Takes groups of old epochs.
g80_mutant(instruction_buffer 1 instruction_buffer "decoded_i.valid && decoded_i.epoch == epoch_q[decoded_i.warp]"
           "decoded_i.valid")
# Keeps the instructions of a warp that jumps.
g80_mutant(instruction_buffer 2 instruction_buffer "starts || jumps"
           "starts")
# Has room only when one place more is free.
g80_mutant(instruction_buffer 3 instruction_buffer "count_d[w] <= cfg_most_with_room_i"
           "count_d[w] < cfg_most_with_room_i")
# Start and redirect of a warp begin one epoch.
g80_mutant(instruction_buffer 4 instruction_buffer "{7'd0, starts} + {7'd0, jumps}"
           "{7'd0, flushes[w]}")
g80_mutants(instruction_buffer)

# The port of the caches to memory.
# The constant cache has the turn whenever it wants it.
g80_mutant(line_port 1 line_port "instruction_empty || constant_first_q"
           "1'b1")
# Takes a miss of the instruction cache that it has not answered with ready.
g80_mutant(line_port 2 line_port "instruction_i.valid && instruction_ready_q"
           "instruction_i.valid")
# Replaces a line that the constant cache has not taken.
g80_mutant(line_port 3 line_port "constant_fill_q.valid && !constant_fill_ready_i"
           "1'b0")
# Sends what the instruction cache asks for in the place of the other request.
g80_mutant(line_port 4 line_port "constant_goes ? constant_head : instruction_head"
           "instruction_head")
g80_mutants(line_port)

# The SP array.
# A wrong Booth digit: +1 where two ones give +2.
g80_mutant(sp_array 1 booth_rows "digits[Place] ^ digits[Place+1]"
           "digits[Place] | digits[Place+1]")
# Rounds ties away from zero.
g80_mutant(sp_array 2 rounding "sticky_i || odd_i"
           "1'b1")
# Negates a sum without the end-around carry.
g80_mutant(sp_array 3 sp_add "negative ? ~plain : sum"
           "negative ? ~sum : sum")
# Loses the number just below the smallest normal.
g80_mutant(sp_array 4 sp_count_zeros "exponent == '0 && sum_i.limited"
           "1'b0")
# A shift by the whole width leaves a carry.
g80_mutant(sp_array 5 sp_normalise "shifted[32] && counted_i.count != width"
           "shifted[32]")
# Sticky bits are lost.
g80_mutant(sp_array 6 sp_align "kept[0] || guard || sticky"
           "kept[0] || guard")
# Announces the result at every group.
g80_mutant(sp_array 7 exec_pipe "near.group == groups - 6'd1"
           "1'b1")
# Takes a dispatch at the edges of the scheduler, too.
g80_mutant(sp_array 8 exec_pipe "dispatch_i.valid && !issue_en_i"
           "dispatch_i.valid")
# One slot too many.
g80_mutant(sp_array 9 exec_pipe "next_slot_q + 8'd1 == slots"
           "next_slot_q == slots")
# Every group gets the locks of the first one.
g80_mutant(sp_array 10 sp_array "granted[group]"
           "granted[0]")
# A vote gives the lanes that got the lock.
g80_mutant(sp_array 11 sp_array "instruction.op == g80_pkg::OpVote"
           "1'b0")
# quadop multiplies.
g80_mutant(sp_array 12 sp_control "op == g80_pkg::OpFadd || op == g80_pkg::OpQuadop"
           "op == g80_pkg::OpFadd")
# Infinity less infinity is infinite.
g80_mutant(sp_array 13 sp_unpack_float "infinite_z && sign != z[31]"
           "1'b0")
# Results move on although no group is behind them.
g80_mutant(sp_array 14 delay_line "enable_i[i]"
           "1'b1")
# Forgets the upper half of what it counts.
g80_mutant(sp_array 15 leading_zeros "empty & upper_empty"
           "empty")
# An infinite float becomes zero.
g80_mutant(sp_array 16 sp_clamp "infinite_i || (sign_i && !to_i.is_signed)"
           "sign_i && !to_i.is_signed")
# A NaN of f16 does not set Z.
g80_mutant(sp_array 17 sp_flags "zero16 || nan16"
           "zero16")
# An integer comparison looks at the NaNs of an earlier one.
g80_mutant(sp_array 18 sp_choose "control_i.from.is_float && unordered_i"
           "unordered_i")
# Shifts the first number that needs no shift.
g80_mutant(sp_array 19 sp_plan_conversion "exponent_i < too_large"
           "exponent_i <= too_large")
g80_mutants(sp_array sp_lane)

# The scoreboard.
# Lets writes of an instruction that finished stay pending.
g80_mutant(scoreboard 1 scoreboard "written | retired_writes[r]"
           "written")
# An instruction may overwrite what one in flight will write.
g80_mutant(scoreboard 2 hazards "decoded.reads | decoded.writes"
           "decoded.reads")
# Every result comes from memory.
g80_mutant(scoreboard 3 hazards "!fault && decoded.long_latency"
           "!fault")
# The head of a group behind the last waiting instruction is the one before it.
g80_mutant(scoreboard 4 scoreboard "pushes && left == '0"
           "pushes && count_q[w] == '0")
# Two that finish in one cycle count as one.
g80_mutant(scoreboard 5 scoreboard "retired + RetiredW'(1)"
           "RetiredW'(1)")
# A warp goes on before its branch is resolved.
g80_mutant(scoreboard 6 scoreboard "picked_is_control ? picked : '0"
           "'0")
# A barrier lets nobody through.
g80_mutant(scoreboard 7 scoreboard "resolve_i.warps | barrier_open_i"
           "resolve_i.warps")
# A slot is free while instructions of its warp are in flight.
g80_mutant(scoreboard 8 scoreboard "ended_d & ~busy"
           "ended_d")
# A barrier does not wait for earlier instructions.
g80_mutant(scoreboard 9 scoreboard "head.drains && busy[w]"
           "1'b0")
# No result comes from memory.
g80_mutant(scoreboard 10 scoreboard "picked[w] ? picked_writes_late : '0"
           "'0")
# Takes groups of old epochs.
g80_mutant(scoreboard 11 scoreboard "decoded_i.valid && decoded_i.epoch == epoch_q[decoded_i.warp]"
           "decoded_i.valid")
# Multiplies may go to the SFUs whatever the configuration.
g80_mutant(scoreboard 12 scoreboard "multiplies && cfg_sfu_mul_i"
           "multiplies")
# Blames control flow for a wait at a barrier.
g80_mutant(scoreboard 13 scoreboard "control_d & ~ended_d & ~barrier_waiting_i"
           "control_d & ~ended_d")
# A jump keeps the waiting instructions.
g80_mutant(scoreboard 14 scoreboard "starts || jumps ? '0 : left + (pushes ? CountW'(decoded_i.count) : '0)"
           "starts ? '0 : left + (pushes ? CountW'(decoded_i.count) : '0)")
# A stopped warp is a new one.
g80_mutant(scoreboard 15 scoreboard "(jumps && redirect_i.kind == g80_pkg::RedirectStart)"
           "(jumps && redirect_i.kind != g80_pkg::RedirectJump)")
# A move of an operand in shared memory takes the port, too.
g80_mutant(scoreboard 16 instruction_decoder "(|in_shared) && insn.op != g80_pkg::OpMov"
           "(|in_shared)")
# Words that are no instruction go where their fields say.
g80_mutant(scoreboard 17 hazards "fault ? g80_pkg::UnitControl : decoded.unit"
           "decoded.unit")
# Words that are no instruction write.
g80_mutant(scoreboard 18 hazards "fault ? '0 : decoded.writes"
           "decoded.writes")
g80_mutants(scoreboard)

# The coalescer.
# Forgets that each lane must be at its own word.
g80_mutant(coalescer 1 coalesce "lanes_i != '0 && (lanes_i & ~in_place) == '0"
           "lanes_i != '0 && (lanes_i & ~same_256) == '0")
# A segment of which exactly the upper half is touched shrinks to its last quarter.
g80_mutant(coalescer 2 coalesce "touched[2] && touched[3]"
           "1'b0")
# An atomic's operands change places.
g80_mutant(coalescer 3 coalescer "lanes[l] ? access_i.data[l] : 128'd0"
           "lanes[l] ? {access_i.data[l][1:0], access_i.data[l][3:2]} : 128'd0")
# An access stays while the arbiter has something to take.
g80_mutant(coalescer 4 coalescer "step && !busy_d"
           "step && !busy_d && !offered_q")
# Counts half-warps of 16-byte words as uncoalesced: a counter alone is wrong.
g80_mutant(coalescer 5 coalescer_observer "access_i.bytes == 5'd16 ? 5'd2 : 5'd1"
           "5'd1")
# Of several lanes that store to a byte the lowest wins.
g80_mutant(coalescer 6 store_data "stores & ~above"
           "stores & (~stores + Lanes'(1))")
# One cycle too long between transactions.
g80_mutant(coalescer 7 coalescer "cfg_cycles_per_transaction_i - RateW'(1)"
           "cfg_cycles_per_transaction_i")
# Forgets which lanes have their transaction.
g80_mutant(coalescer 8 coalescer "busy_q ? pending_q : access_i.lanes"
           "access_i.lanes")
# Stores the first byte of a word of two alone.
g80_mutant(coalescer 9 store_data "16'h0003 << {offset[3:1], 1'd0}"
           "16'h0001 << {offset[3:1], 1'd0}")
# Sends the upper 32 bytes of a segment of 64 as the lower.
g80_mutant(coalescer 10 coalesce "first[5] && bytes_o == 8'd32"
           "1'b0")
# The segment rule has segments of 64 bytes for words of four.
g80_mutant(coalescer 11 coalesce "cfg_segment_rule_i ? same_128 : same_64"
           "same_64")
# The strict rule has transactions of 128 bytes for words of four.
g80_mutant(coalescer 12 coalesce "whole && bytes_i != 5'd4"
           "whole")
# The entry that the arbiter takes is not free at the same edge.
g80_mutant(coalescer 13 coalescer "level_after_take < cfg_queue_i"
           "level_q < cfg_queue_i")
# An atomic on eight bytes says four.
g80_mutant(coalescer 14 coalescer "atomic ? access_i.bytes[3:0] : 4'd4"
           "4'd4")
# Merges the lanes of an atomic.
g80_mutant(coalescer 15 coalesce "atomic_i || !(cfg_segment_rule_i || coalesced_o)"
           "!(cfg_segment_rule_i || coalesced_o)")
# Is idle while an access waits.
g80_mutant(coalescer 16 coalescer "level_d == '0 && !access_valid_i"
           "level_d == '0")
# Sleeps before the arbiter sees the transaction: no pin is wrong.
g80_mutant(coalescer 17 coalescer_observer "!taken && !waiting && wait_d == '0 && offered_d == offered_q && idle_d == idle_q"
           "!taken && !waiting && idle_d == idle_q")
# Places are counted from the start of 128 bytes, whatever the transaction's size.
g80_mutant(coalescer 18 store_data "size_i[ByteW-1:0] - ByteW'(1)"
           "{ByteW{1'b1}}")
# Lanes that write one word share a transaction, too.
g80_mutant(coalescer 19 coalesce "cfg_share_words_i && read_i"
           "cfg_share_words_i")
# Lanes that read one sector share a transaction.
g80_mutant(coalescer 20 coalesce "same_32[l] && address_i[l][4:0] == first[4:0]"
           "same_32[l]")
g80_mutants(coalescer)

# The special function units.
# rsqrt of a power of four goes through the quadratic.
g80_mutant(sfu 1 sfu_argument "!exponent[0] && fraction == '0"
           "1'b0")
# lg2 of one is not known.
g80_mutant(sfu 2 sfu_argument "value_i == One"
           "1'b0")
# 2^x of a negative integer is one exponent too low.
g80_mutant(sfu 3 sfu_argument "~whole + 16'(fraction == '0)"
           "~whole")
# Cosine is sine.
g80_mutant(sfu 4 sfu_argument "value_i[24:23] + 2'(cosine)"
           "value_i[24:23]")
# preex2 ends one binade too late.
g80_mutant(sfu 5 sfu_argument "value_i[30:23] >= 8'd134"
           "value_i[30:23] >= 8'd135")
# The absolute value of a negated argument is not negative.
g80_mutant(sfu 6 sfu_look_up "(value_i[31] && !control_i.absolute) != control_i.negate"
           "(value_i[31] != control_i.negate) && !control_i.absolute")
# The argument of a reciprocal does not move up for the square.
g80_mutant(sfu 7 sfu_look_up "{x[15:0], 1'b0}"
           "x[16:0]")
# The sign of B is lost.
g80_mutant(sfu 8 sfu_look_up "{{15{b[16]}}, b}"
           "{15'd0, b}")
# presin multiplies by another constant in its first half.
g80_mutant(sfu 9 sfu_square "26'h0a2f983"
           "26'h0a2f982")
# The rounding constant of rsqrt is one smaller.
g80_mutant(sfu 10 sfu_multiply "48'h7fff"
           "48'h7ffe")
# The square of lg2 is not aligned.
g80_mutant(sfu 11 sfu_multiply "{3'd0, squared_i.square, 1'd0}"
           "{4'd0, squared_i.square}")
# A negative logarithm keeps its sum.
g80_mutant(sfu 12 sfu_count "header_i.sign ? ~logarithm : logarithm"
           "logarithm")
# A denormal result is not zero.
g80_mutant(sfu 13 sfu_pack "biased[15] || biased == '0"
           "biased[15]")
# Saturation lets NaN pass.
g80_mutant(sfu 14 sfu_pack "value[30:0] > Infinity"
           "1'b0")
# The second group gets the words of the first one.
g80_mutant(sfu 15 sfu "group[0] ? lanes : 3'd0"
           "3'd0")
# Units that the chip lacks work, too.
g80_mutant(sfu 16 sfu "3'(l) < lanes"
           "1'b1")
# The results of two groups are in the wrong order.
g80_mutant(sfu 17 exec_results "{last_next[Group-1:0], last[Group-1:0]}"
           "{last[Group-1:0], last_next[Group-1:0]}")
g80_mutants(sfu sfu_lane)

# The multipliers of the SFUs.
# A denormal is a number.
g80_mutant(sfu_multipliers 1 multiplier_unpack "a_i[30:23] == '0 || b_i[30:23] == '0"
           "a_i[30:0] == '0 || b_i[30:0] == '0")
# Zero times infinity is infinity.
g80_mutant(sfu_multipliers 2 multiplier_unpack "infinite && zero"
           "1'b0")
# A negated operand does not count.
g80_mutant(sfu_multipliers 3 multiplier_unpack "b_i[31] ^ control_i.negate"
           "b_i[31]")
# Wrong bias.
g80_mutant(sfu_multipliers 4 multiplier_unpack "{8'd0, a_i[30:23]} + {8'd0, b_i[30:23]} - ExponentBias"
           "{8'd0, a_i[30:23]} + {8'd0, b_i[30:23]} - 16'd128")
# The second half of the rows is added to nothing.
g80_mutant(sfu_multipliers 5 multiplier_lane "half_q.sum"
           "48'd0")
# A product below 2 is not shifted.
g80_mutant(sfu_multipliers 6 multiplier_normalise "two ? sum_i.product : {sum_i.product[46:0], 1'b0}"
           "sum_i.product")
# The exponent of a product from 2 on is one too low.
g80_mutant(sfu_multipliers 7 multiplier_normalise "16'(two)"
           "16'd0")
# Sticky bits are lost.
g80_mutant(sfu_multipliers 8 multiplier_normalise "shifted[22:0] != '0"
           "1'b0")
# Rounds toward zero as to nearest.
g80_mutant(sfu_multipliers 9 multiplier_lane "!round_control.toward_zero && normalised_q.guard"
           "normalised_q.guard")
# Rounds ties up.
g80_mutant(sfu_multipliers 10 multiplier_lane "normalised_q.sticky || normalised_q.significand[0]"
           "1'b1")
# A carry out of the rounding is lost.
g80_mutant(sfu_multipliers 11 multiplier_pack "16'(rounded_i.significand[24])"
           "16'd0")
# A denormal result is not zero.
g80_mutant(sfu_multipliers 12 multiplier_pack "exponent[15] || exponent == '0"
           "exponent[15]")
# Overflow toward zero is infinite.
g80_mutant(sfu_multipliers 13 multiplier_pack "control_i.toward_zero ? Largest : Infinity"
           "Infinity")
# Saturation lets numbers above one pass.
g80_mutant(sfu_multipliers 14 multiplier_pack "value > One"
           "1'b0")
# Every multiply rounds to nearest.
g80_mutant(sfu_multipliers 15 multiplier_control "insn_i.round == g80_pkg::RoundRz"
           "1'b0")
# Two negated operands are one.
g80_mutant(sfu_multipliers 16 multiplier_control "src0.neg != src1.neg"
           "src0.neg || src1.neg")
# The second group gets the words of the first one.
g80_mutant(sfu_multipliers 17 sfu_multipliers "group[0] ? lanes : 4'd0"
           "4'd0")
# Multipliers that the chip lacks work, too.
g80_mutant(sfu_multipliers 18 sfu_multipliers "4'(l) < lanes"
           "1'b1")
g80_mutants(sfu_multipliers multiplier_lane)

# The fp64 unit.
# A product that wraps around keeps its high bits.
g80_mutant(dp 1 dp_add "{AboveProduct{wraps}}"
           "{AboveProduct{1'b0}}")
# A positive difference takes its one although the addend goes on below the window.
g80_mutant(dp 2 dp_add "!negative && !aligned_i.sticky"
           "!negative")
# A negative difference keeps the sign of the product.
g80_mutant(dp 3 dp_add "(subtracts && negative)"
           "1'b0")
# Rounds to an integral value without what the shifter lost.
g80_mutant(dp 4 dp_align "kept[IntegralPoint-2:0] != '0 || sticky"
           "kept[IntegralPoint-2:0] != '0")
# What went out of the shifter leaves no sticky bit.
g80_mutant(dp 5 dp_align "out != '0"
           "1'b0")
# Denormal results are normalised.
g80_mutant(dp 6 dp_count "denormal < {7'd0, zeros}"
           "1'b0")
# A difference with something below the window is zero.
g80_mutant(dp 7 dp_count "magnitude == '0 && !added_i.sticky"
           "magnitude == '0")
# The bits below the significand do not round.
g80_mutant(dp 8 dp_normalise "counted_i.sticky || shifted[WindowW-65:0] != '0"
           "counted_i.sticky")
# Unsigned integers are rounded as negative ones.
g80_mutant(dp 9 dp_round "header_i.sign && !from_unsigned"
           "header_i.sign")
# An integer that is too large is not clamped.
g80_mutant(dp 10 dp_round "(to_integer && word > limit)"
           "1'b0")
# An exact difference of zero is positive in every rounding mode.
g80_mutant(dp 11 dp_pack "cancelled ? control_i.round == g80_pkg::RoundRm : header_i.sign"
           "header_i.sign && !cancelled")
# Overflow is an infinity in every rounding mode.
g80_mutant(dp 12 dp_pack "infinity - 63'(!away)"
           "infinity")
# set tells -0 from +0.
g80_mutant(dp 13 dp_pack "zeros || (rounded_i.equal && a_sign == b_sign)"
           "rounded_i.equal && a_sign == b_sign")
# A signalling NaN stays one.
g80_mutant(dp 14 dp_unpack_fma "a_i | QuietBit"
           "a_i")
# A product of zero moves the addend.
g80_mutant(dp 15 dp_unpack_fma "product_zero || distance[15]"
           "distance[15]")
# The minimum of two NaNs is not quiet.
g80_mutant(dp 16 dp_unpack_comparison "b_nan ? b | QuietBit : b"
           "b")
# A double that becomes a denormal float keeps its place.
g80_mutant(dp 17 dp_unpack_conversion "narrows && !to_denormal[15]"
           "1'b0")
# An s32 is not extended by its sign.
g80_mutant(dp 18 dp_unpack_integer "{32{is_signed && integer_i[31]}}"
           "32'd0")
# A denormal double has the exponent of zero.
g80_mutant(dp 19 dp_float "(field | 11'(denormal))"
           "field")
# A distance beyond the window is cut to eight bits.
g80_mutant(dp 20 dp_distance "distance_i > {8'd0, All}"
           "1'b0")
# The addend of an addition has the sign modifier of the third operand.
g80_mutant(dp 21 dp_control "{src1.neg, src2.neg, src0.neg}"
           "{src2.neg, src1.neg, src0.neg}")
# The second group gets the words of the first one.
g80_mutant(dp 22 dp "group[0] ? lanes : 4'd0"
           "4'd0")
# Lanes that the chip lacks work, too.
g80_mutant(dp 23 dp "4'(l) < lanes"
           "1'b1")
g80_mutants(dp dp_lane)

# The fault reporter.
# Reports each fault.
g80_mutant(fault_reporter 1 fault_reporter "reported_q || fault_push_o"
           "1'b0")
# Does not wait for room in the queue.
g80_mutant(fault_reporter 2 fault_reporter "found && !reported_q && fault_room_i"
           "found && !reported_q")
# Takes the block of the slot's last warp for one that has just started.
g80_mutant(fault_reporter 3 fault_reporter "start_i.valid && start_i.warp == fault.origin.warp[WarpW-1:0]"
           "1'b0")
# Sends the fault of the stack in place of the one that there is.
g80_mutant(fault_reporter 4 fault_reporter "source[first]"
           "source[0]")
# The warp's number in its block is what the source says.
g80_mutant(fault_reporter 5 fault_reporter "{1'b0, tenant.warp_in_cta}"
           "fault.warp_in_cta")
# Shows a fault that it has not sent.
g80_mutant(fault_reporter 6 fault_reporter "fault_push_o ? fault_o : fault_q"
           "fault_o")
g80_mutants(fault_reporter)

# The barrier.
# Opens for an end as if it had not happened yet.
g80_mutant(barrier 1 barrier "cfg_expect_launched_i ? launched_q[c] : live_after_end[c]"
           "cfg_expect_launched_i ? launched_q[c] : live_q[c]")
# An end opens no barrier.
g80_mutant(barrier 2 barrier "resolve_i.ended ? complete_at_end[ended_cta] : '0"
           "'0")
# An arrival does not see the end of a warp beside it.
g80_mutant(barrier 3 barrier "ends[c] ? complete_after_end : complete"
           "complete")
# An arrival at a barrier that opens beside it is one of those that opened it.
g80_mutant(barrier 4 barrier "ends[c] && complete_at_end[c][id]"
           "1'b0")
# Waiting alone is arriving, too.
g80_mutant(barrier 5 barrier "{1'b0, arrived_q[c][id]} + CountW'(decoded.bar_arrive)"
           "{1'b0, arrived_q[c][id]} + CountW'(1)")
# Waits where no warp has arrived.
g80_mutant(barrier 6 barrier "decoded.bar_wait && arrived != '0"
           "decoded.bar_wait")
# Arriving alone is waiting, too.
g80_mutant(barrier 7 barrier "decoded.bar_wait && arrived != '0"
           "arrived != '0")
# Lets the warps of other barriers of the block through.
g80_mutant(barrier 8 barrier "barrier_of_q[w] == id && opens"
           "opens")
# Lets the warps of other blocks through.
g80_mutant(barrier 9 barrier "cta_of_q[w] == ended_cta && opens_at_end[barrier_of_q[w]]"
           "opens_at_end[barrier_of_q[w]]")
# A block begins with what arrived in the block before it.
g80_mutant(barrier 10 barrier "begins || (ends[c] && complete_at_end[c][b])"
           "ends[c] && complete_at_end[c][b]")
# A barrier that opened keeps its count.
g80_mutant(barrier 11 barrier "complete_here[c] ? '0 : arrived_here[c][ArrivedW-1:0]"
           "arrived_here[c][ArrivedW-1:0]")
# Every warp that starts begins a block.
g80_mutant(barrier 12 barrier "start_i.valid && start_i.warp_in_cta == '0 && start_i.cta_slot == BlockW'(c)"
           "start_i.valid && start_i.cta_slot == BlockW'(c)")
# Waits for one warp more.
g80_mutant(barrier 13 all_arrived "arrived_i >= expected_i"
           "arrived_i > expected_i")
# Opens barriers to which no warp has come, in a block whose warps have ended.
g80_mutant(barrier 14 all_arrived "arrived_i != '0"
           "1'b1")
g80_mutants(barrier)

# The reconvergence stack.
# Does not find the lanes that broke out of a loop.
g80_mutant(reconvergence_stack 1 unwind_search "runnable_i | broke_i"
           "runnable_i")
# Does not find the lanes that returned.
g80_mutant(reconvergence_stack 2 unwind_search "runnable_i | returned_i"
           "runnable_i")
# Counts a call twice if the search ends at it.
g80_mutant(reconvergence_stack 3 unwind_search "its_number > number_o"
           "its_number >= number_o")
# Begins the search below the youngest entry.
g80_mutant(reconvergence_stack 4 unwind_search "~tail"
           "-tail")
# Takes the place above the youngest entry for it.
g80_mutant(reconvergence_stack 5 warp_control "tail - PlaceW'(1)"
           "tail")
# Refuses a breakpoint in quad mode.
g80_mutant(reconvergence_stack 6 warp_control
           "insn_i.op != g80_pkg::OpQuadpop && insn_i.op != g80_pkg::OpBrkpt"
           "insn_i.op != g80_pkg::OpQuadpop")
# Allows one limited call too many.
g80_mutant(reconvergence_stack 7 warp_control "{1'b0, state_i.limited_calls} >= calls_limit_i"
           "{1'b0, state_i.limited_calls} > calls_limit_i")
# Allows one entry too many.
g80_mutant(reconvergence_stack 8 warp_control "depth >= depth_limit_i"
           "depth > depth_limit_i")
# Sends entries to memory only when all places are full.
g80_mutant(reconvergence_stack 9 warp_control "state_i.count == on_chip_limit_i"
           "state_i.count == CountW'(Places)")
# Only lanes in which its condition holds leave with an exit.
g80_mutant(reconvergence_stack 10 warp_control "exits ? active_i : leaves ? taken_i : '0"
           "leaves ? taken_i : '0")
# Lanes that return outside of calls wait.
g80_mutant(reconvergence_stack 11 warp_control "returns && state_i.calls != '0 ? taken_i : '0"
           "returns ? taken_i : '0")
# The search pops the join point, too.
g80_mutant(reconvergence_stack 12 warp_control "faulty || at.type_ == g80_pkg::StackEntryTypeJoinat"
           "faulty")
# A join does not wait for its entry.
g80_mutant(reconvergence_stack 13 warp_control "unwinds && !found || joins && empty"
           "unwinds && !found")
# A branch to the next instruction is a jump.
g80_mutant(reconvergence_stack 14 warp_control "insn_i.target != next"
           "1'b1")
# Keeps the wrong side of a branch.
g80_mutant(reconvergence_stack 15 warp_control "taken_first_i ? rest : taken_i"
           "taken_i")
# Lanes of the first lane of a quad alone.
g80_mutant(reconvergence_stack 16 warp_control "active_i[q+:4] != '0"
           "active_i[q]")
# Lanes that have waited do not run.
g80_mutant(reconvergence_stack 17 warp_control "at.mask & (runnable | back)"
           "at.mask & runnable")
# Does not see an entry in the cycle in which it comes.
g80_mutant(reconvergence_stack 18 reconvergence_stack "refilled_q[warp] || fills"
           "refilled_q[warp]")
# Executes what the memory holds, not the instruction that comes.
g80_mutant(reconvergence_stack 19 reconvergence_stack
           "arriving.valid && arriving.warp == warp ? arriving : {1'b1, warp, stored}"
           "{1'b1, warp, stored}")
# Does not wait until an access is taken.
g80_mutant(reconvergence_stack 20 reconvergence_stack "access_q.valid && !access_ready_i"
           "1'b0")
# Executes without room for an access.
g80_mutant(reconvergence_stack 21 reconvergence_stack "turn && !memory_full"
           "turn")
# Takes the depth of the grid where the chip has less.
g80_mutant(reconvergence_stack 22 reconvergence_stack
           "launch_stack_depth_i == '0 || launch_stack_depth_i > 32'(cfg_depth_i)"
           "launch_stack_depth_i == '0")
# A warp begins anew with each instruction.
g80_mutant(reconvergence_stack 23 reconvergence_stack "fresh_q[w] && !its_turn"
           "fresh_q[w]")
# Takes an entry that came back twice.
g80_mutant(reconvergence_stack 24 reconvergence_stack "!its_turn && (gets_entry || refilled_q[w])"
           "gets_entry || refilled_q[w]")
# Puts an entry that came back above its place.
g80_mutant(reconvergence_stack 25 reconvergence_stack "refilled ? '0 : push_place"
           "push_place")
# Shows the last fault.
g80_mutant(reconvergence_stack 26 reconvergence_stack "outcome.fault != g80_pkg::FaultNone && !fault_q.valid"
           "outcome.fault != g80_pkg::FaultNone")
# Two that come at once get one turn.
g80_mutant(reconvergence_stack 27 control_turns "tail + WarpW'(first_valid_i)"
           "tail")
# An entry goes before the instruction that comes with it.
g80_mutant(reconvergence_stack 28 control_turns "first_valid_i ? first_i : second_i"
           "second_valid_i ? second_i : first_i")
# A register in front of the stack is never free again.
g80_mutant(reconvergence_stack 29 delay_row "incoming[i] || valid_q[i]"
           "incoming[i]")
# An empty queue hands out what it held.
g80_mutant(reconvergence_stack 30 sram_queue "empty_o ? data_i : front_o"
           "front_o")
g80_mutants(reconvergence_stack)

# Writeback.
# A result that waits takes a bank that an SP result has.
g80_mutant(writeback 1 writeback "waits && (waited_banks & sp_busy) != '0"
           "1'b0")
# A load takes the bank of a result that waited.
g80_mutant(writeback 2 writeback "load_writes && (sp_busy[load_bank] || waited_busy[load_bank])"
           "load_writes && sp_busy[load_bank]")
# The values of a result that waited are those of its unit.
g80_mutant(writeback 3 writeback
           "waited_whole ? g80_pkg::ValueSourceWaited : g80_pkg::value_source_e'({1'b0, waited_unit})"
           "g80_pkg::value_source_e'({1'b0, waited_unit})")
# A result leaves the queue with the first register of its pair.
g80_mutant(writeback 4 writeback "waited_goes && waited_last"
           "waited_goes")
# The second register of a pair is written twice.
g80_mutant(writeback 5 writeback "waited_goes ? !waited_last : waiting_written_q"
           "1'b0")
# An SP result's flags go to the port of one that waited.
g80_mutant(writeback 6 writeback "sp_flags ? sp_flag_slot : waited_flag_slot"
           "waited_flag_slot")
# Releases a load with its first register.
g80_mutant(writeback 7 writeback "load_goes && load.last"
           "load_goes")
# Control events of other units finish here, too.
g80_mutant(writeback 8 writeback "control_i.valid && control.unit == g80_pkg::UnitControl"
           "control_i.valid")
# The first half of a load's register is lost.
g80_mutant(writeback 9 writeback "load_i.valid && !load_i.half ? load_i.data : half_q"
           "half_q")
# A load that writes nothing waits for a bank.
g80_mutant(writeback 10 writeback "has_load && decoded.writes.registers != '0"
           "has_load")
# All lanes of a pair are those of a locked load.
g80_mutant(writeback 11 result_target "pair ? result_i.lanes : result_i.loaded"
           "result_i.loaded")
# The upper half of a register is the register behind.
g80_mutant(writeback 12 result_target "half ? {1'b0, dst.index[6:1]} : dst.index"
           "dst.index")
# With one bank a pair is written at once.
g80_mutant(writeback 13 result_target "cfg_num_banks_i == 6'd1"
           "1'b0")
# A row is whole when its first lanes arrive.
g80_mutant(writeback 14 result_row "result_i.valid ? result_i.last : row_q.whole"
           "result_i.valid || row_q.whole")
# Lanes arrive in the place of others.
g80_mutant(writeback 15 result_row "((result_i.first ^ 5'(l)) & ~{1'b0, place}) == '0"
           "1'b1")
# The last lanes of a write are always there.
g80_mutant(writeback 16 late_lanes "!whole_i[slot_i.from[1:0]]"
           "1'b0")
# The last lanes complete every result of the unit.
g80_mutant(writeback 17 waiting_results "unit_q[e] == 2'(u + 1) && !whole_q[e]"
           "unit_q[e] == 2'(u + 1)")
# Results of one cycle take one place.
g80_mutant(writeback 18 waiting_results "pushed + 2'(push_i[u])"
           "2'(push_i[u])")
# A result that its last lanes complete waits for the next cycle.
g80_mutant(writeback 19 waiting_results "waits && whole_d[head_q]"
           "waits && whole_q[head_q]")
# The warp does not move the registers to another bank.
g80_mutant(writeback 20 register_bank "{2'd0, unit_i[warp_i]}"
           "7'd0")
# A pair counts as a result once more, at its first register.
g80_mutant(writeback 21 writeback "sfu_dp_results_q + 8'(waited_done)"
           "sfu_dp_results_q + 8'(waited_goes)")
g80_mutants(writeback)

# The operand collector.
# An instruction overtakes one of its warp that reads registers.
g80_mutant(operand_collector 1 operand_collector "~overtakes"
           "{Units{1'b1}}")
# Only the registers of younger instructions count.
g80_mutant(operand_collector 2 operand_collector "!younger_q[u*(u-1)/2+o]"
           "younger_q[u*(u-1)/2+o]")
# An instruction leaves without its registers.
g80_mutant(operand_collector 3 operand_collector "~reading"
           "{Units{1'b1}}")
# An access overtakes one of its warp that reads registers.
g80_mutant(operand_collector 4 operand_collector "reading | overtakes"
           "reading")
# SFUs and multipliers work at a time.
g80_mutant(operand_collector 5 operand_collector "sfu_busy || multiply_busy"
           "sfu_busy")
# The port of s[] operands is always free.
g80_mutant(operand_collector 6 operand_collector "shared_busy ? takes_shared_port : '0"
           "'0")
# Operands of an access leave while others do.
g80_mutant(operand_collector 7 access_jobs "addressed_o && port_busy_i"
           "1'b0")
# An fp64 instruction keeps its unit.
g80_mutant(operand_collector 8 operand_collector "dp_goes ? Units'(1) << dp_unit : '0"
           "'0")
# A control instruction keeps its unit.
g80_mutant(operand_collector 9 operand_collector "control_leaves & on_control"
           "'0")
# The guard of a vote counts.
g80_mutant(operand_collector 10 operand_collector "unguarded_q ? '1 : condition"
           "condition")
# The lanes that a quad excludes execute.
g80_mutant(operand_collector 11 operand_collector "{(Lanes/4){lane_mask_q}}"
           "{Lanes{1'b1}}")
# An instruction without lanes fetches its c[] operand.
g80_mutant(operand_collector 12 operand_collector "accesses_q[2] && lanes != '0"
           "accesses_q[2]")
# The second operand fetch of an instruction is lost.
g80_mutant(operand_collector 13 access_jobs "2'(access_i) + 2'(const_i)"
           "2'(access_i || const_i)")
# The upper half-warp of an access is not sent.
g80_mutant(operand_collector 14 address_port
           "state_q.part == '0 && lanes_sent_i[Lanes-1:Half] != '0"
           "1'b0")
# An access without lower lanes begins with them.
g80_mutant(operand_collector 15 address_port "lanes_i[Half-1:0] == '0"
           "1'b0")
# A later fault takes the place of the first.
g80_mutant(operand_collector 16 operand_collector "constant.fault != g80_pkg::MemFaultNone && !fault_q.valid"
           "constant.fault != g80_pkg::MemFaultNone")
# The lower half of a register comes for the upper.
g80_mutant(operand_collector 17 operand_collector "register.half[0]"
           "1'b0")
# An s[] operand is complete with its first half.
g80_mutant(operand_collector 18 collector_unit "reads_shared_q ? halves : 2'd0"
           "reads_shared_q ? 2'd1 : 2'd0")
# A c[] operand at one address is asked for twice.
g80_mutant(operand_collector 19 collector_unit "const_addressed_q ? halves : 2'd1"
           "halves")
# Beside an s[] operand, $a addresses c[].
g80_mutant(operand_collector 20 collector_unit "uses_addr && !in_shared[0]"
           "uses_addr")
# The grants of the first half are forgotten.
g80_mutant(operand_collector 21 collector_unit
           "granted_q | (smem_i.half ? {smem_i.granted, {Half{1'b0}}} : Lanes'(smem_i.granted))"
           "smem_i.half ? {smem_i.granted, {Half{1'b0}}} : Lanes'(smem_i.granted)")
# A signed half of c[] is not extended.
g80_mutant(operand_collector 22 collector_unit "extend_q[s]"
           "1'b0")
# All lanes get an answer from c[].
g80_mutant(operand_collector 23 collector_unit "const_i.lanes[l]"
           "1'b1")
# A store of one word sends what the unit held.
g80_mutant(operand_collector 24 collector_unit "accept_i && memory"
           "1'b0")
# The special register has no lane.
g80_mutant(operand_collector 25 collector_unit "fill_by_lane_i[s] ? 32'(l) : 32'd0"
           "32'd0")
# Inactive lanes vote.
g80_mutant(operand_collector 26 collector_unit "condition_d & active_q"
           "condition_d")
# The next instruction's control event counts as sent.
g80_mutant(operand_collector 27 collector_unit "!accept_i && (control_sent_q || control_i)"
           "control_sent_q || control_i")
# The latch takes what the unit holds later.
g80_mutant(operand_collector 28 operand_port "state_q.sending && first"
           "state_q.sending")
# A port sends one part less.
g80_mutant(operand_collector 29 operand_port "6'(state_q.part) + 6'd1 < parts"
           "6'(state_q.part) + 6'd2 < parts")
# A port shows lanes that its unit does not take.
g80_mutant(operand_collector 30 operand_port "5'(i) < 5'd1 << cfg_log2_lanes_i"
           "1'b1")
# Greater is greater or equal.
g80_mutant(operand_collector 31 guard_lanes "~Z & ~(S ^ O)"
           "~(S ^ O)")
# Complements are not in reverse order.
g80_mutant(operand_collector 32 guard_lanes "complement ? ~code_i[3:0] : code_i[3:0]"
           "code_i[3:0]")
# One place is kept for two results.
g80_mutant(operand_collector 33 operand_collector "8'(g80_pkg::MaxWaitingResults - 2)"
           "8'(g80_pkg::MaxWaitingResults - 1)")
# An instruction for the fp64 unit counts as no result.
g80_mutant(operand_collector 34 operand_collector "sfu_dp_sent_q + 8'(sfus_go) + 8'(dp_goes)"
           "sfu_dp_sent_q + 8'(sfus_go)")
g80_mutants(operand_collector)

# The instruction cache.
# A line that is not valid is a hit.
g80_mutant(instruction_cache 1 cache_tags "in_set[l] && valid[l] && tag == line_i"
           "in_set[l] && tag == line_i")
# Uses count under fifo, too.
g80_mutant(instruction_cache 2 cache_tags "cfg_policy_i != g80_pkg::ReplaceFifo"
           "1'b1")
# The random numbers go on when the cache is emptied.
g80_mutant(instruction_cache 3 cache_tags "clear_i ? FirstRandom : random_q"
           "random_q")
# A lane that is used stays older than those below it.
g80_mutant(instruction_cache 4 age_matrix "used_i != LaneW'(o) && younger_i[o*(o-1)/2+l]"
           "younger_i[o*(o-1)/2+l]")
# The tree points to the half that was used last.
g80_mutant(instruction_cache 5 use_tree "upper_i[Node] == ((l / Width) % 2 == 0)"
           "upper_i[Node] != ((l / Width) % 2 == 0)")
# A miss merges with a stale line.
g80_mutant(instruction_cache 6 mshr "used_q[e] && !stale[e] && line_q[e] == line_i"
           "used_q[e] && line_q[e] == line_i")
# A miss merges where no place to wait is free.
g80_mutant(instruction_cache 7 mshr "miss_i && has_place && found"
           "miss_i && found")
# Lines on their way are not stale when the cache is emptied.
g80_mutant(instruction_cache 8 mshr "stale_i ? used_q : stale_q"
           "stale_q")
# The waiter in front is the last.
g80_mutant(instruction_cache 9 mshr "front == last_q[fill_entry_i]"
           "1'b1")
# A request that leaves at once names an earlier fetch.
g80_mutant(instruction_cache 10 mshr "sends_now ? waiter_i : first_waiter"
           "first_waiter")
# Caches stale lines.
g80_mutant(instruction_cache 11 line_store "fill_i && fill_fault_i == g80_pkg::MemFaultNone && !fill_stale"
           "fill_i && fill_fault_i == g80_pkg::MemFaultNone")
# Caches lines that could not be read.
g80_mutant(instruction_cache 12 line_store "fill_i && fill_fault_i == g80_pkg::MemFaultNone && !fill_stale"
           "fill_i && !fill_stale")
# A line of 32 bytes overwrites the other lines of its row.
g80_mutant(instruction_cache 13 line_data "first_o == 2'(b)"
           "1'b1")
# A reply passes all registers, whatever the configuration.
g80_mutant(instruction_cache 14 delayed_queue "valid_q[i-1] && CountW'(i) < cfg_stages_i"
           "valid_q[i-1]")
# The words of a reply come from another line of the row.
g80_mutant(instruction_cache 15 instruction_cache "answered.address[6:2] & line_words"
           "answered.address[6:2]")
# Replaces a miss that the port has not taken.
g80_mutant(instruction_cache 16 instruction_cache "line_q.valid && !line_ready_i"
           "1'b0")
# Is ready with one place too few.
g80_mutant(instruction_cache 17 instruction_cache "queue_next < CountW'(Depth)"
           "queue_next < CountW'(Depth - 1)")
g80_mutants(instruction_cache)

# The constant cache.
# Serves all lanes with one word.
g80_mutant(constant_cache 1 select_broadcast "lanes_i & (direct_i ? '1 : word)"
           "lanes_i")
# Lanes wait for the line of the first one.
g80_mutant(constant_cache 2 select_broadcast "lanes_i & (direct_i ? '1 : line)"
           "lanes_i")
# Of a request in the cycle in which it comes it sees what its entry held before.
g80_mutant(constant_cache 3 constant_cache "takes && entry == new_entry"
           "1'b0")
# A request begins with what the last one in its entry left.
g80_mutant(constant_cache 4 constant_cache "filling || passed_q != '0"
           "1'b1")
# Forgets at each pass what the earlier ones brought.
g80_mutant(constant_cache 5 constant_cache "filling || passed_q != '0"
           "filling")
# The oldest request leaves the queue after its first pass.
g80_mutant(constant_cache 6 constant_cache "pending == passing_here"
           "1'b1")
# A waiter leaves after its first word.
g80_mutant(constant_cache 7 constant_cache "passing == lanes"
           "1'b1")
# A line that could not be read is data.
g80_mutant(constant_cache 8 constant_cache "fills && fault != g80_pkg::MemFaultNone"
           "1'b0")
# A pass at every cycle, whatever the configuration.
g80_mutant(constant_cache 9 constant_cache "passes && cfg_rests_i"
           "1'b0")
# Looks up in a cycle without a pass, too.
g80_mutant(constant_cache 10 constant_cache "order_valid && !filling && !resting_q"
           "order_valid && !filling")
# Answers when no lane waits for a line, though some wait for their pass.
g80_mutant(constant_cache 11 constant_cache "!(order_valid && oldest == entry)"
           "1'b1")
# A second line that cannot be read hides the lanes of the first.
g80_mutant(constant_cache 12 constant_cache "progress.fault_lanes | passing_here"
           "passing_here")
# Lanes whose line could not be read get what stood there.
g80_mutant(constant_cache 13 constant_cache "request.lanes & ~progress_next.fault_lanes"
           "request.lanes")
# The answer lacks the words of its last pass.
g80_mutant(constant_cache 14 constant_cache "writes[l] ? bytes : kept_data[l]"
           "kept_data[l]")
# A request for a line that leaves at once names an earlier instruction.
g80_mutant(constant_cache 15 constant_cache "takes && first.entry == new_entry"
           "1'b0")
# Replaces a miss that the port has not taken.
g80_mutant(constant_cache 16 constant_cache "line_q.valid && !line_ready_i"
           "1'b0")
# Two bytes are one.
g80_mutant(constant_cache 17 constant_cache "request.bytes[2:1] != '0"
           "request.bytes[2]")
# Sees a free entry one cycle late.
g80_mutant(constant_cache 18 constant_cache "used_d != '1"
           "used_q != '1")
# The word comes from another line of the row.
g80_mutant(constant_cache 19 constant_cache "address[6:2] & line_words"
           "address[6:2]")
# The upper half-warp's lanes are those of the lower.
g80_mutant(constant_cache 20 constant_cache "upper ? {passing, Lanes'(0)} : {Lanes'(0), passing}"
           "{Lanes'(0), passing}")
# A direct read always has a word.
g80_mutant(constant_cache 21 constant_cache "Lanes'(good_lanes != '0)"
           "Lanes'(1)")
# A request begins with the lanes that the one before it has served.
g80_mutant(constant_cache 22 constant_cache "order_pops ? '0 : passed_q | passing_here"
           "passed_q | passing_here")
# A waiter begins with the lanes that the one before it has served.
g80_mutant(constant_cache 23 constant_cache "next_waiter ? '0 : filled_q | passing"
           "filled_q | passing")
# Each lane of a direct read keeps its own word.
g80_mutant(constant_cache 24 constant_cache "Lanes'(serves)"
           "writes")
# Bytes are always the lowest of their word.
g80_mutant(constant_cache 25 constant_cache "request.address[l][1:0]"
           "2'd0")
g80_mutants(constant_cache)

# The load table.
# A load is complete with its first reply.
g80_mutant(load_table 1 load_table "left_q[memory_id] == LeftW'(num_memory)"
           "1'b1")
# Words of l[] come all together.
g80_mutant(load_table 2 load_table "LeftW'(num_lanes) * LeftW'(separate_words)"
           "LeftW'(num_lanes)")
# Sends registers for which writeback has no room.
g80_mutant(load_table 3 load_table "rows_q - rows_written_i < 8'(g80_pkg::LoadRows)"
           "1'b1")
# All loads have one register.
g80_mutant(load_table 4 load_table "{1'b0, part} + 4'd1 >= {shown_registers, 1'b0}"
           "1'b1")
# A reply for l[] has all words.
g80_mutant(load_table 5 load_table "reply_i.client != g80_pkg::MemClientLocal"
           "1'b1")
# A fault without lanes names the first one of its half-warp.
g80_mutant(load_table 6 load_table "fault_has_lane ? {fault_half, fault_lane} : '0"
           "{fault_half, fault_lane}")
# The last fault stays.
g80_mutant(load_table 7 load_table "!fault_q.valid && (memory_fails || texture_fails)"
           "memory_fails || texture_fails")
# A fault of the memory names the load of the texture unit.
g80_mutant(load_table 8 load_table "memory_fails ? memory_id : texture_id"
           "texture_id")
# A fault's address is that of the transaction.
g80_mutant(load_table 9 load_table "offset[fault_lane] & 7'(reply_i.bytes - 8'd1)"
           "7'd0")
# A load that writes no register has data.
g80_mutant(load_table 10 load_table "shown_registers == '0 ? '0 : result_o.lanes"
           "result_o.lanes")
# Lanes that are not in a load have data.
g80_mutant(load_table 11 load_table "has_data[l]"
           "1'b1")
# All registers get the first component.
g80_mutant(load_table 12 load_table "{component[Words-2:0], 2'(c)}"
           "{component[Words-2:0], 2'd0}")
# Counts half registers.
g80_mutant(load_table 13 load_table "8'(sends && !part[0])"
           "8'(sends)")
# An entry of a control stack is always the first of its sector.
g80_mutant(load_table 14 load_table "{2'd0, reply_i.id[6:5], 1'b0}"
           "5'd0")
# A load without lanes stays.
g80_mutant(load_table 15 load_table "open_i.valid && open_i.lanes == '0"
           "1'b0")
# An atomic's words are at the lane's place.
g80_mutant(load_table 16 load_table "reply_i.op == g80_pkg::MemOpAtomic"
           "1'b0")
# A later word of l[] comes from behind the lane's place.
g80_mutant(load_table 17 load_table "num_words == 3'd1"
           "1'b0")
# A refused reduction names an entry.
g80_mutant(load_table 18 load_table "reply_i.op == g80_pkg::MemOpReduce"
           "1'b0")
# The texture unit completes nothing.
g80_mutant(load_table 19 load_table "memory_done || texture_done"
           "memory_done")
# Signed bytes are not extended.
g80_mutant(load_table 20 load_lane "{{24{narrow[7]}}, narrow[7:0]}"
           "{24'd0, narrow[7:0]}")
# A lane's place is that in 128 bytes, however few came.
g80_mutant(load_table 21 load_lane "offset_i & 7'(bytes_i - 8'd1)"
           "offset_i")
# Halves are always the lower ones of their word.
g80_mutant(load_table 22 load_lane "at[1] ? word[0][31:16] : word[0][15:0]"
           "word[0][15:0]")
# An input that pushes nothing takes a place.
g80_mutant(load_table 23 merging_queue "tail + IndexW'(push_i[i])"
           "tail + IndexW'(1)")
# An entry that is pushed cannot leave at once.
g80_mutant(load_table 24 merging_queue "entry_d[head_q]"
           "entry_q[head_q]")
# Begins with the half register at which the last load ended.
g80_mutant(load_table 25 load_table "begins ? 3'd0 : part_q"
           "part_q")
g80_mutants(load_table)

# The register file.
# Of two instructions that want a bank, the one of the lower unit gets it.
g80_mutant(register_file 1 register_turns "!younger_i[u*(u-1)/2+o]"
           "1'b1")
# A bank that is written is read.
g80_mutant(register_file 2 unit_turns "!busy_i[bank_i[w]]"
           "1'b1")
# Two words of an instruction get their bank at once.
g80_mutant(register_file 3 unit_turns "first[w] && !older[bank_i[w]]"
           "wants_i[w] && !older[bank_i[w]]")
# The order of issue never changes.
g80_mutant(register_file 4 register_file "other_accepts || (!accepts && younger_q[u*(u-1)/2+o])"
           "younger_q[u*(u-1)/2+o]")
# $r0 is read before the numbers of threads are there.
g80_mutant(register_file 5 register_file "!(reg_d[u][w] == '0 && without_numbers[warp_d[u]])"
           "1'b1")
# A register that is not allocated is another warp's.
g80_mutant(register_file 6 register_file "reg_d[u][w] >= allocated"
           "1'b0")
# Writes a register that is not allocated.
g80_mutant(register_file 7 bank_write "{1'b0, word_i.reg_} < registers_i[word_i.warp]"
           "1'b1")
# Writes the upper half of a register from the upper half of the words.
g80_mutant(register_file 8 bank_write "word_i.low ? word[l][31:16] : word[l][15:0]"
           "word[l][31:16]")
# Has room for one entry of numbers too many.
g80_mutant(register_file 9 register_file "numbers_next + CountW'(2) <= CountW'(g80_pkg::MaxThreadNumbers)"
           "numbers_next + CountW'(1) <= CountW'(g80_pkg::MaxThreadNumbers)")
# An increment of the upper half-warp goes to the lower one.
g80_mutant(register_file 10 register_file "increment_i.half ? {increment_i.lanes, Half'(0)} : {Half'(0), increment_i.lanes}"
           "{Half'(0), increment_i.lanes}")
# An increment of $a0 goes to $a4.
g80_mutant(register_file 11 register_file "increment_i.valid && increment_i.index != '0 && increment_i.index <= LastAddr"
           "increment_i.valid && increment_i.index <= LastAddr")
# $a5 is $a1.
g80_mutant(register_file 12 register_file "side_addr != '0 && side_addr <= LastAddr ? side_addr_words : '0"
           "side_addr != '0 ? side_addr_words : '0")
# A half is the register of its number.
g80_mutant(register_file 13 operand_reads "{2'b00, operand.index[6:1]}"
           "{1'b0, operand.index}")
# Data of a store are sources.
g80_mutant(register_file 14 operand_reads "s != 0 && decoded.unit == g80_pkg::UnitMemory"
           "1'b0")
# A texture is looked up with four coordinates.
g80_mutant(register_file 15 operand_reads "decoded.insn.tex_sources > 3'(i)"
           "1'b1")
# A move from $a reads the one of the address.
g80_mutant(register_file 16 operand_reads "decoded.insn.addr_reg != '0 ? decoded.insn.addr_reg : src0.index[2:0]"
           "decoded.insn.addr_reg")
# Numbers of threads overwrite the lower half of what was written before them.
g80_mutant(register_file 17 waiting_numbers "overwrites && write.low ? low_q[e] & ~write.lanes : low_q[e]"
           "low_q[e]")
# Numbers of threads overwrite the upper half of what was written before them.
g80_mutant(register_file 18 waiting_numbers "overwrites && write.high ? high_q[e] & ~write.lanes : high_q[e]"
           "high_q[e]")
# Numbers of threads take a slot that is not free.
g80_mutant(register_file 19 waiting_numbers "count_q != '0 && !taken_i[bank_o]"
           "count_q != '0")
# Late lanes are those of the first place.
g80_mutant(register_file 20 last_lanes "PlaceW'(l) - result_i.first[PlaceW-1:0]"
           "PlaceW'(l)")
# The whole upper half-warp is late.
g80_mutant(register_file 21 last_lanes "{Lanes{1'b1}} << result_i.first[PlaceW-1:0]"
           "{Lanes{1'b1}}")
# A read does not find what is written beside it.
g80_mutant(register_file 22 sram_2w1r_write_first "write_i[w] && write_row_i[w] == read_row_i"
           "1'b0")
# A write changes all lanes of its row.
g80_mutant(register_file 23 sram_banks "part_i[b][p]"
           "1'b1")
# A register has left its port when half of it has.
g80_mutant(register_file 24 register_turns "all_reads[n] && !passing_i[Ports-1-n]"
           "1'b0")
# Every read of an instruction has a port.
g80_mutant(register_file 25 unit_ports "turn_i[w] && !full[w]"
           "turn_i[w]")
# Reads of younger instructions take ports first.
g80_mutant(register_file 26 register_turns "older[u][o] ? reads[o] : '0"
           "reads[o]")
# Two instructions with a read each take one port.
g80_mutant(register_file 27 thermometer_sum "sum[2*i+1] << (k + 1)"
           "'0")
# Banks are read although numbers of threads have waited for long.
g80_mutant(register_file 28 register_file "numbers_urgent ? '1 : busy_banks_i"
           "busy_banks_i")
# The age of numbers goes on behind a slot.
g80_mutant(register_file 29 waiting_numbers "count_q == '0 || grant_o"
           "count_q == '0")
g80_mutants(register_file)

# The CTA launcher.
# A row or a layer ends a thread late.
g80_mutant(cta_launcher 1 add_digit "!over[DigitW]"
           "!over[DigitW] && over != '0")
# The larger sizes of a block are like those of a warp.
g80_mutant(cta_launcher 2 thread_offsets "block_x_i >= DigitW'(Sizes)"
           "1'b0")
# x does not carry into y.
g80_mutant(cta_launcher 3 add_threads "x_carries ? y[1] : y[0]"
           "y[0]")
# y does not carry into z.
g80_mutant(cta_launcher 4 add_threads "carries ? z + OffsetW'(1) : z"
           "z")
# Replaces words of a header that the address unit has not taken.
g80_mutant(cta_launcher 5 cta_launcher "fill_q.valid && !fill_ready_i"
           "1'b0")
# A block begins while warps of another start.
g80_mutant(cta_launcher 6 cta_launcher "!launching_q && cta_valid_i"
           "cta_valid_i")
# Sends numbers of threads that the register file has no room for.
g80_mutant(cta_launcher 7 cta_launcher "header_words_q == '0 && numbers_room_i"
           "header_words_q == '0")
# Believes the drained bit of a new warp a cycle early.
g80_mutant(cta_launcher 8 cta_launcher "fresh_q[0] | fresh_q[1] | fresh_q[2]"
           "fresh_q[0] | fresh_q[1]")
# A block ends although warps of it are to start.
g80_mutant(cta_launcher 9 cta_launcher "!(launching_q && launching_slot_q == SlotW'(s))"
           "1'b1")
# Reports the end of a block without room for the report.
g80_mutant(cta_launcher 10 cta_launcher "one_may_end && cta_done_room_i"
           "one_may_end")
# Only the first warp of a block ends with it.
g80_mutant(cta_launcher 11 cta_launcher "(Warps'(1) << num_warps_q[ending]) - Warps'(1)"
           "Warps'(1)")
# The SM is idle while an access is on its way.
g80_mutant(cta_launcher 12 cta_launcher "!fetch_waits_i && !accesses_busy_i"
           "!fetch_waits_i")
# Takes no launch state before it was told idle.
g80_mutant(cta_launcher 13 cta_launcher "begins && idle"
           "begins && told_idle_q")
# The slot of a block that ends is taken a cycle late.
g80_mutant(cta_launcher 14 cta_launcher "~valid_q | retires"
           "~valid_q")
# Threads that fill no warp get none.
g80_mutant(cta_launcher 15 cta_launcher "CountW'(launch_d.threads[LaneW-1:0] != '0)"
           "CountW'(0)")
# Rounds shares of shared memory down.
g80_mutant(cta_launcher 16 cta_launcher "(launch_d.shared_bytes + granule_mask) & ~granule_mask"
           "launch_d.shared_bytes & ~granule_mask")
# Writes the header beyond the block's share.
g80_mutant(cta_launcher 17 cta_launcher "shared_words < 14'(with_params)"
           "1'b0")
# Sends the first words of the header again and again.
g80_mutant(cta_launcher 18 cta_launcher "total - header_words_q"
           "HeadW'(0)")
# Always sends as many words as a cycle has room for.
g80_mutant(cta_launcher 19 cta_launcher "header_words_q < HeadW'(cfg_words_i)"
           "1'b0")
# Words behind the last one are not zero.
g80_mutant(cta_launcher 20 cta_launcher "HeadW'(i) < fill_count"
           "1'b1")
# The words of a header lie on those sent before.
g80_mutant(cta_launcher 21 cta_launcher "slot_base[13:2] + 12'(first_word)"
           "slot_base[13:2]")
# All lanes up to the last are sent at once.
g80_mutant(cta_launcher 22 cta_launcher "(Lanes'(1) << end_lane[LaneW-1:0]) - Lanes'(1)"
           "Lanes'('1)")
# Lanes that were sent are sent again.
g80_mutant(cta_launcher 23 cta_launcher "'1 << next_lane_q"
           "Lanes'('1)")
# Every warp is full.
g80_mutant(cta_launcher 24 cta_launcher "threads_left[ThreadsW-1:LaneW] != '0"
           "1'b1")
# A warp's rows start again with each part of its lanes.
g80_mutant(cta_launcher 25 cta_launcher "numbers_go && next_lane_q == '0"
           "numbers_go")
# Rows are counted from the block's first warp.
g80_mutant(cta_launcher 26 cta_launcher "10'(warp) * 10'(launch_q.registers)"
           "10'(next_warp_q) * 10'(launch_q.registers)")
# One warp too many starts.
g80_mutant(cta_launcher 27 cta_launcher "next_warp_d != slot_warps"
           "next_warp_q != slot_warps")
# The next warp begins at the lane behind the last one.
g80_mutant(cta_launcher 28 cta_launcher "last_lanes ? '0 : end_lane[LaneW-1:0]"
           "end_lane[LaneW-1:0]")
# Says again and again that it is idle.
g80_mutant(cta_launcher 29 cta_launcher "told_idle_q || tells_idle"
           "tells_idle")
# All blocks but the first lie at one place in shared memory.
g80_mutant(cta_launcher 30 cta_launcher "16'(free) * share"
           "free == '0 ? '0 : share")
# Warps of a block are live before they start.
g80_mutant(cta_launcher 31 cta_launcher "live_left[s] | (starts ? Warps'(1) << warp : '0)"
           "live_left[s] | (starts ? Warps'(2) << warp : '0)")
# Keeps the launch state in reset.
g80_mutant(cta_launcher 32 cta_launcher "g80_pkg::LaunchStateDefault"
           "launch_q")
g80_mutants(cta_launcher)

# Shared memory.
# Whoever unlocks a word gives back its lock.
g80_mutant(shared_memory 1 lock_table "unlock_i && warp_q[flag[l]] == warp_i"
           "unlock_i")
# Distant words have flags of their own.
g80_mutant(shared_memory 2 lock_table "word_i[l] & cfg_flag_mask_i"
           "word_i[l]")
# All lanes of a word get its lock.
g80_mutant(shared_memory 3 lock_table "k < l && candidate[k] && flag[k] == flag[l]"
           "1'b0")
# A warp gets as many locks as it requests.
g80_mutant(shared_memory 4 lock_table "HeldW'(rank) < left"
           "1'b1")
# Locks that a warp holds already do not count.
g80_mutant(shared_memory 5 lock_table "cfg_locks_per_warp_i - held_by_warp"
           "cfg_locks_per_warp_i")
# Lanes of one word count against the warp's locks.
g80_mutant(shared_memory 6 lock_table "first & Lanes'((1 << l) - 1)"
           "candidate & Lanes'((1 << l) - 1)")
# No lock is given back.
g80_mutant(shared_memory 7 lock_table "unlock_i ? first : '0"
           "Lanes'(0)")
# A flag that is held is of the last warp that came.
g80_mutant(shared_memory 8 lock_table "taken[f] ? warp_i : warp_q[f]"
           "warp_i")
# A flag stays held.
g80_mutant(shared_memory 9 lock_table "held_q[f] && !freed[f]"
           "held_q[f]")
# The end of a block gives back no flags.
g80_mutant(shared_memory 10 lock_table "!ended_i[warp_d[f]]"
           "1'b1")
# A new warp in a slot has the locks of the last one.
g80_mutant(shared_memory 11 lock_table "ended_i[w] ? '0 : count_q[w] + more - fewer"
           "count_q[w] + more - fewer")
# Locks count for all warps.
g80_mutant(shared_memory 12 lock_table "warp_i == WarpW'(w) ? HeldW'(num_granted) : '0"
           "HeldW'(num_granted)")
# A warp holds what it has given back.
g80_mutant(shared_memory 13 lock_table "warp_i == WarpW'(w) ? HeldW'(num_released) : '0"
           "HeldW'(0)")
# Lanes outside the pass name words.
g80_mutant(shared_memory 14 shared_memory "pass_i.lanes[l] && bank_of[l] == BankW'(b)"
           "bank_of[l] == BankW'(b)")
# A byte is always the first of its word.
g80_mutant(shared_memory 15 shared_memory "4'b0001 << byte_of[lane]"
           "4'b0001")
# A half replaces its word.
g80_mutant(shared_memory 16 shared_memory "4'b0011 << byte_of[lane]"
           "4'b1111")
# A store that unlocks does not write.
g80_mutant(shared_memory 17 shared_memory "writes ? used : '0"
           "writes && !request.lock ? used : '0")
# A half is always the lower one.
g80_mutant(shared_memory 18 shared_memory "byte_of[l][1] ? whole[31:16] : whole[15:0]"
           "whole[15:0]")
# A byte is always the lower one of its half.
g80_mutant(shared_memory 19 shared_memory "byte_of[l][0] ? half[15:8] : half[7:0]"
           "half[7:0]")
# Bytes always have a sign.
g80_mutant(shared_memory 20 shared_memory "request.sign_extend && single[7]"
           "single[7]")
# Halves never have a sign.
g80_mutant(shared_memory 21 shared_memory "request.sign_extend && half[15]"
           "1'b0")
# Every read locks.
g80_mutant(shared_memory 22 shared_memory "reads && request.lock"
           "reads")
# Every store unlocks.
g80_mutant(shared_memory 23 shared_memory "writes && request.lock"
           "writes")
# The locks of earlier passes are forgotten.
g80_mutant(shared_memory 24 shared_memory "granted_q | granted"
           "granted")
# A pass overwrites what the others have read.
g80_mutant(shared_memory 25 shared_memory "reads && pass_i.lanes[l]"
           "reads")
# What was read stays for the next half-warp.
g80_mutant(shared_memory 26 shared_memory "last ? '0 : all_data"
           "all_data")
# Locks stay for the next half-warp.
g80_mutant(shared_memory 27 shared_memory "last ? '0 : all_granted"
           "all_granted")
# A store is done with its first pass.
g80_mutant(shared_memory 28 shared_memory "writes && last"
           "writes")
# Stores are answered.
g80_mutant(shared_memory 29 shared_memory "reads && last"
           "last")
g80_mutants(shared_memory)

# The address unit.
# $a is never added.
g80_mutant(address_unit 1 address_lane "indexed_i ? addr_i : 16'd0"
           "16'd0")
# A register that is an address is ignored.
g80_mutant(address_unit 2 address_lane "register_i ? register_value_i : {16'd0, short_address}"
           "{16'd0, short_address}")
# Wide accesses may lie anywhere.
g80_mutant(address_unit 3 address_lane "4'(bytes_i - 5'd1)"
           "4'd0")
# The last byte of an access may lie outside.
g80_mutant(address_unit 4 address_lane "33'(bytes_i)"
           "33'd1")
# A space that is not open is.
g80_mutant(address_unit 5 address_lane "!open_i"
           "1'b0")
# Every space begins at 0.
g80_mutant(address_unit 6 address_lane "base_i + in_space"
           "in_space")
# Lanes of l[] lie upon each other.
g80_mutant(address_unit 7 address_lane "{short_address[15:2], lane_i, short_address[1:0]}"
           "{short_address[15:2], LaneW'(0), short_address[1:0]}")
# An empty queue hands out what it held.
g80_mutant(address_unit 8 access_queue "empty ? job_i : front"
           "front")
# The second half-warp goes to the row of the next access.
g80_mutant(address_unit 9 access_queue "second_i ? newest : tail"
           "tail")
# Operands that come now are read a cycle late.
g80_mutant(address_unit 10 access_queue "write_i[h] && row_address[h] == head_q"
           "1'b0")
# A fault in the second half-warp is forgotten.
g80_mutant(address_unit 11 access_queue "second_i && fault_i"
           "1'b0")
# The first source is the memory operand, whatever the dispatch wants.
g80_mutant(address_unit 12 address_former "source1.kind == wanted"
           "1'b0")
# c[] is the operand although s[] is wanted.
g80_mutant(address_unit 13 address_former "dispatch_i.constant ? g80_pkg::OperandConst : g80_pkg::OperandShared"
           "g80_pkg::OperandConst")
# A warp that starts reads where the one before it was.
g80_mutant(address_unit 14 address_former "start_i.valid && start_i.warp == dispatch_i.warp"
           "1'b0")
# All warps share one l[].
g80_mutant(address_unit 15 address_former "launch_i.local_bytes[b]"
           "1'b0")
# Every access increments.
g80_mutant(address_unit 16 address_former "!texture && decoded.insn.post_increment && forming.indexed"
           "!texture && forming.indexed")
# The last byte of g[] is not one of it.
g80_mutant(address_unit 17 address_former "33'(space.limit) + 33'd1"
           "33'(space.limit)")
# c[] beyond its bank is read.
g80_mutant(address_unit 18 address_former "port_lanes & ~outside"
           "port_lanes")
# c[] beyond its bank is read at one address.
g80_mutant(address_unit 19 address_former "forming.kind == g80_pkg::OperandConst && direct_outside"
           "1'b0")
# The new $a is the old one.
g80_mutant(address_unit 20 address_former "operands_i.addr[l] + port.increment"
           "operands_i.addr[l]")
# The last fault stays.
g80_mutant(address_unit 21 address_former "!fault_q.valid && (port_faults || direct_faults)"
           "port_faults || direct_faults")
# A fault has no lane.
g80_mutant(address_unit 22 address_former "port_faults ? {half, bad_lane} : direct_lane"
           "'0")
# A misaligned address is beyond its limit.
g80_mutant(address_unit 23 address_former "port_faults ? misaligned[bad_lane] : direct_misaligned"
           "1'b0")
# Words of l[] leave all at once.
g80_mutant(address_unit 24 address_former "local_space && bytes > 5'd4"
           "1'b0")
# An access with a fault comes in.
g80_mutant(address_unit 25 address_former "!(!receives && port_faults)"
           "1'b1")
# No second half-warp comes.
g80_mutant(address_unit 26 address_former "dispatch_i.operands && has_low && has_high"
           "1'b0")
# The half-warps of an access change places.
g80_mutant(address_unit 27 address_former "receives || !has_low"
           "receives")
# A store is done before the banks have performed it.
g80_mutant(address_unit 28 on_chip_requests "store_left == '0 || store_left[7]"
           "1'b1")
# A store to s[] does not wait for room.
g80_mutant(address_unit 29 on_chip_requests "stores_full && !store_performed"
           "1'b0")
# The second half-warp on chip is the first again.
g80_mutant(address_unit 30 on_chip_requests "!has_low || upper_q"
           "!has_low")
# One request of c[] for each half-warp.
g80_mutant(address_unit 31 on_chip_requests "half || !has_high || direct"
           "half || !has_high")
# c[] waits for shared memory.
g80_mutant(address_unit 32 on_chip_requests "constant ? !const_held : !smem_held && !fill_goes"
           "!const_held && !smem_held && !fill_goes")
# The head of s[] is written over accesses that wait.
g80_mutant(address_unit 33 on_chip_requests "fill_valid && !smem_held"
           "fill_valid")
# Rows of the head are full.
g80_mutant(address_unit 34 on_chip_requests "5'(l) < fill.count"
           "1'b1")
# Stores to s[] write zeros.
g80_mutant(address_unit 35 on_chip_requests "row.data"
           "'0")
# Accesses go beside an entry of a control stack.
g80_mutant(address_unit 36 off_chip_requests "valid && !faulted && no_stack"
           "valid && !faulted")
# A texture access needs room for one to memory.
g80_mutant(address_unit 37 off_chip_requests "order.texture ? tex_room_i : access_room_i"
           "access_room_i")
# The upper half-warp of each word stays.
g80_mutant(address_unit 38 off_chip_requests "half || !has_high"
           "1'b1")
# A store that is done hides another one.
g80_mutant(address_unit 39 off_chip_requests "order.loads || !done_taken_i"
           "1'b1")
# Freed entries of the load table stay in use.
g80_mutant(address_unit 40 off_chip_requests "load_freed_i.valid ? loads_q & ~(Loads'(1) << load_freed_i.id) : loads_q"
           "loads_q")
# Lanes are entered with each attempt.
g80_mutant(address_unit 41 off_chip_requests "!progress_q.entered[half]"
           "1'b1")
# Words of l[] name one register.
g80_mutant(address_unit 42 off_chip_requests "{progress_q.word[1:0], load_id}"
           "{2'd0, load_id}")
# Words of l[] lie upon each other.
g80_mutant(address_unit 43 off_chip_requests "32'({progress_q.word[1:0], 7'd0})"
           "32'd0")
# Stacks of all warps are one.
g80_mutant(address_unit 44 off_chip_requests "24'(stack_warp) * 24'(launch_i.stack_depth[12:0])"
           "24'd0")
# All coordinates go to the texture unit.
g80_mutant(address_unit 45 off_chip_requests "3'(i) < order.tex_sources"
           "1'b1")
# Is idle while an access waits in the queue to the coalescer.
g80_mutant(address_unit 46 off_chip_requests "!access_all_free_i"
           "1'b0")
# Lanes may be in any order.
g80_mutant(address_unit 47 address_wait "in_place == '1"
           "1'b1")
# A lane may be in another segment.
g80_mutant(address_unit 48 address_wait "(some ^ all) & ~own"
           "32'd0")
# Addresses follow without end.
g80_mutant(address_unit 49 off_chip_requests "progress_q.waits ? progress_q.wait_ : wait_of_lanes"
           "wait_of_lanes")
# Textures wait for addresses, too.
g80_mutant(address_unit 50 off_chip_requests "order.texture || !address_waits"
           "!address_waits")
g80_mutants(address_unit)

# The warp scheduler.
# Round robin begins at the warp that issued last.
g80_mutant(warp_scheduler 1 round_robin "IndexW'(i) > last_i"
           "IndexW'(i) >= last_i")
# Prefers the youngest warp.
g80_mutant(warp_scheduler 2 age_matrix "younger_i[l*(l-1)/2+o] || !candidates_i[o]"
           "!younger_i[l*(l-1)/2+o] || !candidates_i[o]")
# A start makes the warp older than those in higher slots.
g80_mutant(warp_scheduler 3 age_matrix "used_i != LaneW'(o) && younger_i[o*(o-1)/2+l]"
           "younger_i[o*(o-1)/2+l]")
# Every cycle without a start is one of warp 0.
g80_mutant(warp_scheduler 4 warp_scheduler "start_i.valid ? younger_after_start : younger_q"
           "younger_after_start")
# Picks a warp again before the scoreboard shows its next instruction.
g80_mutant(warp_scheduler 5 warp_scheduler "ready_i.ready & ~hidden_q"
           "ready_i.ready")
# Greedy only if the warp is the oldest.
g80_mutant(warp_scheduler 6 pick_warp "eligible_i[last_i] ? last_i : oldest_i"
           "oldest_i")
# Overbooks the collector, the memory path, the load table.
g80_mutant(warp_scheduler 7 warp_scheduler "collector_in_use < 8'(cfg_collector_units_i)"
           "collector_in_use <= 8'(cfg_collector_units_i)")
g80_mutant(warp_scheduler 8 warp_scheduler "memory_in_use < 8'(cfg_memory_units_i)"
           "memory_in_use <= 8'(cfg_memory_units_i)")
g80_mutant(warp_scheduler 9 warp_scheduler "load_in_use < 8'(cfg_load_entries_i)"
           "load_in_use <= 8'(cfg_load_entries_i)")
# A texture read takes no place of the memory path.
g80_mutant(warp_scheduler 10 warp_scheduler "ready_i.memory | ready_i.texture"
           "ready_i.memory")
# No instruction with an operand from s[] waits for the one before.
g80_mutant(warp_scheduler 11 warp_scheduler "shared_work_q > WorkW'(cfg_shared_cycles_i)"
           "shared_work_q != '0")
# Multiplies take the port before other instructions.
g80_mutant(warp_scheduler 12 warp_scheduler "(unblocked & ~ready_i.multiply) != '0"
           "1'b0")
# The port takes an instruction a scheduler cycle too early.
g80_mutant(warp_scheduler 13 warp_scheduler "port_wait_q != '0"
           "port_wait_q > PortW'(2)")
# The SFUs, the fp64 unit, the control unit take one while they are busy.
g80_mutant(warp_scheduler 14 warp_scheduler "sfu_wait_q == '0 ? judged & (ready_i.sfu | ready_i.multiply) : '0"
           "judged & (ready_i.sfu | ready_i.multiply)")
g80_mutant(warp_scheduler 15 warp_scheduler "dp_wait_q == '0 ? judged & ready_i.dp : '0"
           "judged & ready_i.dp")
g80_mutant(warp_scheduler 16 warp_scheduler "control_wait_q == '0 ? judged & ready_i.control : '0"
           "judged & ready_i.control")
# A multiply keeps the SFUs as long as one of their own instructions.
g80_mutant(warp_scheduler 17 warp_scheduler "to_multipliers ? cfg_multiply_cycles_i : sfu_wait_q"
           "to_multipliers ? cfg_sfu_cycles_i : sfu_wait_q")
# A pass that leaves lanes to another takes no cycles of the port.
g80_mutant(warp_scheduler 18 warp_scheduler "replay_i ? PortW'(cfg_replay_cycles_i) : '0"
           "PortW'(0)")
# An odd cycle that is left is lost.
g80_mutant(warp_scheduler 19 count_down "cycles_i > Width'(Step) ? cycles_i - Width'(Step) : '0"
           "cycles_i > Width'(Step + 1) ? cycles_i - Width'(Step) : Width'(0)")
# Every pick names the multipliers that its warp could use.
g80_mutant(warp_scheduler 20 warp_scheduler "ready_i.multiply[warp] && !on_port[warp]"
           "ready_i.multiply[warp]")
# A warp that waits for the memory path blames it, whatever the others wait for.
g80_mutant(warp_scheduler 21 warp_scheduler "judged != '0 && judged == queue_blocked"
           "queue_blocked != '0")
# Blames control flow before arithmetic.
g80_mutant(warp_scheduler 22 stall_reason "ready_i.wait_alu != '0"
           "ready_i.wait_alu != '0 && ready_i.wait_control == '0")
# A warp at a barrier waits for instructions.
g80_mutant(warp_scheduler 23 stall_reason "ready_i.has_head | ready_i.wait_barrier"
           "ready_i.has_head")
# Blames memory before the drain in front of an exit.
g80_mutant(warp_scheduler 24 stall_reason "ready_i.wait_drain != '0"
           "ready_i.wait_drain != '0 && ready_i.wait_memory == '0")
g80_mutants(warp_scheduler)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_mutants.h CONTENT "#pragma once\n${g80_mutant_headers}")

# SPDX-License-Identifier: Apache-2.0
# Twins with one mistake each. twin_mutants_test.cpp requires that the comparison of tests/twins finds every one of them.
# g80_mutant(<stem> <number> <text of the twin> <what it becomes> [<module that has the text>]):
# class V<stem>_mutant<number>. Without the module the text is the twin's own.
set(g80_mutants)
set(g80_mutant_headers)
macro(g80_mutant stem number replace by)
  file(GLOB mutated ${CMAKE_SOURCE_DIR}/rtl/*/${stem}.sv)
  set(mutated_module ${mutated})
  if(${ARGC} GREATER 4)
    file(GLOB mutated_module ${CMAKE_SOURCE_DIR}/rtl/*/${ARGV4}.sv)
  endif()
  g80_verilate(${stem}_mutant${number} SOURCE ${mutated} PREFIX V${stem}_mutant${number} OPTIMIZE -O0
               REPLACE "${replace}" BY "${by}" IN ${mutated_module})
  list(APPEND g80_mutants ${stem}_mutant${number})
  string(APPEND g80_mutant_headers
         "#include \"V${stem}_mutant${number}.h\"\n#include \"V${stem}_mutant${number}___024root.h\"\n")
endmacro()

# Broadcasts one word to all lanes that write it, too.
g80_mutant(bank_conflict 1 "!write_i && word_i[l] == broadcast" "word_i[l] == broadcast" select_pass)
# Passes follow each other at full rate, whatever the configuration.
g80_mutant(bank_conflict 2 "wait_d = cfg_pass_interval_i - 2'd1" "wait_d = 2'd0")
# Is ready with one place too few.
g80_mutant(bank_conflict 3 "count_next < CountW'(Depth - 1)" "count_next < CountW'(Depth)")
# Two lanes of one bank but of different words are served together.
g80_mutant(bank_conflict 4 "(below & same_bank) == '0" "1'b1" select_pass)
# Asks for a replay after the last pass, too: one pin alone is wrong.
g80_mutant(bank_conflict 5 "pass_q.valid && !pass_q.last" "pass_q.valid")
# Forgets the lanes of a request that waits behind the one it has served.
g80_mutant(bank_conflict 6 "last && second_valid ? second.lanes : left" "left")
# The queue hands out the pushed request in place of the one that waits.
g80_mutant(bank_conflict 7 "push_i && count_q == CountW'(i) ? data_i" "push_i ? data_i" shift_queue)

# Forgets the strict rule's alignment.
g80_mutant(coalescer 1 "(base & (32'(HalfWarp) * 32'(bytes) - 32'd1)) == '0 &&" "")
# A segment of which exactly the upper half is touched does not shrink.
g80_mutant(coalescer 2 "first >= size >> 1" "first > size >> 1")
# An atomic's operands change places.
g80_mutant(coalescer 3 "made_request.data[127:0] = lane_data" "made_request.data[127:0] = {lane_data[63:0], lane_data[127:64]}")
# One cycle too long between transactions.
g80_mutant(coalescer 4 "now_i >= free_from_q" "now_i > free_from_q")
# Counts half-warps of 16-byte words as uncoalesced: a counter alone is wrong.
g80_mutant(coalescer 5 "access_bytes_i == 5'd16 ? 5'd2 : 5'd1" "5'd1")

# Round robin begins at the warp that issued last.
g80_mutant(warp_scheduler 1 "warp_mask_t'(2) << last" "warp_mask_t'(1) << last")
# Prefers the youngest warp.
g80_mutant(warp_scheduler 2 "age[w] < least" "age[w] > least")
# Picks a warp again before the scoreboard shows its next instruction.
g80_mutant(warp_scheduler 3 "ready_ready_i & ~hidden_q" "ready_ready_i")
# Blames control flow before arithmetic: a stall reason alone is wrong.
g80_mutant(warp_scheduler 4 "if (ready_wait_alu_i != '0) return StallAlu"
           "if (ready_wait_alu_i != '0 && ready_wait_control_i == '0) return StallAlu")
# Charges one scheduler cycle too many when it wakes.
g80_mutant(warp_scheduler 5 "scheduler_cycle - charged_q - 64'd1" "scheduler_cycle - charged_q")
# Sleeps on when the SFUs are free.
g80_mutant(warp_scheduler 6 "if (sfu_free_q > now_i &&" "if (1'b0 &&")

# A long instruction may begin at any word.
g80_mutant(decode 1 "&& pc[2] == w[0]" "")
# An instruction that came one chip later is taken.
g80_mutant(decode 2 "decoded.arch > cfg_arch_i" "decoded.arch > cfg_arch_i + 2'd1")
# The second word of a long instruction begins one of its own.
g80_mutant(decode 3 "&& !second_half" "")
# Keeps its output in reset.
g80_mutant(decode 4 "if (!rst_ni) group_q <= g80_pkg::DecodedGroupDefault;" "if (!rst_ni) group_q <= group_q;")

# A request that a redirect has made stale stays.
g80_mutant(fetch 1 "&& epoch_d[request_q.warp] == request_q.epoch" "")
# Does not see that the arriving group fills the buffer.
g80_mutant(fetch 2 "&& !(arrives[w] && fills_buffer)" "")
# Fetches a whole block from the middle of one.
g80_mutant(fetch 3 "if (fetch_pc[2]) bytes = 5'd4" "if (fetch_pc[2] && fetch_pc[3]) bytes = 5'd4")
# The warp fetched last comes first again.
g80_mutant(fetch 4 "IndexW'(i) > last_i" "IndexW'(i) >= last_i" round_robin)

# Takes groups of old epochs.
g80_mutant(instruction_buffer 1 "&& decoded_i.epoch == epoch_q[decoded_i.warp]" "")
# Keeps the instructions of a warp that jumps.
g80_mutant(instruction_buffer 2 "count_d[w] = flushes[w] ? '0" "count_d[w] = starts ? '0")
# Has room only when one place more is free.
g80_mutant(instruction_buffer 3 "<= cfg_most_with_room_i" "< cfg_most_with_room_i")
# Start and redirect of a warp begin one epoch.
g80_mutant(instruction_buffer 4 "{7'd0, starts} + {7'd0, jumps}" "{7'd0, flushes[w]}")

# Gives the constant cache the turn again after its own.
g80_mutant(line_port 1 "constant_first_d = !constant_goes" "constant_first_d = constant_goes")
# Takes a miss of the instruction cache at edges at which that cache stands still.
g80_mutant(line_port 2 "instruction_ready_q && issue_en_i" "instruction_ready_q")
# Replaces a line that the constant cache has not taken.
g80_mutant(line_port 3 "constant_held    = constant_fill_q.valid && !constant_fill_ready_i" "constant_held    = 1'b0")
# Forgets to mark the request with its SM.
g80_mutant(line_port 4 "    line_o.sm_in_tpc = cfg_sm_in_tpc_i;\n" "")

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_mutants.h CONTENT "#pragma once\n${g80_mutant_headers}")

# SPDX-License-Identifier: Apache-2.0
# Three twins with one mistake each, which test the checkers: twin_mutants_test.cpp requires that the comparison of
# tests/twins finds every one of them, twin_check_test.cpp that a whole machine stops at it. Whether the comparisons of
# all twins are hard enough, tests/mutation/run --rtl measures.
# One build has all mutants of a twin, and the test selects one after the other.
# g80_mutant(<stem> <number> <module> <expression> <what it becomes>)
# g80_mutants(<stem>): class V<stem>_mutants with all of them
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
  foreach(part __024root mutant_pkg)
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
# Of several lanes that store a word, the words of all are mixed.
g80_mutant(coalescer 6 coalescer "alone ? lanes : lanes & ~hidden"
           "lanes")
# One cycle too long between transactions.
g80_mutant(coalescer 7 coalescer "cfg_cycles_per_transaction_i - RateW'(1)"
           "cfg_cycles_per_transaction_i")
# Forgets which lanes have their transaction.
g80_mutant(coalescer 8 coalescer "busy_q ? pending_q : access_i.lanes"
           "access_i.lanes")
# Stores the first byte of a word of two alone.
g80_mutant(coalescer 9 store_data "16'h0003 << {address_i[l][3:1], 1'd0}"
           "16'h0001 << {address_i[l][3:1], 1'd0}")
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
g80_mutant(coalescer 18 store_data "sector_i != 2'd0"
           "1'b0")
# Lanes that write one word share a transaction, too.
g80_mutant(coalescer 19 coalesce "cfg_share_words_i && read_i"
           "cfg_share_words_i")
# Lanes that read one sector share a transaction.
g80_mutant(coalescer 20 coalesce "pair_32[l][m] && address_i[l][4:0] == address_i[m][4:0]"
           "pair_32[l][m]")
g80_mutants(coalescer)

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
g80_mutant(warp_scheduler 7 warp_scheduler "8'(cfg_collector_units_i)"
           "8'(cfg_collector_units_i) + 8'd1")
g80_mutant(warp_scheduler 8 warp_scheduler "8'(cfg_memory_units_i)"
           "8'(cfg_memory_units_i) + 8'd1")
g80_mutant(warp_scheduler 9 warp_scheduler "8'(cfg_load_entries_i)"
           "8'(cfg_load_entries_i) + 8'd1")
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
g80_mutant(warp_scheduler 14 warp_scheduler "sfu_wait_q == '0 ? visible & (ready_i.sfu | ready_i.multiply) : '0"
           "visible & (ready_i.sfu | ready_i.multiply)")
g80_mutant(warp_scheduler 15 warp_scheduler "dp_wait_q == '0 ? visible & ready_i.dp & ~wide_blocked : '0"
           "visible & ready_i.dp & ~wide_blocked")
g80_mutant(warp_scheduler 16 warp_scheduler "control_wait_q == '0 ? visible & ready_i.control : '0"
           "visible & ready_i.control")
# A multiply keeps the SFUs as long as one of their own instructions.
g80_mutant(warp_scheduler 17 warp_scheduler "to_multipliers ? multiply_left : sfu_wait_left"
           "to_multipliers ? sfu_left : sfu_wait_left")
# A pass that leaves lanes to another takes no cycles of the port.
g80_mutant(warp_scheduler 18 warp_scheduler "replay_i ? PortW'(cfg_replay_cycles_i) : '0"
           "PortW'(0)")
# An odd cycle that is left is lost.
g80_mutant(warp_scheduler 19 count_down "cycles_i > Width'(Step) ? cycles_i - Width'(Step) : '0"
           "cycles_i > Width'(Step + 1) ? cycles_i - Width'(Step) : Width'(0)")
# Every pick names the multipliers that its warp could use.
g80_mutant(warp_scheduler 20 warp_scheduler "ready_i.multiply & ~on_port"
           "ready_i.multiply")
# A warp that waits for the memory path blames it, whatever the others wait for.
g80_mutant(warp_scheduler 21 warp_scheduler "visible != '0 && visible == queue_blocked"
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
# A second instruction with wide words is issued.
g80_mutant(warp_scheduler 25 warp_scheduler "wide_free ? '0 : ready_i.wide"
           "'0")
g80_mutants(warp_scheduler)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/twin_mutants.h CONTENT "#pragma once\n${g80_mutant_headers}")

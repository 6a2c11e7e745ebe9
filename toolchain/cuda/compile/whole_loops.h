// SPDX-License-Identifier: Apache-2.0
// Keeps in a loop what the source has in it.
//
// For LLVM a loop is what leads back to its beginning. A lane that takes a lock, works, gives the lock back and leaves
// has done all of that behind the loop, even if it stands in it: after jump threading also if it only sets a flag that
// the loop tests. But the lanes of a warp meet behind a loop: the one with the lock waits there for those that still
// try to get it. So all ways out of such a loop and back to its beginning lead through one block, which decides by a
// number that LLVM cannot know.
//
// Only loops are changed in which a lane may see what others do (by an atomic operation or a volatile variable) and
// that write something on some of their ways only. A way out that depends on a counter alone stays as it is, so that
// such loops can be unrolled.
#pragma once
#include <string>
#include <string_view>

namespace g80::cuda {

/// LLVM's assembly language as clang's front end writes it, with such loops whole.
std::string keep_loops_whole(std::string_view ir);

/// The same text after optimisation, with the numbers as plain values.
std::string show_ways(std::string_view ir);

}  // namespace g80::cuda

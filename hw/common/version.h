// SPDX-License-Identifier: Apache-2.0
// Which g80 this is. Every file that a run writes names it, where the format has a place for it.
#pragma once

namespace g80 {

extern const char* const kVersion;  // "0.9.0": the project's, from CMakeLists.txt
extern const char* const kGitId;    // the commit; "-dirty" behind it if files differ from it

}  // namespace g80

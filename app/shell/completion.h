// SPDX-License-Identifier: Apache-2.0
// Completions of a word in a shell command, for the TAB key.
#pragma once
#include <string>
#include <vector>

namespace g80 {

/// `before` is the line up to the word. Signal names are completed part by part, from any part on: "sm0.pi" becomes
/// "sm0.pick.". `signals` has all signal names, as in waves.
std::vector<std::string> completions(const std::string& before, const std::string& word,
                                     const std::vector<std::string>& signals);

}  // namespace g80
